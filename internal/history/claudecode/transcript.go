package claudecode

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"recollect/internal/history"
)

// words is one record that says something.
type words struct {
	id   uint64 // hash of name
	orig uint64 // hash of the record that this one is a copy of; 0: none
	msg  uint64 // hash of the assistant's message id; 0: none
	sum  uint64 // hash of the text
	time int64  // microseconds; 0: none
	off  int64  // in the file
	size uint32 // bytes of the record
	text uint32 // bytes of the text
	// asked is the record with the tool call that this one answers; no size: none.
	asked sample
	// place indexes transcript.places.
	place uint32
	flags uint8
	name  string // the record's id
}

const (
	wordsPrompt uint8 = 1 << iota // the user's
	wordsOwn                      // a prompt that we sent ourselves
	wordsAnswer                   // has asked
)

// node is a link of the record graph: one record that says something, or a
// chain of records that say nothing, each the parent of the next.
type node struct {
	parent uint64 // id of the record before
	place  uint32
	words  int32 // indexes transcript.words; -1: none
	// logical says that the parent is known only by logicalParentUuid.
	logical bool
	// outsider says that in the record somebody else speaks to the assistant.
	outsider bool
}

// usage is the last count of one message.
type usage struct {
	msg     uint64
	in, out int64
	place   uint32
}

// title is what names a session: its own record, or a summary of the session
// that has the record leaf.
type title struct {
	text    string
	session string
	leaf    uint64
	rank    uint8 // the greater, the better
	from    sample
}

const (
	titleSummary uint8 = 1 + iota
	titleAssistant
	titlePerson
)

// transcript is what we know of one file up to a line's end, without its texts.
type transcript struct {
	places  []place
	from    []sample // of each place, one of its records
	born    []int64  // of each place, the first time in its records; 0: none
	words   []words
	nodes   []node
	ids     []uint64 // of all records that have one
	of      []uint32 // their nodes, shifted left, with toolBit
	usage   []usage
	titles  []title
	damage  []history.Damage // without File; at most maxDamage
	hurt    int              // all damage, also beyond maxDamage
	calls   calls
	writes  []written
	commits []committed
	// strangers are senders in its records whom we do not know.
	strangers []history.Stranger

	records int
	lines   int
	dir     string // of the last record that had one

	self    string // session of records that name none
	own     []string
	index   map[place]uint32
	placeAt uint32 // the last record's place
	rawCwd  []byte
	cwd     string
}

// toolBit marks the id of a record that calls a tool.
const toolBit = 1

// maxDamage bounds the damage that is kept for one file.
const maxDamage = 1000

func newTranscript(self string, own []string) *transcript {
	return &transcript{self: self, own: own}
}

// add takes in one whole line.
func (t *transcript) add(l line) {
	t.lines++
	if l.long {
		t.hit(history.DamageLongLine, fmt.Sprintf("%d bytes, skipped", l.size))
		return
	}
	b := l.text
	i := skipSpace(b, 0)
	if i == len(b) {
		return
	}
	var r record
	first := true
	for i < len(b) {
		end := scanRecord(b, i, &r)
		if end < 0 {
			if first && t.otherValue(b, i) {
				return
			}
			next := nextRecord(b, i+1)
			if next < 0 {
				t.hit(history.DamageRecord, fmt.Sprintf("%d bytes", len(b)-i))
				return
			}
			t.hit(history.DamageRecord, fmt.Sprintf("%d bytes, then a whole record", next-i))
			i, first = next, false
			continue
		}
		t.addRecord(&r, b[i:end], l.off+int64(i))
		i, first = skipSpace(b, end), false
	}
}

func (t *transcript) hit(kind, note string) {
	t.hurt++
	if len(t.damage) < maxDamage {
		t.damage = append(t.damage, history.Damage{Line: t.lines, Kind: kind, Note: note})
	}
}

func (t *transcript) addRecord(r *record, raw []byte, off int64) {
	t.records++
	here := sample{off, uint32(len(raw))}
	at := t.placeOf(r, here)
	if rank := titleRank(r); rank > 0 {
		t.addTitle(r, rank, here)
		return
	}
	var m message
	if !r.sidechain && len(r.message) > 0 {
		m = scanMessage(r.message)
	}
	assistant := string(r.kind) == "assistant"
	if assistant && m.usage && len(m.id) > 0 {
		t.addUsage(usage{msg: hash(m.id), in: m.in, out: m.out, place: at})
	}
	tool := assistant && callsTool(m.content)
	if tool {
		t.calls.add(m.content, here)
	}
	if string(r.kind) == "user" {
		t.addTraces(r, m.content, at, here)
	}
	by, words := said(r, &m, &t.calls)
	switch {
	case words != "":
		t.addWords(r, &m, roleOf(by), words, raw, off, at, tool)
	case by.Outsider():
		t.meetStranger(r, &m)
		if len(r.uuid) > 0 {
			t.addNode(r, hash(r.uuid), at, -1, 0)
			t.nodes[len(t.nodes)-1].outsider = true
		}
	case len(r.uuid) > 0:
		t.addLink(r, at, tool)
	}
}

