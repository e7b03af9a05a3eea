package history

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tableRef is a record for a table that a test makes.
type tableRef struct {
	name, symbolic string
	kind           int
}

func varint(n uint64) []byte {
	out := []byte{byte(n & 0x7f)}
	for n >>= 7; n > 0; n >>= 7 {
		n--
		out = append([]byte{byte(n&0x7f) | 0x80}, out...)
	}
	return out
}

// table makes a table with one block for each list of refs.
func table(version byte, size int, blocks ...[]tableRef) []byte {
	put24 := func(n int) []byte { return []byte{byte(n >> 16), byte(n >> 8), byte(n)} }
	out := append([]byte{'R', 'E', 'F', 'T', version}, put24(size)...)
	out = append(out, make([]byte, 16)...)
	id := 20
	if version == 2 {
		out, id = append(out, "s256"...), 32
	}
	first := len(out)
	for i, refs := range blocks {
		var b []byte
		before := ""
		for _, r := range refs {
			shared := 0
			for shared < len(before) && shared < len(r.name) && before[shared] == r.name[shared] {
				shared++
			}
			b = append(b, varint(uint64(shared))...)
			b = append(b, varint(uint64(len(r.name)-shared)<<3|uint64(r.kind))...)
			b = append(append(b, r.name[shared:]...), varint(7)...)
			switch r.kind {
			case refSymbolic:
				b = append(append(b, varint(uint64(len(r.symbolic)))...), r.symbolic...)
			case refCommit, refPeeled:
				b = append(b, bytes.Repeat([]byte{0xab}, id*r.kind)...)
			}
			before = r.name
		}
		length := 4 + len(b) + 3 + 2
		if i == 0 {
			length += first
		}
		start := len(out)
		out = append(append(append(out, 'r'), put24(length)...), b...)
		out = append(append(out, put24(4)...), 0, 1)
		if size > 0 {
			if i == 0 {
				start = 0
			}
			out = append(out, make([]byte, max(start+size-len(out), 0))...)
		}
	}
	return append(out, "footer"...)
}

