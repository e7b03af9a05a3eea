package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// demoMarker is the file that says a folder was laid out by the demo and may be
// deleted by it.
const demoMarker = ".made-by-the-demo"

// placeholder stands for the project's path in the sample's transcripts.
const placeholder = "@PROJECT@"

// sampleBranches are the branches of the sample's history; the first is checked
// out.
var sampleBranches = []string{"main", "feature/secondary-ports"}

// sample is where a laid out sample project is.
type sample struct {
	project string // the project's root
	claude  string // stands for ~/.claude
	home    string // RECOLLECT_HOME
}

// demo shows the main job on the sample project.
func (t *tool) demo() error {
	if err := t.cli(); err != nil {
		return err
	}
	s, err := t.layOut(t.path("build", "bin", "demo"))
	if err != nil {
		return err
	}
	t.say("\nThe sample project ebb is in %s.\nIts history, as Claude Code writes it, is in %s.", t.rel(s.project), t.rel(s.claude))

	t.say("\nWhat the history holds, by branch:")
	if err := t.recollect(s, "branches"); err != nil {
		return err
	}
	t.say("\nBring it into memory. No model, no key, no network:")
	if err := t.recollect(s, "memorize", "--all"); err != nil {
		return err
	}
	t.say("\nLook at what is remembered of one of the branches:")
	if err := t.recollect(s, "show", "--branch", sampleBranches[1]); err != nil {
		return err
	}
	t.say("\nWrite the part that helps an assistant into CLAUDE.md:")
	if err := t.recollect(s, "inject"); err != nil {
		return err
	}
	if err := t.showFiles(s); err != nil {
		return err
	}
	t.say("\nThe same again. Nothing is new, so nothing is written:")
	if err := t.recollect(s, "memorize", "--all"); err != nil {
		return err
	}
	if err := t.recollect(s, "inject"); err != nil {
		return err
	}
	t.say("\nThat is the main job. The files are yours to look at and to edit; \"go run ./build demo\" starts afresh.")
	return nil
}

// showFiles prints the files that the demo made for the branch that is checked
// out.
func (t *tool) showFiles(s sample) error {
	memory := filepath.Join(s.project, ".recollect", "branches", sampleBranches[0]+".md")
	if err := t.printFile(memory, "a memory file: Markdown that people may edit and commit"); err != nil {
		return err
	}
	return t.printFile(filepath.Join(s.project, "CLAUDE.md"),
		"what the assistant reads: the words above the block are the person's own and were not touched")
}

func (t *tool) printFile(path, what string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	t.say("\n---- %s (%s)", t.rel(path), what)
	t.say("%s", strings.TrimRight(string(data), "\n"))
	t.say("----")
	return nil
}

// recollect runs the program in the sample project, which is all that it gets to
// see of this machine.
func (t *tool) recollect(s sample, args ...string) error {
	shown := append([]string{"recollect"}, args...)
	t.say("$ %s", strings.Join(shown, " "))
	cmd := t.command(s.project, s.env(), t.program(), args...)
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", strings.Join(shown, " "), err)
	}
	return nil
}

func (s sample) env() []string {
	return []string{"CLAUDE_CONFIG_DIR=" + s.claude, "RECOLLECT_HOME=" + s.home}
}

// layOut puts the sample into dir, anew. A folder that the demo did not make is
// left alone and is an error.
func (t *tool) layOut(dir string) (sample, error) {
	s := sample{
		project: filepath.Join(dir, "ebb"),
		claude:  filepath.Join(dir, "claude"),
		home:    filepath.Join(dir, "home"),
	}
	if err := freshDir(dir); err != nil {
		return s, err
	}
	if err := os.CopyFS(s.project, os.DirFS(t.path("build", "sample", "project"))); err != nil {
		return s, err
	}
	if err := writeGit(filepath.Join(s.project, ".git")); err != nil {
		return s, err
	}
	// The records name the folder as the assistant would see it.
	project, err := filepath.EvalSymlinks(s.project)
	if err != nil {
		return s, err
	}
	history := filepath.Join(s.claude, "projects", slug(project))
	return s, copyHistory(t.path("build", "sample", "history"), history, project)
}

func freshDir(dir string) error {
	marker := filepath.Join(dir, demoMarker)
	if exists(dir) && !exists(marker) {
		return fmt.Errorf("%s is there and was not made by the demo: move it away", dir)
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(marker, []byte("\"go run ./build demo\" made this folder and will delete it.\n"), 0o644)
}

// writeGit makes the folder a git repository of its own without needing git, so
// that it is a project by itself inside this checkout.
func writeGit(dir string) error {
	for _, sub := range []string{"objects", "refs/heads"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(sub)), 0o755); err != nil {
			return err
		}
	}
	head := "ref: refs/heads/" + sampleBranches[0] + "\n"
	if err := os.WriteFile(filepath.Join(dir, "HEAD"), []byte(head), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "config"), []byte("[core]\n\trepositoryformatversion = 0\n\tbare = false\n"), 0o644)
}

// copyHistory copies the transcripts with the project's path filled in.
func copyHistory(from, to, project string) error {
	quoted, err := json.Marshal(project)
	if err != nil {
		return err
	}
	inString := quoted[1 : len(quoted)-1]
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		if d.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, bytes.ReplaceAll(data, []byte(placeholder), inString), 0o644)
	})
}

var notInSlug = regexp.MustCompile(`[^A-Za-z0-9]`)

// slug names a project's folder as Claude Code does; only names of less than 200
// characters are as it would write them.
func slug(project string) string {
	s := notInSlug.ReplaceAllString(project, "-")
	return s[:min(len(s), 200)]
}
