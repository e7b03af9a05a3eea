// Command recollect is Recollect's command line.
package main

import (
	"os"

	"recollect/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
