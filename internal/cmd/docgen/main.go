// Command docgen writes the generated documentation, with what the commands on
// its pages print: run `go generate ./...`.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/trajmap/trajmap/internal/docgen"
)

func main() {
	root := flag.String("root", ".", "the project's root")
	check := flag.Bool("check", false, "write nothing; fail when a file is not current")
	flag.Parse()
	if err := run(*root, *check); err != nil {
		fmt.Fprintln(os.Stderr, "docgen:", err)
		os.Exit(1)
	}
}

func run(root string, check bool) error {
	dir, err := os.MkdirTemp("", "docgen")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	trajmap := filepath.Join(dir, "trajmap")
	build := exec.Command("go", "build", "-o", trajmap, "./cmd/trajmap")
	build.Dir, build.Stderr = root, os.Stderr
	if err := build.Run(); err != nil {
		return err
	}
	files, err := docgen.Files(root, trajmap)
	if err != nil {
		return err
	}
	if check {
		return docgen.Current(root, files)
	}
	changed, err := docgen.Write(root, files)
	for _, name := range changed {
		fmt.Println("wrote", name)
	}
	return err
}
