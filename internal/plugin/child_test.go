package plugin

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Arguments with which the test binary is another program.
const (
	argPlain = "test:plain" // a compiler that has no meter
	argHost  = "test:host"  // a host that loads the module from standard input
)

func otherProgram(args []string) (code int, ok bool) {
	switch {
	case len(args) == 2 && args[1] == argPlain:
		return serve(os.Stdin, os.Stdout, func(ctx context.Context, _ string, wasm []byte, memory int64) error {
			m, err := compile(ctx, nil, wasm, memory)
			if err == nil {
				m.close()
			}
			return err
		}), true
	case len(args) == 4 && args[1] == argHost:
		wasm, err := io.ReadAll(os.Stdin)
		if err == nil {
			compiled := false
			h := NewHost(NewLibrary(args[2], nil), HostOptions{CacheDir: args[3], Compile: patience, Compiling: func(Compiling) { compiled = true }})
			_, err = h.load(context.Background(), code3(wasm))
			err = errors.Join(err, h.Close())
			fmt.Println("compiled", compiled)
		}
		if err != nil {
			fmt.Println(err)
			return 1, true
		}
		return 0, true
	}
	return 0, false
}

// code3 is the module of somebody else.
func code3(wasm []byte) code {
	return code{plugin: "org.example.code", wasm: wasm, memory: DefaultLimits.Memory}
}

func newHost(t testing.TB, o HostOptions) *Host {
	t.Helper()
	if o.CacheDir == "" {
		o.CacheDir = t.TempDir()
	}
	if o.Compile == (CompileLimits{}) {
		o.Compile = patience
	}
	h := NewHost(NewLibrary(t.TempDir(), nil), o)
	t.Cleanup(func() { must(t, h.Close()) })
	return h
}

// nothingLeft checks that a failed compilation left neither files nor processes.
func nothingLeft(t *testing.T, cache string) {
	t.Helper()
	err := filepath.WalkDir(cache, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (strings.HasSuffix(path, unmade) || len(d.Name()) == 64) {
			t.Errorf("left behind: %s", path)
		}
		return err
	})
	must(t, err)
	if pids := childrenOf(t, os.Getpid()); len(pids) > 0 {
		t.Errorf("processes left behind: %v", pids)
	}
}

// childrenOf gives the processes that a process started and that are compilers;
// none where there is no /proc.
func childrenOf(t *testing.T, parent int) (pids []int) {
	t.Helper()
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range stats {
		data, _ := os.ReadFile(name)
		_, rest, _ := strings.Cut(string(data), ") ")
		args, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "cmdline"))
		fields := strings.Fields(rest)
		if len(fields) > 1 && fields[1] == strconv.Itoa(parent) && (bytes.Contains(args, []byte(childArg)) || bytes.Contains(args, []byte(argPlain))) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
			pids = append(pids, pid)
		}
	}
	return pids
}

// waitForChild waits until a process has a compiler.
func waitForChild(t *testing.T, parent int) int {
	t.Helper()
	for range 2000 {
		if pids := childrenOf(t, parent); len(pids) > 0 {
			return pids[0]
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal("no compiler was started")
	return 0
}

func TestChildIsLimited(t *testing.T) {
	wasm := goGuest(t, "echo")
	for _, tt := range []struct {
		name   string
		limits CompileLimits
		want   string
	}{
		{"CPU time", CompileLimits{CPU: time.Second, Wall: 10 * time.Minute}, "longer to compile than the 1s it may"},
		{"wall time", CompileLimits{Wall: 300 * time.Millisecond}, "longer to compile"},
		{"memory", CompileLimits{Memory: 40 << 20}, "more memory to compile than the 40 MB it may"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := HostOptions{CacheDir: t.TempDir(), Compile: tt.limits}
			h := newHost(t, o)
			_, err := h.load(t.Context(), code3(wasm))
			if !IsKind(err, KindLimit) || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), "plug-in org.example.code: ") {
				t.Errorf("error = %v", err)
			}
			nothingLeft(t, o.CacheDir)
		})
	}
}

func TestChildIsStoppedByTheCaller(t *testing.T) {
	o := HostOptions{CacheDir: t.TempDir()}
	ctx, cancel := context.WithCancel(t.Context())
	calls, done := 0, 0
	o.Compiling = func(c Compiling) {
		if calls++; calls == 2 {
			cancel()
		}
		if c.Done {
			done++
		}
	}
	h := newHost(t, o)
	_, err := h.load(ctx, code3(goGuest(t, "echo")))
	if !IsKind(err, KindCancelled) || !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v", err)
	}
	if calls < 2 || done != 1 {
		t.Errorf("told %d times, %d of them as the last", calls, done)
	}
	nothingLeft(t, o.CacheDir)
}

