package service

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"recollect/internal/config"
	"recollect/internal/printable"
	"recollect/internal/safefile"
)

// maxLogLine bounds what is read of one line; of a longer one the rest is
// passed over.
const maxLogLine = 64 << 10

// LastLogs gives the last n lines of the service's log, oldest first, also of
// files that were turned over. No log is no line.
func LastLogs(dirs config.Dirs, n int) ([]string, error) {
	old, err := oldLogs(dirs)
	if err != nil {
		return nil, err
	}
	var lines []string
	for _, name := range slices.Backward(append(old, LogFile(dirs))) {
		if len(lines) >= n {
			break
		}
		more, err := lastLines(name, n-len(lines))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		lines = append(more, lines...)
	}
	return lines, nil
}

// maxLogs bounds the files in the folder of the logs.
const maxLogs = 10_000

// oldLogs are the files that were turned over, oldest first: their time is their
// name.
func oldLogs(dirs config.Dirs) ([]string, error) {
	old, err := safefile.Match(logDir(dirs), "service-*.log", maxLogs)
	return old, err
}

// lastLines gives the last n lines of a file. An unfinished one is none.
func lastLines(name string, n int) ([]string, error) {
	f, _, err := safefile.Open(name, safefile.NoLimit)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var lines []string
	t := tail{r: bufio.NewReaderSize(io.LimitReader(f, 2*logMegabytes<<20), 4096)}
	for {
		line, ok, err := t.next()
		if err != nil {
			return nil, err
		}
		if !ok {
			return lines, nil
		}
		if lines = append(lines, line); len(lines) > n {
			lines = lines[1:]
		}
	}
}

// tail reads whole lines of a file that may grow.
type tail struct {
	r    *bufio.Reader
	part []byte
}

// next gives the next line that is complete; false: there is none yet.
func (t *tail) next() (string, bool, error) {
	for {
		b, err := t.r.ReadSlice('\n')
		if room := maxLogLine - len(t.part); len(b) > room {
			t.part = append(t.part, b[:room]...)
		} else {
			t.part = append(t.part, b...)
		}
		switch {
		case err == nil:
			line := string(bytes.ToValidUTF8(bytes.TrimRight(t.part, "\r\n"), nil))
			t.part = t.part[:0]
			return line, true, nil
		case errors.Is(err, io.EOF):
			return "", false, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return "", false, err
		}
	}
}

// followEvery is how often a log that is followed is looked at.
const followEvery = 200 * time.Millisecond

// FollowLogs calls f for the last n lines, and then for each new one until ctx is
// done or f fails. A file that is turned over is read to its end first.
func FollowLogs(ctx context.Context, dirs config.Dirs, n int, f func(line string) error) error {
	name := LogFile(dirs)
	file, t, err := openTail(name)
	defer func() { closeTail(file) }()
	if err != nil {
		return err
	}
	lines, err := LastLogs(dirs, n)
	if err != nil {
		return err
	}
	// What is in the file by now has been given, but for what came in between.
	if err := t.skip(lines); err != nil {
		return err
	}
	for _, l := range lines {
		if err := f(l); err != nil {
			return err
		}
	}
	for {
		if err := t.give(f); err != nil {
			return err
		}
		if turned(name, file) {
			if err := t.give(f); err != nil { // what was written before it was turned over
				return err
			}
			was := file
			file, t, err = openTail(name)
			if err == nil {
				err = between(dirs, was, file, f)
			}
			closeTail(was)
			if err != nil {
				return err
			}
			continue
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(followEvery):
		}
	}
}

// between gives the lines of files that came and were turned over again between
// two looks: after was, before now.
func between(dirs config.Dirs, was, now *os.File, f func(string) error) error {
	old, err := oldLogs(dirs)
	if err != nil || was == nil {
		return err
	}
	after := false
	for _, name := range old {
		file, t, err := openTail(name)
		if err != nil || file == nil {
			return err
		}
		switch {
		case isFile(file, was):
			after = true
		case isFile(file, now):
			after = false
		case after:
			err = t.give(f)
		}
		file.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

func isFile(a, b *os.File) bool {
	if a == nil || b == nil {
		return false
	}
	ia, erra := a.Stat()
	ib, errb := b.Stat()
	return erra == nil && errb == nil && os.SameFile(ia, ib)
}

// openTail opens the log; one that is not there yet has no lines.
func openTail(name string) (*os.File, *tail, error) {
	f, _, err := safefile.Open(name, safefile.NoLimit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &tail{r: bufio.NewReader(strings.NewReader(""))}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	return f, &tail{r: bufio.NewReader(f)}, nil
}

func closeTail(f *os.File) {
	if f != nil {
		f.Close()
	}
}

// skip passes over the lines up to the last of those that were given.
func (t *tail) skip(given []string) error {
	if len(given) == 0 {
		for {
			if _, ok, err := t.next(); !ok || err != nil {
				return err
			}
		}
	}
	last := given[len(given)-1]
	for {
		line, ok, err := t.next()
		if !ok || err != nil || line == last {
			return err
		}
	}
}

// give gives all lines that are there.
func (t *tail) give(f func(string) error) error {
	for {
		line, ok, err := t.next()
		if !ok || err != nil {
			return err
		}
		if err := f(line); err != nil {
			return err
		}
	}
}

// turned says whether the log is another file by now.
func turned(name string, file *os.File) bool {
	now, err := os.Stat(name)
	if err != nil {
		return false // it is just being made
	}
	if file == nil {
		return true
	}
	was, err := file.Stat()
	return err != nil || !os.SameFile(now, was)
}

// LogLine is a line of the log for people: time, level, message, and the rest as
// NAME=value. What is no line of ours comes back as it is.
func LogLine(line string) string {
	d := json.NewDecoder(strings.NewReader(line))
	d.UseNumber()
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return line
	}
	var at, level, message string
	var rest strings.Builder
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return line
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return line
		}
		var text string
		if json.Unmarshal(raw, &text) != nil {
			text = string(raw)
		}
		switch name {
		case "time":
			at = text
			if t, err := time.Parse(time.RFC3339Nano, text); err == nil {
				at = printable.Second(t)
			}
		case "level":
			level = text
		case "msg":
			message = text
		default:
			rest.WriteString(" " + name.(string) + "=" + text)
		}
	}
	return at + " " + level + " " + message + rest.String()
}
