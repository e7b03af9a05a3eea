//go:build !race

package plugin

// detector is how many times the memory of a program is resident.
const detector = 1
