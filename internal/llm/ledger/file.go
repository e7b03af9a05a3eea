package ledger

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"recollect/internal/atomicfile"
	"recollect/internal/safefile"
)

func (l *Ledger) current() string { return filepath.Join(l.dir, "current.jsonl") }

// catchUp reads what was appended since the last look.
func (l *Ledger) catchUp() error {
	f, info, err := safefile.Open(l.current(), safefile.NoLimit)
	if errors.Is(err, fs.ErrNotExist) {
		l.file, l.read, l.torn, l.day = nil, 0, false, newDay("")
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if l.file == nil || !os.SameFile(l.file, info) || info.Size() < l.read {
		l.day = newDay("")
		if l.read, err = lastDay(f, info.Size()); err != nil {
			return err
		}
	}
	l.file = info
	n, err := eachLine(io.NewSectionReader(f, l.read, info.Size()-l.read), func(line []byte) {
		if e, ok := parse(line); ok {
			l.day.apply(e)
		}
	})
	l.read += n
	l.torn = l.read < info.Size()
	return err
}

// eachLine visits the whole lines and tells how many bytes they take. What
// follows the last end of line is not visited.
func eachLine(r io.Reader, visit func([]byte)) (n int64, err error) {
	b := bufio.NewReaderSize(r, maxLine)
	var over int64 // bytes of a line that is too long to be one of ours
	for {
		line, err := b.ReadSlice('\n')
		switch {
		case err == nil:
			if over == 0 {
				visit(line)
			} else {
				visit(nil)
			}
			n += over + int64(len(line))
			over = 0
		case errors.Is(err, bufio.ErrBufferFull):
			over += int64(len(line))
		case errors.Is(err, io.EOF):
			return n, nil
		default:
			return n, err
		}
	}
}

// lastDay is where the line of the last day begins; 0 if there is none.
func lastDay(f io.ReaderAt, size int64) (int64, error) {
	mark := []byte("\n" + `{"e":"` + kindDay + `",`)
	const block = 64 << 10
	buf := make([]byte, block+len(mark))
	for end := size; end > 0; {
		start := max(end-block, 0)
		n, err := f.ReadAt(buf[:min(end-start+int64(len(mark)), size-start)], start)
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		for found := buf[:n]; ; {
			i := bytes.LastIndex(found, mark)
			if i < 0 {
				break
			}
			if at := start + int64(i) + 1; wholeLine(f, at, size) {
				return at, nil
			}
			found = found[:i]
		}
		end = start
	}
	return 0, nil
}

// wholeLine says whether a line of ours, and not a damaged one, begins there.
func wholeLine(f io.ReaderAt, at, size int64) (ok bool) {
	first := true
	_, err := eachLine(io.NewSectionReader(f, at, min(size-at, maxLine)), func(line []byte) {
		if first {
			_, ok = parse(line)
			first = false
		}
	})
	return ok && err == nil
}

// append adds lines. With sync they are on the disk when it returns. If it
// fails the file is as before, or ends in a torn line that is never read.
func (l *Ledger) append(sync bool, events ...event) (err error) {
	var text []byte
	if l.torn {
		text = append(text, '\n')
	}
	for _, e := range events {
		line, err := e.line()
		if err != nil {
			return err
		}
		text = append(text, line...)
	}
	f, info, err := safefile.Private(l.current(), os.O_WRONLY|os.O_APPEND)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.Write(text); err != nil {
		return errors.Join(err, f.Truncate(info.Size()))
	}
	if sync {
		if err := atomicfile.Sync(f); err != nil {
			return err
		}
	}
	if l.file == nil {
		if err := atomicfile.SyncFolder(l.dir); err != nil {
			return err
		}
	}
	l.file, l.read, l.torn = info, info.Size()+int64(len(text)), false
	for _, e := range events {
		l.day.apply(e)
	}
	return nil
}

// turnDay begins a new day if the clock says so, and a new file with a new
// month.
func (l *Ledger) turnDay() error {
	now := l.now()
	date := dateOf(now)
	switch next(l.day.date, now) {
	case newDate:
		l.sweep()
		if old := l.day.date; old != "" && old[:7] != date[:7] {
			if err := l.rotate(old[:7]); err != nil {
				return err
			}
		}
		return l.append(false, event{Kind: kindDay, Day: date, At: now.Format(time.RFC3339Nano)})
	case wayBack:
		return l.append(false, event{Kind: kindBack, Day: date, At: now.Format(time.RFC3339Nano)})
	}
	return nil
}

// rotate puts the running file away under the month that it was for.
func (l *Ledger) rotate(month string) error {
	name := filepath.Join(l.dir, month+".jsonl")
	for i := 2; ; i++ {
		_, err := os.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err != nil {
			return err
		}
		name = filepath.Join(l.dir, month+"-"+strconv.Itoa(i)+".jsonl")
	}
	if err := os.Rename(l.current(), name); err != nil {
		return err
	}
	l.file, l.read, l.torn, l.day = nil, 0, false, newDay("")
	return atomicfile.SyncFolder(l.dir)
}
