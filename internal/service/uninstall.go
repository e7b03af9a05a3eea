package service

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"recollect/internal/config"
	"recollect/internal/engine"
	"recollect/internal/inject"
	"recollect/internal/keyring"
	"recollect/internal/peer"
	"recollect/internal/service/desktop"
)

// Trace is something that Recollect made outside of memories, or of which it is
// told that it stays.
type Trace struct {
	Kind    string `json:"kind"` // "service", "hook", "sockets", "logs", "cache", "block", "settings", "data", "key", "memory", "program"
	Where   string `json:"where"`
	Remove  bool   `json:"remove"`  // it goes
	Removed bool   `json:"removed"` // it is gone
	Why     string `json:"why,omitempty"`

	remove func(context.Context) error
}

// Uninstalling says what is removed besides what always is: the service with its
// logs, hooks, sockets and caches.
type Uninstalling struct {
	Engine engine.Options // Getenv and Version are used
	Blocks bool           // our blocks in the context files of known projects
	Data   bool           // settings, plug-ins, usage, and the API keys
	DryRun bool           // only list
}

// Uninstall removes all that Recollect made on this machine, but for the
// memories of projects, and lists it with what stays. The error joins those of
// what could not be removed.
func Uninstall(ctx context.Context, u Uninstalling) ([]Trace, error) {
	if u.Engine.Getenv == nil {
		u.Engine.Getenv = os.Getenv
	}
	i := NewInstaller(InstallOptions{Getenv: u.Engine.Getenv, Version: u.Engine.Version})
	if i.refused != nil {
		return nil, i.refused
	}
	if c, err := peer.Dial(ctx, peer.DialOptions{Folder: i.folder, Role: peer.Window}); err == nil {
		defer c.Close()
		if !u.DryRun {
			return nil, &RefusedError{fmt.Sprintf("the window is open (process %d)", c.Hello().PID), "close it first"}
		}
	}
	made := readRecord(i.dirs).Made
	all, err := u.traces(ctx, i)
	if err != nil || u.DryRun {
		return all, err
	}
	var failed error
	for n := range all {
		t := &all[n]
		if !t.Remove {
			continue
		}
		if err := t.remove(ctx); err != nil {
			t.Why = err.Error()
			failed = errors.Join(failed, fmt.Errorf("%s: %w", t.Where, err))
			continue
		}
		t.Removed = true
	}
	return all, errors.Join(failed, settle(i.dirs, made))
}

