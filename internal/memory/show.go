package memory

// Markdown returns the Markdown of a memory byte for byte: of the kept state
// with the given version, or, if version is "", what is on disk, with its path.
// A branch without a memory has none: nil and no error.
func (s *Store) Markdown(branch, version string) (path string, text []byte, err error) {
	if version != "" {
		p, err := s.version(branch, version)
		return "", p.markdown, named(branch, err)
	}
	_, d, err := s.load(branch)
	switch {
	case err != nil || d.markdown == nil:
		return "", nil, named(branch, err)
	case d.seed != "":
		return s.dir.Path(d.seed), d.markdown, nil
	}
	return s.dir.Path(FileStem(branch) + markdownExt), d.markdown, nil
}
