//go:build lab && linux

// Lab installs the pinned programs and has them prove that sessions load and go
// on.
//
//	go run -tags lab ./internal/cmd/lab install  [PROGRAM…]
//	go run -tags lab ./internal/cmd/lab run      [--sessions REGEXP] [PROGRAM…]
//	go run -tags lab ./internal/cmd/lab evidence [PROGRAM…]
//
// evidence is run that writes docs/evidence. It is started in the root of the
// repository, by root; programs go into .lab, or into TRAJMAP_LAB.
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
	"time"

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
	if len(args) == 0 || !slices.Contains([]string{"install", "run", "evidence"}, args[0]) {
		return errors.New("say install, run or evidence, and which programs (all, if none)")
	}
	folder, err := lab.Folder(".")
	if err != nil {
		return err
	}
	var programs []*lab.Program
	for _, p := range lab.Programs {
		if len(args) == 1 || slices.Contains(args[1:], p.Name) {
			programs = append(programs, p)
		}
	}
	if len(programs) == 0 {
		return fmt.Errorf("there is no program %v", args[1:])
	}
	if args[0] == "install" {
		return install(ctx, folder, programs)
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

func prove(ctx context.Context, folder string, programs []*lab.Program, only *regexp.Regexp, keep bool) error {
	if err := lab.Build(ctx, ".", folder); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "trajmap-lab-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	sources, err := lab.Sources(ctx, ".", dir)
	if err != nil {
		return err
	}
	sources = slices.DeleteFunc(sources, func(t lab.Told) bool { return !only.MatchString(t.From + "/" + t.Name) })
	if len(sources) == 0 {
		return errors.New("there is no such session")
	}
	bench := &lab.Bench{Root: ".", Lab: folder, Sources: sources, AtOnce: 2}
	var failed error
	for _, p := range programs {
		proof, err := bench.Prove(ctx, p, func(t lab.Tried) { tell(p, t) })
		var missing *lab.MissingError
		if errors.As(err, &missing) {
			fmt.Printf("%-12s not proven: %s\n", p.Name, missing.Reason)
			continue
		}
		if err == nil {
			if proof.Handoff != nil {
				tellHandoff(p, proof.Handoff)
			}
			if keep {
				err = lab.WriteEvidence(".", p.Evidence(proof, time.Now()))
			}
		}
		if failed = errors.Join(failed, err); ctx.Err() != nil {
			return failed
		}
	}
	return failed
}

func tellHandoff(p *lab.Program, h *lab.Handoff) {
	if h.Err != nil {
		fmt.Printf("%-12s %s: %v\n", p.Name, h.Command, h.Err)
		return
	}
	fmt.Printf("%-12s %s, then %q\n", p.Name, h.Command, h.Then)
}

func tell(p *lab.Program, t lab.Tried) {
	fmt.Printf("%-12s %-12s %-10s", p.Name, t.Source, t.Name)
	if t.Refused != nil {
		fmt.Printf(" not written: %v\n", t.Refused)
		return
	}
	show := func(check string, err error, d time.Duration) {
		if err != nil {
			fmt.Printf("  %s: %v", check, err)
			return
		}
		fmt.Printf("  %s %.1f s", check, d.Seconds())
	}
	show("load", t.Load, t.LoadTime)
	if p.GoesOn() {
		show("continue", t.Continue, t.ContinueTime)
	}
	fmt.Println()
}
