package inject

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"recollect/internal/safefile"
)

// Claude Code follows imports this far.
const maxHops = 4

// maxImported bounds how many files are read to find who imports whom.
const maxImported = 64

// leaveToImported marks the places that import another place, or a file that
// holds our block already: who reads them gets the block from there, and so does
// who reads only the other. Of two that import each other, the first gets it. A
// place that is imported by a neighbour with the block is marked as well.
func leaveToImported(places []*place) {
	for i, p := range places {
		if p.err == nil && p.instead == "" && p.info != nil {
			p.instead = blockBehind(places, i)
		}
	}
	for _, p := range places {
		if p.err == nil && p.instead == "" && p.info != nil {
			p.instead = importingNeighbour(p, places)
		}
	}
}

// blockBehind says where a reader of place i finds the block anyway.
func blockBehind(places []*place, i int) string {
	p := places[i]
	for _, to := range p.imports() {
		j := slices.IndexFunc(places, to.is)
		switch {
		case j == i:
		case j >= 0 && i < j && slices.ContainsFunc(places[j].imports(), func(back imported) bool { return back.is(p) }):
		case j >= 0 && places[j].err == nil && places[j].instead == "":
			return "imports " + places[j].target + ", which has the block"
		case j < 0 && to.hasBlock:
			return "imports " + to.written + ", which has the block already"
		}
	}
	return ""
}

// importingNeighbour looks at the context files that are usual beside p.
func importingNeighbour(p *place, places []*place) string {
	if p.away {
		return ""
	}
	dir := filepath.Dir(p.file)
	for _, name := range []string{"CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", "AGENTS.md", "GEMINI.md"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		info, err := p.stat(path)
		if err != nil || os.SameFile(info, p.info) || !p.holdsBlock(path) ||
			slices.ContainsFunc(places, imported{info: info}.is) {
			continue
		}
		for _, to := range p.importedBy(path) {
			if to.is(p) {
				return name + " imports it and has the block already"
			}
		}
	}
	return ""
}

// imported is a file that another one imports, directly or not.
type imported struct {
	written  string      // in the importing file
	path     string      // cleaned
	away     bool        // out of the work tree: it is not looked at
	info     os.FileInfo // nil if there is no such file yet
	hasBlock bool
}

func (f imported) is(p *place) bool {
	switch {
	case f.away:
		return p.err == nil && samePath(f.path, p.file)
	case f.info == nil || p.info == nil:
		return f.info == nil && p.info == nil && p.err == nil && samePath(f.path, p.file)
	}
	return os.SameFile(f.info, p.info)
}

func samePath(a, b string) bool {
	a, errA := filepath.Abs(a)
	b, errB := filepath.Abs(b)
	return errA == nil && errB == nil && strings.EqualFold(a, b)
}

// imports finds what the file of a place imports.
func (p *place) imports() []imported { return p.importedBy(p.file) }

// importedBy finds the Markdown files that a file imports. What can't be read
// imports nothing. Nothing out of the work tree is opened, so imports from there
// are only named.
func (p *place) importedBy(file string) []imported {
	var out []imported
	seen := map[string]bool{filepath.Clean(file): true}
	level := []string{file}
	for range maxHops {
		var next []string
		for _, from := range level {
			src, err := p.read(from)
			if err != nil || checkText(src) != nil {
				continue
			}
			for _, written := range p.importsOrLink(from, src) {
				path := importPath(from, written)
				if seen[path] || len(out) == maxImported || !isMarkdownName(filepath.Base(path)) {
					continue
				}
				seen[path] = true
				info, err := p.stat(path)
				switch {
				case errors.Is(err, safefile.ErrOutside):
					out = append(out, imported{written: written, path: path, away: true})
				case errors.Is(err, fs.ErrNotExist):
					out = append(out, imported{written: written, path: path})
				case err == nil && info.Mode().IsRegular():
					out = append(out, imported{written: written, path: path, info: info, hasBlock: p.holdsBlock(path)})
					next = append(next, path)
				}
			}
		}
		level = next
	}
	return out
}

// read reads a file of the work tree, and no other.
func (p *place) read(path string) ([]byte, error) {
	rel, ok := within(p.top.Top(), path)
	if !ok {
		return nil, safefile.ErrOutside
	}
	src, _, err := p.top.Read(context.Background(), rel, MaxFile)
	return src, err
}

// stat looks at a file of the work tree, and at no other.
func (p *place) stat(path string) (fs.FileInfo, error) {
	rel, ok := within(p.top.Top(), path)
	if !ok {
		return nil, safefile.ErrOutside
	}
	return p.top.Stat(rel)
}

// importsOrLink takes a link that was checked out as text for an import: it
// stands for the other file.
func (p *place) importsOrLink(file string, src []byte) []string {
	if rel, ok := within(p.top.Top(), filepath.Dir(file)); ok {
		if to, ok := linkText(p.top.Sub(rel), src); ok {
			return []string{to}
		}
	}
	return imports(src)
}

func (p *place) holdsBlock(path string) bool {
	src, err := p.read(path)
	if err != nil {
		return false
	}
	f, err := read(src)
	return err == nil && f.pair != nil
}

func importPath(from, written string) string {
	path := filepath.FromSlash(written)
	if rest, ok := strings.CutPrefix(written, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			path = filepath.Join(home, rest)
		}
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(from), path)
	}
	return filepath.Clean(path)
}

// A wider net would take a mere mention for an import and leave the importing
// file without the block.
var importWord = regexp.MustCompile(`(?:^|[\s*\[])@([^\s@*\]]+)`)

// imports lists the paths that src imports: words after an @, outside code and
// comments.
func imports(src []byte) []string {
	src = []byte(strings.TrimPrefix(string(src), string(byteOrderMark)))
	if !strings.Contains(string(src), "@") {
		return nil
	}
	var out []string
	_ = ast.Walk(blocks.Parse(text.NewReader(src)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n.Kind() {
		case ast.KindParagraph, ast.KindTextBlock, ast.KindHeading:
			for _, p := range split(string(n.Lines().Value(src))) {
				if p.code {
					continue
				}
				for _, m := range importWord.FindAllStringSubmatch(p.text, -1) {
					out = append(out, strings.TrimRight(m[1], ".,;:!?)"))
				}
			}
		}
		return ast.WalkContinue, nil
	})
	return out
}
