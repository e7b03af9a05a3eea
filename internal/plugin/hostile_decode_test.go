package plugin

import (
	"strings"

	"recollect/hostapi"
)

// built is a text that a guest puts together itself from a beginning, a piece many
// times over and an end, so that its module is short. It gives code, the memory
// that it needs in pages, and where the text is.
func built(head, piece string, times int, end string) (data, code []byte, pages uint32, at, n int64) {
	each := max(5_000, 32<<10/len(piece)) // modules may have few bulk operations
	block := strings.Repeat(piece, min(each, times))
	data = []byte(head + block + end)
	at = int64(len(data)+pageBytes) / pageBytes * pageBytes
	put := func(from, size int64) {
		code = cat(code, constI32(at+n), constI32(from), constI32(size), []byte{0xfc, 10, 0, 0})
		n += size
	}
	put(0, int64(len(head)))
	for left := times; left > 0; left -= each {
		put(int64(len(head)), int64(min(each, left)*len(piece)))
	}
	put(int64(len(head)+len(block)), int64(len(end)))
	return data, code, uint32((at+n)/pageBytes) + 2, at, n
}

// says answers such a text.
func says(head, piece string, times int, end string) []byte {
	data, code, pages, at, n := built(head, piece, times, end)
	return tiny{memory: cat([]byte{0}, uleb(pages)), data: data, alloc: constI32(int64(pages-1) * pageBytes),
		extract: cat(code, answerAt(uint32(at), uint32(n)))}.build()
}

// asksFor asks the host with such a text, for ever.
func asksFor(head, piece string, times int, end string) []byte {
	data, code, pages, at, n := built(head, piece, times, end)
	return tiny{imports: [][]byte{function(hostapi.HostModule, "call", tCall)}, memory: cat([]byte{0}, uleb(pages)), data: data,
		alloc: constI32(int64(pages-1) * pageBytes), extract: cat(code, forever(cat(constI32(at), constI32(n), callFn(0), []byte{0x1a})))}.build()
}

const large = 340_000 // pieces of three bytes: 1 MB

// answerAttacks are short answers that decode to a lot.
func answerAttacks() []attack {
	result := `{"result":{`
	return []attack{
		{"answer of empty items", says(result+`"items":[`, `{},`, large, `{}]}}`), "", KindLimit, "its answer has more than 2000 elements"},
		{"answer of empty lists", says(result+`"items":[`, `[],`, large, `[]]}}`), "", KindLimit, "more than 2000 elements"},
		{"answer of evidence", says(result+`"items":[{"evidence":[`, `"",`, large, `""]}]}}`), "", KindLimit, "more than 1000 elements"},
		{"answer of unread turns", says(result+`"unread":[`, `"",`, large, `""]}}`), "", KindLimit, "more than 20000 elements"},
		{"answer of warnings", says(result+`"warnings":[`, `"",`, large, `""]}}`), "", KindLimit, "more than 1000 elements"},
		{"answer of elements in a field that nobody knows", says(result+`"other":[`, `0,`, large, `0]}}`), "", KindLimit, "more than 20000 elements"},
		{"answer of many values", says(result+`"other":[`, `[`+strings.Repeat("0,", 18_999)+`0],`, 27, `0]}}`), "", KindLimit, "more than 500000 values"},
		{"answer of keys", says(result, `"k":0,`, 100_000, `"k":0}}`), "", KindInvalid, `the key "k" is there twice`},
		{"answer nested deep and whole", answering(`{"result":{"items":` + nested(9_000, "[", "]") + `}}`), "", KindLimit, "nested deeper than 64"},
		{"answer nested deep in objects", answering(`{"result":` + strings.Repeat(`{"a":`, 4_000) + `1` + strings.Repeat("}", 4_000) + `}`), "", KindLimit, "nested deeper than 64"},
		{"answer with two results", answering(`{"result":{"items":[{"content":"one"}]},"result":null}`), "", KindInvalid, `the key "result" is there twice`},
		{"answer with two results, one by an escape", answering(`{"result":null,"r\u0065sult":{}}`), "", KindInvalid, `the key "result" is there twice`},
		{"answer with a number of a million digits", says(result+`"items":[{"content":"x","confidence":1`, "0", 1_000_000, `}]}}`), "", KindLimit, "digits in a number"},
		{"answer with a fraction of a million digits", says(result+`"items":[{"content":"x","confidence":0.`, "0", 1_000_000, `1}]}}`), "", KindLimit, "digits in a number"},
		{"answer with a number out of range", answering(`{"result":{"items":[{"content":"x","confidence":1e999}]}}`), "", KindInvalid, "not of its form"},
		{"answer with a key of a megabyte", says(result+`"`, "k", 1_000_000, `":1}}`), "", KindLimit, "bytes in a key"},
		{"error of escapes", says(`{"error":{"code":"failed","message":"`, `\u001b[2J\n`, 90_000, `"}}`), "", KindFailed, "[2J [2J [2J"},
		{"error of marks of direction", answering("{\"error\":{\"code\":\"\\n\\u001b\",\"message\":\"a\u202eb\\u202ec\u009b\\u0085d\\rApproved.\"}}"), "", KindFailed, "abc d Approved."},
		{"answer that is a list", answering(`[{"result":{}}]`), "", KindInvalid, "no object"},
		{"answer with something after it", answering(`{"result":{}}{"result":{"items":[]}}`), "", KindInvalid, "something after its end"},
		{"answer with a raw control character", answering("{\"result\":{\"items\":[{\"content\":\"a\x1b[2J\"}]}}"), "", KindInvalid, "control character"},
		{"answer without an end", says(`{"result":"`, `\\`, 500_000, ""), "", KindInvalid, "without an end"},
	}
}

