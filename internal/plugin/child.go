package plugin

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"recollect/hostapi"
	"recollect/internal/printable"
)

// childArg is the argument with which the program is a compiler.
const childArg = "recollect:compile"

// How the child ends when it is at fault of no bug.
const (
	exitMemory = 71
	exitOrphan = 72
)

// served says that this program can be its own child, since it asks RunChild
// first. One that does not would run as a whole in the child's place.
var served atomic.Bool

// order is what the child reads from standard input, in one line of JSON; the
// module follows. What is sent afterwards is nothing: the pipe ends with the
// parent.
type order struct {
	Version string        `json:"version"` // of the cache, which both must have
	Dir     string        `json:"dir"`     // to be filled
	Memory  int64         `json:"memory"`  // of the module when it runs
	Bytes   int           `json:"bytes"`   // of the module
	Limits  CompileLimits `json:"limits"`
}

// report is what the child writes to standard output, in one line of JSON.
type report struct {
	Refused string `json:"refused,omitempty"` // the rest of a sentence; empty if all went well
}

// maxReport is the most that is read of a child.
const maxReport = 16 << 10

// buildApart is build in a process of its own, under limits, which is gone when
// it returns.
func buildApart(ctx context.Context, dir string, c code, limits CompileLimits) error {
	if !served.Load() {
		return errors.New("its module can't be compiled: this program does not call plugin.RunChild first")
	}
	return inChild(ctx, childArg, order{childVersion(), dir, c.memory, len(c.wasm), limits}, c.wasm)
}

// inChild has a child carry out an order.
func inChild(ctx context.Context, arg string, o order, wasm []byte) error {
	line, err := json.Marshal(o)
	if err != nil {
		return err
	}
	program := "/proc/self/exe" // this very program, even if it was replaced
	if runtime.GOOS != "linux" {
		if program, err = os.Executable(); err != nil {
			return fmt.Errorf("its module can't be compiled: %w", err)
		}
	}
	wall, cancel := context.WithTimeoutCause(ctx, o.Limits.Wall, errDeadline)
	defer cancel()
	var out, errs tail
	cmd := exec.CommandContext(wall, program, arg)
	cmd.Args[0] = os.Args[0]
	cmd.Env = []string{} // nil would be all of ours
	cmd.Dir = o.Dir
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.WaitDelay = 2 * time.Second
	apart(cmd)
	err = runChild(cmd, append(line, '\n'), wasm, o.Limits)
	return outcome(wall, cmd, err, &out, &errs, o.Limits)
}

// runChild starts the child, feeds it and waits for its end. It keeps the thread,
// whose end the kernel takes for the parent's.
func runChild(cmd *exec.Cmd, line, wasm []byte, limits CompileLimits) error {
	ended := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		ended <- func() error {
			in, err := cmd.StdinPipe()
			if err != nil {
				return err
			}
			if err := cmd.Start(); err != nil {
				return err
			}
			release, err := limitChild(cmd.Process, limits)
			if err != nil {
				_ = cmd.Process.Kill()
				return errors.Join(err, cmd.Wait())
			}
			defer release()
			fed := make(chan struct{})
			go func() { // a child that does not read gives an error when it is gone
				defer close(fed)
				if _, err := in.Write(line); err == nil {
					_, _ = in.Write(wasm)
				}
			}()
			err = cmd.Wait() // closes the pipe
			<-fed
			return err
		}()
	}()
	return <-ended
}

// outcome makes a sentence of how the child ended.
func outcome(ctx context.Context, cmd *exec.Cmd, err error, out, errs *tail, limits CompileLimits) error {
	var r report
	state := cmd.ProcessState
	switch {
	case state == nil:
		return fmt.Errorf("its module can't be compiled: %w", err)
	case err == nil && json.Unmarshal(out.data, &r) == nil:
		if r.Refused != "" {
			return errors.New(printable.Line(r.Refused, 1000))
		}
		return nil
	case ctx.Err() != nil && !errors.Is(context.Cause(ctx), errDeadline):
		return context.Cause(ctx)
	case state.ExitCode() == exitMemory || strings.Contains(errs.String(), "out of memory") || strings.Contains(errs.String(), "cannot allocate memory"):
		return newError("", "", KindLimit, fmt.Sprintf("its module takes more memory to compile than the %d MB it may", limits.Memory>>20), err)
	case ctx.Err() != nil || state.UserTime()+state.SystemTime() > limits.CPU*3/4:
		// Systems kill at the limit, and count the time for it in another way.
		limit := limits.CPU
		if ctx.Err() != nil {
			limit = limits.Wall
		}
		return newError("", "", KindLimit, fmt.Sprintf("its module takes longer to compile than the %v it may", limit), err)
	}
	e := newError("", "", KindInvalid, "the compiler ended without an answer", err)
	e.Detail = printable.Lines(fmt.Sprintf("%v\n%s", err, errs.String()), maxTail)
	return e
}

// childVersion is that of the cache without the host's part: parent and child
// must be the same program.
func childVersion() string { return cacheVersion("") }

// RunChild must be called first by every program that runs plug-ins, with its
// arguments without its name, and by tests' TestMain: to compile a module that a
// stranger made, a host starts its own program again, under limits of time and
// memory, and this is where it then works. If it was started so, handled is true
// and the program must exit with code at once. Otherwise nothing happens.
func RunChild(args []string, stdin io.Reader, stdout io.Writer) (handled bool, code int) {
	if len(args) != 1 || args[0] != childArg {
		served.Store(true)
		return false, 0
	}
	return true, serve(stdin, stdout, build)
}

// serve carries out one order and reports. It gives the exit code.
func serve(stdin io.Reader, stdout io.Writer, do func(ctx context.Context, dir string, wasm []byte, memory int64) error) int {
	r := report{}
	o, wasm, err := accept(stdin)
	if err == nil {
		err = do(context.Background(), o.Dir, wasm, o.Memory)
	}
	if err != nil {
		r.Refused = err.Error()
	}
	if err := json.NewEncoder(stdout).Encode(r); err != nil {
		return 1
	}
	return 0
}

// accept reads an order and bounds this process before it looks at the module.
func accept(stdin io.Reader) (o order, wasm []byte, err error) {
	in := bufio.NewReaderSize(stdin, maxReport)
	line, err := in.ReadSlice('\n')
	if err == nil {
		err = json.Unmarshal(line, &o)
	}
	if err != nil {
		return o, nil, fmt.Errorf("the compiler got no order: %w", err)
	}
	if o.Version != childVersion() {
		return o, nil, errors.New("its module can't be compiled: the program was replaced while it ran; start it again")
	}
	if err := limitSelf(o.Limits); err != nil {
		return o, nil, fmt.Errorf("its module can't be compiled: %w", err)
	}
	boundMemory(o.Limits.Memory)
	if o.Bytes < 0 || o.Bytes > maxEntryBytes {
		return o, nil, tooLarge(hostapi.ModuleName)
	}
	wasm = make([]byte, o.Bytes)
	if _, err := io.ReadFull(in, wasm); err != nil {
		os.Exit(exitOrphan)
	}
	go func() {
		_, _ = io.Copy(io.Discard, in)
		_ = os.RemoveAll(o.Dir) // nobody else will for a while
		os.Exit(exitOrphan)
	}()
	return o, wasm, nil
}
