package engine

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"recollect/internal/config"
)

// BenchmarkReckon reckons what a model would be asked for a corpus, all of it one
// project's history, and says how far that is from what is then asked: by a server
// that answers as modelServer does, run after run until nothing is new.
func BenchmarkReckon(b *testing.B) {
	for _, corpus := range []string{"corpus/claude-code", "bench/extraction/more"} {
		b.Run(filepath.Base(corpus), func(b *testing.B) {
			dir, err := filepath.Abs(filepath.Join("..", "..", "..", "shared", filepath.FromSlash(corpus)))
			if err != nil {
				b.Fatal(err)
			}
			if _, err := os.Stat(dir); err != nil {
				b.Skip("the shared corpus is not here: ", err)
			}
			o := sample(b)
			o.Transcripts = []string{dir}
			e := openEngine(b, o)
			// The server is on this machine, but is asked as others are.
			if _, err := e.SetSetting(b.Context(), "plugins."+config.ModelNotes, json.RawMessage(`{"max_local_chars":60000,"local_sentences":0}`), config.User); err != nil {
				b.Fatal(err)
			}
			h, err := e.openHistory(b.Context())
			if err != nil {
				b.Fatal(err)
			}
			pieces, err := e.unreadByModel(h)
			if err != nil {
				b.Fatal(err)
			}
			_, all, err := e.reckonIn(b.Context(), h, pieces, 1<<20, time.Hour)
			if err != nil {
				b.Fatal(err)
			}
			var quick Reckoned
			for b.Loop() {
				if _, quick, err = e.reckon(b.Context(), h); err != nil {
					b.Fatal(err)
				}
			}
			if err := h.Close(); err != nil {
				b.Fatal(err)
			}
			requests, in, out := askAll(b, e)
			b.ReportMetric(float64(all.Sessions), "sessions")
			b.ReportMetric(float64(requests), "requests")
			b.ReportMetric(float64(in), "tokens-in")
			b.ReportMetric(float64(out), "tokens-out")
			off := func(got, real float64) float64 { return 100 * (got/real - 1) }
			b.ReportMetric(off(float64(quick.Requests), float64(requests)), "%requests-off")
			b.ReportMetric(off(float64(quick.InputTokens), float64(in)), "%in-off")
			b.ReportMetric(off(float64(all.Requests), float64(requests)), "%requests-off-unsampled")
			b.ReportMetric(off(float64(all.InputTokens), float64(in)), "%in-off-unsampled")
			b.ReportMetric(off(float64(all.OutputTokens), float64(out)), "%out-off-unsampled")
		})
	}
}

// askAll memorizes everything with a model, and gives what that took.
func askAll(b *testing.B, e *Engine) (requests, in, out int64) {
	address, _ := modelServer(b, "m")
	if _, err := e.ChooseModel(b.Context(), ModelChoice{Way: LocalModel, Model: "m", Address: address}); err != nil {
		b.Fatal(err)
	}
	for _, of := range []string{"run", "day"} {
		for _, what := range []string{"calls", "tokens", "dollars"} {
			if _, err := e.SetSetting(b.Context(), "budget."+of+"_"+what, json.RawMessage("-1"), config.User); err != nil {
				b.Fatal(err)
			}
		}
	}
	for range 20 {
		reports, err := e.Memorize(b.Context(), MemorizeOptions{All: true})
		if err != nil {
			b.Fatal(err)
		}
		left := 0
		for _, r := range reports {
			if r.Problem != nil {
				b.Logf("%s: %s", r.Branch, r.Problem.Message)
			}
			left += r.NewTurns
		}
		if left == 0 {
			break
		}
	}
	u, err := e.Usage(b.Context(), "", "", false)
	if err != nil {
		b.Fatal(err)
	}
	return u.Total.Calls, u.Total.InputTokens, u.Total.OutputTokens
}
