package memory

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"recollect/internal/safefile"
)

// Puffin is the Extractor of items that came from a folder of seed memories.
const Puffin = "puffin"

// importConfidence of an imported item: a model found it, nobody confirmed it.
const importConfidence = 0.7

// Imported is what became of one file of an import.
type Imported struct {
	File    string   `json:"file"`
	Branch  string   `json:"branch"`
	Changes []Change `json:"changes,omitempty"`
	// Text is how many lines of text that are no items were taken over.
	Text int `json:"text,omitempty"`
	// Problem says why the file was left out, "" if it was not.
	Problem string `json:"problem,omitempty"`
}

// Import takes over a folder of memories as Puffin's memory plug-in wrote them
// (.puffin/memory/branches). It only reads there. The title names the branch,
// else the file's name does. A branch without a memory gets the file as it is.
// Into a memory that exists every item is brought whose exact words it does not
// have, and other text is put at the end; what a person removed stays out.
// Importing again changes nothing. A folder that is not there is an error that
// wraps fs.ErrNotExist; a file that cannot be read is reported and left out.
func (s *Store) Import(ctx context.Context, dir string) ([]Imported, error) {
	in := safefile.Beneath(dir)
	entries, err := in.ReadDir(maxBranchFiles)
	if err != nil {
		return nil, err
	}
	var out []Imported
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), markdownExt) || strings.HasPrefix(e.Name(), ".") || e.IsDir() {
			continue
		}
		r, err := s.importFile(ctx, file{in, e.Name()})
		if err != nil {
			return out, err
		}
		out = append(out, r)
	}
	return out, nil
}

func (s *Store) importFile(ctx context.Context, from file) (Imported, error) {
	r := Imported{File: from.name}
	data, edited, err := readFile(from)
	if err == nil {
		err = checkSize(from, data, nil)
	}
	if err != nil || data == nil {
		r.Problem = "not there any more"
		if err != nil {
			r.Problem = err.Error()
		}
		return r, nil
	}
	if s.redact != nil {
		data = []byte(s.redact(string(data)))
	}
	doc := parseDocument(data, DefaultLayout())
	r.Branch = strings.TrimSuffix(r.File, markdownExt)
	if doc.titled {
		r.Branch = doc.title
	}
	if len(doc.bullets) == 0 && len(doc.foreign()) == 0 {
		r.Problem = "nothing in it"
		return r, nil
	}
	if !doc.updated.IsZero() {
		edited = doc.updated
	}
	origin := Origin{Extractor: Puffin, Source: Puffin, Session: r.File, Time: edited.UTC()}
	for range 20 {
		if err = s.importInto(ctx, &r, doc, origin); !errors.Is(err, ErrChanged) {
			break
		}
	}
	return r, named(r.Branch, err)
}

func (s *Store) importInto(ctx context.Context, r *Imported, doc *document, origin Origin) error {
	m, rev, err := s.Load(r.Branch)
	if err != nil {
		return err
	}
	if rev == "" {
		return s.adopt(ctx, r, doc, origin)
	}
	var found []Found
	for _, b := range doc.bullets {
		found = append(found, Found{Section: b.section, Content: b.content, Confidence: importConfidence, Origin: origin})
	}
	m, r.Changes, _ = merge(m, found, s.now().UTC(), true)
	more, err := s.newText(r, doc)
	if err != nil || len(r.Changes) == 0 && len(more) == 0 {
		return err
	}
	r.Text = max(len(more)-2, 0)
	_, err = s.save(ctx, m, rev, more)
	return err
}

// adopt makes a file the memory of its branch, byte for byte.
func (s *Store) adopt(ctx context.Context, r *Imported, doc *document, origin Origin) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	_, d, err := s.loadLocked(r.Branch)
	if err != nil {
		return err
	}
	if d.exists() {
		return ErrChanged
	}
	items, _ := bind(doc, nil, newcomer{origin, importConfidence}, origin.Time)
	next := pair{markdown: doc.bytes()}
	lines := parseLines(nil, "")
	h := header{Branch: r.Branch, Markdown: digest(next.markdown), Updated: doc.updated, Layout: DefaultLayout()}
	if next.items, err = lines.encode(h, items); err != nil {
		return err
	}
	r.Changes, r.Text = nil, len(doc.foreign())
	for _, it := range items {
		r.Changes = append(r.Changes, Change{Action: Added, ID: it.ID, Section: it.Section, Content: it.Content, Why: "imported"})
	}
	_, err = s.write(r.Branch, d, next, nil)
	return err
}

// foreign returns the lines that are neither layout nor items.
func (d *document) foreign() []string {
	var out []string
	for i, l := range d.lines {
		s := d.at(i)
		h := anyHeading.FindStringSubmatch(s)
		title := h != nil && len(h[1]) == 1 && strings.HasPrefix(h[2], d.layout.Title+":")
		if l.kind == foreign && i != d.stamp && !title && strings.TrimSpace(s) != "" {
			out = append(out, s)
		}
	}
	for _, b := range d.bullets {
		for i := b.text; i < b.end; i++ {
			if s := d.at(i); strings.TrimSpace(s) != "" {
				out = append(out, s)
			}
		}
	}
	return out
}

// newText returns a section with the lines that the branch's Markdown does not
// have. Its items, if it reads like some, are under no known heading and so
// stay text.
func (s *Store) newText(r *Imported, doc *document) ([]string, error) {
	d, err := s.read(r.Branch)
	if err != nil {
		return nil, err
	}
	has := map[string]bool{}
	for line := range strings.Lines(string(d.markdown)) {
		has[strings.TrimSpace(line)] = true
	}
	out := []string{"## " + fmt.Sprintf("Imported from %s", Clean(r.File)), ""}
	known := sectionsByHeading(s.layout)
	for _, line := range doc.foreign() {
		if h := anyHeading.FindStringSubmatch(line); h != nil && (len(h[1]) == 1 || known[headingKey(h[2])] != "") {
			line = "### " + h[2]
		}
		if !has[strings.TrimSpace(line)] {
			out = append(out, strings.ToValidUTF8(line, "\uFFFD"))
		}
	}
	if len(out) == 2 {
		return nil, nil
	}
	return out, nil
}
