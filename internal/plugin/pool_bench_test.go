package plugin

import (
	"fmt"
	"strings"
	"testing"
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
