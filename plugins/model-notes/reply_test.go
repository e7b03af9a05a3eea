package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recollect/hostapi"
	"recollect/hostapi/guest"
)

const gramsTold = "Mind that parcel weights are kept in grams. Parcel labels are printed twice."

// TestReplies reads what a model may answer. With no want the reply can't be
// used, and wrong is part of the error.
func TestReplies(t *testing.T) {
	const (
		grams   = "facts: Parcel weights are kept in grams 0.9 [r-1]\n"
		nothing = "-"
	)
	for name, x := range map[string]struct {
		want, wrong string
		asked       int
	}{
		"asked": {want: grams}, "by-section": {want: grams}, "pretty": {want: grams}, "fenced": {want: grams},
		"fenced-crlf": {want: grams}, "prose-around": {want: grams}, "comma-too-many": {want: grams},
		"comma-in-object": {want: grams}, "raw-newline": {want: grams}, "raw-tab": {want: grams},
		"bom": {want: grams}, "colours": {want: grams}, "thought": {want: grams}, "thought-open-tag-missing": {want: grams},
		"array-root": {want: grams}, "twice-the-same": {want: grams}, "draft-then-answer": {want: grams},
		"confidence-text": {want: grams}, "confidence-percent": {want: grams},
		"confidence-missing": {want: "facts: Parcel weights are kept in grams 0.75 [r-1]\n"},
		"section-unknown":    {want: grams}, "evidence-one": {want: grams}, "evidence-number": {want: grams},
		"evidence-brackets":          {want: "facts: Parcel weights are kept in grams 0.9 [r-1 r-2]\n"},
		"evidence-record":            {want: grams},
		"evidence-invented-but-said": {want: grams},
		"wrong-types":                {want: grams},
		"repeats":                    {want: "facts: Parcel weights are kept in grams 0.9 [r-1 r-2]\n"},
		"long-content":               {want: grams},
		"section-spelled":            {want: "bug-patterns: Parcel weights are kept in grams 0.9 [r-1]\n"},
		"windows-path":               {want: "facts: Parcel weights are kept in grams in C:\\Parcels 0.9 [r-1]\n"},
		"surrogate":                  {want: "facts: Parcel weights are kept in grams \uFFFD 0.9 [r-1]\n"},
		"no-utf8":                    {want: "facts: Parcel weights are kept in grams \uFFFD 0.9 [r-1]\n"},
		"markdown":                   {want: "facts: Facts Parcel weights /etc/passwd 0.9 [r-1]\n"},
		"broke-off-later":            {want: grams, asked: 3}, // what was whole is kept at last

		"nothing": {want: nothing}, "nothing-by-word": {want: nothing},
		"confidence-high": {want: nothing}, "confidence-low": {want: nothing}, "evidence-invented": {want: nothing},

		"two-answers":          {wrong: "several different answers"},
		"thought-without-end":  {wrong: "no valid JSON"},
		"confidence-nan":       {wrong: "no valid JSON"},
		"single-quotes":        {wrong: "no valid JSON"},
		"html":                 {wrong: "no valid JSON"},
		"brackets":             {wrong: "no valid JSON"},
		"section-unknown-only": {wrong: "not of the form"},
		"null":                 {wrong: "not of the form"},
		"broke-off":            {wrong: "broke off"},
		"empty":                {wrong: "empty"},
		"blank":                {wrong: "empty"},
		"refusal":              {wrong: "declined", asked: 1},
	} {
		t.Run(name, func(t *testing.T) {
			reply, err := os.ReadFile(filepath.Join("testdata", "replies", name+".txt"))
			if err != nil {
				t.Fatal(err)
			}
			wantAsked := x.asked
			if wantAsked == 0 {
				if wantAsked = 1; x.wrong != "" {
					wantAsked = tries
				}
			}
			s := &scripted{script: always(string(reply)), Fake: guest.Fake{Turns: turns(gramsTold, "I will.")}}
			items, err := extracted(t, s)
			if got := contents(items); x.want != "" && (err != nil || got != strings.TrimPrefix(x.want, nothing)) {
				t.Errorf("got %q, %v", got, err)
			}
			if x.wrong != "" && (!guest.IsCode(err, hostapi.CodeFailed) || !strings.Contains(err.Error(), x.wrong)) {
				t.Errorf("error %v, want one with %q", err, x.wrong)
			}
			if len(s.asked) != wantAsked {
				t.Errorf("asked %d times, want %d", len(s.asked), wantAsked)
			}
		})
	}
}

