package guest

import (
	"encoding/json"
	"errors"
	"iter"

	"recollect/hostapi"
)

// Call asks the host one method and decodes its result. It is what the
// functions below are made of, and the way to a method that is newer than this
// package. A refusal is a *Error.
func Call[Result any](method string, params any) (Result, error) {
	var reply answered[Result]
	req := []byte(`{"method":`)
	name, err := json.Marshal(method)
	if err != nil {
		return reply.Result, err
	}
	req = append(req, name...)
	if params != nil {
		p, err := json.Marshal(params)
		if err != nil {
			return reply.Result, err
		}
		req = append(append(req, `,"params":`...), p...)
	}
	if err := json.Unmarshal(ask(append(req, '}')), &reply); err != nil {
		return reply.Result, &Error{Code: hostapi.CodeUnavailable, Message: "the host's reply is not of its form: " + err.Error()}
	}
	if reply.Error != nil {
		var none Result
		return none, reply.Error
	}
	return reply.Result, nil
}

// answered is what the host answers to one method. It has a name so that it can
// be warmed up.
type answered[Result any] struct {
	Result Result `json:"result"`
	Error  *Error `json:"error"`
}

// IsCode says whether err is a refusal of the host with this code.
func IsCode(err error, code hostapi.Code) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == code
}

// Branches lists the project's branches; with scope "branch" only the call's
// own. Needs history:read.
func Branches() ([]Branch, error) {
	r, err := Call[hostapi.BranchesResult](hostapi.MethodHistoryBranches, nil)
	return r.Branches, err
}

// Sessions lists the sessions of a branch, "" for the call's own, oldest first.
// Needs history:read.
func Sessions(branch string) ([]Session, error) {
	r, err := Call[hostapi.SessionsResult](hostapi.MethodHistorySessions, hostapi.SessionsParams{Branch: branch})
	return r.Sessions, err
}

// OneSession describes one session of the call's branch by its source and id; false
// if there is none. Needs history:read.
func OneSession(source, id string) (Session, bool, error) {
	r, err := Call[hostapi.SessionsResult](hostapi.MethodHistorySessions, hostapi.SessionsParams{Session: id})
	for _, s := range r.Sessions {
		if s.ID == id && s.Source == source {
			return s, true, err
		}
	}
	return Session{}, false, err
}

// Turns gives the turns that p asks for, oldest first, fetching page after page
// as the loop goes on. An error ends it. A turn with Cut set has been shortened
// to fit a page; [WholeTurn] gives all of it. Needs history:read.
func Turns(p TurnsParams) iter.Seq2[Turn, error] {
	return func(yield func(Turn, error) bool) {
		for {
			page, err := Call[TurnsResult](hostapi.MethodHistoryTurns, p)
			if err != nil {
				yield(Turn{}, err)
				return
			}
			for _, t := range page.Turns {
				if !yield(t, nil) {
					return
				}
			}
			if page.Next == "" {
				return
			}
			p.Cursor = page.Next
		}
	}
}

// WholeTurn gives one turn uncut, whatever its length. Needs history:read.
func WholeTurn(id string) (Turn, error) {
	p := hostapi.TurnParams{ID: id}
	part, err := Call[hostapi.TurnResult](hostapi.MethodHistoryTurn, p)
	whole := part.Turn
	for err == nil && part.Next != "" {
		p.Cursor = part.Next
		part, err = Call[hostapi.TurnResult](hostapi.MethodHistoryTurn, p)
		for _, m := range part.Turn.Messages {
			if n := len(whole.Messages); n > 0 && whole.Messages[n-1].ID == m.ID {
				whole.Messages[n-1].Text += m.Text
				continue
			}
			whole.Messages = append(whole.Messages, m)
		}
	}
	return whole, err
}

// Memory gives items of a branch's memory. Needs memory:read.
func Memory(p MemoryGetParams) ([]MemoryItem, error) {
	r, err := Call[hostapi.MemoryGetResult](hostapi.MethodMemoryGet, p)
	return r.Items, err
}

// Config decodes the plug-in's configuration into v, a pointer. Defaults of the
// manifest's schema are filled in.
func Config(v any) error {
	r, err := Call[hostapi.ConfigResult](hostapi.MethodConfigGet, nil)
	if err != nil {
		return err
	}
	return json.Unmarshal(r.Config, v)
}

// Load reads a value of the plug-in's storage in this project; ok is false if
// the key has none. Needs storage.
func Load(key string) (value string, ok bool, err error) {
	r, err := Call[hostapi.StorageValue](hostapi.MethodStorageGet, hostapi.StorageKey{Key: key})
	if IsCode(err, hostapi.CodeNotFound) {
		return "", false, nil
	}
	return r.Value, err == nil, err
}

// Store keeps a value, at most 1 MB, under a key of 1 to 256 bytes. Needs
// storage.
func Store(key, value string) error {
	_, err := Call[struct{}](hostapi.MethodStoragePut, hostapi.StoragePut{Key: key, Value: value})
	return err
}

// Delete removes a key; an absent one is no error. Needs storage.
func Delete(key string) error {
	_, err := Call[struct{}](hostapi.MethodStorageDelete, hostapi.StorageKey{Key: key})
	return err
}

// Keys lists the keys that begin with prefix, sorted. Needs storage.
func Keys(prefix string) ([]string, error) {
	r, err := Call[hostapi.StorageListResult](hostapi.MethodStorageList, hostapi.StorageListParams{Prefix: prefix})
	return r.Keys, err
}

// Complete asks the person's model. Needs llm:call; answers CodeUnavailable as
// long as no model is configured and CodeBudget when the budget is used up.
func Complete(p CompleteParams) (string, error) {
	r, err := Call[hostapi.CompleteResult](hostapi.MethodLLMComplete, p)
	return r.Text, err
}

// Budget says what is left for this call. Needs llm:call.
func Budget() (BudgetResult, error) {
	return Call[BudgetResult](hostapi.MethodLLMBudget, nil)
}

// Features says what the host knows.
func Features() (FeaturesResult, error) {
	return Call[FeaturesResult](hostapi.MethodHostFeatures, nil)
}

// Debug writes a line that is shown to the plug-in's author only.
func Debug(line string) { log(hostapi.LogDebug, line) }

// Info writes a line to the plug-in's log.
func Info(line string) { log(hostapi.LogInfo, line) }

// Warn writes a warning to the plug-in's log.
func Warn(line string) { log(hostapi.LogWarn, line) }
