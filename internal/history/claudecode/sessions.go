package claudecode

import (
	"cmp"
	"slices"
	"strings"

	"recollect/internal/history"
)

// makeSessions describes the sessions that have turns.
func (b *builder) makeSessions(usage []counted) {
	byName := map[string]*history.Session{}
	var names []string
	for _, t := range b.view.turns {
		s := byName[t.ref.Session]
		if s == nil {
			s = &history.Session{ID: t.ref.Session, Source: Name, Started: t.ref.Time}
			byName[t.ref.Session] = s
			names = append(names, t.ref.Session)
		}
		s.Turns++
		s.Branches = addNew(s.Branches, t.ref.Branch)
		for _, m := range t.messages {
			p := m.file.places[m.place]
			s.Dirs = addNew(s.Dirs, p.dir)
			s.Files = addNew(s.Files, m.file.path)
			if at := moment(m.at); !at.Before(s.LastActive) {
				s.LastActive = at
				if p.version != "" {
					s.Version = p.version
				}
			}
		}
	}
	b.addUsage(byName, usage)
	titles := b.titles()
	for _, name := range names {
		s := byName[name]
		s.LastActive = later(s.Started, s.LastActive)
		s.Title = titles[name]
	}
	for _, name := range names {
		b.view.sessions = append(b.view.sessions, *byName[name])
	}
}

// entitle gives the sessions that nobody gave a title their first words. It reads
// every such transcript again, so that only those who ask for sessions wait for it.
func (v *view) entitle() {
	byName := map[string]*history.Session{}
	for i := range v.sessions {
		if s := &v.sessions[i]; s.Title == "" {
			byName[s.ID] = s
		}
	}
	for i := range v.turns {
		t := &v.turns[i]
		if s := byName[t.ref.Session]; s != nil && s.Title == "" && t.messages[0].flags&wordsPrompt != 0 {
			s.Title = firstWords(t)
		}
	}
	for _, s := range byName {
		s.Title = cmp.Or(s.Title, s.ID)
	}
}

func addNew(list []string, s string) []string {
	if s == "" || slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// firstWords gives the first line of a turn's first message that is not a
// placeholder, if there is one.
func firstWords(t *turn) string {
	var r reader
	defer r.close()
	m, err := r.message(&t.messages[0])
	if err != nil {
		return ""
	}
	for l := range strings.Lines(m.Text) {
		if l = strings.TrimSpace(l); l != "" && !isPlaceholder(l) {
			return firstLine(l)
		}
	}
	return firstLine(m.Text)
}

// titles gives the sessions' titles: what a person called it before what the
// assistant did, and of each the last.
func (b *builder) titles() map[string]string {
	best := map[string]title{}
	offer := func(session string, t title) {
		if t.rank >= best[session].rank {
			best[session] = t
		}
	}
	var summaries []title
	for _, f := range b.files {
		for _, t := range f.titles {
			if t.rank == titleSummary {
				summaries = append(summaries, t)
			} else {
				offer(t.session, t)
			}
		}
	}
	if len(summaries) > 0 {
		b.offerSummaries(summaries, offer)
	}
	out := make(map[string]string, len(best))
	for name, t := range best {
		out[name] = t.text
	}
	return out
}

// offerSummaries gives each summary to the sessions that hold its leaf.
func (b *builder) offerSummaries(summaries []title, offer func(string, title)) {
	for n, name := range b.names {
		for _, t := range summaries {
			if _, ok := b.find(int32(n), t.leaf); ok {
				offer(name, t)
			}
		}
	}
}

// counted is one count of a message.
type counted struct {
	msg  uint64
	file int32
	row  int32
}

// sortUsage lists the counts of a scope, those of one message together: first
// where it was said first, last what its last line says.
func (b *builder) sortUsage() []counted {
	n := 0
	for _, f := range b.files {
		n += len(f.usage)
	}
	all := make([]counted, 0, n)
	for i, f := range b.files {
		owned := make([]bool, len(f.places))
		for j, p := range f.places {
			owned[j] = b.owns(p.dir)
		}
		for row, u := range f.usage {
			if owned[u.place] {
				all = append(all, counted{u.msg, int32(i), int32(row)})
			}
		}
	}
	priors := make(map[string]int32, len(b.names))
	for i, name := range b.names {
		priors[name] = b.prior[i]
	}
	slices.SortFunc(all, func(x, y counted) int {
		if c := cmp.Compare(x.msg, y.msg); c != 0 {
			return c
		}
		return cmp.Or(cmp.Compare(priors[b.sessionOf(x)], priors[b.sessionOf(y)]), cmp.Compare(x.file, y.file), cmp.Compare(x.row, y.row))
	})
	return all
}

func (b *builder) sessionOf(c counted) string {
	f := b.files[c.file]
	return f.places[f.usage[c.row].place].session
}

// addUsage counts each message once: where it stands in several sessions, for
// the one that has its records; what its last line says.
func (b *builder) addUsage(sessions map[string]*history.Session, all []counted) {
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].msg == all[0].msg {
			n++
		}
		last := -1
		var first string
		for i, c := range all[:n] {
			name := b.sessionOf(c)
			if last < 0 && sessions[name] != nil {
				first, last = name, i
			} else if last >= 0 && name == first {
				last = i
			}
		}
		if last >= 0 {
			u := b.files[all[last].file].usage[all[last].row]
			sessions[first].Usage.InputTokens += u.in
			sessions[first].Usage.OutputTokens += u.out
		}
		all = all[n:]
	}
}
