// Package engine opens a project and wires its parts: every face (the CLI, the
// desktop app, the background service) does its work through it, and several of
// them may be open at once, kept apart by locks that die with the process.
//
// Opening is cheap: settings are read and the project is found. Plug-ins,
// histories and memories are opened when a call needs them.
package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"recollect/internal/atomicfile"
	"recollect/internal/config"
	"recollect/internal/filelock"
	"recollect/internal/history"
	"recollect/internal/plugin"
	"recollect/internal/safefile"
	"recollect/internal/secrets"
)

// Options say what to open. The zero value opens the project of the current
// folder.
type Options struct {
	// Dir is any folder of the project; empty: the current one.
	Dir string
	// Transcripts, if not empty, are the project's history: files or folders, at
	// any depth, whatever their records' working directory.
	Transcripts []string
	// Version is the program's.
	Version string
	// By says which face this is, to those who find the project busy: "window",
	// "service"; "": a command.
	By string
	// Getenv reads the environment; nil: os.Getenv.
	Getenv func(string) string
	// Now tells the time; nil: time.Now.
	Now func() time.Time
	// Tolerant opens a project whose settings can't be read with the built-in
	// ones; Doctor then says what is wrong with them.
	Tolerant bool
	// LockWait is how long a call waits for another process that holds the
	// project; zero: DefaultLockWait.
	LockWait time.Duration
	// LocalServers are addresses on this machine at which a server of models is looked
	// for when somebody wants to choose one; nil: those of Ollama and LM Studio.
	LocalServers []string
	// Compiling, if set, is told about a plug-in whose module is being compiled,
	// from a goroutine of its own.
	Compiling func(plugin.Compiling)

	// reckonings are shared by the engines of a Desk.
	reckonings *reckonings

	// later, if set, is told that memories of a project were changed, and has
	// prepareBlocks called in a while for those that it is given.
	later func(root string, branches []string)

	// beforeArchive is called before each step of writing an archived session.
	// Tests use it.
	beforeArchive func(file string, step atomicfile.Step) error
}

// DefaultLockWait is longer than a usual offline run on one branch takes.
const DefaultLockWait = 60 * time.Second

// Engine is one open project. Its methods may be called from several
// goroutines.
type Engine struct {
	options Options
	dirs    config.Dirs
	project history.Project
	// inForce are the settings; they are replaced, never changed. See settings.
	inForce atomic.Pointer[config.InForce]
	// settingsErr is why settings are the built-in ones in a tolerant engine.
	settingsErr error
	redactor    func() (*secrets.Redactor, error)

	authors authors
	changes pendingChanges

	stateMu  sync.Mutex
	stateID  string // of the project's state; "": not known to have one
	newState string // the id that it gets

	// follower, if set, is told instead of Options.Compiling; see withCompiling.
	follower atomic.Pointer[func(plugin.Compiling)]

	hostOnce sync.Once
	host     *plugin.Host
	hostErr  error
}

// Open finds the project and reads its settings. It writes nothing.
func Open(o Options) (*Engine, error) {
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.LockWait == 0 {
		o.LockWait = DefaultLockWait
	}
	transcripts, err := absolute(o.Transcripts)
	if err != nil {
		return nil, err
	}
	o.Transcripts = transcripts
	dirs, err := config.UserDirs(o.Getenv)
	if err != nil {
		return nil, err
	}
	dir := o.Dir
	if dir == "" {
		if dir, err = os.Getwd(); err != nil {
			return nil, err
		}
	}
	info, err := os.Stat(dir)
	if err != nil {
		return nil, &ProjectError{Dir: dir, Err: err}
	}
	if !info.IsDir() {
		return nil, &ProjectError{Dir: dir, Err: errNoFolder}
	}
	project, err := history.Locate(dir)
	if err != nil {
		return nil, &ProjectError{Dir: dir, Err: err}
	}
	e := &Engine{options: o, dirs: dirs, project: project, redactor: sync.OnceValues(secrets.New)}
	e.rememberWorktrees()
	if e.settingsErr = e.Refresh(); e.settingsErr != nil {
		if !o.Tolerant {
			return nil, e.settingsErr
		}
		e.inForce.Store(&config.InForce{Settings: config.Default()})
	}
	return e, nil
}

// absolute makes the paths of transcripts absolute and says which is not there, or
// neither a file nor a folder.
func absolute(paths []string) ([]string, error) {
	var out []string
	for _, p := range paths {
		abs, err := filepath.Abs(p)
		if err != nil {
			return nil, err
		}
		info, err := os.Stat(abs)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p, errNoTranscript)
		}
		if !info.IsDir() && !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s: %w", p, safefile.ErrNotRegular)
		}
		out = append(out, abs)
	}
	return out, nil
}

// Close releases what the engine holds. The engine is of no use afterwards.
func (e *Engine) Close() error {
	if e.host != nil {
		return e.host.Close()
	}
	return nil
}

// Root is the project's folder.
func (e *Engine) Root() string { return e.project.Root }

// folder is the project's memory folder. Others can write there: nothing in it is
// opened but beneath the project's root.
func (e *Engine) folder() safefile.Folder {
	return safefile.Beneath(e.project.Root).Sub(history.MemoryDir)
}

// path names a file in the project's memory folder, for people and for comparing.
func (e *Engine) path(elem ...string) string { return e.folder().Path(elem...) }

// mayLock says why nothing of the project may be locked, and closes the folders of
// this program to others.
func (e *Engine) mayLock() error {
	if err := e.mayWrite(); err != nil {
		return err
	}
	safefile.Close(e.dirs.Data) // as an older version or a umask left them
	safefile.Close(e.dirs.Cache)
	return nil
}

// holds is what this process says of itself while it holds the project's lock.
func (e *Engine) holds(doing string) string { return holder(e.options.By, doing, time.Now()) }

// The locks of a project.
const (
	projectLock     = "project.lock"
	maintenanceLock = "maintenance.lock"
	reviewLock      = "review.lock"
	waitingLock     = "waiting.lock" // held together by those who wait for projectLock
)

// acquire takes a lock of the project. Its state is made if need be.
func (e *Engine) acquire(ctx context.Context, name string, o filelock.Options) (*filelock.Lock, error) {
	if err := e.makeState(); err != nil {
		return nil, err
	}
	return filelock.Acquire(ctx, e.state().Path(name), o)
}
