//go:build unix

package safefile

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/user"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

func checkOthers(folder string) error {
	info, err := os.Stat(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	me := os.Geteuid()
	if owner := int(st.Uid); owner != me && owner != 0 {
		return &OthersError{Folder: folder, Owner: userName(owner), Root: me == 0}
	}
	const byGroup, byAll = 0o020, 0o002
	mode := info.Mode()
	switch {
	case mode&(byGroup|byAll) == 0 || mode&fs.ModeSticky != 0 || modeless(folder):
		return nil
	case mode&byAll != 0:
		return &OthersError{Folder: folder}
	}
	if group, others := groupOf(int(st.Gid)); others {
		return &OthersError{Folder: folder, Group: group}
	}
	return nil
}

// userName is a user's name, or the number where there is none.
func userName(uid int) string {
	if u, err := user.LookupId(strconv.Itoa(uid)); err == nil {
		return u.Username
	}
	return "number " + strconv.Itoa(uid)
}

// maxAccounts bounds a file of users or groups, in bytes.
const maxAccounts = 16 << 20

// groupOf gives a group's name, and whether it has others than the person.
func groupOf(gid int) (name string, others bool) {
	me, err := user.LookupId(strconv.Itoa(os.Geteuid()))
	if err != nil { // as in a container that was given a number
		return "number " + strconv.Itoa(gid), gid != os.Geteuid()
	}
	group, err := user.LookupGroupId(strconv.Itoa(gid))
	if err != nil {
		return "number " + strconv.Itoa(gid), gid != os.Geteuid()
	}
	groups, _, err := Read(context.Background(), "/etc/group", maxAccounts)
	if err != nil {
		return group.Name, group.Name != me.Username
	}
	users, _, err := Read(context.Background(), "/etc/passwd", maxAccounts)
	if err != nil || runtime.GOOS == "darwin" { // where that file does not have the people
		return group.Name, group.Name != me.Username
	}
	return group.Name, shared(groups, users, group, me.Username)
}

// shared says whether a group has anybody but a person and root, by the files of
// groups and users. A group that is in neither is kept elsewhere and is shared
// unless it has the person's name.
func shared(groups, users []byte, group *user.Group, me string) bool {
	known := false
	alone := func(user string) bool { return user == "" || user == me || user == "root" }
	for f := range fields(groups) {
		if len(f) >= 4 && f[2] == group.Gid {
			known = true
			if slices.ContainsFunc(strings.Split(f[3], ","), func(u string) bool { return !alone(strings.TrimSpace(u)) }) {
				return true
			}
		}
	}
	if !known {
		return group.Name != me
	}
	for f := range fields(users) {
		if len(f) >= 4 && f[3] == group.Gid && !alone(f[0]) {
			return true
		}
	}
	return false
}

// fields gives the fields of each line.
func fields(text []byte) func(func([]string) bool) {
	return func(yield func([]string) bool) {
		for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
			if !yield(strings.Split(lines.Text(), ":")) {
				return
			}
		}
	}
}
