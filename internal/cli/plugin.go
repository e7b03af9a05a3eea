package cli

import (
	"fmt"
	"io"
	"strings"
	"time"

	"recollect/hostapi"
	"recollect/internal/engine"
	"recollect/internal/plugin"
	"recollect/internal/printable"
)

type pluginCmd struct {
	List    pluginListCmd    `cmd:"" help:"List the plug-ins."`
	Info    pluginInfoCmd    `cmd:"" help:"Tell about one plug-in."`
	Add     pluginAddCmd     `cmd:"" help:"Add a package (a folder or a .rplug file); it waits for approval."`
	Approve pluginApproveCmd `cmd:"" help:"Approve what a plug-in asks for, and enable it."`
	Enable  pluginEnableCmd  `cmd:"" help:"Enable a plug-in that was disabled."`
	Disable pluginDisableCmd `cmd:"" help:"Keep a plug-in from being called."`
	Resume  pluginResumeCmd  `cmd:"" help:"Have a plug-in tried again that was paused because it failed too often."`
	Remove  pluginRemoveCmd  `cmd:"" help:"Take a plug-in out."`
	Prepare pluginPrepareCmd `cmd:"" help:"Make all plug-ins ready that may run, so that no later command waits for that."`
	Use     pluginUseCmd     `cmd:"" help:"Use a plug-in in this project, in one of its roles, or take it out."`
	Try     pluginTryCmd     `cmd:"" help:"Show what an extractor finds on a branch, beside what is remembered; nothing is written."`
	Log     pluginLogCmd     `cmd:"" help:"Print what a plug-in logged in its last calls."`
	Run     pluginRunCmd     `cmd:"" help:"Call one verb of a plug-in with a request from standard input (for authors)."`
}

type pluginListCmd struct{}

// Run implements the command.
func (c *pluginListCmd) Run(a *app) error {
	e, err := a.open(historyFlags{})
	if err != nil {
		return err
	}
	defer e.Close()
	list, err := e.Plugins()
	if err != nil {
		return err
	}
	a.noteAbsent(list.Absent)
	for _, p := range list.Problems {
		a.note("warning: %s", plain(p))
	}
	return a.print(list, func(w io.Writer) {
		var rows [][]string
		for _, p := range list.Plugins {
			rows = append(rows, []string{p.ID, p.Manifest.Version, roles(p.Manifest), state(p), p.Manifest.Description})
		}
		for _, absent := range list.Absent {
			rows = append(rows, []string{absent.Plugin, "–", string(absent.Role), "not installed", "named in the settings"})
		}
		table(w, []string{"PLUG-IN", "VERSION", "ROLES", "STATE", "WHAT IT IS"}, rows)
	})
}

func roles(m hostapi.Manifest) string {
	var out []string
	for _, r := range m.Roles {
		out = append(out, string(r))
	}
	return strings.Join(out, ", ")
}

// state is a plug-in's state in a few words.
func state(p plugin.Entry) string {
	switch {
	case p.Disabled:
		return "disabled"
	case !p.Approved:
		return "waits for approval"
	case p.Paused != "":
		return "paused: it failed too often"
	case p.Pending != nil:
		return "enabled; update " + p.Pending.Manifest.Version + " waits for approval"
	case p.BuiltIn:
		return "built in"
	}
	return "enabled"
}

type pluginInfoCmd struct {
	ID string `arg:"" help:"The plug-in's id, its last part, or the beginning of either."`
}

// Run implements the command.
func (c *pluginInfoCmd) Run(a *app) error {
	e, err := a.openFor(&c.ID, historyFlags{})
	if err != nil {
		return err
	}
	defer e.Close()
	info, err := e.Plugin(c.ID)
	if err != nil {
		return err
	}
	return a.print(info, func(w io.Writer) {
		describe(w, info.Manifest)
		fmt.Fprintf(w, "State: %s\n", state(info.Entry))
		if len(info.UsedAs) > 0 {
			fmt.Fprintf(w, "Used as: %s\n", strings.Join(info.UsedAs, ", "))
		}
		if l := info.Limits; l != nil {
			fmt.Fprintf(w, "Limits: %d MiB memory, %v a call, %.4g billion units of fuel, %d host calls, %d model calls\n",
				l.Memory>>20, l.Wall, float64(l.Fuel)/1e9, l.HostCalls, l.ModelCalls)
		}
		measured(w, info.ID, info.Metrics)
		if info.SHA256 != "" {
			fmt.Fprintf(w, "Package: %s\n", info.SHA256)
		}
		if info.Pending != nil {
			fmt.Fprintf(w, "Waiting: version %s, package %s\n", info.Pending.Manifest.Version, info.Pending.SHA256)
		}
	})
}

