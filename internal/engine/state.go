package engine

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"recollect/internal/atomicfile"
	"recollect/internal/history"
	"recollect/internal/memory"
	"recollect/internal/safefile"
)

// What this machine writes for itself about a project is its state. It lies in the
// person's data folder, in projects/ID, where no clone, pull or archive can put a
// file. The project has only a token that says which ID is its; whoever made the
// token up gets no further than to words that this machine wrote.

// statePlace is the file place.json of a state: whose it is.
type statePlace struct {
	Version int    `json:"version"`
	Root    string `json:"root"`
	Git     string `json:"git,omitempty"` // the common git directory
	// Former are the roots that the project had, the last one first: what was said
	// there is its history.
	Former []string `json:"former,omitempty"`
}

// maxFormer bounds them.
const maxFormer = 100

const (
	placeName    = "place.json"
	placeVersion = 1
	maxPlace     = 64 << 10
	tokenBytes   = 16
	maxToken     = 64
	stateTries   = 5
)

// localDir is the part of the memory folder that is not committed. Earlier versions
// kept the state there.
const localDir = "local"

// states is where the states of all projects are.
type states struct{ dir string }

func statesOf(data string) states { return states{filepath.Join(data, "projects")} }

func (s states) folder(id string) safefile.Folder { return safefile.Beneath(filepath.Join(s.dir, id)) }

// tokenFile is a file that says which state is a project's.
type tokenFile struct {
	in   safefile.Folder
	name string
}

// tokenFiles are where a project's token may be, the best place first: git's
// common directory is never transported, is shared by work trees and moves with the
// folder. A project that is a part of a repository has its own there.
func tokenFiles(p history.Project) []tokenFile {
	out := []tokenFile{{safefile.Beneath(p.Root).Sub(history.MemoryDir, localDir), "id"}}
	if p.GitCommonDir == "" {
		return out
	}
	name := "id"
	if rel, err := filepath.Rel(filepath.Dir(p.GitCommonDir), p.Root); err != nil || rel != "." {
		sum := sha256.Sum256([]byte(filepath.ToSlash(rel)))
		name += "-" + hex.EncodeToString(sum[:8])
	}
	return append([]tokenFile{{safefile.Beneath(p.GitCommonDir).Sub("recollect"), name}}, out...)
}

// read gives the token, "" if there is none.
func (f tokenFile) read() string {
	data, _, err := f.in.Read(context.Background(), f.name, maxToken)
	if err != nil {
		return ""
	}
	return parseToken(data)
}

// parseToken gives the token that a file holds, "" if it is none.
func parseToken(data []byte) string {
	token := strings.TrimSuffix(string(data), "\n")
	if raw, err := hex.DecodeString(token); err != nil || len(raw) != tokenBytes || hex.EncodeToString(raw) != token {
		return ""
	}
	return token
}

