package plugin

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"recollect/hostapi"
	"recollect/internal/printable"
)

// method is one host method and the capability that grants it; "" grants it to
// all.
type method struct {
	capability hostapi.Capability
	answer     func(*session, json.RawMessage) (any, *hostapi.Error)
}

// methods are all host methods of this version.
func methods() map[string]method {
	return map[string]method{
		hostapi.MethodHistoryBranches: {hostapi.CapHistoryRead, (*session).historyBranches},
		hostapi.MethodHistorySessions: {hostapi.CapHistoryRead, with((*session).historySessions)},
		hostapi.MethodHistoryTurns:    {hostapi.CapHistoryRead, with((*session).historyTurns)},
		hostapi.MethodHistoryTurn:     {hostapi.CapHistoryRead, with((*session).historyTurn)},
		hostapi.MethodLLMComplete:     {hostapi.CapLLMCall, with((*session).llmComplete)},
		hostapi.MethodLLMBudget:       {hostapi.CapLLMCall, (*session).llmBudget},
		hostapi.MethodStorageGet:      {hostapi.CapStorage, with((*session).storageGet)},
		hostapi.MethodStoragePut:      {hostapi.CapStorage, with((*session).storagePut)},
		hostapi.MethodStorageDelete:   {hostapi.CapStorage, with((*session).storageDelete)},
		hostapi.MethodStorageList:     {hostapi.CapStorage, with((*session).storageList)},
		hostapi.MethodMemoryGet:       {hostapi.CapMemoryRead, with((*session).memoryGet)},
		hostapi.MethodConfigGet:       {"", (*session).configGet},
		hostapi.MethodHostFeatures:    {"", (*session).hostFeatures},
	}
}

// refusal is what a plug-in reads, and its log keeps: one line.
func refusal(code hostapi.Code, format string, args ...any) *hostapi.Error {
	return &hostapi.Error{Code: code, Message: printable.Line(fmt.Sprintf(format, args...), maxReason)}
}

// answer answers one host request, and keeps nothing of its bytes. Whatever is
// wrong with it is an answer too, and a line in the plug-in's log. With an error
// the call must end: the request would decode to more than it may, or the time is
// up.
func (s *session) answer(request []byte) ([]byte, error) {
	parts, err := scan(s.ctx, request, shape{})
	if err != nil {
		err = ending(s.ctx, "its request to the host", err)
	}
	if ends := (*abort)(nil); errors.As(err, &ends) || s.ctx.Err() != nil {
		return nil, cmp.Or(err, context.Cause(s.ctx))
	}
	s.mustGoOn()
	name, result, refused := s.dispatch(parts, err)
	if refused == nil {
		data, err := encodeResult(result)
		switch {
		case err != nil:
			refused = refusal(hostapi.CodeFailed, "the result can't be encoded")
		case int64(len(data)) > min(s.limits.Request, s.limits.Memory):
			refused = refusal(hostapi.CodeBudget, "the result is longer than the %d bytes that the plug-in may be given", min(s.limits.Request, s.limits.Memory))
		default:
			return data, nil
		}
	}
	if refused.Code != hostapi.CodeNotFound {
		s.addLog(hostapi.LogWarn, fmt.Sprintf("host: %s: %s", printable.Line(name, 60), refused))
	}
	data, err := encode(hostapi.Answer{Error: refused})
	if err != nil {
		return []byte(`{"error":{"code":"failed","message":"the host's answer can't be encoded"}}`), nil
	}
	return data, nil
}

// dispatch is the one place where capabilities are checked. wrong is what the
// request fails by already.
func (s *session) dispatch(parts members, wrong error) (name string, result any, refused *hostapi.Error) {
	name = "request"
	defer func() {
		if r := recover(); r != nil {
			refused = refusal(hostapi.CodeFailed, "the host failed: %v", r)
		}
	}()
	r := hostapi.Request{Params: parts.get("params")}
	if raw := parts.get("method"); raw != nil {
		wrong = json.Unmarshal(raw, &r.Method)
	}
	if wrong != nil {
		return name, nil, refusal(hostapi.CodeInvalid, "the request is not of its form: %s", printable.Line(wrong.Error(), 200))
	}
	m, ok := methods()[r.Method]
	if !ok {
		return r.Method, nil, refusal(hostapi.CodeNotFound, "there is no method %s", printable.Quote(r.Method, 60))
	}
	if _, granted := s.manifest.Capabilities[m.capability]; m.capability != "" && !granted {
		return r.Method, nil, refusal(hostapi.CodeDenied, "the plug-in has no capability \"%s\"", m.capability)
	}
	result, refused = m.answer(s, r.Params)
	return r.Method, result, refused
}

