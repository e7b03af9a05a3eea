package claudecode

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/cespare/xxhash/v2"

	"recollect/internal/history"
	"recollect/internal/history/voice"
)

// decoder reads what encoder wrote; after damage it gives zeros and bad is set.
type decoder struct {
	b   []byte
	bad bool
}

func (d *decoder) num() uint64 {
	n, size := binary.Uvarint(d.b)
	if size <= 0 {
		d.bad, d.b = true, nil
		return 0
	}
	d.b = d.b[size:]
	return n
}

func (d *decoder) u32(limit int) uint32 {
	n := d.num()
	if n > math.MaxUint32 || limit >= 0 && n >= uint64(limit) {
		d.bad = true
		return 0
	}
	return uint32(n)
}

func (d *decoder) int() int64 {
	n, size := binary.Varint(d.b)
	if size <= 0 {
		d.bad, d.b = true, nil
		return 0
	}
	d.b = d.b[size:]
	return n
}

func (d *decoder) hash() uint64 {
	if len(d.b) < 8 {
		d.bad, d.b = true, nil
		return 0
	}
	n := binary.LittleEndian.Uint64(d.b)
	d.b = d.b[8:]
	return n
}

func (d *decoder) str() string {
	n := d.num()
	if n > uint64(len(d.b)) {
		d.bad, d.b = true, nil
		return ""
	}
	s := string(d.b[:n])
	d.b = d.b[n:]
	return s
}

// count reads a number of elements, each of which takes at least size bytes.
func (d *decoder) count(size int) int {
	n := d.num()
	if n > uint64(len(d.b)/size) {
		d.bad, d.b = true, nil
		return 0
	}
	return int(n)
}

func decodeIndex(b []byte) (*index, error) {
	if len(b) < len(indexVersion)+8 || string(b[:len(indexVersion)]) != indexVersion {
		return nil, errIndex
	}
	end := len(b) - 8
	if binary.LittleEndian.Uint64(b[end:]) != xxhash.Sum64(b[:end]) {
		return nil, errIndex
	}
	d := &decoder{b: b[len(indexVersion):end]}
	x := &index{
		path: d.str(), key: d.hash(), identity: identity{d.int(), d.int(), d.hash()}, cursor: d.int(), tail: d.hash(),
		marks: marks{head: d.hash(), last: d.hash(), middle: d.hash()},
	}
	x.transcript = d.transcript()
	if d.bad || len(d.b) > 0 || x.cursor < 0 || !x.sound() {
		return nil, errIndex
	}
	return x, nil
}

// sound says whether each record that says something has one node.
func (t *transcript) sound() bool {
	has := make([]bool, len(t.words))
	for _, n := range t.nodes {
		if n.words >= 0 {
			if has[n.words] {
				return false
			}
			has[n.words] = true
		}
	}
	return !slices.Contains(has, false)
}

// transcript reads one; its names, titles and commits hold their hashes until restore.
func (d *decoder) transcript() *transcript {
	t := &transcript{self: d.str(), dir: d.str(), records: int(d.num()), lines: int(d.num()), hurt: int(d.num())}
	recent := d.num()
	t.places = make([]place, d.count(8))
	if d.bad = d.bad || recent > 0 && recent >= uint64(len(t.places)); !d.bad {
		t.placeAt = uint32(recent)
	}
	t.from, t.born = make([]sample, len(t.places)), make([]int64, len(t.places))
	for i := range t.places {
		t.places[i] = place{session: d.str(), dir: d.str(), branch: sumText(d.hash()), version: d.str()}
		t.from[i] = d.sample()
		t.born[i] = d.int()
	}
	t.words = make([]words, d.count(32))
	for i := range t.words {
		w := words{
			name: d.str(), orig: d.hash(), msg: d.hash(), sum: d.hash(), time: d.int(), off: d.int(),
			size: d.u32(-1), text: d.u32(-1), place: d.u32(len(t.places)), flags: uint8(d.u32(256)),
		}
		w.id = hash([]byte(w.name))
		if w.flags&wordsAnswer != 0 {
			w.asked = d.sample()
		}
		t.words[i] = w
	}
	t.nodes = make([]node, d.count(10))
	for i := range t.nodes {
		n := node{parent: d.hash()}
		at := d.u32(4 * len(t.places))
		n.place, n.outsider, n.logical = at>>2, at&2 != 0, at&1 != 0
		w := d.int()
		d.bad = d.bad || w < -1 || w >= int64(len(t.words))
		n.words = int32(w)
		t.nodes[i] = n
	}
	t.ids = make([]uint64, d.count(9))
	t.of = make([]uint32, len(t.ids))
	for i := range t.ids {
		t.ids[i], t.of[i] = d.hash(), d.u32(2*len(t.nodes))
	}
	t.usage = make([]usage, d.count(11))
	for i := range t.usage {
		t.usage[i] = usage{msg: d.hash(), in: d.int(), out: d.int(), place: d.u32(len(t.places))}
	}
	t.titles = make([]title, d.count(20))
	for i := range t.titles {
		t.titles[i] = title{text: sumText(d.hash()), session: d.str(), leaf: d.hash(), rank: uint8(d.u32(256)), from: d.sample()}
	}
	t.calls.last = make([]toolCall, d.count(14))
	for i := range t.calls.last {
		c := toolCall{id: d.hash(), by: voice.Called(d.u32(256)), at: d.sample(), commits: d.num() == 1, path: d.str()}
		if n := d.count(8); n > 0 {
			c.lines = make([]uint64, n)
			for j := range c.lines {
				c.lines[j] = d.hash()
			}
		}
		t.calls.last[i] = c
	}
	t.writes = make([]written, d.count(2))
	for i := range t.writes {
		t.writes[i] = written{d.u32(len(t.places)), d.str()}
	}
	t.commits = make([]committed, d.count(12))
	for i := range t.commits {
		t.commits[i] = committed{d.u32(len(t.places)), d.int(), sumText(d.hash()), d.sample()}
	}
	t.strangers = make([]history.Stranger, d.count(3))
	for i := range t.strangers {
		t.strangers[i] = history.Stranger{Field: d.str(), Kind: d.str(), Records: int(d.num())}
	}
	t.damage = make([]history.Damage, d.count(3))
	for i := range t.damage {
		t.damage[i] = history.Damage{Line: int(d.num()), Kind: d.str(), Note: d.str()}
	}
	return t
}

func (d *decoder) sample() sample { return sample{off: d.int(), size: d.u32(maxLine + 1)} }

// sumText stands for a text whose hash alone is known.
func sumText(sum uint64) string {
	return string(binary.LittleEndian.AppendUint64(nil, sum))
}
