// Package ledger keeps a record of every call to a model: what was set aside for
// it before it went out, and what it took in the end.
//
// The record is a folder of files with one JSON object a line, which are only
// appended to:
//
//	current.jsonl    the running month
//	2026-11.jsonl    a month that is over; 2026-11-2.jsonl if there are two
//	lock             keeps processes apart
//	live/            a lock for each process with calls under way
//
// A line that a crash tore is skipped, and the next one starts on a line of its
// own. A reservation is on the disk before the call goes out; what it took is
// not waited for, because a reservation without an end counts in full. When its
// process died, which is seen by its lock, it counts as one call with its
// prompt, and what was set aside for the reply is free again.
//
// A day is a date of the local clock. It begins when the clock first shows a
// later date than ever before. A clock that is set back goes on with the day
// that it left, so no day's money is there twice; if it is back by more than
// two days the later date was wrong, and the day goes on under the earlier one.
package ledger

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"recollect/internal/filelock"
	"recollect/internal/safefile"
)

// Options of a Ledger.
type Options struct {
	Dir string           // the folder; it is made with the first reservation
	Now func() time.Time // in local time; nil means time.Now
}

// Ledger is one process's view of the record. It is safe for concurrent use, by
// several processes too.
type Ledger struct {
	dir string
	now func() time.Time

	turn chan struct{} // holds one token while a goroutine works on the fields below
	file os.FileInfo   // of current.jsonl as last read; nil: not read yet
	read int64         // bytes of it that day holds
	torn bool          // whether bytes without an end of line follow
	day  day
	life *filelock.Lock // says to others that our reservations are alive
	name string         // of life
}

// Open prepares a Ledger. It reads nothing yet.
func Open(o Options) *Ledger {
	l := &Ledger{dir: o.Dir, now: o.Now, turn: make(chan struct{}, 1), day: newDay("")}
	if l.now == nil {
		l.now = time.Now
	}
	return l
}

// Close gives up this process's claim on reservations that were not settled.
func (l *Ledger) Close() error {
	l.turn <- struct{}{}
	defer func() { <-l.turn }()
	if l.life == nil {
		return nil
	}
	err := l.life.Release()
	l.life = nil
	return errors.Join(err, ignoreAbsent(os.Remove(l.livePath(l.name))))
}

// Amount is what calls took, or may take.
type Amount struct {
	Calls  int64 `json:"calls"`
	Tokens int64 `json:"tokens"` // of prompts and replies
	Money  int64 `json:"money"`  // millionths of a US dollar
}

// Plus adds.
func (a Amount) Plus(b Amount) Amount {
	return Amount{a.Calls + b.Calls, a.Tokens + b.Tokens, a.Money + b.Money}
}

func (a Amount) minus(b Amount) Amount {
	return Amount{a.Calls - b.Calls, a.Tokens - b.Tokens, a.Money - b.Money}
}

// Call says who asks whom for what. Texts are cut at 200 bytes in the record.
type Call struct {
	Run     string `json:"run,omitempty"`
	Project string `json:"project,omitempty"`
	Plugin  string `json:"plugin,omitempty"`
	Client  string `json:"client,omitempty"`
	Model   string `json:"model,omitempty"`
	Purpose string `json:"purpose,omitempty"`
}

// Standing is where a day stands: all that was taken or is set aside.
type Standing struct {
	Day    string    // "2026-11-28"
	Ends   time.Time // the next local midnight after it
	Total  Amount
	Plugin Amount // of the one that is asked for
}

// Standing tells where today stands.
func (l *Ledger) Standing(ctx context.Context, plugin string) (s Standing, err error) {
	if _, err := os.Stat(l.dir); errors.Is(err, fs.ErrNotExist) {
		now := l.now()
		return Standing{Day: dateOf(now), Ends: endOf(dateOf(now), now)}, nil
	}
	err = l.locked(ctx, func() error {
		if err := l.catchUp(); err != nil {
			return err
		}
		now := l.now()
		if next(l.day.date, now) == newDate {
			s = Standing{Day: dateOf(now), Ends: endOf(dateOf(now), now)}
			return nil
		}
		s = l.standing(plugin)
		return nil
	})
	return s, err
}

