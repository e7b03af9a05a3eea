package config

import (
	"strings"
	"testing"
)

func TestTargetsThatMayBe(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "sub/CLAUDE.md", "docs/notes.md", ".cursorrules", ".rules", ".notes.md",
		".claude/CLAUDE.md", ".CLAUDE/claude.md", ".claude/rules/recollect.md", ".claude/rules/deep/er.md",
		".cursor/rules/recollect.mdc", ".github/copilot-instructions.md", ".github/instructions/go.instructions.md",
		".codex/AGENTS.md", ".gemini/GEMINI.md", ".opencode/AGENTS.md", ".windsurf/rules/a.md", ".clinerules/a.md",
		".roo/rules-code/a.md", "sub/.claude/rules/a.md", "src/hooks/CLAUDE.md", "agents/AGENTS.md",
		".dotfiles/claude/CLAUDE.md", ".config/opencode/AGENTS.md", ".claude/worktrees/one/CLAUDE.md", "a~b.md", "notes~.md",
	} {
		if why := NeverTarget(name); why != "" || !ValidTarget(name) {
			t.Errorf("%q: refused: %s", name, why)
		}
	}
}

func TestTargetsThatNeverAre(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		".git/hooks/x.md", ".git/config.md", ".GIT/x.md", ".Git/x.md", "sub/.git/x.md", "GIT~1/x.md", "git~1/x.md", "sub/Git~1/x.md",
		".git./x.md", ".git /x.md", ".git. . /x.md", ".git::$INDEX_ALLOCATION/x.md", ".git:x/y.md", ".git", ".g\u200cit/x.md", "\ufeff.git/x.md",
		"CLAUDE.md:stream", "CLAUDE.md.", "CLAUDE.md ", "CLAUDE~1/commands/x.md", "NOTES~1.MD",
		".claude/commands/x.md", ".claude/agents/x.md", ".claude/skills/x/SKILL.md", ".claude/hooks/x.md", ".claude/output-styles/x.md",
		".claude/plugins/x.md", ".claude/settings.md", ".claude/x.md", ".CLAUDE/Commands/x.md", ".claude./commands/x.md",
		".cl\u200daude/commands/x.md", ".claude/rules/../commands/x.md/../../../.claude/agents/y.md", ".claude/worktrees/x.md",
		".claude/worktrees/one/.claude/commands/x.md",
		".claude/rules/.git/x.md", ".claude/rules/SKILL.md", "skills/x/Skill.md",
		".codex/prompts/x.md", ".gemini/commands/x.md", ".gemini/extensions/x/GEMINI.md", ".opencode/command/x.md", ".opencode/agent/x.md",
		".opencode/agent/AGENTS.md", ".opencode/plugin/x.md", ".cursor/commands/x.md", ".cursor/hooks/x.md", ".github/prompts/x.md",
		".github/workflows/x.md", ".github/agents/x.md", ".github/hooks/x.md", ".windsurf/workflows/x.md", ".recollect/branches/main.md",
		".recollect/CLAUDE.md", ".husky/x.md", ".config/opencode/command/x.md", ".config/opencode/command/AGENTS.md", ".agents/skills/AGENTS.md",
		".unknown/x.md",
	} {
		if NeverTarget(name) == "" {
			t.Errorf("%q: may be written", name)
		}
		if ValidTarget(name) {
			t.Errorf("%q: may be set", name)
		}
	}
	for _, name := range []string{"", ".", "..", "../x.md", "a/../../x.md", "/x.md", `a\b.md`, "a\nb.md", "a\x00.md"} {
		if ValidTarget(name) {
			t.Errorf("%q: may be set", name)
		}
	}
}

// Whatever is done to a name that a forgiving file system does not see, it stays
// what it is.
func FuzzNeverTarget(f *testing.F) {
	for _, s := range []string{"CLAUDE.md", ".git/x.md", ".claude/commands/x.md", "a/b~1.md", ".\u200cgit"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		refused := NeverTarget(name) != ""
		if !refused && strings.Contains(strings.ToLower("/"+name+"/"), "/.git/") {
			t.Errorf("%q: may be written", name)
		}
		for _, other := range []string{strings.ToUpper(name), strings.ReplaceAll(name, "g", "g\u200c"), strings.ReplaceAll(name, "/", "./")} {
			if refused && NeverTarget(other) == "" && strings.ToLower(strings.ToUpper(name)) == strings.ToLower(name) {
				t.Errorf("%q is refused, %q is not", name, other)
			}
		}
	})
}
