package plugin

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"recollect/hostapi"
)

// What a call has the host hold stays within three times what the plug-in itself
// may have, its own memory counted. What is counted here is all that was ever
// taken, also what was free again before the end.
func TestHostMemoryOfACall(t *testing.T) {
	result := `{"result":{`
	item := `{"evidence":[` + strings.Repeat(`"",`, 239) + `""]},`
	for _, tt := range []struct {
		name string
		wasm []byte
	}{
		{"8 MB of empty items", says(result+`"items":[`, `{},`, 2_700_000, `{}]}}`)},
		{"8 MB of evidence", says(result+`"items":[{"evidence":[`, `"",`, 2_700_000, `""]}]}}`)},
		{"as much as an answer may hold", says(result+`"items":[`, item, hostapi.MaxFound-1, `{}]}}`)},
		{"an item of 8 MB", says(result+`"items":[{"content":"`, `x`, 8<<20-100, `"}]}}`)},
		{"an item of 8 MB in escapes", says(result+`"items":[{"content":"`, `\u0001`, 1_390_000, `"}]}}`)},
		{"an error of 8 MB", says(`{"error":{"code":"failed","message":"`, `x`, 8<<20-100, `"}}`)},
		{"a field of 8 MB that nobody knows", says(result+`"other":"`, `x`, 8<<20-100, `"}}`)},
		{"8 MB of text for a model", asksFor(`{"method":"llm.complete","params":{"prompt":"`, `x`, 8<<20-100, `"}}`)},
		{"8 MB of a schema for a model", asksFor(`{"method":"llm.complete","params":{"schema":{"title":"`, `x`, 8<<20-100, `"}}}`)},
		{"all sections that may be named", asksFor(`{"method":"memory.get","params":{"sections":[`, `"",`, hostapi.MaxList-1, `""]}}`)},
		{"recursion", attackOf(t, endlessAttacks(), "endless recursion")},
		{"recursion with values", attackOf(t, workAttacks(), "recursion with 1,000 values")},
		{"recursion with vectors", attackOf(t, workAttacks(), "recursion with 1,000 vectors")},
		{"recursion by a table", attackOf(t, workAttacks(), "recursion by a table")},
		{"8 MB of lists", asksFor(`{"method":"x","params":[`, `[],`, 2_700_000, `[]]}`)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := manifest("org.example.heavy")
			m.Limits = &hostapi.ManifestLimits{ReplyBytes: Ceiling.Reply, HostCalls: 1}
			p := newBench(t, Limits{}).add(t, m, tt.wasm)
			must(t, p.Prepare(t.Context()))
			var before, after runtime.MemStats
			var used Usage
			set := Setting{Watch: func(_ string, o Outcome, _ error) { used = o.Usage }}
			runtime.ReadMemStats(&before)
			_, err := Extractor{Plugin: p, Setting: set}.Extract(t.Context(), extraction("b", nil))
			runtime.ReadMemStats(&after)
			host, grant := int64(after.TotalAlloc-before.TotalAlloc), p.limits.Memory
			t.Logf("the host took %d MB, the plug-in %d MB: %.80v", host>>20, used.Memory>>20, err)
			if used.Memory == 0 || host+used.Memory > 3*grant {
				t.Errorf("the host took %d MB, the plug-in %d MB of its %d", host>>20, used.Memory>>20, grant>>20)
			}
		})
	}
}

// attackOf gives the module of an attack.
func attackOf(t *testing.T, list []attack, name string) []byte {
	for _, a := range list {
		if a.name == name {
			return a.wasm
		}
	}
	t.Fatalf("there is no attack %q", name)
	return nil
}

// BenchmarkLate tells how much later than its deadline a call ends that tries to
// make it late, in ms, and what this process held at most on the way, in MB.
func BenchmarkLate(b *testing.B) {
	const wall = 300 * time.Millisecond
	var list []attack
	for _, some := range [][]attack{workAttacks(), askAttacks(), endlessAttacks()} {
		list = append(list, some...)
	}
	for i, a := range list {
		if a.kind != KindDeadline && !strings.Contains(a.name, "recursion") {
			continue
		}
		b.Run(a.name, func(b *testing.B) {
			m := manifest(fmt.Sprint("org.example.late", i))
			m.Limits = &hostapi.ManifestLimits{HostCalls: Ceiling.HostCalls, Fuel: Ceiling.Fuel}
			bench := newBench(b, Limits{Wall: wall})
			p := bench.add(b, m, a.wasm)
			must(b, p.Prepare(b.Context()))
			before := resident("VmRSS")
			newPeak()
			var late []time.Duration
			for b.Loop() {
				must(b, p.Resume())
				began := time.Now()
				_, _ = p.Run(b.Context(), "extract", []byte(`{"branch":"for a tree of calls as deep as this is long"}`), Setting{})
				late = append(late, max(time.Since(began)-wall, 0))
			}
			var most, sum time.Duration
			for _, d := range late {
				most, sum = max(most, d), sum+d
			}
			b.ReportMetric(float64(sum.Microseconds())/1e3/float64(len(late)), "late-ms")
			b.ReportMetric(float64(most.Microseconds())/1e3, "late-max-ms")
			b.ReportMetric(float64(resident("VmHWM")-before)/(1<<20), "peak-MB")
		})
	}
}
