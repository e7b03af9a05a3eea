package main

import (
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"recollect/hostapi"
	"recollect/hostapi/guest"
)

var update = flag.Bool("update", false, "write what is found into the golden files")

const wanted = "=== wanted\n"

// TestGolden reads small conversations and compares what is taken from them:
// "section: content", a line each, below the conversation.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/golden/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no golden files", err)
	}
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			talk, want, _ := strings.Cut(strings.ReplaceAll(string(data), "\r\n", "\n"), wanted)
			var got strings.Builder
			for _, i := range found(t, conversation(talk)) {
				got.WriteString(i.Section + ": " + i.Content + "\n")
			}
			if *update {
				if err := os.WriteFile(f, []byte(talk+wanted+got.String()), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got.String() != want {
				t.Errorf("got\n%swant\n%s", got.String(), want)
			}
		})
	}
}

func readFile(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// conversation reads lines "U: …" and "A: …"; other lines go on.
func conversation(s string) []guest.Turn {
	var turns []guest.Turn
	var m *guest.Message
	n := 0
	for line := range strings.Lines(s) {
		text, isUser := strings.CutPrefix(line, "U: ")
		answer, isAssistant := strings.CutPrefix(line, "A: ")
		switch {
		case isUser:
			turns = append(turns, guest.Turn{ID: "t" + strconv.Itoa(n), Session: "s", Messages: []guest.Message{{Role: guest.RoleUser, Text: text}}})
		case isAssistant:
			if len(turns) == 0 {
				turns = append(turns, guest.Turn{ID: "t0", Session: "s"})
			}
			last := &turns[len(turns)-1]
			last.Messages = append(last.Messages, guest.Message{Role: guest.RoleAssistant, Text: answer})
		default:
			if m != nil {
				m.Text += line
			}
			continue
		}
		last := &turns[len(turns)-1]
		m = &last.Messages[len(last.Messages)-1]
		m.ID = "m" + strconv.Itoa(n)
		n++
	}
	return turns
}

// checkItems says what every result must keep to.
func checkItems(t *testing.T, items []guest.Item) {
	t.Helper()
	for _, i := range items {
		switch {
		case !utf8.ValidString(i.Content), strings.ContainsAny(i.Content, "\n\r\x00"):
			t.Fatalf("not one line of text: %q", i.Content)
		case utf8.RuneCountInString(i.Content) > maxAsked+1:
			t.Fatalf("too long: %q", i.Content)
		case i.Confidence < 0 || i.Confidence > 1:
			t.Fatalf("confidence %v", i.Confidence)
		case len(i.Evidence) == 0:
			t.Fatalf("no evidence for %q", i.Content)
		}
	}
}

func TestUserRulesAreSurest(t *testing.T) {
	items := found(t, conversation("U: Never call the billing API from a handler.\nA: Noted. Invoices are stored in Postgres and rendered by the `pdf` worker.\n"))
	if len(items) != 2 {
		t.Fatalf("got %+v", items)
	}
	if items[1].Confidence >= items[0].Confidence {
		t.Errorf("the rule has %v, the other %v", items[0].Confidence, items[1].Confidence)
	}
	if items[0].Evidence[0] != "m0" || items[1].Evidence[0] != "m1" {
		t.Errorf("evidence %v, %v", items[0].Evidence, items[1].Evidence)
	}
}

func TestRepetitionIsEvidence(t *testing.T) {
	items := found(t, conversation("U: We always deploy from the release branch.\nA: ok, sure thing\nU: remember, we always deploy from the release branch!\nA: ok, sure thing\n"))
	if len(items) != 1 || len(items[0].Evidence) != 2 {
		t.Fatalf("got %+v", items)
	}
}

func TestOtherSchemas(t *testing.T) {
	turns := conversation("U: Never call the billing API from a handler.\nA: Right. The root cause of the hang was that `flush` failed because the lock was taken twice.\n")
	defer guest.SetHost(&guest.Fake{Turns: turns})()
	for _, x := range []struct {
		sections []guest.Section
		want     string
	}{
		{nil, ""},
		{[]guest.Section{{ID: "all"}}, "all all"},
		{[]guest.Section{{ID: "a", Heading: "Team Rules"}, {ID: "b", Guidance: "Pitfalls and gotchas"}}, "a b"},
	} {
		r, err := extract(guest.ExtractRequest{Sections: x.sections, AllTurns: 1})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, i := range r.Items {
			got = append(got, i.Section)
		}
		if strings.Join(got, " ") != x.want {
			t.Errorf("sections %v, want %q", got, x.want)
		}
	}
}

func TestLimitsOfTheRequest(t *testing.T) {
	turns := conversation("U: Never call the billing API from a handler. Always log the tenant. We prefer tabs over spaces in templates.\nA: ok, sure\n")
	defer guest.SetHost(&guest.Fake{Turns: turns})()
	r, err := extract(guest.ExtractRequest{Sections: notes(), AllTurns: 1, Limits: hostapi.Limits{MaxItems: 2, MaxItemRunes: 30}})
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range r.Items {
		if utf8.RuneCountInString(i.Content) > 30 {
			t.Errorf("longer than the request allows: %q", i.Content)
		}
	}
	if len(r.Items) > 2 {
		t.Errorf("more items than the request allows: %+v", r.Items)
	}
}

func TestOnlyWhatIsNew(t *testing.T) {
	turns := conversation("U: Never call the billing API from a handler.\nA: ok, sure\nU: Always log the tenant id in handlers.\nA: ok, sure\n")
	turns[1].New = true
	defer guest.SetHost(&guest.Fake{Turns: turns})()
	for news, want := range []int{2, 1} {
		r, err := extract(guest.ExtractRequest{Sections: notes(), AllTurns: 2, NewTurns: news})
		if err != nil || len(r.Items) != want {
			t.Errorf("%d new turns give %+v, %v", news, r.Items, err)
		}
	}
}

func TestDeniedHistoryIsAnError(t *testing.T) {
	defer guest.SetHost(&guest.Fake{Denied: []string{hostapi.MethodHistoryTurns}})()
	if _, err := guest.Invoke(rcExtract, guest.ExtractRequest{Sections: notes()}); !guest.IsCode(err, hostapi.CodeDenied) {
		t.Errorf("got %v", err)
	}
}

func TestCutTurnsAreReadWhole(t *testing.T) {
	whole := guest.Turn{ID: "t0", Session: "s", Messages: []guest.Message{{ID: "m0", Role: guest.RoleUser, Text: "Never call the billing API from a handler."}}}
	cut := whole
	cut.Messages = []guest.Message{{ID: "m0", Role: guest.RoleUser, Text: "Never call"}}
	cut.Cut = true
	defer guest.SetHost(cutHost{guest.Fake{Turns: []guest.Turn{whole}}, cut})()
	r, err := extract(guest.ExtractRequest{Sections: notes(), AllTurns: 1})
	if err != nil || len(r.Items) != 1 {
		t.Errorf("got %+v, %v", r, err)
	}
}

// cutHost shortens the turn in pages.
type cutHost struct {
	guest.Fake
	cut guest.Turn
}

func (h cutHost) Log(int32, string) {}

func (h cutHost) Answer(r hostapi.Request) hostapi.Answer {
	if r.Method == hostapi.MethodHistoryTurns {
		f := guest.Fake{Turns: []guest.Turn{h.cut}}
		return f.Answer(r)
	}
	return h.Fake.Answer(r)
}

// TestMemoryStaysFlat reads more sessions and sentences than are kept.
func TestMemoryStaysFlat(t *testing.T) {
	c := newCollector(notes())
	var talk strings.Builder
	for i := range 60 {
		talk.WriteString("We always write the log of part ")
		talk.WriteString(strconv.Itoa(i * i))
		talk.WriteString(" into folder number ")
		talk.WriteString(strconv.Itoa(i))
		talk.WriteString(", because tool x" + strconv.Itoa(i*7) + " reads it.\n\n")
	}
	for i := range 3000 {
		c.turn(guest.Turn{Session: "s" + strconv.Itoa(i%1500), Messages: []guest.Message{{ID: "m" + strconv.Itoa(i), Role: guest.RoleUser, Text: talk.String()}}})
		if c.held > maxCandidates {
			t.Fatalf("%d candidates are held", c.held)
		}
	}
	total := len(c.done)
	for _, p := range c.parts {
		total += len(p.found)
	}
	if total > maxCandidates+maxDone || len(c.parts) > maxSessions || len(c.done) > maxDone {
		t.Errorf("%d candidates of %d sessions", total, len(c.parts))
	}
	newest := false
	for _, i := range c.items(hostapi.Limits{}) {
		newest = newest || i.Evidence[0] == "m2999"
	}
	if !newest {
		t.Error("nothing of the newest session is kept")
	}
}

// A history too long for one call is read to its end all the same.
func TestLongHistoryIsSkimmed(t *testing.T) {
	c := newCollector(notes())
	c.bytes = fullText + 1
	c.turn(guest.Turn{Session: "s", Messages: []guest.Message{
		{ID: "u", Role: guest.RoleUser, Text: "Never call the billing API from a handler."},
		{ID: "a", Role: guest.RoleAssistant, Text: "The root cause of the hang is that `flush` takes the lock twice."},
		{ID: "b", Role: guest.RoleAssistant, Text: "Sessions are stored in Redis under `sess:<id>` because Postgres was too slow.\n" + strings.Repeat("x ", skimmed)},
	}})
	var from []string
	for _, i := range c.items(hostapi.Limits{}) {
		from = append(from, i.Evidence...)
	}
	if strings.Join(from, " ") != "u b" {
		t.Errorf("items come from %v, want u and b", from)
	}
	if c.bytes > fullText+1+2*skimmed {
		t.Errorf("%d bytes were read", c.bytes-fullText-1)
	}
}
