package claudecode

import (
	"encoding/json"
	"path/filepath"
	"time"

	"recollect/internal/atomicfile"
)

// defaultSweep is after how many days Claude Code removes a transcript.
const defaultSweep = 30

const maxSettings = 4 << 20

// Sweep says how long after its last change Claude Code removes a transcript, and
// whether its settings say so: else it is what Claude Code does by itself. Settings
// that can't be read say nothing. A project's own settings are not looked at. Of
// several configuration folders the one counts that removes first.
func (s *Source) Sweep() (after time.Duration, set bool) {
	tops, err := s.projects()
	if err != nil {
		return defaultSweep * 24 * time.Hour, false
	}
	for _, top := range tops {
		one, said := sweepOf(filepath.Dir(top))
		if after == 0 || one < after {
			after, set = one, said
		}
	}
	return after, set
}

func sweepOf(config string) (after time.Duration, set bool) {
	after = defaultSweep * 24 * time.Hour
	text, _, err := atomicfile.Read(filepath.Join(config, "settings.json"), maxSettings)
	var settings struct {
		Days *float64 `json:"cleanupPeriodDays"`
	}
	const most = 100 * 365
	if err != nil || json.Unmarshal(text, &settings) != nil || settings.Days == nil || *settings.Days < 1 || *settings.Days > most {
		return after, false
	}
	return time.Duration(*settings.Days * 24 * float64(time.Hour)), true
}
