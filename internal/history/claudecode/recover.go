package claudecode

import (
	"bytes"
	"strconv"

	"recollect/internal/history"
)

// otherValue reports a line that is JSON but not an object.
func (t *transcript) otherValue(b []byte, i int) bool {
	if b[i] == '{' {
		return false
	}
	end := skipValue(b, i, 0)
	if end < 0 || skipSpace(b, end) != len(b) || !isWord(b[i:end]) {
		return false
	}
	t.hit(history.DamageNonRecord, "")
	return true
}

// isWord tells JSON's numbers and literals from other bare words.
func isWord(v []byte) bool {
	switch v[0] {
	case '"', '[':
		return true
	}
	switch string(v) {
	case "null", "true", "false":
		return true
	}
	_, err := strconv.ParseFloat(string(v), 64)
	return err == nil
}

// whole says whether an unterminated line is one or more whole records.
func whole(b []byte) bool {
	i := skipSpace(b, 0)
	if i == len(b) {
		return false
	}
	var r record
	for i < len(b) {
		if i = scanRecord(b, i, &r); i < 0 {
			return false
		}
		i = skipSpace(b, i)
	}
	return true
}

// nextRecord finds the first whole record after damage, or gives -1. The search
// gives up after scanning some multiples of the line.
func nextRecord(b []byte, from int) int {
	budget := 1<<20 + 16*len(b)
	var r record
	for budget > 0 {
		n := bytes.Index(b[min(from, len(b)):], []byte(`{"`))
		if n < 0 {
			return -1
		}
		from += n
		if mayBegin(b[from:]) {
			end := scanRecord(b, from, &r)
			if end >= 0 && r.known() {
				return from
			}
			budget -= max(end, ^end) - from
		}
		from++
	}
	return -1
}

// mayBegin looks at the first key of an object, and at the kind if that is it.
func mayBegin(b []byte) bool {
	end := skipString(b[:min(len(b), 64)], 1)
	if end < 0 {
		return false
	}
	switch string(b[2 : end-1]) {
	case "parentUuid", "logicalParentUuid", "isSidechain", "sessionId", "uuid", "leafUuid", "userType", "cwd", "agentId", "timestamp", "version", "summary":
		return true
	case "type":
		rest := b[end:min(len(b), end+40)]
		for _, kind := range []string{"user", "assistant", "system", "attachment", "progress", "summary", "queue-operation",
			"custom-title", "ai-title", "agent-name", "permission-mode", "last-prompt", "mode", "pr-link"} {
			if i := skipSpace(rest, min(1, len(rest))); bytes.HasPrefix(rest[i:], []byte(`"`+kind+`"`)) {
				return true
			}
		}
	}
	return false
}
