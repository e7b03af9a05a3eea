package plugin

import (
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// watchMemory ends this process when it has more memory than limit. The system's
// own limits count what is reserved, in large steps, or don't work at all.
func watchMemory(limit int64) {
	debug.SetMemoryLimit(limit / 4 * 3) // collect harder before that
	have := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	for {
		metrics.Read(have)
		if have[0].Value.Uint64()-have[1].Value.Uint64() > uint64(limit) {
			os.Exit(exitMemory)
		}
		time.Sleep(10 * time.Millisecond)
	}
}
