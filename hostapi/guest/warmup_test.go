package guest

import "testing"

// The host keeps what a warm-up leaves: it must leave no request.
func TestWarmup(t *testing.T) {
	warmup()
	if request != nil || answer != nil {
		t.Error("the warm-up left a request or an answer")
	}
}