// describe is what a person must have seen before they approve.
func describe(w io.Writer, m hostapi.Manifest) {
	fmt.Fprintf(w, "%s %s: %s\n", plain(m.ID), plain(m.Version), plain(m.Name))
	fmt.Fprintf(w, "%s\n", plain(m.Description))
	fmt.Fprintf(w, "Roles: %s\n", roles(m))
	powers := plugin.Powers(m)
	if len(powers) == 0 {
		fmt.Fprintln(w, "Asks for nothing.")
	}
	for _, p := range powers {
		fmt.Fprintf(w, "Asks for %s. %s\n", p.Capability, p.Words)
		fmt.Fprintf(w, "    Its author: %s\n", plain(p.Reason))
	}
	if m.License != "" {
		fmt.Fprintf(w, "License: %s\n", plain(m.License))
	}
	if m.Homepage != "" {
		fmt.Fprintf(w, "Homepage: %s\n", plain(m.Homepage))
	}
}

type pluginAddCmd struct {
	Package string `arg:"" help:"The folder or .rplug file."`
}

// Run implements the command.
func (c *pluginAddCmd) Run(a *app) error {
	e, err := a.open(historyFlags{})
	if err != nil {
		return err
	}
	defer e.Close()
	p, err := e.AddPlugin(c.Package)
	if err != nil {
		return err
	}
	return a.print(p, func(w io.Writer) {
		m := p.Manifest
		if p.Pending != nil {
			m = p.Pending.Manifest
		}
		describe(w, m)
		switch {
		case p.Pending == nil && p.Approved:
			fmt.Fprintln(w, "This package is approved already.")
		case p.Approved:
			fmt.Fprintf(w, "Added as an update. Version %s stays in use until: recollect plugin approve %s\n", p.Manifest.Version, p.ID)
			for _, more := range p.Pending.More {
				fmt.Fprintf(w, "New: %s\n", plain(more))
			}
		default:
			fmt.Fprintf(w, "Added. It is not used until: recollect plugin approve %s\n", p.ID)
		}
	})
}

type pluginPrepareCmd struct{}

// Run implements the command.
func (c *pluginPrepareCmd) Run(a *app) error {
	e, err := a.open(historyFlags{})
	if err != nil {
		return err
	}
	defer e.Close()
	done, err := e.PreparePlugins(a)
	if err != nil {
		return err
	}
	for _, problem := range done.Problems {
		a.note("warning: %s", plain(problem))
	}
	if err := a.print(done, func(w io.Writer) {
		fmt.Fprintf(w, "%s\n", number(len(done.Ready), "plug-in is ready", "plug-ins are ready"))
	}); err != nil || len(done.Problems) == 0 {
		return err
	}
	return exitCode(engine.ExitPartly)
}

type pluginApproveCmd struct {
	ID     string `arg:"" help:"The plug-in's id, its last part, or the beginning of either."`
	SHA256 string `name:"sha256" placeholder:"HEX" help:"Approve only the package with this digest."`
}

// Run implements the command.
func (c *pluginApproveCmd) Run(a *app) error {
	e, err := a.openFor(&c.ID, historyFlags{})
	if err != nil {
		return err
	}
	defer e.Close()
	p, err := e.ApprovePlugin(a, c.ID, c.SHA256, nil)
	if err != nil {
		return err
	}
	return a.print(p, func(w io.Writer) {
		describe(w, p.Manifest)
		if a.compiled > 0 {
			fmt.Fprintf(w, "Its module was checked and compiled in %.1f s.\n", a.compiled.Seconds())
		}
		fmt.Fprintln(w, "Approved.")
		for _, r := range p.Manifest.Roles {
			fmt.Fprintf(w, "To use it in a project: recollect plugin use %s %s\n", p.ID, r)
		}
	})
}

type pluginEnableCmd struct {
	ID string `arg:"" help:"The plug-in's id, its last part, or the beginning of either."`
}

// Run implements the command.
func (c *pluginEnableCmd) Run(a *app) error { return enable(a, c.ID, true) }

type pluginDisableCmd struct {
	ID string `arg:"" help:"The plug-in's id, its last part, or the beginning of either."`
}

// Run implements the command.
func (c *pluginDisableCmd) Run(a *app) error { return enable(a, c.ID, false) }

func enable(a *app, id string, enabled bool) error {
	e, err := a.openFor(&id, historyFlags{})
	if err != nil {
		return err
	}
	defer e.Close()
	p, err := e.EnablePlugin(id, enabled)
	if err != nil {
		return err
	}
	return a.print(p, func(w io.Writer) { fmt.Fprintf(w, "%s: %s\n", p.ID, state(p)) })
}

