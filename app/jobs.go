package app

import (
	"recollect/internal/engine"
	"recollect/internal/maintain"
)

// theirs is a job of the service as the page sees it: with a negative id, which
// no job of the window has.
func theirs(j engine.Job) engine.Job {
	j.ID = -j.ID
	return j
}

// MemorizeRequest says what to memorize.
type MemorizeRequest struct {
	Branches   []string `json:"branches"` // none: every branch with history
	Again      bool     `json:"again"`
	Preview    bool     `json:"preview"`
	Extractors []string `json:"extractors"`
	// Unwanted are, by branch, ids of what a preview would add and the person does not
	// want.
	Unwanted map[string][]string `json:"unwanted"`
}

// Memorize begins a job.
func (b *Bridge) Memorize(root string, r MemorizeRequest) (int, error) {
	j, err := b.desk.Memorize(root, r.Branches, engine.MemorizeOptions{Again: r.Again, DryRun: r.Preview, Extractors: r.Extractors, Unwanted: r.Unwanted})
	return j.ID, err
}

// Jobs lists those of the window and of the service that are not dismissed.
func (b *Bridge) Jobs() ([]engine.Job, error) {
	return append(b.desk.Jobs(), b.link.jobs(b.ctx)...), nil
}

// CancelJob ends a job.
func (b *Bridge) CancelJob(id int) error {
	if id < 0 {
		return b.link.call(b.ctx, "cancel", jobRef{-id}, nil)
	}
	b.desk.Cancel(id)
	return nil
}

// DismissJob forgets a job that has ended.
func (b *Bridge) DismissJob(id int) error {
	if id < 0 {
		return b.link.call(b.ctx, "dismiss", jobRef{-id}, nil)
	}
	b.desk.Dismiss(id)
	return nil
}

type jobRef struct {
	ID int `json:"id"`
}

// ApprovePlugin begins a job: the module is compiled first, which takes seconds.
func (b *Bridge) ApprovePlugin(root, id, sha256 string) (int, error) {
	j, err := b.desk.Approve(root, id, sha256)
	return j.ID, err
}

// Try begins a job that runs an extractor and saves nothing.
func (b *Bridge) Try(root, branch, extractor string) (int, error) {
	j, err := b.desk.Try(root, branch, extractor)
	return j.ID, err
}

// RunMaintenance begins a job that keeps a project's memories up: "nightly",
// "weekly", "monthly" or "full".
func (b *Bridge) RunMaintenance(root string, kind maintain.Kind) (int, error) {
	j, err := b.desk.Maintain(root, kind, false)
	return j.ID, err
}
