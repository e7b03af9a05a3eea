package plugin

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"recollect/hostapi"
	"recollect/internal/memorize"
	"recollect/internal/memory"
	"recollect/internal/printable"
)

// replyTo is what the host answers a request.
func replyTo(t testing.TB, s *session, request []byte) []byte {
	t.Helper()
	reply, err := s.answer(request)
	must(t, err)
	return reply
}

func nested(n int, open, end string) string { return strings.Repeat(open, n) + strings.Repeat(end, n) }

func list(n int, element string) string {
	return "[" + strings.TrimSuffix(strings.Repeat(element+",", n), ",") + "]"
}

func TestScan(t *testing.T) {
	keys := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `"k%d":1,`, i)
		}
		return "{" + strings.TrimSuffix(b.String(), ",") + "}"
	}
	for _, tt := range []struct{ name, json, want string }{
		{"empty", `{}`, ""},
		{"space", " {\t\"a\" :\r\n[ 1 , -2.5e+10 , true , null , \"\\u00e9\\n\" , { } , [ ] ] } ", ""},
		{"as deep as may be", `{"a":` + nested(hostapi.MaxDepth-1, "[", "]") + `}`, ""},
		{"deeper", `{"a":` + nested(hostapi.MaxDepth, "[", "]") + `}`, "nested deeper than 64"},
		{"deeper in objects", strings.Repeat(`{"a":`, hostapi.MaxDepth) + "{}" + strings.Repeat("}", hostapi.MaxDepth), "nested deeper than 64"},
		{"deep and open", `{"a":` + strings.Repeat("[", 1<<20), "nested deeper than 64"},
		{"as many elements as may be", `{"a":` + list(hostapi.MaxList, "1") + `}`, ""},
		{"an element more", `{"a":` + list(hostapi.MaxList+1, "1") + `}`, "more than 20000 elements"},
		{"few evidence", `{"items":[{"evidence":` + list(hostapi.MaxEvidence, `""`) + `}]}`, ""},
		{"much evidence", `{"items":[{"evidence":` + list(hostapi.MaxEvidence+1, `""`) + `}]}`, "more than 1000 elements"},
		{"as many keys as may be", keys(hostapi.MaxKeys), ""},
		{"a key more", keys(hostapi.MaxKeys + 1), "more than 1000 keys"},
		{"too many values", `{"a":` + list(60, list(9000, "1")) + `}`, "more than 500000 values"},
		{"long number", `{"a":` + strings.Repeat("1", 1<<20) + `}`, "digits in a number"},
		{"long exponent", `{"a":1e` + strings.Repeat("0", 1<<20) + `1}`, "digits in a number"},
		{"long key", `{"` + strings.Repeat("k", 1<<20) + `":1}`, "bytes in a key"},
		{"key twice", `{"a":1,"b":2,"a":3}`, `the key "a" is there twice`},
		{"key twice, by an escape", `{"a":{"b":1,"\u0062":2}}`, `the key "b" is there twice`},
		{"key twice among many", strings.TrimSuffix(keys(100), "}") + `,"k50":1}`, `the key "k50" is there twice`},
		{"key with control characters twice", `{"\u001b[2J\n":1,"\u001b[2J\n":2}`, `the key "\x1b[2J\n" is there twice`},
		{"keys that differ in case", `{"a":1,"A":2}`, ""},
		{"same key in two objects", `{"a":{"x":1},"b":{"x":1}}`, ""},
		{"not UTF-8", "{\"a\":\"\xff\"}", "UTF-8"},
		{"list", `[]`, "no object"},
		{"nothing", ``, "no object"},
		{"rest", `{} {}`, "something after its end"},
		{"no colon", `{"a" 1}`, "no colon"},
		{"no comma", `{"a":1 "b":2}`, "no comma"},
		{"comma at the end", `{"a":1,}`, "no key"},
		{"comma at the beginning", `{"a":[,1]}`, "no value"},
		{"open string", `{"a":"x`, "without an end"},
		{"raw control character", "{\"a\":\"x\x1b\"}", "control character"},
		{"bad escape", `{"a":"\x"}`, "unknown escape"},
		{"leading zero", `{"a":01}`, "no value"},
	} {
		_, err := scan(t.Context(), []byte(tt.json), replyShape())
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

func TestScanStopsWhenTheTimeIsUp(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errDeadline)
	if _, err := scan(ctx, []byte(`{"a":`+list(10_000, "1")+`}`), shape{}); !errors.Is(err, errDeadline) {
		t.Errorf("error = %v", err)
	}
}

// FuzzScan holds the scanner against the decoder that works after it: what is let
// through is JSON, and what is refused is not, or says which bound is passed.
func FuzzScan(f *testing.F) {
	for _, s := range []string{`{"result":{"items":[{"content":"x","evidence":["a"]}]}}`, `{"a":[[],{},"",0,-1.5e-3,true,false,null]}`,
		`{"a":1,"a":2}`, `{"\ud800":"\udc00"}`, `{"a":`, `[`, "", "{} "} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		parts, err := scan(context.Background(), data, replyShape())
		valid := json.Valid(data)
		var over *errShape
		switch {
		case err == nil && !valid:
			t.Errorf("%q was let through", data)
		case err != nil && valid && bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) && !errors.As(err, &over) &&
			!strings.Contains(err.Error(), "twice") && !strings.Contains(err.Error(), "UTF-8"):
			t.Errorf("%q was refused: %v", data, err)
		}
		for _, m := range parts {
			if !json.Valid(m.value) {
				t.Errorf("%q has a member %q", data, m.value)
			}
		}
	})
}

