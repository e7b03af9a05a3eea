package plugin

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"
)

// sealed is a cache with the entries of two modules that ship with the program.
type sealed struct {
	library *Library
	dir     string // of the cache
	cache   *codeCache
	codes   [2]code
	names   [2]string
}

func newSealed(t testing.TB) sealed {
	t.Helper()
	s := sealed{library: NewLibrary(t.TempDir(), nil), dir: t.TempDir()}
	h := NewHost(s.library, HostOptions{CacheDir: s.dir})
	cache, err := h.codeCache()
	must(t, err)
	for i, answer := range []string{`{"result":{"items":[{"content":"one"}]}}`, `{"result":null}`} {
		s.codes[i] = code{plugin: "org.example.sealed", wasm: answering(answer), memory: DefaultLimits.Memory, trusted: true}
		s.names[i] = cache.name(s.codes[i].wasm, s.codes[i].memory)
		_, err := h.load(t.Context(), s.codes[i])
		must(t, err)
	}
	must(t, h.Close())
	s.cache = cache
	return s
}

func (s sealed) entry(i int) string { return filepath.Join(s.cache.dir, s.names[i]) }

// file gives the path of the file of an entry whose name has this form.
func (s sealed) file(t testing.TB, i int, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(s.entry(i), pattern))
	must(t, err)
	if len(found) != 1 {
		t.Fatalf("%s: %v", pattern, found)
	}
	return found[0]
}

var entryFiles = []string{meteredName, sealName, "wazero-*/*"}

// check wants the first entry to load as err says, and to be made anew.
func (s sealed) check(t *testing.T, what string, want error) {
	t.Helper()
	m, err := s.cache.load(t.Context(), s.names[0], s.codes[0].memory)
	if !errors.Is(err, want) || want == nil && err != nil {
		t.Errorf("%s: error = %v, want %v", what, err, want)
	}
	if m != nil {
		m.close()
	}
	compiled := false
	h := NewHost(s.library, HostOptions{CacheDir: s.dir, Compiling: func(Compiling) { compiled = true }})
	defer h.Close()
	if _, err := h.load(t.Context(), s.codes[0]); err != nil {
		t.Errorf("%s: after that: %v", what, err)
	}
	if compiled != (want != nil) {
		t.Errorf("%s: compiled is %v", what, compiled)
	}
	if _, err := s.cache.load(t.Context(), s.names[0], s.codes[0].memory); err != nil {
		t.Errorf("%s: is not mended: %v", what, err)
	}
}

func TestCacheIsUsed(t *testing.T) { newSealed(t).check(t, "nothing was done", nil) }

// Every bit counts: positions all over each file are flipped.
func TestCacheWithFlippedBits(t *testing.T) {
	s := newSealed(t)
	for _, pattern := range entryFiles {
		name := s.file(t, 0, pattern)
		data, err := os.ReadFile(name)
		must(t, err)
		step := max(len(data)/150, 1)
		for at := 0; at < len(data); at += step {
			changed := slices.Clone(data)
			changed[at] ^= 1 << (at % 8)
			write(t, name, changed)
			if _, err := s.cache.load(t.Context(), s.names[0], s.codes[0].memory); !errors.Is(err, errDamaged) {
				t.Fatalf("%s, byte %d: error = %v", pattern, at, err)
			}
		}
		s.check(t, pattern+" flipped", errDamaged)
	}
}

func TestCacheThatIsCut(t *testing.T) {
	s := newSealed(t)
	for _, pattern := range entryFiles {
		name := s.file(t, 0, pattern)
		data, err := os.ReadFile(name)
		must(t, err)
		for _, n := range []int{0, 1, len(data) / 3, len(data) - 1} {
			write(t, name, data[:n])
			if _, err := s.cache.load(t.Context(), s.names[0], s.codes[0].memory); !errors.Is(err, errDamaged) {
				t.Errorf("%s cut to %d: error = %v", pattern, n, err)
			}
		}
		write(t, name, append(slices.Clone(data), 0))
		s.check(t, pattern+" lengthened", errDamaged)
	}
}

func TestCacheThatWasTamperedWith(t *testing.T) {
	s := newSealed(t)
	rename := func(from, to string) { must(t, os.Rename(from, to)) }
	attacks := []struct {
		what string
		do   func()
	}{
		{"swapped entries", func() {
			rename(s.entry(0), s.entry(0)+".x")
			rename(s.entry(1), s.entry(0))
			rename(s.entry(0)+".x", s.entry(1))
		}},
		{"code of another entry", func() {
			h := NewHost(s.library, HostOptions{CacheDir: s.dir})
			_, err := h.load(t.Context(), s.codes[1])
			must(t, errors.Join(err, h.Close()))
			data, err := os.ReadFile(s.file(t, 1, "wazero-*/*"))
			must(t, err)
			write(t, s.file(t, 0, "wazero-*/*"), data)
		}},
		{"code under another name", func() {
			name := s.file(t, 0, "wazero-*/*")
			rename(name, filepath.Join(filepath.Dir(name), s.names[1]))
		}},
		{"one more file of code", func() { write(t, filepath.Join(filepath.Dir(s.file(t, 0, "wazero-*/*")), s.names[1]), []byte("x")) }},
		{"one more file", func() { write(t, filepath.Join(s.entry(0), "x"), nil) }},
		{"no code", func() { must(t, os.Remove(s.file(t, 0, "wazero-*/*"))) }},
		{"no seal", func() { must(t, os.Remove(s.file(t, 0, sealName))) }},
		{"no module", func() { must(t, os.Remove(s.file(t, 0, meteredName))) }},
		{"another key", func() { write(t, filepath.Join(s.library.dir, keyName), newKey()) }},
		{"a file in its place", func() {
			must(t, os.RemoveAll(s.entry(0)))
			write(t, s.entry(0), []byte("x"))
		}},
	}
	if runtime.GOOS != "windows" {
		attacks = append(attacks, []struct {
			what string
			do   func()
		}{
			{"code through a link", func() {
				name := s.file(t, 0, "wazero-*/*")
				rename(name, filepath.Join(s.dir, "code"))
				must(t, os.Symlink(filepath.Join(s.dir, "code"), name))
			}},
			{"an entry through a link", func() {
				rename(s.entry(0), filepath.Join(s.dir, "entry"))
				must(t, os.Symlink(filepath.Join(s.dir, "entry"), s.entry(0)))
			}},
		}...)
	}
	if os.Geteuid() == 0 {
		attacks = append(attacks, struct {
			what string
			do   func()
		}{"another's code", func() { must(t, os.Chown(s.file(t, 0, "wazero-*/*"), 12345, 12345)) }})
	}
	for _, a := range attacks {
		a.do()
		if a.what == "another key" {
			var err error
			s.cache.key, err = sealingKey(s.library.dir)
			must(t, err)
		}
		s.check(t, a.what, errDamaged)
	}
}

