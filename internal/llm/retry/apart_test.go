package retry

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"recollect/internal/llm"
)

// TestApart leaves one address or model in peace, and asks another one of the
// same provider all the same.
func TestApart(t *testing.T) {
	t.Parallel()
	w := newWorld(times(5, fail(llm.Unavailable))...)
	file := filepath.Join(t.TempDir(), "vendors.json")
	at := func(of string) error {
		_, err := w.client(Options{State: file, Of: of, Tries: 1}).Complete(t.Context(), prompt)
		return err
	}
	for range 5 {
		_ = at("http://127.0.0.1:1/v1 small")
	}
	if err := at("http://127.0.0.1:1/v1 small"); llm.KindOf(err) != llm.Unavailable || w.calls != 5 {
		t.Fatalf("%v after %d calls: its circuit is open", err, w.calls)
	}
	if err := at("http://127.0.0.1:2/v1 small"); err != nil {
		t.Errorf("another address: %v", err)
	}
	if err := at("http://127.0.0.1:1/v1 large"); err != nil {
		t.Errorf("another model: %v", err)
	}
	if err := at("http://127.0.0.1:1/v1 small"); llm.KindOf(err) != llm.Unavailable {
		t.Errorf("%v: that the others work says nothing about this one", err)
	}
	Forget(file, "anthropic")
	if err := at("http://127.0.0.1:1/v1 small"); err != nil {
		t.Errorf("forgotten: %v", err)
	}
}

// TestFewVendors keeps the file short enough to be read, and what is new in it.
func TestFewVendors(t *testing.T) {
	t.Parallel()
	w := newWorld(times(3*maxVendors, fail(llm.Unavailable))...)
	file := filepath.Join(t.TempDir(), "vendors.json")
	for i := range 2 * maxVendors {
		_, _ = w.client(Options{State: file, Of: strings.Repeat("x", i), Tries: 1}).Complete(t.Context(), prompt)
		w.pass(time.Second)
	}
	s := &state{path: file, now: w.now}
	if s.load(); len(s.vendors) == 0 || len(s.vendors) > maxVendors {
		t.Fatalf("%d vendors", len(s.vendors))
	}
	if s.vendors[vendorName("anthropic", strings.Repeat("x", 2*maxVendors-1))].Fails != 1 {
		t.Error("the newest is not known")
	}
	w.pass(maxAge)
	_, _ = w.client(Options{State: file, Of: "new", Tries: 1}).Complete(t.Context(), prompt)
	if s.load(); len(s.vendors) != 1 {
		t.Errorf("%d vendors, and all but one are too old to say anything", len(s.vendors))
	}
}
