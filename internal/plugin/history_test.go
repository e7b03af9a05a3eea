package plugin

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"recollect/hostapi"
	"recollect/internal/history"
)

func TestTurnsArePagedCutAndWhole(t *testing.T) {
	h := past{turn("0", "long", "first")}
	long := strings.Repeat("ä\"\n", 60_000)
	for i := range 30 {
		h = append(h, turn(fmt.Sprint("t", i), "long", strings.Repeat("x", 10_000)))
	}
	gone := turn("gone", "long", "")
	gone.Digest = "gone"
	h = append(h, gone, turn("big", "long", long), turn("z", "long", "last"))
	p := echo(t, manifest("org.example.echo"))
	x := extraction("long", h)
	items, err := founds(Extractor{Plugin: p}.Extract(t.Context(), x))
	if err != nil {
		t.Fatal(err)
	}
	if len(items) != 33 {
		t.Fatalf("%d items", len(items))
	}
	if want := fmt.Sprintf("true %d ", len(long)); !strings.HasPrefix(items[31].Content, want) {
		t.Errorf("big turn: %q, want %q…", items[31].Content, want)
	}
	if items[32].Content != "true 4 last" {
		t.Errorf("last turn: %q", items[32].Content)
	}
}

func TestPagesFit(t *testing.T) {
	big := turn("big", "b", "")
	big.Messages = nil
	for i := range 500 {
		big.Messages = append(big.Messages, history.Message{ID: fmt.Sprint(i), Role: history.Assistant, Text: strings.Repeat("\x01", i*10)})
	}
	h := past{big, turn("2", "b", strings.Repeat("y", 65_000)), turn("3", "b", "c")}
	s := newSession(t.Context(), manifest("org.example.x"), DefaultLimits, Setting{Branch: "b", History: h, All: h.Refs("b")}, "")
	defer s.close()
	cursor, turns := "", 0
	for {
		reply := replyTo(t, s, fmt.Appendf(nil, `{"method":"history.turns","params":{"cursor":%q}}`, cursor))
		if len(reply) > maxPage+64 {
			t.Errorf("page of %d bytes", len(reply))
		}
		var page struct {
			Result hostapi.TurnsResult `json:"result"`
		}
		if err := json.Unmarshal(reply, &page); err != nil {
			t.Fatal(err)
		}
		turns += len(page.Result.Turns)
		if cursor = page.Result.Next; cursor == "" {
			break
		}
	}
	if turns != 3 {
		t.Errorf("%d turns", turns)
	}
	whole, cursor := map[string]int{}, ""
	for range 1000 {
		reply := replyTo(t, s, fmt.Appendf(nil, `{"method":"history.turn","params":{"id":"big","cursor":%q}}`, cursor))
		if len(reply) > maxPage+64 {
			t.Errorf("part of %d bytes", len(reply))
		}
		var part struct {
			Result hostapi.TurnResult `json:"result"`
		}
		if err := json.Unmarshal(reply, &part); err != nil {
			t.Fatal(err)
		}
		for _, m := range part.Result.Turn.Messages {
			whole[m.ID] += len(m.Text)
		}
		if cursor = part.Result.Next; cursor == "" {
			break
		}
	}
	for i := range 500 {
		if whole[fmt.Sprint(i)] != i*10 {
			t.Fatalf("message %d has %d bytes", i, whole[fmt.Sprint(i)])
		}
	}
	for _, cursor := range []string{"x", "-1", "1:", "9999:0", "0:99999999"} {
		for _, method := range []string{"turns", "turn"} {
			reply := replyTo(t, s, fmt.Appendf(nil, `{"method":"history.%s","params":{"id":"big","cursor":%q}}`, method, cursor))
			if method == "turn" && !strings.Contains(string(reply), "invalid") {
				t.Errorf("%s with cursor %s: %.80s", method, cursor, reply)
			}
		}
	}
}
