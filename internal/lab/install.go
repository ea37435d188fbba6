//go:build lab && linux

package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// Folder is where programs are installed: TRAJMAP_LAB, or .lab in the
// repository, which is root.
func Folder(root string) (string, error) {
	if dir := os.Getenv("TRAJMAP_LAB"); dir != "" {
		return filepath.Abs(dir)
	}
	return filepath.Abs(filepath.Join(root, ".lab"))
}

// installation is what an installer leaves beside the program, last of all.
type installation struct {
	Packages []string `json:"packages"`
}

// installed is the file's name.
const installed = "installed.json"

// A MissingError says why a program cannot be run.
type MissingError struct {
	Program, Reason string
}

func (e *MissingError) Error() string { return e.Program + ": " + e.Reason }

// Find looks for an installed program of the pinned version. The error is a
// *MissingError.
func (p *Program) Find(lab string) error {
	b, err := os.ReadFile(filepath.Join(lab, p.Name, installed))
	if errors.Is(err, fs.ErrNotExist) {
		return &MissingError{p.Name, "not installed"}
	}
	var in installation
	if err == nil {
		err = json.Unmarshal(b, &in)
	}
	if err != nil {
		return &MissingError{p.Name, err.Error()}
	}
	if strings.Join(in.Packages, " ") != strings.Join(p.packages(), " ") {
		return &MissingError{p.Name, "installed at another version: " + strings.Join(in.Packages, " ")}
	}
	return nil
}

// Wanted reports whether a program is to be run, or that it waits for being
// asked for.
func (p *Program) Wanted() error {
	if p.OptIn != "" && os.Getenv(p.OptIn) == "" {
		return &MissingError{p.Name, "only run when " + p.OptIn + " is set"}
	}
	return nil
}

// bin is the folder of a program's command.
func (p *Program) bin(lab string) string { return filepath.Join(lab, p.Name, "command") }

// Command is the folder of the command trajmap.
func Command(lab string) string { return filepath.Join(lab, "command") }

// Build builds the command trajmap from the repository, which is root.
func Build(ctx context.Context, root, lab string) error {
	c := exec.CommandContext(ctx, "go", "build", "-o", filepath.Join(Command(lab), "trajmap"), "./cmd/trajmap")
	c.Dir = root
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("trajmap cannot be built: %w%s", err, complaint(out))
	}
	return nil
}

// Install fetches a program by its client, unless it is there. Scripts of its
// packages are not run.
func (p *Program) Install(ctx context.Context, lab string) error {
	if runtime.GOARCH != "amd64" {
		return &MissingError{p.Name, "pinned for linux-x64 only"}
	}
	if p.Find(lab) == nil {
		return nil
	}
	dir := filepath.Join(lab, p.Name)
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(p.bin(lab), 0o755); err != nil {
		return err
	}
	if err := p.fetch(ctx, dir); err != nil {
		return &MissingError{p.Name, err.Error()}
	}
	if err := p.unpack(ctx, dir); err != nil {
		return err
	}
	if err := p.command(lab, dir); err != nil {
		return err
	}
	b, err := json.Marshal(installation{p.packages()})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, installed), append(b, '\n'), 0o644)
}

// packages are what is installed, or else the binary that the user named.
func (p *Program) packages() []string {
	if p.Source.Client == "" {
		return []string{os.Getenv(p.OptIn)}
	}
	return p.Source.Packages
}

func (p *Program) fetch(ctx context.Context, dir string) error {
	s := p.Source
	switch s.Client {
	case "":
		_, err := os.Stat(p.packages()[0])
		return err
	case "npm":
		return run(ctx, append([]string{"npm", "install", "--prefix", dir, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"}, s.Packages...)...)
	}
	var err error
	for _, python := range []string{"python3.12", "python3.13", "python3"} {
		if err = run(ctx, python, "-m", "venv", dir); err == nil {
			break
		}
	}
	if err != nil {
		return err
	}
	return run(ctx, append([]string{filepath.Join(dir, "bin", "pip"), "install", "--quiet", "--disable-pip-version-check"}, s.Packages...)...)
}

// run runs an installer's command in the surroundings as they are.
func run(ctx context.Context, argv ...string) error {
	out, err := exec.CommandContext(ctx, argv[0], argv[1:]...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w%s", filepath.Base(argv[0]), err, complaint(out))
	}
	return nil
}

// unpack does what the package would do when it is started first, which takes
// longer than a test has.
func (p *Program) unpack(ctx context.Context, dir string) error {
	if p.Source.Unpack == "" {
		return nil
	}
	const script = `const fs = require("fs"); fs.writeFileSync(process.argv[1], require("zlib").brotliDecompressSync(fs.readFileSync(process.argv[1] + ".br")), {mode: 0o755})`
	return run(ctx, "node", "-e", script, filepath.Join(dir, p.Source.Unpack))
}

// command writes the command that a user would type.
func (p *Program) command(lab, dir string) error {
	var b bytes.Buffer
	b.WriteString("#!/bin/sh\nexec")
	start := []string{}
	for _, part := range p.Source.Start {
		start = append(start, filepath.Join(dir, part))
	}
	if p.Source.Client == "" {
		start = p.packages()
	}
	for _, part := range start {
		if _, err := os.Stat(part); err != nil {
			return fmt.Errorf("%s: the package has no such file: %w", p.Name, err)
		}
		b.WriteString(" '" + strings.ReplaceAll(part, "'", `'\''`) + "'")
	}
	b.WriteString(" \"$@\"\n")
	return os.WriteFile(filepath.Join(p.bin(lab), p.Command), b.Bytes(), 0o755)
}
