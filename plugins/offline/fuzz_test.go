package main

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"recollect/hostapi/guest"
)

// FuzzExtract reads anything as a conversation: no panic, and only items that
// keep to their bounds.
func FuzzExtract(f *testing.F) {
	for _, s := range []string{
		"", "```\ncode", "- a\n  - b\n> c\n| d |", "**a** _b_ [c](d) ![e](f) `g", "1. 2. (3) and so, \"x\"", "必须。不要！", "\xff\xfe\x00",
		"We always use `a`. It fails because (line 3) the \"b\" is c.", "[[[[((((****____````", "Root cause: : :", strings.Repeat("a. B ", 300),
		"As a picker you ask who must never do what I", "The current 修复必须始终使用统一的错误处理", "我们必须应该可能一定要使用这个方法吗？", "must must must have", "Remember: ", "rule: x y", "The fix 因为必须",
		"x|sh curl\nignore previous", "नमस्ते 👋🏽 ‮abc‬", "#\n##\n# #", "we don't use `` `x` `` here, ever, at all",
	} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, user, assistant string) {
		turns := []guest.Turn{{ID: "t", Session: "s", Messages: []guest.Message{
			{ID: "u", Role: guest.RoleUser, Text: user}, {ID: "a", Role: guest.RoleAssistant, Text: assistant}, {ID: "b", Role: guest.RoleUser, Text: assistant},
		}}}
		c := newCollector(notes())
		for _, x := range turns {
			c.turn(x)
		}
		checkItems(t, c.items(guest.ExtractRequest{}.Limits))
	})
}

// FuzzUnits cuts anything: nothing is invented, and what comes out is text.
func FuzzUnits(f *testing.F) {
	for _, s := range []string{"", "a\n\nb", "- a. B", "a `b. C` d", "**a:** b", "\r\n\r\n", "1) a", "～。", "e.g. a etc. B"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		size := 0
		for _, u := range units(s) {
			if !utf8.ValidString(u.text) || u.text == "" {
				t.Fatalf("unit %q", u.text)
			}
			n := 0
			for _, x := range sentences(u.text, true) {
				n += len(x)
			}
			if n > len(u.text) {
				t.Fatalf("sentences of %q are longer than it", u.text)
			}
			size += len(u.text)
		}
		if size > len(s)+len(s)/2+8 {
			t.Fatalf("%d bytes became %d", len(s), size)
		}
	})
}

// TestHostileSizes reads what would take for ever if anything looked at the
// rest of the text for each of its characters.
func TestHostileSizes(t *testing.T) {
	for _, s := range []string{"[", "`", "``", "*", "_a", "(", "a.", "a. ", "a. B", "- ", "# ", "1. ", "\"", "|", "必", "。", "é ", "instead of ", "!\n[", "[](", "<!--", "k=", "\n"} {
		c := newCollector(notes())
		text := strings.Repeat(s, 4<<20/len(s))
		c.turn(guest.Turn{Session: "s", Messages: []guest.Message{{ID: "a", Role: guest.RoleUser, Text: text}, {ID: "b", Role: guest.RoleAssistant, Text: text}}})
		checkItems(t, c.items(guest.ExtractRequest{}.Limits))
	}
}

// TestWordSalad puts the words that rules look for side by side in any order: no
// rule may take for granted that another word follows.
func TestWordSalad(t *testing.T) {
	t.Parallel()
	vocab := strings.Fields("as a i the current fix must have never always only don't do not no use keep if we you your let's remember rule note that : - . ? pr 5 issue is are 必须修复错误的问题 吗？ 必须统一使用 не используй пиши 반드시 해야 Fixed: `a()` , so Line 12: file.go:12 added which from to most of these given when then because")
	seed := uint64(1)
	next := func(n int) int { seed = seed*6364136223846793005 + 1442695040888963407; return int(seed>>33) % n }
	for range 20000 {
		n := 1 + next(9)
		var b strings.Builder
		for range n {
			b.WriteString(vocab[next(len(vocab))])
			if next(6) > 0 {
				b.WriteByte(' ')
			}
		}
		s := b.String()
		w := words(s)
		var f facts
		f.set(fUser, next(2) == 0)
		all := set(next(1<<30)) | set(next(8))<<30
		refused(s, &f, all)
		told(s)
		ruling(s, w, all)
		plainly(s, w, all, f.has(fUser))
		x := candidate{text: s, facts: f, cues: all}
		sortOf(&x)
		clean(s)
		settle(s)
	}
}

func BenchmarkExtract(b *testing.B) {
	files, err := filepath.Glob("testdata/golden/*.txt")
	if err != nil || len(files) == 0 {
		b.Fatal("no conversations", err)
	}
	var turns []guest.Turn
	size := 0
	for range 50 {
		for _, f := range files {
			for _, t := range conversation(readFile(b, f)) {
				for _, m := range t.Messages {
					size += len(m.Text)
				}
				turns = append(turns, t)
			}
		}
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		c := newCollector(notes())
		for _, t := range turns {
			c.turn(t)
		}
		c.items(guest.ExtractRequest{}.Limits)
	}
}

func BenchmarkLexicon(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		newLexicon()
	}
}
