package engine

import (
	"encoding/json"
	"fmt"
	"slices"

	"recollect/hostapi"
	"recollect/internal/config"
	"recollect/internal/plugin"
)

// PluginView is all that people see of one plug-in.
type PluginView struct {
	ID          string         `json:"id"`
	Name        string         `json:"name"`
	Version     string         `json:"version"`
	Description string         `json:"description"`
	License     string         `json:"license,omitempty"`
	Homepage    string         `json:"homepage,omitempty"` // a web address
	Roles       []hostapi.Role `json:"roles"`
	BuiltIn     bool           `json:"built_in"`
	Approved    bool           `json:"approved"`
	Disabled    bool           `json:"disabled"`
	Paused      string         `json:"paused,omitempty"` // why
	Powers      []plugin.Power `json:"powers"`
	Pending     *PendingView   `json:"pending,omitempty"`
	UsedAs      []string       `json:"used_as"` // the settings of this project that name it
	// Schema is the JSON Schema of its configuration and Config the configuration
	// in force, defaults filled in; both absent for one that has none. A
	// configuration that does not fit stands there as it is.
	Schema  json.RawMessage `json:"schema,omitempty"`
	Config  json.RawMessage `json:"config,omitempty"`
	Limits  plugin.Limits   `json:"limits"` // of each call, also of one that may not be called yet
	Metrics plugin.Metrics  `json:"metrics"`
}

// PendingView is a package that waits for approval.
type PendingView struct {
	Version string         `json:"version"`
	SHA256  string         `json:"sha256"` // what ApprovePlugin takes
	Powers  []plugin.Power `json:"powers"`
	More    []string       `json:"more,omitempty"` // what it asks for beyond the approved one
}

// PluginsView is the plug-ins of a person as this project uses them.
type PluginsView struct {
	Plugins  []PluginView `json:"plugins"` // the built-in ones first
	Problems []string     `json:"problems,omitempty"`
	// Absent are those that the settings name and that are not installed.
	Absent []Absent `json:"absent,omitempty"`
}

// PluginViews gives all plug-ins, and what is wrong with them or with how the
// settings use them, in words.
func (e *Engine) PluginViews() (PluginsView, error) {
	lib, err := e.library()
	if err != nil {
		return PluginsView{}, err
	}
	host, err := e.plugins()
	if err != nil {
		return PluginsView{}, err
	}
	s := e.settings()
	entries, problems := lib.List()
	v := PluginsView{Plugins: []PluginView{}, Problems: problems, Absent: e.absent()}
	for _, entry := range entries {
		p, problem := pluginView(entry, host, s)
		if v.Plugins = append(v.Plugins, p); problem != "" {
			v.Problems = append(v.Problems, problem)
		}
	}
	for _, id := range slices.Concat(s.Extractors, []string{s.Schema, s.Policy}) {
		if _, err := e.plugin(id, ""); err != nil && e.installed(id) && !slices.Contains(v.Problems, err.Error()) {
			v.Problems = append(v.Problems, err.Error())
		}
	}
	return v, nil
}

// PluginView gives one plug-in.
func (e *Engine) PluginView(id string) (PluginView, error) {
	lib, err := e.library()
	if err != nil {
		return PluginView{}, err
	}
	host, err := e.plugins()
	if err != nil {
		return PluginView{}, err
	}
	entry, err := lib.Get(id)
	if err != nil {
		return PluginView{}, err
	}
	v, _ := pluginView(entry, host, e.settings())
	return v, nil
}

// pluginView also says what is wrong with the plug-in's configuration.
func pluginView(entry plugin.Entry, host *plugin.Host, s config.Settings) (v PluginView, problem string) {
	m := entry.Manifest
	v = PluginView{
		ID: entry.ID, Name: m.Name, Version: m.Version, Description: m.Description, License: m.License, Homepage: m.Homepage,
		Roles: m.Roles, BuiltIn: entry.BuiltIn, Approved: entry.Approved, Disabled: entry.Disabled,
		Powers: plugin.Powers(m), UsedAs: usedAs(s, entry.ID), Limits: host.Limits(m), Metrics: host.Metrics(entry),
	}
	v.Paused = v.Metrics.Paused
	if v.Roles == nil {
		v.Roles = []hostapi.Role{}
	}
	if p := entry.Pending; p != nil {
		v.Pending = &PendingView{p.Manifest.Version, p.SHA256, plugin.Powers(p.Manifest), p.More}
	}
	if len(m.Config) > 0 {
		var err error
		v.Schema = m.Config
		if v.Config, err = plugin.ResolveConfig(m, s.Plugins[entry.ID]); err != nil {
			v.Config, problem = s.Plugins[entry.ID], fmt.Sprintf("plug-in %s: %v", entry.ID, err)
		}
	}
	return v, problem
}

// usedAs lists the settings that name a plug-in, by the role that it plays.
func usedAs(s config.Settings, id string) []string {
	used := []string{}
	if slices.Contains(s.Extractors, id) {
		used = append(used, string(hostapi.RoleExtractor))
	}
	if s.Schema == id {
		used = append(used, string(hostapi.RoleSchema))
	}
	if s.Policy == id {
		used = append(used, string(hostapi.RolePolicy))
	}
	return used
}

// PluginLog gives what a plug-in logged in its last calls, in all projects, the
// newest line last.
func (e *Engine) PluginLog(id string) ([]plugin.Logged, error) {
	host, err := e.plugins()
	if err != nil {
		return nil, err
	}
	lib, err := e.library()
	if err != nil {
		return nil, err
	}
	if _, err := lib.Get(id); err != nil {
		return nil, err
	}
	return host.LogOf(id), nil
}
