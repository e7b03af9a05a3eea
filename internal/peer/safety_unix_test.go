//go:build unix

package peer

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

const (
	envHold = "PEER_TEST_HOLD" // the child listens in this folder until it is killed
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(envHold); dir != "" {
		if _, err := Listen(Options{Folder: dir, Role: Service, Handle: echo}); err != nil {
			os.Stdout.WriteString(err.Error() + "\n")
			os.Exit(1)
		}
		os.Stdout.WriteString("listening\n")
		time.Sleep(time.Minute)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// hold starts a process that holds the role.
func hold(t *testing.T, dir string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), envHold+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "listening\n" {
		t.Fatalf("the child: %q, %v", line, err)
	}
	return cmd
}

func TestKilledHolder(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	cmd := hold(t, dir)
	c := dial(t, dir)
	if c.Hello().PID != cmd.Process.Pid {
		t.Errorf("pid = %d, want %d", c.Hello().PID, cmd.Process.Pid)
	}
	if _, err := Listen(Options{Folder: dir, Role: Service, Handle: echo}); !errors.Is(err, ErrRunning) {
		t.Errorf("beside it: %v, want ErrRunning", err)
	}
	if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	<-c.Ended()
	if _, err := os.Lstat(socketPath(dir, Service)); err != nil {
		t.Fatalf("the killed process left no socket: %v", err)
	}
	if _, err := Dial(t.Context(), DialOptions{Folder: dir, Role: Service}); !errors.Is(err, ErrNotRunning) {
		t.Errorf("after it was killed: %v, want ErrNotRunning", err)
	}
	listen(t, dir, echo)
	dial(t, dir)
}

// A process that was stopped holds its role and answers nobody.
func TestStoppedHolder(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	cmd := hold(t, dir)
	if err := cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	time.Sleep(50 * time.Millisecond)
	if _, err := Dial(t.Context(), DialOptions{Folder: dir, Role: Service}); err == nil || errors.Is(err, ErrNotRunning) {
		t.Errorf("dial: %v, want that it does not answer", err)
	}
	if _, err := Listen(Options{Folder: dir, Role: Service, Handle: echo}); !errors.Is(err, ErrRunning) {
		t.Errorf("listen: %v, want ErrRunning", err)
	}
}

func TestUnsafeFolders(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(dir string) error{
		"open to others": func(dir string) error { return errors.Join(os.Mkdir(dir, 0o700), os.Chmod(dir, 0o750)) },
		"a link":         func(dir string) error { return os.Symlink(t.TempDir(), dir) },
		"a file":         func(dir string) error { return os.WriteFile(dir, nil, 0o600) },
		"somebody else's": func(dir string) error {
			if os.Getuid() != 0 {
				return errSkip
			}
			return errors.Join(os.Mkdir(dir, 0o700), os.Chown(dir, 65534, 65534))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := folder(t)
			if err := prepare(dir); errors.Is(err, errSkip) {
				t.Skip("only root can give a folder away")
			} else if err != nil {
				t.Fatal(err)
			}
			var unsafe *UnsafeError
			if _, err := Listen(Options{Folder: dir, Role: Service, Handle: echo}); !errors.As(err, &unsafe) {
				t.Errorf("listen: %v, want an UnsafeError", err)
			}
			if _, err := Dial(t.Context(), DialOptions{Folder: dir, Role: Service}); !errors.As(err, &unsafe) {
				t.Errorf("dial: %v, want an UnsafeError", err)
			}
		})
	}
}

var errSkip = errors.New("skip")

func TestUnsafeSockets(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	s := listen(t, dir, echo)
	info, err := os.Lstat(socketPath(dir, Service))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket's mode: %v, %v; want 0600", info.Mode(), err)
	}
	if err := os.Chmod(socketPath(dir, Service), 0o666); err != nil {
		t.Fatal(err)
	}
	var unsafe *UnsafeError
	if _, err := Dial(t.Context(), DialOptions{Folder: dir, Role: Service}); !errors.As(err, &unsafe) {
		t.Errorf("dial of an open socket: %v, want an UnsafeError", err)
	}
	s.Close()
	if err := os.WriteFile(socketPath(dir, Service), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Dial(t.Context(), DialOptions{Folder: dir, Role: Service}); !errors.As(err, &unsafe) {
		t.Errorf("dial of a file: %v, want an UnsafeError", err)
	}
	listen(t, dir, echo) // the lock's holder may replace it
}

// Somebody else's process is refused by what the system says of it, even where
// the folder lets it through.
func TestStranger(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 || runtime.GOOS != "linux" {
		t.Skip("only root can act as somebody else")
	}
	perl, err := exec.LookPath("perl")
	if err != nil {
		t.Skip("needs perl: the test binary can't be run by another user")
	}
	dir := folder(t)
	listen(t, dir, echo)
	for path, mode := range map[string]os.FileMode{filepath.Dir(dir): 0o755, dir: 0o755, socketPath(dir, Service): 0o666} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(perl, "-MIO::Socket::UNIX", "-e",
		`my $s = IO::Socket::UNIX->new(Peer => $ARGV[0]) or die "connect: $!"; print scalar <$s>`, socketPath(dir, Service))
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "belongs to another user") {
		t.Errorf("the stranger heard %q, %v; want a refusal", out, err)
	}
}

// A client does not talk to somebody else's process either.
func TestStrangeHolder(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 || runtime.GOOS != "linux" {
		t.Skip("only root can act as somebody else")
	}
	perl, err := exec.LookPath("perl")
	if err != nil {
		t.Skip("needs perl: the test binary can't be run by another user")
	}
	dir := folder(t)
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Chmod(filepath.Dir(dir), 0o755), os.Chmod(dir, 0o777)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(perl, "-MIO::Socket::UNIX", "-e",
		`$| = 1; my $s = IO::Socket::UNIX->new(Local => $ARGV[0], Listen => 1) or die "listen: $!"; print "listening\n"; my $c = $s->accept; sleep 20`,
		socketPath(dir, Service))
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	if line, _ := bufio.NewReader(out).ReadString('\n'); line != "listening\n" {
		t.Fatalf("the stranger: %q", line)
	}
	path := socketPath(dir, Service)
	if err := errors.Join(os.Chmod(dir, 0o700), os.Chown(path, os.Getuid(), os.Getgid()), os.Chmod(path, 0o600)); err != nil {
		t.Fatal(err)
	}
	var unsafe *UnsafeError
	if _, err := Dial(t.Context(), DialOptions{Folder: dir, Role: Service}); !errors.As(err, &unsafe) {
		t.Errorf("dial: %v, want an UnsafeError", err)
	}
}
