// Package archive keeps what was said in sessions whose transcripts their
// assistant will remove: so that a person can still look at where an item came
// from. A session is one file, compressed, and holds what package history has of
// it and no more.
//
// It is no history.Source. What is kept here was read already: to extract from it
// again would find nothing, and would turn what was taken out of a memory since
// into something new.
package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/cespare/xxhash/v2"

	"recollect/internal/atomicfile"
	"recollect/internal/safefile"
)

var (
	// ErrNewer says that a newer version of the program wrote a file, which stays
	// as it is.
	ErrNewer = errors.New("the archive was written by a newer version")
	// ErrDamaged says that a file is none that this package wrote.
	ErrDamaged = errors.New("the archived session is damaged")
	// ErrNone says that a session is not archived.
	ErrNone = errors.New("the session is not archived")
)

// Options of a Store. The zero value is what a user wants.
type Options struct {
	// Before, if set, is called before each step of writing, with the file and the
	// step; see atomicfile.Options. Tests use it.
	Before func(file string, step atomicfile.Step) error
}

// Store is the archive of one project in a folder that the archives of all
// projects share. It may be used from several goroutines, and by several
// processes: of two that write one session, one is told fs.ErrExist or
// atomicfile.ErrChanged and has lost nothing.
type Store struct {
	top, dir, root string
	before         func(string, atomicfile.Step) error
}

// New gives the archive of the project at root below the folder top. Nothing is
// made before the first Put.
func New(top, root string, o Options) *Store {
	return &Store{top: top, dir: filepath.Join(top, fmt.Sprintf("%016x", xxhash.Sum64String(root))), root: root, before: o.Before}
}

// suffix ends the name of a session's file.
const suffix = ".jsonl.gz"

// File is where a session is archived, whether or not it is.
func (s *Store) File(source, session string) string {
	sum := sha256.Sum256([]byte(source + "\x00" + session))
	return filepath.Join(s.dir, hex.EncodeToString(sum[:16])+suffix)
}

// maxSessions bounds what is listed of one project.
const maxSessions = 100_000

// files lists the files of sessions in a folder, none if it is not there.
func files(dir string) ([]string, error) {
	names, err := namesIn(dir)
	var out []string
	for _, name := range names {
		if strings.HasSuffix(name, suffix) && !strings.HasPrefix(name, ".") {
			out = append(out, filepath.Join(dir, name))
		}
	}
	return out, err
}

func namesIn(dir string) ([]string, error) {
	entries, err := safefile.ReadDir(dir, maxSessions)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, safefile.ErrTooMany) {
		err = nil
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names, err
}

// setAside renames a damaged file, so that it is kept and not read again.
func setAside(path string) error {
	for i := 1; i < 1000; i++ {
		to := path + ".damaged"
		if i > 1 {
			to = fmt.Sprintf("%s.%d", to, i)
		}
		if _, err := os.Lstat(to); errors.Is(err, fs.ErrNotExist) {
			return os.Rename(path, to)
		}
	}
	return fmt.Errorf("%s: too many damaged ones are kept", path)
}
