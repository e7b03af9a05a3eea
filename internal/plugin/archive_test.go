package plugin

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recollect/internal/printable"
)

// packed is a zip file as the tools for it write them: with or without the sizes
// behind the contents, with folders of their own.
func packed(t testing.TB, method uint16, folders ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range folders {
		_, err := z.Create(name + "/")
		must(t, err)
	}
	for name, data := range map[string]string{"plugin.json": minimal, "plugin.wasm": strings.Repeat("x", 500)} {
		h := &zip.FileHeader{Name: name, Method: method}
		h.SetMode(0o644)
		h.Extra = []byte{'U', 'T', 5, 0, 3, 1, 2, 3, 4}
		w, err := z.CreateHeader(h)
		must(t, err)
		_, err = w.Write([]byte(data))
		must(t, err)
	}
	must(t, z.Close())
	return b.Bytes()
}

// moved gives a zip file with bytes put in front of it, or between two entries,
// and all offsets put right, as self-extracting archives have it.
func moved(t testing.TB, data []byte, at int, more string) []byte {
	t.Helper()
	out := []byte(string(data[:at]) + more + string(data[at:]))
	end := len(out) - endHead
	directory := int(binary.LittleEndian.Uint32(out[end+16:])) + len(more)
	binary.LittleEndian.PutUint32(out[end+16:], uint32(directory))
	for p := directory; p < end; {
		if from := binary.LittleEndian.Uint32(out[p+42:]); int(from) >= at {
			binary.LittleEndian.PutUint32(out[p+42:], from+uint32(len(more)))
		}
		p += entryHead + int(binary.LittleEndian.Uint16(out[p+28:])) + int(binary.LittleEndian.Uint16(out[p+30:])) + int(binary.LittleEndian.Uint16(out[p+32:]))
	}
	return out
}

// second is where the second entry of a zip file begins.
func second(data []byte) int { return 4 + bytes.Index(data[4:], []byte(localMark)) }

func TestExactlyAZip(t *testing.T) {
	stored, deflated := packed(t, zip.Store), packed(t, zip.Deflate, "docs", "docs/more")
	for name, data := range map[string][]byte{"stored": stored, "deflated": deflated, "empty": zipped(t)} {
		if err := exactly(data); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if p, err := readZip(deflated); err != nil || len(p.files) != 2 {
		t.Errorf("with folders: %v", err)
	}
	renamed := bytes.Clone(stored) // in the directory, not at the entry
	renamed[bytes.LastIndex(renamed, []byte("plugin.wasm"))] = 'q'
	commented := append(bytes.Clone(stored), "PK"...)
	binary.LittleEndian.PutUint16(commented[len(stored)-2:], 2)
	fewer := bytes.Clone(stored)
	fewer[len(fewer)-endHead+8], fewer[len(fewer)-endHead+10] = 1, 1
	for name, data := range map[string][]byte{
		"bytes before": append([]byte("#!/bin/sh\necho hello\n"), stored...), "bytes before, offsets right": moved(t, stored, 0, "#!/bin/sh\n"),
		"bytes after": append(bytes.Clone(stored), "more"...), "a comment": commented,
		"bytes between": moved(t, stored, second(stored), "hidden"), "an entry between that the directory leaves out": fewer,
		"another name in the directory": renamed, "an archive after the archive": append(bytes.Clone(stored), stored...),
		"overlapping entries": overlapping(t, 2), "cut": stored[:len(stored)-1],
	} {
		if _, err := readZip(data); !errors.Is(err, errNotExact) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzExactly(f *testing.F) {
	f.Add(packed(f, zip.Store))
	f.Add(packed(f, zip.Deflate, "a"))
	f.Add(zipped(f))
	f.Fuzz(func(t *testing.T, data []byte) {
		if exactly(data) != nil {
			return
		}
		// What belongs to the file does so wherever it stands: another reader, which
		// looks for the first entry from the front, finds the same.
		if len(data) > endHead && !bytes.HasPrefix(data, []byte(localMark)) && !bytes.HasPrefix(data, []byte(entryMark)) {
			t.Errorf("%q begins with something else", data[:4])
		}
	})
}

func TestNamesInAPackage(t *testing.T) {
	for name, pair := range map[string][2]string{
		"case": {"a", "A"}, "case beyond ASCII": {"k", "\u212a"}, "long s": {"s", "ſ"}, "composed": {"\u00e9", "e\u0301"},
		"composed and case": {"\u00c9", "e\u0301"}, "folders": {"a/x", "A/y"}, "a folder and a file": {"a", "a/x"},
		"a folder and a file in another case": {"docs", "DOCS/x"},
	} {
		_, err := readZip(zipped(t, "plugin.json", minimal, "plugin.wasm", "x", pair[0], "1", pair[1], "2"))
		if err == nil || !strings.Contains(err.Error(), "twice") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"a\u202eb", "a\u200bb", "a\u200db", "a\u00adb", "a\ufeff", "\u2066a", "a\u0085", "a\u3164", "a\u00a0b", "\ufffd", "a\x7fb", "\U000e0041"} {
		for _, as := range []string{name, name + "/x", "x/" + name, name + "/"} {
			_, err := readZip(zipped(t, "plugin.json", minimal, "plugin.wasm", "x", as, ""))
			if err == nil || !strings.Contains(err.Error(), "not a name") || printable.Line(err.Error(), 300) != err.Error() {
				t.Errorf("%q: %v", as, err)
			}
		}
	}
	if _, err := readZip(zipped(t, "plugin.json", minimal, "plugin.wasm", "x", "docs/größe 日本.md", "1", "docs/b", "2")); err != nil {
		t.Error(err)
	}
}

func TestReservedIDs(t *testing.T) {
	l := NewLibrary(t.TempDir(), nil)
	for id, reserved := range map[string]bool{
		"dev.recollect.extra": true, "dev.recollect.0ffline": true, "dev.rec0llect.offline": true, "dev.reco11ect.x": true, "dev.recoiiect.x": true,
		"d3v.recollect.x": true, "dev.recollect-plugins.x": true, "dev-recollect.x": true, "devrecollect.x": true, "dev.re-collect.x": true,
		"dev.recollection.x": false, "dev.example.recollect": false, "org.recollect.x": false, "dev.recol.lect": false,
	} {
		m := manifest(id)
		_, err := l.Add(packageDir(t, m, []byte("x")))
		if (err != nil && strings.Contains(err.Error(), "for built-in plug-ins")) != reserved {
			t.Errorf("%s: %v", id, err)
		}
	}
}

// The package of a folder is checked by the same rules as an archive.
func TestFolderWithOddNames(t *testing.T) {
	dir := packageDir(t, manifest("org.example.x"), []byte("x"))
	if err := os.WriteFile(filepath.Join(dir, "a\u202eb"), nil, 0o600); err != nil {
		t.Skip(err)
	}
	if _, err := ReadPackage(dir); err == nil || !strings.Contains(err.Error(), `"a\u202eb"`) {
		t.Errorf("error = %v", err)
	}
}
