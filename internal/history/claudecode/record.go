package claudecode

import (
	"bytes"
	"strconv"
	"time"

	"github.com/cespare/xxhash/v2"

	"recollect/internal/history"
)

// record is what we read of one record; the slices are raw JSON within it.
type record struct {
	kind       []byte // "type"
	uuid       []byte
	parent     []byte // parentUuid
	logical    []byte // logicalParentUuid
	session    []byte
	cwd        []byte
	branch     []byte
	version    []byte
	timestamp  []byte
	entrypoint []byte
	message    []byte
	attachment []byte
	fork       []byte // forkedFrom
	leaf       []byte // leafUuid
	title      []byte
	origin     []byte // of the prompt; an object with a kind
	source     []byte // promptSource, quoted
	result     []byte // toolUseResult
	denial     []byte // toolDenialKind, quoted
	feedback   []byte // userFeedback, quoted
	sidechain  bool
	hidden     bool // meta text, summary of a compaction, error of the API, only to be seen
	byHost     bool // toolDenialFromHost
}

// scanRecord reads the object that begins at b[i]. It gives the index after it;
// where no whole one is, the complement of the index that it came to.
func scanRecord(b []byte, i int, r *record) int {
	*r = record{}
	if i >= len(b) || b[i] != '{' {
		return ^i
	}
	return eachMember(b, i, 0, r.set)
}

func (r *record) set(key, v []byte) {
	switch string(key) {
	case "type":
		r.kind = text(v)
	case "uuid":
		r.uuid = text(v)
	case "parentUuid":
		r.parent = text(v)
	case "logicalParentUuid":
		r.logical = text(v)
	case "sessionId":
		r.session = text(v)
	case "cwd":
		r.cwd = v
	case "gitBranch":
		r.branch = v
	case "version":
		r.version = v
	case "timestamp":
		r.timestamp = stampText(v)
	case "entrypoint":
		r.entrypoint = text(v)
	case "message":
		r.message = v
	case "attachment":
		r.attachment = v
	case "forkedFrom":
		r.fork = v
	case "leafUuid":
		r.leaf = text(v)
	case "summary", "aiTitle", "customTitle", "title":
		r.title = v
	case "isSidechain":
		r.sidechain = isTrue(v)
	case "origin":
		r.origin = v
	case "promptSource":
		r.source = v
	case "toolUseResult":
		r.result = v
	case "toolDenialKind":
		r.denial = v
	case "userFeedback":
		r.feedback = v
	case "toolDenialFromHost":
		r.byHost = isTrue(v)
	case "isMeta", "isCompactSummary", "isApiErrorMessage", "isVisibleInTranscriptOnly":
		r.hidden = r.hidden || isTrue(v)
	}
}

// text gives a string's bytes between its quotes, as they are: ids and kinds
// have no escapes.
func text(v []byte) []byte {
	if !isString(v) {
		return nil
	}
	return v[1 : len(v)-1]
}

// known says whether an object found amid damage is a record, and not some
// value from inside one.
func (r *record) known() bool {
	switch string(r.kind) {
	case "user", "assistant", "system", "attachment", "progress":
		return len(r.uuid) > 0 && len(r.session) > 0
	case "queue-operation", "custom-title", "ai-title", "agent-name", "permission-mode", "last-prompt", "mode", "pr-link":
		return len(r.session) > 0
	case "summary":
		return len(r.leaf) > 0
	}
	return false
}

// message is what we read of a user's or an assistant's message.
type message struct {
	id      []byte
	model   []byte // quoted
	content []byte
	in, out int64
	usage   bool
}

func scanMessage(v []byte) message {
	var m message
	if !isObject(v) {
		return m
	}
	eachMember(v, 0, 0, func(key, v []byte) {
		switch string(key) {
		case "id":
			m.id = text(v)
		case "model":
			m.model = v
		case "content":
			m.content = v
		case "usage":
			if !isObject(v) {
				return
			}
			m.usage = true
			eachMember(v, 0, 0, func(key, v []byte) {
				switch string(key) {
				case "input_tokens":
					m.in = integer(v)
				case "output_tokens":
					m.out = integer(v)
				}
			})
		}
	})
	return m
}

// synthetic says that the client made the message up, and no model.
func (m *message) synthetic() bool {
	return string(m.model) == `"<synthetic>"` || bytes.IndexByte(m.model, '\\') >= 0 && unquote(m.model) == "<synthetic>"
}

// member gives the raw value of a key of an object.
func member(v []byte, name string) []byte {
	var out []byte
	if isObject(v) {
		eachMember(v, 0, 0, func(key, v []byte) {
			if string(key) == name {
				out = v
			}
		})
	}
	return out
}

// hash names an id within the index. 0 is no id.
func hash(id []byte) uint64 {
	if len(id) == 0 {
		return 0
	}
	return max(xxhash.Sum64(id), 1)
}

// stampText gives what a time is written as: a text, or a number as some tools write
// it that make transcripts from others.
func stampText(v []byte) []byte {
	if len(v) > 0 && v[0] >= '0' && v[0] <= '9' {
		return v
	}
	return text(v)
}

// instant gives a time in microseconds since 1970; 0 is none.
func instant(v []byte) int64 {
	if len(v) == 24 && v[4] == '-' && v[7] == '-' && v[10] == 'T' && v[13] == ':' && v[16] == ':' && v[19] == '.' && v[23] == 'Z' {
		n := func(from, to int) int {
			x := 0
			for _, c := range v[from:to] {
				if c < '0' || c > '9' {
					return -1
				}
				x = x*10 + int(c-'0')
			}
			return x
		}
		year, month, day, hour, minute, second, ms := n(0, 4), n(5, 7), n(8, 10), n(11, 13), n(14, 16), n(17, 19), n(20, 23)
		if year > 0 && month > 0 && month < 13 && day > 0 && day < 32 && hour >= 0 && minute >= 0 && second >= 0 && ms >= 0 {
			return time.Date(year, time.Month(month), day, hour, minute, second, ms*1e6, time.UTC).UnixMicro()
		}
	}
	t, err := time.Parse(time.RFC3339Nano, string(v))
	if err != nil {
		n, err := strconv.ParseFloat(string(v[:min(len(v), 32)]), 64)
		if t = history.Epoch(n); err != nil || t.IsZero() {
			return 0
		}
	}
	return t.UnixMicro()
}

func moment(micros int64) time.Time {
	if micros == 0 {
		return time.Time{}
	}
	return time.UnixMicro(micros).UTC()
}
