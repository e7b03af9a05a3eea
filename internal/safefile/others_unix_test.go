//go:build unix

package safefile

import (
	"errors"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"testing"
)

func TestWhoElseCanWrite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if modeless(dir) {
		t.Skip("this file system has no modes")
	}
	for _, tt := range []struct {
		mode   fs.FileMode
		others bool
	}{
		{0o700, false}, {0o755, false}, {0o757, true}, {0o777, true}, {0o777 | fs.ModeSticky, false},
	} {
		if err := os.Chmod(dir, tt.mode); err != nil {
			t.Fatal(err)
		}
		err := CheckOthers(dir)
		if _, ok := errors.AsType[*OthersError](err); ok != tt.others || !ok && err != nil {
			t.Errorf("%v: %v, want others: %t", tt.mode, err, tt.others)
		}
	}
	if err := CheckOthers(filepath.Join(dir, "none")); err != nil {
		t.Errorf("a folder that is not there: %v", err)
	}
}

func TestAnothersFolder(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can give a folder to somebody else")
	}
	dir := t.TempDir()
	if err := os.Chown(dir, 12345, 12345); err != nil {
		t.Fatal(err)
	}
	err := CheckOthers(dir)
	if err == nil || !strings.Contains(err.Error(), "belongs to another user, number 12345, and you are root") {
		t.Errorf("%v", err)
	}
}

func TestSharedGroups(t *testing.T) {
	t.Parallel()
	const groups = "root:x:0:\nann:x:1000:\nbob:x:1001:\nteam:x:2000:ann,bob\nmine:x:2001:ann\nstaff:x:50:\n"
	const users = "root:x:0:0::/root:/bin/sh\nann:x:1000:1000::/home/ann:/bin/sh\nbob:x:1001:1001::/home/bob:/bin/sh\neve:x:1002:50::/:/bin/sh\n"
	for _, tt := range []struct {
		gid, name string
		want      bool
	}{
		{"1000", "ann", false},    // her own
		{"2001", "mine", false},   // she alone is in it
		{"2000", "team", true},    // Bob is in it
		{"50", "staff", true},     // Eve's first group
		{"0", "root", false},      // nobody but root
		{"3000", "faraway", true}, // kept elsewhere
		{"3001", "ann", false},    // kept elsewhere under her name
	} {
		if got := shared([]byte(groups), []byte(users), &user.Group{Gid: tt.gid, Name: tt.name}, "ann"); got != tt.want {
			t.Errorf("%s: %t, want %t", tt.name, got, tt.want)
		}
	}
}
