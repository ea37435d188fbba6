//go:build lab && linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"time"

	"github.com/trajmap/trajmap/internal/lab"
)

// bench makes ready what programs are proven with: trajmap, and the sessions whose
// SOURCE/NAME match. done takes the sessions away.
func bench(ctx context.Context, folder string, only *regexp.Regexp) (b *lab.Bench, done func(), err error) {
	if err := lab.Build(ctx, ".", folder); err != nil {
		return nil, nil, err
	}
	dir, err := os.MkdirTemp("", "trajmap-lab-")
	if err != nil {
		return nil, nil, err
	}
	done = func() { os.RemoveAll(dir) }
	sources, err := lab.Sources(ctx, ".", dir)
	sources = slices.DeleteFunc(sources, func(t lab.Told) bool { return !only.MatchString(t.From + "/" + t.Name) })
	if err == nil && len(sources) == 0 {
		err = errors.New("there is no such session")
	}
	if err != nil {
		done()
	}
	return &lab.Bench{Root: ".", Lab: folder, Sources: sources, AtOnce: 2}, done, err
}

// prove has programs prove what they can, and records it when keep is set.
func prove(ctx context.Context, folder string, programs []*lab.Program, only *regexp.Regexp, keep bool) error {
	if err := lab.Enter(); err != nil {
		return err
	}
	b, done, err := bench(ctx, folder, only)
	if err != nil {
		return err
	}
	defer done()
	var failed error
	for _, p := range programs {
		proof, err := b.Prove(ctx, p, func(t lab.Tried) { tell(p, t) })
		var missing *lab.MissingError
		if errors.As(err, &missing) {
			fmt.Printf("%-12s not proven: %s\n", p.Name, missing.Reason)
			continue
		}
		if err == nil {
			tellHandoff(p, proof.Handoff)
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