// write puts a token in the place of what is there. It fails with
// atomicfile.ErrChanged if that is one that counts: another process was first.
func (f tokenFile) write(token string, counts func(token string) bool) error {
	expect := atomicfile.Absent()
	if data, _, err := f.in.Read(context.Background(), f.name, maxToken); err == nil {
		if counts(parseToken(data)) {
			return atomicfile.ErrChanged
		}
		expect = atomicfile.Content(atomicfile.SumOf(data))
	} else if errors.Is(err, safefile.ErrTooLarge) {
		expect = atomicfile.Expect{} // it is no token of ours
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := f.in.Make(0o755); err != nil {
		return err
	}
	return atomicfile.ReplaceIn(f.in, f.name, []byte(token+"\n"), expect, atomicfile.Options{})
}

// place reads whose a state is; the zero one if there is no such state.
func (s states) place(id string) (statePlace, atomicfile.Sum) {
	var p statePlace
	data, sum, _, err := atomicfile.ReadIn(s.folder(id), placeName, maxPlace)
	if err != nil || json.Unmarshal(data, &p) != nil || p.Version < placeVersion || !filepath.IsAbs(p.Root) {
		return statePlace{}, sum
	}
	return p, sum
}

// foundState is what a project's tokens lead to.
type foundState struct {
	id     string   // "": it has no state yet
	moved  bool     // the folder had another place when the state was written last
	newer  bool     // a newer version wrote down where
	former []string // roots that the project had
	sum    atomicfile.Sum
}

// find gives the state of a project. It writes nothing.
func (s states) find(p history.Project) foundState {
	for _, f := range tokenFiles(p) {
		id := f.read()
		if id == "" {
			continue
		}
		at, sum := s.place(id)
		switch {
		case at.Root == "":
		case at.Root == p.Root:
			return foundState{id: id, sum: sum, former: at.Former}
		case !stillThere(at, id, f):
			return foundState{id: id, moved: true, newer: at.Version > placeVersion, sum: sum, former: formerRoots(at, p.Root)}
		}
	}
	return foundState{}
}

// of gives the folder of a project's state; one that is not there, if it has none.
func (s states) of(p history.Project) safefile.Folder {
	if found := s.find(p); found.id != "" {
		return s.folder(found.id)
	}
	return s.folder(noState)
}

// noState is no token: no state has that name.
const noState = "none"

// formerRoots are the roots that a project had which is at root now.
func formerRoots(at statePlace, root string) []string {
	all := append([]string{at.Root}, at.Former...)
	all = slices.DeleteFunc(all, func(r string) bool { return r == root || !filepath.IsAbs(r) })
	return all[:min(len(all), maxFormer)]
}

// stillThere says whether the folder that a state was written for is where it was
// and still has the state's token, so that one that has it too is a copy. One that
// is reached by another name has the same file.
func stillThere(at statePlace, id string, here tokenFile) bool {
	now, err := here.in.Stat(here.name)
	if err != nil {
		return true
	}
	for _, f := range tokenFiles(history.Project{Root: at.Root, GitCommonDir: at.Git}) {
		if f.read() != id {
			continue
		}
		if then, err := f.in.Stat(f.name); err == nil && !os.SameFile(now, then) {
			return true
		}
	}
	return false
}

// make gives a project the state id, which nobody has yet, or takes the one that
// was found to be moved along. It fails with atomicfile.ErrChanged if another
// process was at it.
func (s states) make(p history.Project, found foundState, id string) (string, error) {
	data, err := json.Marshal(statePlace{placeVersion, p.Root, p.GitCommonDir, found.former})
	if err != nil {
		return "", err
	}
	o := atomicfile.Options{Mode: 0o600}
	if found.newer {
		return "", fmt.Errorf("%s: %w", s.folder(found.id).Path(placeName), memory.ErrNewer)
	}
	if found.moved {
		return found.id, atomicfile.ReplaceIn(s.folder(found.id), placeName, data, atomicfile.Content(found.sum), o)
	}
	if err := os.MkdirAll(s.folder(id).Top(), 0o700); err != nil {
		return "", err
	}
	err = atomicfile.ReplaceIn(s.folder(id), placeName, data, atomicfile.Absent(), o)
	if err == nil {
		err = s.writeToken(p, id)
	}
	if err != nil {
		_ = s.folder(id).Remove(placeName)
		_ = safefile.Beneath(filepath.Dir(s.folder(id).Top())).Remove(id)
	}
	return id, err
}

// writeToken puts a token into the project. Where git's own directory can't be
// written, it goes into the memory folder.
func (s states) writeToken(p history.Project, id string) error {
	counts := func(token string) bool {
		if token == "" {
			return false
		}
		at, _ := s.place(token)
		return at.Root == p.Root
	}
	var err error
	for _, f := range tokenFiles(p) {
		err = f.write(id, counts)
		if err == nil || !errors.Is(err, fs.ErrPermission) && !errors.Is(err, syscall.EROFS) && !errors.Is(err, safefile.ErrOutside) {
			return err
		}
	}
	return err
}

// newToken gives one that nobody has.
func newToken() string {
	var b [tokenBytes]byte
	_, _ = rand.Read(b[:]) // it never fails
	return hex.EncodeToString(b[:])
}

// state is the folder of what this machine wrote for itself about the project. It
// need not be there: then there is nothing to read, and makeState comes before the
// first write. What it gives may be another folder afterwards.
func (e *Engine) state() safefile.Folder {
	e.stateMu.Lock()
	defer e.stateMu.Unlock()
	if e.stateID == "" {
		e.stateID = e.states().find(e.project).id
	}
	if e.stateID == "" {
		return e.states().folder(e.nextState())
	}
	return e.states().folder(e.stateID)
}

func (e *Engine) states() states { return statesOf(e.dirs.Data) }

// nextState is the id that the project gets if it has none.
func (e *Engine) nextState() string {
	if e.newState == "" {
		e.newState = newToken()
	}
	return e.newState
}

// former gives the roots that the project had before it was moved, and where
// nothing is now.
func (e *Engine) former() []string {
	return slices.DeleteFunc(e.states().find(e.project).former, isFolder)
}

// hasState says whether this machine wrote anything about the project.
func (e *Engine) hasState() bool { return e.state().IsDir() }

// makeState makes the project's state, if there is none, and notes where the
// project is. Every call that writes begins with it; where nothing was found that
// makes the folder a project, it makes none of it.
func (e *Engine) makeState() error {
	if e.project.GitCommonDir == "" && !e.hasMemoryFolder() {
		return errNoProject
	}
	e.stateMu.Lock()
	defer e.stateMu.Unlock()
	for try := 1; ; try++ {
		found := e.states().find(e.project)
		if found.id != "" && !found.moved {
			e.stateID = found.id
			return nil
		}
		id, err := e.states().make(e.project, found, e.nextState())
		if err == nil {
			e.stateID, e.newState = id, ""
			return nil
		}
		if !errors.Is(err, atomicfile.ErrChanged) || try == stateTries {
			return err
		}
		e.newState = ""
	}
}
