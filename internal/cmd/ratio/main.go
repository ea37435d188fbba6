// Command ratio measures trajmap, whole processes on generated inputs, against
// what the same work costs elsewhere. The programs run in turn, and what counts
// is the ratio of each pair: CPU time alone swings with the load of a machine.
//
//	go run ./internal/cmd/ratio                                # every format
//	go run ./internal/cmd/ratio -mb 100 -runs 3 claude-code cline
//	go run ./internal/cmd/ratio -convert -mb 100 codex opencode   # writing, against reading
//
// Reading is held against what parsing alone costs in Node, and, where
// TRAJMAP_REFERENCE names the built index.js of letta-ai/trajectory, against that.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/trajmap/trajmap/internal/sessiongen"
)

// bench is where a measurement is made and with what.
type bench struct {
	dir    string // for inputs and outputs, removed afterwards
	binary string // trajmap
	size   int64  // of an input, in bytes
	runs   int
}

func main() {
	size := flag.Int64("mb", 40, "size of the inputs, in 10^6 bytes")
	runs := flag.Int("runs", 5, "runs of each program")
	binary := flag.String("trajmap", "", "program to measure; built from this tree when empty")
	convert := flag.Bool("convert", false, "measure conversions of claude-code into the named formats against reading it")
	flag.Parse()
	if err := run(flag.Args(), *convert, bench{binary: *binary, size: *size * 1_000_000, runs: *runs}); err != nil {
		fmt.Fprintln(os.Stderr, "ratio:", err)
		os.Exit(1)
	}
}

func run(names []string, convert bool, b bench) (err error) {
	if b.dir, err = os.MkdirTemp("", "ratio"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.dir)) }()
	if b.binary == "" {
		b.binary = filepath.Join(b.dir, "trajmap")
		build := exec.Command("go", "build", "-o", b.binary, "./cmd/trajmap")
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			return err
		}
	}
	if convert {
		if len(names) == 0 {
			names = targets
		}
		return b.conversions(names)
	}
	if len(names) == 0 {
		names = sessiongen.Formats()
	}
	return b.readings(names)
}

// input writes the input of a format and gives its path and size.
func (b bench) input(format string) (path string, size int64, err error) {
	path = filepath.Join(b.dir, format+sessiongen.Ext(format))
	if err := sessiongen.File(path, format, 1, b.size); err != nil {
		return "", 0, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", 0, err
	}
	return path, info.Size(), nil
}
