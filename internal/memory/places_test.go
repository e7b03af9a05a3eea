package memory

import (
	"reflect"
	"strings"
	"testing"
)

func TestPlaces(t *testing.T) {
	t.Parallel()
	text := "# Branch Memory: main\n\n- no section\n\n## Facts\n\n- One\n  in two lines.\n  - a note\n* Two.\n\n```\n- code\n```\n"
	want := []Place{{"facts", "One in two lines.", 6, 8}, {"facts", "Two.", 9, 10}}
	if got := Places([]byte(text), DefaultLayout()); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := Places([]byte("## Facts\n"+strings.Repeat("- x\n", maxBullets+1)), DefaultLayout()); got != nil {
		t.Errorf("%d places of what is too large", len(got))
	}
}
