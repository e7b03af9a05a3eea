package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"recollect/hostapi"
)

// Plugin is an approved plug-in that can be called, also from several goroutines
// at once. Its module is compiled, or loaded from the cache, with the first
// call; one that changes nothing at the host may be answered before that is done.
type Plugin struct {
	Manifest hostapi.Manifest
	SHA256   string // of its package; empty for a built-in

	host    *Host
	edition string // of its package; see Entry.edition
	open    func() (*Package, error)
	limits  Limits
	listen  func(Compiling) // nil: the host's

	running sync.RWMutex // held for reading by calls, for writing by close
	load    sync.Mutex   // guards the next four and what loading says
	mod     *module
	loading *loading // nil: nobody needs the module, or it is there
	failed  bool     // to load, the last time
	closed  bool

	count   sync.Mutex
	metrics Metrics
	breaker breaker
}

// Outcome is what a call gave besides its result.
type Outcome struct {
	Result json.RawMessage `json:"result"` // nil: empty
	Log    []LogLine       `json:"log,omitempty"`
	Stderr string          `json:"stderr,omitempty"` // its end
	Usage  Usage           `json:"usage"`
}

// Limits are the limits that hold for each call.
func (p *Plugin) Limits() Limits { return p.limits }

// Run calls a verb ("extract", "select" and so on) with a request in JSON. The
// outcome is filled as far as the call came, also with an error, which is a
// *Error. A plug-in that crashed or broke the contract three times in ten
// minutes is paused until Resume.
func (p *Plugin) Run(ctx context.Context, verb string, request []byte, set Setting) (Outcome, error) {
	return p.ask(ctx, question{verb: verb, request: request, setting: set, shape: replyShape()})
}

// question is what is asked in a call.
type question struct {
	verb    string
	request []byte
	setting Setting
	shape   shape              // of the answer
	into    func([]byte) error // decodes the result; nil: nobody needs it
}

func (p *Plugin) ask(ctx context.Context, q question) (Outcome, error) {
	if verbs[q.verb] == "" {
		return Outcome{}, p.fail(q.verb, KindUnsupported, "there is no such verb", nil)
	}
	if int64(len(q.request)) > p.limits.Request {
		return Outcome{}, p.fail(q.verb, KindLimit, fmt.Sprintf("the request of %d bytes is longer than the %d it may have", len(q.request), p.limits.Request), nil)
	}
	if reason := p.paused(); reason != "" {
		return Outcome{}, p.fail(q.verb, KindPaused, "it is paused because it failed too often: "+reason, nil)
	}
	out, err := p.run(ctx, q)
	if log := p.host.options.Log; log != nil && len(out.Log) > 0 {
		log(p.Manifest.ID, out.Log)
	}
	if q.setting.Watch != nil {
		q.setting.Watch(q.verb, out, err)
	}
	p.host.journal.add(p.Manifest.ID, q.verb, out, err)
	p.note(out.Usage, err)
	p.blame(err)
	return out, err
}

func (p *Plugin) run(ctx context.Context, q question) (Outcome, error) {
	p.running.RLock()
	defer p.running.RUnlock()
	var out Outcome
	var outErr error
	mod, err := p.module(ctx, p.meanwhile(func(ctx context.Context, m *module, l Limits) error {
		out, outErr = p.runIn(ctx, m, l, q)
		return outErr
	}))
	if errors.Is(err, errAnswered) {
		return out, outErr
	}
	if err != nil {
		var e *Error
		if errors.As(err, &e) {
			own := *e // others may wait for the same module
			own.Verb = q.verb
			return Outcome{}, &own
		}
		return Outcome{}, p.fail(q.verb, KindInvalid, err.Error(), err)
	}
	return p.runIn(ctx, mod, p.limits, q)
}

// runIn asks the module, which is nil if the package has none.
func (p *Plugin) runIn(ctx context.Context, mod *module, limits Limits, q question) (Outcome, error) {
	if mod == nil || !mod.plays(q.verb) {
		return Outcome{}, p.fail(q.verb, KindUnsupported, "it does not support this", nil)
	}
	s := newSession(ctx, p.Manifest, limits, q.setting, p.host.options.Version)
	defer s.close()
	var result json.RawMessage
	answer, err := mod.call(s, q.verb, q.request)
	if err == nil {
		result, err = s.decode(answer, q.shape, q.into)
	}
	var own *hostapi.Error
	switch {
	case errors.As(err, &own):
		err = p.fail(q.verb, KindFailed, own.Message, own)
	case err != nil:
		err = p.broken(s, q.verb, err)
	}
	s.close()
	return s.outcome(result), err
}

