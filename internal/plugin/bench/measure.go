package main

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"time"
)

// call hands a request to a guest and gives its whole answer.
type call func(ctx context.Context, request []byte) ([]byte, error)

// variant is one way to have the job done.
type variant struct {
	name string
	call call
	// cost is the time of one call, by size and round.
	cost [][]time.Duration
	reps []int
}

// measure calls all variants in turn, round after round, so that whatever else
// the machine does falls on all of them. It counts the CPU time of this thread.
func measure(ctx context.Context, variants []*variant, exams []exam, rounds int) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, v := range variants {
		v.cost, v.reps = make([][]time.Duration, len(exams)), make([]int, len(exams))
		for i, x := range exams {
			for range 3 {
				if err := v.once(ctx, x); err != nil {
					return err
				}
			}
			began := cpu()
			if err := v.once(ctx, x); err != nil {
				return err
			}
			v.reps[i] = min(max(int(6*time.Millisecond/max(cpu()-began, 1)), 1), 50)
		}
	}
	for range rounds {
		for i, x := range exams {
			for _, v := range variants {
				began := cpu()
				for range v.reps[i] {
					if err := v.once(ctx, x); err != nil {
						return err
					}
				}
				v.cost[i] = append(v.cost[i], (cpu()-began)/time.Duration(v.reps[i]))
			}
		}
	}
	return nil
}

func (v *variant) once(ctx context.Context, x exam) error {
	answer, err := v.call(ctx, x.request)
	if err == nil {
		err = x.right(answer)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", v.name, err)
	}
	return nil
}

// times is how much longer v took than other, the median over the rounds.
func (v *variant) times(other *variant, size int) float64 {
	var ratios []float64
	for i, d := range v.cost[size] {
		ratios = append(ratios, float64(d)/float64(other.cost[size][i]))
	}
	return median(ratios)
}

// table is rows of cells in Markdown.
type table struct{ bytes.Buffer }

func (t *table) row(cells ...any) {
	for _, c := range cells {
		switch c := c.(type) {
		case time.Duration:
			fmt.Fprintf(t, "| %s ", brief(c))
		case float64:
			fmt.Fprintf(t, "| %.2f × ", c)
		default:
			fmt.Fprintf(t, "| %v ", c)
		}
	}
	fmt.Fprintln(t, "|")
}

func (t *table) head(cells ...any) {
	t.row(cells...)
	for range cells {
		fmt.Fprint(t, "| --- ")
	}
	fmt.Fprintln(t, "|")
}

func brief(d time.Duration) string {
	switch {
	case d >= time.Second:
		return fmt.Sprintf("%.2f s", d.Seconds())
	case d >= 10*time.Millisecond:
		return fmt.Sprintf("%.1f ms", float64(d)/1e6)
	case d >= time.Millisecond:
		return fmt.Sprintf("%.2f ms", float64(d)/1e6)
	}
	return fmt.Sprintf("%.0f µs", float64(d)/1e3)
}
