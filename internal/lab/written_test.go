//go:build lab && linux

package lab

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trajmap/trajmap/engine/render"
	"github.com/trajmap/trajmap/internal/lab/history"
	"github.com/trajmap/trajmap/internal/lab/mockllm"
)

// sample is a session that lies in files.
type sample struct {
	dir    string // below ../shared/samples
	root   string // where its files go, below the home
	only   string // the one file that goes there, and what it is called; "" for all
	entry  string // the file to open it by
	id     string
	prompt []string
	acp    []string // options as an agent
	want   []history.Entry
}

// written are sessions that were written by hand, with what they say in as many
// words: they prove the drivers, with no reader or writer of ours between.
var written = map[string]sample{
	"grok": {
		dir: "grok/handwritten-both/.grok", root: ".grok", id: "0199a213-81c0-7800-8aa1-bbab2a035a53",
		prompt: []string{"grok", "-m", "mock", "-r", "0199a213-81c0-7800-8aa1-bbab2a035a53", "-p", render.PromptMark},
		want: []history.Entry{
			{Kind: history.User, Text: "first question"},
			{Kind: history.Assistant, Text: "looking"},
			{Kind: history.Call, ID: "c1", Name: "read_file", Args: `{"target_file":"a"}`},
			{Kind: history.Call, ID: "c2", Name: "read_file", Args: `{"target_file":"b"}`},
			{Kind: history.Result, ID: "c1", Text: "AAA"},
			{Kind: history.Result, ID: "c2", Text: "BBB"},
			{Kind: history.Assistant, Text: "answer one"},
			{Kind: history.User, Text: "second question"},
			{Kind: history.Assistant, Text: "answer two"},
		},
	},
	"copilot": {
		dir: "copilot/handwritten/.copilot", root: ".copilot", id: "00000001-0000-4000-8000-000000000000",
		prompt: []string{"copilot", "--resume=00000001-0000-4000-8000-000000000000", "-p", render.PromptMark},
		want: []history.Entry{
			{Kind: history.User, Text: "FOREIGN-U1 v01 what is in marker.txt?"},
			{Kind: history.Assistant, Text: "FOREIGN-A1"},
			{Kind: history.Call, ID: "toolu_1", Name: "Read", Args: `{"p":1}`},
			{Kind: history.Call, ID: "toolu_2", Name: "Bash", Args: `{"c":"false"}`},
			{Kind: history.Result, ID: "toolu_1", Text: "FOREIGN-RES1 naïve 你好 🚀"},
			{Kind: history.Result, ID: "toolu_2", Text: "FOREIGN-RES2"},
			{Kind: history.Assistant, Text: "FOREIGN-A2"},
		},
	},
	"cline": {
		dir: "cline/foreign-written", id: "trajmap-0001",
		want: []history.Entry{
			{Kind: history.User, Text: "Which port does the config set? [[imp]]"},
			{Kind: history.Assistant, Text: "Reading it."},
			{Kind: history.Call, ID: "toolu_A", Name: "Read", Args: `{"file_path":"/home/dev/project/config.json"}`},
			{Kind: history.Call, ID: "toolu_B", Name: "Bash", Args: `{"command":"cat missing.txt"}`},
			{Kind: history.Result, ID: "toolu_A", Text: "{\"port\": 8080}\n"},
			{Kind: history.Result, ID: "toolu_B", Text: "cat: missing.txt: No such file or directory"},
			{Kind: history.Assistant, Text: "Port 8080 — naïve café 你好 🚀."},
		},
	},
	"omp": {
		dir: "omp/written", root: ".omp/agent", entry: "full.jsonl", id: "11111111-1111-4111-8111-111111111111",
		prompt: []string{"omp", "-p", "--resume", render.RootMark + "/full.jsonl", "--model", "mock/" + mockllm.Model, render.PromptMark},
		want: []history.Entry{
			{Kind: history.User, Text: "IMPORTED question one"},
			{Kind: history.Assistant, Text: "IMPORTED lead-in"},
			{Kind: history.Call, ID: "call_a", Name: "read", Args: `{"path":"notes.txt"}`},
			{Kind: history.Call, ID: "call_b", Name: "read", Args: `{"path":"config.json"}`},
			{Kind: history.Result, ID: "call_a", Text: "IMPORTED result a"},
			{Kind: history.Result, ID: "call_b", Text: "IMPORTED result b"},
			{Kind: history.Assistant, Text: "IMPORTED answer one"},
		},
	},
	"deepagents": {
		dir: "deepagents", root: ".deepagents/.state", only: "constructed-sessions.db sessions.db", acp: []string{"--no-mcp", "--no-interpreter"}, id: "01a0c450-6c00-7123-8000-000000000001",
	},
}

