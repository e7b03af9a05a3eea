package service

import (
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"recollect/internal/config"
)

// A full disk cuts a line off in its middle. The next one stands on a line of its
// own, and the trouble is told as long as it lasts.
func TestLogOnAFullDisk(t *testing.T) {
	t.Parallel()
	dirs := config.Dirs{Data: t.TempDir()}
	if err := unix.Mount("tmpfs", dirs.Data, "tmpfs", 0, "size=64k,mode=700"); err != nil {
		t.Skip("no file system can be mounted here:", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dirs.Data, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	var people strings.Builder
	log, file := OpenLog(dirs, &people)
	t.Cleanup(func() { file.Close() })
	filler := filepath.Join(dirs.Data, "filler")
	if err := os.WriteFile(filler, make([]byte, 40<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	for n := 0; file.Trouble() == ""; n++ {
		log.Info("a line of some length, "+strings.Repeat("x", 300), "n", n)
		if n > 1000 {
			t.Fatal("the disk does not get full")
		}
	}
	text, err := os.ReadFile(LogFile(dirs))
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(string(text), "\n") {
		t.Skip("no line was cut off here")
	}
	for range 3 {
		log.Warn("not written")
	}
	if n := strings.Count(people.String(), "can't be written"); n != 1 || !strings.Contains(file.Trouble(), "no space left") {
		t.Errorf("told %d times; %q", n, file.Trouble())
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	log.Info("there is room again", slog.Int("n", -1))
	if file.Trouble() != "" {
		t.Errorf("trouble that is over: %s", file.Trouble())
	}
	lines, err := LastLogs(dirs, 1)
	if err != nil || len(lines) != 1 || !json.Valid([]byte(lines[0])) || !strings.Contains(lines[0], "room again") {
		t.Errorf("%q, %v", lines, err)
	}
}
