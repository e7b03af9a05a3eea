//go:build darwin && !cgo

// Package tray is the icon in the panel with its menu. This build has none: on
// macOS it needs cgo.
package tray

import (
	"context"
	"errors"
	"log/slog"

	"recollect/internal/service"
)

// Tray implements service.Tray without showing anything.
type Tray struct{}

// New makes a tray.
func New(*slog.Logger) *Tray { return &Tray{} }

// Show implements service.Tray.
func (*Tray) Show(service.View) {}

// Run implements service.Tray.
func (*Tray) Run(context.Context, func(service.Action)) error {
	return errors.New("this build of Recollect has no tray")
}
