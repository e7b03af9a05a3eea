package claudecode

import (
	"bytes"
	"encoding/binary"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"recollect/internal/history"
)

// seeds are pieces of transcripts, whole and damaged.
func seeds() []string {
	one, two := user("a", "", 1, "P1 \U0001F34E"), answer("b", "a", 2, "A1")
	return []string{
		"", "\n", one, one + two, strings.TrimSpace(one) + two, one[:80] + two, "\x00\x00" + one, one + two[:90], one + strings.TrimSpace(two),
		"null\n[]\n\"x\"\n42\n", one + user("c", "b", 3, "P2") + user("d", "b", 4, "P3") + system("e", "", 5, fields{"logicalParentUuid": "d"}),
		`{"type":"user","uuid":"a","message":{"content":"\ud83d \udc00 \u0000"}}` + "\n",
		`{"type":"summary","summary":"s","leafUuid":"a"}` + "\n" + one,
		`{"type":"user","message":{"content":"no id"}}` + "\n" + `{"type":"assistant","message":{"content":[{"type":"text","text":"no id"}]}}` + "\n",
		one + call("t", "a", 2, "m", "x") + result("r", "t", 3, "x") + user("f", "g", 4, "circle") + user("g", "f", 5, "circle"),
		strings.Join(working(), ""), user("a", "", 1, history.OwnMarker), user("a", "", 1, "<!-- recollect:begin -->x<!-- recollect:end -->y"),
	}
}

// What is recovered from a line stands in it, is clean, and reads the same
// again.
func FuzzLine(f *testing.F) {
	for _, s := range seeds() {
		f.Add([]byte(strings.TrimSuffix(s, "\n")))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		x := newTranscript("self", []string{history.OwnMarker})
		x.add(line{text: b, size: int64(len(b)), off: 7})
		for i := range x.words {
			w := &x.words[i]
			raw := b[w.off-7:][:w.size]
			var r record
			if scanRecord(raw, 0, &r) != len(raw) {
				t.Fatalf("not a whole record: %q", raw)
			}
			m := scanMessage(r.message)
			_, text := said(&r, &m, askedIn(b, w.asked))
			if text == "" || int(w.text) != len(text) || xxhash.Sum64String(text) != w.sum || recordID(&r, raw) != w.name {
				t.Fatalf("%q reads differently", raw)
			}
			if !utf8.ValidString(text) || strings.Contains(text, "\x00") || !utf8.ValidString(w.name) {
				t.Fatalf("not clean: %q %q", w.name, text)
			}
		}
		for _, p := range x.places {
			if !utf8.ValidString(p.session + p.branch + p.dir + p.version) {
				t.Fatalf("not clean: %+v", p)
			}
		}
	})
}

// askedIn gives the calls of a record of a line that stands at 7.
func askedIn(b []byte, at sample) *calls {
	if at.size == 0 {
		return nil
	}
	var r record
	scanRecord(b[at.off-7:][:at.size], 0, &r)
	m := scanMessage(r.message)
	c := &calls{}
	c.add(m.content, at)
	return c
}

// A file that arrives in two parts gives what it gives in one.
func FuzzFile(f *testing.F) {
	for i, s := range seeds() {
		f.Add([]byte(s), uint16(i*37))
	}
	f.Fuzz(func(t *testing.T, b []byte, cut uint16) {
		part := int(cut) % (len(b) + 1)
		x := &index{path: "s1", transcript: newTranscript("s1", nil)}
		if _, err := x.advance(t.Context(), bytes.NewReader(b[:part]), int64(part)); err != nil {
			t.Fatal(err)
		}
		var saved bytes.Buffer
		if err := encodeIndex(&saved, x); err != nil {
			t.Fatal(err)
		}
		again, err := decodeIndex(saved.Bytes())
		if err != nil || !again.restore(bytes.NewReader(b)) {
			t.Fatalf("the index does not come back: %v", err)
		}
		tail, err := again.advance(t.Context(), bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		again.finish(tail)
		fresh := parseAs(t, "s1", b)
		if d := cmp.Diff(fresh.words, again.words, cmp.AllowUnexported(words{}, sample{}), cmpopts.EquateEmpty()); d != "" {
			t.Fatal(d)
		}
		if d := cmp.Diff(fresh.damage, again.damage, cmpopts.EquateEmpty()); d != "" {
			t.Fatal(d)
		}
		want, got := viewOf(fresh), viewOf(again.transcript)
		if want.revision != got.revision {
			t.Fatalf("refs (-one part +two):\n%s\n%s", cmp.Diff(want.Refs("*"), got.Refs("*")), cmp.Diff(want.sessions, got.sessions))
		}
		seen := map[string]bool{}
		for _, ref := range got.Refs("*") {
			if ref.ID == "" || seen[ref.ID] || !utf8.ValidString(ref.ID+ref.Session+ref.Branch) {
				t.Fatalf("ref %+v", ref)
			}
			seen[ref.ID] = true
		}
	})
}

func viewOf(x *transcript) *view {
	return newView([]*file{{path: "s1", transcript: x}}, history.Report{}, func(string) bool { return true })
}

// The same on disk, with the texts.
func TestTwoParts(t *testing.T) {
	t.Parallel()
	for i, text := range seeds() {
		path := filepath.Join(t.TempDir(), "s1.jsonl")
		s := New(Options{IndexDir: t.TempDir()})
		fresh := openPath(t, New(Options{}), write(t, path, text))
		want := talk(t, fresh)
		for cut := 0; cut <= len(text); cut += 1 + len(text)/7 {
			write(t, path, text[:cut])
			openPath(t, s, path)
			appendTo(t, path, text[cut:])
			h, again := openPath(t, s, path), openPath(t, s, path)
			if h.Revision() != fresh.Revision() || again.Revision() != fresh.Revision() || again.Report().BytesRead != 0 {
				t.Errorf("text %d cut at %d: the view differs", i, cut)
			}
			if d := cmp.Diff(want, talk(t, h)); d != "" {
				t.Errorf("text %d cut at %d:\n%s", i, cut, d)
			}
		}
	}
}

// No index file, whatever its checksum, makes a run fail.
func FuzzIndex(f *testing.F) {
	text := strings.Join(seeds(), "")
	x := &index{path: "/x", transcript: newTranscript("self", nil)}
	tail, err := x.advance(f.Context(), strings.NewReader(text), int64(len(text)))
	if err != nil {
		f.Fatal(err)
	}
	_ = tail
	var b strings.Builder
	if err := encodeIndex(&b, x); err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(b.String()))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < len(indexVersion)+8 {
			return
		}
		b = append([]byte(indexVersion), b[len(indexVersion):]...)
		end := len(b) - 8
		binary.LittleEndian.PutUint64(b[end:], xxhash.Sum64(b[:end]))
		x, err := decodeIndex(b)
		if err != nil {
			return
		}
		x.restore(strings.NewReader(text))
		newView([]*file{{path: "/x", transcript: x.transcript}}, history.Report{}, func(string) bool { return true })
	})
}
