// Command bench measures the plug-in host against wazero by itself and against
// Extism's Go SDK, with guests in several languages that all do the same job.
// It prints the tables of docs/performance.md. See README.md.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"recollect/internal/plugin"
)

func main() {
	if handled, code := plugin.RunChild(os.Args[1:], os.Stdin, os.Stdout); handled {
		os.Exit(code)
	}
	rounds := flag.Int("rounds", 15, "how often all variants are called in turn")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, *rounds)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, rounds int) error {
	dir, err := os.MkdirTemp("", "plugin-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	guests := allGuests()
	for _, g := range guests {
		if err := (&workshop{ctx, dir}).make(g); err != nil {
			return err
		}
	}
	b := &bench{dir: dir, rounds: rounds, house: newHouse(newLibrary(dir), filepath.Join(dir, "cache"))}
	defer b.house.host.Close()
	for _, s := range sizes {
		b.exams = append(b.exams, newExam(s.turns, s.each))
	}
	if err := b.gather(ctx, guests); err != nil {
		return err
	}
	if err := measure(ctx, b.variants, b.exams, rounds); err != nil {
		return err
	}
	b.stopping(os.Stdout)
	b.calls(os.Stdout)
	if err := b.starting(ctx, os.Stdout); err != nil {
		return err
	}
	return b.waiting(ctx, os.Stdout, 2*time.Second)
}