// traces lists everything in the order in which it can go: projects can be asked
// for as long as there is data, and nothing is written after the service ended.
func (u Uninstalling) traces(ctx context.Context, i *Installer) ([]Trace, error) {
	var all []Trace
	all = append(all, u.service(ctx, i)...)
	all = append(all, u.hooks()...)
	// Looking at projects makes caches where there were none.
	fresh := missing(i.dirs.Config, i.dirs.Data, i.dirs.Cache)
	projects, err := u.projects(ctx)
	for _, dir := range []string{i.dirs.Config, i.dirs.Data, i.dirs.Cache} {
		if slices.Contains(fresh, dir) {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}
	removeEmpty(fresh)
	if err != nil {
		return nil, err
	}
	all = append(all, projects...)
	if dir := i.folder; there(dir) {
		all = append(all, Trace{Kind: "sockets", Where: dir, Remove: true, remove: func(context.Context) error { return os.RemoveAll(dir) }})
	}
	all = append(all, folder("logs", logDir(i.dirs), true)...)
	all = append(all, folder("cache", i.dirs.Cache, true)...)
	keys := u.keys(ctx, i.dirs)
	all = append(all, keys...)
	all = append(all, folder("settings", i.dirs.Config, u.Data)...)
	all = append(all, folder("data", i.dirs.Data, u.Data)...)
	for n := range all {
		if !all[n].Remove && all[n].Why == "" {
			all[n].Why = "stays without --data"
		}
	}
	if self, err := os.Executable(); err == nil {
		all = append(all, Trace{Kind: "program", Where: self, Why: "stays: remove it as you installed it"})
	}
	return all, nil
}

func there(path string) bool { _, err := os.Lstat(path); return err == nil }

// folder is a folder that goes as a whole; none if it is not there. A link is
// removed and not what it leads to.
func folder(kind, dir string, goes bool) []Trace {
	if !there(dir) {
		return nil
	}
	return []Trace{{Kind: kind, Where: dir, Remove: goes, remove: func(context.Context) error { return os.RemoveAll(dir) }}}
}

// service is what starts it, wherever that is, and the process that runs.
func (u Uninstalling) service(ctx context.Context, i *Installer) []Trace {
	var all []Trace
	for _, m := range []manager{i.main, i.machine, i.entry} {
		if m == nil {
			continue
		}
		at := m.look(ctx)
		switch {
		case at.foreign:
			all = append(all, Trace{Kind: "service", Where: at.Path, Why: "stays: it was not written by Recollect"})
		case at.Installed:
			all = append(all, Trace{Kind: "service", Where: at.Path, Remove: true, remove: func(ctx context.Context) error { return i.take(ctx, m) }})
		}
	}
	if c, err := peer.Dial(ctx, peer.DialOptions{Folder: i.folder, Role: peer.Service}); err == nil {
		pid := c.Hello().PID
		c.Close()
		all = append(all, Trace{Kind: "service", Where: fmt.Sprintf("process %d", pid), Remove: true, remove: func(ctx context.Context) error {
			_, err := Quit(ctx, i.folder, u.Engine.Version)
			return err
		}})
	}
	if file := recordFile(i.dirs); there(file) {
		all = append(all, Trace{Kind: "service", Where: file, Remove: true, remove: func(context.Context) error { return remove(file) }})
	}
	return all
}

// hooks are what assistants run for us. None are written so far.
func (u Uninstalling) hooks() []Trace { return nil }

// projects are the blocks in context files, and the memories, which always stay.
func (u Uninstalling) projects(ctx context.Context) ([]Trace, error) {
	known, err := engine.Projects(ctx, u.Engine)
	if err != nil {
		return nil, err
	}
	var all []Trace
	for _, p := range known {
		if !p.Exists {
			continue
		}
		if dir := filepath.Join(p.Root, ".recollect"); p.Memory {
			all = append(all, Trace{Kind: "memory", Where: dir, Why: "stays: it is yours"})
		}
		all = append(all, u.blocks(ctx, p.Root)...)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return all, nil
}

// blocks are those of one project. What is left of a project that can't be opened
// is told.
func (u Uninstalling) blocks(ctx context.Context, root string) []Trace {
	results, err := u.inject(ctx, root, true)
	if err != nil {
		return []Trace{{Kind: "block", Where: root, Why: "can't be looked for: " + err.Error()}}
	}
	var all []Trace
	for _, path := range results {
		t := Trace{Kind: "block", Where: path, Remove: u.Blocks, remove: func(ctx context.Context) error {
			_, err := u.inject(ctx, root, false)
			return err
		}}
		if !u.Blocks {
			t.Why = "stays without --blocks"
		}
		all = append(all, t)
	}
	return all
}

// inject takes our blocks out of a project's files, or only says which hold one.
func (u Uninstalling) inject(ctx context.Context, root string, dry bool) ([]string, error) {
	o := u.Engine
	o.Dir, o.Tolerant = root, true
	e, err := engine.Open(o)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	branch := "main" // any will do: a file has one block
	done, err := e.Inject(ctx, engine.InjectOptions{Branch: &branch, Remove: true, DryRun: dry})
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, t := range done.Targets {
		if t.Outcome == inject.TakenOut {
			paths = append(paths, t.Path)
		}
		err = errors.Join(err, t.Err)
	}
	return paths, err
}

// keys are the API keys that we were given.
func (u Uninstalling) keys(ctx context.Context, dirs config.Dirs) []Trace {
	ring := keyring.New(keyring.Options{Dir: filepath.Join(dirs.Config, "keys"), Getenv: u.Engine.Getenv})
	if !desktop.KeepsSecrets() {
		if !u.Data {
			return nil
		}
		return []Trace{{Kind: "key", Where: "the keyring", Why: "not looked into, since it does not run: log in to the desktop, or recollect auth delete there"}}
	}
	var all []Trace
	for _, p := range config.Providers {
		st, err := ring.Status(ctx, p, "")
		if err != nil {
			continue
		}
		stored := slices.ContainsFunc(st.Looked, func(s keyring.State) bool { return s.HasKey && s.Place == keyring.Keyring })
		if !stored { // a file goes with the folder of the data
			continue
		}
		all = append(all, Trace{Kind: "key", Where: "the keyring: " + p, Remove: u.Data, remove: func(ctx context.Context) error {
			_, err := ring.Delete(ctx, p)
			return err
		}})
	}
	return all
}
