// Command ratio measures trajmap against what parsing alone costs in Node: split
// into lines and JSON.parse of each, or JSON.parse of a whole document. Both run
// in turn on the same generated inputs, as whole processes; what is compared is
// CPU time, for wall time says little on a shared machine.
//
//	go run ./internal/cmd/ratio            # all formats
//	go run ./internal/cmd/ratio -mb 100 -runs 3 claude-code opencode
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/trajmap/trajmap/internal/sessiongen"
)

// floor parses and throws away.
const floor = `
const text = require("fs").readFileSync(process.argv[1], "utf8");
let n = 0;
if (process.argv[1].endsWith(".json")) n = Object.keys(JSON.parse(text)).length;
else for (const line of text.split("\n")) if (line) n += JSON.parse(line) ? 1 : 0;
process.stdout.write(n + "\n");`

func main() {
	size := flag.Int64("mb", 40, "size of the inputs, in 10^6 bytes")
	runs := flag.Int("runs", 5, "runs of each program")
	binary := flag.String("trajmap", "", "program to measure; built from this tree when empty")
	flag.Parse()
	formats := flag.Args()
	if len(formats) == 0 {
		formats = []string{"claude-code", "codex", "pi", "opencode", "fx"}
	}
	if err := run(formats, *size, *runs, *binary); err != nil {
		fmt.Fprintln(os.Stderr, "ratio:", err)
		os.Exit(1)
	}
}

func run(formats []string, size int64, runs int, binary string) error {
	dir, err := os.MkdirTemp("", "ratio")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if binary == "" {
		binary = filepath.Join(dir, "trajmap")
		build := exec.Command("go", "build", "-o", binary, "./cmd/trajmap")
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			return err
		}
	}
	node, nodeErr := exec.LookPath("node")
	fmt.Printf("%-12s %-10s %8s %8s %9s %9s %7s\n", "input", "as", "CPU s", "MB/s", "peak MiB", "node s", "ratio")
	for _, format := range formats {
		ext := ".jsonl"
		if format == "opencode" || format == "fx" || format == "gemini" {
			ext = ".json"
		}
		input := filepath.Join(dir, format+ext)
		if err := sessiongen.File(input, format, 1, size*1_000_000); err != nil {
			return err
		}
		info, err := os.Stat(input)
		if err != nil {
			return err
		}
		mapping := strings.Replace(format, "gemini", "gemini-cli", 1)
		for _, as := range []string{"trajectory", "canonical"} {
			var ours, theirs, ratios []float64
			var peak int64
			for range runs {
				cpu, rss, err := measure(binary, "apply", mapping, "--as", as, input)
				if err != nil {
					return fmt.Errorf("%s %s: %w", format, as, err)
				}
				ours, peak = append(ours, cpu), max(peak, rss)
				if nodeErr == nil {
					other, _, err := measure(node, "-e", floor, input)
					if err != nil {
						return err
					}
					theirs, ratios = append(theirs, other), append(ratios, other/cpu)
				}
			}
			fmt.Printf("%-12s %-10s %8.3f %8.0f %9.1f", format, as, median(ours), float64(info.Size())/1e6/median(ours), float64(peak)/1024)
			if nodeErr == nil {
				fmt.Printf(" %9.3f %6.1fx", median(theirs), median(ratios))
			}
			fmt.Println()
		}
		os.Remove(input)
	}
	if nodeErr != nil {
		fmt.Println("node is not on the PATH: no ratios")
	}
	return nil
}

// measure gives a process's CPU time in seconds and its peak memory in KiB.
func measure(name string, args ...string) (cpu float64, peak int64, err error) {
	cmd := exec.Command(name, args...)
	if err := cmd.Run(); err != nil {
		return 0, 0, fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
	}
	used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		peak = usage.Maxrss
	}
	return used.Seconds(), peak, nil
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
