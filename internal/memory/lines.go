package memory

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"recollect/internal/unmerged"
)

// linesFormat names the format of the item lines in their first line.
const linesFormat = "recollect/memory/1"

// header is the first of the item lines.
type header struct {
	Format   string    `json:"format"`
	Branch   string    `json:"branch"`   // as writeName writes it
	Markdown string    `json:"markdown"` // SHA-256 of the Markdown that was written with these lines
	Updated  time.Time `json:"updated"`
	Layout   Layout    `json:"layout"`
}

// itemLines is the file of item lines as it was read. Lines that stay as they
// are, fields that only a newer version knows, and whole records of a kind that
// we do not know are written again as they were.
type itemLines struct {
	header  header
	headRaw []byte // nil if there is no header
	headers int    // how many there were: git leaves two where two branches meet
	marks   bool   // marks of a merge stand among the lines
	items   []Item
	at      map[string]int    // by id: the item's place among items
	met     map[string]bool   // ids of items that two lines differ about
	other   map[string]string // by id of an item that is another wording: the item whose it is
	raw     map[string][]byte // by id: the line that the item was read from
	read    map[string]Item   // by id: what was read from it
	others  [][]byte          // records that we do not know
	known   map[string]bool   // those, so that each is kept once
	damaged [][]byte          // lines that are no records
	damage  []Damage
}

// maxForeseen is for how many items room is made ahead, whatever a file's lines
// are.
const maxForeseen = 16_384

// parseLines reads any bytes. file names them in the report of damages.
func parseLines(data []byte, file string) *itemLines {
	size := min(bytes.Count(data, []byte("\n")), maxForeseen)
	l := &itemLines{raw: make(map[string][]byte, size), read: make(map[string]Item, size), items: make([]Item, 0, size), at: make(map[string]int, size)}
	base := baseLines(data)
	n := 0
	for raw := range bytes.Lines(data) {
		n++
		if unmerged.Mark(raw) {
			if !l.marks {
				l.damage = append(l.damage, marksAt(file, n))
			}
			l.marks = true
			continue
		}
		if base[n] {
			continue
		}
		raw = bytes.TrimSpace(bytes.TrimPrefix(raw, []byte(bom)))
		if len(raw) == 0 {
			continue
		}
		if why := l.parse(raw); why != "" {
			l.damaged = append(l.damaged, raw)
			l.damage = append(l.damage, Damage{File: file, Line: n, Why: why})
		}
	}
	return l
}

// parse takes in one line, or says why it cannot.
func (l *itemLines) parse(raw []byte) string {
	if bytes.HasPrefix(raw, []byte(`{"format":`)) {
		var h header
		if json.Unmarshal(raw, &h) == nil {
			h.Branch = readName(h.Branch)
			l.takeHeader(h, raw)
			return ""
		}
	}
	it, err := decodeItem(raw)
	if err != nil {
		if raw[0] != '{' || !json.Valid(raw) {
			return "not a JSON object"
		}
		l.keepOther(raw)
		return ""
	}
	if it.ID == "" || it.State == "" {
		l.keepOther(raw)
		return ""
	}
	l.keep(it, raw)
	return ""
}

// decodeItem reads one line. Item lines are read on every command, so the usual
// ones do not go through reflection.
func decodeItem(raw []byte) (Item, error) {
	var it Item
	usual := bytes.HasPrefix(raw, []byte("{")) && gjson.ValidBytes(raw) && utf8.Valid(raw) && bytes.IndexByte(raw, '\\') < 0
	if usual {
		gjson.ParseBytes(raw).ForEach(func(key, v gjson.Result) bool {
			usual = decodeField(&it, key.Str, v)
			return usual
		})
	}
	if usual {
		return it, nil
	}
	it = Item{}
	return it, json.Unmarshal(raw, &it)
}

// decodeField takes in one field, and reports whether it has the usual type.
func decodeField(it *Item, key string, v gjson.Result) bool {
	switch key {
	case "id":
		return text(&it.ID, v)
	case "section":
		return text(&it.Section, v)
	case "content":
		return text(&it.Content, v)
	case "rationale":
		return text(&it.Rationale, v)
	case "state":
		return text((*string)(&it.State), v)
	case "superseded_by":
		return text(&it.SupersededBy, v)
	case "why":
		return text(&it.Why, v)
	case "created":
		return moment(&it.Created, v)
	case "updated":
		return moment(&it.Updated, v)
	case "confidence":
		it.Confidence = v.Num
		return v.Type == gjson.Number && math.Abs(v.Num) <= 1 // else encoding/json may refuse it
	case "importance":
		it.Importance = int(v.Num)
		return v.Type == gjson.Number && float64(it.Importance) == v.Num
	case "pinned":
		it.Pinned = v.Type == gjson.True
		return v.IsBool()
	case "origins":
		if !v.IsArray() || it.Origins != nil {
			return false
		}
		ok := true
		v.ForEach(func(_, o gjson.Result) bool {
			var origin Origin
			ok = o.IsObject() && decodeOrigin(&origin, o)
			it.Origins = append(it.Origins, origin)
			return ok
		})
		return ok && it.Origins != nil
	}
	// Names that differ in case are the same to encoding/json.
	return key != "" && key == strings.ToLower(key)
}

