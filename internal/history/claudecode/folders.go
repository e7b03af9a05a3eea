package claudecode

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"recollect/internal/history"
)

// projects gives the folders that hold the transcripts of all projects: one for each
// configuration folder. People with two accounts name two, with a comma between them.
func (s *Source) projects() ([]string, error) {
	dirs := Folders(s.config)
	if len(dirs) == 0 {
		dirs = Folders(os.Getenv("CLAUDE_CONFIG_DIR"))
	}
	if len(dirs) == 0 {
		home, err := os.UserHomeDir()
		if err != nil {
			return nil, fmt.Errorf("claude code's history: %w", err)
		}
		dirs = []string{filepath.Join(home, ".claude")}
		if other := filepath.Join(settingsHome(home), "claude"); isFolder(filepath.Join(other, "projects")) {
			dirs = append(dirs, other)
		}
	}
	var out []string
	for _, dir := range dirs {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return nil, fmt.Errorf("claude code's history: %w", err)
		}
		if abs = filepath.Join(abs, "projects"); !slices.Contains(out, abs) {
			out = append(out, abs)
		}
	}
	return out, nil
}

// Folders splits what CLAUDE_CONFIG_DIR says. A folder whose name has a comma is one.
func Folders(value string) []string {
	if value == "" || isFolder(value) {
		return slices.DeleteFunc([]string{value}, func(dir string) bool { return dir == "" })
	}
	var out []string
	for dir := range strings.SplitSeq(value, ",") {
		if dir = strings.TrimSpace(dir); dir != "" {
			out = append(out, dir)
		}
	}
	return out
}

// settingsHome is where some versions of Claude Code make their folder.
func settingsHome(home string) string {
	if dir := os.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(home, ".config")
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// joinTops names some folders as one, for the catalog of what is in them.
func joinTops(tops []history.Looked) string {
	var dirs []string
	for _, t := range tops {
		dirs = append(dirs, t.Folder)
	}
	return strings.Join(dirs, "\x00")
}
