// Package plugins carries the built-in plug-ins. Each is written in its own
// folder here, compiled to dist/NAME by "go run ./build plugins", and embedded
// as the package (plugin.json and plugin.wasm) that anyone else's would be.
package plugins

import (
	"embed"
	"errors"
	"io/fs"
)

// Names that begin with a dot are not embedded: the build tool's notes and its
// half-done packages have such names.
//
//go:embed dist
var dist embed.FS

// ErrNotBuilt says that this program was compiled before the built-in plug-ins
// were.
var ErrNotBuilt = errors.New(`the built-in plug-ins were not compiled: run "go run ./build plugins" and build again`)

// Built gives the built-in packages, one top-level folder each. Files at the
// top level are not packages and must be passed over. If none was compiled,
// whatever is done with the result fails with an error that wraps ErrNotBuilt.
func Built() fs.FS {
	return packages(dist)
}

// packages gives the folder dist of fsys, if it holds a package.
func packages(fsys fs.FS) fs.FS {
	found, err := fs.Glob(fsys, "dist/*/plugin.wasm")
	if err != nil || len(found) == 0 {
		return notBuilt{}
	}
	sub, err := fs.Sub(fsys, "dist")
	if err != nil {
		return notBuilt{}
	}
	return sub
}

// notBuilt is a file system that only says why it has nothing.
type notBuilt struct{}

// Open implements fs.FS.
func (notBuilt) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: ErrNotBuilt}
}
