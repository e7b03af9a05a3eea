//go:build linux || freebsd || openbsd || netbsd

package tray

import (
	"embed"
	"strings"

	"fyne.io/systray"

	"recollect/internal/service"
)

//go:embed icons/idle.png icons/new.png icons/working.png icons/attention.png icons/error.png
var icons embed.FS

func setIcon(s service.State) { systray.SetIcon(icon(s, ".png")) }

// prepare sets what the library looks at only while it starts. The title is the
// item's identity: panels remember by it where the icon was.
func prepare(v service.View) {
	systray.SetTitle("Recollect")
	systray.SetTooltip(tooltip(v))
	setIcon(v.State)
}

// label is a text as panels take it: an underscore marks a key there.
func label(s string) string { return strings.ReplaceAll(s, "_", "__") }
