//go:build !unix

package main

import "os"

// peakBytes is the most memory that a finished process held, 0 if unknown.
func peakBytes(*os.ProcessState) int64 { return 0 }
