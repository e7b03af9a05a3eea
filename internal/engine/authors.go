package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"recollect/internal/blame"
	"recollect/internal/history"
	"recollect/internal/memory"
	"recollect/internal/printable"
)

// authors are what git said of memories, so that a face that looks again and again
// starts it once for a commit.
type authors struct {
	mu   sync.Mutex
	told map[string]gitSaid // by branch
	// gaveUp is the commit of which git could not tell in time.
	gaveUp string
}

type gitSaid struct {
	commit string
	from   map[string]string // by digest of the item
}

const (
	maxAuthorName  = 60   // characters of a name
	maxAuthorText  = 1000 // of it that are looked through for secrets
	maxAuthorNames = 1000 // of one memory
	maxItemAuthors = 3    // who are named for one item
	maxAuthors     = 5    // who are named for several
)

// authorsOf says whom git names as the authors of a memory's unseen items, by digest
// and in one line each. What it does not know, or not in time, is left out: an item
// that is not committed, and one of a commit that is not here. A hook asks for
// nobody's name, so that it need not wait for git.
func (e *Engine) authorsOf(ctx context.Context, now history.Checkout, m memory.Memory, k known) map[string]string {
	commit := now.Commit()
	if len(k.Unseen) == 0 || commit == "" || now.Common == "" || ctx.Err() != nil {
		return nil
	}
	e.authors.mu.Lock()
	defer e.authors.mu.Unlock()
	if t := e.authors.told[m.Branch]; t.commit == commit {
		return t.from
	}
	if e.authors.gaveUp == commit {
		return nil
	}
	from, err := e.askGit(ctx, now, m)
	if errors.Is(err, context.Canceled) {
		return nil
	}
	if errors.Is(err, context.DeadlineExceeded) {
		e.authors.gaveUp = commit
		return nil
	}
	if e.authors.told == nil {
		e.authors.told = map[string]gitSaid{}
	}
	e.authors.told[m.Branch] = gitSaid{commit, from}
	return from
}

func (e *Engine) askGit(ctx context.Context, now history.Checkout, m memory.Memory) (map[string]string, error) {
	file, _, err := e.memories().Markdown(m.Branch, "")
	if err != nil || file == "" {
		return nil, err
	}
	path, err := filepath.Rel(now.Top, file)
	if err != nil {
		return nil, err
	}
	lines, err := blame.File(ctx, blame.Source{Top: now.Top, Common: now.Common, Commit: now.Commit(), Path: filepath.ToSlash(path)})
	if err != nil {
		return nil, err
	}
	var text strings.Builder
	for _, l := range lines {
		text.WriteString(l.Text + "\n")
	}
	from, names := map[string]string{}, map[string]string{}
	for _, p := range memory.Places([]byte(text.String()), m.Layout) {
		var wrote []string
		for _, l := range lines[p.First:p.End] {
			name, known := names[l.Author]
			if !known && len(names) < maxAuthorNames {
				name = e.authorName(l.Author)
				names[l.Author] = name
			}
			if name != "" && !slices.Contains(wrote, name) {
				wrote = append(wrote, name)
			}
		}
		if len(wrote) > maxItemAuthors {
			wrote = append(wrote[:maxItemAuthors], "others")
		}
		from[itemDigest(p.Section, p.Content)] = enumerate(wrote)
	}
	return from, nil
}

// authorName is a name as a commit has it, fit to be shown: anybody can have put
// anything there.
func (e *Engine) authorName(name string) string {
	name = e.redacted(printable.Line(name, maxAuthorText))
	return strings.TrimSpace(printable.Line(strings.Join(strings.Fields(name), " "), maxAuthorName))
}

// countAuthors says how many items are from whom, most first: "A (12) and B (3)".
// Items of nobody known are left out; "" if there are no others.
func countAuthors(from []string) string {
	counts := map[string]int{}
	for _, name := range from {
		if name != "" {
			counts[name]++
		}
	}
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(counts[b]-counts[a], strings.Compare(a, b))
	})
	var parts []string
	rest := 0
	for i, name := range names {
		if i < maxAuthors {
			parts = append(parts, fmt.Sprintf("%s (%d)", name, counts[name]))
		} else {
			rest += counts[name]
		}
	}
	if rest > 0 {
		parts = append(parts, fmt.Sprintf("others (%d)", rest))
	}
	return enumerate(parts)
}
