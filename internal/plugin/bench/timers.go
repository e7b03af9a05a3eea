package main

import (
	"context"
	"runtime"
	"slices"
	"time"
)

// stall is how the rest of the program fared while something ran.
type stall struct {
	late  []time.Duration // of a timer of 1 ms
	cycle []time.Duration // of a collection of garbage
	calls int
}

// watch runs f over and over for a while, and meanwhile sets timers and collects
// garbage, which needs every goroutine to stop for a moment.
func watch(d time.Duration, f func() error) (s stall, err error) {
	ctx, stop := context.WithTimeout(context.Background(), d)
	defer stop()
	timers, collections := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(timers)
		for ctx.Err() == nil {
			due := time.Now().Add(time.Millisecond)
			time.Sleep(time.Millisecond)
			s.late = append(s.late, time.Since(due))
		}
	}()
	go func() {
		defer close(collections)
		for ctx.Err() == nil {
			began := time.Now()
			runtime.GC()
			s.cycle = append(s.cycle, time.Since(began))
			time.Sleep(20 * time.Millisecond)
		}
	}()
	for ctx.Err() == nil && err == nil {
		if f == nil {
			<-ctx.Done()
			break
		}
		err = f()
		s.calls++
	}
	stop()
	<-timers
	<-collections
	slices.Sort(s.late)
	slices.Sort(s.cycle)
	return s, err
}

func at(sorted []time.Duration, part float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(int(part*float64(len(sorted))), len(sorted)-1)]
}
