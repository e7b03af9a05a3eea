package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"recollect/hostapi"
	"recollect/internal/plugin"
	"recollect/internal/plugin/bench/job"
)

func newLibrary(dir string) *plugin.Library {
	return plugin.NewLibrary(filepath.Join(dir, "library"), nil)
}

// bench is what is measured.
type bench struct {
	dir      string
	rounds   int
	house    *house
	exams    []exam
	guests   []*tested
	native   *variant
	variants []*variant
}

// tested is a guest of rc/1 in all its ways, and the guest of Extism that does
// the same, if there is one.
type tested struct {
	*guest
	plain, metered, closing *variant
	fresh, product          *variant
	sdk, sdkFresh           *variant
	bare                    map[way]*bare
}

func (b *bench) variant(name string, c call) *variant {
	v := &variant{name: name, call: c}
	b.variants = append(b.variants, v)
	return v
}

// gather makes all variants of all guests that could be built.
func (b *bench) gather(ctx context.Context, guests []*guest) error {
	b.native = b.variant("native Go", native)
	for _, g := range guests {
		if g.wasm == nil || g.extism != "" {
			continue
		}
		t := &tested{guest: g, bare: map[way]*bare{}}
		for w, v := range map[way]**variant{plain: &t.plain, metered: &t.metered, closing: &t.closing} {
			x, err := newBare(ctx, w, g.wasm)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", g.name, w, err)
			}
			t.bare[w] = x
			*v = b.variant(g.name+", "+string(w), x.again)
		}
		t.fresh = b.variant(g.name+", metered, new instance", t.bare[metered].fresh)
		if err := b.house.add(b.dir, g.name, g.wasm); err != nil {
			return err
		}
		p, err := b.house.plugin(g.name)
		if err != nil {
			return err
		}
		if err := p.Prepare(ctx); err != nil {
			return err
		}
		t.product = b.variant(g.name+", Recollect", caller(p))
		for _, other := range guests {
			if other.extism != g.name || other.wasm == nil {
				continue
			}
			x, err := newSDK(ctx, other.wasm)
			if err != nil {
				return fmt.Errorf("%s: %w", other.name, err)
			}
			t.sdk, t.sdkFresh = b.variant(other.name, x.again), b.variant(other.name+", new instance", x.fresh)
		}
		b.guests = append(b.guests, t)
	}
	return nil
}

// native is the job in this program.
func native(_ context.Context, request []byte) ([]byte, error) {
	var r hostapi.CheckRequest
	if err := json.Unmarshal(request, &r); err != nil {
		return nil, err
	}
	result, err := job.Do(r, func() ([]hostapi.MemoryItem, error) {
		var a hostapi.Answer
		var m hostapi.MemoryGetResult
		if err := json.Unmarshal(knownReply, &a); err != nil {
			return nil, err
		}
		err := json.Unmarshal(a.Result, &m)
		return m.Items, err
	})
	return wrapped(encoded(result)), err
}

var knownReply = knownAnswer()

// stopping is what it costs that a guest can be stopped.
func (b *bench) stopping(w io.Writer) {
	var t table
	t.head("guest", "request", "× native Go", "plain", "metered", "WithCloseOnContextDone", "metered ÷ plain", "WithCloseOnContextDone ÷ metered")
	for _, g := range b.guests {
		for i, s := range sizes {
			t.row(fmt.Sprintf("%s, %d KB", g.name, len(g.wasm)>>10), s.name, g.plain.times(b.native, i),
				median(g.plain.cost[i]), median(g.metered.cost[i]), median(g.closing.cost[i]),
				g.metered.times(g.plain, i), g.closing.times(g.metered, i))
		}
	}
	fmt.Fprintf(w, "\nWhat it costs that a guest can be stopped (one instance, called again and again; native Go takes %s and %s):\n\n%s",
		brief(median(b.native.cost[0])), brief(median(b.native.cost[1])), t.String())
}

