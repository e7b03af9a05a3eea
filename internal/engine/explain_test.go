package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"recollect/internal/config"
	"recollect/internal/filelock"
	"recollect/internal/inject"
	"recollect/internal/memorize"
	"recollect/internal/memory"
	"recollect/internal/plugin"
	"recollect/plugins"
)

func TestExplain(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		err  error
		code string
		exit int
	}{
		{&filelock.BusyError{Path: "x.lock", Holder: "recollect, process 7"}, "busy", ExitBusy},
		{memory.ErrChanged, "busy", ExitBusy},
		{context.Canceled, "cancelled", ExitCancelled},
		{&inject.Refusal{Path: "CLAUDE.md", Lines: []int{3}, Problem: inject.BrokenMarkers, Reason: "no end"}, "refused", ExitRefused},
		{&inject.Refusal{Path: "CLAUDE.md", Problem: inject.Unconfirmed, Reason: "a link out of the project"}, "refused", ExitRefused},
		{&inject.Refusal{Path: ".git/x.md", Problem: inject.Never, Reason: "can't be a target"}, "refused", ExitRefused},
		{&plugin.Error{Plugin: "a.b", Kind: plugin.KindDenied, Reason: "it is not approved yet"}, "plugin_denied", ExitRefused},
		{&plugin.Error{Plugin: "a.b", Kind: plugin.KindTrap, Reason: "it crashed", Detail: "stack"}, "plugin_trap", ExitFailed},
		{&plugin.Error{Plugin: "a.b", Kind: plugin.KindInvalid, Reason: "no Wasm"}, "plugin_invalid_module", ExitFailed},
		{&plugin.Error{Plugin: "a.b", Kind: plugin.KindCancelled, Reason: "the call was stopped"}, "cancelled", ExitCancelled},
		{&config.FileError{Path: "config.json", Err: errors.New("not readable")}, "settings", ExitUsage},
		{&config.ValueError{Key: "inject.budget", Value: "1", Want: "more"}, "settings", ExitUsage},
		{fmt.Errorf("%q: %w", "x", config.ErrUnknownKey), "settings", ExitUsage},
		{&ProjectError{Dir: "/nowhere", Err: fs.ErrNotExist}, "project", ExitUsage},
		{errNoTranscript, "usage", ExitUsage},
		{errNoProject, "no_project", ExitRefused},
		{&wideError{"/home/x"}, "too_wide", ExitRefused},
		{&absentError{[]Absent{{Plugin: "a.b"}}}, "plugin_not_found", ExitFailed},
		{&LastError{Plugin: "a.b", Role: "schema"}, "refused", ExitRefused},
		{fmt.Errorf("%q: %w", "x", errNoRole), "usage", ExitUsage},
		{fmt.Errorf("%w: %w", memorize.ErrUnavailable, &plugin.Error{Plugin: "a.b", Kind: plugin.KindFailed, Reason: "no model"}), "no_model", ExitFailed},
		{memory.ErrNoItem, "not_found", ExitFailed},
		{memory.ErrNoVersion, "not_found", ExitFailed},
		{plugins.ErrNotBuilt, "not_built", ExitFailed},
		{fs.ErrPermission, "permission", ExitFailed},
		{&fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}, "disk_full", ExitFailed},
		{&fs.PathError{Op: "open", Path: "x", Err: syscall.EROFS}, "permission", ExitFailed},
		{errors.New("anything else"), "failed", ExitFailed},
	} {
		for _, err := range []error{tt.err, fmt.Errorf("branch %q: %w", "main", tt.err)} {
			p := Explain(err)
			if p.Code != tt.code || p.Exit != tt.exit {
				t.Errorf("%v: %s, exit %d; want %s, %d", err, p.Code, p.Exit, tt.code, tt.exit)
			}
			if p.Message == "" || tt.code != "cancelled" && tt.code != "busy" && !strings.Contains(p.Message, tt.err.Error()) {
				t.Errorf("%v: the message is %q", err, p.Message)
			}
		}
	}
}

func TestEveryExitCodeHasAMeaning(t *testing.T) {
	t.Parallel()
	known := map[int]bool{}
	for _, c := range ExitCodes {
		if c.Meaning == "" || known[c.Code] {
			t.Errorf("exit code %d: %q", c.Code, c.Meaning)
		}
		known[c.Code] = true
	}
	for _, c := range []int{ExitDone, ExitFailed, ExitUsage, ExitBusy, ExitRefused, ExitPartly, ExitCancelled} {
		if !known[c] {
			t.Errorf("exit code %d is not told", c)
		}
	}
}

// A folder that is gone is named once, without the call that met it.
func TestProjectErrorNamesTheFolderOnce(t *testing.T) {
	err := &ProjectError{Dir: "/nowhere", Err: &fs.PathError{Op: "stat", Path: "/nowhere", Err: fs.ErrNotExist}}
	if got, want := err.Error(), "/nowhere: file does not exist"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		t.Error("the cause is lost")
	}
}
