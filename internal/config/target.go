package config

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"
)

// ValidTarget says whether name can be an injection target: a relative path
// with slashes that stays below the project's root, and is no target that
// NeverTarget names.
func ValidTarget(name string) bool {
	return name != "" && !strings.ContainsAny(name, "\\\x00\n\r") && filepath.IsLocal(filepath.FromSlash(name)) && name != "." &&
		NeverTarget(name) == ""
}

// NeverTarget says in words why no block may be written into a file, by setting,
// by flag or behind a link, or gives "". name is a path with slashes: from the
// project's top folder, or of a file elsewhere from the root of the file system.
//
// In a folder whose name begins with a dot, only what an assistant reads as plain
// context is a target; all else there may be something that it runs or obeys:
// commands, agents, skills, hooks, settings. So this is a list of what may be, and
// what is not known may not. Names are taken as the most forgiving of file systems
// takes them: without regard to case, to characters that HFS+ ignores, to trailing
// dots and blanks.
func NeverTarget(name string) string {
	parts := strings.Split(strings.Trim(name, "/"), "/")
	for i, p := range parts {
		folded := fold(p)
		switch {
		case isGitName(folded):
			return "git's own folder is never written"
		case strings.ContainsRune(p, ':'):
			return "a colon in its name can lead into another file"
		case shortName().MatchString(folded):
			return "its name can be the short one of another file"
		case folded != strings.ToLower(dropIgnored(p)):
			return "a dot or a blank at the end of its name is dropped by some systems"
		}
		parts[i] = folded
	}
	last := len(parts) - 1
	if parts[last] == "skill.md" {
		return "a skill is run by assistants"
	}
	for i := 0; i < last; i++ {
		if !strings.HasPrefix(parts[i], ".") {
			continue
		}
		if skip := ownProject(parts[i:last]); skip > 0 {
			i += skip - 1
			continue
		}
		if !isContext(parts[i], strings.Join(parts[i+1:], "/")) {
			return "what lies in " + parts[i] + " may be run or obeyed by assistants and other programs, and this is not known as a context file"
		}
	}
	return ""
}

// DotFolder says whether a folder is one of an assistant's that NeverTarget knows.
func DotFolder(name string) bool { return contextFiles[fold(name)] != nil }

// Obeyed says whether a folder has the name of one in which assistants keep what
// they run or obey.
func Obeyed(name string) bool { return obeyed().MatchString(fold(name)) }

// pattern is compiled when it is first asked for: most commands ask for none.
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// contextFiles are what assistants read as plain context in folders of theirs, by
// folder. A folder that is not here is not known.
var contextFiles = map[string]func() *regexp.Regexp{
	".amazonq":    pattern(`^rules/.+\.md$`),
	".claude":     pattern(`^(claude(\.local)?\.md|rules/.+\.md)$`),
	".clinerules": pattern(`^[^/]+\.(md|txt)$`),
	".codex":      pattern(`^agents(\.override)?\.md$`),
	".continue":   pattern(`^rules/.+\.md$`),
	".cursor":     pattern(`^rules/.+\.(md|mdc)$`),
	".gemini":     pattern(`^gemini\.md$`),
	".github":     pattern(`^(copilot-instructions|instructions/.+\.instructions)\.md$`),
	".junie":      pattern(`^(guidelines|agents)\.md$`),
	".kilocode":   pattern(`^rules/.+\.md$`),
	".kiro":       pattern(`^steering/[^/]+\.md$`),
	".opencode":   pattern(`^agents\.md$`),
	".roo":        pattern(`^rules(-[^/]+)?/.+\.(md|txt)$`),
	".windsurf":   pattern(`^rules/.+\.md$`),
}

// wellKnown are context files that are plain context wherever they lie, but for
// folders with such names as obeyed has.
var wellKnown = []string{"claude.md", "claude.local.md", "agents.md", "agents.override.md", "gemini.md"}

var obeyed = pattern(`^(commands?|agents?|skills?|hooks?|plugins?|prompts?|modes?|workflows?|extensions?|output-styles|settings|bin)$`)

func isContext(folder, rest string) bool {
	if known := contextFiles[folder]; known != nil {
		return known().MatchString(rest)
	}
	parts := strings.Split(rest, "/")
	last := len(parts) - 1
	return folder != ".recollect" && slices.Contains(wellKnown, parts[last]) && !slices.ContainsFunc(parts[:last], obeyed().MatchString)
}

// ownProject says how many of the names lead to a folder that counts as the top of
// a project: Claude Code keeps work trees in .claude/worktrees.
func ownProject(parts []string) int {
	if len(parts) >= 3 && parts[0] == ".claude" && parts[1] == "worktrees" {
		return 3
	}
	return 0
}

// shortName is how Windows calls a file besides, in eight and three characters.
var shortName = pattern(`^[^.]{1,6}~[0-9]{1,6}(\.[^.]{0,3})?$`)

// isGitName goes by what git itself guards against.
func isGitName(folded string) bool {
	base, _, _ := strings.Cut(folded, ":")
	base = strings.TrimRight(base, " .")
	return base == ".git" || base == "git~1"
}

// fold gives names one form that some file system takes for one name.
func fold(name string) string {
	return strings.TrimRight(strings.ToLower(dropIgnored(name)), " .")
}

// dropIgnored takes out the characters that HFS+ does not look at.
func dropIgnored(name string) string {
	return norm.NFC.String(strings.Map(func(r rune) rune {
		switch {
		case r >= 0x200c && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x206a && r <= 0x206f, r == 0xfeff:
			return -1
		}
		return r
	}, name))
}
