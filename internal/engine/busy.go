package engine

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"recollect/internal/filelock"
	"recollect/internal/printable"
)

// since stands before the time in what a holder of a lock says of itself.
const since = " since "

// holder is what this process says of itself to those who find a lock held.
func holder(by, doing string, now time.Time) string {
	who := "a command"
	if by != "" {
		who = "the " + by
	}
	return fmt.Sprintf("%s (process %d) is %s%s%s", who, os.Getpid(), doing, since, now.UTC().Format(time.RFC3339))
}

// busyWith says in a sentence who holds a lock. What a holder has said of itself
// is a file's text, which may be anything.
func busyWith(err error) string {
	const begin = "another Recollect is working on this project: "
	var busy *filelock.BusyError
	if !errors.As(err, &busy) || busy.Holder == "" {
		return begin + err.Error()
	}
	who := busy.Holder
	if i := strings.LastIndex(who, since); i >= 0 {
		if at, err := time.Parse(time.RFC3339, who[i+len(since):]); err == nil {
			clock := printable.Clock(at)
			if time.Since(at).Abs() > 20*time.Hour {
				clock = printable.Time(at)
			}
			who = who[:i] + since + clock
		}
	}
	return begin + oneLine(who)
}