// What was made under another key, version or memory limit is not used.
func TestCacheIsBoundToItsMakers(t *testing.T) {
	s := newSealed(t)
	if s.cache.name(s.codes[0].wasm, 64<<20) == s.cache.name(s.codes[0].wasm, 128<<20) {
		t.Error("the memory limit is not in the name")
	}
	other, err := openCodeCache(s.dir, s.library.dir, "2.0.0")
	must(t, err)
	if other.dir == s.cache.dir {
		t.Error("the version is not in the name of the folder")
	}
	must(t, os.CopyFS(filepath.Join(other.dir, s.names[0]), os.DirFS(s.entry(0))))
	if _, err := other.load(t.Context(), s.names[0], s.codes[0].memory); !errors.Is(err, errDamaged) {
		t.Errorf("another version: %v", err)
	}
	if _, err := other.load(t.Context(), s.names[1], s.codes[1].memory); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no entry: %v", err)
	}
}

func TestCacheIsPrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes mean nothing")
	}
	s := newSealed(t)
	for name, want := range map[string]fs.FileMode{
		s.cache.dir: 0o700, s.entry(0): 0o700, filepath.Join(s.library.dir, keyName): 0o600,
		s.file(t, 0, sealName): 0o600, s.file(t, 0, meteredName): 0o600, s.file(t, 0, "wazero-*/*"): 0o600,
	} {
		info, err := os.Stat(name)
		must(t, err)
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %v", name, info.Mode())
		}
	}
	must(t, os.Chmod(s.cache.dir, 0o777))
	_, err := openCodeCache(s.dir, s.library.dir, "")
	must(t, err)
	if info, err := os.Stat(s.cache.dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("opened to others: %v, %v", info.Mode(), err)
	}
}

// Where there is no place for a cache, plug-ins work all the same.
func TestNoCache(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, nil)
	for _, dir := range []string{"", file} {
		h := NewHost(NewLibrary(t.TempDir(), nil), HostOptions{CacheDir: dir})
		cache, err := h.codeCache()
		must(t, err)
		if _, err := h.load(t.Context(), code3(answering(`{}`))); err != nil {
			t.Error(err)
		}
		must(t, h.Close())
		if _, err := os.Stat(cache.parent); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is left: %v", cache.parent, err)
		}
	}
}

func TestPrune(t *testing.T) {
	s := newSealed(t)
	now := time.Now()
	aged := func(dir string, age time.Duration, size int64) string {
		must(t, os.MkdirAll(dir, 0o700))
		f, err := os.Create(filepath.Join(dir, meteredName))
		must(t, err)
		must(t, errors.Join(f.Truncate(size), f.Close(), os.Chtimes(dir, now.Add(-age), now.Add(-age))))
		return dir
	}
	in := func(name string) string { return filepath.Join(s.cache.dir, name) }
	kept := []string{
		s.entry(0), aged(in("recent"), time.Hour, keepBytes/2), aged(in("x"+unmade), time.Minute, 0),
		filepath.Join(s.dir, "not ours"), aged(filepath.Join(s.dir, cachePrefix+"other"), time.Hour, 0),
	}
	must(t, os.Mkdir(kept[3], 0o700))
	gone := []string{
		aged(in("old"), keepEntry+time.Hour, 0), aged(in("large"), 2*time.Hour, keepBytes/2+1),
		aged(in("y"+unmade), keepUnmade+time.Hour, 0), aged(filepath.Join(s.dir, cachePrefix+"old"), keepVersion+time.Hour, 0),
	}
	must(t, os.Chtimes(s.entry(0), now.Add(-2*keepEntry), now.Add(-2*keepEntry)))
	s.cache.prune(now, s.names[0])
	for _, dir := range kept {
		if _, err := os.Stat(dir); err != nil {
			t.Errorf("%s is gone: %v", dir, err)
		}
	}
	for _, dir := range gone {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is kept: %v", dir, err)
		}
	}
	if _, err := s.cache.load(t.Context(), s.names[0], s.codes[0].memory); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(s.entry(0)); err != nil || now.Sub(info.ModTime()) > time.Hour {
		t.Errorf("its use was not noted: %v, %v", info.ModTime(), err)
	}
}
