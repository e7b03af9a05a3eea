package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"recollect/internal/atomicfile"
	"recollect/internal/config"
	"recollect/internal/filelock"
	"recollect/internal/history"
	"recollect/internal/history/archive"
	"recollect/internal/inject"
	"recollect/internal/keyring"
	"recollect/internal/llm"
	"recollect/internal/lookup"
	"recollect/internal/maintain"
	"recollect/internal/memorize"
	"recollect/internal/memory"
	"recollect/internal/plugin"
	"recollect/internal/safefile"
	"recollect/plugins"
)

// Exit codes of the program, the same for every command.
const (
	ExitDone      = 0
	ExitFailed    = 1
	ExitUsage     = 2
	ExitBusy      = 3
	ExitRefused   = 4
	ExitPartly    = 5
	ExitCancelled = 130
)

// ExitCodes says what they mean.
var ExitCodes = []struct {
	Code    int
	Meaning string
}{
	{ExitDone, "done, or nothing to do"},
	{ExitFailed, "failed; nothing was lost"},
	{ExitUsage, "wrong use of the command line, an unknown setting or value"},
	{ExitBusy, "another process holds the project, or a model's vendor asks to wait; try again"},
	{ExitRefused, "refused, to be safe: a file or a plug-in is not as it must be, or the budget is spent"},
	{ExitPartly, "partly done: some branches failed, the others are done"},
	{ExitCancelled, "cancelled; nothing is half done"},
}

// Problem is an error as a person or a program can use it.
type Problem struct {
	Code    string `json:"code"` // stable: "busy", "refused", …
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
	Detail  string `json:"detail,omitempty"` // for a plug-in's author
	Exit    int    `json:"exit"`
}

// Explain turns any error of this program into what a person needs: a
// sentence, what to do about it, and the exit code.
func Explain(err error) Problem {
	p := explain(err)
	if p.Message == "" {
		p.Message = err.Error()
	}
	return p
}

