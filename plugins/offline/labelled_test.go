package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"recollect/hostapi/guest"
)

const labelDir = "testdata/labelled"

// labelSections are the sections that labels name.
var labelSections = []string{"facts", "architectural-decisions", "conventions", "bug-patterns"}

type labelLine struct {
	transcript, record, digest, label, section, importance, kind string
}

// labels reads a file of labels; testdata/labelled/README.md tells its columns.
func labels(t *testing.T, name string) []labelLine {
	t.Helper()
	f, err := os.Open(filepath.Join(labelDir, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []labelLine
	for s := bufio.NewScanner(f); s.Scan(); {
		c := strings.Split(s.Text(), "\t")
		if len(c) != 7 {
			t.Fatalf("%s: %q has %d columns", name, s.Text(), len(c))
		}
		if c[0] != "transcript" {
			out = append(out, labelLine{c[0], c[1], c[2], c[3], c[4], c[5], c[6]})
		}
	}
	return out
}

func digestOf(sentence string) string {
	sum := sha256.Sum256([]byte(sentence))
	return hex.EncodeToString(sum[:6])
}

// TestLabels holds that labels and gold are well formed, and that each names a
// sentence that the reader cuts out of its transcript: where it cuts otherwise, the
// labels are of no use to anybody.
func TestLabels(t *testing.T) {
	first, second := labels(t, "labels.tsv"), labels(t, "second.tsv")
	if len(first) < 3000 || len(second)*10 < len(first) {
		t.Errorf("%d labels and %d of a second reading", len(first), len(second))
	}
	for _, l := range append(slices.Clone(first), second...) {
		judged := l.label == "keep" || l.label == "maybe"
		if !judged && l.label != "refuse" || judged != slices.Contains(labelSections, l.section) || judged != (len(l.importance) == 1 && strings.Contains("123", l.importance)) || l.label == "maybe" && l.kind == "" {
			t.Errorf("%+v", l)
		}
	}
	t.Run("gold", testGold)
	t.Run("sentences", func(t *testing.T) { testLabelledSentences(t, append(first, second...)) })
}

func testGold(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(labelDir, "gold", "*.json"))
	if err != nil || len(files) < 60 {
		t.Fatal(len(files), err)
	}
	for _, f := range files {
		var g struct {
			Items []struct {
				Section    string
				Statement  string
				Importance int
				Speaker    string
				Sentences  []string
				Evidence   []string
			}
		}
		if err := json.Unmarshal([]byte(readFile(t, f)), &g); err != nil {
			t.Fatal(f, err)
		}
		for _, i := range g.Items {
			if !slices.Contains(labelSections, i.Section) || i.Statement == "" || i.Importance < 1 || i.Importance > 3 || len(i.Sentences) == 0 || len(i.Evidence) == 0 || i.Speaker != guest.RoleUser && i.Speaker != guest.RoleAssistant {
				t.Errorf("%s: %+v", f, i)
			}
		}
	}
}

// cutSentences gives the sentences of a transcript by record and digest, as the
// extractor's reader cuts them.
func cutSentences(turns []guest.Turn) map[string]string {
	out := map[string]string{}
	for _, turn := range turns {
		for _, m := range turn.Messages {
			for _, u := range units(memo(m.Role, m.Text)) {
				for _, s := range sentences(u.text, m.Role == guest.RoleUser) {
					out[m.ID+" "+digestOf(s)] = s
				}
			}
		}
	}
	return out
}

func moreTranscript(t *testing.T, name string) []guest.Turn {
	t.Helper()
	return transcript(t, filepath.Join(sharedDir(t), "bench", "extraction", "more", filepath.FromSlash(name)))
}

func testLabelledSentences(t *testing.T, all []labelLine) {
	cut := map[string]map[string]string{}
	missing := 0
	for _, l := range all {
		if cut[l.transcript] == nil {
			cut[l.transcript] = cutSentences(moreTranscript(t, l.transcript))
		}
		if cut[l.transcript][l.record+" "+l.digest] == "" {
			missing++
		}
	}
	// The product's reader knows more of who spoke than the one of these tests.
	if missing*50 > len(all) {
		t.Errorf("%d of %d labels name no sentence", missing, len(all))
	}
	t.Logf("%d of %d labels name no sentence", missing, len(all))
}

// TestEvalOthers scores what the extractor takes from the transcripts that its weights
// are fitted to.
func TestEvalOthers(t *testing.T) {
	shared := sharedDir(t)
	files, err := filepath.Glob(filepath.Join(labelDir, "gold", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatal(len(files), err)
	}
	golds, out := t.TempDir(), t.TempDir()
	for _, f := range files {
		var g map[string]any
		if err := json.Unmarshal([]byte(readFile(t, f)), &g); err != nil {
			t.Fatal(f, err)
		}
		turns := moreTranscript(t, g["transcript"].(string))
		quote(g, cutSentences(turns))
		data, err := json.Marshal(g)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(golds, filepath.Base(f)), data, 0o600); err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(f), ".gold.json")
		writePrediction(t, filepath.Join(out, name+".pred.json"), turns)
	}
	evaluate(t, shared, golds, out, askedOthers)
}

// quote puts the words of the best sentence of each gold item to it, for the scorer.
func quote(gold map[string]any, said map[string]string) {
	items, _ := gold["items"].([]any)
	for _, x := range items {
		item, _ := x.(map[string]any)
		list, _ := item["sentences"].([]any)
		records, _ := item["evidence"].([]any)
		for _, r := range records {
			if len(list) > 0 && item["quote"] == nil {
				if s := said[r.(string)+" "+list[0].(string)]; s != "" {
					item["quote"] = s
				}
			}
		}
	}
}
