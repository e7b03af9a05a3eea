package plugin

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"recollect/hostapi"
)

// hundred is a library with a hundred plug-ins that ask for much, and a built-in
// one. Their packages are not there.
func hundred(t testing.TB) *Library {
	t.Helper()
	plugins := map[string]record{}
	for i := range 100 {
		m := manifest(fmt.Sprintf("org.example.p%d", i))
		m.Description = strings.Repeat("It reads what was said. ", 15)
		m.Config = json.RawMessage(`{"type":"object","properties":{"depth":{"type":"integer","default":3,"description":"How far back it looks."},"words":{"type":"array","items":{"type":"string"}}}}`)
		m.Limits = &hostapi.ManifestLimits{WallMS: 10_000}
		plugins[m.ID] = record{Approved: &version{SHA256: strings.Repeat("0", 64), Manifest: m}}
	}
	dir := t.TempDir()
	data, err := json.MarshalIndent(map[string]any{"version": stateVersion, "plugins": plugins}, "", "  ")
	must(t, err)
	write(t, filepath.Join(dir, stateName), data)
	return NewLibrary(dir, []fs.FS{builtinFS("dev.recollect.x")})
}

// BenchmarkOpenHundred opens a host over a hundred plug-ins and gets one of them,
// and the built-in one.
func BenchmarkOpenHundred(b *testing.B) {
	l := hundred(b)
	for _, id := range []string{"dev.recollect.x", "org.example.p50"} {
		b.Run(id, func(b *testing.B) {
			for b.Loop() {
				h := NewHost(NewLibrary(l.dir, l.builtins), HostOptions{CacheDir: b.TempDir()})
				_, err := h.Plugin(id)
				must(b, err)
				must(b, h.Close())
			}
		})
	}
}

// BenchmarkListHundred is what "plugin list" waits on.
func BenchmarkListHundred(b *testing.B) {
	l := hundred(b)
	for b.Loop() {
		if entries, _ := l.List(); len(entries) != 101 {
			b.Fatal(len(entries))
		}
	}
}

// BenchmarkInstall is what a person waits on from "plugin add" until a Go module
// of 3.5 MB is approved.
func BenchmarkInstall(b *testing.B) {
	m := manifest("org.example.install")
	dir := packageDir(b, m, goGuest(b, "echo"))
	for b.Loop() {
		l := NewLibrary(b.TempDir(), nil)
		h := NewHost(l, HostOptions{CacheDir: b.TempDir(), Compile: patience})
		e, err := l.Add(dir)
		must(b, err)
		must(b, h.Prepare(b.Context(), m.ID, e.SHA256, nil))
		must(b, l.Approve(m.ID, e.SHA256))
		must(b, h.Close())
	}
}
