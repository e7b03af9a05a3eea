package claudecode

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
	"github.com/google/go-cmp/cmp"

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
		user("a", "", 1, history.OwnMarker), user("a", "", 1, "<!-- recollect:begin -->x<!-- recollect:end -->y"),
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
			_, text := said(&r, &m)
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

// A file that arrives in two parts gives what it gives in one.
func FuzzFile(f *testing.F) {
	for i, s := range seeds() {
		f.Add([]byte(s), uint16(i*37))
	}
	f.Fuzz(func(t *testing.T, b []byte, cut uint16) {
		dir := t.TempDir()
		path := filepath.Join(dir, "s1.jsonl")
		s := New(Options{IndexDir: filepath.Join(dir, "index")})
		part := int(cut) % (len(b) + 1)
		if err := os.WriteFile(path, b[:part], 0o644); err != nil {
			t.Fatal(err)
		}
		openPath(t, s, path)
		appendTo(t, path, string(b[part:]))
		h, again, fresh := openPath(t, s, path), openPath(t, s, path), openPath(t, New(Options{}), path)
		if h.Revision() != fresh.Revision() || again.Revision() != fresh.Revision() {
			t.Fatalf("revisions %s, %s, fresh %s", h.Revision(), again.Revision(), fresh.Revision())
		}
		if d := cmp.Diff(fresh.Sessions(), h.Sessions()); d != "" {
			t.Fatal(d)
		}
		var want []history.Turn
		for turn, err := range fresh.Turns(t.Context(), fresh.Refs("*")) {
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range turn.Messages {
				if m.ID == "" || strings.TrimSpace(m.Text) == "" || !utf8.ValidString(m.ID+m.Text) || strings.Contains(m.Text, "\x00") {
					t.Fatalf("message %+v", m)
				}
			}
			want = append(want, turn)
		}
		i := 0
		for turn, err := range h.Turns(t.Context(), h.Refs("*")) {
			if err != nil || !cmp.Equal(turn, want[i]) {
				t.Fatalf("%v\n%s", err, cmp.Diff(want[i], turn))
			}
			i++
		}
	})
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
