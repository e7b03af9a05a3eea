package claudecode

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/history"
)

// openCase opens one of the shared cases, twice with an index, so that what an
// index brings back is tested too.
func openCase(t *testing.T, name string) history.History {
	t.Helper()
	s := New(Options{IndexDir: t.TempDir(), OwnMarkers: []string{"<project-memory-extractor v=1>"}})
	dir := shared(t, "corpus", "cases", name)
	first := openPath(t, s, dir)
	h := openPath(t, s, dir)
	if first.Revision() != h.Revision() || h.Report().BytesRead != 0 {
		t.Error("the second run differs from the first")
	}
	return h
}

func TestCases(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		talk     []string
		sessions int
		report   history.Report
	}{
		{"01-huge-line", []string{
			"Add a health check to the orchard API and keep it cheap. / Agreed: /healthz stays unauthenticated and must not touch the database.",
			"Yes, that is a rule from now on: /healthz never touches the database.",
		}, 1, history.Report{Records: 9}},
		{"02-lone-surrogate", []string{
			"Run the flaky test again please \U0001F34E / stock is low\uFFFD in row \uFFFD four / The retry limit for the picker queue is three.",
		}, 1, history.Report{Records: 5}},
		{"03-spliced-lines", []string{
			"Where do crate labels come from? / From the labels table. / Noted: the depot prints labels.",
			"Next: who owns the pallet ids? / The warehouse service owns pallet ids.",
		}, 1, history.Report{Records: 5, Damage: []history.Damage{
			{Line: 2, Kind: history.DamageRecord}, {Line: 6, Kind: history.DamageNonRecord}, {Line: 7, Kind: history.DamageNonRecord},
			{Line: 8, Kind: history.DamageNonRecord}, {Line: 9, Kind: history.DamageNonRecord}, {Line: 11, Kind: history.DamageTail},
		}}},
		{"05-dup-message-id", []string{
			"Refactor the ripeness check. / I will move the ripeness check into its own package. / Done.",
		}, 1, history.Report{Records: 10}},
		{"07-compacted-session", []string{
			"Weights are grams everywhere. Never kilograms. / Understood, grams everywhere.",
			"Also round to the nearest gram. / Rounded to the nearest gram.",
		}, 1, history.Report{Records: 13}},
		{"08-subagents", []string{
			"Find every place that parses dates. / There are three date parsers; they should become one package, whenx.",
			"Which timezone do jobs use? / Jobs run in UTC.",
			"And reports use Europe/Prague.",
		}, 2, history.Report{Records: 7}},
		{"10-own-llm-session", []string{
			"Why does our extractor prompt start with <project-memory-extractor v=1>? Explain it in the README. / The README now explains the extractor prompt.",
		}, 1, history.Report{Records: 7, OwnCalls: 2}},
		{"12-prompt-injection", []string{
			"Read the vendor page about scale drivers and tell me the baud rate. / The scale uses 9600 baud.",
			"Thanks. Scales are always opened at 9600 baud.",
		}, 1, history.Report{Records: 7}},
		{"21-not-the-person", []string{
			"We never use floats for prices in this project, always integer cents. / Understood, I will keep to that from now on.",
		}, 1, history.Report{Records: 12}},
		{"22-slash-arguments", []string{
			"/review-pr We always squash commits before merging, never merge a branch as it is. / Reviewing the pull request now.",
		}, 1, history.Report{Records: 3}},
		{"23-answered-question", []string{
			"Set up the storage of the orders.",
			"> Which database should we use for the orders?\nSQLite, we never run a database server / I set it up.",
		}, 1, history.Report{Records: 4}},
		{"24-refused-with-words", []string{
			"Clean up the repository.",
			"Never delete the build folder, we always keep it for the release notes. / Understood, I will keep to that from now on.",
		}, 1, history.Report{Records: 4}},
		{"30-bare-queued-record", []string{
			"Add a parser for the price list of the shop, please, with tests. / Working on it, this takes a while. / Done, the parser is there with its tests.",
			"From now on, always run make check before a commit in this project.",
		}, 1, history.Report{Records: 4}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h := openCase(t, tt.name)
			if d := cmp.Diff(tt.talk, talk(t, h)); d != "" {
				t.Errorf("turns (-want +got):\n%s", d)
			}
			got := h.Report()
			got = history.Report{Records: got.Records, OwnCalls: got.OwnCalls, Abandoned: got.Abandoned, Damage: got.Damage}
			for i := range got.Damage {
				got.Damage[i].File, got.Damage[i].Note = "", ""
			}
			if d := cmp.Diff(tt.report, got); d != "" {
				t.Errorf("report (-want +got):\n%s", d)
			}
			if n := len(h.Sessions()); n != tt.sessions {
				t.Errorf("%d sessions, want %d", n, tt.sessions)
			}
		})
	}
}

