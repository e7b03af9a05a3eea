package memory

// Place is where an item stands in a Markdown.
type Place struct {
	Section, Content string
	First, End       int // its lines [First, End), from 0; what hangs below it is not among them
}

// Places gives the items of a Markdown, as a memory with that layout would have
// them; none of one that is too large to work with, or of what is no Markdown of a
// memory.
func Places(markdown []byte, layout Layout) []Place {
	if checkSize(file{}, markdown, nil) != nil {
		return nil
	}
	var places []Place
	for _, b := range parseDocument(markdown, layout).bullets {
		places = append(places, Place{b.section, b.content, b.first, b.text})
	}
	return places
}
