package memory

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"recollect/internal/atomicfile"
	"recollect/internal/safefile"
)

// PackOptions say what is old. The zero value packs nothing.
type PackOptions struct {
	// Items that were superseded or removed before it are packed; zero: none.
	Items time.Time
	// Versions saved before it are packed, but for the newest KeepVersions; zero:
	// none.
	Versions     time.Time
	KeepVersions int
	// DryRun counts and writes nothing.
	DryRun bool
}

// Packed is what a Pack did.
type Packed struct {
	Items    int // whose lines were shortened
	Versions int
}

const archivedExt = ".gz"

// ErrArchive says that a file of the archive can't be read.
var ErrArchive = errors.New("the archive is damaged")

func (s *Store) archiveDir() safefile.Folder { return s.local().Sub("archive") }

// archivedItems is the file with the whole lines of items that were shortened.
func (s *Store) archivedItems(branch string) file {
	return file{s.archiveDir(), FileStem(branch) + itemsExt + archivedExt}
}

func (s *Store) archivedVersionFile(branch string, n int) file {
	return file{s.archiveDir().Sub(FileStem(branch)), fmt.Sprintf("%06d%s%s", n, versionExt, archivedExt)}
}

// Pack moves what a memory hardly needs any more into the archive, compressed.
//
//   - Of an item that has not been part of the memory for long, the whole line is
//     copied there; what stays is what keeps the item out: its content, its state,
//     what replaced it, and when and where it was said last.
//   - Old versions move there; LoadVersion and Restore read them as before.
//
// No active item is touched, no item leaves the memory, and nothing is shortened
// or removed before the archive has it. Packing again does nothing.
func (s *Store) Pack(ctx context.Context, branch string, o PackOptions) (Packed, error) {
	p, err := s.pack(ctx, branch, o)
	return p, named(branch, err)
}

func (s *Store) pack(ctx context.Context, branch string, o PackOptions) (Packed, error) {
	if has, err := s.Has(branch); err != nil || !has {
		return Packed{}, err
	}
	if o.DryRun {
		st, d, err := s.load(branch)
		if err != nil {
			return Packed{}, err
		}
		return s.packLoaded(branch, st, d, o)
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return Packed{}, err
	}
	defer unlock()
	st, d, err := s.loadLocked(branch)
	if err != nil {
		return Packed{}, err
	}
	return s.packLoaded(branch, st, d, o)
}

func (s *Store) packLoaded(branch string, st state, d onDisk, o PackOptions) (p Packed, err error) {
	if st.lines.newer() {
		return Packed{}, ErrNewer
	}
	if p.Items, err = s.packItems(branch, st, d, o); err != nil {
		return p, err
	}
	if o.DryRun && p.Items > 0 {
		o.KeepVersions-- // the save would have made one more
	}
	p.Versions, err = s.packVersions(branch, o)
	return p, err
}

func (s *Store) packItems(branch string, st state, d onDisk, o PackOptions) (int, error) {
	m := st.memory
	m.Items = slices.Clone(m.Items)
	var whole [][]byte
	for i, it := range m.Items {
		if it.State == Active || it.Pinned || !it.Updated.Before(o.Items) {
			continue
		}
		short := shortened(it)
		if sameItem(it, short) {
			continue
		}
		line, err := marshal(it)
		if err != nil {
			return 0, err
		}
		whole = append(whole, line)
		m.Items[i] = short
	}
	if len(whole) == 0 || o.DryRun {
		return len(whole), nil
	}
	if err := s.archiveLines(branch, whole); err != nil {
		return 0, err
	}
	_, _, err := s.saveLocked(m, st, d, nil)
	return len(whole), err
}

// shortened is what stays of an item that left the memory long ago. A person's
// origin stays: it says who took it out or wrote it.
func shortened(it Item) Item {
	it.Rationale = ""
	last := len(it.Origins) - 1
	var keep []Origin
	for i, o := range it.Origins {
		if i == last || o.Extractor == Person {
			keep = append(keep, o)
		}
	}
	it.Origins = keep
	return it
}

// archiveLines adds lines to a branch's archive of items, each once.
func (s *Store) archiveLines(branch string, lines [][]byte) error {
	f := s.archivedItems(branch)
	old, was, err := readArchived(f)
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for l := range bytes.Lines(old) {
		known[string(bytes.TrimSpace(l))] = true
	}
	all := bytes.Clone(old)
	for _, l := range lines {
		if !known[string(l)] {
			all = append(append(all, l...), '\n')
		}
	}
	if len(all) == len(old) {
		return nil
	}
	if len(all) > maxFile {
		return fmt.Errorf("%s: %w", f.path(), atomicfile.ErrTooLarge)
	}
	return s.putArchived(f, all, was)
}

