package safefile

import (
	"slices"
	"syscall"
)

// ignoresOwners is the flag of a volume whose owners and modes are not kept to, as
// an external disk has it.
const ignoresOwners = 0x00200000

func modeless(folder string) bool {
	var s syscall.Statfs_t
	if syscall.Statfs(folder, &s) != nil {
		return false
	}
	var name []byte
	for _, c := range s.Fstypename {
		if c == 0 {
			break
		}
		name = append(name, byte(c))
	}
	return s.Flags&ignoresOwners != 0 || slices.Contains([]string{"msdos", "exfat", "ntfs", "smbfs", "webdav"}, string(name))
}
