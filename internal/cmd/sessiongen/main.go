// Command sessiongen writes synthetic native sessions of coding agents.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/trajmap/trajmap/internal/sessiongen"
)

func main() {
	name := flag.String("format", "claude-code", strings.Join(sessiongen.Formats(), ", ")+", or mixed (with -sessions)")
	seed := flag.Uint64("seed", 1, "seed")
	size := flag.Int64("bytes", 1_000_000, "least size: of the one file, or of the whole corpus")
	sessions := flag.Int("sessions", 0, "write a corpus of this many files instead of one")
	out := flag.String("out", "-", "output file (- for standard output), or the corpus's directory")
	flag.Parse()
	if err := run(*name, *seed, *size, *sessions, *out); err != nil {
		fmt.Fprintln(os.Stderr, "sessiongen:", err)
		os.Exit(1)
	}
}

func run(name string, seed uint64, size int64, sessions int, out string) error {
	switch {
	case sessions > 0:
		return sessiongen.Corpus(out, name, seed, size, sessions)
	case out == "-":
		return sessiongen.Write(os.Stdout, name, seed, size)
	}
	return sessiongen.File(out, name, seed, size)
}
