package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestSyncThatIsNotSupportedStopsNoWrite(t *testing.T) {
	for _, step := range []Step{StepSync, StepSyncFolder} {
		for err, wanted := range map[error]bool{
			syscall.EINVAL: true, syscall.ENOTSUP: true, syscall.ENOSYS: true,
			syscall.EIO: false, syscall.ENOSPC: false,
		} {
			file := filepath.Join(t.TempDir(), "a.txt")
			got := Replace(file, []byte("new"), Absent(), Options{Before: func(s Step) error {
				if s == step {
					return &os.PathError{Op: "sync", Path: file, Err: err}
				}
				return nil
			}})
			if wanted != (got == nil) || got != nil && !errors.Is(got, err) {
				t.Errorf("%v at %q: Replace = %v, want success %v", err, step, got, wanted)
			}
			if text, _ := os.ReadFile(file); wanted && string(text) != "new" {
				t.Errorf("%v at %q: the file holds %q", err, step, text)
			}
		}
	}
}
