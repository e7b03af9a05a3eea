package plugin

import (
	"context"
	"errors"
	"sync"
)

// HostOptions say how plug-ins are run. The zero value runs them with the
// default limits and a cache in memory.
type HostOptions struct {
	// Version of the program; part of the cache's name.
	Version string
	// CacheDir is a folder for compiled code, or "". What is in it is executed:
	// it is made private, and must not be shared or synchronised.
	CacheDir string
	// Limits lower the limits of every plug-in; zero fields leave them.
	Limits Limits
	// Log, if set, takes the lines that a plug-in logged in a call, refusals of
	// the host among them. It is called from the goroutine of the call.
	Log func(plugin string, lines []LogLine)
}

// Host runs the plug-ins of a library. Opening one costs nothing.
type Host struct {
	options HostOptions
	library *Library

	mu      sync.Mutex
	code    *codeCache
	plugins map[string]*Plugin // by id and digest
	closed  bool
}

// NewHost gives a host for the plug-ins of a library.
func NewHost(l *Library, o HostOptions) *Host {
	return &Host{options: o, library: l, plugins: map[string]*Plugin{}}
}

// Plugin gives an approved and enabled plug-in without loading it. Errors are
// *Error of the kinds KindNotFound and KindDenied.
func (h *Host) Plugin(id string) (*Plugin, error) {
	e, err := h.library.Get(id)
	if err != nil {
		return nil, err
	}
	if reason := e.refuses(); reason != "" {
		return nil, &Error{Plugin: id, Kind: KindDenied, Reason: reason}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, &Error{Plugin: id, Kind: KindDenied, Reason: "the host is closed"}
	}
	key := id + " " + e.SHA256
	if p := h.plugins[key]; p != nil {
		return p, nil
	}
	p := &Plugin{
		Manifest: e.Manifest, SHA256: e.SHA256, host: h,
		open:   func() (*Package, error) { return h.library.open(e) },
		limits: asked(e.Manifest.Limits).atMost(h.options.Limits),
	}
	h.plugins[key] = p
	return p, nil
}

// Close waits for running calls and frees what the host holds.
func (h *Host) Close() error {
	h.mu.Lock()
	h.closed = true
	plugins, code := h.plugins, h.code
	h.plugins, h.code = nil, nil
	h.mu.Unlock()
	for _, p := range plugins {
		p.close()
	}
	if code == nil {
		return nil
	}
	return code.close()
}

// code is a module as its author made it, and how it is to be made ready.
type code struct {
	plugin  string // id
	digest  string // of the package
	wasm    []byte
	memory  int64 // bytes of linear memory that it may have
	trusted bool  // it ships with the program
}

// load gives a module ready to run, from the cache or compiled. An error is a
// *Error or the rest of a sentence about the plug-in.
func (h *Host) load(ctx context.Context, c code) (*module, error) {
	cache, err := h.codeCache()
	if err != nil {
		return nil, err
	}
	return cache.load(ctx, c.digest, c.wasm, c.memory)
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
	h.code, err = openCodeCache(h.options.CacheDir, h.options.Version)
	return h.code, err
}
