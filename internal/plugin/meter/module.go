package meter

// Section ids, in no order of the file.
const (
	secCustom byte = iota
	secType
	secImport
	secFunction
	secTable
	secMemory
	secGlobal
	secExport
	secStart
	secElement
	secCode
	secData
	secDataCount
)

var sectionNames = [...]string{
	"custom section", "type section", "import section", "function section", "table section", "memory section",
	"global section", "export section", "start section", "element section", "code section", "data section",
	"data count section",
}

// rank is the place of a section in the file.
func rank(id byte) int {
	switch id {
	case secDataCount:
		return 10
	case secCode, secData:
		return int(id) + 1
	}
	return int(id)
}

// A section is one section as it stands in the file.
type section struct {
	id   byte
	name string // of a custom section that has a readable one
	body []byte // the payload; of a custom section, the name included
	data []byte // of a custom section, what follows the name
}

// A module is what the meter knows of a module: its sections, and the parts
// that checks and rewriting need.
type module struct {
	sections []section
	types    []funcType
	imports  []importDecl
	funcs    []uint32 // type of each function, the imported ones first
	tables   []table  // of the table section
	globals  []globalDecl
	exports  []exportDecl
	segments []segment
	data     []dataDecl
	bodies   [][]byte
	volume   int   // of the bodies that were scanned; see Info
	bodyAt   []int // where in the code section's payload each body stands

	importFuncs, importTables, importMemories, importGlobals int

	memory    *limits // of the memory section
	start     *uint32
	dataCount *uint32
}

type importDecl struct {
	module, name string
	kind         externKind
	typ          uint32 // of a function
	end          int    // offset in the section's payload after it
}

type globalDecl struct {
	typ     valType
	mutable bool
	head    []byte // type and mutability
	init    constExpr
}

type exportDecl struct {
	name  string
	kind  externKind
	index uint32
}

type dataDecl struct {
	passive bool
	size    int
}

func (m *module) allTables() int   { return m.importTables + len(m.tables) }
func (m *module) allGlobals() int  { return m.importGlobals + len(m.globals) }
func (m *module) allMemories() int { return m.importMemories + b2i(m.memory != nil) }

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// parse reads a module and refuses what is malformed, unsupported or beyond
// the limits outside of function bodies.
func parse(wasm []byte, lim Limits) (*module, error) {
	if err := over(len(wasm), lim.ModuleBytes, "bytes of module"); err != nil {
		return nil, err
	}
	r := reader{b: wasm, what: "module"}
	if string(r.take(8)) != "\x00asm\x01\x00\x00\x00" {
		return nil, refuse(Malformed, "not a WebAssembly module of version 1")
	}
	m := &module{}
	for last := 0; !r.done(); {
		s := section{id: r.byte()}
		if int(s.id) >= len(sectionNames) {
			return nil, refuse(Unsupported, "section %d is not of WebAssembly 2.0", s.id)
		}
		r.what = sectionNames[s.id]
		s.body = r.take(r.count())
		if r.err != nil {
			return nil, r.err
		}
		if s.id != secCustom {
			if rank(s.id) <= last {
				return nil, refuse(Malformed, "the %s is out of order or stands twice", r.what)
			}
			last = rank(s.id)
		}
		if err := m.readSection(&s, lim); err != nil {
			return nil, err
		}
		m.sections = append(m.sections, s)
	}
	if r.err != nil {
		return nil, r.err
	}
	return m, m.agree()
}

func (m *module) readSection(s *section, lim Limits) error {
	r := &reader{b: s.body, what: sectionNames[s.id]}
	if s.id == secCustom {
		s.name = r.name()
		s.data = r.b[r.pos:]
		return r.err
	}
	read := map[byte]func(*reader, Limits) error{
		secType: m.readTypes, secImport: m.readImports, secFunction: m.readFunctions, secTable: m.readTables,
		secMemory: m.readMemories, secGlobal: m.readGlobals, secExport: m.readExports, secStart: m.readStart,
		secElement: m.readElements, secCode: m.readBodies, secData: m.readData, secDataCount: m.readDataCount,
	}[s.id]
	if err := read(r, lim); err != nil {
		return err
	}
	r.ends()
	return r.err
}

// agree checks what sections say of each other, and puts the names right, which
// may stand before what they name.
func (m *module) agree() error {
	if n := len(m.funcs) - m.importFuncs; n != len(m.bodies) {
		return refuse(Malformed, "%d functions are declared and %d have a body", n, len(m.bodies))
	}
	if m.dataCount != nil && int(*m.dataCount) != len(m.data) {
		return refuse(Malformed, "%d data segments are announced and %d are there", *m.dataCount, len(m.data))
	}
	for i := range m.sections {
		s := &m.sections[i]
		if s.id != secCustom {
			continue
		}
		if i == len(m.sections)-1 && len(s.data) == 0 && s.name != nameSection {
			return refuse(Unsupported, "ends with a custom section without data, which the engine cannot read")
		}
		if s.name == nameSection {
			if err := m.names(s); err != nil {
				return err
			}
		}
	}
	return nil
}

// shift gives the index of a function after rewriting: tick comes after the
// imported functions.
func (m *module) shift(x uint32) uint32 {
	if int(x) < m.importFuncs {
		return x
	}
	return x + 1
}
