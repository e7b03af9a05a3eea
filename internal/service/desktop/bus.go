//go:build linux || freebsd || openbsd || netbsd

package desktop

import (
	"context"
	"fmt"

	"github.com/godbus/dbus/v5"
)

// Session says whether there is a desktop session: its error wraps
// ErrNoSession. It must come before any use of a library that talks to the bus:
// they start one where there is none, which then stays behind, and some fail
// badly.
func Session() error {
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	conn, err := connect(ctx)
	if err != nil {
		return err
	}
	return conn.Close()
}

// KeepsSecrets says whether a program runs that keeps a person's secrets. Asking
// for a secret where none runs starts one, which then makes a keyring.
func KeepsSecrets() bool {
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	conn, err := connect(ctx)
	if err != nil {
		return false
	}
	defer conn.Close()
	var runs bool
	err = conn.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.NameHasOwner", 0, "org.freedesktop.secrets").Store(&runs)
	return err == nil && runs
}

func connect(ctx context.Context) (*dbus.Conn, error) {
	conn, err := dbus.SessionBusPrivateNoAutoStartup(dbus.WithContext(ctx))
	if err != nil {
		return nil, ErrNoSession
	}
	if err = conn.Auth(nil); err == nil {
		err = conn.Hello()
	}
	if err != nil {
		conn.Close()
		return nil, fmt.Errorf("%w: it does not answer", ErrNoSession)
	}
	return conn, nil
}

// send asks the desktop's own service, see
// https://specifications.freedesktop.org/notification-spec/
//
// It has a connection of its own: on a shared one the tray's library would take
// the service's signals for the panel's, and give up.
func send(ctx context.Context, title, text string) error {
	conn, err := connect(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	const expireByItself = int32(-1)
	hints := map[string]dbus.Variant{"desktop-entry": dbus.MakeVariant(appID)}
	call := conn.Object("org.freedesktop.Notifications", "/org/freedesktop/Notifications").CallWithContext(ctx,
		"org.freedesktop.Notifications.Notify", 0, "Recollect", uint32(0), appID, title, text, []string{}, hints, expireByItself)
	return call.Err
}

// appID names the entry of the app in the desktop's menu, and its icon.
const appID = "dev.recollect.Recollect"
