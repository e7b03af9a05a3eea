package maintain

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"recollect/internal/atomicfile"
	"recollect/internal/safefile"
	"recollect/internal/unmerged"
)

const (
	logVersion = 1
	maxLog     = 1 << 20
	maxResults = 30  // in a log
	maxWords   = 400 // runes of a result's words
	maxNames   = 50  // deferred branches that are named
	logTries   = 10
	asideExt   = ".damaged"
)

// ErrNewerLog says that a newer version of the program wrote the log, which is
// then not written.
var ErrNewerLog = errors.New("the maintenance log was written by a newer version")

// Log says when a project's memory was maintained last. Times are zero for never.
type Log struct {
	// Thread is when a branch's turns were memorized by maintenance last.
	Thread  time.Time
	Startup time.Time
	Nightly time.Time
	Weekly  time.Time
	Monthly time.Time
	Results []Result // oldest first
	// unknown are fields that a log has besides; they are written again.
	unknown map[string]json.RawMessage
}

// Result is what one run came to.
type Result struct {
	Kind     Kind      `json:"kind"`
	At       time.Time `json:"at"`
	Outcome  Outcome   `json:"outcome"`
	Words    string    `json:"words"`
	Deferred []string  `json:"deferred,omitempty"` // branches that the next run begins with; at most 50
}

// logNames are the names of the times in the file; the first three are those of
// Puffin's memory plug-in.
func (l *Log) times() map[string]*time.Time {
	return map[string]*time.Time{
		"lastThreadProcessed": &l.Thread, "lastWeeklyConsolidation": &l.Weekly, "lastMonthlyReindex": &l.Monthly,
		"lastNightly": &l.Nightly, "lastStartup": &l.Startup,
	}
}

// Last is when a kind was done last.
func (l Log) Last(k Kind) time.Time {
	switch k {
	case Startup:
		return l.Startup
	case Nightly:
		return l.Nightly
	case Weekly:
		return l.Weekly
	case Monthly:
		return l.Monthly
	}
	return time.Time{}
}

// set notes that a kind was done.
func (l *Log) set(k Kind, at time.Time) {
	switch k {
	case Startup:
		l.Startup = at
	case Nightly:
		l.Nightly = at
	case Weekly:
		l.Weekly = at
	case Monthly:
		l.Monthly = at
	}
}

// replace is add, in the place of the kind's last result if that says the same.
func (l *Log) replace(r Result) {
	for i, old := range slices.Backward(l.Results) {
		if old.Kind != r.Kind {
			continue
		}
		if old.Outcome == r.Outcome && old.Words == bounded(r.Words) {
			l.Results = slices.Delete(slices.Clone(l.Results), i, i+1)
		}
		break
	}
	l.add(r)
}

// add appends a result, and drops the oldest of too many.
func (l *Log) add(r Result) {
	r.Words = bounded(r.Words)
	r.Deferred = r.Deferred[:min(len(r.Deferred), maxNames)]
	l.Results = append(slices.Clip(l.Results), r)
	l.Results = l.Results[max(len(l.Results)-maxResults, 0):]
}

func bounded(words string) string {
	words = strings.Join(strings.Fields(strings.ToValidUTF8(words, "\uFFFD")), " ")
	if utf8.RuneCountInString(words) > maxWords {
		words = string([]rune(words)[:maxWords-1]) + "…"
	}
	return words
}

// DecodeLog reads a log, strictly but for fields that it does not know. Times may
// be null or absent.
func DecodeLog(data []byte) (Log, error) {
	var top map[string]json.RawMessage
	if err := json.Unmarshal(bytes.TrimPrefix(data, []byte("\ufeff")), &top); err != nil {
		return Log{}, err
	}
	version := 0
	if err := json.Unmarshal(top["version"], &version); err != nil || version < 1 {
		return Log{}, errors.New(`"version" must be a number`)
	}
	if version > logVersion {
		return Log{}, ErrNewerLog
	}
	delete(top, "version")
	var l Log
	for name, t := range l.times() {
		raw, ok := top[name]
		delete(top, name)
		if !ok || string(raw) == "null" {
			continue
		}
		if err := json.Unmarshal(raw, t); err != nil {
			return Log{}, fmt.Errorf("%s is no time", name)
		}
		if t.Year() < 2000 || t.Year() > 9000 {
			return Log{}, fmt.Errorf("%s can't be in the year %d", name, t.Year())
		}
		*t = t.UTC()
	}
	if raw, ok := top["results"]; ok {
		if err := json.Unmarshal(raw, &l.Results); err != nil {
			return Log{}, errors.New("the results can't be read")
		}
		delete(top, "results")
	}
	l.Results = l.Results[max(len(l.Results)-maxResults, 0):]
	for i := range l.Results {
		l.Results[i].Words = bounded(l.Results[i].Words)
		l.Results[i].Deferred = l.Results[i].Deferred[:min(len(l.Results[i].Deferred), maxNames)]
	}
	if len(top) > 0 {
		l.unknown = top
	}
	return l, nil
}

