// Command Recollect is the window of the desktop app. It lies in the root
// because Wails wants package main beside wails.json.
package main

import (
	"os"

	"recollect/app"
)

func main() { os.Exit(app.Main(os.Args[1:])) }
