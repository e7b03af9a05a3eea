package safefile

import (
	"slices"
	"syscall"
)

// Kinds of file systems, by their numbers in the kernel, that keep no modes or show
// those of somebody else: of Windows (also below WSL), of a network of Windows, of
// a virtual machine's host, and whatever a program makes up (FUSE).
var modelessKinds = []uint32{
	0x4d44, 0x2011bab0, // vfat, exfat
	0x5346544e, 0x7366746e, // ntfs, ntfs3
	0x01021997, 0x53464846, // 9p, as WSL 2 has it, and WSL 1
	0x65735546,                         // FUSE
	0xff534d42, 0xfe534d42, 0x0000517b, // cifs, smb2, smb
	0x786f4256, 0xbacbacbc, // of virtual machines: vboxsf, vmhgfs
}

func modeless(folder string) bool {
	var s syscall.Statfs_t
	return syscall.Statfs(folder, &s) == nil && slices.Contains(modelessKinds, uint32(s.Type))
}
