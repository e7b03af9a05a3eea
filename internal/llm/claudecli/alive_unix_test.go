//go:build unix

package claudecli_test

import (
	"fmt"
	"os"
	"strings"
	"syscall"
)

// alive tells if the process runs. One that nobody has waited for yet does not.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || !strings.Contains(string(stat), ") Z ")
}
