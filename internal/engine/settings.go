package engine

import (
	"cmp"
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
	"recollect/internal/history"
	"recollect/internal/plugin"
	"recollect/internal/safefile"
)

// settings gives the settings in force. What it gives is not to be changed, and
// is as it was when another goroutine changes a setting: a call that needs
// several settings to agree takes them once.
func (e *Engine) settings() config.Settings { return e.inForce.Load().Settings }

// Refresh reads the settings again, which a person or another process may have
// changed. With an error those in force stay.
func (e *Engine) Refresh() error {
	f, err := e.load()
	if err != nil {
		return err
	}
	e.inForce.Store(&f)
	return nil
}

// load reads the settings, the person's and of the project's what counts.
func (e *Engine) load() (config.InForce, error) {
	return config.LoadProject(e.file(config.User), e.file(config.Project), e.settingsGiven)
}

// file is a file of settings.
func (e *Engine) file(of config.Origin) config.File {
	if of == config.User {
		return config.PersonFile(e.dirs.File())
	}
	return config.ProjectFile(safefile.Beneath(e.project.Root).Sub(history.MemoryDir))
}

// SettingView is a setting as people change it.
type SettingView struct {
	config.Key
	Value any             `json:"value"`
	From  config.Origin   `json:"from"`
	Asked json.RawMessage `json:"asked,omitempty"` // what the project's file asks for and what waits for a yes
}

// Settings gives all settings as they are in the files now, and puts them in
// force. Where a plug-in is named, the choices are the plug-ins that may be.
func (e *Engine) Settings() ([]SettingView, error) {
	f, err := e.load()
	if err != nil {
		return nil, err
	}
	e.inForce.Store(&f)
	var out []SettingView
	for _, k := range config.Describe() {
		v := SettingView{Key: k, From: cmp.Or(f.From[k.Name], config.BuiltIn)}
		if v.Value, err = f.Get(k.Name); err != nil {
			return nil, err
		}
		for _, r := range f.Requests {
			if r.Key == k.Name && !f.Given {
				v.Asked = r.Value
			}
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

// SettingFrom says whose word a setting is that is in force.
func (e *Engine) SettingFrom(name string) config.Origin {
	return cmp.Or(e.inForce.Load().From[name], config.BuiltIn)
}

// SetSetting changes a setting and returns the file that holds it. where says whose
// settings are meant; "": the project's if the value counts there by itself and is
// about the project, else the person's. What a person puts into the project's
// settings in so many words has their yes. A nil value takes the setting out. A
// plug-in's configuration is checked against the plug-in's own schema if the
// plug-in is there.
func (e *Engine) SetSetting(ctx context.Context, name string, value json.RawMessage, where config.Origin) (string, error) {
	if where == config.Project && value != nil && config.PersonOnly(name) {
		return "", fmt.Errorf("%s: %w", name, config.ErrPersonOnly)
	}
	if id, ok := strings.CutPrefix(name, "plugins."); ok && value != nil {
		if err := e.checkPluginConfig(id, value); err != nil {
			return "", err
		}
	}
	if where == "" {
		f, err := e.load()
		if err != nil {
			return "", err
		}
		where = f.Home(name, value)
	}
	return e.writeSetting(ctx, name, where, func(config.InForce) (json.RawMessage, bool, error) { return value, true, nil })
}

// changeSetting sets a setting of the project to what next makes of the settings
// that are in force at that moment; nil leaves it as it is.
func (e *Engine) changeSetting(ctx context.Context, name string, next func(config.Settings) (any, error)) (string, error) {
	return e.writeSetting(ctx, name, config.Project, func(f config.InForce) (json.RawMessage, bool, error) {
		value, err := next(f.Settings)
		if err != nil || value == nil {
			return nil, false, err
		}
		raw, err := json.Marshal(value)
		return raw, true, err
	})
}

// maxSettingTries is how often a setting is written anew because somebody saved
// the file meanwhile.
const maxSettingTries = 20

func (e *Engine) writeSetting(ctx context.Context, name string, where config.Origin, next func(config.InForce) (value json.RawMessage, write bool, err error)) (string, error) {
	file := e.file(where)
	if where == config.Project {
		if !e.hasMemoryFolder() {
			if nothing, err := e.nothingToSet(name, next); err != nil || nothing {
				return file.Path, err
			}
		}
		if err := e.settle(ctx); err != nil {
			return "", err
		}
		lock, err := e.lock(ctx, "changing a setting")
		if err != nil {
			return "", err
		}
		defer lock.Release()
	} else if err := os.MkdirAll(filepath.Dir(file.Path), 0o755); err != nil {
		return "", err
	}
	for try := 1; ; try++ {
		err := e.writeOnce(ctx, file, name, where, next)
		if errors.Is(err, atomicfile.ErrChanged) && try < maxSettingTries && ctx.Err() == nil {
			continue
		}
		if err != nil {
			return "", err
		}
		return file.Path, e.Refresh()
	}
}

func (e *Engine) writeOnce(ctx context.Context, file config.File, name string, where config.Origin, next func(config.InForce) (json.RawMessage, bool, error)) error {
	before, err := e.load()
	if err != nil {
		return err
	}
	value, write, err := next(before)
	if err != nil || !write {
		return err
	}
	typed := before.Request(name, value)
	if where == config.Project && typed != nil && before.Waits(name) {
		return ErrWaiting
	}
	if err := file.Set(name, value); err != nil || where != config.Project {
		return err
	}
	return e.keepTyped(ctx, before, name, typed)
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
