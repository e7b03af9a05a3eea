package service

import (
	"errors"

	"recollect/internal/engine"
	"recollect/internal/peer"
)

// Explain is engine.Explain with the errors of this package and of the socket.
func Explain(err error) engine.Problem {
	var (
		unsafe  *peer.UnsafeError
		told    *peer.Error
		refused *RefusedError
		none    *NoManagerError
	)
	switch {
	case errors.As(err, &refused):
		return engine.Problem{Code: "refused", Message: refused.Error(), Hint: refused.What, Exit: engine.ExitRefused}
	case errors.As(err, &none):
		return engine.Problem{Code: "no_manager", Message: none.Error(), Hint: none.Hint(), Exit: engine.ExitFailed}
	case errors.Is(err, ErrNotInstalled):
		return engine.Problem{Code: "not_installed", Message: ErrNotInstalled.Error(), Hint: "recollect service install has it started when you log in; recollect service run runs it here", Exit: engine.ExitFailed}
	case errors.As(err, &unsafe):
		return engine.Problem{Code: "refused", Message: unsafe.Error(), Hint: unsafe.Hint(), Exit: engine.ExitRefused}
	case errors.As(err, &told):
		return engine.Problem{Code: told.Code, Message: told.Message, Hint: told.Hint, Exit: exitOf(told.Code)}
	case errors.Is(err, peer.ErrNotRunning):
		return engine.Problem{Code: "not_running", Message: "the service is not running", Hint: "recollect service run starts it", Exit: engine.ExitFailed}
	case errors.Is(err, peer.ErrRunning):
		return engine.Problem{Code: "running", Message: err.Error(), Exit: engine.ExitBusy}
	case errors.Is(err, peer.ErrGone):
		return engine.Problem{Code: "gone", Message: "the service ended while it was asked", Hint: "recollect service status tells whether it runs again", Exit: engine.ExitFailed}
	case errors.Is(err, ErrNoWindow):
		return engine.Problem{Code: "not_installed", Message: ErrNoWindow.Error(),
			Hint: "install the desktop app, or put the program Recollect beside recollect or into PATH; all of it can be done with recollect --help", Exit: engine.ExitFailed}
	case errors.Is(err, errNoMemory):
		return engine.Problem{Code: "not_found", Message: errNoMemory.Error(), Hint: "memorize one first: recollect memorize in its folder, or in the window", Exit: engine.ExitFailed}
	case errors.Is(err, errNoProject):
		return engine.Problem{Code: "not_found", Message: errNoProject.Error(), Hint: "work with an assistant in a folder first", Exit: engine.ExitFailed}
	}
	return engine.Explain(err)
}

// exitOf is the exit code of an error that another process told.
func exitOf(code string) int {
	switch code {
	case "refused":
		return engine.ExitRefused
	case "busy":
		return engine.ExitBusy
	case "usage", "project", "settings":
		return engine.ExitUsage
	case "cancelled":
		return engine.ExitCancelled
	}
	return engine.ExitFailed
}
