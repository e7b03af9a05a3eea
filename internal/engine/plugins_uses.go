package engine

import (
	"context"
	"slices"

	"recollect/internal/config"
)

// PluginUse is a file of settings that counts and names a plug-in.
type PluginUse struct {
	// Root is the project whose own settings they are; "": the person's, which count
	// in all projects that say nothing else.
	Root  string   `json:"root,omitempty"`
	File  string   `json:"file"`
	Roles []string `json:"roles"`
}

// PluginUses says who uses a plug-in: the person's settings, and those of the
// projects that are known here. A project whose settings can't be read is left out:
// it uses nothing until they are mended.
func (e *Engine) PluginUses(ctx context.Context, id string) ([]PluginUse, error) {
	uses := []PluginUse{}
	if own, err := config.Load(e.dirs.File()); err == nil {
		if roles := usedAs(own, id); len(roles) > 0 {
			uses = append(uses, PluginUse{File: e.dirs.File(), Roles: roles})
		}
	}
	records, err := e.records()
	if err != nil {
		return nil, err
	}
	roots := []string{e.project.Root}
	for _, r := range records {
		if !slices.Contains(roots, r.Root) && isFolder(r.Root) {
			roots = append(roots, r.Root)
		}
	}
	for _, root := range roots {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if use, ok := e.usesOf(root, id); ok {
			uses = append(uses, use)
		}
	}
	return uses, nil
}

// usesOf says how a project's own settings use a plug-in.
func (e *Engine) usesOf(root, id string) (PluginUse, bool) {
	o := e.options
	o.Dir, o.Transcripts = root, nil
	other, err := Open(o)
	if err != nil || other.Root() != root {
		return PluginUse{}, false
	}
	defer other.Close()
	use := PluginUse{Root: root, File: other.path(config.ProjectName)}
	for _, role := range usedAs(other.settings(), id) {
		setting := role
		if role == "extractor" {
			setting = "extractors"
		}
		if other.SettingFrom(setting) == config.Project {
			use.Roles = append(use.Roles, role)
		}
	}
	return use, len(use.Roles) > 0
}
