package plugin

import (
	"errors"
	"time"

	"recollect/internal/printable"
)

// Metrics are what a plug-in did.
type Metrics struct {
	Since      time.Time     `json:"since,omitzero"` // the first call that is counted
	Calls      int           `json:"calls"`
	Faults     int           `json:"faults"`   // calls that ended in an error, but not by the caller
	Guest      time.Duration `json:"guest_ns"` // in the plug-in itself
	Host       time.Duration `json:"host_ns"`  // in host methods
	HostCalls  int           `json:"host_calls"`
	ModelCalls int           `json:"model_calls"`
	Fuel       int64         `json:"fuel"`
	Memory     int64         `json:"memory_bytes"` // the most that one call had
	Load       time.Duration `json:"load_ns"`      // compiling or loading its module, the last time
	LastFault  string        `json:"last_fault,omitempty"`
	Paused     string        `json:"paused,omitempty"` // why; empty if it is not
}

// and gives the sum of earlier and later metrics.
func (m Metrics) and(later Metrics) Metrics {
	if m.Since.IsZero() {
		m.Since = later.Since
	}
	m.Calls += later.Calls
	m.Faults += later.Faults
	m.Guest += later.Guest
	m.Host += later.Host
	m.HostCalls += later.HostCalls
	m.ModelCalls += later.ModelCalls
	m.Fuel += later.Fuel
	m.Memory = max(m.Memory, later.Memory)
	if later.Load > 0 {
		m.Load = later.Load
	}
	if later.LastFault != "" {
		m.LastFault = later.LastFault
	}
	return m
}

// Metrics gives the counts since the host was opened.
func (p *Plugin) Metrics() Metrics {
	p.count.Lock()
	m := p.metrics
	p.count.Unlock()
	m.Paused = p.paused()
	return m
}

// Metrics gives what a plug-in did in all processes: those that have closed
// their host, and this one. It does not load the plug-in.
func (h *Host) Metrics(e Entry) Metrics {
	t := h.activity.of(e.ID, e.edition())
	h.mu.Lock()
	p := h.plugins[e.key()]
	h.mu.Unlock()
	m := t.Metrics
	if p != nil {
		m = m.and(p.Metrics())
	}
	m.Paused = t.Breaker.Reason
	return m
}

// note counts a call. A verb that the plug-in does not have is none, and to be
// stopped by the caller is no fault.
func (p *Plugin) note(u Usage, err error) {
	if IsKind(err, KindUnsupported) {
		return
	}
	p.count.Lock()
	defer p.count.Unlock()
	m := &p.metrics
	if m.Since.IsZero() {
		m.Since = time.Now().UTC().Round(0)
	}
	m.Calls++
	m.Guest += u.Guest
	m.Host += u.Host
	m.HostCalls += u.HostCalls
	m.ModelCalls += u.ModelCalls
	m.Fuel += u.Fuel
	m.Memory = max(m.Memory, u.Memory)
	if err != nil && !IsKind(err, KindCancelled) {
		p.noteFault(err)
	}
}

func (p *Plugin) noteFault(err error) {
	p.metrics.Faults++
	p.metrics.LastFault = printable.Line(err.Error(), 500)
}

// blame counts towards a pause what was the plug-in's own fault. Where the count
// can't be shared with other processes, this one keeps its own.
func (p *Plugin) blame(err error) {
	var e *Error
	if !errors.As(err, &e) || !e.Kind.breaks() {
		return
	}
	if p.host.activity.blame(p.Manifest.ID, p.edition, e.Reason) != nil {
		p.count.Lock()
		p.breaker.add(time.Now(), e.Reason)
		p.count.Unlock()
	}
}

// paused says why the plug-in is paused; "" if it is not.
func (p *Plugin) paused() string {
	if reason := p.host.activity.of(p.Manifest.ID, p.edition).Breaker.Reason; reason != "" {
		return reason
	}
	p.count.Lock()
	defer p.count.Unlock()
	return p.breaker.Reason
}

// Resume ends a pause.
func (p *Plugin) Resume() error {
	p.count.Lock()
	p.breaker = breaker{}
	p.count.Unlock()
	_, err := p.host.library.Resume(p.Manifest.ID)
	return err
}

// keepMetrics adds what the plug-ins of this host did to what is kept. Counts
// that can't be kept are lost, which is no reason for an error.
func (h *Host) keepMetrics(plugins map[string]*Plugin) {
	counted := map[string]track{}
	for _, p := range plugins {
		p.count.Lock()
		if p.metrics.Calls > 0 {
			c := counted[p.Manifest.ID]
			counted[p.Manifest.ID] = track{Package: p.edition, Metrics: c.Metrics.and(p.metrics)}
		}
		p.count.Unlock()
	}
	if len(counted) > 0 {
		_ = h.activity.add(counted)
	}
}