func (s *Store) putArchived(f file, data, was []byte) error {
	if err := f.folder().Make(0o700); err != nil {
		return err
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(data); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return s.replace(f, b.Bytes(), was)
}

// readArchived gives a file of the archive as it was and as it is stored; nil, if
// there is none.
func readArchived(f file) (data, stored []byte, err error) {
	stored, _, err = readFile(f)
	if err != nil || stored == nil {
		return nil, nil, err
	}
	z, err := gzip.NewReader(bytes.NewReader(stored))
	if err == nil {
		data, err = io.ReadAll(io.LimitReader(z, 2*maxFile+1))
	}
	if err == nil && len(data) > 2*maxFile {
		err = atomicfile.ErrTooLarge
	}
	if err != nil {
		return nil, stored, fmt.Errorf("%s: %w: %w", f.path(), ErrArchive, err)
	}
	return data, stored, nil
}

// Archived gives the items of a branch as they were before they were shortened,
// the oldest first.
func (s *Store) Archived(branch string) ([]Item, error) {
	data, _, err := readArchived(s.archivedItems(branch))
	if err != nil {
		return nil, named(branch, err)
	}
	var out []Item
	for l := range bytes.Lines(data) {
		if it, err := decodeItem(bytes.TrimSpace(l)); err == nil && it.ID != "" {
			out = append(out, it)
		}
	}
	return out, nil
}

// packVersions moves old versions into the archive.
func (s *Store) packVersions(branch string, o PackOptions) (int, error) {
	ns, err := s.numbers(branch)
	if err != nil || o.Versions.IsZero() {
		return 0, err
	}
	packed := 0
	for _, n := range ns[:max(len(ns)-max(o.KeepVersions, 1), 0)] {
		data, _, err := readFile(s.versionFile(branch, n))
		if err != nil {
			return packed, err
		}
		h, _, err := decodeVersion(data)
		if err != nil || !h.Saved.Before(o.Versions) {
			continue // a damaged one stays where it is
		}
		if !o.DryRun {
			if err := s.packVersion(branch, n, data); err != nil {
				return packed, err
			}
		}
		packed++
	}
	return packed, nil
}

func (s *Store) packVersion(branch string, n int, data []byte) error {
	f := s.archivedVersionFile(branch, n)
	was, stored, err := readArchived(f)
	if err != nil && !errors.Is(err, ErrArchive) {
		return err
	}
	if !bytes.Equal(was, data) {
		if err := s.putArchived(f, data, stored); err != nil {
			return err
		}
	}
	if s.before != nil {
		if err := s.before(s.versionFile(branch, n).name, atomicfile.StepRename); err != nil {
			return err
		}
	}
	if err := s.versionFile(branch, n).remove(); err != nil {
		return err
	}
	return atomicfile.SyncFolderIn(s.historyDir(branch))
}

func (s *Store) archivedVersion(branch string, n int) ([]byte, error) {
	data, stored, err := readArchived(s.archivedVersionFile(branch, n))
	if err == nil && stored == nil {
		err = ErrNoVersion
	}
	return data, err
}

// archivedNumbers returns the numbers of the versions in the archive, ascending.
func (s *Store) archivedNumbers(branch string) ([]int, error) {
	return versionNumbers(s.archiveDir().Sub(FileStem(branch)), versionExt+archivedExt)
}

// SetArchiveAside renames a file of the archive that can't be read, so that what
// is packed next has a place. name is as CheckArchive names it.
func (s *Store) SetArchiveAside(name string) error {
	if !filepath.IsLocal(name) {
		return fs.ErrInvalid
	}
	dir := s.archiveDir()
	return dir.Rename(name, asideOf(dir, name))
}

// ArchiveReport tells of a project's archive.
type ArchiveReport struct {
	Items    int
	Versions int
	Damage   []Damage // by path below the archive
}

// CheckArchive reads everything in the archive.
func (s *Store) CheckArchive() (ArchiveReport, error) {
	var r ArchiveReport
	dir := s.archiveDir()
	err := walk(dir, ".", func(path string) error {
		if !strings.HasSuffix(path, archivedExt) || strings.HasPrefix(filepath.Base(path), ".") {
			return nil
		}
		data, _, err := readArchived(file{dir, path})
		version := strings.HasSuffix(path, versionExt+archivedExt)
		if err == nil && version {
			_, _, err = decodeVersion(data)
		}
		switch {
		case err != nil:
			r.Damage = append(r.Damage, Damage{File: path, Why: err.Error()})
		case version:
			r.Versions++
		default:
			r.Items += bytes.Count(data, []byte("\n"))
		}
		return nil
	})
	return r, err
}

// walk calls f for each file in a folder that is two deep, as the archive is.
func walk(dir safefile.Folder, rel string, f func(rel string) error) error {
	entries, err := dir.Sub(rel).ReadDir(maxVersionFiles)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		at := filepath.Join(rel, e.Name())
		switch {
		case err != nil:
		case e.IsDir() && rel == ".":
			err = walk(dir, at, f)
		case !e.IsDir():
			err = f(at)
		}
	}
	return err
}
