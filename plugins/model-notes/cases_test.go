package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"recollect/hostapi/guest"
)

// sharedCases gives the folder of real replies beside the repository.
func sharedCases(t *testing.T) string {
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
	cases := filepath.Join(filepath.Dir(dir), "shared", "corpus", "cases", "15-llm-replies", "replies")
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
