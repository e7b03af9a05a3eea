package claudecode

import (
	"errors"
	"io/fs"
	"os"
)

// DropIndex deletes what is kept in dir about transcripts, so that they are read
// anew, and returns how many of them something was kept about.
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
	return n, errors.Join(errs...)
}
