package config

import (
	"encoding/json"
	"slices"
	"strings"
)

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
		{"review.enabled", "true or false", func(s *Settings, v json.RawMessage) bool {
			return decode(v, &s.Review.Enabled)
		}, func(s Settings) any { return s.Review.Enabled }},
		{"ui.theme", "one of " + strings.Join(Themes, ", "), func(s *Settings, v json.RawMessage) bool {
			return decode(v, &s.UI.Theme) && slices.Contains(Themes, s.UI.Theme)
		}, func(s Settings) any { return s.UI.Theme }},
		{"ui.notify", "true or false", func(s *Settings, v json.RawMessage) bool {
			return decode(v, &s.UI.Notify)
		}, func(s Settings) any { return s.UI.Notify }},
	}
}
