package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"recollect/internal/engine"
	"recollect/internal/peer"
)

// Status is how the service stands.
type Status struct {
	Running  bool         `json:"running"`
	PID      int          `json:"pid,omitempty"`
	Version  string       `json:"version,omitempty"`
	Started  time.Time    `json:"started,omitzero"`
	Paused   bool         `json:"paused"`
	State    State        `json:"state,omitempty"`
	Sentence string       `json:"sentence,omitempty"` // progress, or the last result
	Problem  string       `json:"problem,omitempty"`  // that holds up nothing: the log can't be written, say
	Jobs     []engine.Job `json:"jobs,omitempty"`     // those that have not ended
	Last     []engine.Job `json:"last,omitempty"`     // the latest that have, without details, newest first
}

// lastJobs is how many ended jobs a Status holds.
const lastJobs = 5

// The requests.
type (
	memorizeRequest struct {
		Root     string   `json:"root"`     // empty: the current project
		Branches []string `json:"branches"` // none: every branch with history
		All      bool     `json:"all"`      // every branch, whatever Branches says
	}
	jobRequest struct {
		ID int `json:"id"`
	}
	openRequest struct {
		Root   string `json:"root,omitempty"`
		Screen string `json:"screen,omitempty"`
	}
)

// done is the answer of what has nothing to tell.
var done = struct{}{}

var (
	errNoProject = errors.New("no project was found that an assistant was used in")
	errNoMemory  = errors.New("no project has a memory yet")
)

// handle answers a client.
func (s *service) handle(ctx context.Context, method string, params []byte) (any, error) {
	answer, err := s.answer(ctx, method, params)
	var told *peer.Error
	if err == nil || errors.As(err, &told) {
		return answer, err
	}
	p := Explain(err)
	return nil, &peer.Error{Code: p.Code, Message: p.Message, Hint: p.Hint}
}

func (s *service) answer(ctx context.Context, method string, params []byte) (any, error) {
	switch method {
	case "status":
		return s.status(), nil
	case "projects":
		defer s.stir(false)
		return engine.Projects(ctx, s.options.Engine)
	case "jobs":
		return fitting(s.desk.Jobs()), nil
	case "memorize":
		return with(params, func(r memorizeRequest) (any, error) {
			if r.All {
				r.Branches = nil
			}
			return s.memorize(ctx, r.Root, r.Branches)
		})
	case "memorize_all":
		s.memorizeAll()
		return done, nil
	case "cancel":
		return with(params, func(r jobRequest) (any, error) { s.desk.Cancel(r.ID); return done, nil })
	case "dismiss":
		return with(params, func(r jobRequest) (any, error) { s.desk.Dismiss(r.ID); return done, nil })
	case "pause":
		return done, s.pause(true)
	case "resume":
		return done, s.pause(false)
	case "open":
		return with(params, func(r openRequest) (any, error) { return s.open(ctx, r) })
	case "quit":
		s.quit()
		return done, nil
	}
	return nil, &peer.Error{Code: peer.CodeMethod, Message: fmt.Sprintf("the service does not know %q", method),
		Hint: "the other program may be newer: quit the service and start it again"}
}

// with decodes a request; no params are those of the zero request.
func with[T any](params []byte, f func(T) (any, error)) (any, error) {
	var r T
	if len(params) > 0 {
		if err := json.Unmarshal(params, &r); err != nil {
			return nil, &peer.Error{Code: "usage", Message: "the request is not as it must be: " + err.Error()}
		}
	}
	return f(r)
}

func (s *service) status() Status {
	st := Status{Running: true, PID: os.Getpid(), Version: s.options.Engine.Version, Started: s.started}
	for _, j := range slices.Backward(s.desk.Jobs()) {
		switch {
		case !j.Final():
			st.Jobs = append(st.Jobs, j)
		case len(st.Last) < lastJobs:
			j.Reports = nil
			st.Last = append(st.Last, j)
		}
	}
	slices.Reverse(st.Jobs)
	if s.options.Problem != nil {
		st.Problem = s.options.Problem()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	st.Paused, st.State, st.Sentence = s.paused, s.state(), s.line()
	return st
}

// fitting leaves the details out where they do not fit into a message.
func fitting(jobs []engine.Job) []engine.Job {
	const roomForTheRest = 4096
	if b, err := json.Marshal(jobs); err == nil && len(b) < peer.MaxMessage-roomForTheRest {
		return jobs
	}
	for i := range jobs {
		jobs[i] = slim(jobs[i])
	}
	return jobs
}
