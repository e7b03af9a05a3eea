package peer

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// folder is a short one: a socket's path has a limit.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "peer")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return filepath.Join(dir, "run")
}

func echo(_ context.Context, method string, params []byte) (any, error) {
	switch method {
	case "echo":
		return json.RawMessage(params), nil
	case "nothing":
		return nil, nil
	case "fail":
		return nil, errors.New("it did not work")
	case "explain":
		return nil, fmt.Errorf("wrapped: %w", &Error{Code: "busy", Message: "busy", Hint: "wait"})
	case "large":
		return strings.Repeat("x", MaxMessage), nil
	}
	return nil, &Error{Code: CodeMethod, Message: "no such method"}
}

func listen(t *testing.T, dir string, handle Handler) *Server {
	t.Helper()
	s, err := Listen(Options{Folder: dir, Role: Service, Version: "1.0", Handle: handle})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func dial(t *testing.T, dir string) *Client {
	t.Helper()
	c, err := Dial(t.Context(), DialOptions{Folder: dir, Role: Service, Version: "1.0"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func TestCall(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	listen(t, dir, echo)
	c := dial(t, dir)
	if h := c.Hello(); h.PID != os.Getpid() || h.Role != Service || h.Version != "1.0" || h.Protocol != Protocol {
		t.Errorf("hello = %+v", h)
	}
	var got map[string]string
	if err := c.Call(t.Context(), "echo", map[string]string{"a": "ü\n"}, &got); err != nil || got["a"] != "ü\n" {
		t.Errorf("echo = %v, %v", got, err)
	}
	if err := c.Call(t.Context(), "nothing", nil, nil); err != nil {
		t.Errorf("nothing: %v", err)
	}
	for method, code := range map[string]string{"fail": CodeFailed, "explain": "busy", "large": CodeTooLarge, "unknown": CodeMethod} {
		var e *Error
		if err := c.Call(t.Context(), method, nil, nil); !errors.As(err, &e) || e.Code != code {
			t.Errorf("%s: %v, want code %s", method, err, code)
		}
	}
}

func TestCallsSideBySide(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	listen(t, dir, func(ctx context.Context, m string, p []byte) (any, error) {
		time.Sleep(time.Millisecond)
		return echo(ctx, m, p)
	})
	c := dial(t, dir)
	var all sync.WaitGroup
	for i := range 100 {
		all.Go(func() {
			var got int
			if err := c.Call(t.Context(), "echo", i, &got); err != nil || got != i {
				t.Errorf("echo %d = %d, %v", i, got, err)
			}
		})
	}
	all.Wait()
}

func TestCallEnds(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	cancelled := make(chan struct{})
	s := listen(t, dir, func(ctx context.Context, _ string, _ []byte) (any, error) {
		<-ctx.Done()
		close(cancelled)
		return nil, ctx.Err()
	})
	c := dial(t, dir)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := c.Call(ctx, "hang", nil, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a call that is not waited for: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	<-cancelled
	<-c.Ended()
	if err := c.Call(t.Context(), "echo", 1, nil); !errors.Is(err, ErrGone) {
		t.Errorf("a call after the end: %v, want ErrGone", err)
	}
}

func TestOneHolder(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	if _, err := Dial(t.Context(), DialOptions{Folder: dir, Role: Service}); !errors.Is(err, ErrNotRunning) {
		t.Errorf("before anybody: %v, want ErrNotRunning", err)
	}
	s := listen(t, dir, echo)
	if _, err := Listen(Options{Folder: dir, Role: Service, Handle: echo}); !errors.Is(err, ErrRunning) {
		t.Errorf("a second one: %v, want ErrRunning", err)
	}
	if _, err := Dial(t.Context(), DialOptions{Folder: dir, Role: Window}); !errors.Is(err, ErrNotRunning) {
		t.Errorf("the other role: %v, want ErrNotRunning", err)
	}
	w, err := Listen(Options{Folder: dir, Role: Window, Handle: echo})
	if err != nil {
		t.Fatalf("the other role beside it: %v", err)
	}
	w.Close()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if _, err := Dial(t.Context(), DialOptions{Folder: dir, Role: Service}); !errors.Is(err, ErrNotRunning) {
		t.Errorf("after it: %v, want ErrNotRunning", err)
	}
	listen(t, dir, echo)
}

// A process that is about to end is waited for, so that "stop" and "run" may
// follow each other.
func TestStartAfterEnd(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	s := listen(t, dir, echo)
	s.l.Close() // it answers nobody any more
	time.AfterFunc(200*time.Millisecond, func() { s.Close() })
	listen(t, dir, echo)
}

func TestDialWaits(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	started := make(chan *Server, 1)
	time.AfterFunc(100*time.Millisecond, func() {
		s, err := Listen(Options{Folder: dir, Role: Window, Handle: echo})
		if err != nil {
			t.Error(err)
		}
		started <- s
	})
	c, err := Dial(t.Context(), DialOptions{Folder: dir, Role: Window, Wait: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	if s := <-started; s != nil {
		s.Close()
	}
}

// say is a client that says what it likes.
func say(t *testing.T, dir string, lines ...string) (net.Conn, *bufio.Reader) {
	t.Helper()
	nc, err := net.Dial("unix", socketPath(dir, Service))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { nc.Close() })
	_ = nc.SetDeadline(time.Now().Add(20 * time.Second))
	for _, l := range lines {
		if _, err := nc.Write([]byte(l)); err != nil {
			break // the other side has had enough
		}
	}
	return nc, bufio.NewReader(nc)
}

const goodHello = `{"hello":{"protocol":1,"version":"x","pid":1}}` + "\n"

func TestBadClients(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	listen(t, dir, echo)
	for name, tt := range map[string]struct {
		lines []string
		want  []string // in the answers after the hello, in order
	}{
		"no hello":         {[]string{`{"id":1,"method":"echo"}` + "\n"}, []string{CodeProtocol}},
		"other protocol":   {[]string{`{"hello":{"protocol":2,"version":"9","pid":1}}` + "\n"}, []string{"speaks protocol"}},
		"no JSON":          {[]string{"GET / HTTP/1.1\r\n\r\n"}, []string{CodeProtocol}},
		"silence":          {nil, []string{CodeProtocol}},
		"half a hello":     {[]string{`{"hello":`}, []string{CodeProtocol}},
		"too long":         {[]string{goodHello, `{"id":1,"method":"echo","params":"` + strings.Repeat("x", MaxMessage), "\n"}, nil},
		"no UTF-8":         {[]string{goodHello, "{\"id\":1,\"method\":\"echo\",\"params\":\"\xff\"}\n"}, nil},
		"answer to nobody": {[]string{goodHello, `{"id":1,"result":{}}` + "\n"}, nil},
		"unknown field":    {[]string{goodHello, `{"id":1,"method":"echo","params":7,"new":true}` + "\n"}, []string{`"result":7`}},
		"bad method":       {[]string{goodHello, `{"id":1,"method":"../etc"}` + "\n"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			nc, r := say(t, dir, tt.lines...)
			line, err := r.ReadString('\n')
			if err != nil || !strings.Contains(line, `"hello"`) {
				t.Fatalf("hello = %q, %v", line, err)
			}
			for _, want := range tt.want {
				if line, err = r.ReadString('\n'); !strings.Contains(line, want) {
					t.Errorf("answer %q, %v; want %q", line, err, want)
				}
			}
			if uc := nc.(*net.UnixConn); uc.CloseWrite() == nil {
				for {
					if _, err := r.ReadString('\n'); err != nil {
						break
					}
				}
			}
		})
	}
	t.Cleanup(func() {
		if err := dialAgain(dir); err != nil {
			t.Errorf("after all of them: %v", err)
		}
	})
}

func dialAgain(dir string) error {
	c, err := Dial(context.Background(), DialOptions{Folder: dir, Role: Service})
	if err != nil {
		return err
	}
	return c.Close()
}

func TestTooMany(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	listen(t, dir, echo)
	for range MaxConns {
		dial(t, dir)
	}
	var e *Error
	if _, err := Dial(t.Context(), DialOptions{Folder: dir, Role: Service}); !errors.As(err, &e) || e.Code != CodeRefused {
		t.Errorf("one too many: %v, want %s", err, CodeRefused)
	}
}

func TestFolder(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("paths are others on Windows")
	}
	env := func(m map[string]string) func(string) string { return func(k string) string { return m[k] } }
	own := folder(t)
	if err := os.Mkdir(own, 0o700); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "linux" {
		if got := Folder("/data", env(map[string]string{"XDG_RUNTIME_DIR": own})); got != filepath.Join(own, "recollect") {
			t.Errorf("with a folder of the system: %s", got)
		}
	}
	home := map[string]string{"RECOLLECT_HOME": "/home", "XDG_RUNTIME_DIR": own}
	if got := Folder("/data", env(home)); got != "/data/run" {
		t.Errorf("with RECOLLECT_HOME: %s", got)
	}
	long := "/" + strings.Repeat("long", 30)
	got := Folder(long, env(home))
	if len(socketPath(got, Service)+newSuffix) > maxPath || !strings.HasPrefix(got, "/tmp/recollect-") {
		t.Errorf("of a long path: %s", got)
	}
	if got == Folder(long+"x", env(home)) || got != Folder(long, env(home)) {
		t.Error("long paths are not told apart, or not found again")
	}
	if err := os.Chmod(own, 0o755); err != nil {
		t.Fatal(err)
	}
	if got := Folder("/data", env(map[string]string{"XDG_RUNTIME_DIR": own})); strings.HasPrefix(got, own) {
		t.Errorf("an open folder was taken: %s", got)
	}
}

func TestClear(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "run")
	if err := Clear(folder, Service); err != nil {
		t.Errorf("of a folder that is not there: %v", err)
	}
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{socketPath(folder, Service), lockPath(folder, Service), lockPath(folder, Window)} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := Clear(folder, Service); err != nil {
		t.Error(err)
	}
	left, err := os.ReadDir(folder)
	if err != nil || len(left) != 1 || left[0].Name() != "window.lock" {
		t.Errorf("left %v, %v", left, err)
	}
	if err := Clear(folder, Window); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(folder); err == nil {
		t.Error("an empty folder is left")
	}
}
