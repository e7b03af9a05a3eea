// Package meter makes a guest's Wasm module safe to run: it refuses what is
// out of bounds, and writes the module back so that the guest counts what it
// does and lets the host in at short intervals. It is pure: bytes in, bytes
// out, no engine.
//
// # What the host does
//
//  1. wasm, info, err := meter.Instrument(guest, meter.Options{}). The error is
//     an [*Error]: one sentence for the plug-in's author, and a [Kind].
//  2. Give the engine the host module [TickModule] ("recollect") with one more
//     function, [TickName] ("tick"), of type () -> (), beside call, read, log.
//     The metered module imports it last.
//  3. Find the fuel: the metered module exports a mutable i64 global named
//     [FuelExport] ("recollect_fuel"). With wazero, once per instance:
//     fuel := mod.ExportedGlobal(meter.FuelExport).(api.MutableGlobal).
//  4. Keep one [Account] per instance. Before each entry into the guest:
//     fuel.Set(uint64(acct.Begin(budget))).
//  5. In tick, which runs on the guest's goroutine with the calling module as
//     its argument: look at the context and the deadline, then
//     refill, ok := acct.Tick(int64(fuel.Get())); if !ok, or if the call is
//     over for another reason, panic with an error (wazero gives it back from
//     the call, errors.Is holds) and discard the instance; else
//     fuel.Set(uint64(refill)).
//  6. After the call: acct.Spent(int64(fuel.Get())) is what it cost.
//
// A new instance starts with [Quantum] units, so that a start section ticks
// before the host has had the global in its hands; Account{Budget: n} is the
// account for that. tick must set the global to a value of 0 or more or not
// return: as long as fuel is below zero, every charge calls tick.
//
// # What is counted
//
// One unit is about one instruction that computes; what moves values about
// (locals, constants, drop) is a quarter, blocks and their ends are free. A
// division or root is 4, a call 16, and whatever leaves compiled code (calls of
// the host, growing memories and tables, ref.func) 128. Fuel is charged for what has been done: at loop
// headers, on ways back to a header that owe much more than others, before a
// function's first call to another, which is paid for with it, where 128 units are owed along the dearest
// path, and on leaving a function that owes more than 64. A function owes
// half a unit for each of its locals beyond the 64th when it is entered, which
// clears them. Bulk operations are charged before they run, a unit for 16 bytes or
// 2 entries of a table, and memory.grow 4,096 for a page. A charge subtracts from the global and calls tick when the result
// is below zero.
//
// The amounts are written into the code, and depend on the path taken but not
// on time, machine or ticks: the same module with the same input spends the
// same, and a budget stops it at the same charge, everywhere. They are a
// measure of time only roughly, since a path may owe less than the dearest one
// that it is charged for: guests were seen to spend 2 to 25 units a
// nanosecond, those of Go about 10: a budget of a second is some 10 to the 10th.
//
// What holds: every loop and every recursion is charged for every round with
// at least one unit, and along any path of one function at most about 300
// units are owed. So the host gets the control back within a Quantum of units,
// one operation on 1 MB of memory or one on the largest table.
//
// # What else is bounded
//
// An operation of memory on more than 1 MB is done in pieces, with a call of tick
// after each: by functions that are added after the guest's own. What is out of
// bounds traps as a whole before anything is written.
//
// Functions that call others, and those with large frames, take from a second
// global what their frame takes of the engine's stack, and give it back when they
// return. The guest may take what [StackBytes] gives: when less than nothing is left, tick is
// called and finds [StackExport] below zero: it must not return. What a trap left
// taken stays taken, and the instance is of no use.
//
// # What is changed
//
// Added, each after all others of its kind, so that no index moves but those
// of the guest's own functions: a type, the import of tick, the fuel global,
// its export, exports of the guest's mutable globals ([GlobalExport]), by which
// a host sets an instance back if there is [CleanExport] too, the stack global and
// its export, types, and in functions with bulk operations a local. The body of a
// function whose frames are counted stands in a block. Everything that
// refers to a function is shifted: calls, ref.func, element segments, exports,
// the start function, globals, the name section. Whatever index the guest uses
// is checked against what the guest itself declares, so that it can't name
// what was added. The maximum of tables is set or lowered to the limit.
//
// Custom sections stay where they are. Names of functions and locals are kept
// right, and so is DWARF of versions 2 to 4 as far as wazero reads it (units,
// lines, ranges, strings): stack traces show functions, files and lines as they
// do for the guest's own module. What else has offsets into the code (other
// sections and versions of DWARF, relocations, source maps) is left out;
// [Info].NoDebug tells when that takes the lines away.
//
// # What is not checked
//
// Types of operands: that is the engine's. Instrument keeps a valid module
// valid and an invalid one invalid.
package meter
