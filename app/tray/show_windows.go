package tray

import (
	"embed"
	"strings"

	"fyne.io/systray"

	"recollect/internal/service"
)

//go:embed icons/idle.ico icons/new.ico icons/working.ico icons/attention.ico icons/error.ico
var icons embed.FS

func setIcon(s service.State) { systray.SetIcon(icon(s, ".ico")) }

// prepare has nothing to do: the library takes no icon before it runs.
func prepare(service.View) {}

// label is a text as menus take it: an ampersand marks a key there.
func label(s string) string { return strings.ReplaceAll(s, "&", "&&") }
