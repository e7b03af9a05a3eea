//go:build !(linux || freebsd || openbsd || netbsd)

package desktop

import (
	"context"

	"github.com/gen2brain/beeep"
)

// Session says whether there is a desktop session. These systems' libraries
// find out by themselves and do no harm.
func Session() error { return nil }

// KeepsSecrets says whether a program runs that keeps a person's secrets: here the
// system does.
func KeepsSecrets() bool { return true }

// send asks the library, which has no limit on time; the goroutine that waits
// for it is the only one.
func send(_ context.Context, title, text string) error {
	beeep.AppName = "Recollect"
	return beeep.Notify(title, text, "")
}