// askAttacks have the host do the work: they ask it for ever.
func askAttacks() []attack {
	ask := func(method, params string) string { return `{"method":"` + method + `","params":{` + params }
	return []attack{
		{"host calls of empty sections", asksFor(ask("memory.get", `"sections":[`), `"",`, 7*large, `""]}}`), "", KindLimit, "its request to the host has more than 20000 elements"},
		{"host calls of empty messages", asksFor(ask("llm.complete", `"messages":[`), `{},`, 7*large, `{}]}}`), "", KindLimit, "more than 20000 elements"},
		{"host calls nested deep", asksFor(`{"method":"x","params":`, "[", 4<<20, ""), "", KindLimit, "nested deeper than 64"},
		{"host calls of members", asksFor(`{"a":[`, `{"b":[1,2,3],"c":{}},`, 19_000, `0],"method":"x"}`), "", KindDeadline, "it may"},
		{"host calls of a long text", asksFor(ask("storage.get", `"key":"`), `x`, 7<<20, `"}}`), "", KindDeadline, "it may"},
		{"host calls of escapes", asksFor(ask("llm.complete", `"prompt":"`), `\u0000`, 1<<20, `"}}`), "", KindDeadline, "it may"},
		{"host calls beyond what is read", asksFor(ask("llm.complete", `"prompt":"`), `x`, 9<<20, `"}}`), "", KindLimit, "longer than it may have"},
		{"host calls of a schema", asksFor(ask("llm.complete", `"schema":{"enum":[`), `1,`, 7*large, `1]}}}`), "", KindLimit, "more than 20000 elements"},
		{"many small host calls", asksFor(`{"method":"host.features"`, ` `, 1, `}`), "", KindLimit, "host more often"},
		{"host calls for all of the history", asksFor(ask("history.turns", `"limit":9223372036854775807,"cursor":"`), `9`, 18, `"}}`), "", KindLimit, "host more often"},
		{"host calls with a limit of a million digits", asksFor(ask("history.turns", `"limit":`), `9`, 1_000_000, `}}`), "", KindLimit, "digits in a number"},
		{"host calls that list keys", asksFor(ask("storage.list", `"prefix":"`), `\u0000`, 1_000, `"}}`), "", KindLimit, "host more often"},
	}
}

// workAttacks do much with one instruction.
func workAttacks() []attack {
	pages := func(n uint32) []byte { return cat([]byte{0}, uleb(n)) }
	straight := func(op ...byte) []byte {
		one := cat(constI32(1), constI32(0), constI32(62<<20), []byte{0xfc}, op)
		return tiny{memory: pages(1000), extract: cat(times(900, one...), loopForever)}.build()
	}
	table := func(op ...byte) []byte {
		return tiny{table: cat([]byte{0}, uleb(100_000)), extract: forever(op)}.build()
	}
	const long = 8 << 20
	segment := tiny{memory: pages(1000), passive: make([]byte, long),
		extract: forever(cat(constI32(1), constI32(0), constI32(long), []byte{0xfc, 8, 0, 0}))}.build()
	frames := func(kind byte, n uint32, code []byte) []byte {
		return tiny{locals: cat([]byte{1}, uleb(n), []byte{kind}), extract: code}.build()
	}
	again := cat(constI32(0), callFn(2))
	// What is kept over each call is computed from its depth.
	kept := cat(times(1_000, 0x20, 0, 0x41, 3, 0x6c), []byte{0x20, 0, 0x41, 1, 0x6a, 0x10, 2, 0x21, 1},
		times(999, 0x6a), []byte{0xad, 0x20, 1, 0x7c})
	vectors := cat(times(1_000, 0x20, 0, 0xfd, 0x11), []byte{0x20, 0, 0x41, 1, 0x6a, 0x10, 2, 0xfd, 0x12, 0x21, 1},
		times(999, 0xfd, 0xae, 1), []byte{0x20, 1, 0xfd, 0xae, 1, 0xfd, 0x1d, 0})
	// Each call comes back; 2^40 of them.
	tree := cat([]byte{0x20, 0, 0x45, 0x04, void}, constI64(0), []byte{0x0f, 0x0b},
		times(2, 0x20, 0, 0x41, 1, 0x6b, 0x10, 2, 0x1a), constI64(0))
	return []attack{
		{"straight copies that overlap", straight(10, 0, 0), "", KindDeadline, "it may"},
		{"straight fills", straight(11, 0), "", KindDeadline, "it may"},
		{"endless table.fill", table(cat(constI32(0), []byte{0xd0, 0x70}, constI32(100_000), []byte{0xfc, 17, 0})...), "", KindDeadline, "it may"},
		{"endless table.copy", table(cat(constI32(1), constI32(0), constI32(99_999), []byte{0xfc, 14, 0, 0})...), "", KindDeadline, "it may"},
		{"copies of a large segment", segment, "", KindDeadline, "it may"},
		{"recursion with 1,000 values", frames(typeI64, 1, kept), "", KindLimit, "deeper in one another"},
		{"recursion with 1,000 vectors", frames(0x7b, 1, vectors), "", KindLimit, "deeper in one another"},
		{"recursion by a table", tiny{table: []byte{0, 1}, extract: cat(constI32(0), []byte{0xd2, 2, 0x26, 0}, constI32(0), constI32(0), []byte{0x11, 2, 0})}.build(), "", KindLimit, "deeper in one another"},
		{"recursion with 4,000 locals", frames(typeI64, 4_000, again), "", KindLimit, "deeper in one another"},
		{"recursion with 4,000 vectors", frames(0x7b, 4_000, again), "", KindLimit, "deeper in one another"},
		{"tree of calls with 4,000 locals", frames(typeI64, 4_000, tree), "", KindDeadline, "it may"},
		{"tree of calls with 4,000 vectors", frames(0x7b, 4_000, tree), "", KindDeadline, "it may"},
	}
}

