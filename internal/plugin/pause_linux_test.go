package plugin

import (
	"syscall"
	"testing"
	"time"
)

// pauseChild waits for a compiler that parent starts and has it stand still, however
// fast it is. It can be killed all the same.
func pauseChild(t *testing.T, parent int) {
	for range 60_000 {
		for _, pid := range childrenOf(t, parent) {
			if syscall.Kill(pid, syscall.SIGSTOP) == nil {
				return
			}
		}
		time.Sleep(time.Millisecond)
	}
	t.Error("no compiler was started")
}
