package service

import (
	"bufio"
	"io"
	"os"
	"runtime/debug"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"recollect/internal/safefile"
)

// Rest gives back what the last work took: free memory, and the pages of the
// program's own file that nobody will look at for hours. Most of them are the
// tables that tokens are counted with.
func Rest() {
	debug.FreeOSMemory()
	exe, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return
	}
	f, _, err := safefile.Open("/proc/self/smaps", safefile.NoLimit)
	if err != nil {
		return
	}
	defer f.Close()
	for _, m := range idleMappings(f, exe) {
		_, _, _ = unix.Syscall(unix.SYS_MADVISE, m.from, m.to-m.from, unix.MADV_DONTNEED)
	}
}

// mapping is a part of the process's memory.
type mapping struct{ from, to uintptr }

// idleMappings finds, in what the kernel tells of the process's memory, the
// mappings of a file whose pages can be dropped without loss: they can't be
// written and hold nothing but the file, so that the kernel brings them back
// when they are looked at. A debugger's marks and what a loader has changed are
// Anonymous there.
func idleMappings(smaps io.Reader, file string) []mapping {
	var out []mapping
	var current *mapping
	lines := bufio.NewScanner(smaps)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		switch {
		case len(fields) == 6 && !strings.HasSuffix(fields[0], ":"):
			current = nil
			if m, ok := parseMapping(fields[0]); ok && !strings.Contains(fields[1], "w") && strings.HasSuffix(fields[1], "p") && fields[5] == file {
				current = &m
			}
		case len(fields) == 5 && !strings.HasSuffix(fields[0], ":"):
			current = nil // of no file
		case len(fields) == 3 && fields[0] == "Anonymous:" && fields[1] == "0" && current != nil:
			out = append(out, *current)
		}
	}
	return out
}

func parseMapping(s string) (mapping, bool) {
	from, to, ok := strings.Cut(s, "-")
	a, errA := strconv.ParseUint(from, 16, strconv.IntSize)
	b, errB := strconv.ParseUint(to, 16, strconv.IntSize)
	return mapping{uintptr(a), uintptr(b)}, ok && errA == nil && errB == nil && a < b
}
