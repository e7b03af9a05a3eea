package app

import (
	"context"
	"encoding/json"

	"recollect/internal/engine"
	"recollect/internal/plugin"
)

// Plugins lists those of the person, the built-in ones first.
func (b *Bridge) Plugins(root string) (engine.PluginsView, error) {
	return ask(b, root, func(_ context.Context, e *engine.Engine) (engine.PluginsView, error) { return e.PluginViews() })
}

// AddPlugin asks for a package and copies it into the library, where it waits
// for approval; null if none was chosen.
func (b *Bridge) AddPlugin(root string) (*engine.PluginView, error) {
	w := b.window()
	if w == nil {
		return nil, errNoWindow
	}
	path, err := w.pickFile("Choose a plug-in", "*.rplug", "Plug-ins (*.rplug)")
	if err != nil || path == "" {
		return nil, err
	}
	v, err := b.viewed(root, func(_ context.Context, e *engine.Engine) (string, error) {
		added, err := e.AddPlugin(path)
		return added.ID, err
	})
	if err != nil {
		return nil, err
	}
	return &v, nil
}

// viewed changes a plug-in and shows it as it is then. f gives its id.
func (b *Bridge) viewed(root string, f func(context.Context, *engine.Engine) (string, error)) (engine.PluginView, error) {
	return change(b, root, []string{"plugins", "settings"}, func(ctx context.Context, e *engine.Engine) (engine.PluginView, error) {
		id, err := f(ctx, e)
		if err != nil {
			return engine.PluginView{}, err
		}
		return e.PluginView(id)
	})
}

// EnablePlugin enables or disables a plug-in for the person.
func (b *Bridge) EnablePlugin(root, id string, enabled bool) (engine.PluginView, error) {
	return b.viewed(root, func(_ context.Context, e *engine.Engine) (string, error) {
		_, err := e.EnablePlugin(id, enabled)
		return id, err
	})
}

// UsePlugin lets a plug-in play a role in the project, or no longer.
func (b *Bridge) UsePlugin(root, id, role string, use bool) (engine.PluginView, error) {
	return change(b, root, []string{"plugins", "settings"}, func(ctx context.Context, e *engine.Engine) (engine.PluginView, error) {
		return e.UsePlugin(ctx, id, role, use)
	})
}

// ConfigurePlugin sets a plug-in's configuration in the project.
func (b *Bridge) ConfigurePlugin(root, id string, values json.RawMessage) (engine.PluginView, error) {
	return change(b, root, []string{"plugins", "settings"}, func(ctx context.Context, e *engine.Engine) (engine.PluginView, error) {
		return e.ConfigurePlugin(ctx, id, values)
	})
}

// ResumePlugin ends the pause of a plug-in that failed too often.
func (b *Bridge) ResumePlugin(root, id string) (engine.PluginView, error) {
	return b.viewed(root, func(_ context.Context, e *engine.Engine) (string, error) {
		_, err := e.ResumePlugin(id)
		return id, err
	})
}

// PluginUses tells whose settings name a plug-in, of the projects that are known.
func (b *Bridge) PluginUses(root, id string) ([]engine.PluginUse, error) {
	return ask(b, root, func(ctx context.Context, e *engine.Engine) ([]engine.PluginUse, error) { return e.PluginUses(ctx, id) })
}

// RemovePlugin takes a plug-in out of the library.
func (b *Bridge) RemovePlugin(root, id string) error {
	_, err := change(b, root, []string{"plugins", "settings"}, func(_ context.Context, e *engine.Engine) (struct{}, error) {
		return struct{}{}, e.RemovePlugin(id)
	})
	return err
}

// PluginLog gives what a plug-in said in its last calls, the newest last.
func (b *Bridge) PluginLog(root, id string) ([]plugin.Logged, error) {
	return ask(b, root, func(_ context.Context, e *engine.Engine) ([]plugin.Logged, error) { return e.PluginLog(id) })
}
