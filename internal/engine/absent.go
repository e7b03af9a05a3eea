package engine

import (
	"fmt"
	"slices"
	"strings"

	"recollect/hostapi"
	"recollect/internal/config"
)

// Absent is a plug-in that the settings name and that is not installed: it was
// removed, or never came to this machine. It stops nothing that can be done without
// it, unlike one that is here and may not run: that is the person's word.
type Absent struct {
	Plugin string       `json:"plugin"`
	Role   hostapi.Role `json:"role"`
	// Instead is the built-in one that plays the role meanwhile; "": nobody does, of
	// an extractor.
	Instead string `json:"instead,omitempty"`
	// Install and Drop are commands: the first puts it in, the second takes its name
	// out of the settings.
	Install string `json:"install"`
	Drop    string `json:"drop"`
}

// Sentence says what is so and what comes of it.
func (a Absent) Sentence() string {
	if a.Instead == "" {
		return fmt.Sprintf("the extractor %s is not installed and does not take part", a.Plugin)
	}
	return fmt.Sprintf("the %s %s is not installed; %s is used in its place", a.Role, a.Plugin, a.Instead)
}

// Cure says what to do about it.
func (a Absent) Cure() string {
	return fmt.Sprintf("to install it: %s; to do without it: %s", a.Install, a.Drop)
}

// absentError says that no extractor is left.
type absentError struct{ absent []Absent }

// Error implements error.
func (e *absentError) Error() string {
	var ids []string
	for _, a := range e.absent {
		ids = append(ids, a.Plugin)
	}
	verb := "is"
	if len(ids) > 1 {
		verb = "are"
	}
	return fmt.Sprintf("no extractor is left: %s %s not installed", enumerate(ids), verb)
}

// Hint names the cure.
func (e *absentError) Hint() string { return e.absent[0].Cure() }

// installed says whether a plug-in is here, with its package, whether it may run or
// not. The built-in ones are.
func (e *Engine) installed(id string) bool {
	if slices.Contains([]string{config.Offline, config.ModelNotes, config.Notes, config.Ranked}, id) {
		return true
	}
	lib, err := e.library()
	return err != nil || lib.Has(id)
}

// extractors gives those of the settings that are installed; all, if none is.
func (e *Engine) extractors() []string {
	all := e.settings().Extractors
	here := slices.DeleteFunc(slices.Clone(all), func(id string) bool { return !e.installed(id) })
	if len(here) == 0 {
		return all
	}
	return here
}

// schemaID and policyID give the plug-in that plays the role: the one of the
// settings, or the built-in one in place of one that is not installed.
func (e *Engine) schemaID() string { return e.orBuiltIn(e.settings().Schema, config.Notes) }

func (e *Engine) policyID() string { return e.orBuiltIn(e.settings().Policy, config.Ranked) }

func (e *Engine) orBuiltIn(id, builtIn string) string {
	if e.installed(id) {
		return id
	}
	return builtIn
}

// absent lists what the settings name in these roles and what is not installed; no
// roles stand for all.
func (e *Engine) absent(roles ...hostapi.Role) []Absent {
	s := e.settings()
	var out []Absent
	look := func(role hostapi.Role, setting, instead string, ids ...string) {
		for _, id := range ids {
			if (len(roles) == 0 || slices.Contains(roles, role)) && !e.installed(id) {
				out = append(out, Absent{id, role, instead, installCommand, e.dropCommand(setting, id)})
			}
		}
	}
	look(hostapi.RoleExtractor, "extractors", "", s.Extractors...)
	look(hostapi.RoleSchema, "schema", config.Notes, s.Schema)
	look(hostapi.RolePolicy, "policy", config.Ranked, s.Policy)
	return out
}

const installCommand = "recollect plugin add PACKAGE"

// dropCommand gives the command that takes a plug-in out of a setting, where it is
// set.
func (e *Engine) dropCommand(setting, id string) string {
	value := "--unset"
	if setting == "extractors" {
		rest := slices.DeleteFunc(slices.Clone(e.settings().Extractors), func(x string) bool { return x == id || !e.installed(x) })
		if len(rest) > 0 {
			value = strings.Join(rest, ",")
		}
	}
	where := "--user"
	if e.SettingFrom(setting) == config.Project {
		where = "--shared"
	}
	return fmt.Sprintf("recollect config set %s %s %s", setting, value, where)
}
