package folderwatch

import "golang.org/x/sys/unix"

// Kinds of file systems whose changes by other machines, or by the system below,
// are not told.
var remoteKinds = map[uint32]bool{
	unix.NFS_SUPER_MAGIC: true, unix.SMB_SUPER_MAGIC: true, unix.SMB2_SUPER_MAGIC: true, unix.CIFS_SUPER_MAGIC: true,
	unix.V9FS_MAGIC: true, unix.FUSE_SUPER_MAGIC: true, unix.AFS_SUPER_MAGIC: true, unix.CEPH_SUPER_MAGIC: true, unix.CODA_SUPER_MAGIC: true,
}

func remote(folder string) bool {
	var s unix.Statfs_t
	return unix.Statfs(folder, &s) == nil && remoteKinds[uint32(s.Type)]
}
