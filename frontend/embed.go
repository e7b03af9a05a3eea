// Package frontend holds the built user interface of the desktop app.
package frontend

import (
	"embed"
	"io/fs"
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
