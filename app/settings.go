package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"recollect/internal/config"
	"recollect/internal/engine"
)

// Settings lists all settings with where their values come from.
func (b *Bridge) Settings(root string) ([]engine.SettingView, error) {
	return ask(b, root, func(_ context.Context, e *engine.Engine) ([]engine.SettingView, error) { return e.Settings() })
}

// SetSetting changes a setting of the person for all projects or, if user is not
// set, where it belongs: what does not count by itself in a project's settings is
// the person's there too. null takes it out.
func (b *Bridge) SetSetting(root, key string, value json.RawMessage, user bool) ([]engine.SettingView, error) {
	if !user && root == "" {
		return nil, errors.New("a setting of a project needs a project")
	}
	return change(b, root, []string{"settings"}, func(ctx context.Context, e *engine.Engine) ([]engine.SettingView, error) {
		if string(value) == "null" {
			value = nil
		}
		var where config.Origin
		if user {
			where = config.User
		}
		if _, err := e.SetSetting(ctx, key, value, where); err != nil {
			return nil, err
		}
		return e.Settings()
	})
}

// Folders are where the person's data is.
func (b *Bridge) Folders() (Folders, error) {
	return Folders{Config: b.dirs.Config, Data: b.dirs.Data, Cache: b.dirs.Cache}, nil
}

// Folders are those of config.Dirs.
type Folders struct {
	Config string `json:"config"`
	Data   string `json:"data"`
	Cache  string `json:"cache"`
}

// OpenFolder shows one of the folders in the system's file manager: "config",
// "data", "cache", or "project" for root. The page can name no other.
func (b *Bridge) OpenFolder(name, root string) error {
	w := b.window()
	if w == nil {
		return errNoWindow
	}
	path, err := b.folderOf(name, root)
	if err != nil {
		return err
	}
	if info, err := os.Stat(path); err != nil {
		return err
	} else if !info.IsDir() {
		return fmt.Errorf("%s is no folder", path)
	}
	return w.open(path)
}

func (b *Bridge) folderOf(name, root string) (string, error) {
	switch name {
	case "config":
		return b.dirs.Config, nil
	case "data":
		return b.dirs.Data, nil
	case "cache":
		return b.dirs.Cache, nil
	case "project":
		return ask(b, root, func(_ context.Context, e *engine.Engine) (string, error) { return e.Root(), nil })
	}
	return "", fmt.Errorf("there is no folder %q", name)
}
