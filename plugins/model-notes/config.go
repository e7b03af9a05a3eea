package main

import (
	"recollect/hostapi"
	"recollect/hostapi/guest"
)

// config is the plug-in's configuration; its schema stands in plugin.json.
// Characters are runes.
type config struct {
	Model          string  `json:"model"`
	MaxTurnChars   int     `json:"max_turn_chars"`
	MaxTotalChars  int     `json:"max_total_chars"`
	MaxPartChars   int     `json:"max_part_chars"`
	MaxLocalChars  int     `json:"max_local_chars"`
	LocalSentences int     `json:"local_sentences"`
	KnownChars     int     `json:"known_chars"`
	MinConfidence  float64 `json:"min_confidence"`
	Evolve         bool    `json:"evolve"`
}

// loadConfig gives the defaults where the host has none.
func loadConfig() (config, error) {
	c := config{
		MaxTurnChars: 4000, MaxTotalChars: 400000, MaxPartChars: 60000, MaxLocalChars: 20000, LocalSentences: 120,
		KnownChars: 4000, MinConfidence: 0.75, Evolve: true,
	}
	if err := guest.Config(&c); err != nil && !guest.IsCode(err, hostapi.CodeUnavailable) {
		return c, err
	}
	return c, nil
}