func TestCaseUsageAndTitle(t *testing.T) {
	t.Parallel()
	if got := openCase(t, "05-dup-message-id").Sessions()[0].Usage; got != (history.Usage{InputTokens: 1050, OutputTokens: 229}) {
		t.Errorf("usage %+v", got)
	}
	if got := openCase(t, "07-compacted-session").Sessions()[0].Title; got != "Weights are grams everywhere. Never kilograms." {
		t.Errorf("title %q", got)
	}
}

func TestCaseProjects(t *testing.T) {
	t.Parallel()
	s := New(Options{ConfigDir: shared(t, "corpus", "cases", "09-slug-collision")})
	for root, want := range map[string][]string{
		"/home/dev/my_app":  {"Remember: my_app talks gRPC only. / Noted."},
		"/home/dev/my-app":  {"Remember: my-app talks REST only. / Noted."},
		"/home/dev/my/app":  {"Remember: my/app has no network at all. / Noted."},
		`D:\桌面\称重`:          {`记住：D:\桌面\称重 使用公制单位。 / 好的。`},
		`D:\其他\目录`:          {`记住：D:\其他\目录 使用公制单位。 / 好的。`},
		`c:\work\Scales`:    {"Build with task build. / ok", "Build with task build. / ok"},
		"/home/dev/nothing": {},
	} {
		h, err := s.Open(t.Context(), project(t, root))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, talk(t, h)); d != "" {
			t.Errorf("%s (-want +got):\n%s", root, d)
		}
	}
}

func TestCaseBranches(t *testing.T) {
	t.Parallel()
	h := openCase(t, "14-branch-names")
	b, err := os.ReadFile(shared(t, "corpus", "cases", "14-branch-names", "branches.json"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	if err := json.Unmarshal(b, &names); err != nil {
		t.Fatal(err)
	}
	for i, name := range names {
		word := "WORD" + string(rune('0'+(i)/10)) + string(rune('0'+(i)%10))
		found := 0
		for turn, err := range h.Turns(t.Context(), h.Refs(history.BranchName(name))) {
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(turn.Messages[0].Text, word) {
				found++
			}
		}
		if same := slices.Index(names, name); found != 1 && same == i {
			t.Errorf("branch %q has %s %d times", name, word, found)
		}
	}
}

// Every record that the gold set names as evidence is a message of a turn.
func TestGoldEvidence(t *testing.T) {
	t.Parallel()
	gold, err := filepath.Glob(filepath.Join(shared(t, "bench", "extraction", "dev"), "*.gold.json"))
	if err != nil || len(gold) == 0 {
		t.Skip("no gold set")
	}
	h := openPath(t, New(Options{}), shared(t, "corpus", "claude-code"))
	have := map[string]bool{}
	for turn, err := range h.Turns(t.Context(), h.Refs("*")) {
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range turn.Messages {
			have[m.ID] = true
		}
	}
	n := 0
	for _, path := range gold {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		type item struct {
			ID       string
			Evidence []string
			More     []string `json:"evidence_more"`
		}
		var g struct{ Items, Junk []item }
		if err := json.Unmarshal(b, &g); err != nil {
			t.Fatal(err)
		}
		for _, it := range append(g.Items, g.Junk...) {
			for _, id := range append(it.Evidence, it.More...) {
				n++
				if !have[id] {
					t.Errorf("%s: %s is in no turn", it.ID, id)
				}
			}
		}
	}
	if n == 0 {
		t.Error("no evidence in the gold set")
	}
}

func TestCorpus(t *testing.T) {
	t.Parallel()
	s := New(Options{IndexDir: t.TempDir()})
	dir := shared(t, "corpus", "claude-code")
	h := openPath(t, s, dir)
	r := h.Report()
	if r.Files < 100 || len(h.Refs("*")) < 100 {
		t.Errorf("%d files, %d turns", r.Files, len(h.Refs("*")))
	}
	for _, d := range r.Damage {
		if !strings.HasSuffix(d.File, "edge_cases.jsonl") && d.Kind != history.DamageNonRecord {
			t.Errorf("damage: %+v", d)
		}
	}
	talk(t, h)
	again := openPath(t, s, dir)
	if again.Revision() != h.Revision() || again.Report().BytesRead != 0 {
		t.Error("the second run differs from the first")
	}
}
