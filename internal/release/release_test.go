package release

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const name = "recollect-1.2.3-linux-amd64"

// pack makes an archive of entries.
func pack(t *testing.T, entries ...tar.Header) []byte {
	t.Helper()
	var out bytes.Buffer
	packed := gzip.NewWriter(&out)
	w := tar.NewWriter(packed)
	for _, h := range entries {
		body := []byte(nil)
		if h.Typeflag == 0 || h.Typeflag == tar.TypeReg {
			h.Typeflag, body = tar.TypeReg, bytes.Repeat([]byte("x"), int(h.Size))
		}
		if err := errors.Join(w.WriteHeader(&h)); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(body); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), packed.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func programs(more ...tar.Header) []tar.Header {
	return append([]tar.Header{{Name: name + "/bin/recollect", Size: 9}, {Name: name + "/bin/Recollect", Size: 9}}, more...)
}

// lay writes files into a folder, and SHA256SUMS of those that it names.
func lay(t *testing.T, files map[string][]byte, summed ...string) string {
	t.Helper()
	dir := t.TempDir()
	var sums strings.Builder
	for _, n := range summed {
		sum := sha256.Sum256(files[n])
		fmt.Fprintf(&sums, "%s  %s\n", hex.EncodeToString(sum[:]), n)
	}
	if len(summed) > 0 {
		files[SumsName] = []byte(sums.String())
	}
	for n, data := range files {
		if err := os.WriteFile(filepath.Join(dir, n), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestLook(t *testing.T) {
	t.Parallel()
	archive, deb := name+".tar.gz", name+".deb"
	files := map[string][]byte{archive: pack(t, programs()...), deb: []byte("a package")}
	dir := lay(t, files, archive, deb)
	found, err := Look(t.Context(), filepath.Join(dir, archive))
	if err != nil || len(found) != 1 || found[0].Sum != Matches || found[0].Version != "1.2.3" || found[0].System != "linux" || found[0].Arch != "amd64" {
		t.Errorf("%+v, %v", found, err)
	}
	if err := os.Remove(filepath.Join(dir, deb)); err != nil {
		t.Fatal(err)
	}
	found, err = Look(t.Context(), filepath.Join(dir, SumsName))
	if err != nil || len(found) != 2 || found[0].Sum != Matches || found[1].Sum != Unknown || found[1].SHA256 != "" {
		t.Errorf("%+v, %v", found, err)
	}
	alone := lay(t, map[string][]byte{archive: files[archive]})
	if found, err = Look(t.Context(), filepath.Join(alone, archive)); err != nil || found[0].Sum != Unknown {
		t.Errorf("%+v, %v", found, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Look(ctx, filepath.Join(dir, archive)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestLookRefuses(t *testing.T) {
	t.Parallel()
	archive := name + ".tar.gz"
	whole := pack(t, programs()...)
	var many []tar.Header
	for i := range maxEntries + 1 {
		many = append(many, tar.Header{Name: fmt.Sprintf("%s/share/%d", name, i)})
	}
	for what, tt := range map[string]struct {
		data []byte
		why  string
	}{
		"cut":         {whole[:len(whole)-30], "can't be unpacked"},
		"damaged":     {append(bytes.Clone(whole[:len(whole)-6]), 1, 2, 3, 4, 5, 6), "can't be unpacked"},
		"no archive":  {[]byte("hello"), "can't be unpacked"},
		"empty":       {nil, "can't be unpacked"},
		"no program":  {pack(t, programs()[:1]...), "does not hold bin/Recollect"},
		"renamed":     {pack(t, tar.Header{Name: "recollect-1.2.2-linux-amd64/bin/recollect"}), "does not belong"},
		"above":       {pack(t, programs(tar.Header{Name: name + "/../x"})...), "does not belong"},
		"absolute":    {pack(t, programs(tar.Header{Name: "/etc/passwd"})...), "does not belong"},
		"twice":       {pack(t, programs(programs()[0])...), "does not belong"},
		"link":        {pack(t, programs(tar.Header{Name: name + "/x", Typeflag: tar.TypeSymlink, Linkname: "/etc"})...), "no plain file"},
		"device":      {pack(t, programs(tar.Header{Name: name + "/x", Typeflag: tar.TypeChar})...), "no plain file"},
		"folder":      {pack(t, programs(tar.Header{Name: name + "/x/", Typeflag: tar.TypeDir})...), "no plain file"},
		"characters":  {pack(t, programs(tar.Header{Name: "\x1b[31m\u202e"})...), "does not belong"},
		"many":        {pack(t, programs(many...)...), "more than 2000 files"},
		"much inside": {bomb(t), "unpacks to more than"},
	} {
		dir := lay(t, map[string][]byte{archive: tt.data})
		_, err := Look(t.Context(), filepath.Join(dir, archive))
		var refused *Error
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), tt.why) || strings.ContainsAny(err.Error(), "\x1b\u202e") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// bomb is a small archive of much.
func bomb(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	packed, err := gzip.NewWriterLevel(&out, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	w := tar.NewWriter(packed)
	if err := w.WriteHeader(&tar.Header{Name: name + "/bin/recollect", Size: maxUnpacked + 1<<20, Mode: 0o755}); err != nil {
		t.Fatal(err)
	}
	block := make([]byte, 1<<20)
	for range maxUnpacked>>20 + 1 {
		if _, err := w.Write(block); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), packed.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestSums(t *testing.T) {
	t.Parallel()
	deb, zeros := name+".deb", strings.Repeat("0", 64)
	for what, tt := range map[string]struct{ look, sums, why string }{
		"another digest": {deb, zeros + "  " + deb + "\n", "is not whole, or was changed"},
		"no digests":     {deb, "hello\n", "not as sha256sum writes it"},
		"twice":          {SumsName, zeros + "  " + deb + "\n" + zeros + "  " + deb + "\n", "twice"},
		"a path":         {SumsName, zeros + "  ../../etc/passwd\n", "no file of a release"},
		"nothing":        {SumsName, "", "names no file"},
		"stranger":       {"notes.txt", "", "neither a package of Recollect"},
		"too long":       {SumsName, strings.Repeat("x", maxSums+1), "too large"},
	} {
		dir := lay(t, map[string][]byte{deb: []byte("a package"), SumsName: []byte(tt.sums), "notes.txt": nil})
		if _, err := Look(t.Context(), filepath.Join(dir, tt.look)); err == nil || what != "too long" && !strings.Contains(err.Error(), tt.why) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestNewer(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		version, than string
		newer, known  bool
	}{
		{"1.2.3", "1.2.2", true, true}, {"1.2.3", "v1.2.3", false, true}, {"1.10.0", "1.9.0", true, true},
		{"1.2.3", "1.2.3-rc.1", true, true}, {"1.2.2", "1.2.3", false, true}, {"1.2.3", "dev", false, false},
	} {
		if newer, known := Newer(tt.version, tt.than); newer != tt.newer || known != tt.known {
			t.Errorf("%+v: %t, %t", tt, newer, known)
		}
	}
}
