package cli

import (
	"slices"

	"recollect/internal/engine"
	"recollect/internal/history"
)

// branchWords are the branches that have history or memory.
func (a *app) branchWords() []candidate {
	e := a.quietly()
	if e == nil {
		return nil
	}
	defer e.Close()
	branches, err := e.Branches(a)
	if err != nil {
		return nil
	}
	var out []candidate
	for _, b := range branches {
		out = append(out, candidate{history.BranchLabel(b.Name), count(b.Items, "item") + ", " + count(b.NewTurns, "new turn")})
	}
	return out
}

// sectionWords are the sections of what is remembered of the current branch, else
// those of the schema that ships with the program.
func (a *app) sectionWords() []candidate {
	sections := []string{"architectural-decisions", "bug-patterns", "conventions", "facts"}
	for _, it := range a.itemsHere() {
		if !slices.Contains(sections, it.Section) {
			sections = append(sections, it.Section)
		}
	}
	return words(sections, "")
}

// itemWords are the items that are remembered of the current branch.
func (a *app) itemWords() []candidate {
	var out []candidate
	for _, it := range a.itemsHere() {
		out = append(out, candidate{it.ID, it.Content})
	}
	return out
}

func (a *app) itemsHere() []engine.ShownItem {
	e := a.quietly()
	if e == nil {
		return nil
	}
	defer e.Close()
	shown, err := e.Show(nil, "")
	if err != nil {
		return nil
	}
	return shown.Items
}

// pluginWords are the plug-ins that are here.
func (a *app) pluginWords() []candidate {
	e := a.quietly()
	if e == nil {
		return nil
	}
	defer e.Close()
	list, err := e.Plugins()
	if err != nil {
		return nil
	}
	var out []candidate
	for _, p := range list.Plugins {
		out = append(out, candidate{p.ID, p.Manifest.Description})
	}
	return out
}
