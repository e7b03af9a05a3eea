package plugin

import "math"

// hoarder is a hand-made guest that tells in its answer what it finds, and then
// does what the first two bytes of the request say, to leave something for the
// next call. With keeps, it also writes to its table and drops a segment.
func hoarder(keeps bool) []byte {
	const request, hidden, answer = 1024, 40_000, 64
	load := func(at int64) []byte { return cat(constI32(at), []byte{0x28, 2, 0}) }
	byteAt := func(at int64) []byte { return cat(constI32(at), []byte{0x2d, 0, 0}) }
	store := func(at int64, value ...[]byte) []byte {
		return cat(constI32(at), cat(value...), []byte{0x36, 2, 0})
	}
	pages, grow, drop := []byte{0x3f, 0}, []byte{0x40, 0}, []byte{0x1a}
	get := func(i byte) []byte { return []byte{0x23, i} }
	set := func(i byte) []byte { return []byte{0x24, i} }
	op, arg := byteAt(request), byteAt(request+1)
	last := cat(pages, constI32(65536), []byte{0x6c}, constI32(4), []byte{0x6b}) // address of the last word
	when := func(n int64, code ...[]byte) []byte {
		return cat(op, constI32(n), []byte{0x46, 0x04, void}, cat(code...), []byte{0x0b})
	}
	// Functions: random_get, clock_time_get, fd_close, fd_renumber, marker, rc_alloc,
	// rc_extract, and two that the table holds.
	const one, two = 7, 8
	code := cat(
		store(0, pages), store(4, get(0)),
		constI32(8), get(1), []byte{0x37, 3, 0}, // i64.store
		constI32(16), get(2), []byte{0x39, 3, 0}, // f64.store
		store(24, load(hidden)),
		store(28, constI32(0), constI32(1), []byte{0x11, tAlloc, 0}), // call_indirect
		constI32(32), constI32(8), callFn(0), drop,
		constI32(0), constI64(0), constI32(40), callFn(1), drop,
		store(48, last, []byte{0x28, 2, 0}),
		store(52, constI32(2), callFn(2)),
		when(1, get(0), arg, []byte{0x6a}, set(0), get(1), constI64(77), []byte{0x7c}, set(1),
			[]byte{0x44}, f64(1.5), set(2)),
		when(2, store(hidden, arg)),
		when(3, arg, grow, drop, last, arg, []byte{0x36, 2, 0}),
		when(4, constI32(hidden), constI32(64), callFn(0), drop),
		when(5, constI32(2), constI32(1), callFn(3), drop),
		when(6, []byte{0x00}),
		when(7, constI32(0), constI32(255), constI32(65536), []byte{0xfc, 11, 0}), // memory.fill
		when(10, []byte{0x03, void, 0x0c, 0, 0x0b}),
	)
	if keeps {
		code = cat(code,
			store(56, constI32(60), constI32(0), constI32(4), []byte{0xfc, 8, 0, 0}, load(60)), // memory.init
			when(8, constI32(1), []byte{0xd2, two, 0x26, 0}),
			when(9, []byte{0xfc, 9, 0})) // data.drop
	}
	code = cat(code, constI64(answer))
	wasi := "wasi_snapshot_preview1"
	tClock := types[0] // one type more than the others have
	signatures := cat([]byte{tClock + 1}, types[1:], []byte{0x60, 3, typeI32, typeI64, typeI32, 1, typeI32})
	return cat([]byte("\x00asm\x01\x00\x00\x00"),
		section(1, signatures),
		section(2, vec(function(wasi, "random_get", tCall), function(wasi, "clock_time_get", tClock),
			function(wasi, "fd_close", tAlloc), function(wasi, "fd_renumber", tCall))),
		section(3, vec([]byte{tVoid}, []byte{tAlloc}, []byte{tVerb}, []byte{tAlloc}, []byte{tAlloc})),
		section(4, vec([]byte{0x70, 0, 4})),
		section(5, vec([]byte{0, 1})),
		section(6, vec(cat([]byte{typeI32, 1}, constI32(5), []byte{0x0b}), cat([]byte{typeI64, 1}, constI64(6), []byte{0x0b}),
			cat([]byte{0x7c, 1, 0x44}, f64(0.5), []byte{0x0b}))),
		section(7, vec(cat(text("memory"), []byte{2, 0}), cat(text("rc_abi_1"), []byte{0, 4}),
			cat(text("rc_alloc"), []byte{0, 5}), cat(text("rc_extract"), []byte{0, 6}))),
		section(9, vec(cat([]byte{0}, constI32(1), []byte{0x0b}, vec([]byte{one}, []byte{two})))),
		section(12, uleb(1)),
		section(10, vec(body(nil), body(constI32(request)), body(code), body(constI32(111)), body(constI32(222)))),
		section(11, vec(cat([]byte{1}, text("kept")))))
}

func f64(v float64) []byte {
	b, bits := make([]byte, 8), math.Float64bits(v)
	for i := range b {
		b[i] = byte(bits >> (8 * i))
	}
	return b
}
