package engine

import (
	"context"
	"fmt"
	"slices"

	"recollect/internal/memorize"
	"recollect/internal/plugin"
)

// PluginList is the plug-ins of a person.
type PluginList struct {
	Plugins  []plugin.Entry `json:"plugins"`
	Problems []string       `json:"problems,omitempty"`
	// Absent are those that the settings name and that are not installed.
	Absent []Absent `json:"absent,omitempty"`
}

// Plugins lists them, the built-in ones first.
func (e *Engine) Plugins() (PluginList, error) {
	lib, err := e.library()
	if err != nil {
		return PluginList{}, err
	}
	entries, problems := lib.List()
	for i := range entries {
		m, err := e.metrics(entries[i])
		if err != nil {
			return PluginList{}, err
		}
		entries[i].Paused = m.Paused
	}
	return PluginList{entries, problems, e.absent()}, nil
}

// PluginInfo is all that is known of one plug-in.
type PluginInfo struct {
	plugin.Entry
	UsedAs []string       `json:"used_as"`          // the settings that name it
	Limits *plugin.Limits `json:"limits,omitempty"` // of a plug-in that may be called
	// Metrics are those of all processes that have ended, and of this one.
	Metrics plugin.Metrics `json:"metrics"`
}

// metrics tells what a plug-in did, without loading it.
func (e *Engine) metrics(entry plugin.Entry) (plugin.Metrics, error) {
	host, err := e.plugins()
	if err != nil {
		return plugin.Metrics{}, err
	}
	return host.Metrics(entry), nil
}

// Plugin tells about one plug-in.
func (e *Engine) Plugin(id string) (PluginInfo, error) {
	lib, err := e.library()
	if err != nil {
		return PluginInfo{}, err
	}
	entry, err := lib.Get(id)
	if err != nil {
		return PluginInfo{}, err
	}
	info := PluginInfo{Entry: entry, UsedAs: []string{}}
	if info.Metrics, err = e.metrics(entry); err != nil {
		return PluginInfo{}, err
	}
	info.Paused = info.Metrics.Paused
	if p, err := e.plugin(id, ""); err == nil {
		l := p.Limits()
		info.Limits = &l
	}
	if slices.Contains(e.settings().Extractors, id) {
		info.UsedAs = append(info.UsedAs, "extractor")
	}
	if e.settings().Schema == id {
		info.UsedAs = append(info.UsedAs, "schema")
	}
	if e.settings().Policy == id {
		info.UsedAs = append(info.UsedAs, "policy")
	}
	return info, nil
}

// AddPlugin copies a package into the library, where it waits for approval.
func (e *Engine) AddPlugin(path string) (plugin.Entry, error) {
	lib, err := e.library()
	if err != nil {
		return plugin.Entry{}, err
	}
	return lib.Add(path)
}

// ApprovePlugin puts the package that waits into force, after its module was
// compiled and checked against its manifest: a package that fails here waits on.
// sha256 is the digest of the package that the person has seen; "" stands for
// the one that waits now. compiling, if not nil, is called ten times a second
// meanwhile, from another goroutine; else Options.Compiling is.
func (e *Engine) ApprovePlugin(ctx context.Context, id, sha256 string, compiling func(plugin.Compiling)) (plugin.Entry, error) {
	host, err := e.plugins()
	if err != nil {
		return plugin.Entry{}, err
	}
	return e.changePlugin(id, func(lib *plugin.Library) error {
		entry, err := lib.Get(id)
		if err != nil {
			return err
		}
		if sha256 == "" {
			sha256 = entry.SHA256
			if entry.Pending != nil {
				sha256 = entry.Pending.SHA256
			}
		}
		if !entry.BuiltIn {
			if err := host.Prepare(ctx, id, sha256, compiling); err != nil {
				return err
			}
		}
		return lib.Approve(id, sha256)
	})
}

// EnablePlugin enables or disables a plug-in.
func (e *Engine) EnablePlugin(id string, enabled bool) (plugin.Entry, error) {
	return e.changePlugin(id, func(lib *plugin.Library) error {
		if enabled {
			return lib.Enable(id)
		}
		return lib.Disable(id)
	})
}

func (e *Engine) changePlugin(id string, change func(*plugin.Library) error) (plugin.Entry, error) {
	lib, err := e.library()
	if err != nil {
		return plugin.Entry{}, err
	}
	if err := change(lib); err != nil {
		return plugin.Entry{}, err
	}
	return lib.Get(id)
}

// RemovePlugin takes a plug-in out of the library.
func (e *Engine) RemovePlugin(id string) error {
	host, err := e.plugins()
	if err != nil {
		return err
	}
	lib, err := e.library()
	if err != nil {
		return err
	}
	if err := lib.Remove(id); err != nil {
		return err
	}
	return host.Forget(id)
}

// ResumePlugin ends the pause of a plug-in that failed too often, and says
// whether it was paused.
func (e *Engine) ResumePlugin(id string) (bool, error) {
	lib, err := e.library()
	if err != nil {
		return false, err
	}
	return lib.Resume(id)
}

// RunPlugin calls one verb of a plug-in with a request in JSON, on the history
// of a branch (nil: the current git branch), all of whose turns count as new.
// Nothing comes of what it answers.
func (e *Engine) RunPlugin(ctx context.Context, id, verb string, request []byte, branch *string) (plugin.Outcome, error) {
	p, err := e.plugin(id, "")
	if err != nil {
		return plugin.Outcome{}, err
	}
	name, err := e.branchName(branch)
	if err != nil {
		return plugin.Outcome{}, err
	}
	h, err := e.openHistory(ctx)
	if err != nil {
		return plugin.Outcome{}, err
	}
	defer h.Close()
	red, err := e.redactor()
	if err != nil {
		return plugin.Outcome{}, err
	}
	m := e.openModel(runID(e.options.Now()))
	defer m.close()
	set := m.serve(e.setting(id, nil), id)
	set.Branch, set.History = name, memorize.Redacted(h, red)
	set.All = h.Refs(name)
	set.New = set.All
	return p.Run(ctx, verb, request, set)
}

func (e *Engine) diagnosePlugins(d *Diagnosis) {
	list, err := e.Plugins()
	if err != nil {
		d.find(Finding{Where: "plug-ins", What: err.Error()})
		return
	}
	d.fact("plug-ins", fmt.Sprint(len(list.Plugins)))
	for _, p := range list.Problems {
		d.find(Finding{Where: "plug-ins", What: p})
	}
	for _, a := range list.Absent {
		d.find(Finding{Where: "settings", What: a.Sentence() + "; " + a.Cure()})
	}
	for _, id := range slices.Concat(e.settings().Extractors, []string{e.settings().Schema, e.settings().Policy}) {
		if !e.installed(id) {
			continue
		}
		if _, err := e.plugin(id, ""); err != nil {
			d.find(Finding{Where: "settings", What: err.Error()})
		}
		i := slices.IndexFunc(list.Plugins, func(p plugin.Entry) bool { return p.ID == id })
		if i >= 0 && slices.Contains(e.settings().Extractors, id) {
			d.fact("extractor", id+": "+list.Plugins[i].Manifest.Description)
		}
		if i >= 0 && list.Plugins[i].Paused != "" {
			d.find(Finding{Where: "plug-ins", What: fmt.Sprintf("%s is paused because it failed too often: %s (recollect plugin resume %s has it tried again)", id, list.Plugins[i].Paused, id)})
		}
	}
}
