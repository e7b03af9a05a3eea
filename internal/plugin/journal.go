package plugin

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"recollect/hostapi"
	"recollect/internal/atomicfile"
	"recollect/internal/printable"
	"recollect/internal/safefile"
)

// What is kept of a plug-in's log, the newest of it.
const (
	keptLines  = 200
	keptBytes  = 64 << 10 // of texts
	keptStderr = 40       // lines of one call
	maxJournal = 1 << 20  // bytes of a file that is read
)

// journalDelay is how long lines wait to be written, so that a call need not.
const journalDelay = time.Second

const levelStderr = "stderr"

// Logged is a line of a plug-in's log as it is kept.
type Logged struct {
	Time  time.Time `json:"time,omitzero"` // when the call ended
	Level string    `json:"level"`         // "debug", "info", "warn", "error" (also: the call failed), "stderr"
	Text  string    `json:"text"`
}

// Logged is the line as it is kept.
func (l LogLine) Logged(at time.Time) Logged {
	levels := []string{"debug", "info", "warn", "error"}
	return Logged{at, levels[min(max(l.Level, hostapi.LogDebug), hostapi.LogError)], l.Text}
}

// Logged gives what a call that ended at some time left in the log, for
// [Readable].
func (o Outcome) Logged(at time.Time) (lines []Logged) {
	for _, l := range o.Log[max(0, len(o.Log)-keptLines):] {
		lines = append(lines, l.Logged(at))
	}
	if o.Stderr != "" {
		lines = append(lines, Logged{at, levelStderr, o.Stderr})
	}
	return lines
}

// journal keeps what plug-ins logged in their last calls: a file for each in the
// library's folder. A call costs no more than a copy in memory. Lines may be lost
// if the process dies or several write at once; the file stays whole.
type journal struct {
	dir    string
	redact func(string) string // nil: as it is

	mu      sync.Mutex
	waiting map[string][]Logged // by plug-in
	timer   *time.Timer         // nil: nothing waits
	closed  bool

	writing sync.Mutex
}

// add notes what a call left. One that left nothing and did not fail leaves no
// line.
func (j *journal) add(id, verb string, out Outcome, err error) {
	failed := err != nil && !IsKind(err, KindCancelled) && !IsKind(err, KindUnsupported)
	if len(out.Log) == 0 && out.Stderr == "" && !failed {
		return
	}
	now := time.Now().UTC().Round(0)
	lines := out.Logged(now)
	if failed {
		reason := err.Error()
		if e := (*Error)(nil); errors.As(err, &e) {
			reason = verb + ": " + e.Reason
		}
		lines = append(lines, Logged{now, "error", printable.Line(reason, 500)})
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.waiting == nil {
		j.waiting = map[string][]Logged{}
	}
	j.waiting[id] = Newest(append(j.waiting[id], lines...))
	if j.timer == nil && !j.closed {
		j.timer = time.AfterFunc(journalDelay, j.flush)
	}
}

// Readable gives lines as people read them: the newest, without secrets, and
// standard error line by line. A redact that is nil leaves texts as they are.
func Readable(lines []Logged, redact func(string) string) (out []Logged) {
	for _, l := range Newest(lines) {
		if redact != nil {
			l.Text = redact(l.Text)
		}
		if l.Level != levelStderr {
			out = append(out, l)
			continue
		}
		texts := strings.FieldsFunc(l.Text, func(r rune) bool { return r == '\n' || r == '\r' })
		for _, text := range texts[max(0, len(texts)-keptStderr):] {
			out = append(out, Logged{l.Time, levelStderr, printable.Line(text, maxLogLine)})
		}
	}
	return Newest(out)
}

// Newest gives the last lines, as many as are kept.
func Newest(lines []Logged) []Logged {
	from, size := len(lines), 0
	for from > 0 && len(lines)-from < keptLines {
		if size += len(lines[from-1].Text); size > keptBytes {
			break
		}
		from--
	}
	return lines[from:]
}

// flush writes what waits. What can't be written is lost, which is no reason for
// an error.
func (j *journal) flush() {
	j.writing.Lock()
	defer j.writing.Unlock()
	j.mu.Lock()
	waiting := j.waiting
	j.waiting = nil
	if j.timer != nil {
		j.timer.Stop()
		j.timer = nil
	}
	j.mu.Unlock()
	for id, lines := range waiting {
		j.write(id, Readable(lines, j.redact))
	}
}

// close writes what waits, and what is added later when that is flushed.
func (j *journal) close() {
	j.mu.Lock()
	j.closed = true
	j.mu.Unlock()
	j.flush()
}

// drop forgets what waits of a plug-in.
func (j *journal) drop(id string) {
	j.writing.Lock()
	defer j.writing.Unlock()
	j.mu.Lock()
	defer j.mu.Unlock()
	delete(j.waiting, id)
}

func dropJournal(dir, id string) error {
	if !idForm.MatchString(id) {
		return nil
	}
	err := os.Remove(journalFile(dir, id))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func journalFile(dir, id string) string { return filepath.Join(dir, "plugin-"+id+".jsonl") }

func (j *journal) write(id string, lines []Logged) {
	if !idForm.MatchString(id) || safefile.MakePrivate(j.dir) != nil {
		return
	}
	name := journalFile(j.dir, id)
	for range 3 { // another process may write it too
		old, sum, err := atomicfile.Read(name, maxJournal)
		expect := atomicfile.Content(sum)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			expect = atomicfile.Absent()
		case errors.Is(err, atomicfile.ErrTooLarge):
			expect = atomicfile.Expect{}
		case err != nil:
			return
		}
		data := encodeJournal(Newest(append(parseJournal(old), lines...)))
		if !errors.Is(atomicfile.Replace(name, data, expect, atomicfile.Options{Mode: 0o600}), atomicfile.ErrChanged) {
			return
		}
	}
}

func encodeJournal(lines []Logged) []byte {
	var b bytes.Buffer
	for _, l := range lines {
		data, err := encode(l)
		if err != nil { // a year beyond 9999
			continue
		}
		b.Write(data)
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// parseJournal reads what encodeJournal wrote. Lines that are not of its form
// are passed over.
func parseJournal(data []byte) []Logged {
	var out []Logged
	for line := range bytes.Lines(data) {
		var l Logged
		if json.Unmarshal(line, &l) == nil && l.Level != "" && len(l.Level) <= 20 {
			l.Text = printable.Line(l.Text, maxLogLine)
			out = append(out, l)
		}
	}
	return Newest(out)
}

// LogOf gives what is kept of a plug-in's log, in all projects and processes,
// the newest line last. No log is an empty one.
func (h *Host) LogOf(id string) []Logged {
	h.journal.flush()
	if !idForm.MatchString(id) {
		return []Logged{}
	}
	data, _, err := atomicfile.Read(journalFile(h.journal.dir, id), maxJournal)
	if err != nil {
		return []Logged{}
	}
	return slices.Concat([]Logged{}, parseJournal(data))
}

// Forget is [Library.Forget], also of what waits to be written.
func (h *Host) Forget(id string) error {
	h.journal.drop(id)
	return h.library.Forget(id)
}
