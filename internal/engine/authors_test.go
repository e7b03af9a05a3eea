package engine

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// cameFromTwo is came, met by this machine first when three items of two authors
// are there.
func cameFromTwo(t *testing.T, second string) *Engine {
	e, git := came(t)
	lines(t, e, "It came.", "It came too.", "That one\n  in two lines came.")
	git("commit", "-q", "-a", "-m", "more", "--author", second+" <b@example.org>")
	return e
}

func TestUnseenItemsSayFromWhom(t *testing.T) {
	e := cameFromTwo(t, "Bob")
	trust, err := e.Trust(t.Context())
	if err != nil || len(trust.Claims) != 1 {
		t.Fatalf("got %+v, %v", trust, err)
	}
	c := trust.Claims[0]
	want := []ClaimedItem{
		{"conventions", "It came.", "t"}, {"conventions", "It came too.", "Bob"}, {"conventions", "That one in two lines came.", "Bob"},
	}
	if got, _ := c.Value.([]ClaimedItem); !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got, want := c.Words, "3 items that came with the repository, from Bob (2) and t (1), would be shown to assistants."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	shown, err := e.Show(nil, "")
	if err != nil || shown.From() != "Bob (2) and t (1)" || shown.Items[0].From != "t" {
		t.Errorf("got %+v, %v", shown, err)
	}
	view, err := e.Memory(t.Context(), "main")
	if err != nil || view.Items[1].From != "Bob" {
		t.Errorf("got %+v, %v", view, err)
	}
	u, err := e.Unseen(nil)
	if err != nil || u.From != "Bob (2) and t (1)" {
		t.Errorf("got %+v, %v", u, err)
	}

	// A yes is to the items, with whatever git says of them or not.
	t.Setenv("PATH", t.TempDir())
	other := openEngine(t, e.options)
	if again, err := other.Trust(t.Context()); err != nil || again.Digest != trust.Digest || strings.Contains(again.Claims[0].Words, "from") {
		t.Errorf("got %+v, %v, want the digest %s", again, err, trust.Digest)
	}
	given, err := other.GiveTrust(t.Context(), trust.Digest)
	if err != nil || given.Status != TrustGiven {
		t.Fatalf("got %+v, %v", given, err)
	}
	if shown, err = e.Show(nil, ""); err != nil || shown.From() != "" || shown.Unseen() != 0 {
		t.Errorf("of seen items: %+v, %v", shown, err)
	}
}

// TestUnseenItemOfSeveralAuthors names all who wrote it: who changed the second line
// of an item does not hide behind who wrote the first.
func TestUnseenItemOfSeveralAuthors(t *testing.T) {
	e, git := came(t)
	lines(t, e, "It came\n  as it was.")
	git("commit", "-q", "-a", "-m", "more", "--author", "Ada <a@example.org>")
	lines(t, e, "It came\n  as it was not.")
	git("commit", "-q", "-a", "-m", "more", "--author", "Bob <b@example.org>")
	if shown, err := e.Show(nil, ""); err != nil || len(shown.Items) != 1 || shown.Items[0].From != "Ada and Bob" {
		t.Errorf("got %+v, %v", shown, err)
	}
}

func TestUnseenItemsOfNobodyKnown(t *testing.T) {
	e, _ := came(t)
	lines(t, e, "It came.", "Nobody committed this.")
	shown, err := e.Show(nil, "")
	if err != nil || shown.Unseen() != 2 || shown.From() != "t (1)" || shown.Items[1].From != "" {
		t.Errorf("got %+v, %v", shown, err)
	}
	text, err := json.Marshal(shown.Items[1])
	if err != nil || strings.Contains(string(text), `"from"`) {
		t.Errorf("got %s, %v", text, err)
	}
}

