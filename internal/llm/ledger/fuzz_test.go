package ledger

import (
	"bytes"
	"reflect"
	"testing"
)

// FuzzRead reads any bytes as a record: nothing panics, reading from the last
// day on gives what reading all gives, no total is negative, and reservations
// that are settled leave nothing behind.
func FuzzRead(f *testing.F) {
	begin := `{"e":"day","day":"2026-11-28","at":""}` + "\n"
	f.Add([]byte(begin))
	f.Add([]byte(begin + `{"e":"reserve","day":"2026-11-28","id":"A","plugin":"p","in":9,"out":9,"usd_micro":5}` + "\n" + `{"e":"settle","day":"2026-11-28","id":"A","plugin":"p","in":1,"out":1,"usd_micro":1}` + "\n"))
	f.Add([]byte(begin + `{"e":"lost","day":"2026-11-28","id":"A"}` + "\n" + `{"e":"back","day":"2026-11-20"}` + "\n"))
	f.Add([]byte(begin + `{"e":"reserve","day":"2026-11-28","id":"B","holder":"../../x"}` + "\n{"))
	f.Add([]byte(begin + `{"e":"reserve","day":"2026-11-28","id":"B","plugin":"p","in":9}` + "\n" + `{"e":"settle","day":"2026-11-28","id":"B","plugin":"q","in":1}` + "\n"))
	f.Add([]byte("\x00\x00\n\n\n" + begin + begin + `{"e":"day","day":"damaged"}` + "\n"))
	f.Add(append(bytes.Repeat([]byte("x"), 2*maxLine), "\n"+begin...))
	f.Fuzz(func(t *testing.T, text []byte) {
		read := func(from int64) day {
			d := newDay("")
			n, err := eachLine(bytes.NewReader(text[from:]), func(line []byte) {
				if e, ok := parse(line); ok {
					d.apply(e)
				}
			})
			if err != nil || n > int64(len(text)) {
				t.Fatalf("%d of %d, %v", n, len(text), err)
			}
			return d
		}
		from, err := lastDay(bytes.NewReader(text), int64(len(text)))
		if err != nil || from > int64(len(text)) {
			t.Fatal(from, err)
		}
		all, last := read(0), read(from)
		if !reflect.DeepEqual(all, last) {
			t.Errorf("all: %+v\nfrom %d: %+v", all, from, last)
		}
		for _, e := range all.open {
			e.Kind, e.Input, e.Output, e.Money = kindSettle, 0, 0, 0
			all.apply(e)
		}
		for name, a := range all.plugins {
			if a.Calls < 0 || a.Tokens < 0 || a.Money < 0 {
				t.Errorf("%q: %+v", name, a)
			}
		}
		if all.total.Calls < 0 || all.total.Tokens < 0 || all.total.Money < 0 || len(all.open) > 0 {
			t.Errorf("%+v", all)
		}
	})
}
