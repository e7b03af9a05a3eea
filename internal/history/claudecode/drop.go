package claudecode

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"recollect/internal/safefile"
)

// staleIndex is how old a half-written index file is that nobody writes any more.
const staleIndex = time.Hour

// DropIndex deletes what is kept in dir about transcripts, so that they are read
// anew, and returns how many of them something was kept about. What a crash left
// half written goes, too.
func DropIndex(dir string, transcripts []string) (int, error) {
	n := 0
	var errs []error
	for _, path := range transcripts {
		switch err := os.Remove(indexFile(dir, path)); {
		case err == nil:
			n++
		case !errors.Is(err, fs.ErrNotExist):
			errs = append(errs, err)
		}
	}
	left, err := safefile.Match(dir, "new-*.idx", maxFolder)
	errs = append(errs, err)
	for _, path := range left {
		info, err := os.Lstat(path)
		if err == nil && time.Since(info.ModTime()) > staleIndex {
			err = os.Remove(path)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return n, errors.Join(errs...)
}
