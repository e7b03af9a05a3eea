package answer

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

type inner struct {
	ItemID string `json:"itemId"`
	Kept   string `json:"kept"`
}

type whole struct {
	inner
	Kept    int               `json:"kept"` // instead of the embedded one
	Took    time.Duration     `json:"took_ns"`
	Wait    time.Duration     `json:"wait,omitempty"`
	Money   int64             `json:"money"`
	At      time.Time         `json:"at"`
	Never   time.Time         `json:"never"`
	Nil     []string          `json:"nil"`
	Empty   []string          `json:"empty,omitempty"`
	Raw     json.RawMessage   `json:"raw"`
	NoRaw   json.RawMessage   `json:"no_raw,omitempty"`
	Pointer *inner            `json:"pointer"`
	By      map[string]any    `json:"by"`
	NoMap   map[string]string `json:"no_map,omitempty"`
	Bytes   []byte            `json:"bytes"`
	Hidden  string            `json:"-"`
	unseen  string
}

func TestWrite(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	v := whole{
		inner: inner{"i1", "embedded"}, Kept: 2, Took: 1500500 * time.Microsecond, Money: 1_230_001, Raw: json.RawMessage(`{"keepsItsNames":1}`),
		At: time.Date(2026, 11, 29, 10, 0, 0, 0, time.FixedZone("CET", 3600)), By: map[string]any{"b": []string(nil), "a": "<&>"},
		Bytes: []byte("hi"), Hidden: "x", unseen: "y",
	}
	if err := Write(&b, v); err != nil {
		t.Fatal(err)
	}
	const want = `{
  "item_id": "i1",
  "kept": 2,
  "took_ms": 1501,
  "usd": 1.230001,
  "at": "2026-11-29T10:00:00+01:00",
  "nil": [],
  "empty": [],
  "raw": {
    "keepsItsNames": 1
  },
  "by": {
    "a": "<&>",
    "b": []
  },
  "bytes": "aGk="
}
`
	if b.String() != want {
		t.Errorf("got %s", b.String())
	}
	for text, v := range map[string]any{"null\n": nil, "[]\n": []whole(nil), "\"x\"\n": "x", "{}\n": map[string]int(nil)} {
		b.Reset()
		if err := Write(&b, v); err != nil || b.String() != text {
			t.Errorf("%#v: %q, %v", v, b.String(), err)
		}
	}
	if err := Write(&b, map[string]any{"f": func() {}}); err == nil {
		t.Error("a function was written")
	}
}
