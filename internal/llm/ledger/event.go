package ledger

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"strings"
	"time"
)

// Kinds of lines.
const (
	kindDay     = "day"     // a day begins
	kindBack    = "back"    // the day goes on under an earlier date
	kindReserve = "reserve" // a call is about to go out
	kindSettle  = "settle"  // it is over; tells all that is to be known of the call
	kindLost    = "lost"    // its process died
)

// event is a line. Kind comes first, so that the line of a day is found from
// behind without reading all.
type event struct {
	Kind string `json:"e"`
	Day  string `json:"day"` // on which it counts
	At   string `json:"at"`  // RFC 3339, local time
	ID   string `json:"id,omitempty"`
	Call
	Holder     string `json:"holder,omitempty"` // of a reservation: whose lock shows that it lives
	Input      int64  `json:"in"`
	Output     int64  `json:"out"`
	InputMoney int64  `json:"usd_micro_in,omitempty"` // of a reservation: the prompt's part
	Money      int64  `json:"usd_micro"`
	MoneyKnown bool   `json:"priced,omitempty"`
	Outcome    string `json:"outcome,omitempty"`
	Millis     int64  `json:"ms,omitempty"`
	NotCalled  bool   `json:"not_called,omitempty"`
}

func newEvent(kind string, c Call, at time.Time, date string) event {
	for _, s := range []*string{&c.Run, &c.Project, &c.Plugin, &c.Client, &c.Model, &c.Purpose} {
		*s = short(*s)
	}
	return event{Kind: kind, Day: date, At: at.Format(time.RFC3339Nano), ID: newID(), Call: c}
}

func newID() string { return rand.Text() }

// short limits a text of others.
func short(s string) string {
	return strings.ToValidUTF8(s[:min(len(s), 200)], "")
}

func (e event) amount() Amount {
	if e.NotCalled {
		return Amount{}
	}
	return Amount{Calls: 1, Tokens: e.Input + e.Output, Money: e.Money}
}

// line encodes an event, with the end of line.
func (e event) line() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(e)
	return b.Bytes(), err
}

// maxLine is more than a line of ours can take.
const maxLine = 8 << 10

// biggest is the most that a single figure can be: sums of many stay far from
// the end of an int64.
const biggest = 1 << 40

// parse reads a line. What is no line of ours is not ok.
func parse(line []byte) (e event, ok bool) {
	if len(line) > maxLine || json.Unmarshal(line, &e) != nil {
		return event{}, false
	}
	if !isDate(e.Day) {
		return event{}, false
	}
	for _, n := range []int64{e.Input, e.Output, e.Money, e.InputMoney, e.Millis} {
		if n < 0 || n > biggest {
			return event{}, false
		}
	}
	switch e.Kind {
	case kindDay, kindBack:
		return e, true
	case kindReserve, kindSettle, kindLost:
		return e, e.ID != ""
	}
	return event{}, false
}
