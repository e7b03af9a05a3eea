package inject

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"recollect/internal/memory"
)

func TestClean(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"plain", "Use tabs, not spaces.", "Use tabs, not spaces."},
		{"markdown stays", "Run `go test ./...` **before** _every_ commit", "Run `go test ./...` **before** _every_ commit"},
		{"folded to one line", "  a\r\n\tb\u2028c\u0085d  ", "a b c d"},
		{"nothing visible", " \u200b\u200d\n\x00 ", ""},
		{"controls and overrides", "a\x1b[31mb\u202ec\u2066d\x00e\ufefff\U000e0041g", "a[31mbcdefg"},
		{"invalid UTF-8", "a\xffb", "a\uFFFDb"},
		{"emoji and joiners", "👩\u200d💻 ❤\ufe0f", "👩\u200d💻 ❤\ufe0f"},
		{"heading", "# Title", `\# Title`},
		{"hash word", "#1 issue", "#1 issue"},
		{"quote", "> said", `\> said`},
		{"list", "- a", `\- a`},
		{"star list", "* a", `\* a`},
		{"bold start", "**Bold** a", "**Bold** a"},
		{"ordered", "1. first", `1\. first`},
		{"ordered paren", "12) x", `12\) x`},
		{"version", "1.26 of Go", "1.26 of Go"},
		{"rule", "---", `\---`},
		{"spaced rule", "* * *", `\* * *`},
		{"rule with the bullet", "--", `\--`},
		{"tilde fence", "~~~ sh", `\~~~ sh`},
		{"backtick fence", "```sh", "\\`\\`\\`sh"},
		{"fenced span", "```npm test``` first", "`npm test` first"},
		{"fence amid text", "use ```js\ncode\n``` here", "use `js code ` here"},
		{"span with backticks", "`` a`b `` c", "`` a`b `` c"},
		{"stray backtick", "don`t", "don\\`t"},
		{"reference", "[a]: http://x", `\[a]: http://x`},
		{"link", "see [a](http://x)", "see [a](http://x)"},
		{"tag", "Map<String, int> and </div>", `Map\<String, int> and \</div>`},
		{"tag in code", "`Map<String>`", "`Map<String>`"},
		{"less than", "a < b, 1<2", "a < b, 1<2"},
		{"comment", "x <!-- y --> z", `x <\!-- y --\> z`},
		{"escaped comment", `\<!-- y`, `\<\!-- y`},
		{"comment in code", "`<!-- recollect:end -->`", "`< !-- recollect:end -- >`"},
		{"shortest comment", "<!--> `<!-->`", "<\\!--\\> `< !-- >`"},
		{"end marker", "<!-- recollect:end -->", `<\!-- recollect:end --\>`},
		{"import", "see @docs/rules.md.", "see `@docs/rules.md`."},
		{"import at start", "@AGENTS.md", "`@AGENTS.md`"},
		{"home import", "(@~/x)", "(`@~/x`)"},
		{"scoped package", "needs @types/node, @vue/cli", "needs `@types/node`, `@vue/cli`"},
		{"package in code", "`npm i @types/node`", "`npm i @types/node`"},
		{"address", "mail a.b+c@example.com", "mail a.b+c@example.com"},
		{"URL", "https://medium.com/@x/y", "https://medium.com/@x/y"},
		{"at alone", "a @ b @", "a @ b @"},
		{"bold import", "**@a/b**", "**`@a/b`**"},
		{"import next to code", "`x`@a `y`", "`x`\\@a `y`"},
		{"import before code", "@a`y`", "\\@a`y`"},
		{"two imports in one", "@a@b", "`@a`\\@b"},
		{"escaped import", `\@a`, `\@a`},
		{"escaped backslash", `\\@a`, "\\\\`@a`"},
		{"stray backtick before import", "it`s @a", "it\\`s `@a`"},
		{"Windows path", `C:\Users\x`, `C:\Users\x`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := clean(tt.in)
			if got != tt.want {
				t.Errorf("clean(%q)\n got %q\nwant %q", tt.in, got, tt.want)
			}
			if again := clean(got); !strings.Contains(tt.want, "`< !") && again != got {
				t.Errorf("clean again: %q, was %q", again, got)
			}
		})
	}
}

