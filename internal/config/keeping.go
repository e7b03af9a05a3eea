package config

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
		flag("watch.memorize", "Whether the service memorizes a branch by itself once nothing was said in it for a while.",
			func(s *Settings) *bool { return &s.Watch.Memorize }).by(rule{personal: true}).
			asks("Memorizing by itself, once nothing was said for a while, would be {new} instead of {old}."),
		whole("watch.idle", "How long nothing must have been said until then, in minutes.", "minutes", 1, 24*60,
			func(s *Settings) *int { return &s.Watch.Idle }).by(rule{personal: true}).
			asks("A branch would be taken as idle after {new} min instead of {old}."),
		flag("archive.enabled", "Whether what was said in sessions that were read is kept, so that it can be looked at when their assistant has removed them.",
			func(s *Settings) *bool { return &s.Archive.Enabled }).by(rule{personal: true}).
			asks("Keeping what was said in sessions that were read would be {new} instead of {old}."),
		flag("archive.redact", "Whether secrets are taken out of what is kept.",
			func(s *Settings) *bool { return &s.Archive.Redact }).by(only(true).ofPerson()).
			asks("Sessions would be kept with the secrets that were said in them."),
		whole("archive.limit", "How much may be kept, in MB, of all projects together; the oldest that nothing remembered came from goes first. What a project sets does not count.", "MB", 1, 1_000_000,
			func(s *Settings) *int { return &s.Archive.Limit }).by(never()),
	}
}
