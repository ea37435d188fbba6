// Package cli is the command line of trajmap. A command is a struct whose fields
// are its flags and whose Run does the work; everything that it touches outside
// of the files named by the user comes through [World].
//
// Standard output carries data only, standard error words only. One function,
// [World.fail], prints errors; their kind decides the exit code: 0 done, 1 the
// input or a check failed, 2 wrong usage, 3 refused as unsafe, or drift found.
package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/internal/terminal"
)

// World is what a command may touch.
type World struct {
	Stdout   io.Writer
	Stderr   io.Writer
	Terminal bool // Stderr is one: progress may be shown
	Columns  int  // of Stdout, when that is a terminal; else 0
	Rows     int  // likewise
	Getenv   func(string) string
}

// grammar is the command line: help, completion and man pages are made from it.
type grammar struct {
	Help helpFlag `short:"h" help:"Show what a command does and its flags."`

	List listCmd `cmd:"" group:"find" help:"List sessions, those used last first."`
	Show showCmd `cmd:"" group:"find" help:"Show a session as a person reads it."`

	Handoff  handoffCmd  `cmd:"" group:"carry" help:"Go on with a session in another harness."`
	Convert  convertCmd  `cmd:"" group:"carry" help:"Write a session as another harness's native files."`
	Prepare  prepareCmd  `cmd:"" group:"carry" help:"Make what convert has written ready to be continued where it lies."`
	Snapshot snapshotCmd `cmd:"" group:"carry" help:"Keep a session whole, with all that belongs to it, in one file."`

	Apply    applyCmd    `cmd:"" group:"data" help:"Convert native session files to trajectory-v1 records."`
	Validate validateCmd `cmd:"" group:"data" help:"Check records against the schema and the contract."`

	Mappings mappingsCmd `cmd:"" group:"write" help:"List the mappings and where each comes from."`
	Check    checkCmd    `cmd:"" group:"write" help:"Check mappings: form, names, types, unused parts."`
	Test     testCmd     `cmd:"" group:"write" help:"Run a mapping's golden cases and say which steps none of them ran."`
	Explain  explainCmd  `cmd:"" group:"write" help:"Show what a mapping does with each line of an input, and why."`
	Drift    driftCmd    `cmd:"" group:"write" help:"List what inputs hold that a mapping does not know."`
	Schema   schemaCmd   `cmd:"" group:"write" help:"Print a JSON Schema."`

	Inventory  inventoryCmd  `cmd:"" group:"about" help:"Say what is supported of each harness, and proven."`
	Completion completionCmd `cmd:"" group:"about" help:"Print a completion script for a shell."`
	Version    versionCmd    `cmd:"" group:"about" help:"Print trajmap's version."`
}

var groups = kong.ExplicitGroups([]kong.Group{
	{Key: "find", Title: "Find and read sessions:"},
	{Key: "carry", Title: "Go on elsewhere:"},
	{Key: "data", Title: "Sessions as data:"},
	{Key: "write", Title: "Write and maintain mappings:"},
	{Key: "about", Title: "More:"},
})

// helpFlag prints help and ends the command line.
type helpFlag bool

// IgnoreDefault keeps kong from calling the hook when the flag is not given.
func (helpFlag) IgnoreDefault() {}

// BeforeReset runs before anything that is missing is complained about.
func (helpFlag) BeforeReset(ctx *kong.Context) error {
	if err := ctx.PrintUsage(false); err != nil {
		return &outputError{err}
	}
	return errHelp
}

var errHelp = errors.New("help was printed")

// Main runs the program and exits.
func Main() {
	// The heap is small and mostly buffers: memory is worth more than the little
	// that collecting it twice as often costs.
	debug.SetGCPercent(50)
	// A reader of our output that leaves early is an error of that write, which
	// ends the command in order.
	signal.Ignore(syscall.SIGPIPE)
	ctx, _ := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	w := &World{Stdout: os.Stdout, Stderr: os.Stderr, Terminal: isTerminal(os.Stderr), Getenv: os.Getenv}
	w.Columns, w.Rows = terminal.Size(os.Stdout)
	os.Exit(w.Run(ctx, os.Args[1:]))
}

// isTerminal errs only where it does no harm: another device is not read.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// Run runs one command line.
func (w *World) Run(ctx context.Context, args []string) int {
	k, err := parser(w, &grammar{})
	if err != nil {
		return w.fail(err)
	}
	if len(args) == 0 {
		args = []string{"--help"}
		k.Stdout = w.Stderr
		if _, err := k.Parse(args); !errors.Is(err, errHelp) {
			return w.fail(err)
		}
		return exitUsage
	}
	parsed, err := k.Parse(args)
	if errors.Is(err, errHelp) {
		return exitDone
	}
	if unwritten := (*outputError)(nil); errors.As(err, &unwritten) {
		return w.fail(unwritten)
	}
	if err != nil {
		return w.fail(usage(err))
	}
	parsed.BindTo(ctx, (*context.Context)(nil))
	return w.fail(parsed.Run(w))
}

func parser(w *World, g *grammar) (*kong.Kong, error) {
	return kong.New(g,
		kong.Name("trajmap"),
		kong.Description("Find the sessions of coding agents, read them, and go on with them in another."),
		kong.Writers(w.Stdout, w.Stderr),
		kong.NoDefaultHelp(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		groups,
	)
}

// style colours what goes to a terminal, unless the user does not want that.
func (w *World) style() terminal.Style {
	return terminal.Style(w.Columns > 0 && w.Getenv("NO_COLOR") == "" && w.Getenv("TERM") != "dumb")
}

// catalog is the set of mappings that this user has.
func (w *World) catalog() (*engine.Catalog, error) {
	return engine.NewCatalog(engine.UserFolders(w.Getenv)...)
}
