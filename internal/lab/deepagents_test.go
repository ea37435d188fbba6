//go:build lab && linux

package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trajmap/trajmap/internal/lab/history"
	"github.com/trajmap/trajmap/internal/lab/mockllm"
)

// TestDeepAgentsStores holds the two ways into the store of Deep Agents against
// each other: trajmap's own, and the companion script, which the program's own
// packages write with.
func TestDeepAgentsStores(t *testing.T) {
	lab, p, told := deepAgentsLab(t)
	const script = home + "/out/import_deepagents.py"
	const theirs = home + "/.deepagents/.state/sessions.db"
	imported := func(ctx context.Context, tr *trial) (*Session, error) {
		if err := os.RemoveAll(filepath.Join(tr.Dir, "out")); err != nil {
			return nil, err
		}
		if _, err := tr.Run(ctx, tr.variables(), "", "trajmap", "convert", told.Path, "--from", told.Mapping, "--cwd", project, "--to", p.Name, "-o", home+"/out"); err != nil {
			return nil, err
		}
		out, err := tr.Run(ctx, tr.variables(), "", tr.python(), script, home+"/out/checkpoint.json", theirs)
		if err != nil {
			return nil, err
		}
		if !strings.Contains(string(out.Stdout), "cd "+project+" && HOME="+home+" DEEPAGENTS_HOME="+home+"/.deepagents dcode -r ") {
			return nil, fmt.Errorf("the script says %s", out.Stdout)
		}
		if _, err := tr.Run(ctx, tr.variables(), "", tr.python(), script, home+"/out/checkpoint.json", theirs); err == nil || !strings.Contains(err.Error(), "already") {
			return nil, fmt.Errorf("a second time: %w", err)
		}
		// trajmap knows the thread by its bytes.
		s, err := carried(told).place(ctx, tr)
		if err == nil && s.State != "already_installed" {
			err = fmt.Errorf("trajmap says of what the script wrote that it is %s", s.State)
		}
		return s, err
	}
	v := p.Try(t.Context(), lab, &Case{Want: told.Want, place: imported})
	if err := errors.Join(v.Refused, v.Load, v.Continue); err != nil {
		t.Error(err)
	}
}

// TestDeepAgentsLists asks for the list of threads, and to open a thread in
// another folder than its own.
func TestDeepAgentsLists(t *testing.T) {
	lab, p, told := deepAgentsLab(t)
	err := p.alone(t.Context(), lab, carried(told), func(ctx context.Context, tr *trial) error {
		out, err := tr.run(ctx, "", "threads", "list", "--json")
		if err != nil {
			return err
		}
		var list struct {
			Data []struct {
				ID       string `json:"thread_id"`
				Agent    string `json:"agent_name"`
				Cwd      string `json:"cwd"`
				Messages int    `json:"message_count"`
			}
		}
		if err := json.Unmarshal(out.Stdout, &list); err != nil {
			return fmt.Errorf("%w: %s", err, out.Stdout)
		}
		if len(list.Data) != 1 || list.Data[0].ID != tr.ID() || list.Data[0].Agent != "agent" || list.Data[0].Cwd != project || list.Data[0].Messages == 0 {
			return fmt.Errorf("the list is %s", out.Stdout)
		}
		return tr.talk(ctx, tr.ACP[1:], func(l *lines) error {
			c := client{l}
			if err := c.initialize(ctx); err != nil {
				return err
			}
			if _, err := c.load(ctx, tr.ID(), home); err == nil || !strings.Contains(err.Error(), "nvalid params") {
				return fmt.Errorf("in another folder: %w", err)
			}
			got, err := c.load(ctx, tr.ID(), project)
			if err != nil {
				return err
			}
			return tr.replayed(history.User|history.Assistant|history.Call, got)
		})
	})
	if err != nil {
		t.Error(err)
	}
}

// TestDeepAgentsTerminal runs the command that trajmap prints, at a terminal: the
// model is sent the whole conversation.
func TestDeepAgentsTerminal(t *testing.T) {
	lab, p, told := deepAgentsLab(t)
	// It is a program for people: it is ended once the model has been asked.
	const terminal = `import fcntl, os, pty, struct, sys, termios
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 160, 0, 0))
while True:
    try:
        data = os.read(fd, 65536)
    except OSError:
        break
    sys.stdout.buffer.write(data)
    sys.stdout.flush()
`
	err := p.alone(t.Context(), lab, carried(told), func(ctx context.Context, tr *trial) error {
		argv := append([]string{tr.python(), "-c", terminal}, tr.Resume.Argv...)
		talk, err := tr.Talk(ctx, append(tr.variables(), "DEEPAGENTS_CODE_ONBOARDING=0"), append(argv, "-m", probe, "--no-mcp", "--no-interpreter")...)
		if err != nil {
			return err
		}
		var screen bytes.Buffer
		go io.Copy(&screen, talk.Out)
		var asked []mockllm.Request
		for begun := time.Now(); time.Since(begun) < patience/2 && len(asked) == 0; {
			time.Sleep(time.Second)
			asked = tr.Model.Take()
		}
		if err := talk.End(nil); err != nil {
			return err
		}
		if len(asked) == 0 {
			return fmt.Errorf("the model was not asked; the screen ends with %q", screen.Bytes()[max(0, screen.Len()-2000):])
		}
		got, err := history.FromRequest(asked[0].Dialect, asked[0].Body)
		if err != nil {
			return err
		}
		return history.Compare(append(slices.Clip(told.Want), history.Entry{Kind: history.User, Text: probe}), got, p.Rules)
	})
	if err != nil {
		t.Error(err)
	}
}

