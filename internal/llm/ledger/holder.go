package ledger

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"recollect/internal/filelock"
	"recollect/internal/safefile"
)

// maxHolders bounds how many of what dead processes left are taken away at once.
const maxHolders = 10_000

// A holder is a process with reservations. It holds a lock that ends with it,
// under a name that is never used again. All but Close work under the ledger's
// lock, so nobody takes a file for dead that is just being made.

func (l *Ledger) livePath(name string) string { return filepath.Join(l.dir, "live", name) }

// live takes the lock that shows others that we live.
func (l *Ledger) live() error {
	if l.life != nil {
		return nil
	}
	name := newID()
	lock, err := filelock.Acquire(context.Background(), l.livePath(name), filelock.Options{NoWait: true})
	if err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	l.life, l.name = lock, name
	return nil
}

// isDead says whether a holder is gone. A name that is none of ours is a line
// that somebody wrote by hand, and nobody stands behind it.
func (l *Ledger) isDead(name string) bool {
	if l.life != nil && name == l.name {
		return false
	}
	if !isID(name) {
		return true
	}
	path := l.livePath(name)
	if _, err := os.Lstat(path); err != nil {
		return ignoreAbsent(err) == nil
	}
	lock, err := filelock.Acquire(context.Background(), path, filelock.Options{NoWait: true})
	if err != nil {
		return false
	}
	return errors.Join(lock.Release(), os.Remove(path)) == nil
}

// buryDead ends the reservations of processes that died and tells if there were
// any.
func (l *Ledger) buryDead() bool {
	dead := map[string]bool{}
	var lost []event
	for _, e := range l.day.open {
		if _, asked := dead[e.Holder]; !asked {
			dead[e.Holder] = l.isDead(e.Holder)
		}
		if dead[e.Holder] {
			e.Kind, e.At = kindLost, l.now().Format(time.RFC3339Nano)
			e.Output, e.Money, e.InputMoney = 0, min(e.InputMoney, e.Money), 0
			e.Holder, e.Outcome = "", kindLost
			lost = append(lost, e)
		}
	}
	return len(lost) > 0 && l.append(false, lost...) == nil
}

// sweep takes away what dead processes left.
func (l *Ledger) sweep() {
	entries, err := safefile.ReadDir(filepath.Join(l.dir, "live"), maxHolders)
	if err != nil && !errors.Is(err, safefile.ErrTooMany) {
		return
	}
	for _, e := range entries {
		if isID(e.Name()) {
			l.isDead(e.Name())
		}
	}
}

// isID says whether a text is one of newID, and so safe as a file's name.
func isID(s string) bool {
	return len(s) >= 20 && len(s) <= 40 && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == ""
}
