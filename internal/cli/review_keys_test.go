package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"recollect/internal/engine"
	"recollect/internal/memory"
)

func TestReviewByKeys(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		press string
		did   string // decisions in their order
		left  string
		says  string
	}{
		{"q", "", "abc", "0 proposals decided, 3 proposals left"},
		{"", "", "abc", "0 proposals decided"},
		{"\x03aaa", "", "abc", ""},
		{"aq", "+a", "bc", "1 proposal decided"},
		{"axaq", "+a -b +c", "", "nothing is left"},
		{"axauq", "+a -b +c ~c", "c", "[1 of 1]"},
		{"jjjjxq", "-c", "ab", "[3 of 3]"},
		{"jkkaq", "+a", "bc", ""},
		{"je\x20my words \naq", "+b:my words +c", "a", "in other words"},
		{"e\naq", "+a", "bc", ""},
		{"e", "", "abc", ""},
		{"ebad\nq", "", "abc", "needs words"},
		{"?q", "", "abc", "x refuse"},
		{"uq", "", "abc", "nothing was decided"},
		{"jsaq", "+b", "ac", ""},
	} {
		var did []string
		var out bytes.Buffer
		k := &keys{
			in: bufio.NewReader(strings.NewReader(tt.press)), out: &out,
			decide: func(d engine.Decision) (engine.Reviewed, error) {
				if d.Content == "bad" {
					return engine.Reviewed{}, &memory.EditError{Code: memory.NoContent, Why: "it needs words"}
				}
				s := map[bool]string{true: "+", false: "-"}[d.Accept] + d.ID
				if d.Content != "" {
					s += ":" + d.Content
				}
				did = append(did, s)
				return engine.Reviewed{Undo: d.ID}, nil
			},
			undo: func(token string) (engine.Reviewed, error) {
				did = append(did, "~"+token)
				return engine.Reviewed{}, nil
			},
			raw: func() (func(), error) { return func() {}, nil },
		}
		for _, id := range []string{"a", "b", "c"} {
			k.waiting = append(k.waiting, engine.Proposal{ID: id, Branch: "main", Action: memory.ProposeAdd, Content: "content " + id})
		}
		if err := k.run(); err != nil {
			t.Errorf("%q: %v", tt.press, err)
		}
		left := ""
		for _, p := range k.waiting {
			left += p.ID
		}
		if got := strings.Join(did, " "); got != tt.did || left != tt.left || !strings.Contains(out.String(), tt.says) {
			t.Errorf("%q: did %q, left %q\n%s", tt.press, got, left, &out)
		}
	}
}

func TestReviewByKeysStale(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	k := &keys{
		in: bufio.NewReader(strings.NewReader("aa")), out: &out, waiting: []engine.Proposal{{ID: "a"}, {ID: "b"}},
		decide: func(d engine.Decision) (engine.Reviewed, error) {
			if d.ID == "b" {
				return engine.Reviewed{}, errors.New("disk full")
			}
			return engine.Reviewed{Stale: []string{d.ID}}, nil
		},
		raw: func() (func(), error) { return func() {}, nil },
	}
	err := k.run()
	if fmt.Sprint(err) != "disk full" || !strings.Contains(out.String(), "changed meanwhile") || len(k.waiting) != 1 || len(k.done) != 0 {
		t.Errorf("%v\n%s", err, &out)
	}
}
