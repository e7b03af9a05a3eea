package plugin

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/tetratelabs/wazero/api"

	"recollect/hostapi"
	"recollect/internal/history"
	"recollect/internal/memorize"
	"recollect/internal/memory"
	"recollect/internal/plugin/meter"
	"recollect/internal/printable"
)

// Setting is what the host answers a plug-in from during one call. Whatever is
// absent in it is answered as unavailable.
type Setting struct {
	Branch  string
	History memorize.History
	New     []history.Ref // turns not memorized before
	All     []history.Ref // turns of the branch, the new ones included
	// Memory gives what is remembered about a branch.
	Memory func(branch string) (memory.Memory, error)
	// Storage is the folder that holds the storage of all plug-ins in this project.
	Storage string
	// Redact, if set, takes secrets out of what a plug-in stores or has sent: it may
	// have joined what it read in pieces.
	Redact func(ctx context.Context, text string) (string, error)
	// Scratch, if set, takes what plug-ins would put there.
	Scratch *Scratch
	// Config is the configuration that a person gave; see [ResolveConfig].
	Config json.RawMessage
	// Complete asks the model, Budget says what is left. Both nil: no model is
	// configured.
	Complete func(ctx context.Context, p hostapi.CompleteParams) (hostapi.CompleteResult, error)
	Budget   func(ctx context.Context) (hostapi.BudgetResult, error)
	// Watch, if set, is told what each call gave, from its goroutine.
	Watch func(verb string, o Outcome, err error)
}

// LogLine is one line of a plug-in's log.
type LogLine struct {
	Level int32  `json:"level"` // hostapi.LogDebug and so on
	Text  string `json:"text"`
}

// Usage is what one call took.
type Usage struct {
	Guest      time.Duration `json:"guest_ns"` // in the plug-in itself
	Host       time.Duration `json:"host_ns"`  // in host methods, waiting for models included
	HostCalls  int           `json:"host_calls"`
	ModelCalls int           `json:"model_calls"`
	Memory     int64         `json:"memory_bytes"` // linear memory at the end
	Fuel       int64         `json:"fuel"`         // about one instruction each
	LogDropped int           `json:"log_dropped"`  // lines beyond the limit
}

const maxLogLine = 4 << 10 // bytes

// session is the host's side of one call: its clock, its counters and what it
// may see. It belongs to the goroutine of the call.
type session struct {
	ctx      context.Context
	cancel   context.CancelCauseFunc
	manifest hostapi.Manifest
	limits   Limits
	setting  Setting
	version  string // of the app

	clock   clock
	account meter.Account
	fuel    api.MutableGlobal // of the instance, once the call has begun
	reply   []byte            // kept for read
	log     []LogLine
	logged  int64
	stderr  tail
	usage   Usage
	turns   turnReader

	waits  *time.Timer   // ends a call that waits too long for models
	waited time.Duration // for them

	talked bool // the guest has asked the host for something
	alone  bool // the guest warms up: nothing is answered or kept
}

// clean takes secrets out of texts, as long as the call may last.
func (s *session) clean(texts ...*string) *hostapi.Error {
	for _, t := range texts {
		if s.setting.Redact == nil {
			break
		}
		clean, err := s.setting.Redact(s.ctx, *t)
		if err != nil {
			return refusal(hostapi.CodeFailed, "the text can't be looked through for secrets: %v", err)
		}
		*t = clean
	}
	return nil
}

func newSession(ctx context.Context, m hostapi.Manifest, l Limits, set Setting, version string) *session {
	s := &session{manifest: m, limits: l, setting: set, version: version}
	s.ctx, s.cancel = context.WithCancelCause(ctx)
	s.account.Budget = l.Fuel
	s.clock.left = l.Wall
	s.clock.end = func() { s.cancel(errDeadline) }
	if l.waits > 0 {
		s.waits = time.AfterFunc(l.Wall+l.waits, func() { s.cancel(errWaits) })
	}
	return s
}

// close ends what the call has open. Nothing of the session runs afterwards.
func (s *session) close() {
	s.clock.stop()
	if s.waits != nil {
		s.waits.Stop()
	}
	s.turns.close()
	s.cancel(context.Canceled)
	s.usage.Guest = max(s.clock.used+s.waited-s.usage.Host, 0)
}

// waiting lets the plug-in's clock stand while f asks a model, which may take
// minutes that are not the plug-in's. All of that together has a limit of its own.
func (s *session) waiting(f func()) {
	s.clock.stop()
	began := time.Now()
	defer func() {
		s.waited += time.Since(began)
		s.clock.start()
	}()
	f()
}

// within is the context that the guest runs in.
func (s *session) within() context.Context { return context.WithValue(s.ctx, sessionKey{}, s) }

// addLog keeps a line as long as there is room for it. Whatever is in it, it is
// one printable line.
func (s *session) addLog(level int32, text string) {
	text = printable.Line(text, maxLogLine)
	if s.logged+int64(len(text)) > s.limits.Log || len(s.log) >= 4096 {
		s.usage.LogDropped++
		return
	}
	s.logged += int64(len(text))
	s.log = append(s.log, LogLine{Level: level, Text: text})
}

// detail is what an author needs to see of a call that was aborted: the stack, if
// it ended within the plug-in.
func (s *session) detail(err error) string {
	var b strings.Builder
	if _, outside := err.(*abort); err != nil && !outside { //nolint:errorlint // the stack is in what wraps it
		b.WriteString(printable.Lines(err.Error(), maxDetail))
	}
	if text := s.stderr.String(); text != "" {
		fmt.Fprintf(&b, "\nstandard error:\n%s", text)
	}
	return b.String()
}

// clock counts the time that a call takes, in the plug-in and in the host that
// works for it, and ends the call when none is left. It stands still while the
// plug-in waits for a model.
type clock struct {
	mu    sync.Mutex
	left  time.Duration
	used  time.Duration
	since time.Time
	timer *time.Timer
	end   func()
}

func (c *clock) start() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.since = time.Now()
	c.timer = time.AfterFunc(max(c.left, 0), c.end)
}

func (c *clock) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.timer == nil {
		return
	}
	c.timer.Stop()
	c.timer = nil
	passed := time.Since(c.since)
	c.used += passed
	c.left -= passed
}

// remaining is what is left of the plug-in's time.
func (c *clock) remaining() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.timer == nil {
		return c.left
	}
	return c.left - time.Since(c.since)
}

// sleep serves the guest's nanosleep: never beyond the deadline or the end of
// the call.
func (s *session) sleep(ns int64) {
	d := min(time.Duration(max(ns, 0)), max(s.clock.remaining(), 0)+time.Millisecond)
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-s.ctx.Done():
	}
}

// tail keeps the last bytes that were written to it.
type tail struct{ data []byte }

const maxTail = 16 << 10

func (t *tail) Write(p []byte) (int, error) {
	n := len(p)
	if len(p) > maxTail {
		p = p[len(p)-maxTail:]
	}
	if over := len(t.data) + len(p) - maxTail; over > 0 {
		t.data = append(t.data[:0], t.data[over:]...)
	}
	t.data = append(t.data, p...)
	return n, nil
}

func (t *tail) String() string {
	return printable.Lines(string(t.data), maxTail)
}
