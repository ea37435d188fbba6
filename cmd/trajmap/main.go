// Command trajmap converts coding agents' session files to trajectory-v1 records.
package main

import "github.com/trajmap/trajmap/internal/cli"

func main() { cli.Main() }
