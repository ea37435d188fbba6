//go:build lab && linux

package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"github.com/trajmap/trajmap/engine/convert"
	"github.com/trajmap/trajmap/internal/lab/history"
)

// Case is a session that a program is to show and to go on with.
type Case struct {
	Want []history.Entry // what it is to send
	// place puts the session into the home of the trial.
	place func(context.Context, *trial) (*Session, error)
	// after looks at the home once the program has gone on; nil: nothing does.
	after func(context.Context, *trial) error
}

// Session is a session in a program's home: what `trajmap handoff --json` says
// of it.
type Session struct {
	State  string   `json:"state"`
	Files  []string `json:"files"` // as the program sees them; none, when it keeps a database
	Resume struct {
		Argv []string          `json:"argv"`
		Env  map[string]string `json:"env"`
		Cwd  string            `json:"cwd"`
	} `json:"resume"`
	Prompt   []string `json:"prompt"` // goes on with a prompt, for which {prompt} stands
	ACP      []string `json:"acp"`
	Manifest struct {
		Target struct {
			SessionID string `json:"session_id"`
		} `json:"target"`
	} `json:"manifest"`
}

// ID is the session's id at the program.
func (s *Session) ID() string { return s.Manifest.Target.SessionID }

// A RefusedError is of a session that trajmap does not carry to the program.
type RefusedError struct{ Codes []string }

func (e *RefusedError) Error() string { return "refused: " + strings.Join(e.Codes, ", ") }

// exitRefused is the exit code of trajmap when it refuses a session.
const exitRefused = 3

// carried is a case of a session that trajmap hands over to the program, as a
// user would have it do.
func carried(told Told) *Case {
	args := []string{told.Path, "--from", told.Mapping, "--cwd", project}
	if len(told.Allow) > 0 {
		args = append(args, "--allow", strings.Join(told.Allow, ","))
	}
	return &Case{Want: told.Want, place: func(ctx context.Context, t *trial) (*Session, error) {
		out, err := t.handOver(ctx, append(slices.Clip(args), "--json")...)
		var exit *exec.ExitError
		if errors.As(err, &exit) && exit.ExitCode() == exitRefused {
			return nil, refusal(out.Stdout)
		}
		if err != nil {
			return nil, err
		}
		return session(out.Stdout)
	}}
}

// handOver runs `trajmap handoff` inside, to the program of the trial.
func (t *trial) handOver(ctx context.Context, args ...string) (Output, error) {
	return t.Run(ctx, t.variables(), "", append([]string{"trajmap"}, t.handoff(args...)...)...)
}

// handoff are the arguments of a handoff to the program.
func (t *trial) handoff(args ...string) []string {
	out := append([]string{"handoff"}, args...)
	out = append(out, "--to", t.Name)
	if t.untested {
		out = append(out, "--allow-untested")
	}
	if t.provider != "" {
		out = append(out, "--provider", t.provider)
	}
	if t.model != "" {
		out = append(out, "--model", t.model)
	}
	return out
}

func session(out []byte) (*Session, error) {
	s := &Session{}
	if err := json.Unmarshal(out, s); err != nil {
		return nil, fmt.Errorf("what trajmap says of the handoff cannot be read: %w", err)
	}
	return s, nil
}

// refusal reads the reasons of a refusal.
func refusal(out []byte) error {
	var r struct{ Findings []convert.Finding }
	if err := json.Unmarshal(out, &r); err != nil {
		return fmt.Errorf("a refusal that cannot be read: %w", err)
	}
	e := &RefusedError{}
	for _, f := range r.Findings {
		if f.Refused() {
			e.Codes = append(e.Codes, f.Code)
		}
	}
	return e
}
