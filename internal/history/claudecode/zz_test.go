package claudecode

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"time"

	"recollect/internal/history"
)

func TestZZ(t *testing.T) {
	dir := os.Getenv("ZZ")
	if dir == "" {
		t.Skip()
	}
	idx := t.TempDir()
	for range 3 {
		start := time.Now()
		h, err := New(Options{IndexDir: idx, OwnMarkers: []string{"<project-memory-extractor v=1>"}}).Open(t.Context(), history.Scope{Transcripts: []string{dir}})
		if err != nil {
			t.Fatal(err)
		}
		r := h.Report()
		fmt.Fprintln(os.Stderr, time.Since(start), len(h.Sessions()), len(h.Refs("*")), r.Files, r.Bytes, r.BytesRead, r.Records, "own", r.OwnCalls, "abandoned", r.Abandoned, h.Revision())
		for _, d := range r.Damage {
			fmt.Fprintln(os.Stderr, d)
		}
		if os.Getenv("ZZOUT") != "" {
			f, _ := os.Create(os.Getenv("ZZOUT"))
			e := json.NewEncoder(f)
			for turn, err := range h.Turns(t.Context(), h.Refs("*")) {
				if err != nil {
					t.Error(err)
				}
				e.Encode(turn)
			}
			for _, s := range h.Sessions() {
				e.Encode(s)
			}
			f.Close()
		}
		fmt.Fprintln(os.Stderr, time.Since(start))
	}
}
