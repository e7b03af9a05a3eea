package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// setApart are the projects on which nothing was chosen.
var setApart = []string{"repiq", "wfc", "imessage-mail"}

// TestRequestsHoldWhatReadersKeep says how much of what carries the gold is left in
// the requests to a model, which the benchmark ModelNotesCorpus of internal/plugin
// puts into the folder that RECOLLECT_REQUESTS names.
func TestRequestsHoldWhatReadersKeep(t *testing.T) {
	dir := os.Getenv("RECOLLECT_REQUESTS")
	if dir == "" {
		t.Skip("RECOLLECT_REQUESTS names no folder of requests")
	}
	shown := requestsBySession(t, dir)
	files, err := filepath.Glob(filepath.Join(labelDir, "gold", "*.json"))
	if err != nil || len(files) == 0 || len(shown) == 0 {
		t.Fatal(len(files), len(shown), err)
	}
	type share struct{ items, whole, carried, sentences, there int }
	shares := map[bool]*share{false: {}, true: {}}
	for _, f := range files {
		var g struct {
			Transcript string
			Items      []struct{ Sentences, Evidence []string }
		}
		if err := json.Unmarshal([]byte(readFile(t, f)), &g); err != nil {
			t.Fatal(f, err)
		}
		project, name, _ := strings.Cut(strings.TrimSuffix(g.Transcript, ".jsonl"), "/")
		n := shares[slices.Contains(setApart, project)]
		cut := cutSentences(moreTranscript(t, g.Transcript))
		for _, i := range g.Items {
			found := 0
			for _, digest := range i.Sentences {
				for _, record := range i.Evidence {
					if s := cut[record+" "+digest]; s != "" && strings.Contains(shown[name], lettersOf(s)) {
						found++
						break
					}
				}
			}
			n.items, n.sentences, n.there = n.items+1, n.sentences+len(i.Sentences), n.there+found
			n.carried += min(found, 1)
			if found == len(i.Sentences) {
				n.whole++
			}
		}
	}
	for apart, n := range shares {
		carried := float64(n.carried) / float64(n.items)
		t.Logf("projects set apart: %v; of %d items %.3f have a sentence that carries them in the requests, %.3f all; of %d sentences %.3f are there",
			apart, n.items, carried, float64(n.whole)/float64(n.items), n.sentences, float64(n.there)/float64(n.sentences))
		if carried < 0.97 {
			t.Errorf("only %.3f", carried)
		}
	}
}

// requestsBySession gives the letters of what the requests of a session show.
func requestsBySession(t *testing.T, dir string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	heading := regexp.MustCompile(`(?m)^=== \d{9} m\d+ .*$`)
	out := map[string]string{}
	for _, f := range files {
		_, talk, _ := strings.Cut(readFile(t, f), " begin ===\n")
		session, _, _ := strings.Cut(filepath.Base(f), ".")
		out[session] += lettersOf(heading.ReplaceAllString(talk, ""))
	}
	return out
}

// lettersOf leaves of a text what no emphasis and no line break changes.
func lettersOf(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// TestGoldHasItsWords puts the words to the gold, which names them by digest, and
// writes it so into the folder that RECOLLECT_GOLD names, for "go run ./build eval
// -model". Without them a scorer knows only the reader's own words.
func TestGoldHasItsWords(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(labelDir, "gold", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatal(len(files), err)
	}
	items, quoted := 0, 0
	for _, f := range files {
		var g map[string]any
		if err := json.Unmarshal([]byte(readFile(t, f)), &g); err != nil {
			t.Fatal(f, err)
		}
		quote(g, cutSentences(moreTranscript(t, g["transcript"].(string))))
		list, _ := g["items"].([]any)
		for _, x := range list {
			items++
			if x.(map[string]any)["quote"] != nil {
				quoted++
			}
		}
		data, err := json.Marshal(g)
		if err != nil {
			t.Fatal(err)
		}
		if dir := os.Getenv("RECOLLECT_GOLD"); dir != "" {
			if err := os.WriteFile(filepath.Join(dir, filepath.Base(f)), data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if quoted*100 < items*95 {
		t.Errorf("%d of %d items have no words", items-quoted, items)
	}
}
