package archive

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/history"
)

func FuzzDecode(f *testing.F) {
	root := rootOf(f)
	h := Header{Project: root, Source: "test", Session: "s1", Turns: []Ref{{ID: "t1"}, {ID: "t2", In: "s0"}}}
	whole, err := encode(h, slices.Values([]turnLine{{ID: "t1", Messages: []messageLine{{ID: "m", Role: history.User, Text: "x"}}}}))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole, false)
	f.Add([]byte(`{"format":"recollect/archive/1","project":"/p","source":"a","session":"b","turns":[{"id":"t"}]}`+"\n"+`{"id":"t","messages":[{"id":"m","role":"x","text":"a\u0000\ud800"}]}`+"\n"), true)
	f.Add([]byte(`{"format":"recollect/archive/9"}`+"\n"), true)
	f.Fuzz(func(t *testing.T, data []byte, plain bool) {
		if plain { // a header, a line end, and turns
			head, body, _ := bytes.Cut(data, []byte("\n"))
			var b bytes.Buffer
			for _, part := range [][]byte{head, body} {
				z := gzip.NewWriter(&b)
				_, _ = z.Write(part)
				_ = z.Close()
			}
			data = b.Bytes()
		}
		x, err := decode(bytes.NewReader(data))
		if err != nil {
			if !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrNewer) {
				t.Fatal(err)
			}
			return
		}
		n, broken := 0, false
		for turn, err := range x.turns() {
			if err != nil {
				if !errors.Is(err, ErrDamaged) {
					t.Fatal(err)
				}
				broken = true
				continue
			}
			n++
			for _, m := range turn.Messages {
				if m.Text != strings.ToValidUTF8(m.Text, "") || strings.Contains(m.Text, "\x00") || m.Role != history.User && m.Role != history.Assistant {
					t.Fatalf("%+v", m)
				}
			}
		}
		if broken {
			return
		}
		want := 0
		for _, r := range x.Turns {
			if r.In == "" {
				want++
			}
		}
		if n != want {
			t.Fatalf("%d turns of %d", n, want)
		}
	})
}

// What is written is read as the same.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	h := Header{Project: rootOf(t), Source: "a", Session: "b", Title: "<t>", Started: noon, Digest: "d", Redacted: true, Turns: []Ref{{ID: "1", Branch: "no branch", Time: noon, Digest: "x"}}}
	text, err := encode(h, slices.Values([]turnLine{{ID: "1"}}))
	if err != nil {
		t.Fatal(err)
	}
	f, err := decode(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	h.Format = "recollect/archive/1"
	if diff := cmp.Diff(h, f.Header); diff != "" {
		t.Error(diff)
	}
}

func BenchmarkNothingNew(b *testing.B) {
	s := New(filepath.Join(b.TempDir(), "archive"), rootOf(b), Options{})
	w := s.Writer(nil, noon)
	var all []Session
	for i := range 1000 {
		var turns []string
		for j := range 20 {
			turns = append(turns, fmt.Sprintf("%d-%d=%s", i, j, strings.Repeat("words that were said ", 30)))
		}
		x := said(fmt.Sprint("s", i), turns...)
		all = append(all, x)
		if _, err := w.Put(b.Context(), x); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		w := s.Writer(nil, noon)
		for _, x := range all {
			if wrote, err := w.Put(b.Context(), x); wrote || err != nil {
				b.Fatal(wrote, err)
			}
		}
	}
}
