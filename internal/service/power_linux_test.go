package service

import (
	"bufio"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/godbus/dbus/v5"
	"github.com/godbus/dbus/v5/prop"
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
	for _, address := range []string{"unix:path=" + filepath.Join(t.TempDir(), "none"), "tcp:host=localhost", "nonsense"} {
		t.Setenv("DBUS_SYSTEM_BUS_ADDRESS", address)
		if p := systemPower(t.Context()); p != (Power{}) {
			t.Errorf("%s: %+v", address, p)
		}
	}
}

// A bus of its own stands in for the system's.
func TestPowerIsAsked(t *testing.T) {
	program, err := exec.LookPath("dbus-daemon")
	if err != nil {
		t.Skip("no dbus-daemon on this machine")
	}
	socket := filepath.Join(t.TempDir(), "bus")
	daemon := exec.CommandContext(t.Context(), program, "--session", "--nofork", "--print-address=1", "--address=unix:path="+socket)
	out, err := daemon.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := daemon.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = daemon.Process.Kill(); _ = daemon.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !strings.Contains(line, socket) {
		t.Fatal(line, err)
	}
	t.Setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path="+socket)
	if p := systemPower(t.Context()); p != (Power{}) {
		t.Errorf("nobody is on the bus: %+v", p)
	}
	conn, err := dbus.Connect("unix:path=" + socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	tell := func(name, path, property string, value any) *prop.Properties {
		p, err := prop.Export(conn, dbus.ObjectPath(path), prop.Map{name: {property: {Value: value}}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.RequestName(name, dbus.NameFlagDoNotQueue); err != nil {
			t.Fatal(err)
		}
		return p
	}
	battery := tell("org.freedesktop.UPower", "/org/freedesktop/UPower", "OnBattery", true)
	tell("org.freedesktop.NetworkManager", "/org/freedesktop/NetworkManager", "Metered", uint32(3))
	if p := systemPower(t.Context()); p != (Power{Battery: true, Metered: true}) {
		t.Errorf("on battery: %+v", p)
	}
	battery.SetMust("org.freedesktop.UPower", "OnBattery", false)
	if p := systemPower(t.Context()); p != (Power{Metered: true}) {
		t.Errorf("on mains: %+v", p)
	}
	tell("org.freedesktop.UPower", "/org/freedesktop/UPower", "OnBattery", "perhaps")
	if p := systemPower(t.Context()); p != (Power{Metered: true}) {
		t.Errorf("an answer that is none: %+v", p)
	}
}
