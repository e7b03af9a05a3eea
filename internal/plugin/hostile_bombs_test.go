package plugin

import "bytes"

// forever is code, over and over, and what a verb gives after it.
func forever(code []byte) []byte {
	return cat([]byte{0x03, void}, code, []byte{0x0c, 0, 0x0b, 0x00})
}

func times(n int, code ...byte) []byte { return bytes.Repeat(code, n) }

// setLocals sets the first n locals of type i32.
func setLocals(n int) []byte {
	var b []byte
	for i := range n {
		b = cat(b, []byte{0x41, 1, 0x21}, uleb(uint32(i)))
	}
	return b
}

// groups is n locals of type i32, each group of them as long as size.
func groups(n, size int) []byte {
	return cat(uleb(uint32(n/size)), bytes.Repeat(cat(uleb(uint32(size)), []byte{typeI32}), n/size))
}

// bombAttacks are small modules that take a compiler long, or much memory.
func bombAttacks() []attack {
	of := func(locals, code []byte) []byte {
		return tiny{locals: locals, extract: cat(code, constI64(0)), table: []byte{0, 1}}.build()
	}
	phi := cat(setLocals(1000), times(1000, 0x03, void), setLocals(1000), times(1000, 0x41, 0, 0x0d, 0, 0x0b))
	ifs := times(4000, 0x41, 1, 0x04, void, 0x41, 1, 0x21, 5, 0x0b)
	branches := times(20, cat([]byte{0x02, void, 0x41, 0, 0x0e}, uleb(16_000), times(16_001, 0), []byte{0x0b})...)
	many := tiny{}.build()
	many = bytes.Replace(many, section(3, vec([]byte{tVoid}, []byte{tAlloc}, []byte{tVerb})),
		section(3, cat(uleb(100_003), []byte{tVoid, tAlloc, tVerb}, times(100_000, tVoid))), 1)
	return []attack{
		{"compile bomb of 25 KB", of(groups(1000, 1000), phi), "", KindInvalid, "module is refused"},
		{"bomb of ifs over locals", of(groups(2000, 1000), ifs), "", KindInvalid, "module is refused"},
		{"bomb of locals", of(cat([]byte{1}, uleb(1<<31), []byte{typeI32}), nil), "", KindInvalid, "locals"},
		{"bomb of locals in groups", of(groups(8000, 1), nil), "", KindInvalid, "locals"},
		{"bomb of nesting", of(nil, cat(times(100_000, 0x02, void), times(100_000, 0x0b))), "", KindInvalid, "nest"},
		{"bomb of branch tables", of(nil, branches), "", KindInvalid, "module is refused"},
		{"bomb of one branch table", of(nil, cat([]byte{0x41, 0, 0x0e}, uleb(1<<30))), "", KindInvalid, "module is refused"},
		{"bomb of bulk operations", of(nil, times(20_000, 0x41, 0, 0x41, 0, 0x41, 1, 0xfc, 11, 0)), "", KindInvalid, "module is refused"},
		{"bomb of one body", of(nil, times(2<<20, 0x01)), "", KindInvalid, "module is refused"},
		{"bomb of functions", many, "", KindInvalid, "functions"},
	}
}
