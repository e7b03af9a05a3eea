//go:build !(linux || netbsd || openbsd || (dragonfly && cgo) || (freebsd && cgo))

package keyring

import (
	"context"
	"time"
)

// probe finds nothing to look at: these systems' keyrings are part of them.
func probe(context.Context, time.Duration, time.Duration) error { return nil }
