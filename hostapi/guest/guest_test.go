//go:build !wasip1

package guest_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"recollect/hostapi"
	"recollect/hostapi/guest"
)

// In a plug-in this function stands in package main under
// "//go:wasmexport rc_extract".
func extract(n int32) int64 { return guest.Extract(n, find) }

func find(r guest.ExtractRequest) (guest.ExtractResult, error) {
	var got guest.ExtractResult
	for t, err := range guest.Turns(guest.TurnsParams{New: true}) {
		if err != nil {
			return got, err
		}
		for _, m := range t.Messages {
			if m.Role == guest.RoleUser {
				got.Items = append(got.Items, guest.Item{Section: "facts", Content: m.Text, Confidence: 0.5, Evidence: []string{m.ID}})
			}
		}
	}
	guest.Info(fmt.Sprintf("%d items on %s", len(got.Items), r.Branch))
	return got, nil
}

func ExampleExtract() {
	fake := &guest.Fake{Branch: "main", Turns: []guest.Turn{
		{ID: "a", New: true, Messages: []guest.Message{{ID: "a", Role: guest.RoleUser, Text: "We ship on Fridays."}}},
		{ID: "b", Messages: []guest.Message{{ID: "b", Role: guest.RoleUser, Text: "Known already."}}},
	}}
	defer guest.SetHost(fake)()

	result, err := guest.Invoke(extract, guest.ExtractRequest{Branch: "main"})
	fmt.Println(string(result), err)
	fmt.Println(fake.Lines)
	// Output:
	// {"items":[{"section":"facts","content":"We ship on Fridays.","confidence":0.5,"evidence":["a"]}]} <nil>
	// [1 items on main]
}

func ExampleComplete() {
	defer guest.SetHost(&guest.Fake{})()
	_, err := guest.Complete(guest.CompleteParams{Purpose: "summary", Prompt: "…"})
	fmt.Println(guest.IsCode(err, hostapi.CodeUnavailable))
	// Output: true
}

func ExampleStore() {
	defer guest.SetHost(&guest.Fake{})()
	err := guest.Store("seen", "42")
	value, ok, _ := guest.Load("seen")
	_, other, _ := guest.Load("unseen")
	fmt.Println(err, value, ok, other)
	// Output: <nil> 42 true false
}

func TestTurnsPages(t *testing.T) {
	fake := &guest.Fake{PageTurns: 2}
	for i := range 5 {
		fake.Turns = append(fake.Turns, guest.Turn{ID: fmt.Sprint(i), New: true})
	}
	defer guest.SetHost(fake)()
	got := ""
	for turn, err := range guest.Turns(guest.TurnsParams{}) {
		if err != nil {
			t.Fatal(err)
		}
		got += turn.ID
	}
	if got != "01234" {
		t.Errorf("turns = %s", got)
	}
}

func TestErrorsKeepTheirCode(t *testing.T) {
	defer guest.SetHost(&guest.Fake{Denied: []string{hostapi.MethodHistoryTurns}})()
	_, err := guest.Invoke(extract, guest.ExtractRequest{})
	if !guest.IsCode(err, hostapi.CodeDenied) {
		t.Errorf("err = %v, want denied", err)
	}
	plain := func(n int32) int64 {
		return guest.Extract(n, func(guest.ExtractRequest) (guest.ExtractResult, error) {
			return guest.ExtractResult{}, errors.New("no luck")
		})
	}
	if _, err = guest.Invoke(plain, guest.ExtractRequest{}); !guest.IsCode(err, hostapi.CodeFailed) {
		t.Errorf("err = %v, want failed", err)
	}
}

func TestWholeTurnJoinsItsParts(t *testing.T) {
	defer guest.SetHost(&parts{})()
	turn, err := guest.WholeTurn("t")
	if err != nil {
		t.Fatal(err)
	}
	if len(turn.Messages) != 2 || turn.Messages[0].Text != "one two" || turn.Messages[1].Text != "three" {
		t.Errorf("turn = %+v", turn)
	}
}

// parts is a host whose one turn comes in two parts, with fields that this
// version does not know.
type parts struct{}

func (*parts) Log(int32, string) {}
func (*parts) Answer(r hostapi.Request) hostapi.Answer {
	var p hostapi.TurnParams
	if err := json.Unmarshal(r.Params, &p); err != nil {
		return hostapi.Answer{Error: &hostapi.Error{Code: hostapi.CodeInvalid}}
	}
	if p.Cursor == "" {
		return hostapi.Answer{Result: []byte(`{"turn":{"id":"t","grease":1,"messages":[{"id":"a","text":"one "}]},"next":"x"}`)}
	}
	return hostapi.Answer{Result: []byte(`{"turn":{"id":"t","messages":[{"id":"a","text":"two"},{"id":"b","text":"three"}]},"grease":{}}`)}
}
