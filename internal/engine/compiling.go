package engine

import (
	"context"
	"math"
	"sync"
	"time"

	"recollect/internal/plugin"
)

// StepCompile is the step of a Progress while a plug-in is made ready, which is done
// once. wazero does not say how far it is: Done of Total moves on, ever slower, and
// comes to the end when it is over.
const StepCompile = "compile"

// compiling tells whoever follows a run that a plug-in's module is compiled, else
// whoever opened the engine.
func (e *Engine) compiling(c plugin.Compiling) {
	if tell := e.follower.Load(); tell != nil {
		(*tell)(c)
	} else if e.options.Compiling != nil {
		e.options.Compiling(c)
	}
}

// withCompiling gives a progress that is also told when a plug-in is made ready, until stop
// is called, and from one goroutine at a time.
func (e *Engine) withCompiling(progress func(Progress)) (told func(Progress), stop func()) {
	var mu sync.Mutex
	last := Progress{Number: 1, Branches: 1}
	compiling := func(c plugin.Compiling) {
		mu.Lock()
		defer mu.Unlock()
		p := last
		p.Step, p.Plug, p.Done, p.Total = StepCompile, c.Plugin, compiled(c), compileTotal
		progress(p)
	}
	e.follower.Store(&compiling)
	return func(p Progress) {
		mu.Lock()
		defer mu.Unlock()
		last = p
		progress(p)
	}, func() { e.follower.CompareAndSwap(&compiling, nil) }
}

const (
	compileTotal = 1000
	// usualCompile is how long a module takes on a usual machine.
	usualCompile = 2 * time.Second
)

// compiled is how far a compilation is taken to be.
func compiled(c plugin.Compiling) int {
	if c.Done {
		return compileTotal
	}
	return int(compileTotal * (1 - math.Exp(-float64(c.Elapsed)/float64(usualCompile))))
}

// Prepared says which plug-ins are ready to be called at once.
type Prepared struct {
	Ready    []string `json:"ready"`              // ids
	Problems []string `json:"problems,omitempty"` // why the others are not, in words
}

// PreparePlugins compiles the modules of all plug-ins that may run, as far as that is
// not done yet, so that no later call waits for it.
func (e *Engine) PreparePlugins(ctx context.Context) (Prepared, error) {
	out := Prepared{Ready: []string{}}
	list, err := e.Plugins()
	if err != nil {
		return out, err
	}
	for _, entry := range list.Plugins {
		if !entry.Approved || entry.Disabled {
			continue
		}
		p, err := e.plugin(entry.ID, "")
		if err == nil {
			err = p.Prepare(ctx)
		}
		switch {
		case ctx.Err() != nil:
			return out, ctx.Err()
		case err != nil:
			out.Problems = append(out.Problems, err.Error())
		default:
			out.Ready = append(out.Ready, entry.ID)
		}
	}
	return out, nil
}
