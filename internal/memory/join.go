package memory

import (
	"bytes"
	"time"

	"recollect/internal/unmerged"
)

// merged says that the files are as a merge of git left them: with its marks, or with
// lines of both sides.
func (st state) merged() bool {
	return st.lines.headers > 1 || st.lines.marks || st.marks > 0
}

// marksIn gives the first line, from 1, of git's marks in a Markdown; 0 if there is
// none. A merge within a fence or a comment is text that somebody wrote about one.
func marksIn(d *document) int {
	if hunks := hunksIn(d); len(hunks) > 0 {
		return hunks[0].From + 1
	}
	return 0
}

func hunksIn(d *document) []unmerged.Hunk {
	lines := make([]string, len(d.lines))
	any := false
	for i, l := range d.lines {
		lines[i] = l.text
		any = any || unmerged.Mark([]byte(l.text))
	}
	if !any {
		return nil
	}
	var out []unmerged.Hunk
	closers := d.closers()
	hidden := 0 // the end of the fence or comment before
	at := 0
	for _, h := range unmerged.Find(lines) {
		for ; at < h.From; at++ {
			if at < hidden {
				continue
			}
			if end := d.opaque(at, d.at(at), closers); end > at {
				hidden = end
			}
		}
		if h.To > hidden {
			out = append(out, h)
		}
	}
	return out
}

// joined gives the files of a memory as they are written when git's merge of them is
// done: one memory with what either side has. It depends on nothing but the files
// and when the Markdown was written last.
//
//   - Lines of one item are brought together by itemLines.meet.
//   - A bullet that only one side took out, or worded otherwise, goes if that is what
//     holds of its item; one that no line knows is a person's, as in bind.
//   - Other text of either side stays.
func (s *Store) joined(branch string, d onDisk, st state) (pair, error) {
	if len(d.markdown) == 0 {
		// Nothing to write between marks: the lines by themselves are one memory.
		return d.pair, nil
	}
	layout := st.memory.Layout
	doc := parseDocument(joinText(st.doc), layout)
	items, ids := bindJoined(doc, st.lines, st.newcomer, d.edited)
	next := pair{markdown: doc.edit(ids, items)}
	if d.items == nil {
		return next.summed(), nil
	}
	var err error
	next.items, err = st.lines.encode(header{
		Branch: branch, Markdown: digest(next.markdown), Updated: st.memory.Updated, Layout: layout,
	}, items)
	return next.summed(), err
}

// bindJoined is bind for the Markdown of both sides. The item lines tell more than in
// bind, where a person had the last word: what they hold to be removed or replaced is
// not put back by a bullet of the side that did not know, nor moved by one that git
// put below another heading.
func bindJoined(d *document, l *itemLines, other newcomer, at time.Time) ([]Item, []string) {
	b := newBinder(d, l.items, at)
	b.exact(true, true, nil)
	b.exact(true, false, nil)
	b.known(l.other)
	b.similar()
	b.exact(false, true, b.returned)
	b.rest(other)
	b.notes()
	b.twins()
	// What one side took out of the Markdown and the other changed later is there again.
	return b.result(func(id string) bool { return l.marks || l.met[id] })
}

// known has those open bullets leave that say what an item says which is not there to
// be shown, or is shown already; but not where somebody wrote something below one.
// Words of an item that did not hold are the item's where its own have no bullet.
func (b *binder) known(other map[string]string) {
	says := map[string][]int{}
	at := make(map[string]int, len(b.items))
	for i, it := range b.items {
		says[it.Content] = append(says[it.Content], i)
		at[it.ID] = i
	}
	for k, u := range b.doc.bullets {
		if b.owner[k] != nobody || u.text < u.end || len(says[u.content]) == 0 {
			continue
		}
		b.owner[k] = leaves
		for _, i := range says[u.content] {
			w, ok := at[other[b.items[i].ID]]
			if ok && !b.used[w] && b.items[w].State == Active {
				b.items[i].Content, b.items[w].Content = b.items[w].Content, b.items[i].Content
				b.claim(k, w)
				break
			}
		}
	}
}

// twins has an active item that has no bullet, but says what one of its section says
// that has, replaced by that one: both sides wrote it, and it stands there once.
func (b *binder) twins() {
	type words struct{ section, content string }
	shown := map[words]string{}
	for i, it := range b.items {
		if b.used[i] && it.State == Active {
			shown[words{it.Section, it.Content}] = it.ID
		}
	}
	for i := range b.items {
		it := &b.items[i]
		if by := shown[words{it.Section, it.Content}]; !b.used[i] && it.State == Active && by != "" {
			it.State, it.SupersededBy, it.Why = Superseded, by, "another item says the same"
		}
	}
}

// settleMerge writes a memory that git merged as one. The lock is held. What was on
// disk becomes no version: the marks in it are nobody's.
func (s *Store) settleMerge(branch string, d onDisk, st state) error {
	next, err := s.joined(branch, d, st)
	if err != nil || d.pair.equal(next) {
		return err
	}
	if err := s.prepare(branch, st.lines); err != nil {
		return err
	}
	// No version is its parent: what git merged is as if a person had written it.
	if err := s.announce(branch, d.pair, next, 0, nil); err != nil {
		return err
	}
	d.quiet = true
	if err := s.writePair(branch, d, next); err != nil {
		return err
	}
	if err := s.finish(branch, nil); err != nil {
		return err
	}
	if s.joinedNow != nil {
		s.joinedNow(s.state(branch, onDisk{pair: next}).memory)
	}
	return nil
}

// asOne gives a memory that git merged as settleMerge will write it.
func (s *Store) asOne(branch string, d onDisk, st state) (state, onDisk, error) {
	next, err := s.joined(branch, d, st)
	if err != nil || bytes.Equal(next.markdown, d.markdown) && bytes.Equal(next.items, d.items) {
		return st, d, err
	}
	damage := st.memory.Damage
	d.pair = next
	st = s.state(branch, d)
	st.memory.Damage = damage
	return st, d, nil
}
