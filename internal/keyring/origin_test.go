package keyring

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOrigin(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://api.openai.com/v1":                    "https://api.openai.com",
		"https://API.openai.com:443":                   "https://api.openai.com",
		"http://localhost:80/":                         "http://localhost",
		"http://localhost:11434/v1":                    "http://localhost:11434",
		"https://api.openai.com:80":                    "https://api.openai.com:80",
		"http://[::1]:8080/v1":                         "http://[::1]:8080",
		"https://api.openai.com.evil.org":              "https://api.openai.com.evil.org",
		"https://api.openai.com@evil.org":              "",
		"https://u:p@api.openai.com":                   "",
		"ftp://api.openai.com":                         "",
		"api.openai.com":                               "",
		"https://a\nb":                                 "",
		"https://ä.example":                            "",
		"":                                             "",
		"https://" + strings.Repeat("a", 400) + ".org": "",
	} {
		got, err := Origin(address)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v; want %q", address, got, err, want)
		}
		if again, err := Origin(got); want != "" && (again != got || err != nil) {
			t.Errorf("%q: again %q, %v", got, again, err)
		}
	}
}

// A key goes to the origin that it was entered for and to no other, from wherever
// it comes.
func TestKeyIsForItsOrigin(t *testing.T) {
	t.Parallel()
	const gateway, evil = "https://models.example:8443", "https://evil.example"
	vendor := VendorOrigins["openai"]
	env, named := map[string]string{}, ""
	dir := t.TempDir()
	r, entries := ring(t, Options{
		Dir: dir, Getenv: func(n string) string { return env[n] },
		Named: func(provider string) string { return map[string]string{"openai": named}[provider] },
	})
	want := func(what, origin, key string) {
		t.Helper()
		found, err := r.Get(t.Context(), "openai", origin)
		if key != "" && (err != nil || found.Key.Reveal() != key) {
			t.Errorf("%s: %q, %v; want %q", what, found.Key.Reveal(), err, key)
		}
		if key == "" && (!errors.Is(err, ErrElsewhere) || found.Key.Reveal() != "" || !strings.Contains(err.Error(), origin)) {
			t.Errorf("%s: %q, %v", what, found.Key.Reveal(), err)
		}
		s, err := r.Status(t.Context(), "openai", origin)
		if err != nil || (s.Place != "") != (key != "") || s.For != origin {
			t.Errorf("%s: status %+v, %v", what, s, err)
		}
	}
	set := func(key Key, place Place) {
		t.Helper()
		if err := r.Set(t.Context(), "openai", key, place); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"OPENAI_API_KEY", EnvKey} {
		env[name] = "variable"
		want(name, vendor, "variable")
		want(name, evil, "")
		named = gateway
		want(name+", named", gateway, "variable")
		want(name+", another named", evil, "")
		named = ""
		delete(env, name)
	}
	for _, place := range []Place{Keyring, File} {
		set(NewKey("own"), place)
		want("the vendor's, "+string(place), vendor, "own")
		named = evil // settings change nothing about a key that was entered
		want("the vendor's, "+string(place), evil, "")
		named = ""
		set(NewKey("gate").For(gateway), place)
		want("a gateway's, "+string(place), gateway, "gate")
		want("a gateway's, "+string(place), vendor, "")
		want("a gateway's, "+string(place), strings.Replace(gateway, "https", "http", 1), "")
		want("a gateway's, "+string(place), "https://models.example", "")
		env["OPENAI_API_KEY"] = "variable"
		want("a later place has one", vendor, "variable")
		delete(env, "OPENAI_API_KEY")
		if _, err := r.Delete(t.Context(), "openai"); err != nil {
			t.Fatal(err)
		}
	}
	// Keys of before there was a record are for the vendor's own address.
	entries["recollect/openai"] = "old"
	want("no record, keyring", vendor, "old")
	want("no record, keyring", evil, "")
	delete(entries, "recollect/openai")
	path := filepath.Join(dir, "openai.key")
	for text, key := range map[string]string{"old\n": "old", "old": "old", "new\r\nfor https://api.openai.com\r\n": "new"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		want("a file with "+text, vendor, key)
		want("a file with "+text, evil, "")
	}
	for _, text := range []string{"a\nb\n", "a\nfor nowhere\n", "a\nfor https://x.example\nfor https://evil.example\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if found, err := r.Get(t.Context(), "openai", evil); !errors.Is(err, ErrInvalid) {
			t.Errorf("%q: %q, %v", text, found.Key.Reveal(), err)
		}
	}
}
