package service

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"recollect/internal/atomicfile"
	"recollect/internal/config"
	"recollect/internal/safefile"
)

// record is what has to be known to leave nothing behind.
type record struct {
	Program string   `json:"program,omitempty"` // that an installation starts
	Made    []string `json:"made"`              // folders that were not there before, outer ones first
}

func recordFile(dirs config.Dirs) string { return filepath.Join(dirs.Data, "service-install.json") }

// maxRecord bounds what is read of the file.
const maxRecord = 64 << 10

func readRecord(dirs config.Dirs) record {
	var r record
	if b, _, err := atomicfile.Read(recordFile(dirs), maxRecord); err == nil {
		_ = json.Unmarshal(b, &r) // a broken one is as good as none: folders stay
	}
	return r
}

// remember writes the record before anything else. unit is the folder of what
// the manager reads.
func (i *Installer) remember(program, unit string) error {
	r := readRecord(i.dirs)
	r.Program = program
	for _, dir := range missing(unit, i.dirs.Data, i.dirs.Cache, i.dirs.Config) {
		if !slices.Contains(r.Made, dir) {
			r.Made = append(r.Made, dir)
		}
	}
	return r.write(i.dirs)
}

func (r record) write(dirs config.Dirs) error {
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	if err := safefile.MakePrivate(dirs.Data); err != nil {
		return err
	}
	return atomicfile.Replace(recordFile(dirs), append(b, '\n'), atomicfile.Expect{}, atomicfile.Options{Mode: 0o600})
}

// forget removes the record, and the folders that were made and are empty.
func (i *Installer) forget() error {
	made := readRecord(i.dirs).Made
	return errors.Join(remove(recordFile(i.dirs)), settle(i.dirs, made))
}

// settle removes the folders that were made and are empty. As long as anything of
// ours is in the others, they are kept in mind: they go with it.
func settle(dirs config.Dirs, made []string) error {
	removeEmpty(made)
	if !there(dirs.Config) && !there(dirs.Data) && !there(dirs.Cache) {
		return nil
	}
	made = slices.DeleteFunc(made, func(dir string) bool { return !there(dir) })
	if len(made) == 0 {
		return nil
	}
	return record{Made: append(made, missing(dirs.Data)...)}.write(dirs)
}

// Made notes which folders of the person's a command makes on the way to its own:
// it is called before, and what it returns after. Uninstall takes those away again.
// What can't be noted is left out: such a folder stays.
func Made(getenv func(string) string) (after func()) {
	dirs, err := config.UserDirs(getenv)
	if err != nil {
		return func() {}
	}
	return made(dirs)
}

func made(dirs config.Dirs) (after func()) {
	fresh := missing(dirs.Config, dirs.Data, dirs.Cache)
	return func() {
		r := readRecord(dirs)
		before := len(r.Made)
		for _, dir := range fresh {
			if there(dir) && !slices.Contains(r.Made, dir) {
				r.Made = append(r.Made, dir)
			}
		}
		if len(r.Made) == before {
			return
		}
		for _, dir := range missing(dirs.Data) {
			r.Made = append(r.Made, dir)
		}
		_ = r.write(dirs)
	}
}

// removeEmpty removes those of the folders that hold nothing, inner ones first.
func removeEmpty(dirs []string) {
	for _, dir := range slices.Backward(dirs) {
		if info, err := os.Lstat(dir); err == nil && info.IsDir() && filepath.IsAbs(dir) {
			_ = os.Remove(dir) // one that holds something stays
		}
	}
}

// remove removes a file that may not be there.
func remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// missing lists the folders on the way to dirs that are not there, outer ones
// first.
func missing(dirs ...string) []string {
	var out []string
	for _, dir := range dirs {
		var way []string
		for filepath.IsAbs(dir) && dir != filepath.Dir(dir) {
			if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
				break
			}
			way = append(way, dir)
			dir = filepath.Dir(dir)
		}
		slices.Reverse(way)
		for _, dir := range way {
			if !slices.Contains(out, dir) {
				out = append(out, dir)
			}
		}
	}
	return out
}
