package plugin

import (
	"bytes"
	"strings"
	"testing"

	"recollect/hostapi"
)

// attack is a module and what must come of a call of it.
type attack struct {
	name   string
	wasm   []byte
	branch string // tells the hostile guest what to do
	kind   Kind
	reason string // part of the sentence
}

// attacks are all that a module can try. What a package and the folders of the
// program can be made to hold is attacked in hostile_package_test.go.
func attacks(t *testing.T) []attack {
	var list []attack
	for _, some := range [][]attack{goAttacks(t), reachAttacks(t), moduleAttacks(t), endlessAttacks(), trapAttacks(), memoryAttacks(), boundaryAttacks(), bombAttacks(),
		answerAttacks(), askAttacks(), workAttacks(), nameAttacks()} {
		list = append(list, some...)
	}
	return list
}

// goAttacks are what a program can do that a compiler made.
func goAttacks(t *testing.T) []attack {
	hostile := goGuest(t, "hostile")
	return []attack{
		{"endless loop", hostile, "loop", KindDeadline, "longer than"},
		{"memory hog", hostile, "hog", KindMemory, "64 MB"},
		{"Go panic", hostile, "panic", KindTrap, "panic: as told"},
		{"nil map", hostile, "nil map", KindTrap, "nil map"},
		{"deep recursion", hostile, "recursion", KindTrap, "of its 64 MB"},
		{"os.Exit", hostile, "exit", KindTrap, "exit code 7"},
		{"sleep for an hour", hostile, "sleep", KindDeadline, "longer than"},
		{"deadlock", hostile, "deadlock", KindTrap, "deadlock"},
		{"million goroutines", hostile, "goroutines", KindMemory, "64 MB"},
		{"flood of host calls", hostile, "host calls", KindLimit, "host more often"},
		{"flood of logs", hostile, "logs", KindDeadline, "longer than"},
		{"flood of standard error", hostile, "stderr", KindDeadline, "longer than"},
		{"flood of standard output", hostile, "stdout", KindDeadline, "longer than"},
		{"flood of reply", hostile, "reply", KindLimit, "longer than"},
	}
}

// reachAttacks try to get at the outside. The guest answers with the error that
// it got; an answer without one has got through.
func reachAttacks(t *testing.T) []attack {
	hostile := goGuest(t, "hostile")
	return []attack{
		{"file read", hostile, "read a file", KindFailed, "Bad file number"},
		{"file written", hostile, "write a file", KindFailed, "Bad file number"},
		{"folder listed", hostile, "list a folder", KindFailed, "Bad file number"},
		{"standard input read", hostile, "read standard input", KindFailed, "EOF"},
		{"network dialled", hostile, "dial", KindFailed, "onnection refused"},
		{"name resolved", hostile, "resolve a name", KindFailed, "example.org"},
		{"process started", hostile, "start a process", KindFailed, "Not implemented"},
		{"environment read", hostile, "environment", KindFailed, "nothing in it"},
		{"clock read", hostile, "clock", KindFailed, "2022 for ever"},
	}
}

// compileBomb30 is the shortest module that made wazero panic: a function of a
// type that there is not, and a call of it.
const compileBomb30 = "\x00asm\x01\x00\x00\x00\x01\x04\x01\x60\x00\x00\x03\x03\x02\x00\x7f\x0a\x07\x02\x04\x00\x10\x01\x0b\x00"

