package claudecode

import (
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/cespare/xxhash/v2"

	"recollect/internal/history"
)

// view is one History.
type view struct {
	revision string
	sessions []history.Session
	titled   sync.Once
	turns    []turn // in the order of Refs("*")
	byID     map[string]int
	report   history.Report
	files    []*file
	owns     func(dir string) bool
}

// turn is where a turn's messages stand.
type turn struct {
	ref      history.Ref
	messages []spoken
}

// chosen is a record that a view shows, with what makes it one of a turn.
type chosen struct {
	*spoken
	key  uint64 // of the record, the same for copies
	turn uint64 // of the turn's prompt
}

// newView makes a view of files; owns says which directories count.
func newView(files []*file, report history.Report, owns func(dir string) bool) *view {
	g := buildGraph(files, owns)
	b := builder{graph: g, files: files, owns: owns, view: &view{report: report, files: files, owns: owns}}
	b.dropOwn()
	b.rankSessions()
	var usage []counted
	var beside sync.WaitGroup
	beside.Go(func() { usage = b.sortUsage() })
	b.choose()
	b.makeTurns()
	beside.Wait()
	b.makeSessions(usage)
	b.view.revision = b.digestAll()
	return b.view
}

type builder struct {
	*graph
	files  []*file
	owns   func(dir string) bool
	view   *view
	own    []bool // per session
	prior  []int32
	parts  map[[2]int32]bool // answers of within
	chosen []chosen
}

// dropOwn finds the sessions that are our own calls.
func (b *builder) dropOwn() {
	b.own = make([]bool, len(b.names))
	for n, order := range b.order {
		for _, i := range order {
			if s := &b.said[i]; s.flags&wordsPrompt != 0 {
				b.own[n] = s.flags&wordsOwn != 0
				break
			}
		}
		if b.own[n] && slices.ContainsFunc(order, func(i int32) bool { return b.said[i].scope }) {
			b.view.report.OwnCalls++
		}
	}
}

// rankSessions says which session has a record that stands in several: the one
// that was begun first, by what its file begins with, since a copy of what was
// said before follows records of the new session; else the one that ended first.
func (b *builder) rankSessions() {
	end := func(n int32) int64 {
		if order := b.order[n]; len(order) > 0 {
			return b.said[order[len(order)-1]].at
		}
		return 0
	}
	born := func(n int32) int64 {
		if order := b.order[n]; b.born[n] == 0 && len(order) > 0 {
			return b.said[order[0]].at
		}
		return b.born[n]
	}
	byAge := make([]int32, len(b.names))
	for i := range byAge {
		byAge[i] = int32(i)
	}
	slices.SortFunc(byAge, func(x, y int32) int {
		return cmp.Or(cmp.Compare(born(x), born(y)), cmp.Compare(end(x), end(y)), cmp.Compare(b.names[x], b.names[y]))
	})
	b.prior = make([]int32, len(b.names))
	for rank, n := range byAge {
		b.prior[n] = int32(rank)
	}
}

// choose picks the records that the view shows: in scope, not our own, not said
// to an outsider, not abandoned, each once over all files. A record that one session abandoned and
// another went on with counts.
func (b *builder) choose() {
	var all []chosen
	for i := range b.said {
		s := &b.said[i]
		if !s.scope || s.twice || b.own[s.sess] || s.prompt == toOutsider {
			continue
		}
		if p := s.prompt; p >= 0 && b.said[b.words[p]].flags&wordsOwn != 0 {
			continue
		}
		c := chosen{spoken: s, key: s.id}
		if s.orig != 0 {
			c.key = s.orig
		}
		all = append(all, c)
	}
	slices.SortFunc(all, func(x, y chosen) int {
		return cmp.Or(cmp.Compare(x.key, y.key), cmp.Compare(b.prior[x.sess], b.prior[y.sess]), cmp.Compare(x.seq, y.seq))
	})
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].key == all[0].key {
			n++
		}
		if i := slices.IndexFunc(all[:n], func(c chosen) bool { return b.alive(c, all[:n]) }); i >= 0 {
			b.chosen = append(b.chosen, all[i])
		} else if all[0].flags&wordsPrompt != 0 {
			b.view.report.Abandoned++
		}
		all = all[n:]
	}
	slices.SortFunc(b.chosen, byTime)
	b.dropRepeats()
}

// alive says whether a record counts in its session. Where that is nothing but
// an earlier part of a session that abandoned the record, it does not.
func (b *builder) alive(c chosen, copies []chosen) bool {
	return !c.dead && !slices.ContainsFunc(copies, func(x chosen) bool { return x.dead && b.within(c.sess, x.sess) })
}

// within says whether a session holds all that another says.
func (b *builder) within(part, all int32) bool {
	k := [2]int32{part, all}
	held, ok := b.parts[k]
	if !ok {
		held = !slices.ContainsFunc(b.order[part], func(i int32) bool {
			_, ok := b.find(all, b.said[i].id)
			return !ok
		})
		if b.parts == nil {
			b.parts = map[[2]int32]bool{}
		}
		b.parts[k] = held
	}
	return held
}

func byTime(x, y chosen) int {
	return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(x.seq, y.seq))
}

