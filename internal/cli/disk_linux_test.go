package cli

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"recollect/internal/engine"
	"recollect/internal/peer"
)

// smallDisk puts a file system of two megabytes over a folder, with what was in it.
func smallDisk(t *testing.T, folder string) {
	t.Helper()
	aside := filepath.Join(t.TempDir(), "x")
	if err := os.CopyFS(aside, os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("tmpfs", folder, "tmpfs", 0, "size=2m,mode=700"); err != nil {
		t.Skip("no file system can be mounted here:", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(folder, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	if err := os.CopyFS(folder, os.DirFS(aside)); err != nil {
		t.Fatal(err)
	}
}

// full takes up all room of a disk, until the function is called.
func full(t *testing.T, folder string) (free func()) {
	t.Helper()
	path := filepath.Join(folder, "filler")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for {
		if _, err := f.Write(make([]byte, 4096)); err != nil {
			break
		}
	}
	return func() {
		if err := os.Remove(path); err != nil {
			t.Error(err)
		}
	}
}

// The disk of the service's log and data is full, before it starts and while it
// runs: it goes on, says so in its status, and nothing is damaged. What can't be
// written down before a save is not saved, and the job says why.
func TestServiceOnAFullDisk(t *testing.T) {
	p := newProgram(t)
	data := filepath.Join(p.home, "data")
	smallDisk(t, data)
	p.say(t, "s1", rule(0))
	p.run(t, "memorize", "--all")
	p.run(t, "config", "set", "--user", "maintenance.enabled", "false")
	before := tree(t, data)
	troubled := func(wanted bool) {
		t.Helper()
		out := p.run(t, "service", "status")
		told := strings.Count(out, "problem: the log file can't be written: ")
		if !strings.HasPrefix(out, "running") || told > 1 || (told == 1) != wanted || wanted && !strings.Contains(out, "no space left on device") {
			t.Errorf("service status, with a full disk: %v:\n%s", wanted, out)
		}
	}

	free := full(t, data)
	p.serve(t, os.Args[0])
	troubled(true)
	p.say(t, "s2", rule(1))
	p.ask(t, "memorize", map[string]any{"root": p.project, "all": true})
	p.endedFull(t, 1)
	troubled(true)
	if items := p.items(t); len(items) != 1 {
		t.Errorf("the memory, where no save could be noted: %q", items)
	}
	if out, code := does(t, p.command("service", "pause")); code != 1 || !strings.Contains(out, "no space left") {
		t.Errorf("a pause that can't be kept: exit code %d\n%s", code, out)
	}
	troubled(true)
	p.run(t, "service", "stop")

	p.serve(t, os.Args[0]) // once more on a full disk
	troubled(true)
	free()
	p.run(t, "service", "pause")
	p.run(t, "service", "resume")
	p.run(t, "service", "stop")
	p.serve(t, os.Args[0])
	troubled(false)
	p.say(t, "s3", rule(2))
	free = full(t, data)
	p.ask(t, "memorize", map[string]any{"root": p.project, "all": true})
	p.endedFull(t, 1)
	free()
	p.run(t, "memorize", "--all")
	p.run(t, "service", "stop")
	p.whole(t, filepath.Join(data, "logs", "service.log"))

	for name, text := range before {
		if now, err := os.ReadFile(filepath.Join(data, name)); err != nil || len(now) == 0 && len(text) > 0 {
			t.Errorf("%s is damaged: %v, %d bytes of %d", name, err, len(now), len(text))
		}
	}
	if items := p.items(t); len(items) != 3 {
		t.Errorf("the memory: %q", items)
	}
	if out, code := does(t, p.command("doctor")); code != 0 || strings.Contains(out, "can't be read") {
		t.Errorf("doctor: exit code %d\n%s", code, out)
	}
}

// tree are the files of a folder.
func tree(t *testing.T, folder string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(folder, path)
		all[rel] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// dial talks to the service.
func (p program) dial(t *testing.T) *peer.Client {
	t.Helper()
	c, err := peer.Dial(t.Context(), peer.DialOptions{Role: peer.Service, Version: "1", Folder: peer.Folder(filepath.Join(p.home, "data"), func(name string) string {
		return map[string]string{"RECOLLECT_HOME": p.home}[name]
	})})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// ask has the service do something.
func (p program) ask(t *testing.T, method string, params any) {
	t.Helper()
	c := p.dial(t)
	defer c.Close()
	if err := c.Call(t.Context(), method, params, nil); err != nil {
		t.Fatalf("%s: %v", method, err)
	}
}

// endedFull waits until n jobs of the service have ended, all for want of room.
func (p program) endedFull(t *testing.T, n int) {
	t.Helper()
	c := p.dial(t)
	defer c.Close()
	for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		var jobs []engine.Job
		if err := c.Call(t.Context(), "jobs", nil, &jobs); err != nil {
			t.Fatal(err)
		}
		over := 0
		for _, j := range jobs {
			if !j.Final() {
				continue
			}
			over++
			if j.Problem == nil || j.Problem.Code != "disk_full" {
				t.Fatalf("job %d ended as %s: %+v", j.ID, j.State, j.Problem)
			}
		}
		if over >= n {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("jobs: %+v", jobs)
		}
	}
}

// whole checks that a log has no line that is not.
func (p program) whole(t *testing.T, path string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := 0
	for s := bufio.NewScanner(f); s.Scan(); lines++ {
		if !json.Valid(s.Bytes()) {
			t.Errorf("the log has the line %q", s.Text())
		}
	}
	if lines == 0 {
		t.Error("the log is empty")
	}
}
