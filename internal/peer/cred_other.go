//go:build !linux && !darwin && !freebsd

package peer

// userOf is not known on this system: the folder alone keeps others away.
func userOf(int) (uid int, known bool, err error) { return 0, false, nil }
