package config

// Review says whether what a memorize proposes waits for a person.
type Review struct {
	Enabled bool // false: it goes into memory at once
}

// UI are the settings of the desktop app and the tray.
type UI struct {
	Theme  string // one of Themes
	Notify bool   // a notification when work in the background has changed a memory
}

// Themes are the values of ui.theme.
var Themes = []string{"system", "light", "dark"}

func faceKeys() []key {
	return []key{
		flag("review.enabled", "Whether what a memorize finds waits for your review before it goes into memory.",
			func(s *Settings) *bool { return &s.Review.Enabled }).by(only(true)).
			asks("What a memorize finds would go into memory without your review, which you asked for."),
		choice("ui.theme", "How the window looks.", Themes,
			func(s *Settings) *string { return &s.UI.Theme }).by(never()),
		flag("ui.notify", "Whether a notification tells that work in the background has changed a memory.",
			func(s *Settings) *bool { return &s.UI.Notify }).by(never()),
	}
}
