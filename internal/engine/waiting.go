package engine

// proposals is the number of proposals that wait for review on a branch.
func (e *Engine) proposals(string) (int, error) { return 0, nil }