// TestEveryReplyIsInTheTable keeps the fixtures and the table together.
func TestEveryReplyIsInTheTable(t *testing.T) {
	files, err := filepath.Glob("testdata/replies/*.txt")
	if err != nil || len(files) < 45 {
		t.Errorf("%d replies, %v", len(files), err)
	}
}

func TestASecondReplyMends(t *testing.T) {
	s := &scripted{
		script: replies("Sorry, what?", `{"facts":[{"content":"Parcel weights are kept in grams","confidence":0.9}]}`),
		Fake:   guest.Fake{Turns: turns(gramsTold, "I will.")},
	}
	items, err := extracted(t, s)
	if err != nil || len(items) != 1 || len(s.asked) != 2 {
		t.Fatalf("%v, %v, asked %d times", items, err, len(s.asked))
	}
	again, found := strings.CutPrefix(s.asked[1].Prompt, s.asked[0].Prompt)
	if !found || !strings.Contains(again, "it holds no valid JSON object") {
		t.Errorf("the second request adds %q", again)
	}
}

func TestMend(t *testing.T) {
	for _, x := range []struct {
		in, want string
		read     int
		cut      bool
	}{
		{`{"a":1} rest`, `{"a":1}`, 7, false},
		{`[1,2,]`, `[1,2]`, 6, false},
		{"[1 , \n ]", "[1  \n ]", 8, false},
		{`{"a":"b\q"}`, `{"a":"b\\q"}`, 11, false},
		{`{"a":"b\u12"}`, `{"a":"b\\u12"}`, 13, false},
		{"{\"a\":\"b\x01\"}", `{"a":"b\u0001"}`, 10, false},
		{`{"a":[{"b":1},{"c":`, `{"a":[{"b":1}]}`, 19, true},
		{`{"a":[{"b":1},{"c":"x`, `{"a":[{"b":1}]}`, 21, true},
		{`{"a":"\`, `null`, 7, true},
		{`{`, `null`, 1, true},
		{`[}`, ``, 1, false},
		{`{'a'`, ``, 1, false},
	} {
		m := mend(x.in)
		if string(m.json) != x.want || m.read != x.read || m.cutOff != x.cut || m.ok != (x.want != "") {
			t.Errorf("mend(%q) = %q, %+v", x.in, m.json, m)
		}
	}
}

// FuzzReply reads anything as a reply: no panic, and only items that keep to
// their bounds.
func FuzzReply(f *testing.F) {
	files, err := filepath.Glob("testdata/replies/*.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data))
	}
	talk := turns(gramsTold, "Done. 必须使用 pnpm。", "ok", strings.Repeat("wrong text content note ", 20))
	f.Fuzz(func(t *testing.T, reply string) {
		var said []said
		for i, turn := range talk {
			k := shorten(turn, 2000)
			for j := range k.said {
				k.said[j].handle = "m" + string(rune('1'+2*i+j))
			}
			said = append(said, k.said...)
		}
		r := reader{sections: notes(), part: part{said: said}, minConfidence: 0.5, maxRunes: maxRunes, soFar: 2,
			known: []guest.MemoryItem{{Section: "facts", Content: "Parcel weights are kept in grams"}}}
		got, err := r.read(reply)
		if err == nil || len(got.notes) > 0 {
			x := extraction{notes: got.notes}
			checkItems(t, talk, x.result())
		}
		for _, i := range got.gone {
			if i < 0 || i >= r.soFar {
				t.Fatalf("note %d is gone", i)
			}
		}
	})
}
