package keyring

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	gokeyring "github.com/zalando/go-keyring"
)

// marker is a key that must turn up nowhere but where it belongs.
const marker = "sk-ant-MARKER-0123456789abcdef"

// ring has a keyring in memory.
func ring(t *testing.T, o Options) (*Ring, map[string]string) {
	entries := map[string]string{}
	if o.Getenv == nil {
		o.Getenv = func(string) string { return "" }
	}
	r := New(o)
	r.system.probe = func(context.Context, time.Duration, time.Duration) error { return nil }
	r.system.setFn = func(service, user, secret string) error { entries[service+"/"+user] = secret; return nil }
	r.system.getFn = func(service, user string) (string, error) {
		if v, ok := entries[service+"/"+user]; ok {
			return v, nil
		}
		return "", gokeyring.ErrNotFound
	}
	r.system.deleteFn = func(service, user string) error {
		if _, ok := entries[service+"/"+user]; !ok {
			return gokeyring.ErrNotFound
		}
		delete(entries, service+"/"+user)
		return nil
	}
	return r, entries
}

func TestFirstPlaceWins(t *testing.T) {
	t.Parallel()
	env := map[string]string{}
	r, _ := ring(t, Options{Dir: t.TempDir(), Getenv: func(n string) string { return env[n] }})
	want := func(key string, place Place) {
		t.Helper()
		found, err := r.Get(t.Context(), "anthropic", VendorOrigins["anthropic"])
		if err != nil || found.Key.Reveal() != key || found.Place != place {
			t.Errorf("%q in %s, %v; want %q in %s", found.Key.Reveal(), found.Place, err, key, place)
		}
		status, err := r.Status(t.Context(), "anthropic", VendorOrigins["anthropic"])
		if err != nil || status.Place != place || status.Name != found.Name {
			t.Errorf("status %+v, %v", status, err)
		}
	}
	if _, err := r.Get(t.Context(), "anthropic", VendorOrigins["anthropic"]); !errors.Is(err, ErrNotFound) {
		t.Fatal(err)
	}
	env["OPENAI_API_KEY"] = "other"
	env["ANTHROPIC_API_KEY"] = "vendor"
	want("vendor", Environment)
	if err := r.Set(t.Context(), "anthropic", NewKey(" file\n"), File); err != nil {
		t.Fatal(err)
	}
	want("file", File)
	if err := r.Set(t.Context(), "anthropic", NewKey("ring"), Keyring); err != nil {
		t.Fatal(err)
	}
	want("ring", Keyring)
	env[EnvKey] = "ours"
	want("ours", Environment)

	done, err := r.Delete(t.Context(), "anthropic")
	if err != nil || len(done) != 2 {
		t.Errorf("deleted from %v, %v", done, err)
	}
	if _, err := r.Delete(t.Context(), "anthropic"); !errors.Is(err, ErrNotFound) {
		t.Errorf("second delete: %v", err)
	}
	env[EnvKey] = ""
	want("vendor", Environment)
}

func TestKeyringOutOfOrder(t *testing.T) {
	t.Parallel()
	env := map[string]string{}
	r, _ := ring(t, Options{Dir: t.TempDir(), Getenv: func(n string) string { return env[n] }})
	r.system.probe = func(context.Context, time.Duration, time.Duration) error { return &Error{Kind: ErrLocked} }
	_, err := r.Get(t.Context(), "openai", VendorOrigins["openai"])
	var e *Error
	if !errors.Is(err, ErrLocked) || !errors.As(err, &e) || !strings.Contains(e.Fix, "OPENAI_API_KEY") || !strings.Contains(e.Fix, "--file") {
		t.Errorf("%v, fix %+v", err, e)
	}
	env["OPENAI_API_KEY"] = "vendor"
	found, err := r.Get(t.Context(), "openai", VendorOrigins["openai"])
	if err != nil || found.Place != Environment || !errors.Is(found.Passed, ErrLocked) {
		t.Errorf("%+v, %v: the locked keyring has to be told of", found, err)
	}
	if err := r.Set(t.Context(), "openai", NewKey("x"), Keyring); !errors.Is(err, ErrLocked) {
		t.Errorf("set: %v", err)
	}
	if err := r.Set(t.Context(), "openai", NewKey("x"), File); err != nil {
		t.Errorf("set in file: %v", err)
	}
	done, err := r.Delete(t.Context(), "openai")
	if len(done) != 1 || done[0] != File || !errors.Is(err, ErrLocked) {
		t.Errorf("delete: %v, %v", done, err)
	}
}

