package main

import (
	"context"
	"fmt"

	extism "github.com/extism/go-sdk"
	"github.com/tetratelabs/wazero"
)

// sdk is a guest of Extism under its Go SDK, with its timeout.
type sdk struct {
	compiled *extism.CompiledPlugin
	kept     *extism.Plugin
}

func newSDK(ctx context.Context, wasm []byte) (*sdk, error) {
	reply := knownAnswer()
	call := extism.NewHostFunctionWithStack("rc_call", func(ctx context.Context, p *extism.CurrentPlugin, stack []uint64) {
		if _, err := p.ReadBytes(stack[0]); err != nil {
			panic(err)
		}
		at, err := p.WriteBytes(reply)
		if err != nil {
			panic(err)
		}
		stack[0] = at
	}, []extism.ValueType{extism.ValueTypePTR}, []extism.ValueType{extism.ValueTypePTR})
	compiled, err := extism.NewCompiledPlugin(ctx, extism.Manifest{
		Wasm: []extism.Wasm{extism.WasmData{Data: wasm}}, Timeout: 30_000,
	}, extism.PluginConfig{EnableWasi: true}, []extism.HostFunction{call})
	if err != nil {
		return nil, err
	}
	s := &sdk{compiled: compiled}
	s.kept, err = s.instance(ctx)
	return s, err
}

func (s *sdk) instance(ctx context.Context) (*extism.Plugin, error) {
	return s.compiled.Instance(ctx, extism.PluginInstanceConfig{ModuleConfig: wazero.NewModuleConfig()})
}

func (s *sdk) again(ctx context.Context, request []byte) ([]byte, error) {
	return sdkCall(ctx, s.kept, request)
}

func (s *sdk) fresh(ctx context.Context, request []byte) ([]byte, error) {
	p, err := s.instance(ctx)
	if err != nil {
		return nil, err
	}
	defer p.CloseWithContext(ctx)
	return sdkCall(ctx, p, request)
}

func sdkCall(ctx context.Context, p *extism.Plugin, request []byte) ([]byte, error) {
	code, answer, err := p.CallWithContext(ctx, "check", request)
	if err == nil && code != 0 {
		err = fmt.Errorf("exit code %d", code)
	}
	return append([]byte(nil), answer...), err
}