// place puts the session into the home as it is.
func (s sample) place(samples string) func(context.Context, *trial) (*Session, error) {
	return func(_ context.Context, t *trial) (*Session, error) {
		from, to := filepath.Join(samples, s.dir), filepath.Join(t.Dir, s.root)
		if s.only == "" {
			if err := os.CopyFS(to, os.DirFS(from)); err != nil {
				return nil, err
			}
		} else {
			old, name, _ := strings.Cut(s.only, " ")
			data, err := os.ReadFile(filepath.Join(from, old))
			if err != nil {
				return nil, err
			}
			if err := t.write(s.root+"/"+name, data); err != nil {
				return nil, err
			}
		}
		out := &Session{Files: []string{path.Join(home, s.root, s.entry)}, Prompt: s.prompt, ACP: append([]string{t.Command, "--acp"}, s.acp...)}
		out.Resume.Cwd, out.Manifest.Target.SessionID = project, s.id
		for i := range out.Prompt {
			out.Prompt[i] = strings.ReplaceAll(out.Prompt[i], render.RootMark, path.Join(home, s.root))
		}
		return out, nil
	}
}

func TestWritten(t *testing.T) {
	folder, err := Folder(root)
	if err != nil {
		t.Fatal(err)
	}
	samples := filepath.Join(root, "..", "shared", "samples")
	if _, err := os.Stat(samples); err != nil {
		t.Skip("the samples are not here: ", err)
	}
	for _, p := range Programs {
		w, ok := written[p.Name]
		if !ok {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			if err := p.Find(folder); err != nil {
				t.Skip(err)
			}
			if p.Name == "deepagents" {
				w.want = checkpoint(t, filepath.Join(samples, w.dir))
			}
			v := p.Try(t.Context(), folder, &Case{Want: w.want, place: w.place(samples)})
			if err := errors.Join(v.Load, v.Continue); err != nil {
				t.Error(err)
			}
			t.Logf("load %v, continue %v", v.LoadTime.Round(time.Millisecond), v.ContinueTime.Round(time.Millisecond))
		})
	}
}

// checkpoint is the history in the portable form beside the store, which has the
// same messages.
func checkpoint(t *testing.T, dir string) []history.Entry {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "constructed-checkpoint.json"))
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Messages []struct {
			Role, Content string
			ToolCallID    string `json:"toolCallId"`
			ToolCalls     []struct {
				ID, Name string
				Args     json.RawMessage
			} `json:"toolCalls"`
		}
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	var out []history.Entry
	for _, m := range doc.Messages {
		switch m.Role {
		case "human":
			out = append(out, history.Entry{Kind: history.User, Text: m.Content})
		case "ai":
			out = append(out, history.Entry{Kind: history.Assistant, Text: m.Content})
			for _, c := range m.ToolCalls {
				out = append(out, history.Entry{Kind: history.Call, ID: c.ID, Name: c.Name, Args: string(c.Args)})
			}
		case "tool":
			out = append(out, history.Entry{Kind: history.Result, ID: m.ToolCallID, Text: m.Content})
		}
	}
	return out
}
