package inject

import (
	"bytes"

	"recollect/internal/atomicfile"
)

// Present is our block as a target has it now.
type Present struct {
	Path, Name string
	Text       string // as Block.Text, without the parts that a person keeps in it
}

// Blocks looks for our block in the targets of an input. A target that can't be read
// has none.
func Blocks(in Input) ([]Present, error) {
	places, err := locateAll(in)
	if err != nil {
		return nil, err
	}
	var out []Present
	for _, p := range places {
		if p.err != nil || p.alias || p.info == nil {
			continue
		}
		src, _, _, err := atomicfile.ReadIn(p.folder, p.base, MaxFile)
		if err != nil {
			continue
		}
		if text, ok := blockIn(src); ok {
			out = append(out, Present{Path: p.target, Name: p.name, Text: text})
		}
	}
	return out, nil
}

func blockIn(src []byte) (string, bool) {
	f, err := read(src)
	if err != nil || f.pair == nil {
		return "", false
	}
	var text []byte
	at := f.pair.begin.end
	for _, m := range f.pair.manual {
		text, at = append(text, f.text[at:m.start]...), m.end
	}
	text = append(text, f.text[at:f.pair.end.start]...)
	return string(bytes.TrimSpace(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))), true
}
