package main

import (
	"slices"
	"strings"
)

// retired is a name that somebody took out of use, and when.
type retired struct {
	name  uint32 // hash
	order int
}

// maxRetired bounds what is remembered of one session.
const maxRetired = 256

// retiringCues are those of which a sentence has one if it takes something out of
// use: the words of retiring are among their wordings.
const retiringCues = set(1<<cDone | 1<<cPrefer | 1<<cForbid | 1<<cDecide | 1<<cTask)

// retires finds the names that a sentence takes out of use: what stands behind
// "removed", "instead of", "switched from" and the like.
func retires(s string) []uint32 {
	var out []uint32
	fields := strings.Fields(s)
	for i := 0; i < len(fields); i++ {
		n := retiring(fields[i:])
		if n == 0 {
			continue
		}
		for _, w := range fields[i+n : min(len(fields), i+n+4)] {
			if name := nameIn(w); name != "" {
				out = append(out, hash(name))
				break
			}
		}
	}
	return out
}

// retiring is the number of words with which w begins to take something out of
// use, or 0.
func retiring(w []string) int {
	first := lower(strings.Trim(w[0], "*_,.:("))
	second := ""
	if len(w) > 1 {
		second = lower(w[1])
	}
	switch first {
	case "removed", "deleted", "dropped", "replaced", "replaces", "удалил", "удалили", "удалён", "заменил", "заменили", "убрал", "убрали", "вместо":
		return 1
	case "instead":
		if second == "of" {
			return 2
		}
	case "rather":
		if second == "than" {
			return 2
		}
	case "switched", "migrated", "moved", "changed", "away":
		if second == "from" {
			return 2
		}
	case "no":
		if second == "longer" && len(w) > 2 {
			return 3
		}
	}
	return 0
}

// nameIn gives the name that a word is, in lower case: a code span, a file, an
// identifier or a word with a capital. "" for a plain word.
func nameIn(w string) string {
	t := strings.Trim(w, ".,:;!?\"'()[]*_")
	code := strings.Trim(t, "`")
	if len(code) < 3 {
		return ""
	}
	if code != t || identifiers(t) > 0 || fileName(t) || t[0] >= 'A' && t[0] <= 'Z' {
		return lower(strings.TrimSuffix(code, "()"))
	}
	return ""
}

// names are the hashes of the names in a sentence, at most 16, in ascending
// order.
func names(s string) []uint32 {
	var out []uint32
	for w := range strings.FieldsSeq(s) {
		if name := nameIn(w); name != "" && len(out) < 16 {
			out = append(out, hash(name))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