func reftableRepo(t *testing.T, tables ...[]byte) string {
	t.Helper()
	r := mkdir(t, world(t), "repo")
	mkdir(t, filepath.Join(r, ".git", "objects"))
	mkdir(t, filepath.Join(r, ".git", "reftable"))
	put := func(name, text string) {
		if err := os.WriteFile(filepath.Join(r, ".git", name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("HEAD", "ref: refs/heads/.invalid\n")
	list := ""
	for i, data := range tables {
		name := strings.Repeat("0", 3) + string(rune('a'+i)) + ".ref"
		put(filepath.Join("reftable", name), string(data))
		list += name + "\n"
	}
	put("reftable/tables.list", list)
	return r
}

func TestGitBranchInAReftable(t *testing.T) {
	t.Parallel()
	head := func(to string) tableRef { return tableRef{"HEAD", "refs/heads/" + to, refSymbolic} }
	other := tableRef{"refs/heads/main", "", refCommit}
	long := tableRef{"refs/heads/" + strings.Repeat("x", 300), "", refPeeled}
	for name, c := range map[string]struct {
		tables [][]byte
		want   string
	}{
		"one":              {[][]byte{table(1, 4096, []tableRef{head("main"), other})}, "main"},
		"sha256":           {[][]byte{table(2, 4096, []tableRef{{"AUTO_MERGE", "", refPeeled}, head("main"), other})}, "main"},
		"the newest":       {[][]byte{table(1, 4096, []tableRef{head("main")}), table(1, 4096, []tableRef{head("feature/größe")})}, "feature/größe"},
		"a commit since":   {[][]byte{table(1, 4096, []tableRef{head("main")}), table(1, 4096, []tableRef{other})}, "main"},
		"no padding":       {[][]byte{table(1, 0, []tableRef{{"A", "", refDeleted}, {"ABC", "", refCommit}}, []tableRef{head("x")})}, "x"},
		"padding":          {[][]byte{table(1, 512, []tableRef{{"A", "", refPeeled}}, []tableRef{head("x")}, []tableRef{long})}, "x"},
		"detached":         {[][]byte{table(1, 4096, []tableRef{{"HEAD", "", refCommit}})}, Detached},
		"nothing but logs": {[][]byte{table(1, 4096, []tableRef{head("main")}), append(table(1, 4096), 'g', 0, 0, 0)}, "main"},
	} {
		r := reftableRepo(t, c.tables...)
		if got, err := GitBranch(r); err != nil || got != c.want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	whole := table(1, 4096, []tableRef{head("main"), other})
	for name, data := range map[string][]byte{
		"empty": nil, "cut": whole[:40], "no table": []byte("REFX" + string(whole[4:])), "no head": table(1, 4096, []tableRef{other}),
		"gone": table(1, 4096, []tableRef{{"HEAD", "", refDeleted}}),
	} {
		r := reftableRepo(t, data)
		if got, err := GitBranch(r); err == nil {
			t.Errorf("%s: %q", name, got)
		}
	}
	r := reftableRepo(t, whole)
	if err := os.WriteFile(filepath.Join(r, ".git", "reftable", "tables.list"), []byte("../../x.ref\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, err := GitBranch(r); err == nil {
		t.Errorf("out of the folder: %q", got)
	}
}

// TestGitBranchInGitsReftable asks git itself.
func TestGitBranchInGitsReftable(t *testing.T) {
	t.Parallel()
	w := world(t)
	r := filepath.Join(w, "repo")
	if out, err := exec.Command("git", "init", "-q", "-b", "main", "--ref-format=reftable", r).CombinedOutput(); err != nil {
		t.Skipf("needs git 2.45 or later: %s", out)
	}
	want := func(dir, branch string) {
		t.Helper()
		if got, err := GitBranch(dir); err != nil || got != branch {
			t.Errorf("%q, %v; want %q", got, err, branch)
		}
	}
	want(r, "main")
	git(t, r, "commit", "-q", "--allow-empty", "-m", "1")
	git(t, r, "checkout", "-q", "-b", "feature/größe")
	want(r, "feature/größe")
	tree := filepath.Join(w, "tree")
	git(t, r, "worktree", "add", "-q", "-b", "tree/a", tree)
	want(tree, "tree/a")
	want(r, "feature/größe")
	git(t, r, "pack-refs", "--all")
	want(r, "feature/größe")
	git(t, r, "checkout", "-q", "--detach")
	want(r, Detached)
}

func FuzzHeadIn(f *testing.F) {
	f.Add(table(1, 4096, []tableRef{{"HEAD", "refs/heads/main", refSymbolic}}))
	f.Add(table(2, 64, []tableRef{{"A", "", refPeeled}}, []tableRef{{"HEAD", "refs/heads/main", refSymbolic}}))
	f.Add(table(1, 0, []tableRef{{"A", "", refDeleted}}, []tableRef{{"HEAD", "", refCommit}}))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, ref, found, err := headIn(data)
		if !found && ref != "" || err != nil && found {
			t.Fatal(ref, found, err)
		}
	})
}

func TestBranchesOfAReftable(t *testing.T) {
	t.Parallel()
	r := reftableRepo(t,
		table(1, 0, []tableRef{
			{name: "HEAD", symbolic: "refs/heads/main", kind: refSymbolic}, {name: "refs/heads/feature/a", kind: refCommit},
			{name: "refs/heads/gone", kind: refCommit}, {name: "refs/heads/main", kind: refCommit}, {name: "refs/tags/v1", kind: refPeeled},
		}),
		table(2, 4096, []tableRef{{name: "refs/heads/gone"}}, []tableRef{{name: "refs/heads/new", kind: refCommit}, {name: "refs/remotes/origin/x", kind: refCommit}}),
		[]byte("no table"))
	// What git puts there for programs that know no reftable.
	if err := errors.Join(os.MkdirAll(filepath.Join(r, ".git", "refs"), 0o755), os.WriteFile(filepath.Join(r, ".git", "refs", "heads"), []byte("this repository uses the reftable format\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if got, want := GitBranches(t.Context(), r), []string{"feature/a", "main", "new"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