func explain(err error) Problem {
	var (
		refusal *inject.Refusal
		fault   *plugin.Error
		setting *config.ValueError
		file    *config.FileError
		project *ProjectError
		last    *LastError
		absent  *absentError
		wide    *wideError
		key     *keyring.Error
		vendor  *llm.Error
		inbox   *memory.InboxError
		edit    *memory.EditError
		others  *safefile.OthersError
		branch  *OtherBranchError
		head    *history.BranchError
	)
	switch {
	case errors.Is(err, filelock.ErrBusy) && !errors.Is(err, context.Canceled):
		return Problem{Code: "busy", Message: busyWith(err), Hint: "try again when it is done", Exit: ExitBusy}
	case errors.Is(err, context.Canceled):
		return Problem{Code: "cancelled", Message: "cancelled; nothing is half done", Exit: ExitCancelled}
	case errors.As(err, &refusal):
		return Problem{Code: "refused", Hint: hintFor(refusal), Exit: ExitRefused}
	case errors.As(err, &branch):
		return Problem{Code: "other_branch", Hint: branch.Hint(), Exit: ExitRefused}
	case errors.Is(err, errCheckedOut):
		return Problem{Code: "changed", Hint: "try again", Exit: ExitBusy}
	case errors.Is(err, memorize.ErrUnavailable):
		return Problem{Code: "no_model", Hint: "choose a model: recollect model; recollect usage tells what is left of its budget", Exit: ExitFailed}
	case errors.As(err, &wide):
		return Problem{Code: "too_wide", Hint: "go to a project's folder; recollect init --yes makes this one a project all the same", Exit: ExitRefused}
	case errors.Is(err, errNoProject):
		return Problem{Code: "no_project", Hint: "recollect init makes this folder a project; recollect projects lists those that there are", Exit: ExitRefused}
	case errors.As(err, &absent):
		return Problem{Code: "plugin_not_found", Hint: absent.Hint(), Exit: ExitFailed}
	case errors.As(err, &fault):
		return explainPlugin(fault)
	case errors.As(err, &vendor):
		return explainModel(vendor)
	case errors.As(err, &key):
		return Problem{Code: "key", Hint: key.Hint(), Exit: ExitFailed}
	case errors.Is(err, errNoKey):
		return Problem{Code: "no_key", Hint: "recollect auth test asks the program", Exit: ExitUsage}
	case errors.Is(err, errNoProvider):
		return Problem{Code: "no_model", Hint: "recollect model shows which there are and what each costs, and sets model.provider", Exit: ExitUsage}
	case errors.Is(err, errNoWay):
		return Problem{Code: "usage", Hint: "recollect model lists the ways", Exit: ExitUsage}
	case errors.Is(err, errNoLocal):
		return Problem{Code: "no_model", Hint: "start Ollama, LM Studio or another server, or name one with --address and --model", Exit: ExitFailed}
	case errors.As(err, &file):
		return Problem{Code: "settings", Hint: "mend the file by hand; it was left as it is. recollect doctor tells more", Exit: ExitUsage}
	case errors.As(err, &last):
		return Problem{Code: "refused", Hint: last.Hint(), Exit: ExitRefused}
	case errors.Is(err, errNoRole):
		return Problem{Code: "usage", Hint: "the roles are extractor, schema and policy", Exit: ExitUsage}
	case errors.Is(err, config.ErrPersonOnly):
		return Problem{Code: "settings", Hint: "set it with --user", Exit: ExitUsage}
	case errors.Is(err, ErrClaimsChanged):
		return Problem{Code: "changed", Hint: "look at it as it is now: recollect trust --show", Exit: ExitRefused}
	case errors.Is(err, ErrWaiting):
		return Problem{Code: "refused", Hint: "see it and decide first: recollect trust", Exit: ExitRefused}
	case errors.As(err, &setting):
		return Problem{Code: "settings", Hint: hintForSetting(setting.Key), Exit: ExitUsage}
	case errors.Is(err, config.ErrUnknownKey):
		return Problem{Code: "settings", Hint: "the settings are: " + strings.Join(config.Keys(), ", ") + ", plugins.ID", Exit: ExitUsage}
	case errors.As(err, &project) && !errors.Is(err, safefile.ErrOutside):
		return Problem{Code: "project", Hint: "--project takes a folder of the project", Exit: ExitUsage}
	case errors.Is(err, errNoTranscript):
		return Problem{Code: "usage", Hint: "--transcripts and --transcript take files and folders that exist", Exit: ExitUsage}
	case errors.Is(err, memory.ErrTaken):
		return Problem{Code: "refused", Hint: "two memories aren't made one; recollect show and recollect add take over what is worth it", Exit: ExitRefused}
	case errors.Is(err, memory.ErrNoMemory), errors.Is(err, errSameBranch):
		return Problem{Code: "usage", Hint: "recollect branches lists the branches that have one", Exit: ExitUsage}
	case errors.As(err, &head):
		return Problem{Code: "git", Hint: "name the branch: --branch NAME works all the same", Exit: ExitFailed}
	case errors.As(err, &others):
		return explainOthers(others)
	case errors.Is(err, safefile.ErrNotRegular), errors.Is(err, safefile.ErrNotFolder):
		return Problem{Code: "refused", Hint: "something else stands where a file or a folder must be; look at it and move it away", Exit: ExitRefused}
	case errors.Is(err, safefile.ErrTooLarge), errors.Is(err, safefile.ErrTooMany):
		return Problem{Code: "refused", Hint: "it has more than this program or an assistant makes; look at it", Exit: ExitRefused}
	case errors.As(err, &inbox):
		return Problem{Code: "damaged", Hint: "recollect memorize --again finds again what the history still says", Exit: ExitFailed}
	case errors.Is(err, memory.ErrFull):
		return Problem{Code: "full", Hint: "decide about some of them first: recollect review; nothing was lost, the turns are read again", Exit: ExitRefused}
	case errors.As(err, &edit):
		return explainEdit(edit)
	case errors.Is(err, memory.ErrStale):
		return Problem{Code: "changed", Hint: "look at it as it is now; recollect show --versions lists what it was before", Exit: ExitFailed}
	case lookup.Ambiguous(err):
		return Problem{Code: "ambiguous", Hint: "give more of it", Exit: ExitUsage}
	case errors.Is(err, ErrNoBranch):
		return Problem{Code: "not_found", Hint: "recollect branches lists those that have history or memory; recollect add --new begins the memory of another", Exit: ExitFailed}
	case errors.Is(err, errNoPlugin):
		return Problem{Code: "plugin_not_found", Hint: "recollect plugin list shows the plug-ins", Exit: ExitFailed}
	case errors.Is(err, errNoSession):
		return Problem{Code: "not_found", Hint: "recollect history sessions lists the sessions", Exit: ExitFailed}
	case errors.Is(err, memory.ErrNoItem):
		return Problem{Code: "not_found", Hint: "recollect show --ids lists the ids", Exit: ExitFailed}
	case errors.Is(err, memory.ErrNoConflict):
		return Problem{Code: "not_found", Hint: "recollect conflicts list shows those that are open", Exit: ExitFailed}
	case errors.Is(err, ErrNoProposal):
		return Problem{Code: "not_found", Hint: "recollect review lists those that wait", Exit: ExitFailed}
	case errors.Is(err, memory.ErrNewer), errors.Is(err, archive.ErrNewer), errors.Is(err, maintain.ErrNewerLog):
		return Problem{Code: "newer", Hint: "use the newer Recollect that wrote it", Exit: ExitFailed}
	case errors.Is(err, memory.ErrNoVersion):
		return Problem{Code: "not_found", Hint: "recollect show --versions lists them", Exit: ExitFailed}
	case errors.Is(err, memory.ErrChanged), errors.Is(err, atomicfile.ErrChanged):
		return Problem{Code: "busy", Hint: "somebody kept saving the same file; try again", Exit: ExitBusy}
	case errors.Is(err, plugins.ErrNotBuilt):
		return Problem{Code: "not_built", Exit: ExitFailed}
	case errors.Is(err, memory.ErrTooMuch):
		return Problem{Code: "too_large", Hint: "the file was left as it is: take out by hand what does not belong there", Exit: ExitRefused}
	case errors.Is(err, safefile.ErrOutside):
		return Problem{Code: "outside", Hint: "nothing was read or written there: remove the link, or put a file of the project in its place", Exit: ExitRefused}
	case errors.Is(err, syscall.ENOSPC):
		return Problem{Code: "disk_full", Hint: "make room and try again; nothing was lost", Exit: ExitFailed}
	case errors.Is(err, atomicfile.ErrReadOnly), errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return Problem{Code: "permission", Hint: "look at the permissions of the file and its folder", Exit: ExitFailed}
	}
	return Problem{Code: "failed", Exit: ExitFailed}
}

