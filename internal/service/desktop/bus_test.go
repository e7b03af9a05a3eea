//go:build linux

package desktop

import (
	"errors"
	"net"
	"path/filepath"
	"testing"
	"time"
)

func TestSession(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_RUNTIME_DIR", dir)
	t.Setenv("PATH", dir) // no dbus-launch either
	for name, address := range map[string]string{
		"gone": "unix:path=" + filepath.Join(dir, "gone"), "nonsense": "nonsense", "unknown kind": "pigeon:loft=1",
	} {
		t.Setenv("DBUS_SESSION_BUS_ADDRESS", address)
		if err := Session(); !errors.Is(err, ErrNoSession) {
			t.Errorf("%s: %v, want ErrNoSession", name, err)
		}
	}
}

// A bus that takes calls and answers none is as good as none.
func TestSessionThatIsSilent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bus")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+path)
	answer := make(chan error, 1)
	go func() { answer <- Session() }()
	select {
	case err := <-answer:
		if !errors.Is(err, ErrNoSession) {
			t.Errorf("%v, want ErrNoSession", err)
		}
	case <-time.After(4 * wait):
		t.Fatal("it waits without end")
	}
}
