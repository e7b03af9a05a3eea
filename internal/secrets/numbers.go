package secrets

import (
	"strings"
)

// cardHeads are the first two digits of payment cards.
func cardHead(digits string) bool {
	a, b := digits[0], digits[1]
	return a == '4' || a == '5' && b >= '1' && b <= '5' || a == '2' && b >= '2' && b <= '7' || a == '3' && strings.IndexByte("04678", b) >= 0 || a == '6' && (b == '0' || b == '4' || b == '5' || b == '2')
}

// shownCards are numbers that payment services give out to test with.
var shownCards = words(`4242424242424242 4111111111111111 4000056655665556 5555555555554444 5105105105105100 378282246310005 371449635398431
6011111111111117 6011000990139424 3056930009020004 4000000000000002 4012888888881881 2223003122003222 5200828282828210 30569309025904 3566002020360505`)

var cardWords = []string{"card", "visa", "master", "amex", "karte", "carte", "tarjeta", "cartão", "cartao", "carta", "карт", "卡", "カード", "카드", "credit", "debit", "cvv", "cvc", "exp"}

// card takes the number of a payment card that begins at from: in groups, or with
// a word beside it that says so. It gives where the number ends.
func (s *scan) card(from int) int {
	if to := s.diskKey(from); to > 0 {
		s.take(from, to)
		return to
	}
	var digits [19]byte
	n, to, gaps := 0, from, 0
	sign := byte(0)
	for to < len(s.text) && n < len(digits) {
		c := s.text[to]
		if isDigit(c) {
			digits[n] = c
			n++
			to++
			continue
		}
		if (c != ' ' && c != '-') || sign != 0 && c != sign || to+1 >= len(s.text) || !isDigit(s.text[to+1]) {
			break
		}
		sign = c
		gaps++
		to++
	}
	if to < len(s.text) && (isTokenByte(s.text[to]) || s.text[to] == '.' && to+1 < len(s.text) && isDigit(s.text[to+1])) {
		return to
	}
	number := string(digits[:n])
	if n < 13 || !cardHead(number) || !luhn(number) || shownCards()[number] || strings.Count(number, number[:1]) > 11 {
		return to
	}
	written := s.text[from:to]
	if gaps == 3 && len(written) == 19 && written[4] == sign && written[9] == sign && written[14] == sign || gaps == 2 && len(written) == 17 && written[4] == sign && written[11] == sign {
		s.take(from, to)
		return to
	}
	if gaps > 0 {
		return to
	}
	around := strings.ToLower(s.text[max(0, from-60):from] + " " + s.text[to:min(len(s.text), to+30)])
	for _, w := range cardWords {
		if strings.Contains(around, w) {
			s.take(from, to)
			break
		}
	}
	return to
}

// cards looks at each number that may be one of a payment card. None is shorter
// than thirteen bytes, and of two neighbours in it one is a digit.
func (s *scan) cards() {
	for i := 0; i+1 < len(s.text); i += 12 {
		if !isDigit(s.text[i]) && !isDigit(s.text[i+1]) {
			continue
		}
		from, to := i, i
		for from > 0 && i-from < 24 && (isDigit(s.text[from-1]) || s.text[from-1] == ' ' || s.text[from-1] == '-') {
			from--
		}
		for to < len(s.text) && to-i < 24 && (isDigit(s.text[to]) || s.text[to] == ' ' || s.text[to] == '-') {
			to++
		}
		for to-from >= 13 {
			if isDigit(s.text[from]) && (from == 0 || !isTokenByte(s.text[from-1]) && s.text[from-1] != '.' && s.text[from-1] != '#') {
				s.card(from)
			}
			from++
		}
	}
}

func luhn(digits string) bool {
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

var seedNames = []string{
	"seed phrase", "seed-phrase", "seedphrase", "seed words", "recovery phrase", "recovery words", "secret phrase", "secret recovery", "backup phrase", "wallet phrase", "mnemonic", "mnemonik", "metamask", "trezor", "my seed",
	"phrase de récupération", "phrase mnémonique", "frase semilla", "frase de recuperación", "frase de recuperação", "frase semente", "frase di recupero", "wiederherstellungsphrase", "wiederherstellungswörter",
	"сид-фраз", "сид фраз", "мнемони", "助记词", "助記詞", "ニーモニック", "シードフレーズ", "復元フレーズ", "니모닉", "시드 문구", "시드 구문", "복구 문구",
}

// seed takes a row of words that stands behind its name.
func (s *scan) seed(_, end int) {
	i := end
	most := min(len(s.text), end+60)
	for i < most {
		from, n := i, 0
		to := i
		for n < 24 {
			j := to
			for j < len(s.text) && j-to < 6 && strings.IndexByte(" \t\n,.)0123456789", s.text[j]) >= 0 {
				j++
			}
			if n > 0 && j == to {
				break
			}
			word := j
			for j < len(s.text) && 'a' <= s.text[j] && s.text[j] <= 'z' {
				j++
			}
			if j-word < 3 || j-word > 8 || j < len(s.text) && (s.text[j] >= 0x80 || s.text[j] == '\'' || 'A' <= s.text[j] && s.text[j] <= 'Z') || seedNot()[s.text[word:j]] {
				break
			}
			if n == 0 {
				from = word
			}
			to, n = j, n+1
		}
		if n >= 6 && i == end || n >= 11 || n >= 6 && strings.Trim(s.text[end:from], " :=\"'`*-is") == "" {
			s.take(from, to)
			return
		}
		for i < len(s.text) && s.text[i] > ' ' {
			i++
		}
		i++
	}
}

// seedNot are common words that no list of seed words holds.
var seedNot = words(`the and was were with for from are not but they them his her has had have this that which when where what who how been
being into than then its our your you should would must may might does did each every these those their there only also`)
