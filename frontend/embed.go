// Package frontend holds the built user interface of the desktop app.
package frontend

import (
	"embed"
	"io/fs"
	"strings"
)

//go:embed all:dist
var dist embed.FS

// Assets gives the files of the user interface, index.html at the top. Before
// the first build of the frontend there is none.
func Assets() fs.FS {
	assets, err := fs.Sub(dist, "dist")
	if err != nil { // only for an invalid path
		panic(err)
	}
	return assets
}

// Policy gives the content security policy of the page as a header says it;
// before the first build of the frontend one that allows nothing.
func Policy() string {
	text, err := dist.ReadFile("dist/policy.txt")
	if err != nil {
		return "default-src 'none'"
	}
	return strings.TrimSpace(string(text))
}
