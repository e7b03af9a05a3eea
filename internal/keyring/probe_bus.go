//go:build linux || netbsd || openbsd || (dragonfly && cgo) || (freebsd && cgo)

package keyring

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/godbus/dbus/v5"
)

// Names of the Secret Service, see
// https://specifications.freedesktop.org/secret-service/
const (
	secretsName   = "org.freedesktop.secrets"
	secretsPath   = dbus.ObjectPath("/org/freedesktop/secrets")
	serviceIface  = "org.freedesktop.Secret.Service"
	promptIface   = "org.freedesktop.Secret.Prompt"
	lockedProp    = "org.freedesktop.Secret.Collection.Locked"
	loginPath     = dbus.ObjectPath("/org/freedesktop/secrets/collection/login")
	defaultPath   = dbus.ObjectPath("/org/freedesktop/secrets/aliases/default")
	nothing       = dbus.ObjectPath("/")
	hasOwner      = "org.freedesktop.DBus.NameHasOwner"
	startService  = "org.freedesktop.DBus.StartServiceByName"
	unknownObject = "org.freedesktop.DBus.Error.UnknownObject"
	unknownMethod = "org.freedesktop.DBus.Error.UnknownMethod"
)

// probe finds out on a connection of its own whether a call of the library will
// be answered. The library would start a bus if there is none, and would wait
// without end for a bus that doesn't talk and for a dialog that nobody sees.
func probe(ctx context.Context, wait, prompt time.Duration) error {
	life, hangUp := context.WithCancel(ctx)
	defer hangUp() // ends the connection, and with it all that waits on it
	silence := time.AfterFunc(wait, hangUp)
	defer silence.Stop()
	conn, err := connect(life)
	if err != nil {
		return err
	}
	collection, err := openCollection(life, conn)
	if err != nil {
		return err
	}
	locked, err := conn.Object(secretsName, collection).GetProperty(lockedProp)
	if err != nil {
		return busError(life, err)
	}
	if is, ok := locked.Value().(bool); !ok || !is {
		return nil
	}
	if prompt <= 0 {
		return &Error{Kind: ErrLocked}
	}
	silence.Reset(wait + prompt)
	return unlock(life, conn, collection, prompt)
}

// connect makes a private connection to the session's bus. It ends with ctx,
// and with it all that waits on it.
func connect(ctx context.Context) (*dbus.Conn, error) {
	conn, err := dbus.SessionBusPrivateNoAutoStartup(dbus.WithContext(ctx))
	if err == nil {
		if err = conn.Auth(nil); err == nil {
			err = conn.Hello()
		}
		if err == nil {
			return conn, nil
		}
		conn.Close()
	}
	detail := "the session's D-Bus does not answer"
	if os.Getenv("DBUS_SESSION_BUS_ADDRESS") == "" {
		detail = "there is no D-Bus session, as is usual without a desktop"
	}
	return nil, &Error{Kind: ErrUnavailable, Detail: detail}
}

// openCollection gives the collection that the library will use: the one named
// login, else the default.
func openCollection(ctx context.Context, conn *dbus.Conn) (dbus.ObjectPath, error) {
	if err := start(ctx, conn); err != nil {
		return "", err
	}
	if _, err := conn.Object(secretsName, loginPath).GetProperty(lockedProp); err == nil {
		return loginPath, nil
	}
	var path dbus.ObjectPath
	err := conn.Object(secretsName, secretsPath).CallWithContext(ctx, serviceIface+".ReadAlias", 0, "default").Store(&path)
	if err != nil {
		return "", busError(ctx, err)
	}
	if path == nothing || path == "" {
		return "", &Error{Kind: ErrUnavailable, Detail: "the Secret Service has no keyring yet; a desktop makes one at the first log-in"}
	}
	return defaultPath, nil
}

// start makes sure that a Secret Service is there: it runs, or the bus knows how
// to start one.
func start(ctx context.Context, conn *dbus.Conn) error {
	var runs bool
	if err := conn.BusObject().CallWithContext(ctx, hasOwner, 0, secretsName).Store(&runs); err != nil {
		return busError(ctx, err)
	}
	if runs {
		return nil
	}
	err := conn.BusObject().CallWithContext(ctx, startService, 0, secretsName, uint32(0)).Err
	if err != nil && ctx.Err() == nil {
		return &Error{Kind: ErrUnavailable, Detail: "no Secret Service runs on this D-Bus session"}
	}
	return contextError(ctx)
}

// unlock shows the keyring's dialog and takes it away again if nobody answers
// in time.
func unlock(ctx context.Context, conn *dbus.Conn, collection dbus.ObjectPath, patience time.Duration) error {
	var unlocked []dbus.ObjectPath
	var prompt dbus.ObjectPath
	err := conn.Object(secretsName, secretsPath).CallWithContext(ctx, serviceIface+".Unlock", 0, []dbus.ObjectPath{collection}).Store(&unlocked, &prompt)
	if err != nil {
		return busError(ctx, err)
	}
	if prompt == nothing {
		return nil
	}
	if err := conn.AddMatchSignalContext(ctx, dbus.WithMatchObjectPath(prompt), dbus.WithMatchInterface(promptIface)); err != nil {
		return busError(ctx, err)
	}
	signals := make(chan *dbus.Signal, 4)
	conn.Signal(signals)
	dialog := conn.Object(secretsName, prompt)
	if err := dialog.CallWithContext(ctx, promptIface+".Prompt", 0, "").Err; err != nil {
		return busError(ctx, err)
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for {
		select {
		case signal := <-signals:
			if signal == nil {
				return noAnswer() // the connection is gone
			}
			if signal.Path != prompt || signal.Name != promptIface+".Completed" || len(signal.Body) == 0 {
				continue
			}
			if dismissed, _ := signal.Body[0].(bool); dismissed {
				return &Error{Kind: ErrLocked, Detail: "the dialog was closed without unlocking it"}
			}
			return nil
		case <-timer.C:
			dialog.Go(promptIface+".Dismiss", dbus.FlagNoReplyExpected, nil)
			return &Error{Kind: ErrLocked, Detail: "nobody answered its dialog"}
		}
	}
}

func busError(ctx context.Context, err error) error {
	if err := contextError(ctx); err != nil {
		return err
	}
	var e dbus.Error
	if errors.As(err, &e) && (e.Name == unknownObject || e.Name == unknownMethod) {
		return &Error{Kind: ErrUnavailable, Detail: "the Secret Service has no keyring yet; a desktop makes one at the first log-in"}
	}
	return &Error{Kind: ErrUnavailable, Detail: "the Secret Service refused"}
}

func contextError(ctx context.Context) error {
	if ctx.Err() != nil {
		return noAnswer()
	}
	return nil
}
