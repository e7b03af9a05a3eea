package plugin

import (
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// boundMemory ends this process when it has more memory than limit: at once if it
// has already, however little is left to do, and else when it is seen. The system's
// own limits count what is reserved, in large steps, or don't work at all.
func boundMemory(limit int64) {
	debug.SetMemoryLimit(limit / 4 * 3) // collect harder before that
	have := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	look := func() {
		metrics.Read(have)
		if have[0].Value.Uint64()-have[1].Value.Uint64() > uint64(limit) {
			os.Exit(exitMemory)
		}
	}
	look()
	go func() {
		for {
			time.Sleep(10 * time.Millisecond)
			look()
		}
	}()
}
