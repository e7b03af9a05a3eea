package inject

import (
	"fmt"
	"slices"
	"strings"
)

// Problem names why a file was refused.
type Problem string

// The problems.
const (
	BrokenMarkers Problem = "markers"   // not exactly one ordered pair of our markers or none
	OpenBlock     Problem = "open"      // the file ends inside a code fence, comment or raw HTML
	NotText       Problem = "encoding"  // not UTF-8
	TooLarge      Problem = "size"      // more than MaxFile
	TooDeep       Problem = "nesting"   // quotes or lists nested beyond reason
	NotAFile      Problem = "not-file"  // a folder, pipe, socket or device
	NotMarkdown   Problem = "name"      // by its name not a file for an assistant to read
	NoFolder      Problem = "no-folder" // the folder of the target does not exist
	Ambiguous     Problem = "ambiguous" // several files differ from the name in case only
	BadLink       Problem = "link"      // a symbolic link that leads nowhere or in a circle
	Outside       Problem = "outside"   // it does not lie in the work tree
	Never         Problem = "never"     // git's, or what an assistant runs or obeys
	Unconfirmed   Problem = "away"      // a link out of the work tree that no person confirmed
	LinkText      Problem = "link-text" // a symbolic link that was checked out as text
	HardLink      Problem = "hard-link" // the file has other names that a replacement would cut off
	ReadOnly      Problem = "read-only" // the file or its folder must not be written
	Busy          Problem = "busy"      // somebody kept writing the file at the same time
)

// holdsNoBlock reports problems of what can't be one of our files, so that there
// is nothing to take out of it.
func (p Problem) holdsNoBlock() bool {
	switch p {
	case NotAFile, NotMarkdown, NoFolder, BadLink:
		return true
	}
	return false
}

// Refusal is the error for a file that was left exactly as it is because
// writing it could lose something. It is for a person to mend.
type Refusal struct {
	Path    string // as the person named it; empty from the pure functions
	Lines   []int  // from 1 on; empty when no line is to blame
	Problem Problem
	Reason  string
	Link    Link  // of Unconfirmed: what a person would say yes to
	Err     error // the cause, if there is one
}

// Error gives "PATH:LINE: reason", with "(also line N, M)" for further lines.
func (r *Refusal) Error() string {
	var b strings.Builder
	b.WriteString(r.Path)
	if len(r.Lines) > 0 {
		if r.Path == "" {
			b.WriteString("line ")
		} else {
			b.WriteByte(':')
		}
		fmt.Fprint(&b, r.Lines[0])
	}
	if b.Len() > 0 {
		b.WriteString(": ")
	}
	b.WriteString(r.Reason)
	if len(r.Lines) > 1 {
		b.WriteString(" (also line ")
		for i, n := range r.Lines[1:] {
			if i == 5 {
				b.WriteString(", …")
				break
			}
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprint(&b, n)
		}
		b.WriteByte(')')
	}
	return b.String()
}

// Unwrap returns the cause.
func (r *Refusal) Unwrap() error { return r.Err }

func refuse(p Problem, lines []int, reason string) *Refusal {
	return &Refusal{Problem: p, Lines: lines, Reason: reason}
}

func merged(a, b []int) []int {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return all
}
