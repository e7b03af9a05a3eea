package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"recollect/internal/history"
	"recollect/internal/lookup"
	"recollect/internal/plugin"
)

// ErrNoBranch says that nothing is known of a branch: it has no history and no
// memory, nothing waits for it, and git does not have it.
var ErrNoBranch = errors.New("no such branch")

var errNoPlugin = errors.New("no such plug-in")

// FindBranch gives the exact name of the branch that a person means by its name or
// by a beginning that no other branch has. Nil is the current git branch.
func (e *Engine) FindBranch(ctx context.Context, asked *string) (string, error) {
	name, err := e.branchName(asked)
	if err != nil || asked == nil {
		return name, err
	}
	if now, err := e.branchName(nil); err == nil && now == name {
		return name, nil
	}
	if e.remembers(name) {
		return name, nil // no history need be read
	}
	all, err := e.knownBranches(ctx)
	if err != nil {
		return "", err
	}
	things := make([]lookup.Thing, len(all))
	for i, name := range all {
		things[i] = lookup.Thing{Name: history.BranchLabel(name), Also: []string{name}}
	}
	label, err := lookup.Among(name, things, ErrNoBranch)
	if err != nil {
		return "", err
	}
	return history.BranchName(label), nil
}

// branchInWords names a branch within the sentence of an error.
func branchInWords(name string) string {
	if subject := history.BranchSubject(name); subject != name {
		return subject
	}
	return strconv.Quote(name)
}

// aboutBranch says on which branch something went wrong.
func aboutBranch(name string, err error) error {
	if name == history.NoBranch || name == history.Detached {
		return fmt.Errorf("%s: %w", history.BranchLabel(name), err)
	}
	return fmt.Errorf("branch %q: %w", name, err)
}

// remembers says that there is a memory of a branch, or a version of one that was
// forgotten. One that can't be read is one: who wants it is told why.
func (e *Engine) remembers(name string) bool {
	if has, err := e.memories().Has(name); has || err != nil {
		return true
	}
	versions, err := e.memories().Versions(name)
	return len(versions) > 0 || err != nil
}

// knownBranches are those with history or memory, and those that git has.
func (e *Engine) knownBranches(ctx context.Context) ([]string, error) {
	branches, err := e.Branches(ctx)
	if err != nil {
		return nil, err
	}
	red, err := e.redactor()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, b := range branches {
		names = append(names, b.Name)
	}
	for _, name := range history.GitBranches(ctx, e.project.Root) {
		names = append(names, red.RedactName(name))
	}
	return names, nil
}

// findSession gives the id of the session that is named by it or by its beginning.
func findSession(h history.History, want string) (string, error) {
	var ids []string
	for _, s := range h.Sessions() {
		ids = append(ids, s.ID)
	}
	return lookup.Find(want, ids, errNoSession)
}

// FindPlugin gives the id of the plug-in that a person means by its id, by the last
// parts of it, or by a beginning of either that no other plug-in has. What the
// settings use is known even if it is not here any more.
func (e *Engine) FindPlugin(name string) (string, error) {
	lib, err := e.library()
	if err != nil {
		return "", err
	}
	entries, _ := lib.List()
	s := e.settings()
	ids := slices.Concat(s.Extractors, []string{s.Schema, s.Policy}, slices.Sorted(maps.Keys(s.Plugins)))
	for _, p := range entries {
		ids = append(ids, p.ID)
	}
	var things []lookup.Thing
	for _, id := range ids {
		t := lookup.Thing{Name: id}
		for _, rest, more := strings.Cut(id, "."); more; _, rest, more = strings.Cut(rest, ".") {
			t.Also = append(t.Also, rest)
		}
		things = append(things, t)
	}
	id, err := lookup.Among(name, things, errNoPlugin)
	if errors.Is(err, errNoPlugin) {
		if _, why := lib.Get(name); !plugin.IsKind(why, plugin.KindNotFound) {
			return name, nil // it is here and can't be listed: who asks for it is told why
		}
	}
	return id, err
}

// findPlugins is FindPlugin of several names.
func (e *Engine) findPlugins(names []string) ([]string, error) {
	var ids []string
	for _, name := range names {
		id, err := e.FindPlugin(name)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}
