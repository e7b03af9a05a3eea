package voice

import (
	"strings"
	"testing"
)

// Texts that were made to be slow are read in linear time.
func BenchmarkWords(b *testing.B) {
	for name, text := range map[string]string{
		"plain":    strings.Repeat("Use grams, not ounces. ", 40_000),
		"mentions": strings.Repeat("a <system-reminder> ", 50_000),
		"ends":     strings.Repeat("</system-reminder", 50_000) + "<system-reminder>",
		"opened":   strings.Repeat("<task-notification>", 50_000),
		"many":     "a " + strings.Repeat("<ide_selection></ide_selection>b", 30_000),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Words(text)
				From(text)
			}
		})
	}
}
