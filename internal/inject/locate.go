package inject

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"recollect/internal/atomicfile"
)

// place is where the bytes of a target are.
type place struct {
	target  string      // as asked for
	name    string      // as people know it
	file    string      // behind links, in the case that it has on disk
	info    fs.FileInfo // nil if the file does not exist
	err     error       // why it can't be written
	alias   bool        // the file of an earlier target
	instead string      // if set: why another file gets the block, or did
}

// locateAll finds the places of targets. Of two names for one file, the second
// is left to the first.
func locateAll(targets []Target) []*place {
	var places []*place
	for _, t := range targets {
		p := locate(t.Path)
		p.name = t.Name
		for _, q := range places {
			if p.err == nil && q.err == nil && same(p, q) {
				p.alias, p.instead = true, "the same file as "+q.target
				break
			}
		}
		places = append(places, p)
	}
	return places
}

func same(p, q *place) bool {
	if p.info == nil || q.info == nil {
		return p.info == nil && q.info == nil && strings.EqualFold(filepath.Clean(p.file), filepath.Clean(q.file))
	}
	return os.SameFile(p.info, q.info)
}

func locate(path string) *place {
	p := &place{target: path}
	file, err := nameOnDisk(path)
	if err != nil {
		p.err = err
		return p
	}
	p.file, err = atomicfile.Resolve(file)
	if err != nil {
		p.err = &Refusal{Problem: BadLink, Reason: linkReason(err), Err: err}
		return p
	}
	p.info, err = os.Lstat(p.file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		p.info = nil
	case err != nil:
		p.err = err
		return p
	case !p.info.Mode().IsRegular():
		p.err = refuse(NotAFile, nil, "not a regular file but "+kindOf(p.info.Mode()))
		return p
	}
	if !isMarkdownName(filepath.Base(p.file)) {
		reason := "not a Markdown file"
		if p.file != file {
			reason = "a link to " + p.file + ", which is not a Markdown file"
		}
		p.err = refuse(NotMarkdown, nil, reason)
	}
	return p
}

// nameOnDisk finds the file that a person means by path. On some systems
// claude.md and CLAUDE.md are one file, on others two, and assistants read one
// of them.
func nameOnDisk(path string) (string, error) {
	dir, name := filepath.Split(path)
	names, err := entries(dir)
	if err != nil {
		reason := "its folder can't be read"
		if errors.Is(err, fs.ErrNotExist) {
			reason = "its folder does not exist"
		}
		return "", &Refusal{Problem: NoFolder, Reason: reason, Err: err}
	}
	var found []string
	for _, n := range names {
		if strings.EqualFold(n, name) {
			found = append(found, n)
		}
	}
	switch {
	case len(found) == 0:
		return path, nil
	case len(found) > 1 && !allSame(dir, found):
		slices.Sort(found)
		return "", refuse(Ambiguous, nil, "there are "+strings.Join(found, " and ")+"; keep one of them")
	case slices.Contains(found, name):
		return path, nil
	}
	return filepath.Join(dir, found[0]), nil
}

func entries(dir string) ([]string, error) {
	if dir == "" {
		dir = "."
	}
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}

// allSame reports whether the names lead to one file, as a link and its target do.
func allSame(dir string, names []string) bool {
	first, err := os.Stat(filepath.Join(dir, names[0]))
	if err != nil {
		return false
	}
	for _, n := range names[1:] {
		info, err := os.Stat(filepath.Join(dir, n))
		if err != nil || !os.SameFile(first, info) {
			return false
		}
	}
	return true
}

func linkReason(err error) string {
	switch {
	case errors.Is(err, atomicfile.ErrLoop):
		return "a symbolic link that leads in a circle"
	case errors.Is(err, atomicfile.ErrDangling):
		return "a symbolic link to a file that does not exist"
	}
	return "a symbolic link that can't be followed"
}

func kindOf(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a folder"
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	}
	return "something else"
}

// isMarkdownName keeps the block, which is Markdown, out of sources and
// settings; a link in a cloned project may lead to any file of the person's.
func isMarkdownName(name string) bool {
	switch strings.ToLower(filepath.Ext(strings.TrimPrefix(name, "."))) {
	case ".md", ".mdc", ".markdown", ".txt":
		return true
	case "":
		return strings.HasSuffix(strings.ToLower(name), "rules") // .cursorrules and its like
	}
	return false
}

// linkText reports what a file stands for that is a symbolic link of git's,
// checked out as text where links are not supported: nothing but the path of
// another file. A block in it would break the link for everybody else.
func linkText(file string, src []byte) (string, bool) {
	to := string(src)
	if to == "" || len(to) > 255 || strings.ContainsAny(to, " \t\r\n@<>`") || !isMarkdownName(filepath.Base(to)) || filepath.IsAbs(to) {
		return "", false
	}
	info, err := os.Stat(filepath.Join(filepath.Dir(file), filepath.FromSlash(to)))
	return to, err == nil && info.Mode().IsRegular()
}
