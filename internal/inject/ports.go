package inject

import (
	"context"
	"time"

	"recollect/internal/memory"
)

// Selection is one call of a policy.
type Selection struct {
	Branch   string
	Target   string // "file" or "hook"
	Budget   int    // tokens for the whole block
	Now      time.Time
	Prompt   string
	Files    []string
	Sections []memory.Section
	Items    []memory.Item // the active ones
}

// Choice is one item that a policy wants shown, with its why.
type Choice struct {
	ID  string
	Why string
}

// Ranking is what a policy answers.
type Ranking struct {
	// Choices are items in the order in which they shall be packed.
	Choices []Choice
	// Shares are parts of the budget, 0 to 1, by the section that has it before
	// others; a section that is not named has none. Parts that make more than 1 are
	// taken as ratios. None at all: items are packed in their order alone.
	Shares map[string]float64
	// Left says, by id, why items were not chosen; it need not name them all.
	Left map[string]string
}

// Policy selects and orders the items of an injection. The host packs them
// within the budget, whatever the policy says.
type Policy interface {
	ID() string
	// Select ranks the items. Nothing selected is an empty result, not an error.
	Select(ctx context.Context, s Selection) (Ranking, error)
}
