package app

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"time"

	"recollect/internal/config"
	"recollect/internal/engine"
	"recollect/internal/peer"
)

// Bridge is what the page may ask: its exported methods are bound, under the
// names and with the shapes of frontend/src/bridge. root is a project's folder
// and branch an exact name. An error reaches the page as an engine.Problem.
//
// What takes long is a job of the desk; everything else answers at once.
//
// The channels of earlier memory plug-ins, and what answers them here:
//
//	memorize, memory:memorize               Memorize
//	get-branch-memory, memory:get-category  Memory
//	clear-branch-memory                     ClearMemory
//	memory:clear-category                   RemoveItems, of a section's items
//	list-branches                           Branches
//	run-maintenance                         RunMaintenance
//	memory:resolve-conflict                 ResolveConflict
//	memory:get-stats, memory:get-status     Stats, Status
//	memory:retrieve                         Recall, a name kept free for search
type Bridge struct {
	dirs   config.Dirs
	folder string // of the sockets
	desk   *engine.Desk
	link   *link
	after  *afterwards

	mu     sync.Mutex
	ctx    context.Context // ends with the window
	cancel context.CancelFunc
	shell  shell // nil until the window is there
	asked  Show  // what is to be shown, until the page asks for it
	shown  bool  // the page has asked, or is gone
}

// shell is what the window can do. Wails' own functions end the program if they
// are called without a window, as in a test.
type shell interface {
	emit(event string, data any)
	raise()
	pickFolder(title string) (string, error)
	pickFile(title, pattern, kind string) (string, error)
	open(path string) error
}

const (
	// idleEngine is how long a project stays open that nobody asks about: its
	// plug-ins take a hundred megabytes, and opening them again a moment.
	idleEngine = 20 * time.Second
	// lockWait is short: a person who waits wants to hear that another process is
	// at work.
	lockWait = 10 * time.Second
	// raiseWait is how long a window that just starts is waited for.
	raiseWait = 5 * time.Second
)

func newBridge(dirs config.Dirs, folder string, s start) *Bridge {
	ctx, cancel := context.WithCancel(context.Background())
	b := &Bridge{dirs: dirs, folder: folder, ctx: ctx, cancel: cancel}
	b.asked = Show{Root: s.project, Screen: s.screen}
	b.desk = engine.NewDesk(engine.DeskOptions{Engine: b.options(), By: "window", Idle: idleEngine, Emit: b.happened,
		Watch: engine.Watch{History: true, Memory: true, Heads: true}})
	b.link = &link{folder: folder, tell: b.emit}
	b.after = &afterwards{}
	return b
}

func (b *Bridge) options() engine.Options {
	return engine.Options{Version: version, Getenv: os.Getenv, LockWait: lockWait, Tolerant: true}
}

// appear is called when the window is there.
func (b *Bridge) appear(s shell) {
	b.mu.Lock()
	b.shell = s
	b.mu.Unlock()
	b.after.rest(restFirst)
}

// close ends all work. Nothing is half done.
func (b *Bridge) close() error {
	b.cancel()
	b.mu.Lock()
	b.shown = true // the link begins no more
	b.mu.Unlock()
	b.after.end()
	err := b.desk.Close()
	b.link.end()
	return err
}

func (b *Bridge) window() shell {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.shell
}

// emit tells the page. Before it is there nothing is lost: it asks how things
// stand first.
func (b *Bridge) emit(event string, data any) {
	if s := b.window(); s != nil {
		s.emit(event, data)
	}
}

// happened passes an event of the desk on.
func (b *Bridge) happened(e engine.Event) {
	switch {
	case e.Job != nil:
		b.emit(e.Name, *e.Job)
		if e.Job.Final() {
			b.after.rest(restAfter)
		}
	case e.Changed != nil:
		b.emit(e.Name, e.Changed)
	}
}

// Show says what the window is asked to show: a project, a screen, or both.
type Show struct {
	Root   string `json:"root,omitempty"`
	Screen string `json:"screen,omitempty"`
}

// Asked gives what was asked for before the page could listen, once. From then
// on the page is told: of that, and of the service.
func (b *Bridge) Asked() (Show, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.asked
	b.asked = Show{}
	if !b.shown {
		b.shown = true
		b.link.begin(b.ctx)
	}
	return s, nil
}

// handle answers other processes of the person.
func (b *Bridge) handle(_ context.Context, method string, params []byte) (any, error) {
	if method != "show" {
		return nil, &peer.Error{Code: peer.CodeMethod, Message: fmt.Sprintf("the window does not know %q", method)}
	}
	var s Show
	if len(params) > 0 {
		if err := json.Unmarshal(params, &s); err != nil {
			return nil, err
		}
	}
	b.mu.Lock()
	w, shown := b.shell, b.shown
	if !shown && s != (Show{}) {
		b.asked = s
	}
	b.mu.Unlock()
	if w != nil {
		w.raise()
		if shown {
			w.emit("show", s)
		}
	}
	return struct{}{}, nil
}

// ask is engine.Ask for the page. Where no project is meant, root is "": what is
// asked for is then the person's and the same in every folder.
func ask[T any](b *Bridge, root string, f func(context.Context, *engine.Engine) (T, error)) (T, error) {
	if root == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			var none T
			return none, err
		}
		root = home
	}
	defer b.after.rest(restAfter)
	return engine.Ask(b.desk, root, func(e *engine.Engine) (T, error) { return f(b.ctx, e) })
}

// change is ask for what changes something, which everybody is told.
func change[T any](b *Bridge, root string, what []string, f func(context.Context, *engine.Engine) (T, error)) (T, error) {
	answer, err := ask(b, root, f)
	if err == nil {
		b.desk.Tell(root, what...)
	}
	return answer, err
}
