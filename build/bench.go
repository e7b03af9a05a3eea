package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

func benchFlags(fs *flag.FlagSet, o *options) {
	fs.StringVar(&o.corpus, "corpus", "", "folder of Claude Code transcripts (default: ../shared/corpus/claude-code if it is there, else the sample's)")
	fs.IntVar(&o.big, "big", 0, "also read a generated transcript of this many MB, which is written to the temporary folder and deleted")
	fs.StringVar(&o.only, "only", "", "\"go\" for the Go benchmarks, \"program\" for the compiled program, \"desktop\" for the window and the service, \"plugins\" for the comparison of plug-in hosts (default: all)")
}

// figure is one measured command.
type figure struct {
	what  string
	times []time.Duration // wall clock
	cpu   []time.Duration // of all its threads: says more on a busy machine
	peak  int64           // bytes
	goal  string
}

// bench prints Markdown tables: what a person waits for, measured with the real
// program, the plug-in host against others, and the module's benchmarks.
func (t *tool) bench(o options) error {
	if !slices.Contains([]string{"", "go", "program", "desktop", "plugins"}, o.only) {
		return fmt.Errorf("-only %s: want go, program, desktop or plugins", o.only)
	}
	if err := t.cli(); err != nil {
		return err
	}
	t.say("\nMachine: %s. %s.\n", machine(), runtime.Version())
	var errs []error
	if o.only == "" || o.only == "program" {
		figures, err := t.measureProgram(o)
		errs = append(errs, err)
		t.say("| what | median | best | worst | CPU time | runs | peak memory | goal |\n| --- | --- | --- | --- | --- | --- | --- | --- |")
		for _, f := range figures {
			t.say("%s", f.row())
		}
	}
	if o.only == "desktop" || (o.only == "" && t.canShow() == nil) {
		errs = append(errs, t.desktopBench())
	}
	if o.only == "" || o.only == "plugins" {
		errs = append(errs, t.pluginBench())
	}
	if o.only == "" || o.only == "go" {
		rows, err := t.goBenchmarks()
		errs = append(errs, err)
		t.say("\n| benchmark | time | speed | memory | allocations |\n| --- | --- | --- | --- | --- |")
		for _, r := range rows {
			t.say("%s", r)
		}
	}
	return errors.Join(errs...)
}

// meter runs the program several times and notes what it took.
type meter struct {
	t       *tool
	s       sample
	figures []figure
}

// run measures one command line. before, if given, is done ahead of each run.
func (m *meter) run(what, goal string, runs int, before func() error, args ...string) error {
	f := figure{what: what, goal: goal}
	for range runs {
		if before != nil {
			if err := before(); err != nil {
				return err
			}
		}
		var said bytes.Buffer
		cmd := exec.CommandContext(m.t.ctx, m.t.program(), args...)
		cmd.Dir = m.s.project
		cmd.Env = append(os.Environ(), m.s.env()...)
		cmd.Stdout, cmd.Stderr = io.Discard, &said
		start := time.Now()
		err := cmd.Run()
		if cmd.ProcessState == nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		f.times = append(f.times, time.Since(start))
		f.cpu = append(f.cpu, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
		if err != nil {
			return fmt.Errorf("%s: %w\n%s", what, err, said.String())
		}
		f.peak = max(f.peak, peakBytes(cmd.ProcessState))
	}
	m.figures = append(m.figures, f)
	m.t.say("measured: %s", what)
	return nil
}

func (t *tool) measureProgram(o options) ([]figure, error) {
	dir, err := os.MkdirTemp("", "recollect-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	s, err := t.layOut(filepath.Join(dir, "laid-out"))
	if err != nil {
		return nil, err
	}
	corpus, err := t.corpus(o.corpus, s)
	if err != nil {
		return nil, err
	}
	m := &meter{t: t, s: s}
	memory := filepath.Join(s.project, ".recollect")
	forget := func() error { return os.RemoveAll(memory) }
	forgetAll := func() error { return errors.Join(forget(), os.RemoveAll(s.home)) }
	all := []string{"memorize", "--all", "--transcripts", corpus.path}
	err = errors.Join(
		m.run("`--version`", "15 ms", 20, nil, "--version"),
		m.run("first run ever, "+corpus.name+": plug-ins compiled, all memorized", "10 s", 3, forgetAll, all...),
		m.run("memorize --all, "+corpus.name+", plug-ins compiled, index of transcripts known", "", 3, forget, all...),
		m.run("memorize --all, "+corpus.name+", plug-ins compiled, no index", "5 s", 3, func() error {
			return errors.Join(forget(), os.RemoveAll(filepath.Join(s.home, "cache", "index")))
		}, all...),
		m.run("memorize --all again, nothing new", "150 ms", 10, nil, all...),
		m.run("show", "30 ms", 20, nil, "show", "--branch", sampleBranches[0]),
		m.run("inject, nothing to change", "", 10, nil, "inject", "--branch", sampleBranches[0]),
	)
	if o.big > 0 {
		err = errors.Join(err, m.bigTranscript(dir, o.big, forgetAll))
	}
	return m.figures, err
}

// bigTranscript measures the memory that one long transcript takes.
func (m *meter) bigTranscript(dir string, megabytes int, forgetAll func() error) error {
	path := filepath.Join(dir, "big.jsonl")
	if err := writeBig(path, int64(megabytes)<<20); err != nil {
		return err
	}
	if err := forgetAll(); err != nil {
		return err
	}
	what := fmt.Sprintf("memorize --all, one transcript of %d MB", megabytes)
	return m.run(what, "150 MB", 1, nil, "memorize", "--all", "--transcripts", path)
}

// source is a folder of transcripts.
type source struct {
	path string
	name string // for people
}

func (t *tool) corpus(given string, s sample) (source, error) {
	path, name := given, filepath.Base(given)
	if given == "" {
		path, name = filepath.Join(filepath.Dir(t.root), "shared", "corpus", "claude-code"), "Claude Code corpus"
		if !exists(path) {
			path, name = s.claude, "sample"
		}
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return source{}, err
	}
	files, bytes := 0, int64(0)
	err = filepath.WalkDir(abs, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(p) != ".jsonl" {
			return err
		}
		info, err := d.Info()
		if err == nil {
			files, bytes = files+1, bytes+info.Size()
		}
		return err
	})
	return source{abs, fmt.Sprintf("%s (%d files, %d MB)", name, files, bytes/1e6)}, err
}

func (f figure) row() string {
	times, cpu := slices.Sorted(slices.Values(f.times)), slices.Sorted(slices.Values(f.cpu))
	peak := "–"
	if f.peak > 0 {
		peak = fmt.Sprintf("%d MB", f.peak/1e6)
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %d | %s | %s |", f.what,
		short(times[len(times)/2]), short(times[0]), short(times[len(times)-1]), short(cpu[len(cpu)/2]), len(times), peak, f.goal)
}

// short rounds a duration to what a table needs.
func short(d time.Duration) string {
	switch {
	case d >= time.Second:
		return fmt.Sprintf("%.2f s", d.Seconds())
	case d >= 10*time.Millisecond:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000)
}

func machine() string {
	cpu := ""
	if data, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(data)) {
			if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
				cpu = ", " + strings.TrimSpace(value)
				break
			}
		}
	}
	return fmt.Sprintf("%s/%s, %d CPUs%s", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), cpu)
}
