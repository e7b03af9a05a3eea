//go:build cgo

package tray

import (
	"embed"

	"fyne.io/systray"

	"recollect/internal/service"
)

//go:embed icons/idle_template.png icons/new_template.png icons/working_template.png icons/attention_template.png icons/error_template.png
var icons embed.FS

func setIcon(s service.State) {
	b := icon(s, "_template.png")
	systray.SetTemplateIcon(b, b)
}

// prepare has nothing to do: the library takes no icon before it runs.
func prepare(service.View) {}

// label is a text as menus take it.
func label(s string) string { return s }
