package memory

import (
	"fmt"
	"time"
)

// settled is how old a file's last change must be for a stamp: within the tick
// of a clock a file can change and look the same.
const settled = 2 * time.Second

// Stamp says, without reading them, whether a branch's files are as they were:
// equal stamps mean an equal Load. It is "" where that can't be told: for a
// memory that was written a moment ago, that is no whole pair of files, or a save
// of which was interrupted.
func (s *Store) Stamp(branch string) string {
	if s.interrupted(branch) {
		return ""
	}
	stamp := ""
	for _, ext := range []string{itemsExt, markdownExt} {
		info, err := s.dir.Stat(FileStem(branch) + ext)
		if err != nil || time.Since(info.ModTime()) < settled {
			return ""
		}
		stamp += fmt.Sprintf("%d.%d ", info.Size(), info.ModTime().UnixNano())
	}
	return stamp
}
