package main

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"recollect/hostapi/guest"
)

func TestShorten(t *testing.T) {
	long := strings.Repeat("слово ", 1000)
	log := strings.Repeat("2026-01-02 10:00:00 connected\n", 40)
	for _, x := range []struct {
		name  string
		texts []string // user, assistant, assistant …
		want  []string // what each message that is shown begins with
		runes int      // at most
	}{
		{"as it is", []string{"a", "`b` is used for c", "c"}, []string{"a", "`b` is used", "c"}, 20},
		{"blank ones are nothing", []string{" ", "b", "\n"}, []string{"b"}, 1},
		{"the person's and the last word have the limit each", []string{long, long}, []string{"слово", "слово"}, 8000},
		{"what is said in between has less", []string{"a", long, long}, []string{"a", "слово", "слово"}, 5001},
		{"narration goes", []string{"fix it", "Perfect! Let me look at the tests:", "Now I'll run them.", "All done!"}, []string{"fix it", "All done!"}, 20},
		{"what is found out stays", []string{"fix it", "I see the issue - Python can't import a module with a hyphen. Let me rename it:", "Done."},
			[]string{"fix it", "I see the issue - Python can't import a module with a hyphen.", "Done."}, 80},
		{"a long log is shortened", []string{"a", "The server says this:\n" + log + "so `max_conns` is the limit", "b"}, []string{"a", "The server says this:\n2026", "b"}, 400},
	} {
		t.Run(x.name, func(t *testing.T) {
			turn := guest.Turn{}
			for i, s := range x.texts {
				role := guest.RoleAssistant
				if i == 0 {
					role = guest.RoleUser
				}
				turn.Messages = append(turn.Messages, guest.Message{ID: string(rune('a' + i)), Role: role, Text: s})
			}
			k := shorten(turn, 4000)
			if len(k.said) != len(x.want) || k.runes > x.runes {
				t.Fatalf("%d runes: %q", k.runes, k.said)
			}
			for i, s := range k.said {
				if !strings.HasPrefix(s.text, x.want[i]) {
					t.Errorf("message %d is %q, want %q", i, s.text, x.want[i])
				}
			}
		})
	}
}

