package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"recollect/hostapi"
)

// Long texts are decoded as short ones are, wherever they are cut, and not after
// the end of the call.
func TestLongParams(t *testing.T) {
	for name, piece := range map[string]string{
		"plain": "x", "two bytes": "é", "four bytes": "😀", "pairs": `\ud83d\ude00`, "half pairs": `\ud83d`, "other halves": `\ude00`,
		"halves apart": `\uD83dx\uDE00`, "quotes": `\"`, "backslashes": `\\`, "controls": `\u0000`, "lines": `a line\n`, "slashes": `\/\\u0041`,
	} {
		for shift := range 12 {
			text := strings.Repeat("y", shift) + strings.Repeat(piece, 3*longBytes/len(piece))
			raw := []byte(fmt.Sprintf(`{"json":true,"prompt":"%s","other":["%s"],"system":"%s\u0041"}`, text, piece, text))
			var want, got hostapi.CompleteParams
			must(t, json.Unmarshal(raw, &want))
			if err := decodeParams(t.Context(), raw, &got); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("%s after %d: %v, %d and %d bytes, want %d and %d", name, shift, err, len(got.Prompt), len(got.System), len(want.Prompt), len(want.System))
			}
		}
	}
	why := errors.New("time is up")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	long := []byte(`{"key":"` + strings.Repeat("x", longBytes) + `"}`)
	if err := decodeParams(ctx, long, &hostapi.StorageKey{}); !errors.Is(err, why) {
		t.Errorf("after the end: %v", err)
	}
	for _, wrong := range []string{`{"prompt":["` + strings.Repeat("x", longBytes) + `"]}`, `["` + strings.Repeat("x", longBytes) + `"]`, `{"system":1,"prompt":"` + strings.Repeat("x", longBytes) + `"}`} {
		if err := decodeParams(t.Context(), []byte(wrong), &hostapi.CompleteParams{}); err == nil {
			t.Errorf("%.40s: decoded", wrong)
		}
	}
}
