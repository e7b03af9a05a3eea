package peer

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"recollect/internal/filelock"
)

// Handler answers a request. ctx ends with the connection. An error that is no
// *Error reaches the client with CodeFailed. Several calls run at a time.
type Handler func(ctx context.Context, method string, params []byte) (any, error)

// Options say what to listen for. All but Version must be given.
type Options struct {
	Folder  string // see the function Folder
	Role    Role
	Version string // the program's
	Handle  Handler
}

// Event is something to tell all subscribers.
type Event struct {
	Name string
	// Key names the thing that the event is about. Of the lossy events of one
	// thing only the last is kept for a slow subscriber, and none behind one that
	// is not lossy.
	Key   string
	Lossy bool
	Data  any
}

// Server holds a role and answers its clients.
type Server struct {
	options Options
	lock    *filelock.Lock
	l       *net.UnixListener
	ctx     context.Context
	cancel  context.CancelFunc
	done    sync.WaitGroup

	mu    sync.Mutex
	conns map[*serverConn]bool
}

// startWait is how long a start waits for a process that holds the role and
// answers nobody: it is about to end.
const startWait = 3 * time.Second

// Listen takes the role and listens. The error wraps ErrRunning if another
// process has it; that is known within a few seconds. Close ends it.
func Listen(o Options) (*Server, error) {
	if err := makeFolder(o.Folder); err != nil {
		return nil, err
	}
	lock, err := takeRole(o)
	if err != nil {
		return nil, err
	}
	l, err := bind(socketPath(o.Folder, o.Role))
	if err != nil {
		return nil, errors.Join(err, lock.Release())
	}
	s := &Server{options: o, lock: lock, l: l, conns: map[*serverConn]bool{}}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.done.Go(s.accept)
	return s, nil
}

func takeRole(o Options) (*filelock.Lock, error) {
	ctx := context.Background()
	path := lockPath(o.Folder, o.Role)
	lock, err := filelock.Acquire(ctx, path, filelock.Options{NoWait: true})
	if !errors.Is(err, filelock.ErrBusy) {
		return lock, err
	}
	if c, err := Dial(ctx, DialOptions{Folder: o.Folder, Role: o.Role, Version: o.Version}); !errors.Is(err, ErrNotRunning) {
		if err == nil {
			c.Close()
		}
		return nil, ErrRunning
	}
	wait, cancel := context.WithTimeout(ctx, startWait)
	defer cancel()
	lock, err = filelock.Acquire(wait, path, filelock.Options{})
	if errors.Is(err, filelock.ErrBusy) {
		return nil, fmt.Errorf("%w, but it does not answer", ErrRunning)
	}
	return lock, err
}

func (s *Server) accept() {
	for {
		nc, err := s.l.AcceptUnix()
		if err != nil {
			if s.ctx.Err() != nil || errors.Is(err, net.ErrClosed) {
				return
			}
			select { // too many open files, and the like
			case <-s.ctx.Done():
				return
			case <-time.After(100 * time.Millisecond):
			}
			continue
		}
		c := &serverConn{server: s, nc: nc, out: newQueue(), slots: make(chan struct{}, MaxInFlight)}
		if !s.add(c) {
			refuse(nc, &Error{Code: CodeRefused, Message: "too many programs talk to this Recollect at once", Hint: "close some of them"})
			continue
		}
		s.done.Go(c.serve)
	}
}

// refuse says why, without waiting for anybody.
func refuse(nc net.Conn, why *Error) {
	if line, err := encode(frame{Error: why}); err == nil {
		_ = nc.SetWriteDeadline(time.Now().Add(time.Second))
		_, _ = nc.Write(line)
	}
	nc.Close()
}

func (s *Server) add(c *serverConn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.conns) >= MaxConns || s.ctx.Err() != nil {
		return false
	}
	s.conns[c] = true
	return true
}

func (s *Server) drop(c *serverConn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
}

// Publish tells all subscribers. It never waits for one.
func (s *Server) Publish(e Event) error {
	data, err := raw(e.Data)
	if err != nil {
		return err
	}
	line, err := encode(frame{Event: e.Name, Data: data})
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		if c.subscribed {
			c.out.push(outgoing{line: line, key: e.Key, lossy: e.Lossy})
		}
	}
	return nil
}

// Close ends all conversations and gives the role up. Requests that are being
// answered are cancelled.
func (s *Server) Close() error {
	s.cancel()
	err := s.l.Close()
	s.mu.Lock()
	for c := range s.conns {
		c.end()
	}
	s.mu.Unlock()
	s.done.Wait()
	return errors.Join(err, unlink(socketPath(s.options.Folder, s.options.Role)), s.lock.Release())
}

