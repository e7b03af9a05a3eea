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

// Policy selects and orders the items of an injection. The host packs them
// within the budget, whatever the policy says.
type Policy interface {
	ID() string
	// Select returns items in the order in which they shall be packed. Nothing
	// selected is an empty result, not an error.
	Select(ctx context.Context, s Selection) ([]Choice, error)
}