// decodeSides is DecodeLog, also of a log in which git left both sides of a merge:
// then each kind was done when either says so last.
func decodeSides(data []byte) (Log, error) {
	ours, theirs, line := unmerged.Sides(data)
	l, err := DecodeLog(ours)
	if line == 0 || err != nil {
		return l, err
	}
	other, err := DecodeLog(theirs)
	if err != nil {
		return Log{}, err
	}
	times := other.times()
	for name, t := range l.times() {
		if times[name].After(*t) {
			*t = *times[name]
		}
	}
	for _, r := range other.Results {
		same := func(o Result) bool { return o.Kind == r.Kind && o.At.Equal(r.At) }
		if !slices.ContainsFunc(l.Results, same) {
			l.Results = append(l.Results, r)
		}
	}
	slices.SortStableFunc(l.Results, func(a, b Result) int { return a.At.Compare(b.At) })
	l.Results = l.Results[max(len(l.Results)-maxResults, 0):]
	return l, nil
}

// Encode gives the text of a log.
func (l Log) Encode() ([]byte, error) {
	top := map[string]any{"version": logVersion}
	for name, raw := range l.unknown {
		top[name] = raw
	}
	for name, t := range l.times() {
		top[name] = nil
		if !t.IsZero() {
			top[name] = t.UTC().Format("2006-01-02T15:04:05.000Z")
		}
	}
	if len(l.Results) > 0 {
		top["results"] = l.Results
	}
	var b bytes.Buffer
	b.WriteString("{")
	order := []string{"version", "lastThreadProcessed", "lastWeeklyConsolidation", "lastMonthlyReindex", "lastNightly", "lastStartup"}
	rest := slices.DeleteFunc(slices.Sorted(maps.Keys(top)), func(name string) bool { return slices.Contains(order, name) })
	for i, name := range append(order, rest...) {
		key, err := json.Marshal(name)
		if err != nil {
			return nil, err
		}
		value, err := json.MarshalIndent(top[name], "  ", "  ")
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, "\n  %s: %s", key, value)
	}
	b.WriteString("\n}\n")
	return b.Bytes(), nil
}

// LogFile is a log, the file maintenance-log.json in the folder In.
type LogFile struct {
	In safefile.Folder
	// Before is called before each step of writing; tests use it.
	Before func(file string, step atomicfile.Step) error
}

const logName = "maintenance-log.json"

// Path names the log for people.
func (f LogFile) Path() string { return f.In.Path(logName) }

// Load reads the log; an empty one, if there is none. A log that can't be read is
// an empty one too, and broken says why: Change sets it aside.
func (f LogFile) Load() (l Log, broken, err error) {
	l, _, broken, err = f.read()
	return l, broken, err
}

func (f LogFile) read() (l Log, expect atomicfile.Expect, broken, err error) {
	data, sum, _, err := atomicfile.ReadIn(f.In, logName, maxLog)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Log{}, atomicfile.Absent(), nil, nil
	case err != nil:
		return Log{}, expect, nil, err
	}
	expect = atomicfile.Content(sum)
	l, err = decodeSides(data)
	if errors.Is(err, ErrNewerLog) {
		return Log{}, expect, nil, fmt.Errorf("%s: %w", f.Path(), err)
	}
	return l, expect, err, nil
}

// Change changes the log as it is at that moment. It returns where a broken one
// was kept, "" if there was none.
func (f LogFile) Change(change func(*Log)) (aside string, err error) {
	for range logTries {
		l, expect, broken, err := f.read()
		if err != nil {
			return aside, err
		}
		if broken != nil {
			if aside, err = f.keepAside(); err != nil {
				return "", err
			}
		}
		change(&l)
		data, err := l.Encode()
		if err != nil {
			return aside, err
		}
		if err := f.In.Make(0o755); err != nil {
			return aside, err
		}
		if err = f.replace(logName, data, expect); !errors.Is(err, atomicfile.ErrChanged) {
			return aside, err
		}
	}
	return aside, fmt.Errorf("%s: %w", f.Path(), atomicfile.ErrChanged)
}

// keepAside copies a broken log beside it, unless it is there already.
func (f LogFile) keepAside() (string, error) {
	data, _, _, err := atomicfile.ReadIn(f.In, logName, maxLog)
	if err != nil {
		return "", err
	}
	for n := 1; ; n++ {
		aside := logName + asideExt
		if n > 1 {
			aside = fmt.Sprintf("%s.%d", aside, n)
		}
		if old, _, _, err := atomicfile.ReadIn(f.In, aside, maxLog); err == nil && bytes.Equal(old, data) {
			return f.In.Path(aside), nil
		}
		err := f.replace(aside, data, atomicfile.Absent())
		if !errors.Is(err, atomicfile.ErrChanged) || n >= 1000 {
			return f.In.Path(aside), err
		}
	}
}

func (f LogFile) replace(name string, data []byte, expect atomicfile.Expect) error {
	o := atomicfile.Options{Mode: 0o600}
	if f.Before != nil {
		o.Before = func(s atomicfile.Step) error { return f.Before(name, s) }
	}
	return atomicfile.ReplaceIn(f.In, name, data, expect, o)
}