// dropRepeats keeps one of the records that hold the same text of the same
// message.
func (b *builder) dropRepeats() {
	type block struct{ msg, sum uint64 }
	seen := make(map[block]bool, len(b.chosen))
	b.chosen = slices.DeleteFunc(b.chosen, func(c chosen) bool {
		k := block{c.msg, c.sum}
		if c.msg == 0 {
			return false
		}
		repeated := seen[k]
		seen[k] = true
		return repeated
	})
}

// makeTurns groups the records by their prompts.
func (b *builder) makeTurns() {
	n := 0
	for i := range b.chosen {
		if b.chosen[i].flags&wordsPrompt != 0 {
			n++
		}
	}
	groups := make(map[uint64][]spoken, n)
	keys := make([]uint64, 0, n)
	for i := range b.chosen {
		c := &b.chosen[i]
		c.turn = b.turnKey(c)
		if groups[c.turn] == nil {
			keys = append(keys, c.turn)
		}
		if c.turn == c.key {
			groups[c.turn] = append([]spoken{*c.spoken}, groups[c.turn]...)
		} else {
			groups[c.turn] = append(groups[c.turn], *c.spoken)
		}
	}
	b.view.turns = make([]turn, 0, len(keys))
	for _, k := range keys {
		b.view.turns = append(b.view.turns, newTurn(groups[k]))
	}
	slices.SortStableFunc(b.view.turns, func(x, y turn) int {
		return cmp.Or(cmp.Compare(x.messages[0].at, y.messages[0].at), cmp.Compare(x.messages[0].seq, y.messages[0].seq))
	})
	b.view.byID = make(map[string]int, len(b.view.turns))
	for i, t := range b.view.turns {
		b.view.byID[t.ref.ID] = i
	}
}

// turnKey gives the key of the prompt that a record belongs to; where there is
// none, the session's opening.
func (b *builder) turnKey(c *chosen) uint64 {
	if c.flags&wordsPrompt != 0 {
		return c.key
	}
	if c.prompt >= 0 {
		p := &b.said[b.words[c.prompt]]
		if p.orig != 0 {
			return p.orig
		}
		return p.id
	}
	return xxhash.Sum64String("opening\x00" + b.names[c.sess])
}

func newTurn(messages []spoken) turn {
	first := &messages[0]
	p := first.file.places[first.place]
	var room [256]byte
	said := room[:0]
	for _, m := range messages {
		said = append(append(said, m.name...), ' ')
		said = append(strconv.AppendUint(said, m.sum, 16), ' ')
		said = append(strconv.AppendUint(said, uint64(m.flags), 10), '\n')
	}
	return turn{messages: messages, ref: history.Ref{
		ID: first.name, Session: p.session, Source: Name, Branch: history.BranchName(p.branch),
		Time: moment(first.at), Digest: hex16(xxhash.Sum64(said)),
	}}
}

// hex16 is %016x.
func hex16(n uint64) string {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], n)
	return hex.EncodeToString(b[:])
}

// digestAll gives the revision. It is reckoned at each opening, so nothing is
// formatted that there are thousands of.
func (b *builder) digestAll() string {
	d := xxhash.New()
	var line []byte
	words := func(list ...string) {
		line = binary.AppendUvarint(line, uint64(len(list)))
		for _, s := range list {
			line = append(binary.AppendUvarint(line, uint64(len(s))), s...)
		}
	}
	numbers := func(list ...int64) {
		for _, n := range list {
			line = binary.AppendVarint(line, n)
		}
	}
	done := func() {
		_, _ = d.Write(line) // never fails
		line = line[:0]
	}
	for i := range b.view.turns {
		r := &b.view.turns[i].ref
		words(r.ID, r.Session, r.Branch, r.Digest)
		numbers(r.Time.UnixMicro())
		done()
	}
	for i := range b.view.sessions {
		s := &b.view.sessions[i]
		words(s.ID, s.Title, s.Version)
		words(s.Branches...)
		words(s.Dirs...)
		words(s.Files...)
		numbers(s.Usage.InputTokens, s.Usage.OutputTokens, int64(s.Turns), s.Started.UnixMicro(), s.LastActive.UnixMicro())
		done()
	}
	for _, f := range b.files {
		for _, w := range f.writes {
			words(w.path)
			numbers(int64(w.place))
		}
		for _, c := range f.commits {
			words(c.text)
			numbers(int64(c.place), c.time)
		}
		done()
	}
	r := b.view.report
	fmt.Fprintln(d, r.Files, r.Bytes, r.Records, r.OwnCalls, r.Abandoned, r.Strangers, r.Damage)
	return hex16(d.Sum64())
}

func (v *view) Revision() string { return v.revision }

func (v *view) Sessions() []history.Session {
	v.titled.Do(v.entitle)
	out := slices.Clone(v.sessions)
	for i := range out {
		s := &out[i]
		s.Branches, s.Dirs, s.Files = slices.Clone(s.Branches), slices.Clone(s.Dirs), slices.Clone(s.Files)
	}
	return out
}

func (v *view) Refs(branch string) []history.Ref {
	out := make([]history.Ref, 0, len(v.turns))
	for _, t := range v.turns {
		if branch == "*" || t.ref.Branch == branch {
			out = append(out, t.ref)
		}
	}
	return out
}

func (v *view) Report() history.Report {
	r := v.report
	r.Damage, r.Strangers = slices.Clone(r.Damage), slices.Clone(r.Strangers)
	return r
}

func (v *view) Close() error { return nil }

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
