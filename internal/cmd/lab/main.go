//go:build lab && linux

// Lab installs the pinned programs and has them prove that sessions load and go
// on.
//
//	go run -tags lab ./internal/cmd/lab install  [PROGRAM…]
//	go run -tags lab ./internal/cmd/lab run      [--sessions REGEXP] [PROGRAM…]
//	go run -tags lab ./internal/cmd/lab evidence [PROGRAM…]
//	go run -tags lab ./internal/cmd/lab check    [PROGRAM…]
//
// evidence is run that writes docs/evidence. check installs, runs a small portion
// and fails when a program does less than the evidence says. All are started in
// the root of the repository; programs go into .lab, or into TRAJMAP_LAB. See
// docs/lab.md.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strings"

	"github.com/trajmap/trajmap/internal/lab"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := act(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "lab:", err)
		os.Exit(1)
	}
}

func act(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("lab", flag.ContinueOnError)
	sessions := flags.String("sessions", "", "with run: only the sessions whose SOURCE/NAME match this regular expression")
	if len(args) > 0 {
		if err := flags.Parse(args[1:]); err != nil {
			return err
		}
		args = append(args[:1:1], flags.Args()...)
	}
	only, err := regexp.Compile(*sessions)
	if err != nil {
		return err
	}
	if len(args) == 0 || !slices.Contains([]string{"install", "run", "evidence", "check"}, args[0]) {
		return errors.New("say install, run, evidence or check, and which programs (all, if none)")
	}
	folder, err := lab.Folder(".")
	if err != nil {
		return err
	}
	names := args[1:]
	if args[0] == "check" && len(names) == 0 && os.Getenv(choice) != "none" {
		names = strings.Fields(os.Getenv(choice))
	}
	programs, err := named(names)
	if err != nil {
		return err
	}
	switch args[0] {
	case "install":
		return install(ctx, folder, programs)
	case "check":
		return check(ctx, folder, programs)
	}
	if args[0] == "evidence" && *sessions != "" {
		return errors.New("evidence is of all sessions")
	}
	return prove(ctx, folder, programs, only, args[0] == "evidence")
}

// install fetches what can be had; what cannot is not proven, which is no error.
func install(ctx context.Context, folder string, programs []*lab.Program) error {
	for _, p := range programs {
		err := p.Wanted()
		if err == nil {
			err = p.Install(ctx, folder)
		}
		var missing *lab.MissingError
		switch {
		case errors.As(err, &missing):
			fmt.Printf("%-12s %-10s not proven: %s\n", p.Name, p.Version, missing.Reason)
		case err != nil:
			return err
		default:
			fmt.Printf("%-12s %-10s installed\n", p.Name, p.Version)
		}
	}
	return nil
}

// named are the programs of some names; all, if there are none.
func named(names []string) ([]*lab.Program, error) {
	if len(names) == 0 {
		return lab.Programs, nil
	}
	var out []*lab.Program
	for _, name := range names {
		i := slices.IndexFunc(lab.Programs, func(p *lab.Program) bool { return p.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no program %q", name)
		}
		out = append(out, lab.Programs[i])
	}
	return out, nil
}
