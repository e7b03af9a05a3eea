package engine

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"recollect/internal/safefile"
)

// mayWrite refuses a folder that is no project, and a project in whose folders
// somebody else can write, before anything is written there: whoever can, decides what is remembered, and what
// root makes in another's folder they could no longer change. Everything that
// writes into a project asks it, most of it by taking a lock. The error is a
// *wideError or a *safefile.OthersError.
func (e *Engine) mayWrite() error {
	if e.TooWide() {
		return &wideError{e.project.Root}
	}
	return e.isMine()
}

// isMine is mayWrite without regard to what the folder is.
func (e *Engine) isMine() error {
	for _, folder := range []string{e.project.Root, e.path()} {
		err := safefile.CheckOthers(folder)
		var others *safefile.OthersError
		if errors.As(err, &others) && e.trusted(folder) {
			continue
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// trusted says whether the person named a folder, or one that it is in, in their
// own settings.
func (e *Engine) trusted(folder string) bool {
	for _, safe := range e.settings().Safe.Folders { // a project's never count
		if real, err := filepath.EvalSymlinks(safe); err == nil {
			safe = real
		}
		rel, err := filepath.Rel(safe, folder)
		if err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(os.PathSeparator)) {
			return true
		}
	}
	return false
}

func explainOthers(o *safefile.OthersError) Problem {
	p := Problem{Code: "refused", Exit: ExitRefused,
		Hint: "nothing was written; what is there can be read. If you trust who can write there, put the folder into safe.folders of your own settings: recollect config set safe.folders " + o.Folder + " --user"}
	if o.Root {
		p.Hint = "nothing was written; run it as that user. For a container whose folders belong to another user: recollect config set safe.folders " + o.Folder + " --user"
	}
	return p
}