func TestChildIsKilled(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("finds its child in /proc")
	}
	o := HostOptions{CacheDir: t.TempDir()}
	h := newHost(t, o)
	failed := make(chan error)
	wasm := goGuest(t, "echo")
	go func() {
		_, err := h.load(context.Background(), code3(wasm))
		failed <- err
	}()
	pid := waitForChild(t, os.Getpid())
	env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	if err != nil || len(env) > 0 {
		t.Errorf("its environment is %q, %v", env, err)
	}
	time.Sleep(100 * time.Millisecond)
	p, err := os.FindProcess(pid)
	must(t, err)
	must(t, p.Kill())
	if err := <-failed; !IsKind(err, KindInvalid) || !strings.Contains(err.Error(), "without an answer") {
		t.Errorf("error = %v", err)
	}
	nothingLeft(t, o.CacheDir)
	if _, err := h.load(t.Context(), code3(wasm)); err != nil {
		t.Errorf("after that: %v", err)
	}
}

// hostProcess runs a host of its own on a library and a cache.
func hostProcess(t *testing.T, library, cache string, wasm []byte, out io.Writer) *exec.Cmd {
	t.Helper()
	c := exec.Command(os.Args[0], argHost, library, cache)
	c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(wasm), out, out
	must(t, c.Start())
	return c
}

func TestChildEndsWithItsParent(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("finds processes in /proc")
	}
	library, cache, wasm := t.TempDir(), t.TempDir(), goGuest(t, "echo")
	for i := range 3 {
		parent := hostProcess(t, library, cache, wasm, io.Discard)
		pid := waitForChild(t, parent.Process.Pid)
		time.Sleep(time.Duration(i) * 100 * time.Millisecond)
		must(t, parent.Process.Kill())
		_ = parent.Wait()
		began := time.Now()
		for {
			if args, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)); err != nil || len(args) == 0 {
				break // gone, or waits to be reaped
			}
			if time.Since(began) > 5*time.Second {
				t.Fatal("the child outlives its parent")
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
	h := NewHost(NewLibrary(library, nil), HostOptions{CacheDir: cache, Compile: patience})
	defer h.Close()
	if _, err := h.load(t.Context(), code3(wasm)); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(cache, "*", "*"+unmade))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// Where there is no PDEATHSIG the end of the pipe must do.
func TestChildEndsWithItsPipe(t *testing.T) {
	c := exec.Command(os.Args[0], childArg)
	in, err := c.StdinPipe()
	must(t, err)
	must(t, c.Start())
	dir := filepath.Join(t.TempDir(), "x"+unmade)
	must(t, os.Mkdir(dir, 0o700))
	wasm := goGuest(t, "echo")
	_, err = fmt.Fprintf(in, `{"version":%q,"dir":%q,"memory":67108864,"bytes":%d,"limits":{"CPU":60000000000,"Wall":60000000000,"Memory":1000000000}}`+"\n", childVersion(), dir, len(wasm))
	must(t, err)
	_, err = in.Write(wasm)
	must(t, err)
	time.Sleep(100 * time.Millisecond)
	must(t, in.Close())
	_ = c.Wait()
	if code := c.ProcessState.ExitCode(); code != exitOrphan {
		t.Errorf("exit code %d, want %d", code, exitOrphan)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("its folder is left: %v", err)
	}
}

func TestTwoProcessesCompileOnce(t *testing.T) {
	library, cache, wasm := t.TempDir(), t.TempDir(), goGuest(t, "echo")
	var outs [3]bytes.Buffer
	var all [3]*exec.Cmd
	for i := range all {
		all[i] = hostProcess(t, library, cache, wasm, &outs[i])
	}
	compiled := 0
	for i, c := range all {
		if err := c.Wait(); err != nil {
			t.Errorf("%v: %s", err, outs[i].String())
		}
		if strings.Contains(outs[i].String(), "compiled true") {
			compiled++
		}
	}
	if compiled != 1 {
		t.Errorf("%d processes compiled the module", compiled)
	}
}

func TestRefusalsOfTheChildAreSentences(t *testing.T) {
	h := newHost(t, HostOptions{})
	for _, wasm := range [][]byte{nil, []byte("#!/bin/sh"), tiny{extract: []byte{0x6a}}.build(), tiny{imports: [][]byte{function("env", "abort", tVoid)}}.build()} {
		_, err := h.load(t.Context(), code3(wasm))
		if err == nil || !strings.HasPrefix(err.Error(), "its module ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("error = %v", err)
		}
	}
}

func TestProgramWithoutTheHook(t *testing.T) {
	served.Store(false)
	defer served.Store(true)
	_, err := newHost(t, HostOptions{}).load(t.Context(), code3(tiny{}.build()))
	if err == nil || !strings.Contains(err.Error(), "plugin.RunChild") {
		t.Errorf("error = %v", err)
	}
}

func TestChildOfAnotherVersion(t *testing.T) {
	err := inChild(t.Context(), childArg, order{Version: "other", Dir: t.TempDir(), Limits: CompileLimits{}.of(0)}, nil)
	if err == nil || !strings.Contains(err.Error(), "replaced while it ran") {
		t.Errorf("error = %v", err)
	}
}
