package plugin

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"recollect/hostapi"
	"recollect/internal/printable"
	"recollect/internal/safefile"
)

// Bounds of a package.
const (
	maxPackageFile  = 20 << 20 // bytes of a zip file
	maxEntries      = 64
	maxEntryBytes   = 16 << 20
	maxPackageBytes = 32 << 20 // of all entries together
)

// Package is a plug-in as its author ships it, read whole into memory.
type Package struct {
	Manifest hostapi.Manifest
	// SHA256 is a digest, in hexadecimal, over every name and content. It does not
	// depend on whether the package was a folder or a zip file.
	SHA256 string
	files  map[string][]byte // by slash-separated path
}

// ReadPackage reads the folder or .rplug file at name. Errors are *Error.
func ReadPackage(name string) (*Package, error) {
	p, err := readPackage(name)
	if err != nil {
		id := filepath.Base(name)
		if p != nil && p.Manifest.ID != "" {
			id = p.Manifest.ID
		}
		return nil, newError(id, "", KindInvalid, err.Error(), err)
	}
	return p, nil
}

func readPackage(name string) (*Package, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, fmt.Errorf("the package can't be read: %w", err)
	}
	if info.IsDir() {
		return readFolder(safefile.Beneath(name))
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("the package is neither a folder nor a file")
	}
	data, _, err := safefile.Read(context.Background(), name, maxPackageFile)
	if errors.Is(err, safefile.ErrTooLarge) {
		return nil, fmt.Errorf("the package is larger than %d MB", maxPackageFile>>20)
	}
	if err != nil {
		return nil, fmt.Errorf("the package can't be read: %w", err)
	}
	return readZip(data)
}

// readFS reads a package that is part of the program.
func readFS(fsys fs.FS) (*Package, error) {
	return readTree(func(visit fs.WalkDirFunc) error { return fs.WalkDir(fsys, ".", visit) }, fsys.Open)
}

// maxTree bounds what lies in the folder of a package, with what is no part of it.
const maxTree = 10_000

func readFolder(dir safefile.Folder) (*Package, error) {
	return readTree(func(visit fs.WalkDirFunc) error {
		return dir.Walk(context.Background(), maxTree, visit)
	}, func(name string) (fs.File, error) {
		f, _, err := dir.Open(name, safefile.NoLimit)
		return f, err
	})
}

// readTree reads a folder. Names that begin with a dot are not part of a package.
func readTree(walk func(fs.WalkDirFunc) error, open func(name string) (fs.File, error)) (*Package, error) {
	files, total := map[string][]byte{}, int64(0)
	err := walk(func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fmt.Errorf("the package can't be read: %w", err)
		case name == ".":
			return nil
		case strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return nil
		case !d.Type().IsRegular():
			return fmt.Errorf("%s in the package is not a regular file", printable.Quote(name, 100))
		}
		f, err := open(name)
		if err != nil {
			return fmt.Errorf("the package can't be read: %w", err)
		}
		defer f.Close()
		return addEntry(files, &total, filepath.ToSlash(name), f)
	})
	if errors.Is(err, safefile.ErrTooMany) {
		return nil, fmt.Errorf("the package has more than %d entries", maxEntries)
	}
	if err != nil {
		return nil, err
	}
	return assemble(files)
}

func readZip(data []byte) (*Package, error) {
	if len(data) > maxPackageFile {
		return nil, fmt.Errorf("the package is larger than %d MB", maxPackageFile>>20)
	}
	if err := exactly(data); err != nil {
		return nil, err
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, errors.New("the package is not a zip file")
	}
	files, total, folders := map[string][]byte{}, int64(0), []string(nil)
	if len(z.File) > 2*maxEntries {
		return nil, fmt.Errorf("the package has more than %d entries", maxEntries)
	}
	for _, e := range z.File {
		if name, folder := strings.CutSuffix(e.Name, "/"); folder && e.Mode().IsDir() && e.UncompressedSize64 == 0 {
			if !plainName(name) {
				return nil, badName(name)
			}
			folders = append(folders, name)
			continue
		}
		if !e.Mode().IsRegular() {
			return nil, fmt.Errorf("%s in the package is not a regular file", printable.Quote(e.Name, 100))
		}
		if e.UncompressedSize64 > maxEntryBytes {
			return nil, tooLarge(e.Name)
		}
		f, err := e.Open()
		if err != nil {
			return nil, fmt.Errorf("%s in the package can't be read: %w", printable.Quote(e.Name, 100), err)
		}
		err = addEntry(files, &total, e.Name, f)
		f.Close()
		if err != nil {
			return nil, err
		}
	}
	return assemble(files, folders...)
}

func tooLarge(name string) error {
	return fmt.Errorf("%s in the package is larger than %d MB", printable.Quote(name, 100), maxEntryBytes>>20)
}

// addEntry reads one entry within the bounds, whatever its header promises.
func addEntry(files map[string][]byte, total *int64, name string, r io.Reader) error {
	if !plainName(name) {
		return badName(name)
	}
	if _, twice := files[name]; twice {
		return fmt.Errorf("%s is in the package twice", printable.Quote(name, 100))
	}
	if len(files) == maxEntries {
		return fmt.Errorf("the package has more than %d entries", maxEntries)
	}
	data, err := io.ReadAll(io.LimitReader(r, maxEntryBytes+1))
	if err != nil {
		return fmt.Errorf("%s in the package can't be read: %w", printable.Quote(name, 100), err)
	}
	if len(data) > maxEntryBytes {
		return tooLarge(name)
	}
	if *total += int64(len(data)); *total > maxPackageBytes {
		return fmt.Errorf("the package is larger than %d MB unpacked", maxPackageBytes>>20)
	}
	files[name] = data
	return nil
}

// assemble checks a package as a whole. The package that comes with an error has
// its manifest if that could be read.
func assemble(files map[string][]byte, folders ...string) (*Package, error) {
	raw, ok := files[hostapi.ManifestName]
	if !ok {
		return nil, errors.New("the package has no plugin.json")
	}
	m, err := ParseManifest(raw)
	p := &Package{Manifest: m, files: files, SHA256: digest(files)}
	if err != nil {
		if !idForm.MatchString(m.ID) {
			p.Manifest.ID = ""
		}
		return p, err
	}
	if err := distinct(files, folders); err != nil {
		return p, err
	}
	if _, ok := files[hostapi.ModuleName]; !ok && needsCode(m) {
		return p, errors.New("the package has no plugin.wasm")
	}
	return p, nil
}

// needsCode says whether a package with this manifest must hold a module.
func needsCode(m hostapi.Manifest) bool {
	return m.Schema == nil || len(m.Roles) > 1
}

// digest hashes names and contents with their lengths, in the order of names.
func digest(files map[string][]byte) string {
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	h := sha256.New()
	put := func(data []byte) {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(data))))
		h.Write(data)
	}
	for _, name := range names {
		put([]byte(name))
		put(files[name])
	}
	return hex.EncodeToString(h.Sum(nil))
}
