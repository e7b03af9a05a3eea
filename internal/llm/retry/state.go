package retry

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"recollect/internal/atomicfile"
	"recollect/internal/filelock"
	"recollect/internal/llm"
	"recollect/internal/printable"
)

// vendor is what is known of one vendor. Times are of the wall clock.
type vendor struct {
	At       time.Time     `json:"at"`                 // when this was written
	Until    time.Time     `json:"until,omitzero"`     // not to be asked before
	Fails    int           `json:"fails,omitempty"`    // in a row
	OpenTill time.Time     `json:"open_till,omitzero"` // the circuit is open
	OpenFor  time.Duration `json:"open_for,omitempty"` // nanoseconds; how long it was open last
	Trying   time.Time     `json:"trying,omitzero"`    // until then one call tries whether it works again
	Kind     llm.Kind      `json:"kind,omitempty"`     // of the last failure
	Why      string        `json:"why,omitempty"`      // what was said about it
}

// Limits of what the file can make us do, whatever stands in it.
const (
	maxUntil   = 8 * 24 * time.Hour // a weekly limit, and a day
	maxOpen    = 30 * time.Minute
	tryFor     = 10 * time.Minute // a try that takes longer is taken for lost
	maxState   = 64 << 10
	stateWait  = 2 * time.Second
	maxVendors = 100
	maxAge     = maxUntil // what is older says nothing any more
)

// vendorName is how a vendor stands in the file, within a bound.
func vendorName(client, of string) string {
	return printable.Line(strings.TrimSpace(client+" "+of), 300)
}

// state is shared by all processes through its file, and kept in memory for
// when that doesn't work.
type state struct {
	path string
	now  func() time.Time

	mu      sync.Mutex
	vendors map[string]vendor
}

// gate says whether a vendor can be asked.
type gate struct {
	wait    time.Duration // until it can be
	until   time.Time
	circuit bool // its circuit is open
	fails   int
	kind    llm.Kind
	why     string
}

// ask looks whether a vendor can be asked now. After an open circuit it gives
// one of the askers the try that decides.
func (s *state) ask(name string, open time.Duration) (g gate) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.load()
	now := s.now()
	if s.vendors[name].At.After(now) {
		s.change(name, func(*vendor) {}) // the clock was set back: noted once, or it would be so at each look
	}
	v := s.vendors[name].sane(now)
	g = gate{fails: v.Fails, kind: v.Kind, why: v.Why}
	switch {
	case v.OpenTill.After(now):
		g.circuit, g.until = true, v.OpenTill
	case !v.OpenTill.IsZero() && v.Trying.After(now):
		g.circuit, g.until = true, now.Add(open)
	case v.Until.After(now):
		g.wait, g.until = v.Until.Sub(now), v.Until
	case !v.OpenTill.IsZero():
		s.change(name, func(v *vendor) {
			if v.Trying.After(now) { // another process was quicker
				g.circuit, g.until = true, now.Add(open)
				return
			}
			v.Trying = now.Add(tryFor)
		})
	}
	return g
}

// succeeded forgets all failures.
func (s *state) succeeded(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.vendors[name] == (vendor{}) {
		return // as was known when it was asked
	}
	s.change(name, func(v *vendor) { *v = vendor{} })
}

// neutral gives back a try that told nothing.
func (s *state) neutral(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.vendors[name].Trying.IsZero() {
		s.change(name, func(v *vendor) { v.Trying = time.Time{} })
	}
}

// failed notes a failure that can pass, and tells if it opened the circuit. A
// limit of requests is an answer: it closes the circuit.
func (s *state) failed(name string, e *llm.Error, fails int, open time.Duration) (opened bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.change(name, func(v *vendor) {
		v.Kind, v.Why = e.Kind, llm.Clean(e.Detail)
		if e.Until.After(v.Until) {
			v.Until = e.Until
		}
		if e.Kind == llm.RateLimited {
			*v = vendor{Until: v.Until, Kind: v.Kind, Why: v.Why}
			return
		}
		v.Fails++
		if v.Fails < fails || v.OpenTill.After(s.now()) {
			return
		}
		v.OpenFor = min(max(2*v.OpenFor, open), maxOpen)
		v.OpenTill, v.Trying, opened = s.now().Add(v.OpenFor), time.Time{}, true
	})
	return opened
}

