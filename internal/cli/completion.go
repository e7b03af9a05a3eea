package cli

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/alecthomas/kong"

	"recollect/internal/config"
	"recollect/internal/engine"
)

// completionCmd prints what makes a shell complete the command line.
type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish,powershell" help:"The shell: bash, zsh, fish or powershell. In bash: source <(recollect completion bash)."`
}

type completionAnswer struct {
	Shell  string `json:"shell"`
	Script string `json:"script"`
}

// Run implements the command.
func (c *completionCmd) Run(a *app) error {
	script := completionScripts[c.Shell]
	return a.print(completionAnswer{c.Shell, script}, func(w io.Writer) { asItIs(w, script) })
}

// completeCmd is what those scripts ask: the words that could stand where the cursor
// is, one a line, each with a tab and what it is. It fails at nothing, for it is
// called in the middle of somebody's typing, and opens no plug-in.
type completeCmd struct {
	Word   string   `help:"The beginning of the word that is typed."`
	Before []string `arg:"" optional:"" help:"The words before it, without the program."`
}

// Run implements the command.
func (c *completeCmd) Run(a *app, k *kong.Kong) error {
	all, asked := []candidate{}, completer{app: a, root: k.Model.Node}
	for _, one := range asked.complete(c.Before, c.Word) {
		if strings.HasPrefix(one.Word, c.Word) && typable(one.Word) {
			one.About = firstSentence(one.About)
			all = append(all, one)
		}
	}
	return a.print(all, func(w io.Writer) {
		for _, one := range all {
			fmt.Fprintf(w, "%s\t%s\n", one.Word, one.About)
		}
	})
}

// candidate is a word that could be typed.
type candidate struct {
	Word  string `json:"word"`
	About string `json:"about"`
}

// typable holds for words that mean themselves in every shell. Names of branches
// and the like come from others: a shell that is given one runs it with the line.
func typable(word string) bool {
	for i, r := range word {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), strings.ContainsRune("-_./+,:=", r), i > 0 && r == '@':
		default:
			return false
		}
	}
	return word != ""
}

func firstSentence(s string) string {
	s = plain(s)
	for _, end := range []string{". ", ": ", " ("} {
		s, _, _ = strings.Cut(s, end)
	}
	return short(strings.TrimSuffix(s, "."), 72)
}

// completer finds what could be typed.
type completer struct {
	app  *app
	root *kong.Node
}

// complete gives what could stand behind the words before; those that word does not
// begin may be among it.
func (c completer) complete(before []string, word string) []candidate {
	at, positional, flagsOver := c.root, 0, false
	for i := 0; i < len(before); i++ {
		w := before[i]
		switch f, whole := flagOf(at, w); {
		case flagsOver:
			positional++
		case w == "--":
			flagsOver = true
		case f != nil && !whole && !f.IsBool():
			if i+1 < len(before) && before[i+1] == "=" { // as bash splits it
				i++
			}
			if i++; i >= len(before) {
				return c.values(at, f.Value, f.Name, nil, before)
			}
		case strings.HasPrefix(w, "-"):
		default:
			if child := childOf(at, w); child != nil {
				at, positional = child, 0
			} else {
				positional++
			}
		}
	}
	if name, _, found := strings.Cut(word, "="); found && strings.HasPrefix(word, "--") && !flagsOver {
		if f, _ := flagOf(at, name); f != nil {
			return prefixed(name+"=", c.values(at, f.Value, f.Name, nil, before))
		}
	}
	if strings.HasPrefix(word, "-") && !flagsOver {
		return flagsAt(at)
	}
	return append(childrenAt(at), c.argument(at, positional, before)...)
}

// argument gives what the argument at a place may be.
func (c completer) argument(at *kong.Node, place int, before []string) []candidate {
	if at.Name == "help" && at.Parent == c.root {
		return childrenAt(nodeAt(c.root, before[1:]))
	}
	if len(at.Positional) == 0 {
		return nil
	}
	last := at.Positional[len(at.Positional)-1]
	if place >= len(at.Positional) {
		if !last.IsSlice() {
			return nil
		}
		place = len(at.Positional) - 1
	}
	p := at.Positional[place]
	return c.values(at, p, p.Name, at, before)
}

// values gives what a flag or an argument may be, by what its grammar says of it and
// else by its name; argumentOf is nil for flags.
func (c completer) values(at *kong.Node, v *kong.Value, name string, argumentOf *kong.Node, before []string) []candidate {
	if v.Tag.Enum != "" {
		return words(v.EnumSlice(), "")
	}
	last := ""
	if len(before) > 0 {
		last = before[len(before)-1]
	}
	parent := ""
	if at.Parent != nil {
		parent = at.Parent.Name
	}
	switch {
	case name == "key":
		return settingNames()
	case name == "value" && parent == "config":
		return settingValues(last)
	case name == "kind" && at.Name == "trust":
		return words([]string{"settings", "links", "state", "memory"}, "")
	case name == "provider":
		return words([]string{"anthropic", "openai"}, "")
	case name == "branch":
		return c.app.branchWords()
	case name == "section":
		return c.app.sectionWords()
	case name == "extractor", name == "id" && parent == "plugin":
		return c.app.pluginWords()
	case (name == "id" || name == "items") && parent == "" && argumentOf != nil, name == "before", name == "source":
		return c.app.itemWords()
	}
	return nil
}

// nodeAt is the command that words lead to.
func nodeAt(n *kong.Node, path []string) *kong.Node {
	for _, w := range path {
		if child := childOf(n, w); child != nil {
			n = child
		}
	}
	return n
}

func childOf(n *kong.Node, name string) *kong.Node {
	for _, c := range n.Children {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// flagOf is the flag of n, or of what n is below, that a word is; whole says that
// its value is in the word.
func flagOf(n *kong.Node, word string) (f *kong.Flag, whole bool) {
	name, _, whole := strings.Cut(word, "=")
	for ; n != nil; n = n.Parent {
		for _, f := range n.Flags {
			if name == "--"+f.Name || f.Short != 0 && word == "-"+string(f.Short) {
				return f, whole
			}
		}
	}
	return nil, false
}

func childrenAt(n *kong.Node) []candidate {
	var out []candidate
	for _, c := range n.Children {
		if !c.Hidden {
			out = append(out, candidate{c.Name, c.Help})
		}
	}
	return out
}

func flagsAt(n *kong.Node) []candidate {
	var out []candidate
	for ; n != nil; n = n.Parent {
		for _, f := range n.Flags {
			if !f.Hidden {
				out = append(out, candidate{"--" + f.Name, f.Help})
			}
		}
	}
	return out
}

func words(names []string, about string) []candidate {
	var out []candidate
	for _, name := range names {
		out = append(out, candidate{name, about})
	}
	return out
}

func prefixed(prefix string, all []candidate) []candidate {
	for i := range all {
		all[i].Word = prefix + all[i].Word
	}
	return all
}

func settingNames() []candidate {
	var out []candidate
	for _, k := range config.Describe() {
		out = append(out, candidate{k.Name, k.Doc})
	}
	return out
}

func settingValues(name string) []candidate {
	for _, k := range config.Describe() {
		if k.Name == name && k.Kind == config.Bool {
			return words([]string{"true", "false"}, k.Doc)
		} else if k.Name == name {
			return words(k.Choices, k.Doc)
		}
	}
	return nil
}

// quietly opens the project for completing; nil if it can't be opened.
func (a *app) quietly() *engine.Engine {
	o := a.options(historyFlags{})
	o.Tolerant = true
	e, err := engine.Open(o)
	if err != nil {
		return nil
	}
	return e
}
