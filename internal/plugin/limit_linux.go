package plugin

import (
	"bufio"
	"fmt"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"recollect/internal/safefile"
)

// endWithParent has the kernel kill the child when the thread that started it
// ends: that thread must be kept until the child has ended.
func endWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }

// limitData bounds the memory that this process may still ask for. It is
// RLIMIT_DATA and not RLIMIT_AS, since Go reserves a gigabyte of addresses that
// it never uses; and twice what was asked, since the heap grows in steps of 64
// MB and boundMemory is exact.
func limitData(more int64) error {
	have, err := dataBytes()
	if err != nil {
		return err
	}
	return setLimit(unix.RLIMIT_DATA, uint64(have+2*more))
}

// dataBytes is what counts against RLIMIT_DATA now.
func dataBytes() (int64, error) {
	f, _, err := safefile.Open("/proc/self/status", safefile.NoLimit)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if rest, ok := strings.CutPrefix(lines.Text(), "VmData:"); ok {
			var kb int64
			_, err := fmt.Sscan(rest, &kb)
			return kb << 10, err
		}
	}
	return 0, fmt.Errorf("no VmData in %s", f.Name())
}
