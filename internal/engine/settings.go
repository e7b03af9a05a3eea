package engine

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"recollect/internal/atomicfile"
	"recollect/internal/config"
	"recollect/internal/plugin"
)

// settings gives the settings in force. What it gives is not to be changed, and
// is as it was when another goroutine changes a setting: a call that needs
// several settings to agree takes them once.
func (e *Engine) settings() config.Settings { return *e.inForce.Load() }

// Refresh reads the settings again, which a person or another process may have
// changed. With an error those in force stay.
func (e *Engine) Refresh() error {
	s, err := config.Load(e.dirs.File(), e.path("config.json"))
	if err != nil {
		return err
	}
	e.inForce.Store(&s)
	return nil
}

// Setting reads a setting that is in force.
func (e *Engine) Setting(name string) (any, error) {
	return e.settings().Get(name)
}

// SetSetting changes a setting of the project, or of the person for all
// projects, and returns the file that holds it. A nil value takes it out. A
// plug-in's configuration is checked against the plug-in's own schema if the
// plug-in is there.
func (e *Engine) SetSetting(ctx context.Context, name string, value json.RawMessage, user bool) (string, error) {
	if id, ok := strings.CutPrefix(name, "plugins."); ok && value != nil {
		if err := e.checkPluginConfig(id, value); err != nil {
			return "", err
		}
	}
	file := e.dirs.File()
	if !user {
		if _, err := e.Init(ctx); err != nil {
			return "", err
		}
		file = e.path("config.json")
		lock, err := e.lock(ctx)
		if err != nil {
			return "", err
		}
		defer lock.Release()
	} else if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return "", err
	}
	before, after, err := config.Encode(file, name, value)
	if err != nil {
		return "", err
	}
	expect := atomicfile.Absent()
	if before != nil {
		expect = atomicfile.Content(atomicfile.SumOf(before))
	}
	if err := atomicfile.Replace(file, after, expect, atomicfile.Options{}); err != nil {
		return "", err
	}
	return file, e.Refresh()
}

func (e *Engine) checkPluginConfig(id string, value json.RawMessage) error {
	lib, err := e.library()
	if err != nil {
		return err
	}
	p, err := lib.Get(id)
	if plugin.IsKind(err, plugin.KindNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err = plugin.ResolveConfig(p.Manifest, value); err != nil {
		return &config.ValueError{Key: "plugins." + id, Value: string(value), Want: "what the plug-in's schema says: " + err.Error()}
	}
	return nil
}