func moduleAttacks(t *testing.T) []attack {
	hostile := goGuest(t, "hostile")
	host := func(module, name string, typ byte) [][]byte { return [][]byte{function(module, name, typ)} }
	flipped := func(at int) []byte {
		b := bytes.Clone(hostile)
		b[at] ^= 0x20
		return b
	}
	const recollect = hostapi.HostModule
	return []attack{
		{"not Wasm at all", []byte("#!/bin/sh\n"), "", KindInvalid, "WebAssembly"},
		{"empty file", []byte{}, "", KindInvalid, "WebAssembly"},
		{"truncated to half", hostile[:len(hostile)/2], "", KindInvalid, "module"},
		{"truncated by a byte", hostile[:len(hostile)-1], "", KindInvalid, "module"},
		{"truncated to its head", hostile[:8], "", KindInvalid, "module"},
		{"bit flipped in the magic", flipped(1), "", KindInvalid, "module"},
		{"bit flipped in the version", flipped(4), "", KindInvalid, "module"},
		{"bit flipped in a section's length", flipped(9), "", KindInvalid, "module"},
		{"compile bomb of 30 bytes", []byte(compileBomb30), "", KindInvalid, "module"},
		{"no exports", []byte("\x00asm\x01\x00\x00\x00"), "", KindInvalid, "export"},
		{"wrong signature of a verb", tiny{verb: tWrong}.build(), "", KindInvalid, "rc_extract"},
		{"wrong signature of rc_alloc", tiny{room: tVerb, alloc: constI64(0)}.build(), "", KindInvalid, "rc_alloc"},
		{"unknown module imported", tiny{imports: host("env", "abort", tVoid)}.build(), "", KindInvalid, "env.abort"},
		{"unknown function imported", tiny{imports: host(recollect, "open", tVoid)}.build(), "", KindInvalid, "recollect.open"},
		{"unknown WASI function imported", tiny{imports: host("wasi_snapshot_preview1", "exec", tVoid)}.build(), "", KindInvalid, "exec"},
		{"import of a wrong signature", tiny{imports: host(recollect, "call", tVoid)}.build(), "", KindInvalid, "recollect.call"},
		{"tick imported", tiny{imports: host(recollect, "tick", tVoid)}.build(), "", KindInvalid, "recollect.tick"},
		{"fuel exported by its name", tiny{extra: [][]byte{fuelExport}}.build(), "", KindInvalid, "recollect_fuel"},
		{"fuel exported by its index", tiny{extra: [][]byte{cat(text("g"), []byte{3, 0})}}.build(), "", KindInvalid, "global"},
		{"fuel set by its index", tiny{extract: cat(constI64(1<<60), []byte{0x24, 0}, constI64(0))}.build(), "", KindInvalid, "global"},
		{"fuel read by its index", tiny{extract: []byte{0x23, 0}}.build(), "", KindInvalid, "global"},
		{"global far out of range", tiny{extract: cat([]byte{0x23}, uleb(1<<31), []byte{0x1a}, constI64(0))}.build(), "", KindInvalid, "global"},
	}
}

func endlessAttacks() []attack {
	return []attack{
		{"tiny loop", tiny{extract: loopForever}.build(), "", KindDeadline, "longer than"},
		{"loop in rc_alloc", tiny{alloc: loopForever}.build(), "", KindDeadline, "longer than"},
		{"loop in the start section", tiny{start: loopForever}.build(), "", KindDeadline, "longer than"},
		{"loop in _initialize", tiny{init: loopForever}.build(), "", KindDeadline, "longer than"},
		{"call explosion without a loop", callTree(), "", KindDeadline, "longer than"},
		{"endless recursion", tiny{extract: cat(constI32(0), callFn(2))}.build(), "", KindLimit, "deeper in one another"},
		{"endless fill of memory", tiny{extract: forever(cat(constI32(0), constI32(7), constI32(1<<16), []byte{0xfc, 11, 0}))}.build(), "", KindDeadline, "longer than"},
	}
}

func trapAttacks() []attack {
	trap := func(code ...byte) []byte { return tiny{table: []byte{0, 1}, extract: cat(code, constI64(0))}.build() }
	return []attack{
		{"unreachable", tiny{extract: []byte{0x00}}.build(), "", KindTrap, "unreachable"},
		{"division by zero", trap(0x41, 1, 0x41, 0, 0x6d, 0x1a), "", KindTrap, "divide by zero"},
		{"load out of bounds", trap(0x41, 0x7f, 0x28, 2, 0, 0x1a), "", KindTrap, "out of bounds"},
		{"call of no function", trap(0x41, 0, 0x11, 0, 0), "", KindTrap, "invalid table access"},
		{"trap in the start section", tiny{start: []byte{0x00}}.build(), "", KindTrap, "unreachable"},
		{"trap in _initialize", tiny{init: []byte{0x00}}.build(), "", KindTrap, "unreachable"},
	}
}

