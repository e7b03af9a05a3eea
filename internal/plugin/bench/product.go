package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"recollect/hostapi"
	"recollect/internal/memory"
	"recollect/internal/plugin"
)

// house is the product's own host with everything that it does for a call.
type house struct {
	library *plugin.Library
	host    *plugin.Host
	cache   string
}

func newHouse(library *plugin.Library, cache string) *house {
	return &house{library, plugin.NewHost(library, plugin.HostOptions{Version: "bench", CacheDir: cache}), cache}
}

func (h *house) plugin(name string) (*plugin.Plugin, error) { return h.host.Plugin(pluginID(name)) }

func pluginID(name string) string {
	return "org.example." + strings.ReplaceAll(strings.ToLower(name), " ", "-")
}

// add installs and approves a guest, without compiling it.
func (h *house) add(dir, name string, wasm []byte) error {
	m := hostapi.Manifest{
		Manifest: 1, ID: pluginID(name), Version: "1.0.0", Name: name, Description: "For the benchmark.", ABI: hostapi.ABI,
		Roles:        []hostapi.Role{hostapi.RoleSchema},
		Schema:       &hostapi.SectionsResult{Subject: "branch", Title: "T", Sections: []hostapi.Section{{ID: "facts", Heading: "Facts"}}},
		Capabilities: map[hostapi.Capability]hostapi.Grant{hostapi.CapMemoryRead: {Reason: "to find what is known"}},
	}
	pack, err := os.MkdirTemp(dir, "package-")
	if err != nil {
		return err
	}
	err = errors.Join(
		os.WriteFile(filepath.Join(pack, hostapi.ManifestName), encoded(m), 0o600),
		os.WriteFile(filepath.Join(pack, hostapi.ModuleName), wasm, 0o600),
	)
	if err != nil {
		return err
	}
	e, err := h.library.Add(pack)
	if err != nil || e.Pending == nil {
		return err
	}
	return h.library.Approve(e.ID, e.Pending.SHA256)
}

// caller gives a call of the product's, each in a clean instance.
func caller(p *plugin.Plugin) call {
	set := plugin.Setting{Branch: "main", Memory: func(string) (memory.Memory, error) { return remembered(), nil }}
	return func(ctx context.Context, request []byte) ([]byte, error) {
		out, err := p.Run(ctx, "check", request, set)
		if err != nil {
			return nil, err
		}
		return wrapped(out.Result), nil
	}
}

// starts are what a person waits for before the first call.
type starts struct{ install, load, installCPU, loadCPU []time.Duration }

// timed notes how long f takes.
func timed(wall, computed *[]time.Duration, f func() error) error {
	began, used := time.Now(), allCPU()
	err := f()
	*wall, *computed = append(*wall, time.Since(began)), append(*computed, allCPU()-used)
	return err
}

// measureStarts installs a guest with an empty cache, and then loads it with a
// full one, as the next run of the program does.
func measureStarts(ctx context.Context, dir string, g *guest, rounds int) (s starts, err error) {
	for i := range rounds {
		cache := filepath.Join(dir, fmt.Sprint("cache-", g.name, i))
		library := plugin.NewLibrary(filepath.Join(dir, fmt.Sprint("library-", g.name, i)), nil)
		h := newHouse(library, cache)
		err := timed(&s.install, &s.installCPU, func() error {
			if err := h.add(dir, g.name, g.wasm); err != nil {
				return err
			}
			return prepare(ctx, h, g.name)
		})
		if err != nil {
			return s, err
		}
		for range 3 {
			if err := h.host.Close(); err != nil {
				return s, err
			}
			h = newHouse(library, cache)
			if err := timed(&s.load, &s.loadCPU, func() error { return prepare(ctx, h, g.name) }); err != nil {
				return s, err
			}
		}
		if err := h.host.Close(); err != nil {
			return s, err
		}
	}
	return s, nil
}

func prepare(ctx context.Context, h *house, name string) error {
	p, err := h.plugin(name)
	if err != nil {
		return err
	}
	return p.Prepare(ctx)
}

// measureOpening opens a host over a library of that many plug-ins and asks for
// the one in the middle.
func measureOpening(ctx context.Context, dir string, wasm []byte, count int) ([]time.Duration, error) {
	library := plugin.NewLibrary(filepath.Join(dir, "hundred"), nil)
	h := newHouse(library, "")
	for i := range count {
		if err := h.add(dir, fmt.Sprint("n", i), wasm); err != nil {
			return nil, err
		}
	}
	var times []time.Duration
	for range 50 {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		begin := time.Now()
		h := newHouse(plugin.NewLibrary(filepath.Join(dir, "hundred"), nil), "")
		if _, err := h.plugin(fmt.Sprint("n", count/2)); err != nil {
			return nil, err
		}
		times = append(times, time.Since(begin))
		if err := h.host.Close(); err != nil {
			return nil, err
		}
	}
	return times, nil
}

func median[T time.Duration | float64](list []T) T {
	if len(list) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(list))[len(list)/2]
}
