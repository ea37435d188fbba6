//go:build lab && linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/trajmap/trajmap/docs/evidence"
	"github.com/trajmap/trajmap/internal/lab"
)

const (
	// choice names the programs that are checked when no argument does: "none", or
	// some of them.
	choice = "TRAJMAP_LAB_PROGRAMS"
	// each is how long a program may take, its installation included.
	each = 8 * time.Minute
	// all is how long the whole check may take: the gate has half an hour.
	all = 15 * time.Minute
	// beside is how many are checked at once.
	beside = 2
)

// portion are the sessions of a check: those that are made to be hard, and one
// that a real program wrote.
var portion = regexp.MustCompile(`^(lab/(edge|torture)|claude-code/scenario)$`)

// outcome is what came of a program in a check.
type outcome struct {
	unproven string   // why it was not run
	worse    []string // where it did less than is recorded
	took     time.Duration
}

// check installs programs and has each prove a small portion. What is less than
// the evidence says is an error; a program that cannot be run is not proven here,
// which is said and is none. Nothing is recorded.
func check(ctx context.Context, folder string, programs []*lab.Program) error {
	if os.Getenv(choice) == "none" {
		fmt.Println("lab: no program is checked, as " + choice + " says")
		return nil
	}
	if err := lab.Enter(); err != nil {
		for _, p := range programs {
			fmt.Printf("%-12s %-10s not proven here: %v\n", p.Name, p.Version, err)
		}
		fmt.Printf("lab: no program as recorded, %d not proven here\n", len(programs))
		return nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, all, fmt.Errorf("no end of the check within %v", all))
	defer cancel()
	b, done, err := bench(ctx, folder, portion)
	if err != nil {
		return err
	}
	defer done()
	b.AtOnce = 1
	var mu sync.Mutex
	var proven, unproven int
	var failed error
	var group errgroup.Group
	group.SetLimit(beside)
	for _, p := range programs {
		group.Go(func() error {
			o := checkOne(ctx, b, p)
			mu.Lock()
			defer mu.Unlock()
			took := o.took.Round(time.Second)
			switch {
			case o.unproven != "":
				unproven++
				fmt.Printf("%-12s %-10s not proven here: %s (%v)\n", p.Name, p.Version, o.unproven, took)
			case len(o.worse) > 0:
				fmt.Printf("%-12s %-10s worse than recorded (%v):\n  %s\n", p.Name, p.Version, took, strings.Join(o.worse, "\n  "))
				failed = errors.Join(failed, fmt.Errorf("%s does less than docs/evidence/%s.json says", p.Name, p.Name))
			default:
				proven++
				fmt.Printf("%-12s %-10s as recorded: %d sessions and a handoff (%v)\n", p.Name, p.Version, len(b.Sources), took)
			}
			return nil
		})
	}
	_ = group.Wait()
	fmt.Printf("lab: %d programs as recorded, %d not proven here\n", proven, unproven)
	return failed
}

// checkOne installs a program and has it prove the sources.
func checkOne(ctx context.Context, b *lab.Bench, p *lab.Program) (o outcome) {
	begun := time.Now()
	defer func() { o.took = time.Since(begun) }()
	ctx, cancel := context.WithTimeoutCause(ctx, each, fmt.Errorf("no end within %v", each))
	defer cancel()
	err := p.Wanted()
	if err == nil {
		err = p.Install(ctx, b.Lab)
	}
	var proof *lab.Proof
	if err == nil {
		proof, err = b.Prove(ctx, p, func(lab.Tried) {})
	}
	var missing *lab.MissingError
	var sandbox *lab.SandboxError
	switch {
	case ctx.Err() != nil: // a slow machine proves nothing, for or against
		o.unproven = context.Cause(ctx).Error()
	case errors.As(err, &missing):
		o.unproven = missing.Reason
	case errors.As(err, &sandbox):
		o.unproven = sandbox.Error()
	case err != nil:
		o.worse = []string{err.Error()}
	default:
		recorded, err := evidence.Of(p.Name)
		if err != nil {
			o.worse = []string{err.Error()}
			return o
		}
		o.worse = p.Evidence(proof, begun).Worse(recorded)
	}
	return o
}
