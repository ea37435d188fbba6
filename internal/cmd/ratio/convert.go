package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// targets are the formats that conversion is measured for.
var targets = []string{"codex", "pi", "claude-code", "omp", "copilot", "grok", "opencode", "cline", "fx"}

// conversions measures convert against apply of the same session: times is how
// much more CPU time and wall time the conversion takes.
func (b bench) conversions(targets []string) error {
	input, size, err := b.input("claude-code")
	if err != nil {
		return err
	}
	out := filepath.Join(b.dir, "out")
	fmt.Printf("%-12s %7s %7s %6s %9s %10s %10s\n", "to", "CPU s", "wall s", "MB/s", "peak MiB", "CPU/apply", "wall/apply")
	for _, target := range targets {
		used, err := alternate(b.runs, []program{
			{name: b.binary, args: []string{"apply", "claude-code", "-o", filepath.Join(b.dir, "ours"), input}},
			{name: b.binary, args: []string{"convert", "--from", "claude-code", "--to", target, "-o", out, "--allow", "subagent,missing_result", input},
				before: func() error { return os.RemoveAll(out) }},
		})
		if err != nil {
			return err
		}
		cpu, wall := median(used[1].cpu), median(used[1].wall)
		fmt.Printf("%-12s %7.2f %7.2f %6.0f %9.1f %9.1fx %9.1fx\n", target, cpu, wall, float64(size)/1e6/cpu, used[1].peak,
			times(used[1].cpu, used[0].cpu), times(used[1].wall, used[0].wall))
	}
	return nil
}
