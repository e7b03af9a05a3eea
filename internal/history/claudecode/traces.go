package claudecode

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"recollect/internal/history"
)

// written is a file that a tool wrote.
type written struct {
	place uint32
	path  string // as the call named it
}

// committed is the last commit that was made at a place.
type committed struct {
	place uint32
	time  int64
	text  string
	from  sample // the record with the result
}

// Bounds of what is kept of a path, in bytes, of a commit's first line, in runes,
// and of all files and commits of a transcript, the last ones: with each record at
// another place there would be as many as records.
const (
	maxWritten = 512
	maxSubject = 100
	maxWrites  = 1000
	maxCommits = 100
)

// doing is what a tool call does, if that is of interest: it writes a file, or it
// may commit.
func doing(name, input []byte) (path string, commits bool) {
	switch string(text(name)) {
	case "Write", "Edit", "MultiEdit", "NotebookEdit":
		path = unquote(member(input, "file_path"))
		if path == "" {
			path = unquote(member(input, "notebook_path"))
		}
		if path = history.Clean(path); len(path) > maxWritten || strings.ContainsAny(path, "\r\n") {
			path = ""
		}
	case "Bash", "PowerShell":
		command := member(input, "command")
		commits = bytes.Contains(command, []byte("git")) && bytes.Contains(command, []byte("commit"))
	}
	return path, commits
}

// addTraces notes what the calls did whose results stand in a record. A call that
// failed did nothing.
func (t *transcript) addTraces(r *record, content []byte, at uint32, from sample) {
	if !t.calls.wait() {
		return
	}
	commit := ""
	eachBlock(content, func(b *block) {
		if string(b.kind) != "tool_result" || len(b.answers) == 0 {
			return
		}
		c := t.calls.answer(b.answers)
		switch {
		case b.failed:
		case c.path != "":
			t.wrote(written{at, c.path})
		case c.commits:
			commit = commitIn(content)
		}
	})
	if commit == "" {
		return
	}
	made := committed{at, instant(r.timestamp), commit, from}
	if i := slices.IndexFunc(t.commits, func(c committed) bool { return c.place == at }); i >= 0 {
		t.commits[i] = made
		return
	}
	t.commits = append(t.commits[max(0, len(t.commits)+1-maxCommits):], made)
}

// wrote keeps of each place the files that were written last.
func (t *transcript) wrote(w written) {
	t.writes = slices.DeleteFunc(t.writes, func(o written) bool { return o == w })
	if n := len(t.writes); n >= history.MaxTraced {
		here := 0
		for _, o := range t.writes {
			if o.place == w.place {
				here++
			}
		}
		if here >= history.MaxTraced {
			i := slices.IndexFunc(t.writes, func(o written) bool { return o.place == w.place })
			t.writes = slices.Delete(t.writes, i, i+1)
		}
	}
	t.writes = append(t.writes[max(0, len(t.writes)+1-maxWrites):], w)
}

// commitLine is what git says when it has committed: the branch, the hash and the
// first line.
var commitLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^\[[^\]\n]* ([0-9a-f]{7,40})\] (.+)$`)
})

// commitIn gives the last commit that results tell of.
func commitIn(content []byte) string {
	commit := ""
	eachBlock(content, func(b *block) {
		if string(b.kind) != "tool_result" || !bytes.Contains(b.content, []byte("] ")) {
			return
		}
		if all := commitLine().FindAllStringSubmatch(resultText(b.content), -1); len(all) > 0 {
			last := all[len(all)-1]
			commit = last[1] + " " + firstRunes(strings.TrimSpace(last[2]), maxSubject)
		}
	})
	return history.Clean(commit)
}

func firstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i] + "…"
		}
		n--
	}
	return s
}

// Traces implements history.History.
func (v *view) Traces(s history.Session) history.Traces {
	var left history.Traces
	known := slices.IndexFunc(v.sessions, func(o history.Session) bool { return o.ID == s.ID })
	if known < 0 {
		return left
	}
	last := int64(-1)
	for _, f := range v.files {
		ours := func(at uint32) bool {
			p := f.places[at]
			return p.session == s.ID && v.owns(p.dir)
		}
		for _, x := range f.writes {
			if !ours(x.place) {
				continue
			}
			if name := below(v.sessions[known].Dirs, x.path); name != "" {
				left.Files = append(slices.DeleteFunc(left.Files, func(o string) bool { return o == name }), name)
			}
		}
		for _, c := range f.commits {
			if ours(c.place) && c.time > last {
				left.Commit, last = c.text, c.time
			}
		}
	}
	left.Files = left.Files[max(0, len(left.Files)-history.MaxTraced):]
	return left
}

// below gives the name of a path within the uppermost of the folders that hold it,
// with "/" between its parts; "" if none does. The paths may be of another system
// than this one.
func below(dirs []string, name string) string {
	within := ""
	for _, dir := range dirs {
		dir = strings.TrimRight(dir, `/\`)
		if rest, ok := strings.CutPrefix(name, dir); ok && dir != "" && len(rest) > 1 && strings.ContainsAny(rest[:1], `/\`) {
			if strings.Contains(dir, `\`) {
				rest = strings.ReplaceAll(rest, `\`, "/")
			}
			rest = path.Clean(strings.TrimLeft(rest, "/"))
			if len(rest) > len(within) && rest != ".." && !strings.HasPrefix(rest, "../") {
				within = rest
			}
		}
	}
	return within
}