func (l *Ledger) standing(plugin string) Standing {
	return Standing{Day: l.day.date, Ends: endOf(l.day.date, l.now()), Total: l.day.total, Plugin: l.day.plugins[plugin]}
}

// Reservation is what was set aside for one call.
type Reservation struct {
	ledger *Ledger
	event  event
	done   bool
}

// Estimate is what a call may take at most.
type Estimate struct {
	InputTokens  int64
	OutputTokens int64
	InputMoney   int64 // of the prompt, in millionths of a US dollar
	Money        int64 // of prompt and reply together
}

// Reserve sets aside what a call may take, if allow agrees. Nobody else can
// reserve between what allow is told and the reservation. Its error is passed
// on as it is.
func (l *Ledger) Reserve(ctx context.Context, c Call, e Estimate, allow func(Standing) error) (*Reservation, error) {
	var r *Reservation
	if err := safefile.MakePrivate(l.dir); err != nil {
		return nil, err
	}
	err := l.locked(ctx, func() error {
		if err := l.prepare(); err != nil {
			return err
		}
		refused := allow(l.standing(c.Plugin))
		if refused != nil && l.buryDead() {
			refused = allow(l.standing(c.Plugin))
		}
		if refused != nil {
			return refused
		}
		ev := newEvent(kindReserve, c, l.now(), l.day.date)
		ev.Holder = l.name
		ev.Input, ev.Output = e.InputTokens, e.OutputTokens
		ev.Money, ev.InputMoney = e.Money, e.InputMoney
		if err := l.append(true, ev); err != nil {
			return err
		}
		r = &Reservation{ledger: l, event: ev}
		return nil
	})
	return r, err
}

// prepare makes everything ready to append to today.
func (l *Ledger) prepare() error {
	if err := l.live(); err != nil {
		return err
	}
	if err := l.catchUp(); err != nil {
		return err
	}
	return l.turnDay()
}

// Bill is what a call took.
type Bill struct {
	Model        string // the one that answered; "" if the one that was asked
	InputTokens  int64
	OutputTokens int64
	Money        int64         // what it counts for, in millionths of a US dollar
	MoneyKnown   bool          // false: the price is not known and Money is a guess to the high side
	Outcome      string        // "ok", or the kind of the error
	Took         time.Duration //
	NotCalled    bool          // nothing went out: it counts for nothing
}

// How long is waited for other processes: they hold the lock for milliseconds,
// unless one is stopped.
const (
	lockWait   = 20 * time.Second
	settleWait = 5 * time.Second
)

// Settle puts the bill in place of the reservation. It does not end with the
// call's context: a call that was given up was made all the same. If it fails
// the reservation goes on counting. A second call does nothing.
func (r *Reservation) Settle(b Bill) error {
	ctx, cancel := context.WithTimeout(context.Background(), settleWait)
	defer cancel()
	return r.ledger.locked(ctx, func() error {
		if r.done {
			return nil
		}
		if err := r.ledger.catchUp(); err != nil {
			return err
		}
		ev := r.event
		ev.Kind, ev.At = kindSettle, r.ledger.now().Format(time.RFC3339Nano)
		ev.Input, ev.Output, ev.Money = b.InputTokens, b.OutputTokens, b.Money
		ev.InputMoney, ev.Holder = 0, ""
		ev.MoneyKnown, ev.Outcome, ev.NotCalled = b.MoneyKnown, b.Outcome, b.NotCalled
		ev.Millis = b.Took.Milliseconds()
		if b.Model != "" {
			ev.Model = short(b.Model)
		}
		if err := r.ledger.append(false, ev); err != nil {
			return err
		}
		r.done = true
		return nil
	})
}

// locked runs f alone, in this process and among all.
func (l *Ledger) locked(ctx context.Context, f func() error) error {
	if l.dir == "" {
		return errors.New("the ledger has no folder")
	}
	select {
	case l.turn <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { <-l.turn }()
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	lock, err := filelock.Acquire(ctx, filepath.Join(l.dir, "lock"), filelock.Options{})
	if err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	defer lock.Release()
	if err := f(); err != nil {
		return err
	}
	return nil
}

func ignoreAbsent(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
