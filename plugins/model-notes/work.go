package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"recollect/hostapi/guest"
)

// Bounds of the files that a request names, which are those that were written last.
const (
	namedFiles = 8
	namedRunes = 240
)

// work is what a session's tools did, as the host tells it: data, as what was said
// is.
type work struct {
	files  []string // the one that was written last comes first
	commit string
}

// workOf asks the host. Without an answer a request does without.
func (s *session) workOf() work {
	got, ok, err := guest.OneSession(s.source, s.id)
	if err != nil || !ok {
		return work{}
	}
	w := work{files: slices.Clone(got.Files), commit: got.Commit}
	slices.Reverse(w.files)
	return w
}

// texts are what somebody else may have written.
func (w work) texts() []string { return append(slices.Clone(w.files), w.commit) }

// lines say it, each with its end; "" if nothing is known.
func (w work) lines() string {
	var b strings.Builder
	named, runes := 0, 0
	for _, f := range w.files {
		runes += utf8.RuneCountInString(f) + 2
		if named == namedFiles || named > 0 && runes > namedRunes {
			break
		}
		named++
	}
	if named > 0 {
		b.WriteString("Files changed: " + strconv.Quote(clip(oneLine(strings.Join(w.files[:named], ", ")), namedRunes)))
		if more := len(w.files) - named; more > 0 {
			fmt.Fprintf(&b, " and %d more", more)
		}
		b.WriteByte('\n')
	}
	if w.commit != "" {
		b.WriteString("Last commit: " + label(w.commit) + "\n")
	}
	return b.String()
}
