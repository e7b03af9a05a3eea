package engine

import (
	"testing"
)

// stateDir is where the state of a project is, which is made if need be.
func stateDir(t *testing.T, o Options) string {
	t.Helper()
	e, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if err := e.makeState(); err != nil {
		t.Fatal(err)
	}
	return e.state().Path()
}
