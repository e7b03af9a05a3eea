package service

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"recollect/internal/peer"
)

// OpenOptions say what to open.
type OpenOptions struct {
	Folder  string // of the sockets, see Where
	Version string // of this program
	Root    string // of the project to show; empty: whatever the window likes
	Screen  string // to show; empty: whatever the window likes
}

// Opened says how the window was opened.
type Opened struct {
	Started bool `json:"started"` // false: it was open and came forward
	PID     int  `json:"pid"`
}

// ErrNoWindow says that the program with the window is not on this machine.
var ErrNoWindow = errors.New("the Recollect window is not installed")

// windowWait is how long the window has to show itself. A machine that is just
// starting up is slow.
const windowWait = 20 * time.Second

// OpenWindow has the window that is open come forward, or starts it.
func OpenWindow(ctx context.Context, o OpenOptions) (Opened, error) {
	opened, err := raise(ctx, o, 0)
	if !errors.Is(err, peer.ErrNotRunning) {
		return opened, err
	}
	program, err := findWindow()
	if err != nil {
		return Opened{}, err
	}
	return start(ctx, program, o)
}

// raise asks the window that is open to come forward.
func raise(ctx context.Context, o OpenOptions, wait time.Duration) (Opened, error) {
	c, err := peer.Dial(ctx, peer.DialOptions{Folder: o.Folder, Role: peer.Window, Version: o.Version, Wait: wait})
	if err != nil {
		return Opened{}, err
	}
	defer c.Close()
	ctx, cancel := context.WithTimeout(ctx, windowWait)
	defer cancel()
	return Opened{PID: c.Hello().PID}, c.Call(ctx, "show", openRequest{Root: o.Root, Screen: o.Screen}, nil)
}

// start runs the window's program and waits until it answers. It outlives this
// process.
func start(ctx context.Context, program string, o OpenOptions) (Opened, error) {
	var args []string
	if o.Root != "" {
		args = append(args, "--project", o.Root)
	}
	if o.Screen != "" {
		args = append(args, "--screen", o.Screen)
	}
	cmd := exec.Command(program, args...)
	cmd.SysProcAttr, cmd.Env = apart(), windowEnv(ctx)
	if home, err := os.UserHomeDir(); err == nil {
		cmd.Dir = home
	}
	if err := cmd.Start(); err != nil {
		return Opened{}, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	ctx, cancel := context.WithTimeout(ctx, windowWait)
	defer cancel()
	for {
		c, err := peer.Dial(ctx, peer.DialOptions{Folder: o.Folder, Role: peer.Window, Version: o.Version})
		if err == nil {
			pid := c.Hello().PID
			c.Close()
			return Opened{Started: true, PID: pid}, nil
		}
		select {
		case err := <-ended:
			if err == nil { // another one was quicker, and came forward
				if opened, err := raise(ctx, o, 0); err == nil {
					return opened, nil
				}
			}
			return Opened{}, fmt.Errorf("%s ended at once (%s): start it in a terminal to see why", program, how(err))
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.Canceled) {
				return Opened{}, ctx.Err()
			}
			return Opened{}, fmt.Errorf("%s was started, but no window came within %s", program, windowWait)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func how(err error) string {
	if err == nil {
		return "exit status 0"
	}
	return err.Error()
}

// windowNames are what the program with the window is called.
var windowNames = []string{"Recollect", "recollect-desktop"}

// findWindow looks beside this program, then in PATH. Where upper and lower case
// are the same it must not find this very program.
func findWindow() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(self); err == nil {
		self = real
	}
	dirs := []string{filepath.Dir(self)}
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" { // recollect may lie a folder deeper
		dirs = append(dirs, filepath.Dir(filepath.Dir(self)))
	}
	for _, dir := range dirs {
		for _, name := range windowNames {
			if runtime.GOOS == "windows" {
				name += ".exe"
			}
			if p := filepath.Join(dir, name); runs(p) && !same(p, self) {
				return p, nil
			}
		}
	}
	for _, name := range windowNames {
		if p, err := exec.LookPath(name); err == nil && filepath.IsAbs(p) && !same(p, self) {
			return p, nil
		}
	}
	return "", ErrNoWindow
}

func runs(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode().Perm()&0o111 != 0)
}

func same(a, b string) bool {
	ia, erra := os.Stat(a)
	ib, errb := os.Stat(b)
	return erra == nil && errb == nil && os.SameFile(ia, ib)
}

// open opens the window, where the person sees what the icon calls for.
func (s *service) open(ctx context.Context, r openRequest) (Opened, error) {
	opened, err := OpenWindow(ctx, OpenOptions{Folder: s.folder, Version: s.options.Engine.Version, Root: r.Root, Screen: r.Screen})
	if err == nil {
		s.mu.Lock()
		s.last.seen = true
		s.mu.Unlock()
		s.show()
	}
	return opened, err
}
