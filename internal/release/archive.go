package release

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"

	"recollect/internal/printable"
)

// Limits of an archive. A real one has some thirty files and 100 MB.
const (
	maxEntries  = 2000
	maxUnpacked = 1 << 30
	maxName     = 300
)

// list goes through an archive: plain files below one folder that has the archive's
// name, the two programs among them.
func list(file, top string, in io.Reader) error {
	packed, err := gzip.NewReader(in)
	if err != nil {
		return unreadable(file, err)
	}
	most := &io.LimitedReader{R: packed, N: maxUnpacked}
	found := map[string]bool{}
	for r := tar.NewReader(most); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if most.N <= 0 {
			return refuse(file, "unpacks to more than %d bytes", maxUnpacked)
		}
		if err != nil {
			return unreadable(file, err)
		}
		rel, below := strings.CutPrefix(h.Name, top+"/")
		switch {
		case len(found) >= maxEntries:
			return refuse(file, "holds more than %d files", maxEntries)
		case h.Typeflag != tar.TypeReg:
			return refuse(file, "holds %s, which is no plain file", printable.Quote(h.Name, 100))
		case !below, len(h.Name) > maxName, !fs.ValidPath(h.Name), path.Clean(rel) != rel, strings.ContainsAny(h.Name, "\\:"), found[rel]:
			return refuse(file, "holds %s, which does not belong there", printable.Quote(h.Name, 100))
		}
		found[rel] = true
		if _, err := io.Copy(io.Discard, r); err != nil {
			if most.N <= 0 {
				return refuse(file, "unpacks to more than %d bytes", maxUnpacked)
			}
			return unreadable(file, err)
		}
	}
	// What follows the last entry may be padding, and the checksum of gzip is read.
	if _, err := io.Copy(io.Discard, most); err != nil {
		return unreadable(file, err)
	}
	if most.N <= 0 {
		return refuse(file, "unpacks to more than %d bytes", maxUnpacked)
	}
	for _, program := range []string{"bin/recollect", "bin/Recollect"} {
		if !found[program] {
			return refuse(file, "does not hold %s", program)
		}
	}
	return nil
}

func unreadable(file string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return refuse(file, "can't be unpacked: %s", printable.Line(err.Error(), 200))
}
