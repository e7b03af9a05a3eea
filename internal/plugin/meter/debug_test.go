package meter

import (
	"debug/dwarf"
	"io"
	"os"
	"regexp"
	"testing"
)

// lines is testdata/lines.c, built by clang 19:
//
//	clang-19 --target=wasm32 -nostdlib -O2 -g -fdebug-compilation-dir=. \
//	    -Wl,--no-entry -Wl,--export-memory -o lines.wasm lines.c
func lines(t testing.TB) []byte {
	t.Helper()
	b, err := os.ReadFile("testdata/lines.wasm")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A C guest's trap shows the same functions, files and lines, inlined ones too.
func TestDebugTrace(t *testing.T) {
	wasm := lines(t)
	metered, info, err := Instrument(wasm, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if info.NoDebug {
		t.Error("DWARF was left out")
	}
	h := newHost(t, config())
	offset := regexp.MustCompile(`0x[0-9a-f]+`)
	var traces [2]string
	for i, w := range [][]byte{wasm, metered} {
		mod, err := h.start(w)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = mod.ExportedFunction("rc_check").Call(t.Context(), 100); err == nil {
			t.Fatal("a division by zero went well")
		}
		traces[i] = offset.ReplaceAllString(err.Error(), "0x")
	}
	if traces[0] != traces[1] || !regexp.MustCompile(`lines\.c:7:15 \(inlined\)`).MatchString(traces[1]) {
		t.Errorf("plain:\n%s\nmetered:\n%s", traces[0], traces[1])
	}
}

type row struct {
	file         string
	line, column int
	end          bool
	addr         uint64
}

func rows(t *testing.T, wasm []byte) (out []row, ranges [][2]uint64) {
	t.Helper()
	m, err := parse(wasm, DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	sec := map[string][]byte{}
	for _, s := range m.sections {
		sec[s.name] = s.data
	}
	d, err := dwarf.New(sec[debugAbbrev], nil, nil, sec[debugInfo], sec[debugLine], nil, sec[debugRanges], sec[debugStr])
	if err != nil {
		t.Fatal(err)
	}
	for r := d.Reader(); ; {
		e, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if e == nil {
			return out, ranges
		}
		rs, err := d.Ranges(e)
		if err != nil {
			t.Fatal(err)
		}
		ranges = append(ranges, rs...)
		if e.Tag != dwarf.TagCompileUnit {
			continue
		}
		lr, err := d.LineReader(e)
		if err != nil {
			t.Fatal(err)
		}
		for {
			var le dwarf.LineEntry
			if err := lr.Next(&le); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			out = append(out, row{le.File.Name, le.Line, le.Column, le.EndSequence, le.Address})
		}
	}
}

// Every row and every range went where its code went.
func TestDebugRows(t *testing.T) {
	wasm := lines(t)
	metered, _, err := Instrument(wasm, Options{})
	if err != nil {
		t.Fatal(err)
	}
	was, wasIn := rows(t, wasm)
	is, isIn := rows(t, metered)
	if len(was) != len(is) || len(wasIn) != len(isIn) || len(was) < 50 || len(wasIn) < 10 {
		t.Fatalf("%d rows and %d ranges, were %d and %d", len(is), len(isIn), len(was), len(wasIn))
	}
	to := codeMoves(t, wasm)
	for i := range was {
		want := was[i]
		want.addr = uint64(to.to(uint32(want.addr)))
		if is[i] != want {
			t.Errorf("row %d is %+v, want %+v", i, is[i], want)
		}
	}
	for i, r := range wasIn {
		if want := [2]uint64{uint64(to.to(uint32(r[0]))), uint64(to.to(uint32(r[1])))}; isIn[i] != want {
			t.Errorf("range %d is %x, want %x", i, isIn[i], want)
		}
	}
}

// codeMoves gives where code goes, checked against the code itself: at every
// instruction's new place stands the same opcode.
func codeMoves(t *testing.T, wasm []byte) moves {
	t.Helper()
	s, err := open(wasm, Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := &writer{m: s.m, scan: s}
	if err := w.write(s.lim); err != nil {
		t.Fatal(err)
	}
	old := payload(t, wasm)
	moved := payload(t, w.out)
	for i, b := range s.m.bodies {
		if err := s.body(i); err != nil {
			t.Fatal(err)
		}
		r := reader{b: b, pos: s.code}
		for !r.done() {
			var in inst
			r.inst(&in)
			at := s.m.bodyAt[i] + in.start
			if to := w.moves.to(uint32(at)); old[at] != moved[to] {
				t.Fatalf("at %#x stands %#x, at %#x %#x", at, old[at], to, moved[to])
			}
		}
	}
	return w.moves
}

func payload(t *testing.T, wasm []byte) []byte {
	t.Helper()
	m, err := parse(wasm, DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range m.sections {
		if s.id == secCode {
			return s.body
		}
	}
	t.Fatal("no code")
	return nil
}

// DWARF that is damaged is left out, or kept; it is never a reason to fail.
func FuzzDebug(f *testing.F) {
	m, err := parse(lines(f), DefaultLimits())
	if err != nil {
		f.Fatal(err)
	}
	sec := map[string][]byte{}
	for _, s := range m.sections {
		sec[s.name] = s.data
	}
	f.Add(sec[debugInfo], sec[debugAbbrev], sec[debugLine], sec[debugRanges])
	to := moves{{2, 2}, {5, 9}, {100, 300}}
	f.Fuzz(func(t *testing.T, info, abbrev, line, ranges []byte) {
		out := rewriteDebug([]section{
			{name: debugInfo, data: info}, {name: debugAbbrev, data: abbrev},
			{name: debugLine, data: line}, {name: debugRanges, data: ranges},
		}, to)
		if n := len(out[debugLine]); n > 16*len(line)+64 {
			t.Errorf("%d bytes of lines became %d", len(line), n)
		}
	})
}