// nameAttacks are modules with odd names and counts.
func nameAttacks() []attack {
	odd := "cl\x1b[2J\nApproved.\u202e"
	custom := func(name string, data []byte) []byte { return section(0, cat(text(name), data)) }
	export := func(names ...string) (list [][]byte) {
		for _, n := range names {
			list = append(list, cat(text(n), []byte{0, 0}))
		}
		return list
	}
	trap := tiny{extract: []byte{0x00}}.build()
	named := func(n int) []byte {
		name := text(strings.Repeat("n\n\x1b[2J", n))
		return custom("name", cat([]byte{1}, uleb(uint32(2+len(name))), []byte{1, 2}, name))
	}
	segment := cat([]byte{0}, constI32(0), []byte{0x0b, 1, 'x'})
	return []attack{
		{"import with a name of control characters", tiny{imports: [][]byte{function(hostapi.HostModule, odd, tCall)}}.build(), "", KindInvalid, `"recollect.cl\x1b[2J\nApproved.\u202e"`},
		{"import of a module with a name of control characters", tiny{imports: [][]byte{function(odd, "call", tCall)}}.build(), "", KindInvalid, `"cl\x1b[2J\nApproved.\u202e.call"`},
		{"import of WASI with a name of control characters", tiny{imports: [][]byte{function("wasi_snapshot_preview1", odd, tCall)}}.build(), "", KindInvalid, `cl\x1b[2J\nApproved.\u202e"`},
		{"import with a name of a megabyte", tiny{imports: [][]byte{function(hostapi.HostModule, strings.Repeat("\n", 1<<20), tCall)}}.build(), "", KindInvalid, `\n\n…"`},
		{"exports of the same odd name", tiny{extra: export(odd, odd)}.build(), "", KindInvalid, `named "cl\x1b[2J\nApproved.\u202e"`},
		{"export of an odd name of nothing", tiny{extra: [][]byte{cat(text(odd), []byte{0, 99})}}.build(), "", KindInvalid, `"cl\x1b[2J\nApproved.\u202e" names a function`},
		{"export of a name reserved, with an odd end", tiny{extra: export("recollect_\x1b[2J\n")}.build(), "", KindInvalid, `"recollect_\x1b[2J\n"`},
		{"too many exports", tiny{extra: export(strings.Split(strings.Repeat("x", 10_001), "")...)}.build(), "", KindInvalid, "exports"},
		{"function with an odd name that traps", cat(trap, named(10)), "", KindTrap, "unreachable"},
		{"function with a name of a megabyte that traps", cat(trap, named(200_000)), "", KindTrap, "unreachable"},
		{"name section that stands twice", cat(trap, named(1), named(2)), "", KindInvalid, "its module is not valid"},
		{"custom section of an odd name, and a trap", cat(trap, custom(odd, make([]byte, 1<<20))), "", KindTrap, "unreachable"},
		{"section that stands twice", cat(trap, section(10, vec())), "", KindInvalid, "stands twice"},
		{"bomb of data segments", cat(tiny{}.build(), section(11, cat(uleb(100_001), times(100_001, segment...)))), "", KindInvalid, "segments"},
		{"count of data segments that lies", cat(tiny{}.build(), section(11, cat(uleb(1<<31), segment))), "", KindInvalid, "module is refused"},
	}
}
