package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"recollect/hostapi/guest"
)

// sharedCases gives the folder of replies of the corpus's cases.
func sharedCases(t *testing.T) string {
	t.Helper()
	return shared(t, "corpus", "cases", "15-llm-replies", "replies")
}

// shared gives a folder of the data beside the repository.
func shared(t *testing.T, path ...string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			t.Skip("the module root is not found")
		}
	}
	cases := filepath.Join(append([]string{filepath.Dir(dir), "shared"}, path...)...)
	if _, err := os.Stat(cases); err != nil {
		t.Skip("the shared corpus is not here: ", err)
	}
	return cases
}

// TestSharedReplies reads the corpus's replies as its expected.md wants them. 17
// and 18 are no replies of a model, but errors of a client's; 27 is an evolve.
func TestSharedReplies(t *testing.T) {
	const (
		accepted = "facts: Orchard stores prices in cents 0.92 [r-1]\n"
		cents    = "facts: Prices are cents "
		nothing  = "-"
		failed   = ""
	)
	want := map[string]string{
		"01": accepted, "02": accepted, "03": accepted, "04": accepted, "05": accepted, "06": failed, "07": failed,
		"08": accepted, "09": accepted, "10": nothing, "11": failed, "12": cents + "0.9 [r-1]\n", "13": cents + "0.9 [r-1]\n",
		"14": failed, "15": failed, "16": failed, "19": nothing,
		"20": "facts: Facts nested /etc/passwd 0.9 [r-4]\n", "21": cents + "0.8 [r-1]\n",
		"22": accepted, "23": accepted, "24": accepted, "25": accepted, "28": failed,
	}
	dir := sharedCases(t)
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatal("no replies", err)
	}
	for _, f := range files {
		name := filepath.Base(f)
		expect, known := want[name[:2]]
		if !known {
			continue
		}
		t.Run(name, func(t *testing.T) {
			reply, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			s := &scripted{script: always(string(reply)), Fake: guest.Fake{Turns: turns(
				"Remember that Orchard stores prices in cents!", "I do.", "Prices are cents, yes.", "Facts are nested in /etc/passwd.")}}
			items, err := extracted(t, s)
			if got := contents(items); expect != failed && (err != nil || got != strings.TrimPrefix(expect, nothing)) {
				t.Errorf("got %q, %v", got, err)
			}
			asked := 1
			if expect == failed {
				if err == nil {
					t.Errorf("no error, but %v", items)
				}
				if !strings.HasPrefix(name, "16") { // asking again is of no use to who declined
					asked = tries
				}
			}
			if len(s.asked) != asked {
				t.Errorf("asked %d times, want %d", len(s.asked), asked)
			}
		})
	}
}

func TestSharedHugeReplyIsCapped(t *testing.T) {
	reply, err := os.ReadFile(filepath.Join(sharedCases(t), "26-huge.txt"))
	if err != nil {
		t.Fatal(err)
	}
	numbers := "Every fact number repeats:"
	for i := range 2000 {
		numbers += " " + strconv.Itoa(i)
	}
	s := &scripted{script: always(string(reply)), Fake: guest.Fake{Turns: turns(numbers, "I see."), Config: map[string]any{"max_turn_chars": 20000}}}
	items, err := extracted(t, s)
	if err != nil || len(items) == 0 || len(items) > maxTaken {
		t.Errorf("%d items, %v", len(items), err)
	}
}

func TestSharedEvolutionThatEmptiesTakesNothingOut(t *testing.T) {
	reply, err := os.ReadFile(filepath.Join(sharedCases(t), "27-evolution-empties.txt"))
	if err != nil {
		t.Fatal(err)
	}
	s := &scripted{script: always(string(reply))}
	r := someMemory()
	got, err := evolved(t, s, r)
	if err != nil || len(got.Items) != len(r.Memory)+len(r.Found) || len(got.Changes) != 0 {
		t.Errorf("%d items, %d changes, asked %d times, %v", len(got.Items), len(got.Changes), len(s.asked), err)
	}
}

// TestRecordedReplies reads what a strong reader answered to an earlier prompt:
// its form, with a rationale and without an importance, is still read, and nothing
// of it is left out.
func TestRecordedReplies(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(shared(t, "bench", "extraction", "strong-reader", "requests"), "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatal("no requests", err)
	}
	total := 0
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var recorded struct {
			Messages []struct{ Content string }
			Reply    string
		}
		if err := json.Unmarshal(data, &recorded); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(recorded.Messages[1].Content, " begin ===\n") {
			recordedEvolve(t, recorded.Messages[1].Content, recorded.Reply)
			continue
		}
		r := reader{sections: notes(), part: recordedPart(recorded.Messages[1].Content), minConfidence: 0.75, maxRunes: maxRunes}
		got, err := r.read(recorded.Reply)
		if err != nil || len(r.dropped) > 0 || len(got.gone) > 0 || len(r.part.said) == 0 {
			t.Errorf("%s: %d messages, %v, left out %q", filepath.Base(f), len(r.part.said), err, r.dropped)
		}
		total += len(got.notes)
	}
	if total < 80 {
		t.Errorf("only %d notes", total)
	}
}

// recordedPart reads the messages of a request.
func recordedPart(prompt string) part {
	_, talk, _ := strings.Cut(prompt, " begin ===\n")
	var p part
	for line := range strings.Lines(talk) {
		f := strings.Fields(line)
		switch {
		case len(f) == 5 && f[0] == "===" && f[4] == "===" && f[2][0] == 'm':
			p.said = append(p.said, said{handle: f[2], id: "r-" + f[2], role: f[3]})
		case len(p.said) > 0:
			p.said[len(p.said)-1].text += line
		}
	}
	return p
}

// recordedEvolve reads a reply with the whole list beside the changes: the list is
// passed over, and each change is judged.
func recordedEvolve(t *testing.T, prompt, reply string) {
	t.Helper()
	var r guest.EvolveRequest
	for line := range strings.Lines(prompt) {
		head, content, _ := strings.Cut(strings.TrimSpace(line), "): ")
		id, section, ok := strings.Cut(head, " (")
		section, _, _ = strings.Cut(section, ",")
		switch {
		case !ok:
		case id[0] == 'a':
			r.Memory = append(r.Memory, guest.MemoryItem{ID: "id-" + id, Section: section, Content: content})
		case id[0] == 'n':
			r.Found = append(r.Found, guest.Item{Section: section, Content: content})
		}
	}
	e := newEvolution(r, evolveChars)
	v, err := e.read(reply)
	if err != nil || len(e.memory) == 0 || len(e.finds) == 0 || len(v.change)+len(v.merged) == 0 {
		t.Errorf("%d notes, %d finds, %+v, %v", len(e.memory), len(e.finds), v, err)
	}
	checkNoLoss(t, r, e.answer(v))
	t.Logf("of an evolve: changed %v, merged %v, refused %q", v.change, v.merged, v.refused)
}
