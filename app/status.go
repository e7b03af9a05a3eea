package app

import (
	"context"
	"fmt"

	"recollect/internal/engine"
	"recollect/internal/service"
)

// Status tells how things are with a project, or with none.
func (b *Bridge) Status(root string) (engine.Status, error) {
	s, err := b.statusOf(root)
	if err != nil {
		return s, err
	}
	s.Version = version
	s.Service = b.serviceStatus()
	for _, j := range b.desk.Jobs() {
		if !j.Final() && j.Kind != engine.JobPreview && j.Kind != engine.JobTry {
			s.State, s.Sentence = engine.StateWorking, fmt.Sprintf("Memorizing %s", j.Project)
		}
	}
	return s, nil
}

func (b *Bridge) statusOf(root string) (engine.Status, error) {
	if root == "" {
		return engine.PersonStatus(b.ctx, b.options())
	}
	return ask(b, root, func(ctx context.Context, e *engine.Engine) (engine.Status, error) { return e.Status(ctx) })
}

func (b *Bridge) serviceStatus() engine.ServiceStatus {
	if !b.link.running() {
		return engine.ServiceStatus{}
	}
	var s service.Status
	if err := b.link.call(b.ctx, "status", nil, &s); err != nil {
		return engine.ServiceStatus{}
	}
	return engine.ServiceStatus{Running: true, Paused: s.Paused, Version: s.Version}
}

// PauseService stops or resumes what the service does by itself.
func (b *Bridge) PauseService(paused bool) (engine.Status, error) {
	method := "resume"
	if paused {
		method = "pause"
	}
	if err := b.link.call(b.ctx, method, nil, nil); err != nil {
		return engine.Status{}, err
	}
	b.desk.Tell("", "service")
	return b.Status("")
}
