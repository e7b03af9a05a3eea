package claudecode

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"recollect/internal/history"
)

// hugeEnv asks for the test of flat memory: the size of the transcript in MB.
const hugeEnv = "RECOLLECT_HUGE_MB"

// TestHuge opens a generated transcript, reads all its turns and reports the
// time and the greatest memory of the process. It makes the file on the fly.
//
//	RECOLLECT_HUGE_MB=2048 go test -run TestHuge -v ./internal/history/claudecode
func TestHuge(t *testing.T) {
	mb, err := strconv.Atoi(os.Getenv(hugeEnv))
	if err != nil {
		t.Skip(hugeEnv + " is not set")
	}
	path := filepath.Join(t.TempDir(), "huge.jsonl")
	records := writeHuge(t, path, int64(mb)<<20)
	s := New(Options{IndexDir: t.TempDir()})
	for _, what := range []string{"first", "nothing new"} {
		start := time.Now()
		h, err := s.Open(t.Context(), history.Scope{Transcripts: []string{path}})
		if err != nil {
			t.Fatal(err)
		}
		opened := time.Since(start)
		if got := h.Report().Records; got != records {
			t.Errorf("%d records of %d", got, records)
		}
		turns := 0
		for turn, err := range h.Turns(t.Context(), h.Refs("*")) {
			if err != nil {
				t.Fatal(err)
			}
			if len(turn.Messages) == 2 {
				turns++
			}
		}
		if turns != len(h.Refs("*")) || turns == 0 {
			t.Errorf("%d whole turns of %d", turns, len(h.Refs("*")))
		}
		t.Logf("%s: %d records, %d turns, opened in %v, all turns in %v, read %d MB, greatest memory %s",
			what, records, turns, opened, time.Since(start)-opened, h.Report().BytesRead>>20, highWater(t))
	}
}

func writeHuge(t *testing.T, path string, size int64) int {
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var buf bytes.Buffer
	written := int64(0)
	g := generator{turns: 1 << 30}
	for written < size || g.step != 0 {
		g.write(&buf)
		if buf.Len() > 1<<20 || written+int64(buf.Len()) >= size && g.step == 0 {
			written += int64(buf.Len())
			if _, err := buf.WriteTo(f); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return g.n
}

// highWater gives the greatest memory that the process ever had, where Linux
// tells it.
func highWater(t *testing.T) string {
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return "unknown"
	}
	for l := range strings.Lines(string(b)) {
		if v, ok := strings.CutPrefix(l, "VmHWM:"); ok {
			return strings.TrimSpace(v)
		}
	}
	t.Log("no VmHWM")
	return "unknown"
}
