package meter

import (
	"errors"
	"fmt"

	"recollect/hostapi"
)

// What the meter adds to a module. Guests that use these names are refused.
const (
	TickModule = hostapi.HostModule
	TickName   = hostapi.ImportTick
	FuelExport = "recollect_fuel"
	// StackExport is what is left of what [StackBytes] gives; below 0: the guest has taken more.
	StackExport = "recollect_stack"
)

// Version changes with every change of what Instrument writes. It belongs into
// the key of whatever caches a metered module or its machine code.
const Version = "6"

// Options are what a module is held to. The zero value is the contract rc/1
// within the default limits.
type Options struct {
	Limits   Limits
	Contract *Contract
}

// Info is what was found out about a module on the way.
type Info struct {
	Imports   []Import // as the guest declares them, without tick
	Exports   []Export // as the guest declares them, without the fuel
	Functions int      // defined by the guest
	Globals   int      // defined by the guest
	Volume    int      // bytes of all bodies and locals of all functions together
	Start     bool     // runs code when it is instantiated
	Passive   bool     // has passive segments, which a snapshot of memory and globals misses
	Tables    int
	// MemoryPages is what the guest's memory starts with; MaxPages what it
	// declares as the most, 0 if it declares none.
	MemoryPages, MaxPages int
	// NoDebug says that Instrument left out DWARF of a version or form that it
	// doesn't understand. Names stay in any case.
	NoDebug bool
	// Charges is how many places Instrument charges at; 0 from Check.
	Charges int
}

// Import and Export name a function, table, memory or global.
type (
	Import struct{ Module, Name, Kind string }
	Export struct{ Name, Kind string }
)

// Has tells whether the guest exports a function of that name.
func (i *Info) Has(name string) bool {
	for _, e := range i.Exports {
		if e.Name == name {
			return e.Kind == externFunc.String()
		}
	}
	return false
}

// Check reads a module and refuses it as Instrument would, with an *[Error].
func Check(wasm []byte, opt Options) (*Info, error) {
	s, err := open(wasm, opt)
	if err != nil {
		return nil, err
	}
	for i := range s.m.bodies {
		if err := s.scanned(i); err != nil {
			return nil, err
		}
	}
	return s.m.info(), nil
}

// Instrument gives the module with the meter in it. The same module always
// gives the same bytes. What it refuses it refuses with an *[Error]; what it
// doesn't refuse may still be invalid, and is so exactly when the module that
// was given is.
func Instrument(wasm []byte, opt Options) ([]byte, *Info, error) {
	s, err := open(wasm, opt)
	if err != nil {
		return nil, nil, err
	}
	w := &writer{m: s.m, scan: s, out: make([]byte, 0, len(wasm)+len(wasm)/4+256)}
	if err := w.write(s.lim); err != nil {
		return nil, nil, err
	}
	info := s.m.info()
	info.Charges = w.charges
	info.NoDebug = w.traced && w.debug == nil
	return w.out, info, nil
}

// open reads and checks everything but the functions' bodies.
func open(wasm []byte, opt Options) (*scan, error) {
	lim := opt.Limits.filled()
	m, err := parse(wasm, lim)
	if err != nil {
		return nil, err
	}
	if err := m.reserved(); err != nil {
		return nil, err
	}
	c := opt.Contract
	if c == nil {
		c = RC1()
	}
	if err := c.check(m); err != nil {
		return nil, err
	}
	return &scan{m: m, lim: lim}, nil
}

// scanned scans a body and names its function in the refusal.
func (s *scan) scanned(i int) error {
	err := s.body(i)
	s.m.volume += len(s.m.bodies[i]) + s.locals
	var e *Error
	if errors.As(err, &e) {
		e.text = fmt.Sprintf("function %d: %s", s.m.importFuncs+i, e.text)
	}
	return err
}

func (m *module) info() *Info {
	info := &Info{
		Functions: len(m.bodies),
		Globals:   len(m.globals),
		Volume:    m.volume,
		Start:     m.start != nil,
		Tables:    len(m.tables),
	}
	for _, im := range m.imports {
		info.Imports = append(info.Imports, Import{im.module, im.name, im.kind.String()})
	}
	for _, e := range m.exports {
		info.Exports = append(info.Exports, Export{e.name, e.kind.String()})
	}
	for i := range m.segments {
		info.Passive = info.Passive || m.segments[i].form&(segNotActive|segTableOrNot) == segNotActive
	}
	for _, d := range m.data {
		info.Passive = info.Passive || d.passive
	}
	if m.memory != nil {
		info.MemoryPages, info.MaxPages = int(m.memory.min), int(m.memory.max)
	}
	return info
}
