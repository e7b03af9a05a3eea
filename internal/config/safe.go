package config

import (
	"path/filepath"
	"slices"
)

// Safe are folders that the person trusts although somebody else can write there.
type Safe struct {
	Folders []string // absolute; each with all that is beneath it
}

func safeKeys() []key {
	return []key{
		list("safe.folders", "Folders of projects in which Recollect writes although they belong to another user or others can write there, each with all that is beneath it. What a project sets does not count.",
			"a list of absolute paths", nil, func(s *Settings) *[]string { return &s.Safe.Folders },
			func(v []string) bool {
				return distinct(v) && !slices.ContainsFunc(v, func(p string) bool { return !filepath.IsAbs(p) })
			}).by(never()),
	}
}
