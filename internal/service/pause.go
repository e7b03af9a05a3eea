package service

import (
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"

	"recollect/internal/atomicfile"
	"recollect/internal/config"
	"recollect/internal/engine"
	"recollect/internal/safefile"
)

// kept is what outlives the service.
type kept struct {
	Paused bool `json:"paused"`
}

func keptFile(dirs config.Dirs) string { return filepath.Join(dirs.Data, "service.json") }

// maxKept bounds what is read of the file.
const maxKept = 64 << 10

// Paused says whether work on a schedule is paused.
func Paused(dirs config.Dirs) (bool, error) {
	b, _, err := atomicfile.Read(keptFile(dirs), maxKept)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	var k kept
	if err == nil {
		err = json.Unmarshal(b, &k)
	}
	return k.Paused, err
}

// SetPaused pauses work on a schedule, or lets it go on, from the next start of
// the service on. One that runs is told over its socket.
func SetPaused(dirs config.Dirs, paused bool) error {
	b, err := json.Marshal(kept{Paused: paused})
	if err != nil {
		return err
	}
	file := keptFile(dirs)
	if err := safefile.MakePrivate(filepath.Dir(file)); err != nil {
		return err
	}
	return atomicfile.Replace(file, append(b, '\n'), atomicfile.Expect{}, atomicfile.Options{Mode: 0o600})
}

// readPause goes on without a pause where the file can't be read: a person sees
// that, and can pause again.
func (s *service) readPause() bool {
	paused, err := Paused(s.dirs)
	if err != nil {
		s.log.Warn("whether the service is paused can't be read", "why", err)
	}
	return paused
}

// pause stops all work that nobody asked for just now.
func (s *service) pause(paused bool) error {
	if err := SetPaused(s.dirs, paused); err != nil {
		return err
	}
	s.mu.Lock()
	s.paused = paused
	s.mu.Unlock()
	s.replan()
	if !paused {
		s.reconsider()
	}
	s.publish(engine.Event{Name: engine.EventChanged, Changed: &engine.Changed{What: "service"}})
	s.show()
	return nil
}
