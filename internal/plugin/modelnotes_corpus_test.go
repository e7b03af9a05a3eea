package plugin

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recollect/hostapi"
	"recollect/internal/history"
	"recollect/internal/history/claudecode"
	"recollect/internal/memorize"
	"recollect/internal/memory"
	"recollect/internal/tokens"
)

// BenchmarkModelNotesCorpus is what the requests for a whole corpus come to, with
// a model that finds nothing: each transcript read as a project of its own, as
// extract does. RECOLLECT_REQUESTS names a folder that the requests are put in.
func BenchmarkModelNotesCorpus(b *testing.B) {
	p := modelNotes(b)
	must(b, p.Prepare(b.Context()))
	for _, run := range []struct {
		corpus string
		local  bool
	}{{"corpus/claude-code", false}, {"corpus/claude-code", true}, {"bench/extraction/more", false}, {"bench/extraction/more", true}} {
		b.Run(fmt.Sprintf("%s,local=%v", filepath.Base(run.corpus), run.local), func(b *testing.B) {
			dir := filepath.Join("..", "..", "..", "shared", filepath.FromSlash(run.corpus))
			if _, err := os.Stat(dir); err != nil {
				b.Skip("the shared corpus is not here: ", err)
			}
			var c corpusCost
			for b.Loop() {
				c = corpusCost{local: run.local}
				must(b, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
					if err == nil && strings.HasSuffix(path, ".jsonl") {
						c.read(b, p, path)
					}
					return err
				}))
			}
			b.ReportMetric(float64(c.sessions), "sessions")
			b.ReportMetric(float64(c.requests), "requests")
			b.ReportMetric(float64(c.tokens), "tokens")
			b.ReportMetric(float64(c.tokens)/float64(max(c.sessions, 1)), "tokens/session")
		})
	}
}

type corpusCost struct {
	local                      bool
	sessions, requests, tokens int
}

func (c *corpusCost) read(b *testing.B, p *Plugin, path string) {
	h, err := claudecode.New(claudecode.Options{}).Open(b.Context(), history.Scope{Transcripts: []string{path}})
	must(b, err)
	defer func() { must(b, h.Close()) }()
	refs := h.Refs("*")
	if len(refs) == 0 {
		return
	}
	before := c.requests
	budget := func(context.Context) (hostapi.BudgetResult, error) {
		return hostapi.BudgetResult{Calls: 50, Tokens: 1e6, Local: c.local}, nil
	}
	e := Extractor{Plugin: p, Setting: Setting{Budget: budget, Complete: func(_ context.Context, q hostapi.CompleteParams) (hostapi.CompleteResult, error) {
		c.requests++
		c.tokens += tokens.Count(q.System) + tokens.Count(q.Prompt) + tokens.Count(string(q.Schema))
		if to := os.Getenv("RECOLLECT_REQUESTS"); to != "" {
			name := fmt.Sprintf("%s.%d.txt", strings.TrimSuffix(filepath.Base(path), ".jsonl"), c.requests)
			must(b, os.WriteFile(filepath.Join(to, name), []byte(q.System+"\n-----\n\n"+q.Prompt), 0o600))
		}
		return hostapi.CompleteResult{Text: `{"items":[]}`}, nil
	}}}
	_, err = e.Extract(b.Context(), memorize.Extraction{
		Project: "corpus", Branch: "*", Now: refs[len(refs)-1].Time, History: h, New: refs, All: refs, MaxItems: 200, MaxRunes: 600,
		Sections: []memory.Section{{ID: "facts", Heading: "Facts"}, {ID: "architectural-decisions"}, {ID: "conventions"}, {ID: "bug-patterns"}},
	})
	must(b, err)
	if c.requests > before {
		c.sessions++
	}
}
