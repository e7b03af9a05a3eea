package engine

import (
	"context"
	"fmt"
	"io/fs"
	"slices"

	"recollect/hostapi"
	"recollect/internal/memorize"
	"recollect/internal/memory"
	"recollect/internal/plugin"
	"recollect/plugins"
)

// library gives the plug-ins that the person has, the built-in ones included.
func (e *Engine) library() (*plugin.Library, error) {
	built := plugins.Built()
	folders, err := fs.ReadDir(built, ".")
	if err != nil {
		return nil, err
	}
	var packages []fs.FS
	for _, f := range folders {
		if !f.IsDir() {
			continue
		}
		sub, err := fs.Sub(built, f.Name())
		if err != nil {
			return nil, err
		}
		packages = append(packages, sub)
	}
	return plugin.NewLibrary(e.dirs.Plugins(), packages), nil
}

// plugins gives the host that runs them, which is opened with the first use.
func (e *Engine) plugins() (*plugin.Host, error) {
	e.hostOnce.Do(func() {
		var lib *plugin.Library
		if lib, e.hostErr = e.library(); e.hostErr == nil {
			e.host = plugin.NewHost(lib, plugin.HostOptions{
				Version: e.options.Version, CacheDir: e.dirs.Compiled(), Compiling: e.compiling,
				Redact: e.redacted,
			})
		}
	})
	return e.host, e.hostErr
}

// redacted is a text without secrets; nothing where they can't be told.
func (e *Engine) redacted(text string) string {
	r, err := e.redactor()
	if err != nil {
		return ""
	}
	clean, _ := r.Redact(text)
	return clean
}

// redactedWithin is redacted for a text of a plug-in's, as long as its call lasts.
func (e *Engine) redactedWithin(ctx context.Context, text string) (string, error) {
	r, err := e.redactor()
	if err != nil {
		return "", err
	}
	return r.RedactWithin(ctx, text)
}

// plugin gives an approved plug-in that plays a role ("": any).
func (e *Engine) plugin(id string, role hostapi.Role) (*plugin.Plugin, error) {
	host, err := e.plugins()
	if err != nil {
		return nil, err
	}
	p, err := host.Plugin(id)
	if err != nil {
		return nil, err
	}
	if role != "" && !slices.Contains(p.Manifest.Roles, role) {
		return nil, &plugin.Error{Plugin: id, Kind: plugin.KindUnsupported, Reason: fmt.Sprintf("it is no %s", role)}
	}
	return p, nil
}

// setting is what a plug-in is answered from, whatever it is called for. What
// it stores goes into scratch, if that is not nil.
func (e *Engine) setting(id string, scratch *plugin.Scratch) plugin.Setting {
	if scratch == nil && !e.hasState() {
		scratch = &plugin.Scratch{} // nothing is written yet, nor by this call
	}
	return plugin.Setting{
		Redact:  e.redactedWithin,
		Storage: e.state().Path("storage"), Scratch: scratch,
		Config: e.settings().Plugins[id],
		Memory: func(branch string) (memory.Memory, error) {
			m, _, err := e.memories().Load(branch)
			if err == nil {
				m, _ = e.shownOf(m)
			}
			return m, err
		},
	}
}

// scratch is where plug-ins store what they would, in a run that writes nothing;
// nil in one that does.
func scratch(dryRun bool) *plugin.Scratch {
	if !dryRun {
		return nil
	}
	return &plugin.Scratch{}
}

// extractor gives an extractor that may ask the model, if there is one.
func (e *Engine) extractor(id string, m *model, scratch *plugin.Scratch) (plugin.Extractor, error) {
	p, err := e.plugin(id, hostapi.RoleExtractor)
	if err != nil {
		return plugin.Extractor{}, err
	}
	return plugin.Extractor{Plugin: p, Setting: m.serve(e.setting(id, scratch), id)}, nil
}

func (e *Engine) schema(scratch *plugin.Scratch) (memorize.Schema, error) {
	id := e.schemaID()
	p, err := e.plugin(id, hostapi.RoleSchema)
	if err != nil {
		return nil, err
	}
	return plugin.Schema{Plugin: p, Setting: e.setting(id, scratch)}, nil
}
