package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

// goBenchmarks runs the module's benchmarks and gives a table row for each.
func (t *tool) goBenchmarks() ([]string, error) {
	var out bytes.Buffer
	cmd := t.command(t.root, nil, "go", "test", "-run=^$", "-bench=.", "-benchmem", "-benchtime=0.5s", "-p=1", "./...")
	cmd.Stdout = io.MultiWriter(&out, progress{t.err})
	err := cmd.Run()
	if err != nil {
		err = fmt.Errorf("go test -bench: %w", err)
	}
	return benchRows(&out), err
}

// progress lets only the benchmarks' own lines through.
type progress struct{ w io.Writer }

func (p progress) Write(b []byte) (int, error) {
	if bytes.Contains(b, []byte("Benchmark")) {
		if _, err := p.w.Write(b); err != nil {
			return 0, err
		}
	}
	return len(b), nil
}

// benchRows reads what go test -bench prints.
func benchRows(r io.Reader) []string {
	var rows []string
	pkg := ""
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		line := lines.Text()
		if p, ok := strings.CutPrefix(line, "pkg: "); ok {
			pkg = strings.TrimPrefix(strings.TrimPrefix(p, module+"/"), "internal/")
			continue
		}
		words := strings.Fields(line)
		if len(words) < 4 || !strings.HasPrefix(words[0], "Benchmark") {
			continue
		}
		units := map[string]string{}
		for i := 2; i+1 < len(words); i += 2 {
			units[words[i+1]] = words[i]
		}
		if units["ns/op"] == "" {
			continue
		}
		rows = append(rows, fmt.Sprintf("| %s %s | %s | %s | %s | %s |", pkg, benchName(words[0]),
			nanoseconds(units["ns/op"]), withUnit(units["MB/s"], "MB/s"), withUnit(units["B/op"], "B"), withUnit(units["allocs/op"], "")))
	}
	return rows
}

// benchName takes off the prefix and the number of CPUs.
func benchName(s string) string {
	s = strings.TrimPrefix(s, "Benchmark")
	if i := strings.LastIndexByte(s, '-'); i > 0 {
		if _, err := strconv.Atoi(s[i+1:]); err == nil {
			s = s[:i]
		}
	}
	return s
}

func nanoseconds(s string) string {
	ns, err := strconv.ParseFloat(s, 64)
	switch {
	case err != nil:
		return s
	case ns < 1e4:
		return s + " ns"
	case ns < 1e7:
		return fmt.Sprintf("%.1f µs", ns/1e3)
	}
	return short(time.Duration(ns))
}

func withUnit(value, unit string) string {
	if value == "" {
		return "–"
	}
	return strings.TrimSpace(value + " " + unit)
}

// writeBig writes one long session: prompts, answers, and the big tool results
// that make real transcripts long.
func writeBig(path string, size int64) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	start := time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)
	result := strings.Repeat(`ok  \tpkg/of/the/project\t0.021s\n`, 6000)
	parent := "null"
	written := int64(0)
	for i := 0; written < size; i++ {
		id := func(part int) string { return fmt.Sprintf(`"00000000-0000-4000-8%03d-%012d"`, part, i) }
		at := start.Add(time.Duration(i) * time.Minute).Format(time.RFC3339)
		head := func(parent, id, kind string) string {
			return fmt.Sprintf(`{"parentUuid":%s,"isSidechain":false,"userType":"external","cwd":"/big","sessionId":"00000000-0000-4000-8000-0000000000bb","version":"2.1.71","gitBranch":"main","type":"%s","uuid":%s,"timestamp":"%s","message":`, parent, kind, id, at)
		}
		text := head(parent, id(0), "user") + fmt.Sprintf(`{"role":"user","content":"Please run the tests of part %d again, the last change touched it."}}`, i) + "\n" +
			head(id(0), id(1), "assistant") + fmt.Sprintf(`{"id":"msg_a%d","role":"assistant","content":[{"type":"tool_use","id":"toolu_%d","name":"Bash","input":{"command":"make test"}}]}}`, i, i) + "\n" +
			head(id(1), id(2), "user") + fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_%d","content":"%s"}]}}`, i, result) + "\n" +
			head(id(2), id(3), "assistant") + fmt.Sprintf(`{"id":"msg_b%d","role":"assistant","content":[{"type":"text","text":"The tests of part %d pass."}]}}`, i, i) + "\n"
		n, err := w.WriteString(text)
		if err != nil {
			return err
		}
		written += int64(n)
		parent = id(3)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}