func (t *transcript) addUsage(u usage) {
	if n := len(t.usage); n > 0 && t.usage[n-1].msg == u.msg && t.usage[n-1].place == u.place {
		t.usage[n-1] = u
		return
	}
	t.usage = append(t.usage, u)
}

// callsTool says whether one of the blocks calls a tool.
func callsTool(content []byte) bool {
	return bytes.Contains(content, []byte(`"tool_use"`))
}

// titleRank tells records that name a session.
func titleRank(r *record) uint8 {
	switch string(r.kind) {
	case "summary":
		return titleSummary
	case "ai-title":
		return titleAssistant
	case "custom-title":
		return titlePerson
	}
	return 0
}

func (t *transcript) addTitle(r *record, rank uint8, from sample) {
	s := titleText(r)
	if s == "" {
		return
	}
	t.titles = append(t.titles, title{
		text: s, session: clip(history.Clean(orSelf(r.session, t.self))), leaf: hash(r.leaf), rank: rank, from: from,
	})
}

func titleText(r *record) string { return firstLine(history.Clean(unquote(r.title))) }

// addLink adds a record that says nothing.
func (t *transcript) addLink(r *record, at uint32, tool bool) {
	id, parent := hash(r.uuid), hash(r.parent)
	bit := uint32(0)
	if tool {
		bit = toolBit
	}
	if n := len(t.ids); n > 0 && parent != 0 && t.ids[n-1] == parent {
		i := t.of[n-1] >> 1
		if before := &t.nodes[i]; before.words < 0 && !before.outsider && t.places[before.place].session == t.places[at].session {
			t.ids, t.of = append(t.ids, id), append(t.of, i<<1|bit)
			return
		}
	}
	t.addNode(r, id, at, -1, bit)
}

func (t *transcript) addNode(r *record, id uint64, at uint32, words int32, bit uint32) {
	n := node{parent: hash(r.parent), place: at, words: words}
	if n.parent == 0 && len(r.logical) > 0 {
		n.parent, n.logical = hash(r.logical), true
	}
	t.ids, t.of = append(t.ids, id), append(t.of, uint32(len(t.nodes))<<1|bit)
	t.nodes = append(t.nodes, n)
}

func (t *transcript) addWords(r *record, m *message, role history.Role, said string, raw []byte, off int64, at uint32, tool bool) {
	w := words{
		name: recordID(r, raw), msg: hash(m.id), sum: xxhash.Sum64String(said), time: instant(r.timestamp),
		off: off, size: uint32(len(raw)), text: uint32(len(said)), place: at,
	}
	w.id = hash([]byte(w.name))
	if len(r.fork) > 0 {
		w.orig = hash(text(member(r.fork, "messageUuid")))
	}
	if role == history.User {
		w.flags |= wordsPrompt
		if t.isOwn(r, said) {
			w.flags |= wordsOwn
		}
		if w.asked = t.calls.answeredBy(m.content); w.asked.size > 0 {
			w.flags |= wordsAnswer
		}
	}
	bit := uint32(0)
	if tool {
		bit = toolBit
	}
	t.words = append(t.words, w)
	t.addNode(r, w.id, at, int32(len(t.words)-1), bit)
}

// maxLabel bounds the names in a record, in bytes: ids, branches, directories.
const maxLabel = 4 << 10

// label gives a name that a record holds as a JSON string.
func label(v []byte) string { return clip(unquote(v)) }

func clip(s string) string {
	if len(s) <= maxLabel {
		return s
	}
	return strings.ToValidUTF8(s[:maxLabel], "")
}

// recordID gives the id of a record: its uuid, or one made of its bytes.
func recordID(r *record, raw []byte) string {
	if n := len(r.uuid); n > 0 && n <= maxLabel {
		return history.Clean(string(r.uuid))
	}
	return fmt.Sprintf("record-%016x", xxhash.Sum64(raw))
}

// isOwn says whether a prompt is one that we send: it begins with a marker, and
// no terminal or editor says that a person typed it there.
func (t *transcript) isOwn(r *record, said string) bool {
	if len(r.entrypoint) > 0 && !bytes.HasPrefix(r.entrypoint, []byte("sdk")) {
		return false
	}
	for _, marker := range t.own {
		if marker != "" && strings.HasPrefix(said, marker) {
			return true
		}
	}
	return false
}

// maxHead is the length of a title made of a prompt, in runes.
const maxHead = 100

func firstLine(s string) string {
	s = strings.TrimSpace(s)
	if i := strings.IndexAny(s, "\r\n"); i >= 0 {
		s = strings.TrimSpace(s[:i])
	}
	if utf8.RuneCountInString(s) <= maxHead {
		return strings.Clone(s)
	}
	n := 0
	for i := range s {
		if n == maxHead-1 {
			return s[:i] + "…"
		}
		n++
	}
	return s
}
