package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"recollect/hostapi"
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
	s, err := config.Load(e.layers()...)
	if err != nil {
		return err
	}
	e.inForce.Store(&s)
	return nil
}

// layers are the files of settings, the person's and the project's.
func (e *Engine) layers() []string { return []string{e.dirs.File(), e.path("config.json")} }

// SettingView is a setting as people change it.
type SettingView struct {
	config.Key
	Value any    `json:"value"`
	From  string `json:"from"` // "default", "user" or "project"
}

// Settings gives all settings as they are in the files now, and puts them in
// force. Where a plug-in is named, the choices are the plug-ins that may be.
func (e *Engine) Settings() ([]SettingView, error) {
	s, from, err := config.LoadTraced(e.layers()...)
	if err != nil {
		return nil, err
	}
	e.inForce.Store(&s)
	var out []SettingView
	for _, k := range config.Describe() {
		v := SettingView{Key: k, From: "default"}
		if v.Value, err = s.Get(k.Name); err != nil {
			return nil, err
		}
		if layer, ok := from[k.Name]; ok {
			v.From = []string{"user", "project"}[layer]
		}
		out = append(out, v)
	}
	return out, e.addChoices(out)
}

// addChoices names the plug-ins that can play the role of a setting.
func (e *Engine) addChoices(views []SettingView) error {
	roles := map[string]hostapi.Role{"extractors": hostapi.RoleExtractor, "schema": hostapi.RoleSchema, "policy": hostapi.RolePolicy}
	lib, err := e.library()
	if err != nil {
		return err
	}
	entries, _ := lib.List()
	for i := range views {
		v := &views[i]
		role, ok := roles[v.Name]
		if !ok {
			continue
		}
		if v.Kind == config.Text {
			v.Kind = config.Choice
		}
		for _, p := range entries {
			if p.Approved && !p.Disabled && slices.Contains(p.Manifest.Roles, role) {
				v.Choices = append(v.Choices, p.ID)
			}
		}
	}
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
	if !user && value != nil && config.PersonOnly(name) {
		return "", fmt.Errorf("%s: %w", name, config.ErrPersonOnly)
	}
	if id, ok := strings.CutPrefix(name, "plugins."); ok && value != nil {
		if err := e.checkPluginConfig(id, value); err != nil {
			return "", err
		}
	}
	return e.writeSetting(ctx, name, user, func() (json.RawMessage, bool, error) { return value, true, nil })
}

// changeSetting sets a setting to what next makes of the settings that are in the
// files at that moment; nil leaves it as it is.
func (e *Engine) changeSetting(ctx context.Context, name string, user bool, next func(config.Settings) (any, error)) (string, error) {
	return e.writeSetting(ctx, name, user, func() (json.RawMessage, bool, error) {
		s, err := config.Load(e.layers()...)
		if err != nil {
			return nil, false, err
		}
		value, err := next(s)
		if err != nil || value == nil {
			return nil, false, err
		}
		raw, err := json.Marshal(value)
		return raw, true, err
	})
}

// maxSettingTries is how often a setting is written anew because somebody saved
// the file meanwhile.
const maxSettingTries = 5

func (e *Engine) writeSetting(ctx context.Context, name string, user bool, next func() (value json.RawMessage, write bool, err error)) (string, error) {
	file := e.dirs.File()
	if !user {
		if _, err := e.Init(ctx); err != nil {
			return "", err
		}
		file = e.path("config.json")
		lock, err := e.lock(ctx, "changing a setting")
		if err != nil {
			return "", err
		}
		defer lock.Release()
	} else if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return "", err
	}
	for try := 1; ; try++ {
		value, write, err := next()
		if err == nil && write {
			err = replaceSetting(file, name, value)
		}
		if errors.Is(err, atomicfile.ErrChanged) && try < maxSettingTries && ctx.Err() == nil {
			continue
		}
		if err != nil {
			return "", err
		}
		return file, e.Refresh()
	}
}

// replaceSetting writes a file of settings, unless somebody changed it since it
// was read.
func replaceSetting(file, name string, value json.RawMessage) error {
	before, after, err := config.Encode(file, name, value)
	if err != nil || before != nil && bytes.Equal(before, after) {
		return err
	}
	expect := atomicfile.Absent()
	if before != nil {
		expect = atomicfile.Content(atomicfile.SumOf(before))
	}
	return atomicfile.Replace(file, after, expect, atomicfile.Options{})
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
