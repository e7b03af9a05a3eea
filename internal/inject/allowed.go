package inject

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"recollect/internal/config"
	"recollect/internal/history"
)

// Link is a target that leads out of the work tree, and where it leads: an
// absolute path behind all links.
type Link struct {
	Target string `json:"target"` // from the work tree's top, with slashes
	Dest   string `json:"dest"`
}

// WaysOut gives the targets that lead out of the work tree to where they
// may be written once a person confirmed it; those in in.Links among them. Nothing
// that lies out of it is opened.
func WaysOut(in Input) ([]Link, error) {
	in.Links = nil
	places, err := locateAll(in)
	var out []Link
	for _, p := range places {
		if link, ok := WayOut(p.err); ok && !slices.Contains(out, link) {
			out = append(out, link)
		}
	}
	return out, err
}

// WayOut gives what a person would confirm, if an error is a refusal of a link out
// of the work tree.
func WayOut(err error) (Link, bool) {
	var r *Refusal
	if !errors.As(err, &r) || r.Problem != Unconfirmed {
		return Link{}, false
	}
	return r.Link, true
}

// allowed says whether a file of the work tree may be written: asked of the name
// that was given and again of the file that it leads to. Its folder is looked at
// too, since a git directory may have any name, and a plug-in's commands lie in
// plain folders.
func (p *place) allowed(rel string) error {
	name := filepath.ToSlash(rel)
	if base := filepath.Base(p.top.Top()); config.DotFolder(base) {
		name = base + "/" + name
	}
	why := config.NeverTarget(name)
	if why == "" {
		why = neverIn(filepath.Dir(p.top.Path(rel)))
	}
	if why != "" {
		return refuse(Never, nil, "can't be a target: "+why)
	}
	return nil
}

// neverAway is allowed for a file out of the work tree.
func neverAway(file string) string {
	name := strings.TrimPrefix(file, filepath.VolumeName(file))
	if why := config.NeverTarget(filepath.ToSlash(name)); why != "" {
		return why
	}
	return neverIn(filepath.Dir(file))
}

func neverIn(dir string) string {
	switch {
	case history.InsideGit(dir):
		return "git's own folder is never written"
	case insidePlugin(dir):
		return "what a plug-in of an assistant brings is run by it"
	}
	return ""
}

// insidePlugin says whether a folder is one of those of an assistant's plug-in in
// which it keeps what it brings.
func insidePlugin(dir string) bool {
	for {
		parent := filepath.Dir(dir)
		if parent == dir {
			return false
		}
		if config.Obeyed(filepath.Base(dir)) {
			for _, name := range []string{".claude-plugin", ".codex-plugin", ".cursor-plugin"} {
				if _, err := os.Lstat(filepath.Join(parent, name)); err == nil {
					return true
				}
			}
		}
		dir = parent
	}
}