// calls is what a call of the product takes.
func (b *bench) calls(w io.Writer) {
	var t table
	t.head("guest", "request", "Recollect, clean instance", "new instance under wazero, metered", "extism/go-sdk, instance kept", "extism/go-sdk, new instance", "kept ÷ Recollect", "new ÷ Recollect")
	for _, g := range b.guests {
		for i, s := range sizes {
			row := []any{g.name, s.name, median(g.product.cost[i]), median(g.fresh.cost[i])}
			if g.sdk == nil {
				row = append(row, "–", "–", "–", "–")
			} else {
				row = append(row, median(g.sdk.cost[i]), median(g.sdkFresh.cost[i]), g.sdk.times(g.product, i), g.sdkFresh.times(g.product, i))
			}
			t.row(row...)
		}
	}
	fmt.Fprintf(w, "\nWhat a call takes (extism/go-sdk with its timeout):\n\n%s", t.String())
}

// starting is what comes before the first call.
func (b *bench) starting(ctx context.Context, w io.Writer) error {
	var t table
	t.head("guest", "module", "install", "CPU time of it", "load from the cache", "CPU time of it")
	for _, g := range b.guests {
		s, err := measureStarts(ctx, b.dir, g.guest, 3)
		if err != nil {
			return err
		}
		t.row(g.name, fmt.Sprintf("%d KB", len(g.wasm)>>10), median(s.install), median(s.installCPU), median(s.load), median(s.loadCPU))
	}
	opening, err := measureOpening(ctx, b.dir, b.guests[0].wasm, 100)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\nWhat comes before the first call (wall clock; to open the plug-ins of a person who has 100 takes %s):\n\n%s",
		brief(median(opening)), t.String())
	return nil
}

// watched is something that the rest of the program is watched beside.
type watched struct {
	what   string
	call   call // nil: nothing runs
	stalls []stall
}

// waiting is how late the rest of the program is while a guest computes: a while
// for each, and that three times in turn.
func (b *bench) waiting(ctx context.Context, w io.Writer, d time.Duration) error {
	list := []*watched{{what: "nothing"}}
	for _, g := range b.guests {
		if g.name != "C" && g.name != "Go" {
			continue
		}
		for _, way := range []way{plain, metered, closing} {
			list = append(list, &watched{what: g.name + ", " + string(way), call: g.bare[way].again})
		}
		list = append(list, &watched{what: g.name + ", Recollect", call: g.product.call})
	}
	x := newExam(longTurns, longEach)
	for range 3 {
		for _, v := range list {
			s, err := v.watch(ctx, d, x)
			if err != nil {
				return fmt.Errorf("%s: %w", v.what, err)
			}
			v.stalls = append(v.stalls, s)
		}
	}
	var t table
	t.head("while this runs", "one call", "1 ms timer late, median", "99 %", "most", "collection of garbage, median", "most")
	for _, v := range list {
		of := func(f func(stall) time.Duration) time.Duration {
			var all []time.Duration
			for _, s := range v.stalls {
				all = append(all, f(s))
			}
			return median(all)
		}
		each := any("–")
		if v.call != nil {
			each = of(func(s stall) time.Duration { return d / time.Duration(max(s.calls, 1)) })
		}
		t.row(v.what, each,
			of(func(s stall) time.Duration { return at(s.late, 0.5) }), of(func(s stall) time.Duration { return at(s.late, 0.99) }),
			of(func(s stall) time.Duration { return at(s.late, 1) }),
			of(func(s stall) time.Duration { return at(s.cycle, 0.5) }), of(func(s stall) time.Duration { return at(s.cycle, 1) }))
	}
	fmt.Fprintf(w, "\nHow the rest of the program fares while a guest works on %d MB (wall clock, medians of three turns of %v):\n\n%s", len(x.request)>>20, d, t.String())
	return nil
}

func (v *watched) watch(ctx context.Context, d time.Duration, x exam) (stall, error) {
	if v.call == nil {
		return watch(d, nil)
	}
	return watch(d, func() error {
		answer, err := v.call(ctx, x.request)
		if err == nil {
			err = x.right(answer)
		}
		return err
	})
}