// TestDeepAgentsExport uses an export as a home.
func TestDeepAgentsExport(t *testing.T) {
	lab, p, told := deepAgentsLab(t)
	none := func(context.Context, *trial) (*Session, error) { return nil, nil }
	err := p.alone(t.Context(), lab, &Case{place: none}, func(ctx context.Context, tr *trial) error {
		if _, err := tr.Run(ctx, tr.variables(), "", "trajmap", "convert", told.Path, "--from", told.Mapping, "--cwd", project, "--to", p.Name, "-o", home+"/out"); err != nil {
			return err
		}
		out, err := tr.Run(ctx, tr.variables(), "", "trajmap", "prepare", home+"/out")
		if err != nil {
			return err
		}
		command := strings.TrimSpace(string(out.Stdout))
		list := strings.Replace(command, "dcode -r ", "dcode threads list --json # ", 1)
		if out, err = tr.Run(ctx, tr.variables(), "", "sh", "-c", list); err != nil {
			return err
		}
		id := command[strings.LastIndexByte(command, ' ')+1:]
		if !strings.Contains(string(out.Stdout), id) {
			return fmt.Errorf("%s: %s", list, out.Stdout)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestDeepAgentsHostile gives the script ids, titles and paths that are made to
// be run by somebody.
func TestDeepAgentsHostile(t *testing.T) {
	lab, p, told := deepAgentsLab(t)
	const thread = `t'; DROP TABLE checkpoints; --"$(touch ../hit)` + "`touch ../hit`\n%s{0}"
	const folder = `/home/dev/a b'";$(touch ../hit)` + "`touch ../hit`\n"
	err := p.alone(t.Context(), lab, carried(told), func(ctx context.Context, tr *trial) error {
		doc, err := json.Marshal(map[string]any{
			"version": 1, "source": "deepagents",
			"session": map[string]any{
				"threadId": thread, "checkpointNamespace": "", "cwd": folder, "createdAt": "", "title": thread,
				"metadata": map[string]any{"cwd": folder, "thread_name": thread, "source": "../../x", "$.x": thread},
			},
			"messages": []any{
				map[string]any{"id": thread, "role": "human", "content": thread, "timestamp": thread},
				map[string]any{"id": "2", "role": "ai", "content": thread, "toolCalls": []any{}, "model": thread},
			},
		})
		if err != nil {
			return err
		}
		if err := tr.write("odd/-c.json", doc); err != nil {
			return err
		}
		text, err := os.ReadFile(filepath.Join(root, "scripts", "import_deepagents.py"))
		if err != nil {
			return err
		}
		if err := tr.write("odd/import_deepagents.py", text); err != nil {
			return err
		}
		const db = home + "/odd/a'b;$(touch hit)/.state/sessions.db"
		out, err := tr.Run(ctx, tr.variables(), "", tr.python(), home+"/odd/import_deepagents.py", home+"/odd/-c.json", db)
		if err != nil {
			return err
		}
		// What it prints is one command line, whatever is in it.
		line := strings.Replace(strings.TrimSuffix(string(out.Stdout), "\n"), "cd ", "printf '<%s>' ", 1)
		line = strings.Replace(line, "&& HOME=", "&& env HOME=", 1)
		line = strings.Replace(line, "dcode -r", "printf '<%s>'", 1)
		said, err := tr.Run(ctx, tr.variables(), "", "sh", "-c", line)
		if err != nil {
			return err
		}
		if string(said.Stdout) != "<"+folder+"><"+thread+">" {
			return fmt.Errorf("sh reads %q", said.Stdout)
		}
		if hit, _ := filepath.Glob(filepath.Join(tr.Dir, "*", "hit")); len(hit) > 0 {
			return errors.New("something was run")
		}
		if _, err := os.Stat(filepath.Join(tr.Dir, "hit")); err == nil {
			return errors.New("something was run")
		}
		records, err := tr.Run(ctx, tr.variables(), "", "trajmap", "apply", "deepagents", db, "--session", thread)
		if err != nil {
			return err
		}
		if lines := strings.Count(string(records.Stdout), "\n"); lines != 3 {
			return fmt.Errorf("%d records", lines)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// deepAgentsLab is the lab with the program, and a session for it.
func deepAgentsLab(t *testing.T) (lab string, p *Program, told Told) {
	t.Helper()
	lab, err := Folder(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, p = range Programs {
		if p.Name == "deepagents" {
			break
		}
	}
	if err := p.Find(lab); err != nil {
		t.Skip(err)
	}
	if err := Build(t.Context(), root, lab); err != nil {
		t.Fatal(err)
	}
	if told, err = stories[0].told(t.Context(), t.TempDir()); err != nil {
		t.Fatal(err)
	}
	return lab, p, told
}

// python is the one that the program runs with.
func (t *trial) python() string { return filepath.Join(t.lab, t.Name, "bin", "python") }
