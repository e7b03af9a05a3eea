package peer

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestDecode(t *testing.T) {
	t.Parallel()
	for line, ok := range map[string]bool{
		`{"hello":{"protocol":1,"version":"1","pid":1}}`: true,
		`{"id":1,"method":"status"}`:                     true,
		`{"id":1,"method":"status","params":null}`:       true,
		`{"id":1,"result":{}}`:                           true,
		`{"id":1,"result":null}`:                         true,
		`{"id":1,"error":{"code":"x","message":"y"}}`:    true,
		`{"error":{"code":"x","message":"y"}}`:           true,
		`{"event":"job","data":{}}`:                      true,
		`{"event":"job","later":1}`:                      true,

		``:                                  false,
		`null`:                              false,
		`[]`:                                false,
		`{}`:                                false,
		`{"id":1}`:                          false,
		`{"id":-1,"method":"status"}`:       false,
		`{"method":"status"}`:               false,
		`{"id":1,"method":"Status"}`:        false,
		`{"id":1,"method":"a","result":{}}`: false,
		`{"id":1,"method":"a","event":"b"}`: false,
		`{"id":1,"event":"b"}`:              false,
		`{"result":{}}`:                     false,
		`{"id":1,"method":"a"} {"id":2}`:    false,
		`{"hello":{"protocol":"1"}}`:        false,
		`{"id":1,"method":"` + strings.Repeat("a", 65) + `"}`:     false,
		`{"id":1,"result":{},"error":{"code":"x","message":"y"}}`: false,
		`{"hello":{"protocol":1},"id":1}`:                         false,
		strings.Repeat(`{"hello":`, 20000):                        false,
		"{\"id\":1,\"method\":\"a\",\"params\":\"\xc3\x28\"}":     false,
	} {
		if _, err := decode([]byte(line)); (err == nil) != ok {
			t.Errorf("%.60s: %v, want ok = %t", line, err, ok)
		}
	}
}

func TestReadLine(t *testing.T) {
	t.Parallel()
	fits := strings.Repeat("x", MaxMessage-1)
	for _, tt := range []struct {
		in   string
		want []string
		err  error
	}{
		{"", nil, io.EOF},
		{"a\nb\n", []string{"a", "b"}, io.EOF},
		{"a\nb", []string{"a"}, io.ErrUnexpectedEOF},
		{fits + "\nb\n", []string{fits, "b"}, io.EOF},
		{fits + "x\nb\n", nil, errTooLong},
		{fits + fits, nil, errTooLong},
	} {
		r := bufio.NewReader(strings.NewReader(tt.in))
		for _, want := range tt.want {
			if got, err := readLine(r); string(got) != want || err != nil {
				t.Errorf("%.20q: got %.20q, %v", tt.in, got, err)
			}
		}
		if _, err := readLine(r); !errors.Is(err, tt.err) {
			t.Errorf("%.20q ends with %v, want %v", tt.in, err, tt.err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"hello":{"protocol":1,"version":"1","role":"service","pid":1}}`, `{"id":1,"method":"status","params":{"a":[1,null]}}`,
		`{"id":2,"result":{"a":"\u2028"}}`, `{"id":3,"error":{"code":"x","message":"y","hint":"z"}}`, `{"event":"job","data":{"done":1}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		a, err := decode(line)
		if err != nil {
			return
		}
		again, err := encode(a)
		if err != nil {
			if errors.Is(err, errTooLong) {
				return
			}
			t.Fatalf("what was read can't be written: %v", err)
		}
		if n := bytes.IndexByte(again, '\n'); n != len(again)-1 {
			t.Fatalf("a message has %d bytes and a line end at %d", len(again), n)
		}
		b, err := readFrame(bufio.NewReader(bytes.NewReader(again)))
		if err != nil {
			t.Fatalf("what was written can't be read: %v\n%s", err, again)
		}
		if a.ID != b.ID || a.Method != b.Method || a.Event != b.Event || (a.Hello == nil) != (b.Hello == nil) || (a.Error == nil) != (b.Error == nil) {
			t.Fatalf("%+v became %+v", a, b)
		}
	})
}