func TestUnseenAuthorsNamesAreAStrangersWords(t *testing.T) {
	for name, c := range map[string]struct{ author, want string }{
		"control": {"Eve\x1b[2J\u202e\u200b Ann", "Eve[2J Ann"},
		"long":    {strings.Repeat("n", 300), strings.Repeat("n", maxAuthorName) + "…"},
	} {
		t.Run(name, func(t *testing.T) {
			e := cameFromTwo(t, c.author)
			if shown, err := e.Show(nil, ""); err != nil || shown.Items[1].From != c.want {
				t.Errorf("got %+v, %v, want %q", shown.Items, err, c.want)
			}
		})
	}
	secret := "ghp_" + strings.Repeat("a1B2", 9)
	for _, author := range []string{"token " + secret, "token " + secret[:10] + "\u200b" + secret[10:], strings.Repeat("n ", 25) + secret} {
		e := cameFromTwo(t, author)
		shown, err := e.Show(nil, "")
		if err != nil || shown.Items[1].From == "" || strings.Contains(shown.Items[1].From, "a1B2") {
			t.Errorf("of %q: %+v, %v", author, shown.Items, err)
		}
	}
}

// TestUnseenAuthorsWaitOnce has a git that hangs: what is shown comes without
// authors, and it is not started again for the commit.
func TestUnseenAuthorsWaitOnce(t *testing.T) {
	e := cameFromTwo(t, "Bob")
	if os.PathSeparator == '\\' {
		t.Skip("the program is a shell script")
	}
	bin := t.TempDir()
	write(t, filepath.Join(bin, "git"), []byte("#!/bin/sh\necho run >>'"+bin+"/runs'\nexec sleep 600\n"))
	if err := os.Chmod(filepath.Join(bin, "git"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	for range 3 {
		if shown, err := e.Show(nil, ""); err != nil || shown.Unseen() != 3 || shown.From() != "" {
			t.Errorf("got %+v, %v", shown, err)
		}
		if trust, err := e.Trust(t.Context()); err != nil || trust.Status != TrustAsked {
			t.Errorf("got %+v, %v", trust, err)
		}
	}
	if runs, err := os.ReadFile(filepath.Join(bin, "runs")); err != nil || string(runs) != "run\n" {
		t.Errorf("it was run %q, %v", runs, err)
	}
}

// TestUnseenHeldWithoutGit: what a hook asks does not wait for git.
func TestUnseenHeldWithoutGit(t *testing.T) {
	e := cameFromTwo(t, "Bob")
	if _, held, err := e.BlockHeld(t.Context(), nil); err != nil || held != 3 {
		t.Errorf("held %d, %v", held, err)
	}
	if _, err := e.Status(t.Context()); err != nil {
		t.Error(err)
	}
	if e.authors.told != nil {
		t.Errorf("git was asked: %+v", e.authors.told)
	}
}

// TestUnseenAuthorsInPartOfRepository has a project that is a folder of a repository.
func TestUnseenAuthorsInPartOfRepository(t *testing.T) {
	e, git := came(t)
	part := filepath.Join(e.Root(), "part")
	write(t, filepath.Join(part, ".recollect", "branches", "main.md"), []byte("# Branch Memory: main\n\n## Facts\n\n- Part came.\n"))
	git("add", "-A", "part")
	git("commit", "-q", "-m", "part", "--author", "Bob <b@example.org>")
	o := e.options
	o.Dir = part
	of := openEngine(t, o)
	if of.Root() != part {
		t.Fatalf("the project is %s", of.Root())
	}
	if shown, err := of.Show(nil, ""); err != nil || shown.From() != "Bob (1)" {
		t.Errorf("got %+v, %v", shown, err)
	}
}

func TestCountAuthors(t *testing.T) {
	for want, from := range map[string][]string{
		"":                       {"", ""},
		"A (1)":                  {"A", ""},
		"B (2), A (1) and C (1)": {"C", "B", "A", "B"},
		"A (1), B (1), C (1), D (1), E (1) and others (3)": {"A", "B", "C", "D", "E", "F", "G", "H"},
	} {
		if got := countAuthors(from); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestUnseenAuthorsOfMergeUnderWay(t *testing.T) {
	e := cameFromTwo(t, "Bob")
	write(t, filepath.Join(e.Root(), ".git", "MERGE_HEAD"), []byte(strings.Repeat("1", 40)+"\n"))
	if shown, err := e.Show(nil, ""); err != nil || shown.From() != "Bob (2) and t (1)" {
		t.Errorf("got %+v, %v", shown, err)
	}
}
