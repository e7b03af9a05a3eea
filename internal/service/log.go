package service

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"gopkg.in/natefinch/lumberjack.v2"

	"recollect/internal/config"
	"recollect/internal/safefile"
	"recollect/internal/secrets"
)

// Limits of the log.
const (
	logMegabytes = 4 // of one file
	logFiles     = 3 // kept beside the one that is written to
	logDays      = 30
	maxLogText   = 600 // characters of one value
)

// logDir is where the service says what it does, and what it crashed of.
func logDir(dirs config.Dirs) string { return filepath.Join(dirs.Data, "logs") }

// LogFile is the log of the service: JSON objects, one a line. Older ones lie
// beside it.
func LogFile(dirs config.Dirs) string { return filepath.Join(logDir(dirs), "service.log") }

// OpenLog gives the log of the service: for people to w, which a service manager
// keeps too, and for programs to LogFile, which is made with the first message,
// for the person's eyes only, and turned over when it is large. Secrets are taken
// out of both, and long texts are cut: what was said to an assistant has no place
// in a log. A file that can't be written is told of on w once, and by the output.
func OpenLog(dirs config.Dirs, w io.Writer) (*slog.Logger, *LogOutput) {
	file := &LogOutput{warn: w, file: lumberjack.Logger{
		Filename: LogFile(dirs), MaxSize: logMegabytes, MaxBackups: logFiles, MaxAge: logDays,
	}}
	o := &slog.HandlerOptions{ReplaceAttr: clean()}
	return slog.New(slog.NewMultiHandler(slog.NewTextHandler(w, o), slog.NewJSONHandler(file, o))), file
}

// LogOutput writes to a file that may be missing, full or forbidden; the service
// goes on without. slog calls Write under a lock.
type LogOutput struct {
	file  lumberjack.Logger
	warn  io.Writer
	ready bool
	torn  bool // the last line is not whole

	mu  sync.Mutex
	why error // why the last line was not written
}

// Trouble says why the log is not written, in words; empty: it is.
func (l *LogOutput) Trouble() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.why == nil {
		return ""
	}
	return fmt.Sprintf("the log file can't be written: %v", l.why)
}

// Write implements io.Writer.
func (l *LogOutput) Write(b []byte) (int, error) {
	if !l.ready {
		if err := l.prepare(); err != nil {
			l.failed(err)
			return len(b), nil
		}
		l.ready = true
	}
	line := b
	if l.torn { // one that a full disk cut off spoils no other
		line = append([]byte{'\n'}, b...)
	}
	n, err := l.file.Write(line)
	l.torn = err != nil && (n > 0 || l.torn)
	l.failed(err)
	return len(b), nil
}

// prepare makes the folder and the file: the library would let others look into
// the folder, and would wait for the reader of a pipe.
func (l *LogOutput) prepare() error {
	if err := safefile.MakePrivate(filepath.Dir(l.file.Filename)); err != nil {
		return err
	}
	f, _, err := safefile.Private(l.file.Filename, os.O_WRONLY|os.O_APPEND)
	if err != nil {
		return err
	}
	return f.Close()
}

// failed notes how writing went, and tells of it when it begins to fail.
func (l *LogOutput) failed(err error) {
	l.mu.Lock()
	first := l.why == nil
	l.why = err
	l.mu.Unlock()
	if err == nil {
		return
	}
	l.ready = false
	if first {
		fmt.Fprintln(l.warn, l.Trouble())
	}
}

// Close implements io.Closer.
func (l *LogOutput) Close() error { return l.file.Close() }

// clean takes out of every value of a message what has no place in a log.
func clean() func([]string, slog.Attr) slog.Attr {
	redact := func(s string) string { return s }
	if r, err := secrets.New(); err == nil {
		redact = func(s string) string { s, _ = r.Redact(s); return s }
	}
	return func(_ []string, a slog.Attr) slog.Attr {
		switch a.Value.Kind() {
		case slog.KindString:
			a.Value = slog.StringValue(cut(redact(a.Value.String())))
		case slog.KindAny:
			if level, ok := a.Value.Any().(slog.Level); ok && a.Key == slog.LevelKey {
				a.Value = slog.StringValue(level.String())
				break
			}
			// Named with its value, as a text: "key=…" is known by its name.
			a.Value = slog.StringValue(cut(redact(fmt.Sprint(a.Value.Any()))))
		}
		return a
	}
}

// cut keeps the beginning of a long text.
func cut(s string) string {
	if len(s) <= maxLogText {
		return s
	}
	return strings.ToValidUTF8(s[:maxLogText], "") + "…"
}

// removeLogs removes the log with all that lies beside it, and gives the folder
// if it was there.
func removeLogs(dirs config.Dirs) ([]string, error) {
	dir := logDir(dirs)
	if _, err := os.Lstat(dir); err != nil {
		return nil, nil
	}
	return []string{dir}, os.RemoveAll(dir)
}
