package memory

import "time"

// placeholders so that dependants compile while the package is written
type Memory struct {
	Branch  string
	Updated time.Time
	Items   []Item
}
type Revision string
