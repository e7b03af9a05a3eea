// Package config holds the settings of a person and of a project, typed and
// strict: a key or a value that is not known is an error, never a default.
//
// Settings are layers: what is built in, then the person's config.json, then
// the project's .recollect/config.json; the later one wins key by key.
package config

import (
	"fmt"
	"path/filepath"

	"github.com/adrg/xdg"
)

// EnvHome names the variable that moves all user-level data below one folder.
const EnvHome = "RECOLLECT_HOME"

// Dirs are the folders of user-level data. They need not exist.
type Dirs struct {
	Config string // the person's config.json
	Data   string // plug-ins, and what can't be made again
	Cache  string // compiled modules and indexes: may be deleted at any time
}

// UserDirs gives the platform's folders, or those below RECOLLECT_HOME, which
// must be absolute.
func UserDirs(getenv func(string) string) (Dirs, error) {
	home := getenv(EnvHome)
	if home == "" {
		if xdg.Home == "" {
			return Dirs{}, fmt.Errorf("no home folder is known: set %s to an absolute path", EnvHome)
		}
		return Dirs{
			Config: filepath.Join(xdg.ConfigHome, "recollect"),
			Data:   filepath.Join(xdg.DataHome, "recollect"),
			Cache:  filepath.Join(xdg.CacheHome, "recollect"),
		}, nil
	}
	if !filepath.IsAbs(home) {
		return Dirs{}, fmt.Errorf("%s must be an absolute path, not %q", EnvHome, home)
	}
	return Dirs{
		Config: filepath.Join(home, "config"),
		Data:   filepath.Join(home, "data"),
		Cache:  filepath.Join(home, "cache"),
	}, nil
}

// Plugins is where the person's plug-ins are.
func (d Dirs) Plugins() string { return filepath.Join(d.Data, "plugins") }

// Compiled is where compiled modules are.
func (d Dirs) Compiled() string { return filepath.Join(d.Cache, "compiled") }

// Index is where a source keeps what it knows of the transcripts.
func (d Dirs) Index(source string) string { return filepath.Join(d.Cache, "index", source) }

// File is the person's settings.
func (d Dirs) File() string { return filepath.Join(d.Config, "config.json") }