func TestNarration(t *testing.T) {
	for text, want := range map[string]string{
		"Let me check the config file.":                                             "",
		"Now I'll update the parser to take both forms.":                            "",
		"Excellent! All 45 tests pass.":                                             "",
		"テストを実行して結果を確認します。":                                                         "",
		"Теперь проверю:":                                                           "",
		"Let me use pnpm instead of npm, since the lockfile is pnpm's.":             "Let me use pnpm instead of npm, since the lockfile is pnpm's.",
		"The cache keys hold the tenant's id. Let me look at the reads:":            "The cache keys hold the tenant's id.",
		"- `a.go` holds the types\n- `b.go` holds the rest":                         "- `a.go` holds the types\n- `b.go` holds the rest",
		"Let me show it:\n```\nLet me be.\n```":                                     "```\nLet me be.\n```",
		"## Step 2: the exporter\n**Edit 3:**\nRows are written in batches of 500.": "Rows are written in batches of 500.",
		"Waiting for the review. Moving on to the second of the three tasks.":       "",
		"The release is complete and running.":                                      "",
		"Every export is signed by the gateway.":                                    "Every export is signed by the gateway.",
		"No retries: the upstream bills each call.":                                 "No retries: the upstream bills each call.",
		"変更はワーキングツリーにあります。":                                                         "変更はワーキングツリーにあります。",
		"- Open the file\n- Rates are read once, since they never change in a run":  "- Rates are read once, since they never change in a run",
		"The timeout has to be longer than the proxy's, e.g. 65 seconds, in nginx.": "The timeout has to be longer than the proxy's, e.g. 65 seconds, in nginx.",
	} {
		if got := unnarrated(text); got != want {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func TestSentences(t *testing.T) {
	for line, want := range map[string]string{
		"One. Two! Three? Four":                "One.|Two!|Three?|Four",
		"2. Second entry. It goes on.":         "2. Second entry.|It goes on.",
		"See e.g. the docs of v1.2. `x` is it": "See e.g. the docs of v1.2.|`x` is it",
		"一つ。二つ。":                               "一つ。|二つ。",
		"  ":                                   "",
	} {
		if got := strings.Join(sentences(line), "|"); got != want {
			t.Errorf("%q: %q", line, got)
		}
	}
}

func TestBulkIsShortened(t *testing.T) {
	code := "```go\n" + strings.Repeat("x := 1\n", 30) + "```"
	for name, x := range map[string]struct {
		text, has, not string
		lines          int
	}{
		"fenced code":   {"Before\n" + code + "\nafter", "[...24 lines left out]", "", 11},
		"a stack":       {"It fails:\nError: no such file\n" + strings.Repeat("    at Object.<anonymous> (/a/b.js:1:2)\n", 20) + "in every build", "in every build", "", 10},
		"short code":    {"```\na\nb\n```", "a\nb", "left out", 4},
		"a list":        {strings.Repeat("- an entry of a list\n", 30), "an entry", "left out", 30},
		"no end":        {"```\n" + strings.Repeat("x\n", 30), "left out", "", 7},
		"emphasis":      {"**Rule:** keep `a**b` and src/**/x.go", "Rule: keep `a**b` and src/**/x.go", "", 1},
		"code in bold":  {"1. **`c` (new)**: as is", "1. `c` (new): as is", "", 1},
		"columns":       {"| a      | b |\n|  c | d |", "| a | b |\n| c | d |", "", 2},
		"one long line": {strings.Repeat("a1b2c3", 500), "characters left out", "", 3},
	} {
		got := withoutBulk(x.text)
		if n := strings.Count(got, "\n") + 1; n != x.lines || !strings.Contains(got, x.has) || x.not != "" && strings.Contains(got, x.not) {
			t.Errorf("%s: %d lines\n%s", name, n, got)
		}
	}
}

func TestCutKeepsBothEnds(t *testing.T) {
	s := "begin " + strings.Repeat("ü", 1000) + " end"
	got := cut(s, 100)
	if !strings.HasPrefix(got, "begin ") || !strings.HasSuffix(got, " end") || !strings.Contains(got, "[...910 characters left out]") {
		t.Errorf("%q", got)
	}
	if n := utf8.RuneCountInString(got); n > 100 {
		t.Errorf("%d runes", n)
	}
}

// TestPartsLoseNothing cuts many sessions: every message is in one part, in
// order, and no part is longer than it may be.
func TestPartsLoseNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		var s session
		longest, n := 0, 0
		for range r.IntN(40) {
			var k talk
			for range 1 + r.IntN(5) {
				n++
				text := strings.Repeat("ж", 1+r.IntN(2000))
				k.said = append(k.said, said{id: string(rune(n)), text: text})
				k.runes += utf8.RuneCountInString(text)
				longest = max(longest, utf8.RuneCountInString(text))
			}
			k.messages = len(k.said)
			s.add(k, time.Time{})
		}
		limit := 2000 + r.IntN(20000)
		at, messages := 0, 0
		for i, p := range s.parts(limit) {
			sum := 0
			for _, m := range p.said {
				if at++; m.id != string(rune(at)) {
					t.Fatal("out of order")
				}
				sum += utf8.RuneCountInString(m.text)
			}
			if sum > max(limit, longest) || sum == 0 || p.number != i+1 || len(p.turns) == 0 {
				t.Fatalf("part %d has %d runes, limit %d", p.number, sum, limit)
			}
			messages += p.messages
		}
		if at != n || messages != n {
			t.Fatalf("%d messages of %d, counted %d", at, n, messages)
		}
	}
}

// TestAModelOnThisMachineGetsTheBestSentences: few, in their order, with what
// stands beside them.
func TestAModelOnThisMachineGetsTheBestSentences(t *testing.T) {
	var texts []string
	for i := range 60 {
		texts = append(texts, "Please go on with the next thing there.", strings.Repeat("The page looks nice in that colour today. ", 20))
		if i == 30 {
			texts[len(texts)-2] = "We talked. Never write to the `ledger` table directly, because the night job locks it. Thanks a lot."
		}
	}
	var s session
	for _, turn := range turns(texts...) {
		s.add(shorten(turn, 4000), time.Time{})
	}
	before := s.runes
	s.choose(120, 6000)
	var all strings.Builder
	sum := 0
	for _, k := range s.talks {
		for _, m := range k.said {
			all.WriteString(m.text + "\n")
			sum += utf8.RuneCountInString(m.text)
		}
	}
	if !strings.Contains(all.String(), "We talked. Never write to the `ledger` table directly, because the night job locks it. Thanks a lot.") {
		t.Error("the rule is not shown with what stands beside it")
	}
	if sum != s.runes || sum > 7000 || before < 30000 {
		t.Errorf("%d of %d runes, counted %d", sum, before, s.runes)
	}
	short := session{}
	short.add(shorten(turns("Use tabs.", "I will.")[0], 4000), time.Time{})
	if short.choose(120, 6000); short.talks[0].said[0].text != "Use tabs." {
		t.Errorf("a short session became %+v", short.talks)
	}
}
