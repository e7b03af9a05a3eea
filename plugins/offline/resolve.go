package main

import "strings"

// resolve puts the subject of the sentence before in the place of a pronoun in
// front, so that the sentence can stand alone. ok is false if it begins with a
// pronoun for which no subject was found.
func resolve(s, before string) (text string, ok bool) {
	first, rest, found := strings.Cut(s, " ")
	if !found {
		return s, true
	}
	w := lower(strings.TrimRight(first, ","))
	next, _, _ := strings.Cut(rest, " ")
	next = lower(next)
	verb := ""
	switch w {
	case "it", "they":
	case "it's", "that's", "they're":
		verb = "is "
		if w == "they're" {
			verb = "are "
		}
	case "this", "that", "these", "those":
		if !verbal(next) {
			return s, true // "this file", "those tests"
		}
	default:
		return s, true
	}
	subject := subjectOf(before)
	if subject == "" {
		return s, false
	}
	return subject + " " + verb + rest, true
}

// subjectOf gives the words before the verb of a sentence if they name a thing:
// "The cache", "`Clock`", "SQLite".
func subjectOf(s string) string {
	fields := strings.Fields(s)
	for i, f := range fields {
		if i > 5 {
			break
		}
		if i > 0 && verbal(lower(f)) {
			head := fields[0]
			if head[0] != '`' && lower(head) != "the" && nameIn(head) == "" || subjectless(lower(head)) {
				return ""
			}
			return strings.Join(fields[:i], " ")
		}
		if strings.HasSuffix(f, ",") || strings.HasSuffix(f, ":") || strings.HasSuffix(f, ".") {
			break
		}
	}
	return ""
}

// verbal says that a word is the verb of a sentence, not a part of its subject.
func verbal(w string) bool {
	switch w {
	case "is", "are", "was", "were", "isn't", "aren't", "wasn't", "has", "have", "had", "does", "doesn't", "do", "did", "didn't", "can", "can't",
		"cannot", "could", "will", "won't", "would", "should", "shouldn't", "must", "may", "might", "needs", "means", "makes", "uses", "stores",
		"reads", "writes", "returns", "contains", "holds", "runs", "supports", "expects", "depends", "changes", "works", "handles", "causes", "breaks",
		"fails", "keeps", "takes", "gives", "lets", "allows", "preserves", "prevents", "ensures", "happens", "affects", "includes", "creates",
		"calls", "requires", "also", "only", "now", "never", "always", "just", "gets", "goes", "comes", "adds", "shows", "sets", "violates", "looks",
		"listens", "lives", "owns", "expires", "defaults", "serves", "logs", "sends", "accepts", "loads", "checks", "exposes", "belongs":
		return true
	}
	return false
}

// subjectless says that a word in front is no subject.
func subjectless(w string) bool {
	switch w {
	case "this", "that", "it", "they", "these", "those", "there", "here", "we", "you", "i", "if", "when", "now", "so", "and", "but", "what", "let",
		"all", "yes", "no", "done", "good", "great", "perfect":
		return true
	}
	return false
}
