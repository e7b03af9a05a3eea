//go:build race

package plugin

// detector is how many times the memory of a program is resident under the race
// detector: it keeps shadows of it, five to ten times its size.
const detector = 8
