package inject

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"recollect/internal/atomicfile"
	"recollect/internal/safefile"
)

// place is where the bytes of a target are.
type place struct {
	target  string          // as asked for
	name    string          // as people know it
	top     safefile.Folder // the work tree's top folder
	folder  safefile.Folder // beneath whose top the file is opened
	base    string          // its name there
	file    string          // behind links, in the case that it has on disk; for people and for comparing
	away    bool            // it is out of the work tree, which the person confirmed
	info    fs.FileInfo     // nil if the file does not exist
	err     error           // why it can't be written
	alias   bool            // the file of an earlier target
	instead string          // if set: why another file gets the block, or did
}

// locateAll finds the places of targets. Of two names for one file, the second
// is left to the first.
func locateAll(in Input) ([]*place, error) {
	var err error
	if in.Top, err = filepath.EvalSymlinks(in.Top); err != nil {
		return nil, err
	}
	var places []*place
	for _, t := range in.Targets {
		p := in.locate(t)
		for _, q := range places {
			if p.err == nil && q.err == nil && same(p, q) {
				p.alias, p.instead = true, "the same file as "+q.target
				break
			}
		}
		places = append(places, p)
	}
	return places, nil
}

func same(p, q *place) bool {
	if p.info == nil || q.info == nil {
		return p.info == nil && q.info == nil && strings.EqualFold(filepath.Clean(p.file), filepath.Clean(q.file))
	}
	return os.SameFile(p.info, q.info)
}

func (in Input) locate(t Target) *place {
	p := &place{target: t.Path, name: t.Name, top: safefile.Beneath(in.Top)}
	p.err = p.find(in.Links)
	return p
}

// find goes from the name to the file, and says why that may not be written.
func (p *place) find(confirmed []Link) error {
	name, err := p.below(p.target)
	if err != nil {
		return err
	}
	if err := p.allowed(name); err != nil {
		return err
	}
	if err := p.resolve(name); err != nil {
		return err
	}
	if err := p.settle(filepath.ToSlash(name), confirmed); err != nil {
		return err
	}
	p.info, err = p.folder.Lstat(p.base)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		p.info = nil
	case err != nil:
		return err
	case !p.info.Mode().IsRegular():
		return refuse(NotAFile, nil, "not a regular file but "+kindOf(p.info.Mode()))
	}
	return nil
}

// below gives a target's path from the work tree's top.
func (p *place) below(path string) (string, error) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(p.top.Top(), path)
	}
	rel, ok := within(p.top.Top(), path)
	if !ok { // the top may have been named through a link
		dir, base := filepath.Split(filepath.Clean(path))
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			rel, ok = within(p.top.Top(), filepath.Join(real, base))
		}
	}
	if !ok || rel == "." {
		return "", refuse(Outside, nil, "not in the project: a target lies below "+p.top.Top())
	}
	return rel, nil
}

// within gives path from dir on, if it lies below it or is it.
func within(dir, path string) (string, bool) {
	rel, err := filepath.Rel(dir, path)
	return rel, err == nil && filepath.IsLocal(rel)
}

// resolve follows the links of a target, which may be on the way or at the end.
func (p *place) resolve(name string) error {
	dir, base := filepath.Split(p.top.Path(name))
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return noFolder(err)
	}
	if rel, ok := within(p.top.Top(), dir); ok {
		if base, err = nameOnDisk(p.top.Sub(rel), base); err != nil {
			return err
		}
	}
	if p.file, err = atomicfile.Resolve(filepath.Join(dir, base)); err != nil {
		return &Refusal{Problem: BadLink, Reason: linkReason(err), Err: err}
	}
	if !isMarkdownName(filepath.Base(p.file)) {
		reason := "not a Markdown file"
		if p.file != p.top.Path(name) {
			reason = "a link to " + p.file + ", which is not a Markdown file"
		}
		return refuse(NotMarkdown, nil, reason)
	}
	return nil
}

// settle says beneath which folder the file is opened: the work tree's top, or its
// own folder if it lies elsewhere and the person confirmed that.
func (p *place) settle(name string, confirmed []Link) error {
	if rel, ok := within(p.top.Top(), p.file); ok {
		p.folder, p.base = p.top.Sub(filepath.Dir(rel)), filepath.Base(rel)
		return p.allowed(rel)
	}
	away, err := filepath.Abs(p.file)
	if err != nil {
		return err
	}
	p.file, p.away = away, true
	p.folder, p.base = safefile.Beneath(filepath.Dir(away)), filepath.Base(away)
	if why := neverAway(away); why != "" {
		return refuse(Never, nil, "a link to "+away+", which can't be a target: "+why)
	}
	if !slices.Contains(confirmed, Link{Target: name, Dest: away}) {
		return &Refusal{Problem: Unconfirmed, Reason: "a link out of the project, to " + away, Link: Link{Target: name, Dest: away}}
	}
	return nil
}

// nameOnDisk finds the file that a person means by a name. On some systems
// claude.md and CLAUDE.md are one file, on others two, and assistants read one
// of them.
func nameOnDisk(dir safefile.Folder, name string) (string, error) {
	names, err := entries(dir)
	if err != nil {
		return "", noFolder(err)
	}
	var found []string
	for _, n := range names {
		if strings.EqualFold(n, name) {
			found = append(found, n)
		}
	}
	switch {
	case len(found) == 0 || slices.Contains(found, name) && len(found) == 1:
		return name, nil
	case len(found) > 1 && !allSame(dir, found):
		slices.Sort(found)
		return "", refuse(Ambiguous, nil, "there are "+strings.Join(found, " and ")+"; keep one of them")
	case slices.Contains(found, name):
		return name, nil
	}
	return found[0], nil
}

func noFolder(err error) error {
	reason := "its folder can't be read"
	switch {
	case errors.Is(err, fs.ErrNotExist):
		reason = "its folder does not exist"
	case errors.Is(err, safefile.ErrTooMany):
		reason = "its folder has too many entries"
	}
	return &Refusal{Problem: NoFolder, Reason: reason, Err: err}
}

// maxEntries bounds the folder that a target lies in.
const maxEntries = 100_000

func entries(dir safefile.Folder) ([]string, error) {
	found, err := dir.ReadDir(maxEntries)
	names := make([]string, 0, len(found))
	for _, e := range found {
		names = append(names, e.Name())
	}
	return names, err
}

// allSame reports whether the names lead to one file, as a link and its target do.
func allSame(dir safefile.Folder, names []string) bool {
	first, err := dir.Stat(names[0])
	if err != nil {
		return false
	}
	for _, n := range names[1:] {
		info, err := dir.Stat(n)
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
func linkText(folder safefile.Folder, src []byte) (string, bool) {
	to := string(src)
	if to == "" || len(to) > 255 || strings.ContainsAny(to, " \t\r\n@<>`") || !isMarkdownName(filepath.Base(to)) || filepath.IsAbs(to) {
		return "", false
	}
	info, err := folder.Stat(filepath.FromSlash(to))
	return to, err == nil && info.Mode().IsRegular()
}