// broken makes an Error of what ended a call.
func (p *Plugin) broken(s *session, verb string, err error) *Error {
	e := fault(s.ctx, err, s.detail(err))
	switch {
	case e.Reason != "":
	case errors.Is(e.Err, errWaits):
		e.Reason = fmt.Sprintf("it waited longer for models than the %v it may", s.limits.waits)
	case e.Kind == KindDeadline:
		e.Reason = fmt.Sprintf("it took longer than the %v it may", s.limits.Wall)
	default:
		e.Kind, e.Reason = s.crash(err)
	}
	e.Plugin, e.Verb = p.Manifest.ID, verb
	return e
}

func (s *session) outcome(result json.RawMessage) Outcome {
	return Outcome{Result: result, Log: s.log, Stderr: s.stderr.String(), Usage: s.usage}
}

// call is Run with its types. An empty result is the zero Out.
func call[Out any](ctx context.Context, p *Plugin, verb string, in any, sh shape, set Setting) (Out, error) {
	var out Out
	request, err := encode(in)
	if err != nil {
		return out, p.fail(verb, KindFailed, "the request can't be encoded", err)
	}
	_, err = p.ask(ctx, question{verb, request, set, sh, func(result []byte) error {
		var o Out // anew: the call may be made twice
		err := json.Unmarshal(result, &o)
		if err == nil {
			out = o
		}
		return err
	}})
	if err != nil {
		var none Out
		return none, err
	}
	return out, nil
}

func (p *Plugin) fail(verb string, kind Kind, reason string, cause error) *Error {
	return newError(p.Manifest.ID, verb, kind, reason, cause)
}

// Prepare compiles the module into the cache, so that the first call need not,
// and checks that it plays the roles of its manifest. Errors are *Error.
func (p *Plugin) Prepare(ctx context.Context) error {
	p.running.RLock()
	defer p.running.RUnlock()
	mod, err := p.module(ctx, nil)
	if err != nil {
		var e *Error
		if errors.As(err, &e) {
			return e
		}
		return p.fail("", KindInvalid, err.Error(), err)
	}
	for role, verb := range map[hostapi.Role]string{hostapi.RoleExtractor: "extract", hostapi.RolePolicy: "select", hostapi.RoleSchema: "sections"} {
		static := role == hostapi.RoleSchema && p.Manifest.Schema != nil
		if slices.Contains(p.Manifest.Roles, role) && !static && (mod == nil || !mod.plays(verb)) {
			return p.fail("", KindInvalid, fmt.Sprintf("its manifest names the role %s, but its module does not export %s", role, verbs[verb]), nil)
		}
	}
	return nil
}

// fetch opens the package and loads its module; nil if it has none. What missed
// and enough are says [code].
func (p *Plugin) fetch(ctx context.Context, missed func(code), enough <-chan struct{}) (*module, error) {
	began := time.Now()
	pkg, err := p.open()
	if err != nil {
		return nil, err
	}
	wasm, ok := pkg.files[hostapi.ModuleName]
	if !ok {
		return nil, nil
	}
	mod, err := p.host.load(ctx, code{plugin: p.Manifest.ID, wasm: wasm, memory: p.limits.Memory, trusted: p.SHA256 == "", missed: missed, enough: enough, listen: p.listen})
	if err != nil {
		return nil, err
	}
	p.count.Lock()
	p.metrics.Load = time.Since(began)
	p.count.Unlock()
	return mod, nil
}

// close waits for running calls, and for a compiler that works for later ones:
// else a program that makes one call would start it each time and never have
// what it makes.
func (p *Plugin) close() {
	p.running.Lock()
	defer p.running.Unlock()
	p.load.Lock()
	p.closed = true
	l := p.loading
	p.load.Unlock()
	if l != nil {
		<-l.over.Done()
	}
	p.load.Lock()
	defer p.load.Unlock()
	if p.mod != nil {
		p.mod.close()
		p.mod = nil
	}
}
