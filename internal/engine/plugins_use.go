package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"recollect/hostapi"
	"recollect/internal/config"
	"recollect/internal/plugin"
)

// LastError says that a project can't be left without a plug-in in a role.
type LastError struct {
	Plugin string
	Role   string
}

// Error implements error.
func (e *LastError) Error() string {
	return fmt.Sprintf("%s is the only %s of this project, which needs one", e.Plugin, e.Role)
}

// Hint says what to do instead.
func (e *LastError) Hint() string {
	return "use another " + e.Role + " in this project first; that puts this one out"
}

// UsePlugin puts a plug-in into the project's settings in one of its roles, or
// takes it out. An extractor joins the others; a schema or policy takes the place
// of the one that there is, so that taking it out is a *LastError. Only a plug-in
// that may be called is put in. It is the person's word about this project, so it
// counts here; with others that the project's settings reach, it waits for theirs.
func (e *Engine) UsePlugin(ctx context.Context, id, role string, use bool) (PluginView, error) {
	if !slices.Contains([]string{string(hostapi.RoleExtractor), string(hostapi.RoleSchema), string(hostapi.RolePolicy)}, role) {
		return PluginView{}, fmt.Errorf("%q: %w", role, errNoRole)
	}
	if use {
		if _, err := e.plugin(id, hostapi.Role(role)); err != nil {
			return PluginView{}, err
		}
	}
	name := map[string]string{"extractor": "extractors"}[role]
	if name == "" {
		name = role
	}
	_, err := e.changeSetting(ctx, name, func(s config.Settings) (any, error) { return used(s, id, role, use) })
	if err != nil {
		return PluginView{}, err
	}
	v, err := e.PluginView(id)
	if plugin.IsKind(err, plugin.KindNotFound) && !use { // its package is gone already
		return PluginView{ID: id, Name: id, Roles: []hostapi.Role{}, Powers: []plugin.Power{}, UsedAs: usedAs(e.settings(), id)}, nil
	}
	return v, err
}

// used is the value of the setting of a role with a plug-in in it or not; nil if
// it is so already.
func used(s config.Settings, id, role string, use bool) (any, error) {
	switch now := slices.Contains(usedAs(s, id), role); {
	case now == use:
		return nil, nil
	case use && role == string(hostapi.RoleExtractor):
		return append(slices.Clone(s.Extractors), id), nil
	case use:
		return id, nil
	case role == string(hostapi.RoleExtractor) && len(s.Extractors) > 1:
		return slices.DeleteFunc(slices.Clone(s.Extractors), func(x string) bool { return x == id }), nil
	}
	return nil, &LastError{id, role}
}

// ConfigurePlugin sets a plug-in's configuration in this project: an object that
// fits the schema of its manifest. Keys that it leaves out have their defaults;
// an empty one takes the configuration out of the project's settings. A misfit is
// a *config.ValueError.
func (e *Engine) ConfigurePlugin(ctx context.Context, id string, values json.RawMessage) (PluginView, error) {
	lib, err := e.library()
	if err != nil {
		return PluginView{}, err
	}
	if _, err := lib.Get(id); err != nil {
		return PluginView{}, err
	}
	if string(values) == "null" || len(values) == 0 {
		values = nil
	}
	if _, err := e.SetSetting(ctx, "plugins."+id, values, config.Project); err != nil {
		return PluginView{}, err
	}
	return e.PluginView(id)
}
