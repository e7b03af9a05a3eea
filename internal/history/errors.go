package history

import "errors"

// ErrGone says that a turn which a view named is no longer in its file: the
// assistant rewrote or removed it since.
var ErrGone = errors.New("the turn is no longer in its transcript")
