package main

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

// program is a command to measure; before runs ahead of it, unmeasured.
type program struct {
	name   string
	args   []string
	before func() error
}

// usage is what the runs of a program used.
type usage struct {
	cpu, wall []float64 // seconds
	peak      float64   // MiB, of the largest run
}

// alternate runs programs in turn, so many times each.
func alternate(runs int, programs []program) ([]usage, error) {
	used := make([]usage, len(programs))
	for range runs {
		for i, p := range programs {
			if err := used[i].add(p); err != nil {
				return nil, err
			}
		}
	}
	return used, nil
}

func (u *usage) add(p program) error {
	if p.before != nil {
		if err := p.before(); err != nil {
			return err
		}
	}
	cmd := exec.Command(p.name, p.args...)
	start := time.Now()
	if out, err := cmd.Output(); err != nil {
		return fmt.Errorf("%s: %w %s", strings.Join(cmd.Args, " "), err, out)
	}
	u.wall = append(u.wall, time.Since(start).Seconds())
	state := cmd.ProcessState
	u.cpu = append(u.cpu, (state.UserTime() + state.SystemTime()).Seconds())
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		u.peak = max(u.peak, float64(usage.Maxrss)/1024)
	}
	return nil
}

// times is the median of the ratios of pairs of runs.
func times(a, b []float64) float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = a[i] / b[i]
	}
	return median(out)
}

func median(values []float64) float64 {
	values = slices.Sorted(slices.Values(values))
	return values[len(values)/2]
}
