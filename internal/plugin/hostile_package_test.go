package plugin

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// storedZip is a zip file of one entry whose header says what it likes about the
// entry's size.
func storedZip(t *testing.T, name string, claimed uint64, data []byte, method uint16) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	h := &zip.FileHeader{Name: name, Method: method, CRC32: crc32.ChecksumIEEE(data), UncompressedSize64: claimed, CompressedSize64: uint64(len(data))}
	if method == zip.Deflate {
		packed := zipped(t, name, string(data))
		r, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
		must(t, err)
		raw, err := r.File[0].OpenRaw()
		must(t, err)
		var body bytes.Buffer
		_, err = body.ReadFrom(raw)
		must(t, err)
		h.CompressedSize64 = uint64(body.Len())
		data = body.Bytes()
	}
	w, err := z.CreateRaw(h)
	must(t, err)
	_, err = w.Write(data)
	must(t, err)
	must(t, z.Close())
	return b.Bytes()
}

// overlapping is a zip file whose directory names one and the same large entry
// many times.
func overlapping(t *testing.T, times int) []byte {
	t.Helper()
	one := zipped(t, "a0000", strings.Repeat("\x00", 4<<20))
	at := bytes.Index(one, []byte("PK\x01\x02"))
	end := bytes.Index(one, []byte("PK\x05\x06"))
	head := one[at:end]
	out := bytes.Clone(one[:at])
	for i := range times {
		h := bytes.Clone(head)
		copy(h[46:], fmt.Sprintf("a%04d", i))
		out = append(out, h...)
	}
	size := len(out) - at
	tail := bytes.Clone(one[end:])
	binary.LittleEndian.PutUint16(tail[8:], uint16(times))
	binary.LittleEndian.PutUint16(tail[10:], uint16(times))
	binary.LittleEndian.PutUint32(tail[12:], uint32(size))
	binary.LittleEndian.PutUint32(tail[16:], uint32(at))
	return append(out, tail...)
}

// TestHostilePackages adds each package twice. What is refused leaves the
// library and the folders around it as they were.
func TestHostilePackages(t *testing.T) {
	with := func(pairs ...string) []byte {
		return zipped(t, append(pairs, "plugin.json", minimal, "plugin.wasm", "x")...)
	}
	zeros := func(n int) string { return strings.Repeat("\x00", n) }
	var many []string
	for i := range 60_000 {
		many = append(many, fmt.Sprint("f", i), "")
	}
	tests := []struct {
		name string
		data []byte
		want string
	}{
		{"zip slip upwards", with("../../evil", "x"), "not a name"},
		{"zip slip in the middle", with("a/../../../evil", "x"), "not a name"},
		{"zip slip from the root", with("/tmp/evil", "x"), "not a name"},
		{"zip slip for Windows", with(`..\..\evil`, "x"), "not a name"},
		{"zip slip to a drive", with(`C:\evil`, "x"), "not a name"},
		{"zip slip to a device", with("NUL", "x"), "not a name"},
		{"zip bomb in one entry", with("bomb", zeros(maxEntryBytes+1)), "larger than 16 MB"},
		{"zip bomb in many entries", with("a", zeros(maxEntryBytes), "b", zeros(maxEntryBytes), "c", "x"), "larger than 32 MB"},
		{"zip bomb whose header lies", storedZip(t, "bomb", 10, []byte(zeros(maxEntryBytes+1)), zip.Deflate), "can't be read"},
		{"zip bomb that overlaps itself", overlapping(t, 60), "not exactly a zip file"},
		{"zip of many entries", zipped(t, many...), "more than 64"},
		{"entry shorter than it says", storedZip(t, "a", 1<<62, []byte("x"), zip.Store), "not exactly a zip file"},
		{"unknown compression", storedZip(t, "a", 1, []byte("x"), 99), "can't be read"},
		{"package file too large", []byte(zeros(maxPackageFile + 1)), "larger than"},
		{"manifest that is too large", zipped(t, "plugin.json", `{"manifest":1,"description":"`+strings.Repeat("x", 2<<20), "plugin.wasm", "x"), ""},
		{"manifest nested deep", zipped(t, "plugin.json", strings.Repeat("[", 1<<20), "plugin.wasm", "x"), ""},
	}
	ownTemp(t)
	around := t.TempDir()
	l := NewLibrary(filepath.Join(around, "library"), nil)
	good, err := l.Add(packageDir(t, manifest("org.example.good"), answering(`{}`)))
	must(t, err)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "hostile.rplug")
			write(t, name, tt.data)
			before := tree(t, around)
			left := newRemains(t)
			for range 2 {
				began := time.Now()
				_, err := l.Add(name)
				if !IsKind(err, KindInvalid) || !strings.Contains(err.Error(), tt.want) ||
					!strings.Contains(err.Error(), "hostile.rplug") && !strings.Contains(err.Error(), "org.example.x") {
					t.Errorf("error = %v, want %q with the plug-in's name", err, tt.want)
				}
				if took := time.Since(began); took > 20*time.Second {
					t.Errorf("refused after %v", took)
				}
				left.check(t)
				if after := tree(t, around); !slices.Equal(before, after) {
					t.Errorf("left behind %q, before %q", after, before)
				}
			}
			if e, err := l.Get("org.example.good"); err != nil || e.Pending == nil || e.Pending.SHA256 != good.Pending.SHA256 {
				t.Errorf("the good plug-in is %+v, %v", e, err)
			}
		})
	}
}

