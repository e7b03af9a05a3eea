package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"recollect/internal/config"
	"recollect/internal/keyring"
	"recollect/internal/llm"
	"recollect/internal/llm/anthropic"
	"recollect/internal/llm/llmtest"
	"recollect/internal/llm/openai"
)

func TestKeysKnowTheVendors(t *testing.T) {
	t.Parallel()
	for provider, address := range map[string]string{config.OpenAI: openai.DefaultURL, config.Anthropic: anthropic.DefaultURL} {
		if origin, err := keyring.Origin(address); err != nil || origin != keyring.VendorOrigins[provider] {
			t.Errorf("%s: %q, %v; keys are for %q", provider, origin, err, keyring.VendorOrigins[provider])
		}
	}
}

// Whatever changes the address, a key goes nowhere but where it was entered for, and
// without the right one nothing leaves.
func TestKeyStaysWhereItIsFor(t *testing.T) {
	t.Parallel()
	const key = "sk-test-0123456789abcdef"
	for _, c := range []struct {
		name            string
		person, project string // settings; URL is the server's address
		env             string // a variable that holds the key
		stored          string // the address for which the key is stored; "vendor": no address
		sent            bool
		withKey         bool
		kind            llm.Kind
	}{
		{name: "a project's address, a variable", person: `"provider":"openai"`, project: `"base_url":"URL"`, env: "OPENAI_API_KEY", kind: llm.Withheld},
		{name: "a project's address, our variable", person: `"provider":"openai"`, project: `"base_url":"URL"`, env: keyring.EnvKey, kind: llm.Withheld},
		{name: "a project's address, a stored key", person: `"provider":"openai"`, project: `"base_url":"URL"`, stored: "vendor", kind: llm.Withheld},
		{name: "a project's address, anthropic", person: `"provider":"anthropic"`, project: `"base_url":"URL"`, env: "ANTHROPIC_API_KEY", kind: llm.Withheld},
		{name: "a project's provider at the person's address", person: `"provider":"openai","base_url":"URL"`, project: `"provider":"anthropic"`, env: "ANTHROPIC_API_KEY", kind: llm.Withheld},
		{name: "a project's address, a key for it", person: `"provider":"openai"`, project: `"base_url":"URL"`, stored: "URL", sent: true, withKey: true},
		{name: "the person's address, a variable", person: `"provider":"openai","base_url":"URL"`, env: "OPENAI_API_KEY", sent: true, withKey: true},
		{name: "the person's server here, a key for the vendor", person: `"provider":"openai","base_url":"URL"`, stored: "vendor", sent: true},
		{name: "the person's address, anthropic, a key for the vendor", person: `"provider":"anthropic","base_url":"URL"`, stored: "vendor", kind: llm.Withheld},
		{name: "a project's address, no key at all", person: `"provider":"openai"`, project: `"base_url":"URL"`, sent: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			server := llmtest.NewServer(t, llmtest.Reply{Text: "ready"})
			o := sample(t)
			env := o.Getenv
			o.Getenv = func(name string) string {
				if name == c.env && name != "" {
					return key
				}
				return env(name)
			}
			e := openEngine(t, o)
			fill := func(s string) string { return strings.ReplaceAll(s, "URL", server.URL+"/v1") }
			write(t, e.dirs.File(), []byte(fill(`{"version":1,"model":{"name":"m",`+c.person+`}}`)))
			if c.project != "" {
				asks(t, e, fill(`"model":{`+c.project+`}`))
				trust(t, e)
			}
			if err := e.Refresh(); err != nil {
				t.Fatal(err)
			}
			if c.stored != "" {
				origin, err := keyring.Origin(fill(c.stored))
				if err != nil {
					origin = ""
				}
				if err := e.keys(0).Set(t.Context(), e.settings().Model.Provider, keyring.NewKey(key).For(origin), keyring.File); err != nil {
					t.Fatal(err)
				}
			}
			_, err := e.TestModel(t.Context())
			if got := llm.KindOf(err); got != c.kind {
				t.Errorf("%v: kind %q, want %q", err, got, c.kind)
			}
			if c.kind == llm.Withheld {
				p := Explain(err)
				if p.Exit != ExitRefused || !errors.Is(err, keyring.ErrElsewhere) || !strings.Contains(p.Message, server.URL) || !strings.Contains(p.Hint, "auth set") || strings.Contains(fmt.Sprint(p), key) {
					t.Errorf("explained as %+v", p)
				}
			}
			sent := server.Requests()
			if (len(sent) > 0) != c.sent {
				t.Fatalf("%d requests", len(sent))
			}
			for _, r := range sent {
				if head := fmt.Sprint(r.Header); strings.Contains(head, key) != c.withKey {
					t.Errorf("with the key: %t\n%s", !c.withKey, head)
				}
			}
		})
	}
}

// A key is entered for the address that the person's own settings name, or that they
// say; a project's says nothing about it.
func TestWhatAKeyIsEnteredFor(t *testing.T) {
	t.Parallel()
	e := openEngine(t, sample(t))
	asks(t, e, `"model":{"provider":"openai","base_url":"https://theirs.example"}`)
	trust(t, e)
	want := func(address, origin string) {
		t.Helper()
		if got, err := e.KeyOrigin(config.OpenAI, address); err != nil || got != origin {
			t.Errorf("%q: %q, %v; want %q", address, got, err, origin)
		}
	}
	want("", keyring.VendorOrigins[config.OpenAI])
	want("https://Theirs.example:443/v1", "https://theirs.example")
	for name, value := range map[string]string{"model.provider": `"openai"`, "model.base_url": `"https://mine.example/v1"`} {
		if _, err := e.SetSetting(t.Context(), name, json.RawMessage(value), config.User); err != nil {
			t.Fatal(err)
		}
	}
	want("", "https://mine.example")
	if _, err := e.KeyOrigin(config.OpenAI, "theirs.example"); Explain(err).Exit != ExitUsage {
		t.Errorf("%v", err)
	}
}

// A server that did not answer is left in peace, another one that the settings name
// instead is asked at once.
func TestAnotherAddressIsAsked(t *testing.T) {
	t.Parallel()
	server := llmtest.NewServer(t, llmtest.Reply{Text: "ready"})
	gone := httptest.NewServer(nil)
	gone.Close()
	e := openEngine(t, sample(t))
	at := func(address string) error {
		write(t, e.dirs.File(), []byte(`{"version":1,"model":{"provider":"openai","name":"m","base_url":"`+address+`"}}`))
		if err := e.Refresh(); err != nil {
			t.Fatal(err)
		}
		_, err := e.TestModel(t.Context())
		return err
	}
	for range 5 {
		_ = at(gone.URL + "/v1")
	}
	if err := at(gone.URL + "/v1"); err == nil || !strings.Contains(err.Error(), "left in peace") {
		t.Fatalf("%v: five failures leave it in peace", err)
	}
	if err := at(server.URL + "/v1"); err != nil {
		t.Errorf("another address: %v", err)
	}
}
