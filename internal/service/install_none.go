//go:build !linux && !darwin && !windows

package service

// managers gives what starts programs here.
func managers(o InstallOptions) (main, desktop, machine manager, none error) {
	none = &NoManagerError{Why: "this system starts no services of a person that Recollect knows of"}
	if o.System {
		return nil, nil, nil, none
	}
	return nil, newEntry(o.Getenv), nil, none
}
