package service

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// machine is this machine once more, booted with systemd in a namespace of its
// own, on an overlay that keeps what is written from the real one. It has no
// network, and a person who is called like memo and has no session.
type machine struct {
	t    *testing.T
	dir  string // of the mounts
	root string
	init string // process of the machine's systemd
	boot *exec.Cmd
	// ended is closed when it has ended.
	ended chan struct{}
	said  bytes.Buffer
}

const (
	person     = "memo-test"
	personHome = "/home/" + person
)

// bootMachine boots one. Where that can't be done the test is skipped, but not
// where tests must be whole.
func bootMachine(t *testing.T) *machine {
	t.Helper()
	m := layMachine(t, "systemd-nspawn", "nsenter", "pgrep")
	t.Cleanup(func() { m.off(); m.log() })
	m.on(t.Skipf)
	return m
}

// layMachine makes a machine that is not booted, which takes the named programs.
func layMachine(t *testing.T, programs ...string) *machine {
	t.Helper()
	if testing.Short() {
		t.Skip("makes a machine")
	}
	if os.Geteuid() != 0 {
		t.Skip("needs root, to make a machine in a namespace")
	}
	for _, name := range append(programs, "useradd", "runuser") {
		if _, err := exec.LookPath(name); err != nil {
			if os.Getenv("CI") != "" {
				t.Fatalf("%s is missing: apt-get install systemd-container dbus-user-session", name)
			}
			t.Skipf("needs %s: apt-get install systemd-container dbus-user-session", name)
		}
	}
	m := &machine{t: t, dir: t.TempDir()}
	m.root = filepath.Join(m.dir, "root")
	work := filepath.Join(m.dir, "work")
	for _, d := range []string{m.root, work} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=1g", "tmpfs", work).CombinedOutput(); err != nil {
		t.Skipf("no file system can be mounted here: %v: %s", err, out)
	}
	t.Cleanup(func() { m.unmount(work) })
	for _, d := range []string{"upper", "work"} {
		if err := os.Mkdir(filepath.Join(work, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command("mount", "-t", "overlay", "overlay", "-o", "lowerdir=/,upperdir="+work+"/upper,workdir="+work+"/work", m.root).CombinedOutput()
	if err != nil {
		t.Skipf("no overlay can be mounted here: %v: %s", err, out)
	}
	t.Cleanup(func() { m.unmount(m.root) })
	if err := os.WriteFile(filepath.Join(m.root, "etc", "machine-id"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("chroot", m.root, "useradd", "--create-home", "--shell", "/bin/bash", person).CombinedOutput(); err != nil {
		t.Fatalf("useradd: %v: %s", err, out)
	}
	return m
}

// build puts the program into a folder of the machine, and gives its path there.
func (m *machine) build(folder string) string {
	m.t.Helper()
	build := exec.Command("go", "build", "-trimpath", "-o", filepath.Join(m.root, folder, "recollect"), "./cmd/recollect")
	build.Dir, build.Env = filepath.Join("..", ".."), append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		m.t.Fatalf("go build: %v\n%s", err, out)
	}
	return folder + "/recollect"
}

// login opens a session of the person, until logout.
func (m *machine) login() {
	m.t.Helper()
	m.run("systemd-run", "--quiet", "--unit=session-of-"+person, "--property=PAMName=login", "--property=User="+person, "sleep", "600")
}

func (m *machine) logout() {
	m.t.Helper()
	m.run("systemctl", "stop", "session-of-"+person)
}

func (m *machine) unmount(dir string) {
	if exec.Command("umount", dir).Run() != nil {
		if out, err := exec.Command("umount", "--lazy", dir).CombinedOutput(); err != nil {
			m.t.Errorf("umount %s: %v: %s", dir, err, out)
		}
	}
}

// name is that of the machine while it runs.
func (m *machine) name() string { return fmt.Sprintf("recollect-test-%d", os.Getpid()) }

func (m *machine) log() {
	if m.t.Failed() {
		m.t.Log("the machine said:\n" + m.said.String())
	}
}

// on boots the machine. refused is called if this machine lets none be booted.
func (m *machine) on(refused func(string, ...any)) {
	m.t.Helper()
	m.boot = exec.Command("systemd-nspawn", "--quiet", "--directory="+m.root, "--boot", "--register=no", "--keep-unit",
		"--link-journal=no", "--machine="+m.name(), "--console=pipe", "--private-network", "systemd.unit=multi-user.target")
	m.boot.Stdout, m.boot.Stderr = &m.said, &m.said
	if err := m.boot.Start(); err != nil {
		m.t.Fatal(err)
	}
	m.ended = make(chan struct{})
	go func(boot *exec.Cmd) { _ = boot.Wait(); close(m.ended) }(m.boot)
	began := time.Now()
	for {
		out, _ := exec.Command("pgrep", "-P", fmt.Sprint(m.boot.Process.Pid)).Output()
		m.init = strings.TrimSpace(string(out))
		if m.init != "" && !strings.Contains(m.init, "\n") {
			state, _ := m.try("systemctl", "is-system-running")
			if state = strings.TrimSpace(state); state == "running" || state == "degraded" {
				m.t.Logf("booted within %s (%s)", time.Since(began).Round(time.Millisecond), state)
				return
			}
		}
		select {
		case <-m.ended:
			m.boot = nil
			refused("no machine can be booted here:\n%s", m.said.String())
		default:
		}
		if time.Since(began) > 3*time.Minute {
			m.t.Fatal("the machine does not come up")
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// off ends the machine, and waits.
func (m *machine) off() {
	if m.boot == nil {
		return
	}
	_, _ = m.try("systemctl", "poweroff", "--no-block")
	select {
	case <-m.ended:
	case <-time.After(time.Minute):
		_ = m.boot.Process.Kill()
		<-m.ended
	}
	m.boot = nil
	_ = os.Remove(filepath.Join("/run/systemd/nspawn/propagate", m.name())) // it is left where /run is no file system of its own
}

// try runs a program in the machine, as root.
func (m *machine) try(args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	// Nothing of the test's own surroundings is let in.
	inside := append([]string{"-t", m.init, "-a", "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LC_ALL=C"}, args...)
	cmd := exec.CommandContext(ctx, "nsenter", inside...)
	cmd.Dir = "/"
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (m *machine) run(args ...string) string {
	m.t.Helper()
	out, err := m.try(args...)
	if err != nil {
		m.t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// asPerson is a command line of the person, without what a login would set.
func asPerson(args ...string) []string {
	return append([]string{"runuser", "-u", person, "--", "env", "-i", "HOME=" + personHome, "PATH=/usr/bin:/bin"}, args...)
}

// home lists what is in the person's home: modes, names, sums.
func (m *machine) home() (all []string) {
	m.t.Helper()
	root := filepath.Join(m.root, personHome)
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, p)
		line := fmt.Sprintf("%s %s", info.Mode(), rel)
		if info.Mode().IsRegular() {
			text, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			line += fmt.Sprintf(" %x", sha256.Sum256(text))
		}
		all = append(all, line)
		return nil
	})
	if err != nil {
		m.t.Fatal(err)
	}
	return all
}
