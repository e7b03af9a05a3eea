package plugin

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"recollect/hostapi"
	"recollect/internal/history"
	"recollect/internal/memorize"
	"recollect/internal/plugin/plugintest"
)

// patience is for machines that are busy and for the race detector, with which
// compiling takes twenty times as long.
var patience = CompileLimits{CPU: 10 * time.Minute, Wall: 10 * time.Minute, Memory: 4 << 30}

// sharedKey makes what one library's host compiled good for another's.
var sharedKey = newKey()

// shared holds what the tests of one run have in common: built guests and
// compiled code.
var shared string

func TestMain(m *testing.M) {
	plugintest.CompileFast(os.Args[1:])
	if handled, code := RunChild(os.Args[1:], os.Stdin, os.Stdout); handled {
		os.Exit(code)
	}
	if code, ok := otherProgram(os.Args); ok {
		os.Exit(code)
	}
	dir, err := os.MkdirTemp("", "plugin-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	shared = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

var builds sync.Map // name to func() ([]byte, error)

// goGuest builds testdata/guests/NAME, once in a run.
func goGuest(t testing.TB, name string) []byte {
	t.Helper()
	build, _ := builds.LoadOrStore(name, sync.OnceValues(func() ([]byte, error) {
		out := filepath.Join(shared, name+".wasm")
		cmd := exec.Command("go", "build", "-buildmode=c-shared", "-o", out, "./testdata/guests/"+name)
		cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0")
		if msg, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("build %s: %w\n%s", name, err, msg)
		}
		return os.ReadFile(out)
	}))
	wasm, err := build.(func() ([]byte, error))()
	if err != nil {
		t.Fatal(err)
	}
	return wasm
}

// manifest gives a valid manifest of an extractor that may do everything.
func manifest(id string) hostapi.Manifest {
	return hostapi.Manifest{
		Manifest: 1, ID: id, Version: "1.0.0", Name: "Test", Description: "For tests.", ABI: hostapi.ABI,
		Roles: []hostapi.Role{hostapi.RoleExtractor},
		Capabilities: map[hostapi.Capability]hostapi.Grant{
			hostapi.CapHistoryRead: {Reason: "r"}, hostapi.CapStorage: {Reason: "r"},
			hostapi.CapMemoryRead: {Reason: "r"}, hostapi.CapLLMCall: {Reason: "r"},
		},
	}
}

// packageDir writes a package into a folder.
func packageDir(t testing.TB, m hostapi.Manifest, wasm []byte) string {
	t.Helper()
	dir := t.TempDir()
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, hostapi.ManifestName), data)
	if wasm != nil {
		write(t, filepath.Join(dir, hostapi.ModuleName), wasm)
	}
	return dir
}

func write(t testing.TB, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// bench is a library with a host over it, as a test needs them.
type bench struct {
	library *Library
	host    *Host
}

func newBench(t testing.TB, l Limits) bench {
	t.Helper()
	b := bench{library: NewLibrary(t.TempDir(), nil)}
	write(t, filepath.Join(b.library.dir, keyName), sharedKey)
	b.host = NewHost(b.library, HostOptions{Version: "test", CacheDir: shared, Limits: l, Compile: patience})
	t.Cleanup(func() {
		if err := b.host.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// add installs and approves a plug-in.
func (b bench) add(t testing.TB, m hostapi.Manifest, wasm []byte) *Plugin {
	t.Helper()
	e, err := b.library.Add(packageDir(t, m, wasm))
	if err != nil {
		t.Fatal(err)
	}
	if e.Pending != nil {
		if err := b.library.Approve(m.ID, e.Pending.SHA256); err != nil {
			t.Fatal(err)
		}
	}
	p, err := b.host.Plugin(m.ID)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// past is a history in memory.
type past []history.Turn

func (p past) Sessions() []history.Session {
	var list []history.Session
	for _, t := range p {
		if !slices.ContainsFunc(list, func(s history.Session) bool { return s.ID == t.Session }) {
			list = append(list, history.Session{ID: t.Session, Source: t.Source, Title: "A session", Started: t.Time})
		}
	}
	return list
}

func (p past) Traces(s history.Session) history.Traces {
	return history.Traces{Files: []string{"store/" + s.ID + ".go"}, Commit: "0123456 Keep it"}
}

func (p past) Refs(branch string) []history.Ref {
	var refs []history.Ref
	for _, t := range p {
		if branch == "*" || t.Branch == branch {
			refs = append(refs, t.Ref)
		}
	}
	return refs
}

func (p past) Turns(ctx context.Context, refs []history.Ref) iter.Seq2[history.Turn, error] {
	return func(yield func(history.Turn, error) bool) {
		for _, r := range refs {
			i := slices.IndexFunc(p, func(t history.Turn) bool { return t.ID == r.ID })
			if ctx.Err() != nil {
				yield(history.Turn{}, ctx.Err())
				return
			}
			if i < 0 || p[i].Digest == "gone" {
				if !yield(history.Turn{Ref: r}, fmt.Errorf("turn %s: %w", r.ID, history.ErrGone)) {
					return
				}
				continue
			}
			if !yield(p[i], nil) {
				return
			}
		}
	}
}

// turn makes a turn with one message of the user.
func turn(id, branch, text string) history.Turn {
	at := time.Date(2026, 3, 1, 12, 0, len(id), 0, time.UTC)
	return history.Turn{
		Ref:      history.Ref{ID: id, Session: "s-" + branch, Source: "test", Branch: branch, Time: at},
		Messages: []history.Message{{ID: "m" + id, Role: history.User, Time: at, Text: text}},
	}
}

// extraction asks for the items of a branch of p; all turns are new but the first.
func extraction(branch string, p past) memorize.Extraction {
	refs := p.Refs(branch)
	x := memorize.Extraction{Project: "test", Branch: branch, Now: time.Unix(1e9, 0).UTC(), MaxItems: 10, MaxRunes: 500, History: p, All: refs}
	if len(refs) > 0 {
		x.New = refs[1:]
	}
	return x
}

// contents gives what an extractor found, by section.
func contents(t *testing.T, e Extractor, x memorize.Extraction) map[string]string {
	t.Helper()
	items, err := founds(e.Extract(t.Context(), x))
	if err != nil {
		t.Fatal(err)
	}
	m := map[string]string{}
	for _, it := range items {
		m[it.Section] = strings.TrimSpace(m[it.Section] + "\n" + it.Content)
	}
	return m
}
