package plugin

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"recollect/hostapi"
)

func TestPrepareBeforeApproval(t *testing.T) {
	b := newBench(t, Limits{})
	m := manifest("org.example.prepare")
	add := func(wasm []byte) Entry {
		t.Helper()
		e, err := b.library.Add(packageDir(t, m, wasm))
		must(t, err)
		return e
	}
	// A module that traps when it is run: preparing does not.
	first := add(tiny{start: []byte{0x00}}.build())
	var told []Compiling
	cold := newHost(t, HostOptions{})
	cold.library = b.library
	must(t, cold.Prepare(t.Context(), m.ID, first.SHA256, func(c Compiling) { told = append(told, c) }))
	if n := len(told); n == 0 || !told[n-1].Done || told[n-1].Plugin != m.ID {
		t.Errorf("told %+v", told)
	}
	if e, err := b.library.Get(m.ID); err != nil || e.Approved {
		t.Errorf("prepared and approved: %+v, %v", e, err)
	}
	must(t, b.library.Approve(m.ID, first.SHA256))
	must(t, b.host.Prepare(t.Context(), m.ID, first.SHA256, nil))

	// An update is prepared while the approved version stays in force.
	m.Roles = append(m.Roles, hostapi.RolePolicy)
	second := add(tiny{}.build())
	err := b.host.Prepare(t.Context(), m.ID, second.Pending.SHA256, nil)
	if !IsKind(err, KindInvalid) || !strings.Contains(err.Error(), "rc_select") {
		t.Errorf("error = %v", err)
	}
	must(t, b.host.Prepare(t.Context(), m.ID, first.SHA256, nil))
	for _, digest := range []string{"", strings.Repeat("0", 64)} {
		if err := b.host.Prepare(t.Context(), m.ID, digest, nil); !IsKind(err, KindInvalid) || !strings.Contains(err.Error(), "another one") {
			t.Errorf("%q: error = %v", digest, err)
		}
	}
	if err := b.host.Prepare(t.Context(), "org.example.none", first.SHA256, nil); !IsKind(err, KindNotFound) {
		t.Errorf("error = %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	fresh := newHost(t, HostOptions{})
	fresh.library = b.library
	if err := fresh.Prepare(ctx, m.ID, first.SHA256, nil); !IsKind(err, KindCancelled) || !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v", err)
	}
}

// One record is read without the others, and no worse.
func TestRecordAlone(t *testing.T) {
	l := hundred(t)
	st, err := l.read()
	must(t, err)
	for _, id := range []string{"org.example.p0", "org.example.p50", "org.example.p99", "org.example.p100", "org.example", "org", "", "#", "*", "org.example.p5?"} {
		r, err := l.record(id)
		if want := st.Plugins[id]; err != nil || (r.Approved == nil) != (want.Approved == nil) || r.Approved != nil && !sameManifest(r.Approved.Manifest, want.Approved.Manifest) {
			t.Errorf("%q: %+v, %v", id, r, err)
		}
	}
	const digest = "0000000000000000000000000000000000000000000000000000000000000000"
	approved := func(key, id string) string {
		return `"` + key + `":{"approved":{"sha256":"` + digest + `","manifest":{"id":"` + id + `"}}}`
	}
	for _, tt := range []struct {
		state string
		err   error
		found bool
	}{
		{`{"version":1,"plugins":{` + approved("org.example.x", "org.example.x") + `}}`, nil, true},
		{`{"version":1,"plugins":{` + approved(`org.example.\u0078`, "org.example.x") + `}}`, nil, true},
		{`{"version":1,"plugins":{` + approved("org.example.x", "org.example.y") + `}}`, errStateBroken, false},
		{`{"version":1,"plugins":{"org":{"example":{` + approved("x", "org.example.x") + `}}}}`, nil, false},
		{`{"version":2,"plugins":{` + approved("org.example.x", "org.example.x") + `}}`, errStateNewer, false},
		{`{"version":1,"plugins":{` + approved("org.example.x", "org.example.x") + `}`, errStateBroken, false},
		{`{"version":1}`, nil, false}, {`[]`, errStateBroken, false}, {``, errStateBroken, false},
	} {
		write(t, filepath.Join(l.dir, stateName), []byte(tt.state))
		r, err := l.record("org.example.x")
		if !errors.Is(err, tt.err) || (r.Approved != nil) != tt.found {
			t.Errorf("%s: %+v, %v", tt.state, r, err)
		}
	}
}
