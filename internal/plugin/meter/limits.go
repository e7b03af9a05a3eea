package meter

import "fmt"

// Limits bounds what a module may declare. A field that is zero takes the
// value of [DefaultLimits]; nothing can be unlimited.
type Limits struct {
	ModuleBytes   int // of the whole file
	BodyBytes     int // of one function's body, locals included
	Functions     int // imported and defined
	Types         int
	Imports       int
	Exports       int
	Globals       int
	Tables        int
	TableEntries  int // declared; a table's growth is clamped to it too
	MemoryPages   int // declared minimum, of 64 KiB
	Segments      int // of elements, and again of data
	Elements      int // entries of all element segments together
	Params        int // of one type; its results are bounded by the same number
	Locals        int // of one function, parameters included
	Nesting       int // of blocks within one function
	BranchTargets int // of one br_table
	Branching     int // of one function: all targets of its br_tables together
	BulkOps       int // of one function: bulk operations of memories and tables
	// Merges bounds, in one function, locals times blocks, with a block counted
	// once for each loop that it stands in: what compilers make phi nodes of.
	Merges int
}

// DefaultLimits admits what the toolchains of Go, Rust, C and AssemblyScript
// make, and QuickJS.
func DefaultLimits() Limits {
	return Limits{
		ModuleBytes:   32 << 20,
		BodyBytes:     1 << 20,
		Functions:     100_000,
		Types:         10_000,
		Imports:       1_000,
		Exports:       10_000,
		Globals:       10_000,
		Tables:        16,
		TableEntries:  100_000,
		MemoryPages:   1024,
		Segments:      100_000,
		Elements:      1_000_000,
		Params:        256,
		Locals:        4_096,
		Nesting:       4_096, // Go nests a block for each call of a function
		BranchTargets: 16_384,
		Branching:     65_536,
		BulkOps:       1_024,
		Merges:        2_000_000,
	}
}

// filled gives the limits with the default in every field that is zero.
func (l Limits) filled() Limits {
	d := DefaultLimits()
	for _, f := range []struct{ have, def *int }{
		{&l.ModuleBytes, &d.ModuleBytes}, {&l.BodyBytes, &d.BodyBytes},
		{&l.Functions, &d.Functions}, {&l.Types, &d.Types},
		{&l.Imports, &d.Imports}, {&l.Exports, &d.Exports},
		{&l.Globals, &d.Globals}, {&l.Tables, &d.Tables},
		{&l.TableEntries, &d.TableEntries}, {&l.MemoryPages, &d.MemoryPages},
		{&l.Segments, &d.Segments}, {&l.Elements, &d.Elements},
		{&l.Params, &d.Params}, {&l.Locals, &d.Locals},
		{&l.Nesting, &d.Nesting}, {&l.BranchTargets, &d.BranchTargets},
		{&l.Branching, &d.Branching}, {&l.BulkOps, &d.BulkOps},
		{&l.Merges, &d.Merges},
	} {
		if *f.have <= 0 {
			*f.have = *f.def
		}
	}
	return l
}

// Kind says why a module was refused.
type Kind int

// The kinds of refusal.
const (
	Malformed   Kind = iota + 1 // not a valid module, whoever reads it
	Unsupported                 // uses a proposal beyond WebAssembly 2.0
	TooLarge                    // beyond a field of Limits
	Forbidden                   // breaks the contract, or reaches for the meter
)

// Error is a refusal. Its text is one sentence that the plug-in's author can
// act on, without the plug-in's name.
type Error struct {
	Kind Kind
	text string
}

// Error implements error.
func (e *Error) Error() string { return e.text }

func refuse(k Kind, format string, args ...any) *Error {
	return &Error{Kind: k, text: fmt.Sprintf(format, args...)}
}

// over refuses n things where at most limit are allowed.
func over(n, limit int, what string) error {
	if n > limit {
		return refuse(TooLarge, "%d %s are more than the %d that are allowed", n, what, limit)
	}
	return nil
}
