package plugin

import (
	"context"
	"fmt"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"recollect/hostapi"
	"recollect/internal/plugin/meter"
)

// sessionKey finds the session of a call in the context of a host function.
type sessionKey struct{}

// hostModule makes the functions that a guest may import from
// hostapi.HostModule.
func hostModule(ctx context.Context, r wazero.Runtime) error {
	functions := map[string]func(*session, api.Memory, []uint64){
		hostapi.ImportCall: (*session).importCall,
		hostapi.ImportRead: (*session).importRead,
		hostapi.ImportLog:  (*session).importLog,
	}
	b := r.NewHostModuleBuilder(hostapi.HostModule)
	for name, f := range functions {
		sig := imports[name]
		b.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(
			func(ctx context.Context, m api.Module, stack []uint64) {
				s, _ := ctx.Value(sessionKey{}).(*session)
				mem := m.Memory()
				if s == nil || mem == nil {
					panic(&abort{KindInvalid, "it called the host outside of a call"})
				}
				if err := context.Cause(s.ctx); err != nil {
					panic(err)
				}
				s.talked = s.talked || !s.alone
				f(s, mem, stack)
			}), sig.params, sig.results).Export(name)
	}
	b.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(
		func(ctx context.Context, m api.Module, _ []uint64) {
			s, _ := ctx.Value(sessionKey{}).(*session)
			if s == nil {
				panic(&abort{KindInvalid, "it ran outside of a call"})
			}
			s.tick(m)
		}), nil, nil).Export(hostapi.ImportTick)
	_, err := b.Instantiate(ctx)
	return err
}

// aloneReply is what a guest that warms up is told, whatever it asks.
var aloneReply = []byte(`{"error":{"code":"unavailable","message":"the host answers nothing before a call"}}`)

// What the guest pays for the host's work, in units of fuel: the same for the
// same requests, on every machine.
const (
	callFuel = 20_000 // for a request, whatever it asks
	byteFuel = 16     // for a byte of JSON that the host reads or writes
)

// charge makes the guest pay for bytes that the host copies for it, as it pays
// for those that it copies itself.
func (s *session) charge(n int) { s.pay(n >> 4) }

func (s *session) pay(units int) {
	if s.fuel != nil {
		s.fuel.Set(uint64(int64(s.fuel.Get()) - int64(units)))
	}
}

// maxQuestion is the most that a request to the host may have in bytes, whatever
// the plug-in may be given: the longest value that can be stored, all of it
// written as escapes, is shorter. To decode one takes well below a tenth of a
// second, which is how late a call may end.
const maxQuestion = 8 << 20

// importCall is call (ptr, len) -> len of the reply. A wild pointer and a call
// too many end the plug-in's call: neither can be answered.
func (s *session) importCall(mem api.Memory, stack []uint64) {
	began := time.Now()
	defer func() { s.usage.Host += time.Since(began) }()
	if s.usage.HostCalls++; s.usage.HostCalls > s.limits.HostCalls {
		panic(&abort{KindLimit, fmt.Sprintf("it asked the host more often than the %d times it may", s.limits.HostCalls)})
	}
	if int64(uint32(stack[1])) > min(s.limits.Request, maxQuestion) {
		panic(&abort{KindLimit, "it sent the host a request longer than it may have"})
	}
	view, ok := mem.Read(uint32(stack[0]), uint32(stack[1]))
	if !ok {
		panic(&abort{KindInvalid, "it gave the host a pointer outside of its memory"})
	}
	if s.alone {
		s.reply = aloneReply
	} else {
		var err error
		if s.reply, err = s.answer(view); err != nil {
			panic(err)
		}
		s.mustGoOn()
	}
	s.pay(callFuel + byteFuel*(len(view)+len(s.reply)))
	stack[0] = api.EncodeI32(int32(len(s.reply)))
}

// importRead is read (ptr, len) -> bytes copied of the kept reply.
func (s *session) importRead(mem api.Memory, stack []uint64) {
	n := min(uint64(uint32(stack[1])), uint64(len(s.reply)))
	if !mem.Write(uint32(stack[0]), s.reply[:n]) {
		panic(&abort{KindInvalid, "it gave the host a pointer outside of its memory"})
	}
	s.charge(int(n))
	stack[0] = n
}

// importLog is log (level, ptr, len). A line is cut to maxLogLine bytes.
func (s *session) importLog(mem api.Memory, stack []uint64) {
	if uint64(uint32(stack[1]))+uint64(uint32(stack[2])) > uint64(mem.Size()) {
		panic(&abort{KindInvalid, "it gave the host a pointer outside of its memory"})
	}
	view, _ := mem.Read(uint32(stack[1]), min(uint32(stack[2]), maxLogLine))
	s.charge(len(view))
	if s.alone {
		return
	}
	level := min(max(api.DecodeI32(stack[0]), hostapi.LogDebug), hostapi.LogError)
	s.addLog(level, string(view))
}

// mustGoOn ends the guest if its call has been ended or its time is up.
func (s *session) mustGoOn() {
	if err := context.Cause(s.ctx); err != nil {
		panic(err)
	}
	if s.clock.remaining() < 0 {
		panic(errDeadline)
	}
}

func (s *session) spent() error {
	return &abort{KindDeadline, fmt.Sprintf("it computed more than the %s units of fuel it may", count(s.limits.Fuel))}
}

// tick is what a metered module calls every meter.Quantum units of fuel, between
// the pieces of a large operation, and when its calls stand too deep in one
// another. Here a plug-in is stopped.
func (s *session) tick(m api.Module) {
	s.mustGoOn()
	if stack := m.ExportedGlobal(meter.StackExport); stack != nil && api.DecodeI32(stack.Get()) < 0 {
		panic(&abort{KindLimit, fmt.Sprintf("its calls stand deeper in one another than the %d MB of stack they may take", meter.StackBytes(int(s.limits.Memory/pageBytes))>>20)})
	}
	fuel := m.ExportedGlobal(meter.FuelExport).(api.MutableGlobal)
	refill, ok := s.account.Tick(int64(fuel.Get()))
	if !ok {
		panic(s.spent())
	}
	fuel.Set(uint64(refill))
}
