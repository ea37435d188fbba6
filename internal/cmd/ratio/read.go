package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// floor parses and throws away.
const floor = `
const text = require("fs").readFileSync(process.argv[1], "utf8");
let n = 0;
if (process.argv[1].endsWith(".json")) n = Object.keys(JSON.parse(text)).length;
else for (const line of text.split("\n")) if (line) n += JSON.parse(line) ? 1 : 0;
process.stdout.write(n + "\n");`

// reference runs the reference's reader and writes a record a line, as apply does.
const reference = `
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { pathToFileURL } from "node:url";
const [source, form, input, output, groupId] = process.argv.slice(2);
const library = await import(pathToFileURL(process.env.TRAJMAP_REFERENCE));
const read = form === "canonical" ? library.normalizeToCanonical : library.normalizeTranscript;
const { records } = read({ source, transcript: readFileSync(input, "utf8"), ...(groupId ? { sourceContext: { groupId } } : {}) });
const file = openSync(output, "w");
let lines = [];
for (const record of records) {
	lines.push(JSON.stringify(record));
	if (lines.length === 100) { writeSync(file, lines.join("\n") + "\n"); lines = []; }
}
if (lines.length > 0) writeSync(file, lines.join("\n") + "\n");
closeSync(file);`

// mappings are the names of mappings whose format the generator calls otherwise.
var mappings = map[string]string{"gemini": "gemini-cli"}

// sources are the reference's names of what it reads as text.
var sources = map[string]string{
	"atif": "atif", "claude-code": "claude-code", "codex": "codex", "copilot": "copilot-cli", "cursor": "cursor",
	"droid": "droid", "gemini": "gemini-cli", "hermes": "hermes", "letta-code": "letta-code", "omp": "omp",
	"openclaw": "openclaw", "opencode": "opencode", "openhands": "openhands", "pi": "pi",
}

// nameless are the formats whose sessions do not say which session they are.
var nameless = map[string]bool{"cursor": true, "letta-code": true, "openhands": true}

// readings measures apply over formats, in both forms.
func (b bench) readings(formats []string) error {
	node, err := exec.LookPath("node")
	if err != nil {
		fmt.Println("node is not on the PATH: no ratios")
	}
	library := os.Getenv("TRAJMAP_REFERENCE")
	if library == "" {
		fmt.Println("TRAJMAP_REFERENCE is not set: no ratios to the reference")
	}
	driver := filepath.Join(b.dir, "reference.mjs")
	if err := os.WriteFile(driver, []byte(reference), 0o644); err != nil {
		return err
	}
	fmt.Printf("%-12s %-10s %7s %6s %9s %11s %13s\n", "input", "as", "CPU s", "MB/s", "peak MiB", "JSON.parse", "the reference")
	for _, format := range formats {
		input, size, err := b.input(format)
		if err != nil {
			return err
		}
		mapping := format
		if name, ok := mappings[format]; ok {
			mapping = name
		}
		for _, form := range []string{"trajectory", "canonical"} {
			runs := []program{{name: b.binary, args: []string{"apply", mapping, "--as", form, "-o", filepath.Join(b.dir, "ours"), input}}}
			if nameless[format] {
				runs[0].args = append(runs[0].args, "--group", "bench")
			}
			parse, peer := 0, 0
			if node != "" {
				parse, runs = len(runs), append(runs, program{name: node, args: []string{"-e", floor, input}})
				if source, ok := sources[format]; ok && library != "" {
					args := []string{driver, source, form, input, filepath.Join(b.dir, "theirs")}
					if nameless[format] {
						args = append(args, "bench")
					}
					peer, runs = len(runs), append(runs, program{name: node, args: args})
				}
			}
			used, err := alternate(b.runs, runs)
			if err != nil {
				return err
			}
			cpu := median(used[0].cpu)
			fmt.Printf("%-12s %-10s %7.3f %6.0f %9.1f", format, form, cpu, float64(size)/1e6/cpu, used[0].peak)
			fmt.Printf(" %11s %13s\n", ratio(used, parse), ratio(used, peer))
		}
		if err := os.Remove(input); err != nil {
			return err
		}
	}
	return nil
}

// ratio says how many times the CPU time of the first program another one used;
// none is numbered 0.
func ratio(used []usage, other int) string {
	if other == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1fx", times(used[other].cpu, used[0].cpu))
}
