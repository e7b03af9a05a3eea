package archive

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Removed is what was taken away to keep to a limit.
type Removed struct {
	Sessions int
	Cited    int // of them: some item came from
	Bytes    int64
}

// Cited names a session that some item of a project came from; the zero one stands
// for all of them, where it is not known.
type Cited struct{ Source, Session string }

// spare is what is made free beyond the limit, so that not every write has to.
const spare = 10 // percent

// Keep takes sessions away until the archives of all projects have at most limit
// bytes: damaged ones first, then those that no item came from, oldest first, then
// the others. cited tells the sessions that the items of a project came from; it
// is asked only if something has to go. Files of a newer version stay.
func (s *Store) Keep(limit int64, cited func(root string) map[Cited]bool) (Removed, error) {
	var gone Removed
	total, err := s.Total()
	if err != nil || total.Bytes <= limit {
		return gone, err
	}
	all, err := s.candidates(cited)
	if err != nil {
		return gone, err
	}
	target := limit - limit/100*spare
	for _, c := range all {
		if total.Bytes <= target {
			break
		}
		if err := os.Remove(c.path); err != nil {
			continue
		}
		total.Bytes -= c.size
		gone.Bytes += c.size
		if !c.damaged {
			gone.Sessions++
		}
		if c.cited {
			gone.Cited++
		}
	}
	return gone, nil
}

// candidate is a file that may go.
type candidate struct {
	path           string
	size           int64
	last           time.Time
	damaged, cited bool
}

// candidates lists what may go, in the order in which it does.
func (s *Store) candidates(cited func(root string) map[Cited]bool) ([]candidate, error) {
	dirs, err := namesIn(s.top)
	if err != nil {
		return nil, err
	}
	var all []candidate
	for _, name := range dirs {
		dir := filepath.Join(s.top, name)
		names, err := namesIn(dir)
		if err != nil {
			continue
		}
		all = append(all, candidatesIn(dir, names, cited)...)
	}
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(-order(a.damaged, b.damaged), order(a.cited, b.cited), a.last.Compare(b.last), cmp.Compare(a.path, b.path))
	})
	return all, nil
}

func candidatesIn(dir string, names []string, cited func(root string) map[Cited]bool) []candidate {
	var all []candidate
	needed := map[string]map[Cited]bool{} // by root
	lent := map[Cited][]Cited{}           // the sessions that have a part here, by who has it
	heads := map[Cited]int{}              // index in all
	for _, name := range names {
		c := candidate{path: filepath.Join(dir, name), damaged: strings.Contains(name, suffix+".damaged")}
		info, err := os.Lstat(c.path)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		c.size = info.Size()
		if c.damaged {
			all = append(all, c)
			continue
		}
		if !strings.HasSuffix(name, suffix) {
			continue
		}
		f, err := open(c.path)
		if err != nil {
			continue // of a newer version; a damaged one is set aside by the next Writer
		}
		h := f.Header
		f.close()
		if needed[h.Project] == nil {
			needed[h.Project] = cited(h.Project)
			if needed[h.Project] == nil {
				needed[h.Project] = map[Cited]bool{}
			}
		}
		me := Cited{h.Source, h.Session}
		c.last, c.cited = h.LastActive, needed[h.Project][me] || needed[h.Project][Cited{}]
		heads[me] = len(all)
		all = append(all, c)
		for _, t := range h.Turns {
			if in := (Cited{h.Source, t.In}); t.In != "" && !slices.Contains(lent[in], me) {
				lent[in] = append(lent[in], me)
			}
		}
	}
	for owner, borrowers := range lent {
		i, ok := heads[owner]
		for _, b := range borrowers {
			if j, there := heads[b]; ok && there && all[j].cited {
				all[i].cited = true
			}
		}
	}
	return all
}

// order sorts false before true.
func order(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
