package service

import (
	"context"
	"errors"

	"golang.org/x/sys/windows/registry"
)

// runKey lists what Windows starts when the person logs on. Services of a person
// do not exist there.
const (
	runKey   = `Software\Microsoft\Windows\CurrentVersion\Run`
	runValue = "Recollect"
)

// managers gives what starts programs here.
func managers(o InstallOptions) (main, desktop, machine manager, none error) {
	if o.System {
		return nil, nil, nil, &RefusedError{"a service of the machine could not read a person's credentials on Windows", "install it without --system"}
	}
	return logon{}, nil, nil, nil
}

// logon is the Run key: it starts the service, and knows no more of it.
type logon struct{}

// look implements manager.
func (logon) look(context.Context) Installed {
	at := Installed{Manager: "logon", Path: `HKEY_CURRENT_USER\` + runKey + `\` + runValue}
	k, err := registry.OpenKey(registry.CURRENT_USER, runKey, registry.QUERY_VALUE)
	if err != nil {
		return at
	}
	defer k.Close()
	if value, _, err := k.GetStringValue(runValue); err == nil {
		at.Installed, at.Enabled, at.Program = true, true, programOfRunKey(value)
	}
	return at
}

// install implements manager.
func (l logon) install(ctx context.Context, p plan) (bool, error) {
	if len(p.Env) > 0 {
		for _, e := range p.Env {
			if len(e) > 5 && e[:5] != "PATH=" {
				return false, &RefusedError{"Windows starts it without the variables of this console, and one of them moves Recollect's folders: " + e, "set it for your account instead"}
			}
		}
	}
	k, _, err := registry.CreateKey(registry.CURRENT_USER, runKey, registry.QUERY_VALUE|registry.SET_VALUE)
	if err != nil {
		return false, err
	}
	defer k.Close()
	text := runKeyText(p)
	if before, _, err := k.GetStringValue(runValue); err == nil && before == text {
		return false, nil
	}
	return true, k.SetStringValue(runValue, text)
}

// uninstall implements manager.
func (logon) uninstall(context.Context) error {
	k, err := registry.OpenKey(registry.CURRENT_USER, runKey, registry.SET_VALUE)
	if errors.Is(err, registry.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer k.Close()
	if err := k.DeleteValue(runValue); err != nil && !errors.Is(err, registry.ErrNotExist) {
		return err
	}
	return nil
}

// start implements manager.
func (l logon) start(ctx context.Context) error { return startApart(l.look(ctx).Program) }

// stop implements manager: the service is asked over its socket.
func (logon) stop(context.Context) error { return nil }
