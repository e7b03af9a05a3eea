// Command recollect is Recollect's command line, and what works in the
// background.
package main

import (
	"log/slog"
	"os"

	"recollect/app/tray"
	"recollect/internal/cli"
	"recollect/internal/service"
)

func main() {
	tray.Unpin()
	p := cli.Program{Tray: func(log *slog.Logger) service.Tray { return tray.New(log) }}
	os.Exit(p.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
