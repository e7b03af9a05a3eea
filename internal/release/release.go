// Package release looks at the files of a release that a person has: of which version
// they are, for which system, and whether they are whole. It asks nobody else, and
// unpacks nothing.
package release

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/mod/semver"

	"recollect/internal/printable"
	"recollect/internal/safefile"
)

// SumsName is the name of the file that has the digests of a release.
const SumsName = "SHA256SUMS"

// Limits of what is read.
const (
	maxFile  = 1 << 30 // bytes of a package
	maxSums  = 64 << 10
	maxLines = 200
)

// Sum is what is known of a file's digest.
type Sum string

// What a digest may be.
const (
	Matches Sum = "matches" // it is the one that SHA256SUMS beside it names
	Unknown Sum = "unknown" // there is no SHA256SUMS beside it, or the file is not in it
)

// File is a file of a release.
type File struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	System  string `json:"system"` // as Go calls it: "linux"
	Arch    string `json:"arch"`   // "amd64"
	Sum     Sum    `json:"sum"`
	SHA256  string `json:"sha256,omitempty"` // of what is here
}

// Error says why a file is not taken for one of a release, or not for a whole one.
type Error struct {
	File string
	Why  string
	// Foreign says that it is no file of a release at all.
	Foreign bool
}

// Error implements error.
func (e *Error) Error() string { return printable.Line(e.File, 200) + ": " + e.Why }

func refuse(file, why string, args ...any) error {
	return &Error{File: file, Why: fmt.Sprintf(why, args...)}
}

var form = regexp.MustCompile(`^recollect-([0-9][0-9A-Za-z.+-]{0,63})-(linux|windows|darwin)-(amd64|arm64)(\.deb|\.rpm|\.tar\.gz|-setup\.exe)$`)

// named takes a file's name apart.
func named(name string) (File, bool) {
	m := form.FindStringSubmatch(name)
	if m == nil || !semver.IsValid("v"+m[1]) {
		return File{}, false
	}
	return File{Name: name, Version: m[1], System: m[2], Arch: m[3], Sum: Unknown}, true
}

// Look looks at one file: a package, an archive, or SHA256SUMS, which stands for all
// files that it names; those beside it are checked. Errors are *Error, or of reading.
func Look(ctx context.Context, path string) ([]File, error) {
	name := filepath.Base(path)
	if name == SumsName {
		return lookAtAll(ctx, path)
	}
	f, ok := named(name)
	if !ok {
		return nil, &Error{name, "is neither a package of Recollect, whose name says version and system, nor " + SumsName, true}
	}
	sums, _, err := readSums(ctx, filepath.Join(filepath.Dir(path), SumsName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err := f.check(ctx, path, sums[name]); err != nil {
		return nil, err
	}
	return []File{f}, nil
}

func lookAtAll(ctx context.Context, path string) ([]File, error) {
	sums, names, err := readSums(ctx, path)
	if err != nil {
		return nil, err
	}
	var files []File
	for _, name := range names {
		f, ok := named(name)
		if !ok {
			return nil, refuse(SumsName, "names %s, which is no file of a release", printable.Quote(name, 100))
		}
		err := f.check(ctx, filepath.Join(filepath.Dir(path), name), sums[name])
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		files = append(files, f)
	}
	if len(files) == 0 {
		return nil, refuse(SumsName, "names no file")
	}
	return files, nil
}

// readSums reads the digests by name, and the names in order.
func readSums(ctx context.Context, path string) (map[string]string, []string, error) {
	data, _, err := safefile.Read(ctx, path, maxSums)
	if err != nil {
		return nil, nil, err
	}
	sums := map[string]string{}
	var names []string
	for line := range strings.Lines(string(data)) {
		sum, name, ok := strings.Cut(strings.TrimRight(line, "\r\n"), "  ")
		raw, err := hex.DecodeString(sum)
		if !ok || err != nil || len(raw) != sha256.Size || name == "" || sums[name] != "" {
			return nil, nil, refuse(SumsName, "is not as sha256sum writes it, or names a file twice")
		}
		if sums[name] = strings.ToLower(sum); len(sums) > maxLines {
			return nil, nil, refuse(SumsName, "names more than %d files", maxLines)
		}
		names = append(names, name)
	}
	return sums, names, nil
}

// check looks at the file itself; want is the digest that it should have, if that is
// known.
func (f *File) check(ctx context.Context, path, want string) error {
	file, _, err := safefile.Open(path, maxFile)
	if err != nil {
		return err
	}
	defer file.Close()
	digest := sha256.New()
	if _, err := io.Copy(digest, io.LimitReader(reader{ctx, file}, maxFile+1)); err != nil {
		return err
	}
	f.SHA256 = hex.EncodeToString(digest.Sum(nil))
	if want != "" && want != f.SHA256 {
		return refuse(f.Name, "is not whole, or was changed: its SHA-256 is %s, and %s says %s", f.SHA256, SumsName, want)
	}
	if want != "" {
		f.Sum = Matches
	}
	top, ok := strings.CutSuffix(f.Name, ".tar.gz")
	if !ok {
		return nil
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return list(f.Name, top, reader{ctx, file})
}

// reader ends when its context does.
type reader struct {
	ctx context.Context
	io.Reader
}

// Read implements io.Reader.
func (r reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}

// Newer says whether a version is newer than another one; known is false where they
// can't be compared, as that of a build from a work tree.
func Newer(version, than string) (newer, known bool) {
	a, b := "v"+strings.TrimPrefix(version, "v"), "v"+strings.TrimPrefix(than, "v")
	if !semver.IsValid(a) || !semver.IsValid(b) {
		return false, false
	}
	return semver.Compare(a, b) > 0, true
}
