package service

import (
	"context"
	"os"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"
)

// powerWait is how long the system is asked what it runs on.
const powerWait = 2 * time.Second

// systemPower asks UPower and NetworkManager, if there is a system bus and they
// run. What can't be known is mains and a network that costs nothing.
func systemPower(ctx context.Context) Power {
	if !busExists(os.Getenv("DBUS_SYSTEM_BUS_ADDRESS")) {
		return Power{}
	}
	ctx, cancel := context.WithTimeout(ctx, powerWait)
	defer cancel()
	bus, err := dbus.ConnectSystemBus(dbus.WithContext(ctx))
	if err != nil {
		return Power{}
	}
	defer bus.Close()
	var p Power
	p.Battery, _ = property(ctx, bus, "org.freedesktop.UPower", "/org/freedesktop/UPower", "OnBattery").(bool)
	metered, _ := property(ctx, bus, "org.freedesktop.NetworkManager", "/org/freedesktop/NetworkManager", "Metered").(uint32)
	p.Metered = isMetered(metered)
	return p
}

// isMetered reads NetworkManager's answer: 1 is yes, 3 a guess that it is.
func isMetered(n uint32) bool { return n == 1 || n == 3 }

// busExists says whether a bus is there, without starting one.
func busExists(address string) bool {
	if address == "" {
		address = "unix:path=/run/dbus/system_bus_socket"
	}
	path, ok := strings.CutPrefix(address, "unix:path=")
	if !ok {
		return false
	}
	path, _, _ = strings.Cut(path, ",")
	_, err := os.Stat(path)
	return err == nil
}

// property reads one; nil if it can't be had. No service is started for it.
func property(ctx context.Context, bus *dbus.Conn, name, path, prop string) any {
	var v dbus.Variant
	err := bus.Object(name, dbus.ObjectPath(path)).
		CallWithContext(ctx, "org.freedesktop.DBus.Properties.Get", dbus.FlagNoAutoStart, name, prop).Store(&v)
	if err != nil {
		return nil
	}
	return v.Value()
}
