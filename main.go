// Command Recollect is the window of the desktop app. It lies in the root
// because Wails wants package main beside wails.json.
package main

import (
	_ "embed"
	"os"

	"recollect/app"
)

// icon is what a Linux window shows of itself; elsewhere the program's file has it.
//
//go:embed build/icons/128.png
var icon []byte

func main() { os.Exit(app.Main(os.Args[1:], icon)) }