func memoryAttacks() []attack {
	grow := func(pages int64) []byte { return cat(constI32(pages), []byte{0x40, 0}) }
	untilRefused := cat([]byte{0x03, void}, grow(1), constI32(-1), []byte{0x47, 0x0d, 0, 0x0b, 0x00})
	table := cat([]byte{0xd0, 0x70}, constI32(1000), []byte{0xfc, 15, 0, 0x1a})
	tableOnce := cat([]byte{0xd0, 0x70}, constI32(50_000_000), []byte{0xfc, 15, 0}, constI32(-1), []byte{0x46, 0x04, void, 0x00, 0x0b}, constI64(0))
	return []attack{
		{"memory grown step by step", tiny{extract: untilRefused}.build(), "", KindMemory, "64 MB"},
		{"memory grown for ever", tiny{extract: forever(cat(grow(1), []byte{0x1a}))}.build(), "", KindDeadline, "it may"}, // by time or by fuel
		{"memory grown in the start section", tiny{start: untilRefused}.build(), "", KindTrap, "unreachable"},
		{"memory grown to 4 GB at once", tiny{extract: cat(grow(65535), constI32(-1), []byte{0x46, 0x04, void, 0x00, 0x0b}, constI64(0))}.build(), "", KindTrap, "unreachable"},
		{"memory of 4 GB declared", tiny{memory: cat([]byte{0}, uleb(65536))}.build(), "", KindInvalid, "memory"},
		{"table of 100 million declared", tiny{table: cat([]byte{0}, uleb(100_000_000))}.build(), "", KindInvalid, "tables"},
		{"table grown at once", tiny{table: []byte{0, 1}, extract: tableOnce}.build(), "", KindTrap, "unreachable"},
		{"table grown for ever", tiny{table: []byte{0, 1}, extract: forever(table)}.build(), "", KindDeadline, "longer than"},
	}
}

// boundaryAttacks give the host wrong pointers, lengths and bytes.
func boundaryAttacks() []attack {
	const recollect = hostapi.HostModule
	ping := `{"method":"host.features"}`
	calls := [][]byte{function(recollect, "call", tCall), function(recollect, "read", tCall)}
	logs := [][]byte{function(recollect, "log", tLog)}
	drop := []byte{0x1a}
	asks := cat(constI32(0), constI32(int64(len(ping))), callFn(0), drop)
	read := func(at, n int64) []byte { return cat(constI32(at), constI32(n), callFn(1), drop, constI64(0)) }
	grow := cat(constI32(1), []byte{0x40, 0}, drop)
	call := func(at, n int64) []byte { return cat(constI32(at), constI32(n), callFn(0), drop, constI64(0)) }
	return []attack{
		{"rc_alloc gives 0", tiny{alloc: constI32(0)}.build(), "", KindMemory, "no memory"},
		{"rc_alloc gives a wild pointer", tiny{alloc: constI32(-8)}.build(), "", KindInvalid, "outside"},
		{"reply with a wild pointer", tiny{extract: answerAt(0xfffffff0, 64)}.build(), "", KindInvalid, "outside"},
		{"reply of 4 GB", tiny{extract: answerAt(0, 0xffffffff)}.build(), "", KindLimit, "longer than"},
		{"reply past the end", tiny{extract: answerAt(65530, 100)}.build(), "", KindInvalid, "outside"},
		{"reply past memory that has grown", tiny{extract: cat(grow, answerAt(2*65536-10, 100))}.build(), "", KindInvalid, "outside"},
		{"reply that is not JSON", answering("hello"), "", KindInvalid, "not of its form"},
		{"reply that is not UTF-8", answering("{\"result\":\"\xff\"}"), "", KindInvalid, "UTF-8"},
		{"reply of another form", answering(`{"result":{"items":"none"}}`), "", KindInvalid, "not of its form"},
		{"reply nested deep", answering(`{"result":` + strings.Repeat("[", 20000)), "", KindLimit, "nested deeper than 64"},
		{"host call with a wild pointer", tiny{imports: calls, extract: call(-100, 50)}.build(), "", KindInvalid, "pointer"},
		{"host call of 4 GB", tiny{imports: calls, extract: call(0, -1)}.build(), "", KindLimit, "longer than"},
		{"host call past memory that has grown", tiny{imports: calls, extract: cat(grow, call(2*65536-10, 100))}.build(), "", KindInvalid, "pointer"},
		{"host call in the start section", tiny{imports: calls, start: cat(constI32(-100), constI32(50), callFn(0), drop)}.build(), "", KindInvalid, "pointer"},
		{"read to a wild pointer", tiny{imports: calls, data: []byte(ping), extract: cat(asks, read(-4, 4000))}.build(), "", KindInvalid, "pointer"},
		{"read past memory that has grown", tiny{imports: calls, data: []byte(ping), extract: cat(asks, grow, read(2*65536-4, 4000))}.build(), "", KindInvalid, "pointer"},
		{"log with a wild pointer", tiny{imports: logs, extract: cat(constI32(9), constI32(-1), constI32(-1), callFn(0), constI64(0))}.build(), "", KindInvalid, "pointer"},
	}
}
