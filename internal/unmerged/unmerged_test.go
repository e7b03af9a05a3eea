package unmerged

import (
	"slices"
	"strings"
	"testing"
)

func TestSides(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text, ours, theirs string
		line               int
	}{
		"none":          {"a\nb\n", "a\nb\n", "a\nb\n", 0},
		"plain":         {"a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> other\nd\n", "a\nb\nd\n", "a\nc\nd\n", 2},
		"diff3":         {"<<<<<<< HEAD\nb\n||||||| 1234567\nx\n=======\nc\n>>>>>>> other\n", "b\n", "c\n", 1},
		"windows":       {"a\r\n<<<<<<< HEAD\r\nb\r\n=======\r\nc\r\n>>>>>>> other\r\n", "a\r\nb\r\n", "a\r\nc\r\n", 2},
		"no last end":   {"<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> other", "b\n", "c\n", 1},
		"no names":      {"<<<<<<<\nb\n=======\n>>>>>>>\n", "b\n", "", 1},
		"two":           {"<<<<<<< a\n1\n=======\n2\n>>>>>>> b\n-\n<<<<<<< a\n3\n=======\n4\n>>>>>>> b\n", "1\n-\n3\n", "2\n-\n4\n", 1},
		"setext":        {"Title\n=======\n\ntext\n", "Title\n=======\n\ntext\n", "Title\n=======\n\ntext\n", 0},
		"a setext side": {"<<<<<<< a\n1\n=======\nT\n=======\n>>>>>>> b\n", "1\n", "T\n=======\n", 1},
		"a base's":      {"<<<<<<< a\n1\n||||||| x\n<<<<<<<<< p\n2\n=========\n3\n>>>>>>>>> q\n=======\n4\n>>>>>>> b\n", "1\n", "4\n", 1},
		"half":          {"<<<<<<< a\n1\n=======\n2\n", "<<<<<<< a\n1\n=======\n2\n", "<<<<<<< a\n1\n=======\n2\n", 0},
		"quote":         {">>>>>>> deep\n=======\n", ">>>>>>> deep\n=======\n", ">>>>>>> deep\n=======\n", 0},
		"too long":      {"<<<<<<<< a\n1\n========\n2\n>>>>>>>> b\n", "<<<<<<<< a\n1\n========\n2\n>>>>>>>> b\n", "<<<<<<<< a\n1\n========\n2\n>>>>>>>> b\n", 0},
		"half and then": {"<<<<<<< a\n1\n<<<<<<< a\n2\n=======\n3\n>>>>>>> b\n", "<<<<<<< a\n1\n2\n", "<<<<<<< a\n1\n3\n", 3},
	} {
		ours, theirs, line := Sides([]byte(c.text))
		if string(ours) != c.ours || string(theirs) != c.theirs || line != c.line {
			t.Errorf("%s: %q %q %d", name, ours, theirs, line)
		}
	}
}

func TestNestedHunksAreOfTheSideThatTheyAreIn(t *testing.T) {
	t.Parallel()
	lines := slices.Collect(strings.Lines("<<<<<<< a\n1\n<<<<<<< c\n2\n=======\n3\n>>>>>>> d\n=======\n4\n>>>>>>> b\n"))
	hunks := Find(lines)
	if len(hunks) != 1 {
		t.Fatal(hunks)
	}
	if o, th := strings.Join(hunks[0].Ours(lines), ""), strings.Join(hunks[0].Theirs(lines), ""); o != "1\n2\n3\n" || th != "4\n" {
		t.Errorf("%q %q", o, th)
	}
}

// FuzzSides gives back what two sides were made of, whatever is around, and takes
// time in proportion to the text.
func FuzzSides(f *testing.F) {
	f.Add("a\n", "b\n", "c\n", "d\n", true)
	f.Add("<<<<<<< x\n", "=======\n", ">>>>>>> y\n", "", false)
	f.Fuzz(func(t *testing.T, before, a, b, after string, diff3 bool) {
		end := func(s string) string {
			if s != "" && !strings.HasSuffix(s, "\n") {
				s += "\n"
			}
			return s
		}
		before, a, b = end(before), end(a), end(b)
		all := before + a + b + after
		if strings.ContainsFunc(all, func(r rune) bool { return r == '<' || r == '|' || r == '=' || r == '>' }) {
			// There may be marks in the text itself: then nothing may be lost.
			ours, theirs, _ := Sides([]byte(all))
			for line := range strings.Lines(all) {
				if kindOf(line) == 0 && !strings.Contains(all, "|||||||") && !strings.Contains(string(ours)+string(theirs), line) {
					t.Fatalf("%q is gone", line)
				}
			}
			return
		}
		base := ""
		if diff3 {
			base = "||||||| base\n" + a
		}
		ours, theirs, line := Sides([]byte(before + "<<<<<<< HEAD\n" + a + base + "=======\n" + b + ">>>>>>> other\n" + after))
		if string(ours) != before+a+after || string(theirs) != before+b+after || line != strings.Count(before, "\n")+1 {
			t.Fatalf("%q %q %d", ours, theirs, line)
		}
	})
}
