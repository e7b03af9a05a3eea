package engine

import (
	"context"
	"encoding/json"
	"path/filepath"
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
	Version int `json:"version"`
	blockKey
	Text   string   `json:"text"`
	Tokens int      `json:"tokens"` // of the block without its markers
	Items  []string `json:"items"`  // what it shows: contentDigest of each item
	File   string   `json:"file"`   // digest of the block that a context file would get, where some have one
}

const preparedVersion = 4

// fits says whether the block is the one of a memory and settings, and shows what
// may be shown now.
func (p prepared) fits(now blockKey) bool {
	return p.Version == preparedVersion && p.blockKey == now
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

const (
	// maxPrepared bounds the file: the text itself has at most inject.MaxHookChars
	// characters.
	maxPrepared = 1 << 20
	// maxPreparedFiles bounds the folder; there are about as many as branches.
	maxPreparedFiles = 100_000
)

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

// dropPrepared takes away the prepared block of a branch whose memory says something
// no more, and those of others that show it: they are prepared again when they are
// asked for.
func (e *Engine) dropPrepared(branch string, gone map[string]bool) {
	if len(gone) > 0 {
		e.dropPreparedWhere(func(p prepared) bool {
			return p.Branch == branch || slices.ContainsFunc(p.Items, func(d string) bool { return gone[d] })
		})
	}
}

// dropPreparedOf takes away the prepared block of a branch.
func (e *Engine) dropPreparedOf(branch string) {
	e.dropPreparedWhere(func(p prepared) bool { return p.Branch == branch })
}

// dropPreparedWhere takes away the prepared blocks that are so, and those that can't be
// read.
func (e *Engine) dropPreparedWhere(so func(prepared) bool) {
	if !e.hasState() {
		return
	}
	in := e.preparedDir()
	files, _ := in.ReadDir(maxPreparedFiles)
	for _, f := range files {
		if filepath.Ext(f.Name()) != ".json" {
			continue
		}
		var p prepared
		data, _, err := in.Read(context.Background(), f.Name(), maxPrepared)
		if err != nil || json.Unmarshal(data, &p) != nil || p.Version != preparedVersion || so(p) {
			_ = in.Remove(f.Name())
		}
	}
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
	key, err := e.blockKeyNow(branch)
	if err != nil {
		return "", err
	}
	block, err := inject.Prepare(ctx, in, inject.Hook)
	if err != nil {
		return "", err
	}
	var file inject.Block
	if len(e.loadInjected()) > 0 { // else nobody asks whether it is older
		if file, err = inject.Prepare(ctx, in, inject.File); err != nil {
			return "", err
		}
	}
	text := inject.Wrap(inject.Hook, block.Text)
	p := prepared{Version: preparedVersion, blockKey: key, Text: text, Tokens: block.Tokens, Items: []string{}, File: textDigest(file.Text)}
	for _, s := range block.Shown {
		for _, it := range in.Memory.Items {
			if it.ID == s.ID {
				p.Items = append(p.Items, contentDigest(it))
			}
		}
	}
	data, err := json.Marshal(p)
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
	if p := e.loadPrepared(name); p.fits(blockKey{name, rev, e.choice(), e.heldIf(heldKey(k))}) {
		return p.Text, held, nil
	}
	text, err = e.prepare(ctx, name)
	return text, held, err
}
