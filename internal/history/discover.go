package history

import (
	"context"
	"time"
)

// Discoverer finds where one assistant was used. Sources are Discoverers.
type Discoverer interface {
	// Name is the assistant's.
	Name() string
	// Discover looks at what the assistant keeps without reading whole
	// transcripts. roots are folders of projects that are known otherwise: an
	// assistant that keeps its history in the projects is found in those alone. An
	// error means that there is something which can't be read at all, or that ctx
	// ended; what is unreadable in part is damage.
	Discover(ctx context.Context, roots []string) (Discovery, error)
}

// Discovery is where an assistant was used.
type Discovery struct {
	Source string
	Where  string // the folders that were looked at, or which one in each project
	// Tops are the folders that were looked at, where they are not in the projects.
	Tops  []string
	Found bool   // the assistant has kept something there, be it empty
	Used  []Used // each directory once, sorted
	// Folders are those in which what was said in a directory lies, by Used.Dir.
	Folders map[string][]string
	Damage  []Damage
}

// Used is a working directory in which sessions began.
type Used struct {
	Dir        string // as the records name it
	Sessions   int
	LastActive time.Time
}
