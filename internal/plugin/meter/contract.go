package meter

import (
	"recollect/hostapi"

	"recollect/internal/printable"
)

// A Contract says what a guest may import and what it exports, by signatures
// as "(i32, i32) -> i64" writes them.
type Contract struct {
	// Imports maps modules to their functions and the functions' signatures.
	// A module that maps to nil may be asked for any function; whether it has
	// it is seen when the guest is instantiated.
	Imports map[string]map[string]string
	// AnyImport admits imports of every module and kind; what is reserved for
	// the meter stays refused.
	AnyImport bool
	// Exports maps functions to their signatures. A guest may lack those that
	// Required doesn't name, and export others.
	Exports  map[string]string
	Required []string
	// Memory names the memory that must be exported; empty: none need be.
	Memory string
}

// wasi is the module of WASI preview 1.
const wasi = "wasi_snapshot_preview1"

// RC1 is the contract rc/1 of package hostapi.
func RC1() *Contract {
	const verb = "(i32) -> i64"
	return &Contract{
		Imports: map[string]map[string]string{
			hostapi.HostModule: {
				hostapi.ImportCall: "(i32, i32) -> i32",
				hostapi.ImportRead: "(i32, i32) -> i32",
				hostapi.ImportLog:  "(i32, i32, i32) -> ()",
			},
			wasi: nil,
		},
		Exports: map[string]string{
			hostapi.ExportMarker:     "() -> ()",
			hostapi.ExportInitialize: "() -> ()",
			hostapi.ExportWarmup:     "() -> ()",
			hostapi.ExportAlloc:      "(i32) -> i32",
			hostapi.ExportExtract:    verb,
			hostapi.ExportEvolve:     verb,
			hostapi.ExportSections:   verb,
			hostapi.ExportCheck:      verb,
			hostapi.ExportRender:     verb,
			hostapi.ExportParse:      verb,
			hostapi.ExportSelect:     verb,
		},
		Required: []string{hostapi.ExportMarker, hostapi.ExportAlloc},
		Memory:   hostapi.ExportMemory,
	}
}

// reserved refuses what would let a guest reach its own fuel.
func (m *module) reserved() error {
	for _, im := range m.imports {
		if im.module == TickModule && im.name == TickName {
			return refuse(Forbidden, "imports %s.%s, which is reserved for the host", TickModule, TickName)
		}
	}
	for _, e := range m.exports {
		if reservedName(e.name) {
			return refuse(Forbidden, "exports %s, which is reserved for the host", printable.Quote(e.name, 80))
		}
	}
	return nil
}

// check refuses a module that breaks the contract.
func (c *Contract) check(m *module) error {
	if !c.AnyImport {
		for i := range m.imports {
			if err := c.checkImport(m, &m.imports[i]); err != nil {
				return err
			}
		}
	}
	return c.checkExports(m)
}

func (c *Contract) checkImport(m *module, im *importDecl) error {
	if im.kind != externFunc {
		return refuse(Forbidden, "imports the %s %s; only functions may be imported", im.kind, im.shown())
	}
	funcs, ok := c.Imports[im.module]
	if !ok {
		return refuse(Forbidden, "imports %s; there is no such module for plug-ins", im.shown())
	}
	if funcs == nil {
		return nil
	}
	want, ok := funcs[im.name]
	if !ok {
		return refuse(Forbidden, "imports %s; the host has no such function", im.shown())
	}
	if have := m.types[im.typ].String(); have != want {
		return refuse(Forbidden, "imports %s as %s; it is %s", im.shown(), have, want)
	}
	return nil
}

// shown is an import in a message.
func (im *importDecl) shown() string { return printable.Quote(im.module+"."+im.name, 80) }

func (c *Contract) checkExports(m *module) error {
	kinds := make(map[string]externKind, len(m.exports))
	for _, e := range m.exports {
		kinds[e.name] = e.kind
		want, ok := c.Exports[e.name]
		if !ok {
			continue
		}
		if e.kind != externFunc {
			return refuse(Forbidden, "exports %s as a %s; it is a function", e.name, e.kind)
		}
		if have := m.types[m.funcs[e.index]].String(); have != want {
			return refuse(Forbidden, "exports %s as %s; it is %s", e.name, have, want)
		}
	}
	for _, name := range c.Required {
		if _, ok := kinds[name]; !ok {
			return refuse(Forbidden, "does not export %s %s", name, c.Exports[name])
		}
	}
	if k, ok := kinds[c.Memory]; c.Memory != "" && (!ok || k != externMemory) {
		return refuse(Forbidden, "does not export its memory as \"%s\"", c.Memory)
	}
	return nil
}
