package memorize

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"recollect/internal/history"
)

// A turn says something if its prompt and answer together are this long, or one
// of them has so many words that are no small talk: a rule may be as short as
// "Use tabs.", and what an assistant says in passing is longer.
const (
	sayingRunes = 50
	askedWords  = 2
	toldWords   = 5
)

// gate reads the new turns until one says something.
func gate(ctx context.Context, v *view, all []history.Ref, fresh map[string][]history.Ref) (string, error) {
	wanted := map[string]bool{}
	for _, refs := range fresh {
		for _, ref := range refs {
			wanted[ref.ID] = true
		}
	}
	refs := slices.DeleteFunc(slices.Clone(all), func(r history.Ref) bool { return !wanted[r.ID] })
	answered := false
	for turn, err := range v.Turns(ctx, refs) {
		if errors.Is(err, history.ErrGone) {
			continue
		}
		if err != nil {
			return "", err
		}
		says, answer := weigh(turn)
		if answer && says {
			return "", nil
		}
		answered = answered || answer
	}
	if !answered {
		return ReasonEmpty, nil
	}
	return ReasonTrivial, nil
}

// weigh tells whether a turn says something, and whether it was answered.
func weigh(t history.Turn) (says, answered bool) {
	runes := 0
	for _, m := range t.Messages {
		n := utf8.RuneCountInString(m.Text)
		runes += n
		answered = answered || m.Role == history.Assistant && n > 0
	}
	if runes >= sayingRunes {
		return true, answered
	}
	for _, m := range t.Messages {
		least := askedWords
		if m.Role == history.Assistant {
			least = toldWords
		}
		says = says || words(m.Text) >= least
	}
	return says, answered
}

// words counts the words of a short text that are no small talk, without the lines
// of slash commands. Where words are written together two signs count as one.
func words(text string) int {
	n := 0
	for line := range strings.Lines(strings.ToLower(text)) {
		if !strings.HasPrefix(strings.TrimSpace(line), "/") {
			n += wordsOfLine(line)
		}
	}
	return n
}

func wordsOfLine(line string) int {
	n := 0
	for word := range strings.FieldsFuncSeq(line, func(r rune) bool { return !ofWord(r) }) {
		word = strings.Trim(strings.ReplaceAll(word, "’", "'"), "'")
		if !strings.ContainsFunc(word, together) {
			if utf8.RuneCountInString(word) > 1 && !smallTalk[word] {
				n++
			}
			continue
		}
		for _, s := range smallSigns {
			word = strings.ReplaceAll(word, s, "")
		}
		signs := 0
		for _, r := range word {
			if together(r) {
				signs++
			}
		}
		n += signs / 2
	}
	return n
}

// ofWord says whether a sign belongs to a word.
func ofWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsMark(r) || r == '\'' || r == '’' || r == 'ー'
}

// together says whether a sign is of a script that has no blanks between words.
func together(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// smallTalk are words that say nothing that could be kept, alone or with one
// another: assent, thanks, "go on" and what sentences are held together with.
var smallTalk = wordSet(`
ok okay yes yeah yep yup nope nah sure fine good great nice cool perfect awesome excellent wonderful right correct exactly
thanks thank thx ty please pls welcome hi hello hey bye sorry hmm oh ah wow lol
continue proceed go on ahead next again more now yet then stop wait retry done ready resume start
do does did doing it it's its that that's this these those there here the an of to in for with and or but so
you your we us our me my is are was be am can could would will let let's lets have has had got get
what how why who when where which all just too also still please any something anything everything nothing
looks look seems works work sounds think see know want like try tell help need
ja nein doch danke bitte weiter gut genau mach machen das es der die und ist hallo
oui non merci stp svp continue vas bien parfait le la les est et ça
sí si gracias por favor sigue continúa vale bien perfecto el los es sim não obrigado obrigada continua certo
да нет ага спасибо пожалуйста продолжай продолжи дальше хорошо отлично давай ладно привет это и
네 예 응 아니요 아니 감사합니다 고마워 고마워요 계속 계속해 계속해줘 주세요 해줘 좋아 좋아요 알겠습니다 안녕하세요
نعم لا شكرا تمام استمر حسنا
`)

// smallSigns are the same where words are written together.
var smallSigns = strings.Fields(`
谢谢 多谢 你好 好的 好吧 可以 继续 继续吧 是的 没问题 明白 不用了 不是 对的 知道了 完成 请 吗 吧 嗯 好 对 是 了
ありがとうございます ありがとう お願いします 続けてください 続けて ください はい いいえ うん 了解です 了解 です ます わかりました こんにちは いいね 大丈夫
ขอบคุณ ครับ ค่ะ ใช่ ต่อไป โอเค ได้ สวัสดี ไม่
`)

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}
