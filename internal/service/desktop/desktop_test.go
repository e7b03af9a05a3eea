package desktop

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"
)

// record is a buffer that several goroutines write to.
type record struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write implements io.Writer.
func (r *record) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.b.Write(b)
}

func (r *record) text() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.b.String()
}

func TestNotifyNeverBlocks(t *testing.T) {
	t.Parallel()
	n := NewNotifier(slog.New(slog.DiscardHandler))
	sent, release := make(chan string, 10), make(chan struct{})
	n.send = func(_ context.Context, title, text string) error {
		sent <- title + ": " + text
		<-release
		return nil
	}
	n.Notify("a", "1")
	if got := <-sent; got != "a: 1" {
		t.Errorf("sent %q", got)
	}
	for range 100 {
		n.Notify("b", "dropped")
	}
	close(release)
	for {
		n.Notify("c", "3")
		select {
		case got := <-sent:
			if got != "c: 3" {
				t.Errorf("sent %q", got)
			}
			return
		case <-time.After(time.Millisecond):
		}
	}
}

func TestNotifyTellsWhatGoesWrong(t *testing.T) {
	t.Parallel()
	for err, told := range map[error]bool{ErrNoSession: false, errors.New("no such service"): true} {
		r := &record{}
		n := NewNotifier(slog.New(slog.NewTextHandler(r, nil)))
		asked := make(chan struct{})
		n.send = func(context.Context, string, string) error { close(asked); return err }
		n.Notify("a", "b")
		<-asked
		n.slot <- struct{}{} // the first is done
		if got := strings.Contains(r.text(), "no notification"); got != told {
			t.Errorf("%v: told = %t\n%s", err, got, r.text())
		}
	}
}
