package plugin

import (
	"errors"
	"sync"
	"time"

	"recollect/hostapi"
)

// HostOptions say how plug-ins are run. The zero value runs them with the
// default limits and without a lasting cache.
type HostOptions struct {
	// Version of the program; part of the cache's name.
	Version string
	// CacheDir is a folder for compiled code, or "": then code is compiled anew for
	// each host. What is in it is executed: it is made private, and what others put
	// there is not used.
	CacheDir string
	// Compile limits the compilation of modules that others made.
	Compile CompileLimits
	// Compiling, if set, is called ten times a second while a module is compiled
	// and a call waits for it, and at the end, from a goroutine of its own.
	Compiling func(Compiling)
	// Limits lower the limits of every plug-in; zero fields leave them.
	Limits Limits
	// Log, if set, takes the lines that a plug-in logged in a call, refusals of
	// the host among them. It is called from the goroutine of the call.
	Log func(plugin string, lines []LogLine)
	// Redact, if set, takes secrets out of what is kept of plug-ins' logs.
	Redact func(text string) string
}

// Host runs the plug-ins of a library. Opening one costs nothing.
type Host struct {
	options HostOptions
	library *Library
	spared  time.Duration // what the constant says

	activity activityFile
	journal  journal

	mu      sync.Mutex
	code    *codeCache
	plugins map[string]*Plugin // by id and digest
	closed  bool
}

// NewHost gives a host for the plug-ins of a library.
func NewHost(l *Library, o HostOptions) *Host {
	return &Host{options: o, library: l, spared: spared, plugins: map[string]*Plugin{}, activity: activityFile{dir: l.dir},
		journal: journal{dir: l.logs(), redact: o.Redact}}
}

// Plugin gives an approved and enabled plug-in without loading it. Errors are
// *Error of the kinds KindNotFound and KindDenied.
func (h *Host) Plugin(id string) (*Plugin, error) {
	e, err := h.library.Get(id)
	if err != nil {
		return nil, err
	}
	if reason := e.refuses(); reason != "" {
		return nil, newError(id, "", KindDenied, reason, nil)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, newError(id, "", KindDenied, "the host is closed", nil)
	}
	key := e.key()
	if p := h.plugins[key]; p != nil {
		return p, nil
	}
	p := h.plugin(e)
	h.plugins[key] = p
	return p, nil
}

// Limits are the limits that a plug-in with this manifest has here.
func (h *Host) Limits(m hostapi.Manifest) Limits { return asked(m.Limits).atMost(h.options.Limits) }

// plugin gives the plug-in of an entry, whether it may be called or not.
func (h *Host) plugin(e Entry) *Plugin {
	return &Plugin{
		Manifest: e.Manifest, SHA256: e.SHA256, host: h, edition: e.edition(),
		open:   func() (*Package, error) { return h.library.open(e) },
		limits: h.Limits(e.Manifest),
	}
}

// Close waits for running calls and compilers, keeps what was counted of them and frees what
// the host holds.
func (h *Host) Close() error {
	h.mu.Lock()
	h.closed = true
	plugins, code := h.plugins, h.code
	h.plugins, h.code = nil, nil
	h.mu.Unlock()
	for _, p := range plugins {
		p.close()
	}
	h.keepMetrics(plugins)
	h.journal.close()
	if code == nil {
		return nil
	}
	return code.close()
}

// codeCache opens the cache that all plug-ins share when the first one needs it.
func (h *Host) codeCache() (*codeCache, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, errors.New("the host is closed")
	}
	if h.code != nil {
		return h.code, nil
	}
	var err error
	h.code, err = openCodeCache(h.options.CacheDir, h.library.dir, h.options.Version)
	return h.code, err
}