func FuzzAnswer(f *testing.F) {
	for _, s := range []string{`{"result":{"items":[{"content":"x"}]}}`, `{"error":{"code":"failed","message":"m"}}`, `{}`, `null`, "", "[", "\xff"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s := newSession(t.Context(), manifest("org.example.x"), DefaultLimits, Setting{}, "")
		defer s.close()
		var out hostapi.ExtractResult
		result, err := s.decode(data, extractShape(), func(raw []byte) error { return json.Unmarshal(raw, &out) })
		if err != nil && (result != nil || printable.Line(err.Error(), 700) != err.Error()) {
			t.Errorf("%s, %v", result, err)
		}
		found("org.example.x", out.Items)
	})
}

func FuzzHostRequest(f *testing.F) {
	for _, s := range []string{
		`{"method":"history.turns","params":{"limit":1}}`, `{"method":"history.turn","params":{"id":"1","cursor":"0:1"}}`,
		`{"method":"memory.get"}`, `{"method":"storage.put","params":{"key":"k","value":"v"}}`, `{"method":"config.get"}`, `{`, "\xff",
		`{"method":"\u001b[2J\n"}`, `{"method":"memory.get","params":{"sections":[[]]}}`,
	} {
		f.Add([]byte(s))
	}
	h := past{turn("1", "b", "hello"), turn("2", "b", strings.Repeat("x", 100_000)), turn("3", "c", "")}
	f.Fuzz(func(t *testing.T, data []byte) {
		s := newSession(t.Context(), manifest("org.example.x"), DefaultLimits, Setting{Branch: "b", History: h, All: h.Refs("b")}, "")
		defer s.close()
		reply, err := s.answer(data)
		var ends *abort
		if errors.As(err, &ends) && ends.kind == KindLimit {
			return
		}
		must(t, err)
		var a hostapi.Answer
		if err := json.Unmarshal(reply, &a); err != nil || (a.Result == nil) == (a.Error == nil) {
			t.Errorf("%s gave %s (%v)", data, reply, err)
		}
		if a.Error != nil && printable.Line(a.Error.Message, 700) != a.Error.Message {
			t.Errorf("%s was refused with %q", data, a.Error.Message)
		}
		if len(reply) > maxPage+maxReason*4 {
			t.Errorf("a reply of %d bytes", len(reply))
		}
	})
}

// What the host does for a plug-in is time of the plug-in; what a model takes is
// not, up to a limit of its own.
func TestWhoseTimeItIs(t *testing.T) {
	asks := func(method string) []byte {
		ping := `{"method":"` + method + `"}`
		calls := [][]byte{function(hostapi.HostModule, "call", tCall)}
		return tiny{imports: calls, data: []byte(ping), extract: cat(constI32(0), constI32(int64(len(ping))), callFn(0), []byte{0x1a}, constI64(0))}.build()
	}
	slow := 300 * time.Millisecond
	wait := func(ctx context.Context) error {
		select {
		case <-time.After(slow):
		case <-ctx.Done():
		}
		return ctx.Err()
	}
	set := Setting{
		Memory: func(string) (memory.Memory, error) { time.Sleep(slow); return memory.Memory{}, nil },
		Complete: func(ctx context.Context, _ hostapi.CompleteParams) (hostapi.CompleteResult, error) {
			return hostapi.CompleteResult{}, wait(ctx)
		},
	}
	for _, tt := range []struct {
		method, want string
		limits       Limits
	}{
		{hostapi.MethodMemoryGet, "it took longer than the 100ms it may", Limits{Wall: 100 * time.Millisecond}},
		{hostapi.MethodMemoryGet, "", Limits{}},
		{hostapi.MethodLLMComplete, "", Limits{Wall: 100 * time.Millisecond}},
		{hostapi.MethodLLMComplete, "it waited longer for models than the 1ms it may", Limits{Wall: 100 * time.Millisecond, waits: time.Millisecond}},
	} {
		p := newBench(t, tt.limits).add(t, manifest("org.example.waits"), asks(tt.method))
		must(t, p.Prepare(t.Context()))
		out, err := p.Run(t.Context(), "extract", []byte("{}"), set)
		if tt.want == "" && err != nil || tt.want != "" && (!IsKind(err, KindDeadline) || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s within %v: %v, want %q", tt.method, tt.limits.Wall, err, tt.want)
		}
		if out.Usage.Host <= 0 || out.Usage.Guest < 0 || out.Usage.Guest >= slow {
			t.Errorf("%s within %v: used %+v", tt.method, tt.limits.Wall, out.Usage)
		}
		if err == nil && out.Usage.Fuel < callFuel {
			t.Errorf("%s cost %d units of fuel", tt.method, out.Usage.Fuel)
		}
	}
}

// An answer may have what the request can account for, and a little more.
func TestAnswersAreMeasuredByTheRequest(t *testing.T) {
	x := memorize.Evolution{Memory: memory.Memory{Items: make([]memory.Item, 50)}}
	for n, fits := range map[int]bool{50: true, 50 + spare: true, 51 + spare: false} {
		_, err := scan(t.Context(), []byte(`{"result":{"items":`+list(n, "{}")+`}}`), evolveShape(x))
		if (err == nil) != fits {
			t.Errorf("%d items: %v", n, err)
		}
	}
}
