//go:build !darwin || cgo

package tray

import "recollect/internal/service"

// icon is the drawing of a state.
func icon(s service.State, ending string) []byte {
	if s == "" {
		s = service.StateIdle
	}
	b, err := icons.ReadFile("icons/" + string(s) + ending)
	if err != nil {
		panic(err) // the drawings are part of the program
	}
	return b
}
