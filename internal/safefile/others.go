package safefile

import "fmt"

// OthersError says that somebody else than the person can write in a folder.
type OthersError struct {
	Folder string
	Owner  string // the name of whose it is, where it is another user's; else ""
	Group  string // the group whose members can write, where it is that; else ""
	Root   bool   // the person acts as root
}

// Error implements error.
func (e *OthersError) Error() string {
	switch {
	case e.Owner != "" && e.Root:
		return fmt.Sprintf("%s belongs to another user, %s, and you are root", e.Folder, e.Owner)
	case e.Owner != "":
		return fmt.Sprintf("%s belongs to another user, %s", e.Folder, e.Owner)
	case e.Group != "":
		return fmt.Sprintf("everybody in the group %s can write in %s", e.Group, e.Folder)
	}
	return fmt.Sprintf("every user of this machine can write in %s", e.Folder)
}

// CheckOthers gives an *OthersError if a folder belongs to somebody else than the
// person or the system, or if others can write in it. A folder that is not there
// is nobody's. Not counted are:
//
//   - a group without other members, which a umask of 002 relies on;
//   - modes on a file system that has none and shows the same for every file;
//   - a folder such as /tmp, in which nobody can touch what others made.
func CheckOthers(folder string) error { return checkOthers(folder) }
