package claudecode

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recollect/internal/history"
)

// shared gives a path of the shared folder beside the repository, or skips.
func shared(tb testing.TB, path ...string) string {
	tb.Helper()
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if filepath.Dir(dir) == dir {
			tb.Skip("no module root")
		}
		dir = filepath.Dir(dir)
	}
	p := filepath.Join(append([]string{dir, "..", "shared"}, path...)...)
	if _, err := os.Stat(p); err != nil {
		tb.Skipf("no shared folder: %v", err)
	}
	return p
}

// contents reads all transcripts below a folder.
func contents(tb testing.TB, root string) (files [][]byte, size int64) {
	tb.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !isTranscript(d) {
			return err
		}
		b, err := os.ReadFile(path)
		files, size = append(files, b), size+int64(len(b))
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return files, size
}

// parse takes in a whole file from memory.
func parse(tb testing.TB, b []byte) *transcript {
	return parseAs(tb, "self", b)
}

func parseAs(tb testing.TB, self string, b []byte) *transcript {
	x := &index{transcript: newTranscript(self, nil)}
	tail, err := x.advance(tb.Context(), bytes.NewReader(b), int64(len(b)))
	if err != nil {
		tb.Fatal(err)
	}
	x.finish(tail)
	return x.transcript
}

func BenchmarkParseCorpus(b *testing.B) {
	files, size := contents(b, shared(b, "corpus", "claude-code"))
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, f := range files {
			parse(b, f)
		}
	}
}

func BenchmarkParseSynthetic(b *testing.B) {
	var f bytes.Buffer
	g := generator{turns: 2000}
	for g.write(&f) {
	}
	b.SetBytes(int64(f.Len()))
	b.ReportAllocs()
	for b.Loop() {
		parse(b, f.Bytes())
	}
}

func benchmarkOpen(b *testing.B, index func() string) {
	scope := history.Scope{Transcripts: []string{shared(b, "corpus", "claude-code")}}
	for b.Loop() {
		h, err := New(Options{IndexDir: index()}).Open(b.Context(), scope)
		if err != nil {
			b.Fatal(err)
		}
		if len(h.Refs("*")) == 0 {
			b.Fatal("no turns")
		}
	}
}

func BenchmarkOpenNothingNew(b *testing.B) {
	dir := b.TempDir()
	benchmarkOpen(b, func() string { return dir })
}

func BenchmarkOpenFirst(b *testing.B) { benchmarkOpen(b, b.TempDir) }

// generator makes a transcript of realistic records: a prompt, then tool calls
// with their results, some thinking, and words.
type generator struct {
	turns int
	n     int // records written
	turn  int
	step  int
}

const stepsPerTurn = 40

func (g *generator) write(f *bytes.Buffer) bool {
	if g.turn == g.turns {
		return false
	}
	id := func(n int) string {
		if n == 0 {
			return "null"
		}
		return fmt.Sprintf(`"%08x-aaaa-4bbb-8ccc-%012x"`, n, n)
	}
	parent := g.n
	g.n++
	head := fmt.Sprintf(`{"parentUuid":%s,"isSidechain":false,"userType":"external","cwd":"/home/dev/orchard","sessionId":"5e55","version":"2.1.1","gitBranch":"main",`, id(parent))
	foot := fmt.Sprintf(`"uuid":%s,"timestamp":"2026-%02d-%02dT%02d:%02d:%02d.%03dZ"}`+"\n", id(g.n),
		1+g.n/28/86400%12, 1+g.n/86400%28, g.n/3600%24, g.n/60%60, g.n%60, g.n%1000)
	text := strings.Repeat(`A line of code with \"quotes\" and a tab\t, as tools print them.\n`, 5+g.n*7919%50)
	switch {
	case g.step == 0:
		fmt.Fprintf(f, `%s"type":"user","message":{"role":"user","content":"Prompt %d: weights are grams everywhere, please keep it so."},%s`, head, g.turn, foot)
	case g.step == stepsPerTurn-1:
		fmt.Fprintf(f, `%s"type":"assistant","message":{"id":"msg_%d","role":"assistant","content":[{"type":"text","text":"Answer %d. %s"}],"usage":{"input_tokens":10,"output_tokens":5}},%s`, head, g.n, g.turn, text[:300], foot)
	case g.step%2 == 1:
		fmt.Fprintf(f, `%s"type":"assistant","message":{"id":"msg_%d","role":"assistant","content":[{"type":"tool_use","id":"toolu_%d","name":"Bash","input":{"command":"%s"}}],"usage":{"input_tokens":10,"output_tokens":5}},%s`, head, g.n, g.n, text[:300], foot)
	default:
		fmt.Fprintf(f, `%s"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_%d","content":"%s"}]},"toolUseResult":{"stdout":"%s","stderr":""},%s`, head, g.n-1, text, text, foot)
	}
	if g.step++; g.step == stepsPerTurn {
		g.turn, g.step = g.turn+1, 0
	}
	return true
}
