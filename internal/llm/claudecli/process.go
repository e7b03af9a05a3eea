package claudecli

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"recollect/internal/llm"
)

// ending is how the program ended, and what it said beside its events.
type ending struct {
	err    error // of starting it, or its exit status
	stderr string
}

const (
	grace   = time.Second     // after the end of the program its output is still read
	tidying = 2 * time.Second // the program may go on after its result
)

// run starts the program and feeds what it prints to the reply until that has
// enough, or the context ends. When it returns, nothing that was started runs.
func (c *Client) run(ctx context.Context, program string, r room, p llm.Prompt, to *reply) ending {
	out, in, err := os.Pipe()
	if err != nil {
		return ending{err: err}
	}
	defer out.Close()
	said := &tail{limit: 16 << 10}
	cmd := exec.Command(program, c.arguments(r, p)...)
	cmd.Env, cmd.Dir = c.environment(r, p), r.work()
	cmd.Stdin = strings.NewReader(c.o.Marker + "\n" + p.Text)
	cmd.Stdout, cmd.Stderr = in, said
	cmd.WaitDelay = grace
	own(cmd)
	g := newGuard()
	defer g.release()
	err = cmd.Start()
	in.Close()
	if err != nil {
		return ending{err: err}
	}
	g.watch(cmd.Process.Pid, r)
	gone := make(chan struct{})
	kill := func() {
		select {
		case <-gone: // its number may be somebody else's by now
		default:
			killGroup(cmd)
		}
	}
	stop := context.AfterFunc(ctx, kill)
	defer stop()

	exited := make(chan error, 1)
	go func() {
		err := cmd.Wait()
		killGroup(cmd) // what it started and left behind
		close(gone)
		time.AfterFunc(grace, func() { out.Close() })
		exited <- err
	}()
	to.read(out)
	if to.result == nil {
		kill()
	}
	// With its result out the program only tidies up: it may be about to store
	// the person's renewed login.
	tidied := time.AfterFunc(tidying, kill)
	defer tidied.Stop()
	return ending{err: <-exited, stderr: said.String()}
}

// tail keeps the last bytes written to it.
type tail struct {
	limit int
	mu    sync.Mutex
	b     []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.b = append(t.b, p[max(0, len(p)-t.limit):]...)
	t.b = bytes.Clone(t.b[max(0, len(t.b)-t.limit):])
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.b)
}

var _ io.Writer = (*tail)(nil)

// maxPrinted bounds all that the program may print for one reply: an event with
// a word of text has some 250 bytes.
const maxPrinted = 64 * llm.MaxReplyBytes