// serverConn is one client.
type serverConn struct {
	server     *Server
	nc         *net.UnixConn
	out        *queue
	slots      chan struct{} // one token per request in flight
	subscribed bool          // guarded by server.mu
	ending     sync.Once
}

// end lets what is queued go out and ends the conversation.
func (c *serverConn) end() {
	c.ending.Do(func() { _ = c.nc.SetReadDeadline(time.Unix(1, 0)) })
}

func (c *serverConn) serve() {
	defer c.server.drop(c)
	defer c.nc.Close()
	if err := checkUser(c.nc); err != nil {
		refuse(c.nc, &Error{Code: CodeRefused, Message: "this Recollect belongs to another user"})
		return
	}
	r := bufio.NewReaderSize(c.nc, 4096)
	if err := c.greet(r); err != nil {
		var told *Error
		if !errors.As(err, &told) {
			told = &Error{Code: CodeProtocol, Message: "the other side did not say who it is in time"}
		}
		refuse(c.nc, told)
		return
	}
	ctx, cancel := context.WithCancel(c.server.ctx)
	defer cancel()
	var writer, work sync.WaitGroup
	stop := make(chan struct{})
	writer.Go(func() { c.write(stop) })
	c.read(ctx, r, &work)
	cancel()
	work.Wait()
	close(stop)
	writer.Wait()
}

func (c *serverConn) greet(r *bufio.Reader) error {
	line, err := encode(frame{Hello: hello(c.server.options.Role, c.server.options.Version)})
	if err != nil {
		return err
	}
	_ = c.nc.SetDeadline(time.Now().Add(helloWait))
	if _, err := c.nc.Write(line); err != nil {
		return err
	}
	f, err := readFrame(r)
	if err != nil {
		return err
	}
	if _, err := greeted(f); err != nil {
		return err
	}
	_ = c.nc.SetDeadline(time.Time{})
	if c.server.ctx.Err() != nil {
		return net.ErrClosed // Close has set its deadline before ours was lifted
	}
	return nil
}

// read takes requests until the client or the server ends it. A client that
// asks faster than it is answered waits.
func (c *serverConn) read(ctx context.Context, r *bufio.Reader, work *sync.WaitGroup) {
	for {
		f, err := readFrame(r)
		if err != nil || f.Method == "" {
			return
		}
		select {
		case c.slots <- struct{}{}:
		case <-ctx.Done():
			return
		}
		work.Go(func() {
			defer func() { <-c.slots }()
			c.answer(ctx, f)
		})
	}
}

// eventsMethod subscribes.
const eventsMethod = "events"

func (c *serverConn) answer(ctx context.Context, f frame) {
	if f.Method == eventsMethod {
		// At once, so that no event falls between: neither before the answer nor
		// unheard after it.
		c.server.mu.Lock()
		defer c.server.mu.Unlock()
		c.reply(frame{ID: f.ID, Result: []byte("{}")})
		c.subscribed = true
		return
	}
	value, err := c.server.options.Handle(ctx, f.Method, f.Params)
	if err == nil {
		var result []byte
		if result, err = raw(value); err == nil {
			c.reply(frame{ID: f.ID, Result: result})
			return
		}
	}
	c.reply(frame{ID: f.ID, Error: told(err)})
}

// told is an error as the client gets it.
func told(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{Code: CodeFailed, Message: err.Error()}
}

func (c *serverConn) reply(f frame) {
	line, err := encode(f)
	if err != nil {
		e := &Error{Code: CodeTooLarge, Message: fmt.Sprintf("the answer has more than %d bytes", MaxMessage)}
		if line, err = encode(frame{ID: f.ID, Error: e}); err != nil {
			return
		}
	}
	c.out.push(outgoing{line: line})
}

// write sends what is queued until stop, and then what is left.
func (c *serverConn) write(stop <-chan struct{}) {
	for {
		line, ok, overrun := c.out.pop()
		switch {
		case overrun:
			c.nc.Close()
			return
		case ok:
			_ = c.nc.SetWriteDeadline(time.Now().Add(c.patience(stop)))
			if _, err := c.nc.Write(line); err != nil {
				c.nc.Close()
				return
			}
			continue
		}
		select {
		case <-c.out.wake:
		case <-stop:
			if c.out.empty() {
				return
			}
		}
	}
}

// patience is short for who does not read when the server is about to end.
func (c *serverConn) patience(stop <-chan struct{}) time.Duration {
	select {
	case <-stop:
		return time.Second
	default:
		return writeWait
	}
}
