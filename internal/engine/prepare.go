package engine

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"recollect/internal/atomicfile"
	"recollect/internal/config"
	"recollect/internal/inject"
	"recollect/internal/memory"
	"recollect/internal/safefile"
)

// prepared is the block that a hook hands to an assistant, rendered when the
// memory changed, so that reading it needs no plug-in.
type prepared struct {
	Version  int             `json:"version"`
	Branch   string          `json:"branch"`
	Revision memory.Revision `json:"revision"` // of the memory that it shows
	Choice   string          `json:"choice"`   // policy, its configuration and the budget
	Held     string          `json:"held"`     // the items that were held back
	Text     string          `json:"text"`
	Tokens   int             `json:"tokens"` // of the block without its markers
}

const preparedVersion = 3

// fits says whether the block is the one of a memory and settings, and shows what
// may be shown now.
func (p prepared) fits(branch string, rev memory.Revision, choice, held string) bool {
	return p.Version == preparedVersion && p.Branch == branch && p.Revision == rev && p.Choice == choice && p.Held == held
}

// heldKey names the items of a memory that nobody here looked at.
func heldKey(k known) string {
	if len(k.Unseen) == 0 {
		return ""
	}
	return itemDigest("", strings.Join(slices.Sorted(slices.Values(k.Unseen)), " "))
}

// heldIf gives a key where the settings hold such items back.
func (e *Engine) heldIf(key string) string {
	if e.settings().Inject.Unseen == config.ShowUnseen {
		return ""
	}
	return key
}

// maxPrepared bounds the file: the text itself has at most inject.MaxHookChars
// characters.
const maxPrepared = 1 << 20

// preparedDir is where prepared blocks are, one file for each branch.
func (e *Engine) preparedDir() safefile.Folder { return e.state().Sub("prepared") }

func preparedName(branch string) string { return memory.FileStem(branch) + ".json" }

// loadPrepared gives the prepared block of a branch; nothing, if there is none.
func (e *Engine) loadPrepared(branch string) prepared {
	var p prepared
	data, _, err := e.preparedDir().Read(context.Background(), preparedName(branch), maxPrepared)
	if err != nil || json.Unmarshal(data, &p) != nil {
		return prepared{}
	}
	return p
}

// choice is what of the settings a prepared block depends on.
func (e *Engine) choice() string {
	b, err := json.Marshal([]any{e.schemaID(), e.policyID(), e.settings().Plugins[e.policyID()], e.settings().Inject.Budget})
	if err != nil {
		return ""
	}
	return string(b)
}

// prepare renders the block of a branch, and stores it where there is a state.
func (e *Engine) prepare(ctx context.Context, branch string) (string, error) {
	in := inject.Input{Budget: e.settings().Inject.Budget, Now: e.options.Now()}
	in.Memory.Branch = branch
	if err := e.fill(ctx, &in); err != nil {
		return "", err
	}
	m, rev, err := e.memories().Load(branch)
	if err != nil {
		return "", err
	}
	k, _ := e.lookNow().at(m)
	block, err := inject.Prepare(ctx, in)
	if err != nil {
		return "", err
	}
	text := inject.Wrap(inject.Hook, block.Text)
	data, err := json.Marshal(prepared{preparedVersion, branch, rev, e.choice(), e.heldIf(heldKey(k)), text, block.Tokens})
	if err != nil {
		return "", err
	}
	if !e.hasState() {
		return text, nil
	}
	if err := e.preparedDir().Make(0o700); err != nil {
		return "", err
	}
	return text, atomicfile.ReplaceIn(e.preparedDir(), preparedName(branch), data, atomicfile.Expect{}, atomicfile.Options{Mode: 0o600})
}

// Block gives what an assistant is shown of a branch's memory at the start of a
// session; "" if there is nothing to say. It is read as it was prepared if the
// memory and the settings are as they were then, else prepared again.
func (e *Engine) Block(ctx context.Context, branch *string) (string, error) {
	text, _, err := e.BlockHeld(ctx, branch)
	return text, err
}

// BlockHeld is Block, and says how many items are held back from it.
func (e *Engine) BlockHeld(ctx context.Context, branch *string) (text string, held int, err error) {
	name, err := e.branchName(branch)
	if err != nil {
		return "", 0, err
	}
	m, rev, err := e.memories().Load(name)
	if err != nil || rev == "" {
		return "", 0, err
	}
	k, err := e.lookAt(m)
	if err != nil {
		return "", 0, err
	}
	_, held = e.letThrough(m, k)
	if p := e.loadPrepared(name); p.fits(name, rev, e.choice(), e.heldIf(heldKey(k))) {
		return p.Text, held, nil
	}
	text, err = e.prepare(ctx, name)
	return text, held, err
}