// checkPlain fails if a rendered block is anything but headings and one-line
// items of harmless text.
func checkPlain(t *testing.T, block string, items int) {
	t.Helper()
	if !utf8.ValidString(block) {
		t.Fatalf("not UTF-8: %q", block)
	}
	for _, bad := range []string{"<!--", "-->", "\r", "\x00"} {
		if strings.Contains(block, bad) {
			t.Fatalf("block holds %q: %q", bad, block)
		}
	}
	src := []byte(block)
	md := goldmark.New(goldmark.WithExtensions(extension.GFM))
	found := 0
	err := ast.Walk(md.Parser().Parse(text.NewReader(src)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.HTMLBlock, *ast.RawHTML, *ast.FencedCodeBlock, *ast.CodeBlock, *ast.Blockquote, *ast.ThematicBreak:
			t.Fatalf("a %v in %q", n.Kind(), block)
		case *ast.Heading:
			if n.Parent().Kind() != ast.KindDocument {
				t.Fatalf("a heading in an item of %q", block)
			}
		case *ast.List:
			if n.Parent().Kind() != ast.KindDocument {
				t.Fatalf("a list in an item of %q", block)
			}
		case *ast.ListItem:
			found++
			if n.ChildCount() != 1 {
				t.Fatalf("an item of %d parts in %q", n.ChildCount(), block)
			}
		case *ast.Text:
			if n.Parent().Kind() != ast.KindCodeSpan {
				checkNoImport(t, string(n.Value(src)), block)
			}
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found != items {
		t.Fatalf("%d items instead of %d in %q", found, items, block)
	}
}

func checkNoImport(t *testing.T, s, block string) {
	t.Helper()
	for i, w := range strings.Fields(s) {
		// A text node may begin amid a word, after an escape.
		if strings.HasPrefix(w, "@") && len(w) > 1 && (i > 0 || !strings.Contains(block, `\`+w)) {
			t.Fatalf("import %q in %q", w, block)
		}
	}
}

// Forms of mentions of which Claude Code 2.1 imports many when they stand in a
// context file as they are; none of these results was imported.
func TestCleanMentions(t *testing.T) {
	t.Parallel()
	forms := []string{
		"see @F here", "@F", "(@F)", "**@F**", "_x_@F", "`x`@F", "`x` @F", "@F`y`", "it`s @F", `\@F`, `\\@F`, `\\ @F`, "a@@F", "x @@F",
		`"@F"`, "[@F](x)", "-->@F", "<b>@F", "<!-- @F", "~~@F~~", "x,@F", "x:@F", "@F@F", "`a``b` @F", "``` @F", "```sh @F```",
		"* @F", "- @F", "1. @F", "# @F", "> @F", "é@F", "*a*@F", "![x](@F)", "<@F>", "&amp;@F", "@./F", "@~/F", "|@F|", "`\\` @F`", "a `b \\` @F", "_@F",
	}
	for _, f := range forms {
		in := strings.ReplaceAll(f, "F", "docs/rules.md")
		checkPlain(t, Render(memory.Layout{}, []memory.Item{{ID: "1", Section: "s", Content: in}}), 1)
	}
}

func FuzzRenderIsPlain(f *testing.F) {
	for _, s := range []string{"# a", "`x`@y", "```\n@a", "<!-- x", "1. a", "[a]: b", "\\\\@x", "a\n\n    b", "`<!--`-->", "~~~", "+", "-\t#x", "<?x", "***", "@a`b`", "\\`@a`"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		items := []memory.Item{{ID: "1", Section: "s", Content: a}, {ID: "2", Section: "t", Content: b}, {ID: "3", Section: "s", Content: b}}
		n := 0
		for _, it := range items {
			if clean(it.Content) != "" {
				n++
			}
		}
		layout := memory.Layout{Title: a, Sections: []memory.Section{{ID: "s", Heading: b}}}
		block := Render(layout, items)
		if n == 0 {
			if block != "" {
				t.Fatalf("no items, but %q", block)
			}
			return
		}
		checkPlain(t, block, n)
	})
}
