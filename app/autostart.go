package app

import (
	"recollect/internal/service"
)

// Autostart says whether the service is started when the person logs in.
type Autostart struct {
	Supported bool   `json:"supported"`
	On        bool   `json:"on"`
	Why       string `json:"why,omitempty"` // of not supported
}

// Autostart says whether the service is started when the person logs in: by the
// system's service manager, or where there is none by the desktop.
func (b *Bridge) Autostart() (Autostart, error) {
	i, err := installer()
	if err != nil {
		return Autostart{Why: service.Explain(err).Message}, nil
	}
	at := i.State(b.ctx)
	return Autostart{Supported: at.Supported || at.Installed, On: at.Installed && at.Enabled, Why: at.Why}, nil
}

// SetAutostart has it started from now on, and starts it; or no longer, and ends
// it.
func (b *Bridge) SetAutostart(on bool) (Autostart, error) {
	i, err := installer()
	if err != nil {
		return Autostart{}, err
	}
	if on {
		_, err = i.Install(b.ctx)
	} else {
		_, err = i.Uninstall(b.ctx)
	}
	b.desk.Tell("", "service")
	if err != nil {
		return Autostart{}, err
	}
	return b.Autostart()
}

// installer deals with the program that works in the background, which is
// another than the window's.
func installer() (*service.Installer, error) {
	program, err := service.FindProgram()
	if err != nil {
		return nil, err
	}
	return service.NewInstaller(service.InstallOptions{Version: version, Program: program, Autostart: true}), nil
}
