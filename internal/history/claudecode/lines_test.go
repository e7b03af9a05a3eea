package claudecode

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/history"
)

func TestLines(t *testing.T) {
	t.Parallel()
	big := strings.Repeat("b", chunk)
	tests := []struct {
		name, in string
		want     []string // "offset size text", long and unfinished lines marked
	}{
		{"empty", "", nil},
		{"one", "a\n", []string{"0 1 a"}},
		{"blank", "\n\n", []string{"0 0 ", "1 0 "}},
		{"tail", "a\nbc", []string{"0 1 a", "2 2 bc tail"}},
		{"CR and others do not end a line", "a\r\u2028\u0085b\n", []string{"0 8 a\r\u2028\u0085b"}},
		{"at the chunk's end", big[:chunk-1] + "\nx\n", []string{fmt.Sprint("0 ", chunk-1, " b…"), fmt.Sprint(chunk, " 1 x")}},
		{"of the chunk's size", big + "\nx\n", []string{fmt.Sprint("0 ", chunk, " b…"), fmt.Sprint(chunk+1, " 1 x")}},
		{"longer than the chunk", "a\n" + big + big + "\nx", []string{"0 1 a", fmt.Sprint("2 ", 2*chunk, " b…"), fmt.Sprint(2*chunk+3, " 1 x tail")}},
		{"longer than the limit", "a\n" + big + big + big + big + "\nx\n", []string{"0 1 a", fmt.Sprint("2 ", 4*chunk, "  long"), fmt.Sprint(4*chunk+3, " 1 x")}},
		{"long tail", big + big, []string{fmt.Sprint("0 ", 2*chunk, " b… tail")}},
		{"long tail over the limit", big + big + big + big, []string{fmt.Sprint("0 ", 4*chunk, "  long tail")}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			ls := newLines(bytes.NewReader([]byte(tt.in)), 0)
			ls.limit = 3 * chunk
			var got []string
			for {
				l, err := ls.next(t.Context())
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				text := string(l.text)
				if len(text) > 100 {
					text = text[:1] + "…"
				}
				s := fmt.Sprintf("%d %d %s", l.off, l.size, text)
				if l.long {
					s += " long"
				}
				if l.tail {
					s += " tail"
				}
				got = append(got, s)
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestRecovery(t *testing.T) {
	t.Parallel()
	one := strings.TrimSpace(user("a", "", 1, "P1"))
	two := strings.TrimSpace(user("b", "a", 2, "P2"))
	nested := strings.TrimSpace(recordLine("progress", "p", "a", 2, nil, fields{"data": fields{"message": fields{
		"type": "user", "uuid": "inner", "message": fields{"role": "user", "content": "inner words"}}}}))
	deep := strings.Repeat(`{"a":`, 100_000)
	tests := []struct {
		name, line string
		words      int
		damage     []string
	}{
		{"two on a line", one + two, 2, nil},
		{"two with white space", " " + one + " \t" + two + "\r", 2, nil},
		{"NULs around", "\x00\x00" + one + "\x00\x00", 1, nil},
		{"NULs only", "\x00\x00\x00", 0, nil},
		{"half, then whole", one[:100] + two, 1, []string{history.DamageRecord}},
		{"cut in a nested object", one[:len(one)-60] + two, 1, []string{history.DamageRecord}},
		{"whole, then half", one + two[:100], 1, []string{history.DamageRecord}},
		{"half, whole, half, whole", one[:90] + two + one[:40] + one, 2, []string{history.DamageRecord, history.DamageRecord}},
		{"half of one with a record inside", nested[:len(nested)-20] + two, 1, []string{history.DamageRecord}},
		{"half of one with a likely object inside", `{"type":"progress","data":{"a":{"type":"user","uuid":"inner","message":{"content":"x"}},"b":` + two, 1, []string{history.DamageRecord}},
		{"nested too deep but whole", strings.Repeat(`{"a":`, 300) + "1" + strings.Repeat("}", 300), 0, []string{history.DamageRecord}},
		{"garbage", "}}]] hello", 0, []string{history.DamageRecord}},
		{"garbage, then whole", "hello" + two, 1, []string{history.DamageRecord}},
		{"binary", "\xff\xfe\x00\x01", 0, []string{history.DamageRecord}},
		{"null", "null", 0, []string{history.DamageNonRecord}},
		{"number", "-1.5e3", 0, []string{history.DamageNonRecord}},
		{"string", `"x"`, 0, []string{history.DamageNonRecord}},
		{"array", `[1,{"type":"user"}]`, 0, []string{history.DamageNonRecord}},
		{"word", `hello`, 0, []string{history.DamageRecord}},
		{"empty object", `{}`, 0, nil},
		{"unknown type", `{"type":"new-thing","uuid":"x"}`, 0, nil},
		{"too deep", deep, 0, []string{history.DamageRecord}},
		{"too deep, then whole", deep + two, 1, []string{history.DamageRecord}},
		{"other types in the fields", `{"type":5,"uuid":{},"message":[],"cwd":1,"isSidechain":"x","timestamp":null}`, 0, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			x := parse(t, []byte(tt.line+"\n"))
			if len(x.words) != tt.words {
				t.Errorf("%d records say something, want %d", len(x.words), tt.words)
			}
			var got []string
			for _, d := range x.damage {
				got = append(got, d.Kind)
			}
			if d := cmp.Diff(tt.damage, got); d != "" {
				t.Errorf("damage (-want +got):\n%s", d)
			}
		})
	}
}

func TestMuchDamage(t *testing.T) {
	t.Parallel()
	x := parse(t, bytes.Repeat([]byte("[]\n"), maxDamage+5))
	if len(x.damage) != maxDamage || x.hurt != maxDamage+5 {
		t.Errorf("%d kept of %d", len(x.damage), x.hurt)
	}
}

// A line made to look like thousands of beginnings takes no square of its size.
func TestRecoveryIsBounded(t *testing.T) {
	t.Parallel()
	line := bytes.Repeat([]byte(`{"parentUuid":[`), 400_000)
	if x := parse(t, append(line, '\n')); x.hurt != 1 {
		t.Errorf("%d damages", x.hurt)
	}
}
