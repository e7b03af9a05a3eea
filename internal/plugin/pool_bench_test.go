package plugin

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"recollect/hostapi"
)

// BenchmarkCleanCall calls guests that do next to nothing with what they are
// given, in a pooled instance and in one that is made for the call.
func BenchmarkCleanCall(b *testing.B) {
	for _, g := range []struct {
		name string
		wasm []byte
	}{{"hand-made", hoarder(false)}, {"Go", goGuest(b, "echo")}} {
		m := compiled(b, g.wasm)
		for _, size := range []int{2, 200} {
			request := fmt.Appendf(nil, `{"branch":"nothing","project":{"name":%q}}`, strings.Repeat("w", size<<10-60))
			for how, call := range map[string]func(*module, []byte) outcomeOf{"pooled": extractIn, "fresh": freshly} {
				if g.name == "hand-made" {
					request = append([]byte{1, 1}, make([]byte, min(size<<10, 60<<10))...)
				}
				b.Run(fmt.Sprintf("%s/%dKB/%s", g.name, size, how), func(b *testing.B) {
					for b.Loop() {
						if o := call(m, request); o.err != "" {
							b.Fatal(o.err)
						}
					}
				})
			}
		}
	}
}

// BenchmarkTimers tells how late timers of the host are, in ms, while a guest
// computes and while none does.
func BenchmarkTimers(b *testing.B) {
	for _, busy := range []bool{false, true} {
		b.Run(fmt.Sprintf("busy=%t", busy), func(b *testing.B) {
			if busy {
				m := compiled(b, hoarder(false))
				s := newSession(context.Background(), hostapi.Manifest{}, Limits{Wall: time.Hour, Reply: 1 << 10}, Setting{}, "")
				ended := make(chan error)
				go func() {
					_, err := m.call(s, "extract", []byte{10, 0})
					ended <- err
				}()
				defer func() {
					s.cancel(context.Canceled)
					<-ended
					s.close()
				}()
			}
			var late []time.Duration
			for b.Loop() {
				due := time.Now().Add(time.Millisecond)
				time.Sleep(time.Millisecond)
				late = append(late, time.Since(due))
			}
			slices.Sort(late)
			ms := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
			b.ReportMetric(ms(late[len(late)*99/100]), "late-p99-ms")
			b.ReportMetric(ms(late[len(late)-1]), "late-max-ms")
		})
	}
}
