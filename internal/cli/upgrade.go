package cli

import (
	"errors"
	"fmt"
	"io"
	"runtime"

	"recollect/internal/printable"
	"recollect/internal/release"
)

// upgradeCmd looks at what a person has fetched. The program fetches and installs
// nothing itself.
type upgradeCmd struct {
	Check string `required:"" placeholder:"FILE" help:"A package or archive of a release, or its SHA256SUMS, on this machine. Nothing is asked of the network."`
}

// upgrade is what was found.
type upgrade struct {
	Current string         `json:"current"`
	Files   []upgradedFile `json:"files"`
}

// upgradedFile is a file of a release beside what runs here.
type upgradedFile struct {
	release.File
	// Newer is missing where the versions can't be compared.
	Newer *bool `json:"newer,omitempty"`
	Here  bool  `json:"here"` // it is for this system
}

// Run implements the command.
func (c *upgradeCmd) Run(a *app) error {
	files, err := release.Look(a, c.Check)
	var bad *release.Error
	switch {
	case errors.As(err, &bad) && bad.Foreign:
		return usage(err)
	case errors.As(err, &bad):
		return &refusedError{err, "fetch it again, and install nothing of it"}
	case err != nil:
		return err
	}
	u := upgrade{Current: programVersion(), Files: []upgradedFile{}}
	for _, f := range files {
		one := upgradedFile{File: f, Here: f.System == runtime.GOOS && f.Arch == runtime.GOARCH}
		if newer, known := release.Newer(f.Version, u.Current); known {
			one.Newer = &newer
		}
		u.Files = append(u.Files, one)
	}
	return a.print(u, func(w io.Writer) {
		fmt.Fprintf(w, "This is %s for %s/%s.\n", u.Current, runtime.GOOS, runtime.GOARCH)
		for _, f := range u.Files {
			fmt.Fprintf(w, "%s: %s, %s, %s\n", plain(f.Name), f.age(u.Current), f.place(), f.state())
		}
	})
}

func (f upgradedFile) age(current string) string {
	switch {
	case f.Newer == nil:
		return fmt.Sprintf("version %s, which can't be compared with %s", f.Version, printable.Line(current, 80))
	case *f.Newer:
		return "newer"
	case f.Version == current:
		return "the same version"
	}
	return "not newer"
}

func (f upgradedFile) place() string {
	if f.Here {
		return "for this system"
	}
	return fmt.Sprintf("for another system (%s/%s)", f.System, f.Arch)
}

func (f upgradedFile) state() string {
	switch {
	case f.Sum == release.Matches:
		return "whole, as " + release.SumsName + " says"
	case f.SHA256 == "":
		return "not here"
	}
	return "not compared, for want of " + release.SumsName + " beside it: its SHA-256 is " + f.SHA256
}
