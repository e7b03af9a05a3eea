package memorize

import (
	"context"
	"strings"
	"testing"

	"recollect/internal/memory"
)

// rejecting is a schema that lets nothing in.
type rejecting struct{ plainSchema }

func (rejecting) Check(_ context.Context, _ []memory.Section, f []memory.Found) ([]memory.Found, []Reject, error) {
	var out []Reject
	for _, x := range f {
		out = append(out, Reject{x, "not of use"})
	}
	return nil, out, nil
}

// choosy is an extractor that took nothing of what it found.
type choosy struct{ lines }

func (x *choosy) Extract(ctx context.Context, in Extraction) (Extracted, error) {
	got, err := x.lines.Extract(ctx, in)
	got.Rejected = []Refused{{memory.Found{Content: "with hunter2 in it"}, "hunter2 says so"}}
	return got, err
}

// That everything was rejected, by whomever, is told from nothing found.
func TestAllRejected(t *testing.T) {
	t.Parallel()
	said := told{turn("1", "keep one thing\nkeep another", long)}
	p, s := parts(&lines{})
	p.Schema = rejecting{}
	r := run1(t, p, said)
	if why, times := r.WhyRejected(); r.Outcome != Empty || r.Reason != ReasonRejected || len(why) != 1 || why[0] != "not of use" || times[0] != 2 {
		t.Errorf("%+v", r)
	}
	p, _ = parts(&lines{})
	p.Extractors = []Extractor{&choosy{}}
	r = run1(t, p, told{turn("1", "nothing to keep here", long)})
	if r.Outcome != Empty || r.Reason != ReasonRejected || len(r.Rejected) != 1 || r.Rejected[0].Extractor != "test.lines" {
		t.Errorf("%+v", r)
	}
	if strings.Contains(r.Rejected[0].Content+r.Rejected[0].Reason, "hunter2") {
		t.Errorf("a secret is told: %+v", r.Rejected)
	}
	if r = run1(t, p, said); r.Outcome != Memorized || r.Reason != "" || len(r.Rejected) != 1 {
		t.Errorf("%+v", r)
	}
	p, _ = parts(&lines{})
	if r = run1(t, p, told{turn("1", "nothing to keep here", long)}); r.Outcome != Empty || r.Reason != "" || len(s.m.Items) != 0 {
		t.Errorf("%+v", r)
	}
}