func hintFor(r *inject.Refusal) string {
	switch r.Problem {
	case inject.BrokenMarkers:
		return "the file was left as it is: mend or remove the marker lines by hand, then try again"
	case inject.Ambiguous:
		return "keep one of the files, or name it with --target"
	case inject.Unconfirmed:
		return "nothing was written there; see where it leads and decide: recollect trust"
	case inject.Outside, inject.Never:
		return "nothing was written; name a context file of the project with --target"
	case inject.HardLink, inject.BadLink, inject.LinkText, inject.NotAFile:
		return "the file was left as it is; name another one with --target"
	}
	return "the file was left as it is"
}

// explainEdit tells a person why their own words are not taken.
func explainEdit(e *memory.EditError) Problem {
	p := Problem{Code: e.Code, Message: e.Why, Exit: ExitUsage}
	switch e.Code {
	case memory.Duplicate:
		p.Hint, p.Exit = fmt.Sprintf("it is item %s; recollect edit changes its words, recollect move its section", e.ID), ExitFailed
	case onlySecret:
		p.Hint = "memory is plain files that may be shared: say where the secret is kept, not the secret"
	}
	return p
}

// hintForSetting says what a setting is for.
func hintForSetting(name string) string {
	for _, k := range config.Describe() {
		if k.Name == name {
			return k.Name + ": " + k.Doc
		}
	}
	return "recollect config list tells what each setting takes, recollect plugin info ID about a plug-in's"
}

// modelExits are the exit codes of what a person can do something about.
var modelExits = map[llm.Kind]int{
	llm.RateLimited: ExitBusy, llm.Overloaded: ExitBusy, llm.OverBudget: ExitRefused, llm.Withheld: ExitRefused, llm.Cancelled: ExitCancelled,
}

func explainModel(e *llm.Error) Problem {
	p := Problem{Code: "model_" + strings.ReplaceAll(string(e.Kind), "-", "_"), Hint: e.Hint(), Exit: ExitFailed}
	if exit, ok := modelExits[e.Kind]; ok {
		p.Exit = exit
	}
	return p
}

func explainPlugin(e *plugin.Error) Problem {
	p := Problem{Code: "plugin_" + strings.ReplaceAll(string(e.Kind), " ", "_"), Exit: ExitFailed}
	switch e.Kind {
	case plugin.KindDenied:
		p.Exit = ExitRefused
		p.Hint = fmt.Sprintf("recollect plugin info %s tells what it asks for; recollect plugin approve %s or enable %s allows it", e.Plugin, e.Plugin, e.Plugin)
	case plugin.KindPaused:
		p.Hint = fmt.Sprintf("recollect plugin info %s tells more; recollect plugin resume %s has it tried again", e.Plugin, e.Plugin)
	case plugin.KindNotFound:
		p.Hint = "recollect plugin list shows the plug-ins"
	case plugin.KindCancelled:
		p.Code, p.Exit = "cancelled", ExitCancelled
	}
	if e.Detail != "" {
		p.Detail = e.Detail
	}
	return p
}
