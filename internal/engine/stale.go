package engine

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"recollect/internal/history"
	"recollect/internal/inject"
	"recollect/internal/memory"
)

// StaleBlock is a file in which assistants read something else than what is
// remembered now of what is checked out.
type StaleBlock struct {
	Path  string `json:"path"`
	Name  string `json:"name"`  // of the target
	Words string `json:"words"` // what it shows: "an older memory"
}

// blockKey says what a block was made of: of the same key the same block is made, but
// for what becomes less important with time.
type blockKey struct {
	Branch   string          `json:"branch"`
	Revision memory.Revision `json:"revision"` // of the memory that it shows; "": nothing was remembered
	Choice   string          `json:"choice"`   // policy, its configuration and the budget
	Held     string          `json:"held"`     // the items that were held back
}

// blockKeyNow is that of the block which would be made now.
func (e *Engine) blockKeyNow(branch string) (blockKey, error) {
	m, rev, err := e.memories().Load(branch)
	if err != nil {
		return blockKey{}, err
	}
	k, _ := e.lookNow().at(m)
	return blockKey{branch, rev, e.choice(), e.heldIf(heldKey(k))}, nil
}

// injected keeps which blocks were written on this machine, by file, so that one that
// is older is known without a plug-in.
type injected struct {
	Version int                      `json:"version"`
	Files   map[string]injectedBlock `json:"files"`
}

type injectedBlock struct {
	blockKey
	Block string `json:"block"` // digest of its text
}

const (
	injectedName    = "injected.json"
	injectedVersion = 1
	maxInjected     = 1 << 20
	maxInjectedOf   = 256 // files
)

func (e *Engine) loadInjected() map[string]injectedBlock {
	var all injected
	data, _, err := e.state().Read(context.Background(), injectedName, maxInjected)
	if err != nil || json.Unmarshal(data, &all) != nil || all.Version != injectedVersion || all.Files == nil {
		return map[string]injectedBlock{}
	}
	return all.Files
}

// textDigest names the text of a block, whatever blank lines are around it.
func textDigest(text string) string { return itemDigest("", strings.TrimSpace(text)) }

// noteInjected keeps what the targets have after an injection. What can't be kept
// makes a block look older than it is, which an injection mends.
func (e *Engine) noteInjected(in inject.Input, key blockKey, report inject.Report) {
	if !e.hasState() {
		return
	}
	have, err := inject.Blocks(in)
	if err != nil {
		return
	}
	all := e.loadInjected()
	before := maps.Clone(all)
	for _, r := range report.Targets {
		delete(all, r.Path)
	}
	for _, p := range have {
		if len(all) < maxInjectedOf {
			all[p.Path] = injectedBlock{key, textDigest(p.Text)}
		}
	}
	if !maps.Equal(before, all) {
		_ = e.keepState(injectedName, injected{injectedVersion, all})
	}
}

// StaleBlocks looks at the targets of the settings. No plug-in is opened.
func (e *Engine) StaleBlocks() []StaleBlock {
	return e.staleBlocks(func(branch string) blockKey {
		key, err := e.blockKeyNow(branch)
		if err != nil {
			return blockKey{} // show and doctor tell of it
		}
		return key
	})
}

// staleBlocks is StaleBlocks for those who know the keys; one without a branch is not
// known.
func (e *Engine) staleBlocks(keyOf func(branch string) blockKey) []StaleBlock {
	head := e.Head()
	if !e.settings().Inject.Enabled || !e.hasState() || head.State == HeadUnknown {
		return nil
	}
	var in inject.Input
	if e.aim(&in, nil) != nil {
		return nil
	}
	have, err := inject.Blocks(in)
	if err != nil || len(have) == 0 {
		return nil
	}
	written := e.loadInjected()
	keys := map[string]blockKey{}
	var out []StaleBlock
	for _, p := range have {
		digest := textDigest(p.Text)
		was, known := written[p.Path]
		known = known && was.Block == digest
		branch := head.Branch
		if head.State == HeadNone && known {
			branch = was.Branch // no branch is another's
		}
		key, asked := keys[branch]
		if !asked {
			key = keyOf(branch)
			keys[branch] = key
		}
		if words := e.shows(digest, was, known, key, head); words != "" {
			out = append(out, StaleBlock{p.Path, p.Name, words})
		}
	}
	return slices.Clip(out)
}

// shows says what a block shows instead of what is remembered now; "" if it shows
// just that, or nobody can tell.
func (e *Engine) shows(digest string, was injectedBlock, known bool, now blockKey, head Head) string {
	switch {
	case now.Branch == "", known && was.blockKey == now:
		return ""
	case now.Revision == "" && head.State != HeadBranch:
		return "" // as during a rebase: what was checked out comes back
	case known && was.Branch != now.Branch:
		return "the memory of " + history.BranchSubject(was.Branch) + ", but " + head.String()
	case now.Revision == "":
		return "a memory, but nothing is remembered of " + history.BranchSubject(now.Branch)
	}
	if p := e.loadPrepared(now.Branch); p.fits(now) && p.File == digest {
		return ""
	}
	return "an older memory"
}
