package peer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"
)

func subscribe(t *testing.T, dir string) *Subscription {
	t.Helper()
	s, err := Subscribe(t.Context(), DialOptions{Folder: dir, Role: Service})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestEvents(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	s := listen(t, dir, echo)
	a, b := subscribe(t, dir), subscribe(t, dir)
	for i := range 50 {
		if err := s.Publish(Event{Name: "ended", Key: fmt.Sprint(i), Data: i}); err != nil {
			t.Fatal(err)
		}
	}
	for _, sub := range []*Subscription{a, b} {
		for i := range 50 {
			got, err := sub.Next(t.Context())
			if err != nil || got.Name != "ended" || string(got.Data) != fmt.Sprint(i) {
				t.Fatalf("event %d = %+v, %v", i, got, err)
			}
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := a.Next(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("nothing to hear: %v", err)
	}
	s.Close()
	if _, err := b.Next(t.Context()); !errors.Is(err, ErrGone) {
		t.Errorf("after the end: %v, want ErrGone", err)
	}
}

// A subscriber that does not read for a while gets every result and the last
// progress, however much of it there was.
func TestSlowSubscriber(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	s := listen(t, dir, echo)
	sub := subscribe(t, dir)
	const progress, results = 20000, 200
	pad := make([]byte, 500)
	for i := range progress {
		_ = s.Publish(Event{Name: "job", Key: "1", Lossy: true, Data: map[string]any{"done": i, "pad": pad}})
		if i%(progress/results) == 0 {
			_ = s.Publish(Event{Name: "ended", Key: "2", Data: i})
		}
	}
	_ = s.Publish(Event{Name: "ended", Key: "1", Data: "last"})
	heard, ended := 0, 0
	for {
		e, err := sub.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if e.Name == "job" {
			heard++
			continue
		}
		if string(e.Data) == `"last"` {
			break
		}
		ended++
	}
	if ended != results {
		t.Errorf("%d of %d results were heard", ended, results)
	}
	if heard >= progress {
		t.Errorf("nothing of the progress was left out, %d", heard)
	}
}

// One that does not read at all is dropped, and the others hear everything.
func TestStuckSubscriber(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	s := listen(t, dir, echo)
	stuck, reader := subscribe(t, dir), subscribe(t, dir)
	pad := json.RawMessage(`"` + string(make64k()) + `"`)
	const n = 2 * (MaxQueued + MaxInFlight)
	for i := range n {
		if err := s.Publish(Event{Name: "ended", Key: fmt.Sprint(i), Data: pad}); err != nil {
			t.Fatal(err)
		}
		if _, err := reader.Next(t.Context()); err != nil {
			t.Fatalf("the other one after %d: %v", i, err)
		}
	}
	for i := 0; ; i++ {
		if _, err := stuck.Next(t.Context()); err != nil {
			if !errors.Is(err, ErrGone) {
				t.Errorf("the stuck one: %v, want ErrGone", err)
			}
			break
		}
		if i == n {
			t.Fatal("the stuck one was not dropped")
		}
	}
}

func make64k() []byte {
	b := make([]byte, 64<<10)
	for i := range b {
		b[i] = 'x'
	}
	return b
}

func TestQueueOrder(t *testing.T) {
	t.Parallel()
	q := newQueue()
	for _, o := range []outgoing{
		{[]byte("p1"), "a", true}, {[]byte("r0"), "", false}, {[]byte("p2"), "a", true}, {[]byte("q1"), "b", true},
		{[]byte("ra"), "a", false}, {[]byte("q2"), "b", true},
	} {
		q.push(o)
	}
	var got string
	for {
		line, ok, overrun := q.pop()
		if !ok {
			if overrun {
				t.Error("overrun")
			}
			break
		}
		got += string(line) + " "
	}
	if want := "r0 q2 ra "; got != want {
		t.Errorf("order %q, want %q", got, want)
	}
}
