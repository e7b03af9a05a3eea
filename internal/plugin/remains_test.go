package plugin

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"
)

// remains is what an attack could leave behind, as it was before.
type remains struct {
	goroutines, files, children int
	temp                        string
	resident                    int64 // bytes; after the first round
}

func newRemains(t *testing.T) *remains {
	t.Helper()
	return &remains{
		goroutines: runtime.NumGoroutine(), files: openFiles(), children: len(children()), temp: temporaries(t),
	}
}

// moreMemory is by how much a second attack may raise what the first one took.
// What is kept for further calls is there after the first.
const moreMemory = detector * 48 << 20

// check waits a while for what ends by itself.
func (r *remains) check(t *testing.T) {
	t.Helper()
	wrong := ""
	for range 400 {
		if wrong = r.differs(t); wrong == "" {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if wrong != "" {
		t.Error(wrong)
	}
	debug.FreeOSMemory()
	now := residentBytes()
	if r.resident > 0 && now > r.resident+moreMemory {
		t.Errorf("%d MB of memory, %d after the first attack", now>>20, r.resident>>20)
	}
	r.resident = now
}

func (r *remains) differs(t *testing.T) string {
	if n := runtime.NumGoroutine(); n > r.goroutines {
		return fmt.Sprintf("%d goroutines, %d before", n, r.goroutines)
	}
	if n := openFiles(); n > r.files {
		return fmt.Sprintf("%d open files, %d before", n, r.files)
	}
	if list := children(); len(list) > r.children {
		return fmt.Sprintf("the processes %v, %d before", list, r.children)
	}
	if temp := temporaries(t); temp != r.temp {
		return fmt.Sprintf("temporary files %s, before %s", temp, r.temp)
	}
	return ""
}

// ownTemp gives the test a folder for temporary files that nobody else uses.
func ownTemp(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, dir)
	}
}

// temporaries lists the folder of ownTemp.
func temporaries(t *testing.T) string {
	t.Helper()
	entries, err := os.ReadDir(os.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "Test") { // t.TempDir's
			names = append(names, e.Name())
		}
	}
	return fmt.Sprint(names)
}

// The following give 0 and nothing where the system has no /proc.

func openFiles() int {
	entries, _ := os.ReadDir("/proc/self/fd")
	return len(entries)
}

func children() []string {
	files, _ := filepath.Glob("/proc/self/task/*/children")
	var list []string
	for _, name := range files {
		data, _ := os.ReadFile(name)
		list = append(list, strings.Fields(string(data))...)
	}
	return list
}

func residentBytes() int64 {
	data, _ := os.ReadFile("/proc/self/statm")
	fields := bytes.Fields(data)
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(string(fields[1]), 10, 64)
	return pages * int64(os.Getpagesize())
}