func decodeOrigin(origin *Origin, o gjson.Result) bool {
	ok := true
	o.ForEach(func(key, v gjson.Result) bool {
		switch key.Str {
		case "extractor":
			ok = text(&origin.Extractor, v)
		case "source":
			ok = text(&origin.Source, v)
		case "session":
			ok = text(&origin.Session, v)
		case "time":
			ok = moment(&origin.Time, v)
		case "records":
			ok = decodeRecords(origin, v)
		default:
			ok = false
		}
		return ok
	})
	return ok
}

func decodeRecords(origin *Origin, v gjson.Result) bool {
	if !v.IsArray() || origin.Records != nil {
		return false
	}
	ok := true
	v.ForEach(func(_, r gjson.Result) bool {
		var id string
		ok = text(&id, r)
		origin.Records = append(origin.Records, id)
		return ok
	})
	return ok && origin.Records != nil
}

func text(to *string, v gjson.Result) bool {
	*to = v.Str
	return v.Type == gjson.String
}

func moment(to *time.Time, v gjson.Result) bool {
	return v.Type == gjson.String && to.UnmarshalText([]byte(v.Str)) == nil
}

// keep adds an item. Two lines with one id come from merging two versions of the
// file.
func (l *itemLines) keep(it Item, raw []byte) {
	i, twice := l.at[it.ID]
	if !twice {
		l.at[it.ID] = len(l.items)
		l.raw[it.ID], l.read[it.ID] = raw, it
		l.items = append(l.items, l.normal(it))
		return
	}
	l.meet(i, it, raw)
}

// normal makes an item from outside one that we would have written.
func (l *itemLines) normal(it Item) Item {
	it.Content = Clean(it.Content)
	if !(it.Confidence >= 0) {
		it.Confidence = 0
	}
	it.Confidence = min(it.Confidence, 1)
	it.Importance = importance(it.Importance)
	return it
}

// newer reports lines in a format that we do not know.
func (l *itemLines) newer() bool { return l.headRaw != nil && l.header.Format != linesFormat }

// encode returns the lines for items under a header.
func (l *itemLines) encode(h header, items []Item) ([]byte, error) {
	h.Format, h.Branch = linesFormat, writeName(h.Branch)
	var b bytes.Buffer
	head, err := marshal(h)
	if err != nil {
		return nil, err
	}
	size := 4096 + len(head)
	for _, raw := range l.raw {
		size += len(raw) + 1
	}
	b.Grow(size)
	b.Write(withUnknown(head, l.headRaw, reflect.TypeFor[header]()))
	b.WriteByte('\n')
	for _, it := range items {
		raw := l.raw[it.ID]
		if raw == nil || !sameItem(l.read[it.ID], it) {
			line, err := marshal(it)
			if err != nil {
				return nil, err
			}
			raw = withUnknown(line, raw, reflect.TypeFor[Item]())
		}
		b.Write(raw)
		b.WriteByte('\n')
	}
	for _, raw := range l.others {
		b.Write(raw)
		b.WriteByte('\n')
	}
	return b.Bytes(), nil
}

// sameItem spares nearly all items of a large memory the way through reflection.
func sameItem(a, b Item) bool {
	alike := a.ID == b.ID && a.Section == b.Section && a.Content == b.Content && a.Confidence == b.Confidence && a.Importance == b.Importance &&
		a.Rationale == b.Rationale && a.State == b.State && a.SupersededBy == b.SupersededBy && a.Why == b.Why &&
		a.Pinned == b.Pinned && a.Created == b.Created && a.Updated == b.Updated && len(a.Origins) == len(b.Origins)
	if alike && (len(a.Origins) == 0 && (a.Origins == nil) == (b.Origins == nil) || len(a.Origins) > 0 && &a.Origins[0] == &b.Origins[0]) {
		return true
	}
	return reflect.DeepEqual(a, b)
}

// marshal writes text as people read it, without HTML escapes.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// withUnknown adds to line the fields of raw that the type does not have.
func withUnknown(line, raw []byte, t reflect.Type) []byte {
	if raw == nil {
		return line
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return line
	}
	for i := range t.NumField() {
		name, _, _ := bytes.Cut([]byte(t.Field(i).Tag.Get("json")), []byte(","))
		delete(fields, string(name))
	}
	if len(fields) == 0 {
		return line
	}
	more, err := marshal(fields)
	if err != nil {
		return line
	}
	return append(append(line[:len(line)-1], ','), more[1:]...)
}
