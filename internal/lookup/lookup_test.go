package lookup

import (
	"errors"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	t.Parallel()
	unknown := errors.New("no such thing")
	all := []string{"main", "maintenance", "feature/a", "feature/b", "über", "über"}
	for _, tt := range []struct{ want, found, says string }{
		{"main", "main", ""},
		{"maint", "maintenance", ""},
		{"ü", "über", ""},
		{"feature/", "", `"feature/" may be any of 2: "feature/a", "feature/b"`},
		{"mian", "", `no such thing: "mian"; did you mean "main"?`},
		{"Main", "", `no such thing: "Main"; did you mean "main" or "maintenance"?`},
		{"", "", `no such thing: ""`},
		{"\x1b[2J\u202e", "", `no such thing: "\x1b[2J\u202e"`},
	} {
		got, err := Find(tt.want, all, unknown)
		if got != tt.found || (err == nil) != (tt.says == "") || err != nil && err.Error() != tt.says {
			t.Errorf("Find(%q) = %q, %v", tt.want, got, err)
		}
		several := strings.Contains(tt.says, "may be any")
		if Ambiguous(err) != several || err != nil && errors.Is(err, unknown) == several {
			t.Errorf("Find(%q): %v is of the other kind", tt.want, err)
		}
	}
}

func TestAmong(t *testing.T) {
	t.Parallel()
	things := []Thing{{"dev.a.notes", []string{"a.notes", "notes"}}, {"org.b.notes-more", []string{"b.notes-more", "notes-more"}}, {"notes-x", nil}}
	for _, tt := range []struct{ want, found string }{
		{"notes", "dev.a.notes"}, {"notes-", "notes-x"}, {"notes-m", "org.b.notes-more"}, {"org", "org.b.notes-more"}, {"b.", "org.b.notes-more"},
	} {
		if got, err := Among(tt.want, things, nil); got != tt.found || err != nil {
			t.Errorf("Among(%q) = %q, %v", tt.want, got, err)
		}
	}
	_, err := Among("ntes", things, errors.New("no such plug-in"))
	if err == nil || err.Error() != `no such plug-in: "ntes"; did you mean "dev.a.notes"?` {
		t.Error(err)
	}
}

// What is listed stays short, whatever the names are.
func TestErrorIsShort(t *testing.T) {
	t.Parallel()
	var all []string
	for i := range 200 {
		all = append(all, "x"+strings.Repeat("界", 5000)+string(rune('a'+i)))
	}
	_, err := Find("x", all, nil)
	if err == nil || len(err.Error()) > 10*4*shown || strings.Count(err.Error(), ", ") != listed-1 || !strings.HasSuffix(err.Error(), " and others") {
		t.Errorf("%.200s", err)
	}
}
