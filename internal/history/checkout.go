package history

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"recollect/internal/safefile"
)

// Checkout says what git has put into a work tree, as far as its files tell
// without git: enough to tell a person's edit from what git brought.
type Checkout struct {
	// ID changes when git brings other content: with the commit that is checked
	// out, and with a merge, a rebase or the like that is under way. Without git it
	// is "".
	ID string
	// Known says that ID could be told. One that could not is equal to none.
	Known bool
	// Busy says that git works on the files now.
	Busy bool
	// Index is when git, or the person through git, noted last what the files are;
	// zero if it never did. Git does so after it wrote files, and sets the commit
	// after that.
	Index time.Time
	// Top is the root of the work tree, "" without git. Common is the repository's
	// common git directory, "" if it is not shown to be this work tree's.
	Top, Common string
}

// Commit is the id of the commit that is checked out, "" if there is none or it
// can't be told.
func (c Checkout) Commit() string {
	id, _, _ := strings.Cut(c.ID, " ")
	if raw, err := hex.DecodeString(id); !c.Known || err != nil || len(raw) != 20 && len(raw) != 32 {
		return ""
	}
	return strings.ToLower(id)
}

// Same says whether git surely brought nothing between two looks.
func (c Checkout) Same(id string) bool { return c.Known && c.ID == id }

// maxRefs bounds the file of packed refs, some hundred thousand of them.
const maxRefs = 32 << 20

// underway are the files and folders of a git directory that are there while
// something is brought into the work tree without, or before, a commit.
var underway = []string{"MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "SQUASH_MSG", "AUTO_MERGE", "rebase-merge", "rebase-apply"}

// CheckoutOf looks at the work tree that a folder lies in.
func CheckoutOf(dir string) Checkout {
	for path := dir; ; {
		tree, ok := openGit(path)
		if ok && tree.dir == "" {
			return Checkout{}
		}
		if ok {
			return tree.checkout()
		}
		parent := filepath.Dir(path)
		if parent == path {
			return Checkout{Known: true}
		}
		path = parent
	}
}

func (t gitTree) checkout() Checkout {
	c := Checkout{Top: t.top, Common: t.common}
	own := safefile.Beneath(t.dir)
	if info, err := own.Stat("index"); err == nil {
		c.Index = info.ModTime()
	}
	_, err := own.Lstat("index.lock")
	c.Busy = err == nil
	if c.ID, c.Known = t.commit(own); !c.Known {
		return c
	}
	for _, name := range underway {
		if _, err := own.Lstat(name); err != nil {
			continue
		}
		data, _, _ := own.Read(context.Background(), name, maxGitFile)
		c.ID += fmt.Sprintf(" %s %.80q", name, data)
	}
	return c
}

// commit names the commit that is checked out: its id, or the branch that has none
// yet.
func (t gitTree) commit(own safefile.Folder) (string, bool) {
	ctx := context.Background()
	head, _, err := own.Read(ctx, "HEAD", maxGitFile)
	if err != nil {
		return "", false
	}
	ref, is := strings.CutPrefix(strings.TrimSpace(string(head)), "ref:")
	if !is {
		return strings.TrimSpace(string(head)), len(head) > 0
	}
	common := safefile.Beneath(t.common)
	ref = strings.TrimSpace(ref)
	if ref == reftableMark {
		// A reftable: its list changes with every ref.
		list, _, err := common.Read(ctx, filepath.Join("reftable", "tables.list"), maxGitFile)
		return string(list), err == nil && len(list) > 0
	}
	if loose, _, err := common.Read(ctx, filepath.FromSlash(ref), maxGitFile); err == nil {
		return strings.TrimSpace(string(loose)), true
	}
	packed, _, err := common.Read(ctx, "packed-refs", maxRefs)
	if err == nil {
		for line := range bytes.Lines(packed) {
			if id, name, ok := strings.Cut(strings.TrimSpace(string(line)), " "); ok && name == ref && !strings.HasPrefix(id, "#") {
				return id, true
			}
		}
	}
	return "unborn " + ref, true
}