type pluginResumeCmd struct {
	ID string `arg:"" help:"The plug-in's id, its last part, or the beginning of either."`
}

type resumeAnswer struct {
	ID        string `json:"id"`
	WasPaused bool   `json:"was_paused"`
}

// Run implements the command.
func (c *pluginResumeCmd) Run(a *app) error {
	e, err := a.openFor(&c.ID, historyFlags{})
	if err != nil {
		return err
	}
	defer e.Close()
	paused, err := e.ResumePlugin(c.ID)
	if err != nil {
		return err
	}
	return a.print(resumeAnswer{c.ID, paused}, func(w io.Writer) {
		if paused {
			fmt.Fprintf(w, "%s is tried again.\n", c.ID)
		} else {
			fmt.Fprintf(w, "%s was not paused.\n", c.ID)
		}
	})
}

// measured is what is known of a plug-in's calls.
func measured(w io.Writer, id string, m plugin.Metrics) {
	if m.Calls > 0 {
		fmt.Fprintf(w, "Calls: %d since %s, %d of them failed; %s, %s\n", m.Calls, when(m.Since),
			m.Faults, count(m.HostCalls, "host call"), count(m.ModelCalls, "model call"))
		fmt.Fprintf(w, "Time: %v in the plug-in, %v in host methods, %v to load it\n",
			m.Guest.Round(time.Millisecond), m.Host.Round(time.Millisecond), m.Load.Round(time.Millisecond))
		fmt.Fprintf(w, "Fuel: %.1f million units; memory: at most %.1f MiB\n", float64(m.Fuel)/1e6, float64(m.Memory)/(1<<20))
	}
	if m.LastFault != "" {
		fmt.Fprintf(w, "Last fault: %s\n", plain(m.LastFault))
	}
	if m.Paused != "" {
		fmt.Fprintf(w, "Paused because it failed too often: %s. To have it tried again: recollect plugin resume %s\n", plain(m.Paused), id)
	}
}

type pluginRemoveCmd struct {
	ID  string `arg:"" help:"The plug-in's id, its last part, or the beginning of either."`
	Yes bool   `short:"y" help:"Remove it also where settings name it."`
}

type removeAnswer struct {
	ID      string             `json:"id"`
	Removed bool               `json:"removed"`
	UsedBy  []engine.PluginUse `json:"used_by"` // settings that name it still
}

// Run implements the command.
func (c *pluginRemoveCmd) Run(a *app) error {
	e, err := a.openFor(&c.ID, historyFlags{})
	if err != nil {
		return err
	}
	defer e.Close()
	uses, err := e.PluginUses(a, c.ID)
	if err != nil {
		return err
	}
	if err := a.mayRemove(e, c, uses); err != nil {
		return err
	}
	if err := e.RemovePlugin(c.ID); err != nil {
		return err
	}
	return a.print(removeAnswer{c.ID, true, uses}, func(w io.Writer) {
		fmt.Fprintf(w, "Removed %s. What it stored in projects is still there.\n", c.ID)
		writeUses(w, uses)
	})
}

type pluginRunCmd struct {
	historyFlags
	ID     string  `arg:"" help:"The plug-in's id, its last part, or the beginning of either."`
	Verb   string  `required:"" enum:"extract,evolve,sections,check,render,parse,select" help:"extract, evolve, sections, check, render, parse or select."`
	Branch *string `short:"b" placeholder:"NAME" help:"The branch whose history it may read (default: the current git branch)."`
}

// maxRequest is the most that is read from standard input: the contract's
// limit on requests.
const maxRequest = 8 << 20

// Run implements the command.
func (c *pluginRunCmd) Run(a *app) error {
	request, err := io.ReadAll(io.LimitReader(a.in, maxRequest+1))
	if err != nil {
		return err
	}
	if len(request) == 0 {
		request = []byte("{}")
	}
	e, err := a.openOn(&c.Branch, c.historyFlags)
	if err != nil {
		return err
	}
	defer e.Close()
	if c.ID, err = e.FindPlugin(c.ID); err != nil {
		return err
	}
	out, err := e.RunPlugin(a, c.ID, c.Verb, request, c.Branch)
	for _, l := range out.Log {
		a.note("log: %s", plain(l.Text))
	}
	if out.Stderr != "" {
		a.note("stderr: %s", lines(out.Stderr))
	}
	if err != nil {
		return err
	}
	a.note("%v in the plug-in, %v in host methods, %s", out.Usage.Guest, out.Usage.Host, count(out.Usage.HostCalls, "host call"))
	if a.json {
		return a.encode(a.out, out)
	}
	asItIs(a.out, string(printable.JSON(out.Result))+"\n")
	return nil
}
