//go:build !wasip1

package guest

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"recollect/hostapi"
)

// Fake is a host in memory for the tests of a plug-in. The zero value has no
// history, an empty storage, an empty configuration and no model.
type Fake struct {
	Branch string // of the call
	Turns  []Turn
	// Sessions is what history.sessions lists, whatever the branch.
	Sessions []Session
	Memory   []MemoryItem
	Config   any // encoded as JSON; nil: {}
	Storage  map[string]string
	// Complete answers llm.complete; nil: unavailable.
	Complete func(CompleteParams) (string, error)
	// Denied holds methods that answer CodeDenied, as a missing capability does.
	Denied []string
	// PageTurns is how many turns a page holds; 0: 10.
	PageTurns int

	Lines []string // what the plug-in logged
}

// Log implements Host.
func (f *Fake) Log(_ int32, line string) { f.Lines = append(f.Lines, line) }

// Answer implements Host.
func (f *Fake) Answer(r hostapi.Request) hostapi.Answer {
	if slices.Contains(f.Denied, r.Method) {
		return refuse(hostapi.CodeDenied, "the plug-in has no capability for "+r.Method)
	}
	switch r.Method {
	case hostapi.MethodHistoryTurns:
		return with(r, f.turns)
	case hostapi.MethodHistoryTurn:
		return with(r, f.turn)
	case hostapi.MethodHistoryBranches:
		return result(hostapi.BranchesResult{Branches: []Branch{{Name: f.Branch, Turns: len(f.Turns)}}})
	case hostapi.MethodHistorySessions:
		return with(r, f.sessions)
	case hostapi.MethodMemoryGet:
		return with(r, f.memory)
	case hostapi.MethodConfigGet:
		return f.config()
	case hostapi.MethodLLMComplete:
		return with(r, f.complete)
	case hostapi.MethodHostFeatures:
		return result(FeaturesResult{ABI: hostapi.ABI, Version: "fake"})
	}
	if strings.HasPrefix(r.Method, "storage.") {
		return f.storage(r)
	}
	return refuse(hostapi.CodeNotFound, "no such method: "+r.Method)
}

func (f *Fake) sessions(p hostapi.SessionsParams) hostapi.Answer {
	got := hostapi.SessionsResult{Sessions: []Session{}}
	for _, s := range f.Sessions {
		if p.Session == "" || p.Session == s.ID {
			got.Sessions = append(got.Sessions, s)
		}
	}
	return result(got)
}

func (f *Fake) turns(p TurnsParams) hostapi.Answer {
	var all []Turn
	for _, t := range f.Turns {
		if (p.Branch == "" || t.Branch == p.Branch) && (p.Session == "" || t.Session == p.Session) && (!p.New || t.New) {
			all = append(all, t)
		}
	}
	from, _ := strconv.Atoi(p.Cursor)
	from = max(0, min(from, len(all)))
	size := f.PageTurns
	if size <= 0 {
		size = 10
	}
	if p.Limit > 0 {
		size = min(size, p.Limit)
	}
	to := min(from+size, len(all))
	page := TurnsResult{Turns: all[from:to]}
	if to < len(all) {
		page.Next = strconv.Itoa(to)
	}
	return result(page)
}

func (f *Fake) turn(p hostapi.TurnParams) hostapi.Answer {
	for _, t := range f.Turns {
		if t.ID == p.ID {
			return result(hostapi.TurnResult{Turn: t})
		}
	}
	return refuse(hostapi.CodeNotFound, "no turn "+p.ID)
}

func (f *Fake) memory(p MemoryGetParams) hostapi.Answer {
	var got hostapi.MemoryGetResult
	for _, it := range f.Memory {
		if len(p.Sections) == 0 || slices.Contains(p.Sections, it.Section) {
			got.Items = append(got.Items, it)
		}
	}
	return result(got)
}

func (f *Fake) config() hostapi.Answer {
	if f.Config == nil {
		return result(hostapi.ConfigResult{Config: json.RawMessage("{}")})
	}
	data, err := json.Marshal(f.Config)
	if err != nil {
		return refuse(hostapi.CodeInvalid, err.Error())
	}
	return result(hostapi.ConfigResult{Config: data})
}

func (f *Fake) complete(p CompleteParams) hostapi.Answer {
	if f.Complete == nil {
		return refuse(hostapi.CodeUnavailable, "no model is configured")
	}
	text, err := f.Complete(p)
	if err != nil {
		return refuse(hostapi.CodeUnavailable, err.Error())
	}
	return result(hostapi.CompleteResult{Text: text})
}

func (f *Fake) storage(r hostapi.Request) hostapi.Answer {
	if f.Storage == nil {
		f.Storage = map[string]string{}
	}
	switch r.Method {
	case hostapi.MethodStorageGet:
		return with(r, func(p hostapi.StorageKey) hostapi.Answer {
			v, ok := f.Storage[p.Key]
			if !ok {
				return refuse(hostapi.CodeNotFound, "no such key")
			}
			return result(hostapi.StorageValue{Value: v})
		})
	case hostapi.MethodStoragePut:
		return with(r, func(p hostapi.StoragePut) hostapi.Answer {
			f.Storage[p.Key] = p.Value
			return result(struct{}{})
		})
	case hostapi.MethodStorageDelete:
		return with(r, func(p hostapi.StorageKey) hostapi.Answer {
			delete(f.Storage, p.Key)
			return result(struct{}{})
		})
	case hostapi.MethodStorageList:
		return with(r, func(p hostapi.StorageListParams) hostapi.Answer {
			var got hostapi.StorageListResult
			for k := range f.Storage {
				if strings.HasPrefix(k, p.Prefix) {
					got.Keys = append(got.Keys, k)
				}
			}
			slices.Sort(got.Keys)
			return result(got)
		})
	}
	return refuse(hostapi.CodeNotFound, "no such method: "+r.Method)
}

func with[P any](r hostapi.Request, f func(P) hostapi.Answer) hostapi.Answer {
	var p P
	if len(r.Params) > 0 {
		if err := json.Unmarshal(r.Params, &p); err != nil {
			return refuse(hostapi.CodeInvalid, err.Error())
		}
	}
	return f(p)
}

func result(v any) hostapi.Answer {
	data, err := json.Marshal(v)
	if err != nil {
		return refuse(hostapi.CodeInvalid, err.Error())
	}
	return hostapi.Answer{Result: data}
}

func refuse(code hostapi.Code, message string) hostapi.Answer {
	return hostapi.Answer{Error: &Error{Code: code, Message: message}}
}
