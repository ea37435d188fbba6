package install

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trajmap/trajmap/engine/convert"
	"github.com/trajmap/trajmap/engine/manifest"
)

// program is a made-up opencode: what it keeps, by id, and what is wrong with it.
type program struct {
	kept map[string]string
	log  []string
	// These stand in for a command, by its first word after the program's name:
	// the answer, or an error.
	instead map[string]func(p *program, file string) ([]byte, error)
}

var errFailed = &ExitError{Program: "opencode", Code: 1}

func (p *program) run(ctx context.Context, c *manifest.Command) ([]byte, error) {
	verb, last := c.Argv[1], c.Argv[len(c.Argv)-1]
	p.log = append(p.log, verb)
	if other := p.instead[verb]; other != nil {
		out, err := other(p, last)
		if err == nil || !errors.Is(err, errGoOn) {
			return out, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	switch verb {
	case "import":
		data, err := os.ReadFile(last)
		if err != nil {
			return nil, errFailed
		}
		id := strings.TrimSuffix(filepath.Base(last), ".json")
		if _, there := p.kept[id]; !there { // else it changes nothing, and says that it has
			p.kept[id] = string(data)
		}
		return []byte("Imported session: " + id), nil
	case "export":
		if text, there := p.kept[last]; there {
			return []byte(text), nil
		}
		return nil, errFailed
	case "session": // delete
		if _, there := p.kept[last]; !there {
			return nil, errFailed
		}
		delete(p.kept, last)
		return nil, nil
	}
	return nil, fmt.Errorf("unknown command %v", c.Argv)
}

// errGoOn lets a command do what it does after something else has been done.
var errGoOn = errors.New("go on")

// torn is the part of a session that an import wrote before it broke.
func torn(text string) string {
	at := strings.LastIndex(text, `{"info":{"id":"msg_`)
	return strings.TrimSuffix(text[:at], ",") + "]}\n"
}

// longer is a session that has been gone on with.
func longerSession(text string) string {
	at := strings.LastIndex(text, `{"info":{"id":"msg_`)
	first := strings.Index(text, `{"info":{"id":"msg_`)
	end := first + strings.Index(text[first:], `]},`) + 2
	asked := strings.ReplaceAll(text[first:end], "msg_0000000000", "msg_ffffffffff")
	_ = at
	return strings.TrimSuffix(strings.TrimSpace(text), "]}") + "," + asked + "]}\n"
}

// TestImport meets a program that takes sessions in by itself and has all kinds
// of faults. Then the whole session is there or nothing of it, other sessions
// are as they were, and what the program had under the id before is never taken
// away.
func TestImport(t *testing.T) {
	cwd := t.TempDir()
	x := export(t, shipped(t, "opencode"), texts, cwd, convert.Options{})
	id := x.Manifest.Target.SessionID
	data, err := os.ReadFile(filepath.Join(x.Dir, filepath.FromSlash(x.Manifest.Files[0].Path)))
	if err != nil {
		t.Fatal(err)
	}
	whole := string(data)
	const otherID, otherText = "ses_other", `{"info":{},"messages":[]}`
	type faults = map[string]func(p *program, file string) ([]byte, error)
	fails := func(*program, string) ([]byte, error) { return nil, errFailed }
	for _, test := range []struct {
		name    string
		before  string // what it has under the id already
		instead faults
		state   State
		says    string // of the error
		after   string // what it has then
		asked   string // the commands
	}{
		{name: "all is well", state: Installed, after: whole, asked: "export import export"},
		{name: "again", before: whole, state: Already, after: whole, asked: "export"},
		{name: "gone on with", before: longerSession(whole), state: Resumed, after: longerSession(whole), asked: "export"},
		{name: "another session", before: otherText, says: "cannot be read", after: otherText},
		{name: "not installed", instead: faults{"export": func(*program, string) ([]byte, error) { return nil, errors.New("opencode is not installed") }}, says: "is not installed", asked: "export"},
		{name: "import fails", instead: faults{"import": fails}, says: "did not take the session in", asked: "export import export"},
		{name: "import breaks off", instead: faults{"import": func(p *program, _ string) ([]byte, error) {
			p.kept[id] = torn(whole)
			return nil, errFailed
		}}, says: "did not take the session in"},
		{name: "import is killed after it was done", instead: faults{"import": func(p *program, _ string) ([]byte, error) {
			p.kept[id] = whole
			return nil, errFailed
		}}, state: Installed, after: whole},
		{name: "import lies", instead: faults{"import": func(*program, string) ([]byte, error) { return []byte("Imported"), nil }}, says: "does not show it"},
		{name: "import takes in half", instead: faults{"import": func(p *program, _ string) ([]byte, error) {
			p.kept[id] = torn(whole)
			return []byte("Imported"), nil
		}}, says: "has not taken in what it was given"},
		{name: "import takes in something else", instead: faults{"import": func(p *program, _ string) ([]byte, error) {
			p.kept[id] = strings.Replace(whole, "alpha", "omega", -1)
			return []byte("Imported"), nil
		}}, says: "has not taken in what it was given"},
		{name: "shows nonsense", instead: faults{"export": func(p *program, _ string) ([]byte, error) {
			if p.kept[id] == "" {
				return nil, errFailed
			}
			return []byte("<html>"), nil
		}}, says: "cannot be read"},
		// The database is locked for as long as it is looked for: what is there must
		// not be taken for ours, nor away.
		{name: "locked, and gone on with", before: longerSession(whole), instead: faults{"export": onceLocked()}, state: Resumed, after: longerSession(whole)},
		{name: "locked, and there", before: whole, instead: faults{"export": onceLocked()}, state: Installed, after: whole},
		{name: "locked all the time", before: longerSession(whole), instead: faults{"export": fails, "import": fails}, says: "did not take the session in", after: longerSession(whole)},
		{name: "cannot be undone", instead: faults{
			"import":  func(p *program, _ string) ([]byte, error) { p.kept[id] = torn(whole); return nil, errFailed },
			"session": func(*program, string) ([]byte, error) { return nil, errors.New("broken pipe") },
		}, says: "could not be taken away again", after: torn(whole)},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := &program{kept: map[string]string{otherID: otherText}, instead: test.instead}
			if test.before != "" {
				p.kept[id] = test.before
			}
			done, err := x.Install(context.Background(), Machine{Root: t.TempDir(), Run: p.run})
			switch {
			case test.says == "" && err != nil:
				t.Fatal(err)
			case test.says == "" && done.State != test.state:
				t.Errorf("state %s, want %s", done.State, test.state)
			case test.says != "" && (err == nil || !strings.Contains(err.Error(), test.says)):
				t.Errorf("got %v, want %q", err, test.says)
			}
			if p.kept[id] != test.after {
				t.Errorf("afterwards it has %d bytes, want %d: %v", len(p.kept[id]), len(test.after), p.log)
			}
			if p.kept[otherID] != otherText {
				t.Error("another session has changed")
			}
			if asked := strings.Join(p.log, " "); test.asked != "" && asked != test.asked {
				t.Errorf("asked %q, want %q", asked, test.asked)
			}
		})
	}
}

// onceLocked fails the first time.
func onceLocked() func(*program, string) ([]byte, error) {
	seen := 0
	return func(*program, string) ([]byte, error) {
		if seen++; seen == 1 {
			return nil, errFailed
		}
		return nil, errGoOn
	}
}

// TestImportHangs gives up on a program that does not end, when the user does;
// what it has taken in by then is taken away.
func TestImportHangs(t *testing.T) {
	cwd := t.TempDir()
	x := export(t, shipped(t, "opencode"), texts, cwd, convert.Options{})
	id := x.Manifest.Target.SessionID
	data, err := os.ReadFile(filepath.Join(x.Dir, filepath.FromSlash(x.Manifest.Files[0].Path)))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	p := &program{kept: map[string]string{}}
	p.instead = map[string]func(*program, string) ([]byte, error){"import": func(p *program, _ string) ([]byte, error) {
		p.kept[id] = torn(string(data))
		cancel()
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(time.Minute):
			return nil, errors.New("nobody gave up")
		}
	}}
	_, err = x.Install(ctx, Machine{Root: t.TempDir(), Run: p.run})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if len(p.kept) > 0 || !slices.Contains(p.log, "session") {
		t.Errorf("half a session was left: %v", p.log)
	}
}