// encodeResult gives the answer that holds a result.
func encodeResult(v any) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(`{"result":`)
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	b.Truncate(b.Len() - len("\n"))
	b.WriteByte('}')
	return b.Bytes(), nil
}

// encode is json.Marshal without the escapes that only HTML needs.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

func (s *session) configGet(json.RawMessage) (any, *hostapi.Error) {
	config, err := ResolveConfig(s.manifest, s.setting.Config)
	if err != nil {
		return nil, refusal(hostapi.CodeInvalid, "%v", err)
	}
	return hostapi.ConfigResult{Config: config}, nil
}

func (s *session) hostFeatures(json.RawMessage) (any, *hostapi.Error) {
	return hostapi.FeaturesResult{
		ABI: hostapi.ABI, Version: s.version,
		Methods: slices.Sorted(maps.Keys(methods())),
	}, nil
}

func (s *session) memoryGet(p hostapi.MemoryGetParams) (any, *hostapi.Error) {
	if p.Branch == "" {
		p.Branch = s.setting.Branch
	}
	if p.Branch != s.setting.Branch {
		return nil, refusal(hostapi.CodeDenied, "the plug-in may read the memory of this branch only")
	}
	if s.setting.Memory == nil {
		return nil, refusal(hostapi.CodeUnavailable, "there is no memory in this call")
	}
	m, err := s.setting.Memory(p.Branch)
	if err != nil {
		return nil, refusal(hostapi.CodeFailed, "the memory can't be read: %v", err)
	}
	granted := s.manifest.Capabilities[hostapi.CapMemoryRead].Sections
	result := hostapi.MemoryGetResult{Items: []hostapi.MemoryItem{}}
	for _, it := range memoryItems(m.Items) {
		if named(granted, it.Section) && named(p.Sections, it.Section) {
			result.Items = append(result.Items, it)
		}
	}
	return result, nil
}

// named holds for every section if the list is empty.
func named(sections []string, section string) bool {
	return len(sections) == 0 || slices.Contains(sections, section)
}

// maxPrompt is the most that a plug-in may have a model read at once, in bytes:
// more than models take.
const maxPrompt = 4 << 20

func (s *session) llmComplete(p hostapi.CompleteParams) (any, *hostapi.Error) {
	if s.setting.Complete == nil {
		return nil, refusal(hostapi.CodeUnavailable, "no model is configured")
	}
	if s.usage.ModelCalls >= s.limits.ModelCalls {
		return nil, refusal(hostapi.CodeBudget, "the %d model calls of this run are used up", s.limits.ModelCalls)
	}
	if len(p.System)+len(p.Prompt) > maxPrompt {
		return nil, refusal(hostapi.CodeBudget, "a prompt can't be longer than %d bytes", maxPrompt)
	}
	if refused := s.clean(&p.System, &p.Prompt); refused != nil {
		return nil, refused
	}
	s.usage.ModelCalls++
	var result hostapi.CompleteResult
	var err error
	s.waiting(func() { result, err = s.setting.Complete(s.ctx, p) })
	if err != nil {
		return nil, modelRefusal(err)
	}
	return result, nil
}

func (s *session) llmBudget(json.RawMessage) (any, *hostapi.Error) {
	if s.setting.Budget == nil {
		return nil, refusal(hostapi.CodeUnavailable, "no model is configured")
	}
	result, err := s.setting.Budget(s.ctx)
	if err != nil {
		return nil, modelRefusal(err)
	}
	result.Calls = min(result.Calls, max(s.limits.ModelCalls-s.usage.ModelCalls, 0))
	return result, nil
}