// sane brings what was read within limits, and along with a clock that was set
// back since.
func (v vendor) sane(now time.Time) vendor {
	back := max(v.At.Sub(now), 0)
	v.At = v.At.Add(-back)
	within := func(t *time.Time, d time.Duration) {
		if t.IsZero() {
			return
		}
		*t = t.Add(-back)
		if most := v.At.Add(d); t.After(most) {
			*t = most
		}
	}
	within(&v.Until, maxUntil)
	within(&v.OpenTill, maxOpen)
	within(&v.Trying, tryFor)
	v.Fails = min(max(v.Fails, 0), 1000)
	v.OpenFor = min(max(v.OpenFor, 0), maxOpen)
	v.Why = llm.Clean(v.Why)
	if e := (&llm.Error{Kind: v.Kind}); !e.Retriable() {
		v.Kind = llm.Unavailable
	}
	return v
}

// load reads the file. What is no state of ours is as if it weren't there: all
// that can be lost is a wait.
func (s *state) load() {
	if s.vendors == nil {
		s.vendors = map[string]vendor{}
	}
	if s.path == "" {
		return
	}
	text, _, err := atomicfile.Read(s.path, maxState)
	var read map[string]vendor
	if err == nil && json.Unmarshal(text, &read) == nil && len(read) <= maxVendors {
		s.vendors = read
	}
	if s.vendors == nil {
		s.vendors = map[string]vendor{}
	}
}

// change changes what is known of a vendor, in the file too. An error of the
// file leaves this process's knowledge changed.
func (s *state) change(name string, f func(*vendor)) {
	if err := s.changeFile(name, f); err != nil {
		s.changeMemory(name, f)
	}
}

func (s *state) changeMemory(name string, f func(*vendor)) {
	if s.vendors == nil {
		s.vendors = map[string]vendor{}
	}
	v := s.vendors[name].sane(s.now())
	f(&v)
	v.At, v.Kind = time.Time{}, cmp.Or(v.Kind, llm.Unavailable)
	if v == (vendor{Kind: llm.Unavailable}) {
		delete(s.vendors, name)
		return
	}
	v.At = s.now()
	s.vendors[name] = v
	s.prune()
}

// prune leaves out what is old, and of too many the oldest: a file with more is
// not read.
func (s *state) prune() {
	maps.DeleteFunc(s.vendors, func(_ string, v vendor) bool { return s.now().Sub(v.At) > maxAge })
	for len(s.vendors) > maxVendors/2 {
		oldest, at := "", s.now()
		for name, v := range s.vendors {
			if oldest == "" || v.At.Before(at) {
				oldest, at = name, v.At
			}
		}
		delete(s.vendors, oldest)
	}
}

// Forget leaves out what is known of all vendors of a client, as when they are
// asked with another key. That it can't be done costs a wait.
func Forget(file, client string) {
	s := &state{path: file, now: time.Now}
	forget := func() {
		maps.DeleteFunc(s.vendors, func(name string, _ vendor) bool {
			return name == client || strings.HasPrefix(name, client+" ")
		})
	}
	s.load()
	known := len(s.vendors)
	if forget(); len(s.vendors) < known {
		_ = s.edit(forget)
	}
}

func (s *state) changeFile(name string, f func(*vendor)) error {
	return s.edit(func() { s.changeMemory(name, f) })
}

// edit changes what the file says.
func (s *state) edit(change func()) error {
	if s.path == "" {
		return errors.ErrUnsupported
	}
	ctx, cancel := context.WithTimeout(context.Background(), stateWait)
	defer cancel()
	lock, err := filelock.Acquire(ctx, filepath.Join(filepath.Dir(s.path), filepath.Base(s.path)+".lock"), filelock.Options{})
	if err != nil {
		return err
	}
	defer lock.Release()
	s.load()
	change()
	text, err := json.MarshalIndent(s.vendors, "", "  ")
	if err == nil {
		_ = atomicfile.Replace(s.path, append(text, '\n'), atomicfile.Expect{}, atomicfile.Options{})
	}
	return nil
}
