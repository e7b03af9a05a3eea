package config

import (
	"errors"
	"slices"
)

// ErrPersonOnly says that a setting counts only in the person's own settings: a
// project that was cloned must not act on the person by itself.
var ErrPersonOnly = errors.New("it counts only in your own settings, for all projects")

// PersonOnly says whether what a project sets under this name does not count.
func PersonOnly(name string) bool {
	return slices.Contains([]string{"watch.memorize", "watch.idle", "archive.limit"}, name)
}

// Watch says what becomes of new history that is noticed.
type Watch struct {
	Memorize bool // a branch is memorized when its sessions are idle
	Idle     int  // minutes without a word until they are
}

// Archive says what is kept of sessions that were read, since their assistant
// removes them.
type Archive struct {
	Enabled bool
	Redact  bool // secrets are taken out first
	Limit   int  // millions of bytes, all projects together
}

func keepingKeys() []key {
	return []key{
		flag("watch.memorize", "Whether the service memorizes a branch by itself once nothing was said in it for a while; what a project sets does not count.",
			func(s *Settings) *bool { return &s.Watch.Memorize }),
		whole("watch.idle", "How long nothing must have been said until then, in minutes; what a project sets does not count.", "minutes", 1, 24*60,
			func(s *Settings) *int { return &s.Watch.Idle }),
		flag("archive.enabled", "Whether what was said in sessions that were read is kept, so that it can be looked at when their assistant has removed them.",
			func(s *Settings) *bool { return &s.Archive.Enabled }),
		flag("archive.redact", "Whether secrets are taken out of what is kept.",
			func(s *Settings) *bool { return &s.Archive.Redact }),
		whole("archive.limit", "How much may be kept, in MB, of all projects together; the oldest that nothing remembered came from goes first. What a project sets does not count.", "MB", 1, 1_000_000,
			func(s *Settings) *int { return &s.Archive.Limit }),
	}
}
