package service

import (
	"path/filepath"
	"testing"
)

func TestMetered(t *testing.T) {
	t.Parallel()
	for n, want := range map[uint32]bool{0: false, 1: true, 2: false, 3: true, 4: false} {
		if isMetered(n) != want {
			t.Error(n)
		}
	}
}

func TestNoBusIsMains(t *testing.T) {
	t.Setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path="+filepath.Join(t.TempDir(), "none"))
	if p := systemPower(t.Context()); p != (Power{}) {
		t.Errorf("%+v", p)
	}
}