func TestStuckCall(t *testing.T) {
	t.Parallel()
	r, _ := ring(t, Options{})
	r.system.probeWait, r.system.askWait = 25*time.Millisecond, 25*time.Millisecond
	release := make(chan struct{})
	r.system.getFn = func(string, string) (string, error) { <-release; return marker, nil }
	before := runtime.NumGoroutine()
	for range 5 {
		start := time.Now()
		_, err := r.Get(t.Context(), "anthropic", VendorOrigins["anthropic"])
		if !errors.Is(err, ErrUnavailable) || time.Since(start) > time.Second {
			t.Fatalf("%v after %v", err, time.Since(start))
		}
	}
	if n := runtime.NumGoroutine() - before; n > 20 {
		t.Errorf("%d goroutines more: stuck calls pile up", n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Get(ctx, "anthropic", VendorOrigins["anthropic"]); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	close(release)
	for range 100 { // it serves again once the dialog is answered
		if found, err := r.Get(t.Context(), "anthropic", VendorOrigins["anthropic"]); err == nil && found.Key.Reveal() == marker {
			return
		}
	}
	t.Error("the ring never serves again")
}

func TestLibraryPanics(t *testing.T) {
	t.Parallel()
	r, _ := ring(t, Options{})
	r.system.getFn = func(string, string) (string, error) { panic("bus went away with " + marker) }
	if _, err := r.Get(t.Context(), "anthropic", VendorOrigins["anthropic"]); !errors.Is(err, ErrUnavailable) || strings.Contains(err.Error(), marker) {
		t.Error(err)
	}
}

func TestKeyNeverPrints(t *testing.T) {
	t.Parallel()
	key := NewKey(marker)
	var log strings.Builder
	logger := slog.New(slog.NewJSONHandler(&log, nil))
	logger.Info("x", "key", key, "found", Found{Key: key})
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "key", key, "found", Found{Key: key})
	encoded, err := json.Marshal(map[string]any{"a": key, "b": Found{Key: key}, "c": &key})
	if err != nil {
		t.Fatal(err)
	}
	out := log.String() + string(encoded)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d"} {
		out += fmt.Sprintf(verb+verb+verb+verb, key, &key, Found{Key: key}, []Key{key})
	}
	out += fmt.Sprint(key) + fmt.Errorf("x %w %v", errors.New("y"), key).Error()
	for _, bad := range []string{marker, fmt.Sprintf("%x", marker), fmt.Sprintf("%X", marker)} {
		if strings.Contains(out, bad) {
			t.Errorf("the key is in %s", out)
		}
	}
}

// TestErrorsNeverHoldKey lets everything fail that knows the key, with errors
// that quote it.
func TestErrorsNeverHoldKey(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "not-a-folder")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	leak := errors.New("can't keep " + marker)
	env := func(string) string { return marker + "\x01" }
	r, _ := ring(t, Options{Dir: filepath.Join(file, "keys"), Getenv: env})
	r.system.setFn = func(string, string, string) error { return leak }
	r.system.getFn = func(string, string) (string, error) { return marker + " and more", leak }
	r.system.deleteFn = func(string, string) error { return leak }
	var all []error
	add := func(err error) {
		if err == nil {
			t.Error("no error")
		}
		all = append(all, err)
	}
	for _, place := range []Place{Keyring, File, "elsewhere"} {
		add(r.Set(t.Context(), "anthropic", NewKey(marker), place))
		add(r.Set(t.Context(), "anthropic", NewKey(marker+"\n"+marker), place))
		add(r.Set(t.Context(), "anthropic", NewKey(strings.Repeat(marker, 1000)), place))
	}
	_, err := r.Get(t.Context(), "anthropic", VendorOrigins["anthropic"])
	add(err)
	_, err = r.Delete(t.Context(), "anthropic")
	add(err)
	status, err := r.Status(t.Context(), "anthropic", VendorOrigins["anthropic"])
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(status)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range all {
		text = fmt.Appendf(text, "%v %+v %#v %q", err, err, err, err)
		var e *Error
		if errors.As(err, &e) {
			text = fmt.Appendf(text, "%v %#v", e.Hint(), *e)
		}
	}
	if strings.Contains(string(text), "MARKER") {
		t.Errorf("the key is in %s", text)
	}
}

func TestFile(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "keys")
	r, _ := ring(t, Options{Dir: dir})
	if err := r.Set(t.Context(), "openai", NewKey(marker), File); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "openai.key")
	status, err := r.Status(t.Context(), "openai", VendorOrigins["openai"])
	if err != nil || status.Place != File || status.Name != path || status.Looked[2].Notice != FileNotice {
		t.Errorf("%+v, %v", status, err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	for name, mode := range map[string]os.FileMode{dir: 0o700, path: 0o600} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Get(t.Context(), "openai", VendorOrigins["openai"]); !errors.Is(err, ErrUnsafeFile) {
		t.Errorf("open to the group: %v", err)
	}
	if err := r.Set(t.Context(), "openai", NewKey(marker), File); !errors.Is(err, ErrUnsafeFile) {
		t.Errorf("set over it: %v", err)
	}
	if _, err := r.Delete(t.Context(), "openai"); err != nil {
		t.Errorf("delete: %v", err)
	}
	if err := os.Symlink("/etc/hostname", path); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Get(t.Context(), "openai", VendorOrigins["openai"]); !errors.Is(err, ErrUnsafeFile) {
		t.Errorf("link: %v", err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestProviderNames(t *testing.T) {
	t.Parallel()
	r, _ := ring(t, Options{Dir: t.TempDir()})
	for _, name := range []string{"", "../x", "A", "a/b", "a b", "-a", "ä", strings.Repeat("a", 33)} {
		if err := r.Set(t.Context(), name, NewKey("k"), File); !errors.Is(err, ErrInvalid) {
			t.Errorf("%q: %v", name, err)
		}
	}
}
