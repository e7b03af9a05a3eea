package peer

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"sync"
	"time"
)

// DialOptions say whom to talk to. All but Version and Wait must be given.
type DialOptions struct {
	Folder  string // see the function Folder
	Role    Role
	Version string // the program's
	// Wait is how long a process that is just starting is waited for.
	Wait time.Duration
}

// Client talks to the holder of a role. Its methods may be called from several
// goroutines.
type Client struct {
	nc    *net.UnixConn
	hello Hello
	r     *bufio.Reader

	write sync.Mutex
	mu    sync.Mutex
	last  uint64
	calls map[uint64]chan frame
	gone  error
	ended chan struct{}
}

// Dial greets the holder of a role. The error wraps ErrNotRunning if there is
// none.
func Dial(ctx context.Context, o DialOptions) (*Client, error) {
	c, err := connect(ctx, o)
	if err != nil {
		return nil, err
	}
	go c.read()
	return c, nil
}

// connect dials and greets, and waits as long as it may.
func connect(ctx context.Context, o DialOptions) (*Client, error) {
	patience := time.Now().Add(o.Wait)
	for {
		c, err := greetOnce(ctx, o)
		if !errors.Is(err, ErrNotRunning) || time.Now().After(patience) {
			return c, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func greetOnce(ctx context.Context, o DialOptions) (*Client, error) {
	path := socketPath(o.Folder, o.Role)
	for _, err := range []error{checkFolder(o.Folder), checkSocket(path)} {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, ErrNotRunning
		case err != nil:
			return nil, err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, helloWait)
	defer cancel()
	var d net.Dialer
	conn, err := d.DialContext(ctx, "unix", path)
	switch {
	case errors.Is(err, errNobody), errors.Is(err, fs.ErrNotExist):
		return nil, ErrNotRunning
	case err != nil:
		return nil, err
	}
	nc := conn.(*net.UnixConn)
	c := &Client{nc: nc, r: bufio.NewReaderSize(nc, 4096), calls: map[uint64]chan frame{}, ended: make(chan struct{})}
	// What the process says can be no more than a lie of the person's own.
	if err := checkUser(nc); err != nil {
		nc.Close()
		return nil, &UnsafeError{path, err.Error()}
	}
	if err := c.greet(ctx, o); err != nil {
		nc.Close()
		return nil, err
	}
	return c, nil
}

func (c *Client) greet(ctx context.Context, o DialOptions) error {
	deadline, _ := ctx.Deadline()
	_ = c.nc.SetDeadline(deadline)
	defer context.AfterFunc(ctx, func() { _ = c.nc.SetDeadline(time.Unix(1, 0)) })()
	f, err := readFrame(c.r)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return errors.New("the process that holds the socket does not answer")
	case err != nil:
		return ErrNotRunning // it ended in this very moment
	}
	if c.hello, err = greeted(f); err != nil {
		return err
	}
	line, err := encode(frame{Hello: hello("", o.Version)})
	if err != nil {
		return err
	}
	if _, err = c.nc.Write(line); err != nil {
		return ErrNotRunning
	}
	return c.nc.SetDeadline(time.Time{})
}

// Hello is what the other side said of itself.
func (c *Client) Hello() Hello { return c.hello }

// Call asks for something and decodes the answer into result, which may be nil.
// The error is an *Error that the other side told, ErrGone, or that of ctx; in
// the last case the other side may go on with it.
func (c *Client) Call(ctx context.Context, method string, params, result any) error {
	f := frame{Method: method}
	if params != nil {
		var err error
		if f.Params, err = raw(params); err != nil {
			return err
		}
	}
	id, answer, err := c.expect()
	if err != nil {
		return err
	}
	defer c.forget(id)
	f.ID = id
	if err := c.send(f); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case a, ok := <-answer:
		switch {
		case !ok:
			return c.why()
		case a.Error != nil:
			return a.Error
		case result == nil:
			return nil
		}
		return json.Unmarshal(a.Result, result)
	}
}

func (c *Client) expect() (uint64, chan frame, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.gone != nil {
		return 0, nil, c.gone
	}
	c.last++
	answer := make(chan frame, 1)
	c.calls[c.last] = answer
	return c.last, answer, nil
}

func (c *Client) forget(id uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.calls, id)
}

func (c *Client) send(f frame) error {
	line, err := encode(f)
	if err != nil {
		return err
	}
	c.write.Lock()
	defer c.write.Unlock()
	_ = c.nc.SetWriteDeadline(time.Now().Add(writeWait))
	if _, err := c.nc.Write(line); err != nil {
		return fmt.Errorf("%w (%v)", ErrGone, err)
	}
	return nil
}

// read hands answers to those who wait for them.
func (c *Client) read() {
	defer close(c.ended)
	for {
		f, err := readFrame(c.r)
		if err != nil {
			c.fail(err)
			return
		}
		c.mu.Lock()
		if answer := c.calls[f.ID]; answer != nil && f.Event == "" {
			answer <- f
			delete(c.calls, f.ID)
		}
		c.mu.Unlock()
	}
}

func (c *Client) fail(err error) {
	c.nc.Close()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gone = fmt.Errorf("%w (%v)", ErrGone, err)
	for id, answer := range c.calls {
		close(answer)
		delete(c.calls, id)
	}
}

func (c *Client) why() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.gone
}

// Ended is closed when the conversation is over.
func (c *Client) Ended() <-chan struct{} { return c.ended }

// Close ends the conversation.
func (c *Client) Close() error {
	err := c.nc.Close()
	<-c.ended
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}