// tree lists all that is in a folder.
func tree(t *testing.T, dir string) []string {
	t.Helper()
	var list []string
	must(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		list = append(list, path)
		return err
	}))
	return list
}

// TestCacheTampering changes what the cache holds of two plug-ins. Whatever was
// done, each gives its own answer the next time, and none the code of the other.
func TestCacheTampering(t *testing.T) {
	root := t.TempDir()
	cache, secret := filepath.Join(root, "cache"), filepath.Join(root, "library")
	library := NewLibrary(secret, nil)
	fill := func(t *testing.T) []string {
		t.Helper()
		b := bench{library: library, host: NewHost(library, HostOptions{CacheDir: cache})}
		defer func() { must(t, b.host.Close()) }()
		for _, name := range []string{"mine", "other"} {
			p := b.add(t, manifest("org.example."+name), answering(`{"result":{"items":[{"content":"`+name+`"}]}}`))
			if got := contents(t, Extractor{Plugin: p}, extraction("x", nil)); got[""] != name {
				t.Errorf("%s gave %v", name, got)
			}
		}
		return entries(t, cache)
	}
	files := func(t *testing.T, dir string, change func([]byte) []byte) {
		for _, name := range tree(t, dir) {
			if data, err := os.ReadFile(name); err == nil {
				must(t, os.WriteFile(name, change(data), 0o600))
			}
		}
	}
	aside := filepath.Join(root, "aside")
	tests := []struct {
		name   string
		tamper func(t *testing.T, mine, other string)
	}{
		{"nothing", func(*testing.T, string, string) {}},
		{"entry emptied", func(t *testing.T, mine, _ string) { files(t, mine, func([]byte) []byte { return nil }) }},
		{"entry truncated", func(t *testing.T, mine, _ string) { files(t, mine, func(b []byte) []byte { return b[:len(b)/2] }) }},
		{"entry with a bit flipped", func(t *testing.T, mine, _ string) {
			files(t, mine, func(b []byte) []byte { b[len(b)/2] ^= 1; return b })
		}},
		{"entry with something appended", func(t *testing.T, mine, _ string) {
			files(t, mine, func(b []byte) []byte { return append(b, 0) })
		}},
		{"entry of another plug-in in its place", func(t *testing.T, mine, other string) {
			must(t, os.RemoveAll(mine))
			must(t, os.CopyFS(mine, os.DirFS(other)))
		}},
		{"entries exchanged", func(t *testing.T, mine, other string) {
			must(t, os.Rename(mine, aside))
			must(t, os.Rename(other, mine))
			must(t, os.Rename(aside, other))
		}},
		{"machine code of another plug-in", func(t *testing.T, mine, other string) {
			from, to := machineFile(t, other), machineFile(t, mine)
			data, err := os.ReadFile(from)
			must(t, err)
			must(t, os.WriteFile(to, data, 0o600))
		}},
		{"seal made without the key", func(t *testing.T, mine, _ string) {
			data, err := os.ReadFile(machineFile(t, mine))
			must(t, err)
			data[len(data)/2] ^= 1
			must(t, os.WriteFile(machineFile(t, mine), data, 0o600))
			sum := sha256.Sum256(data)
			must(t, os.WriteFile(filepath.Join(mine, sealName), sum[:], 0o600))
		}},
		{"file too many", func(t *testing.T, mine, _ string) {
			must(t, os.WriteFile(filepath.Join(mine, "more"), []byte("x"), 0o600))
		}},
		{"link to an entry elsewhere", func(t *testing.T, mine, _ string) {
			must(t, os.RemoveAll(aside))
			must(t, os.Rename(mine, aside))
			if err := os.Symlink(aside, mine); err != nil {
				t.Skip(err)
			}
		}},
		{"file in the place of an entry", func(t *testing.T, mine, _ string) {
			must(t, os.RemoveAll(mine))
			must(t, os.WriteFile(mine, []byte("x"), 0o600))
		}},
		{"another key", func(t *testing.T, _, _ string) {
			must(t, os.WriteFile(filepath.Join(secret, keyName), bytes.Repeat([]byte("k"), keyBytes), 0o600))
		}},
		{"damaged key", func(t *testing.T, _, _ string) {
			must(t, os.WriteFile(filepath.Join(secret, keyName), []byte("k"), 0o600))
		}},
		{"no cache any more", func(t *testing.T, _, _ string) { must(t, os.RemoveAll(cache)) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for range 2 {
				list := fill(t)
				if len(list) != 2 {
					t.Fatalf("the cache holds %q", list)
				}
				tt.tamper(t, list[0], list[1])
				fill(t)
			}
		})
	}
}

// entries are the folders of whole entries in a cache.
func entries(t *testing.T, cache string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(cache, cachePrefix+"*", strings.Repeat("[0-9a-f]", 64)))
	must(t, err)
	return list
}

func machineFile(t *testing.T, entry string) string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(entry, "wazero-*", "*"))
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	return list[0]
}
