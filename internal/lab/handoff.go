//go:build lab && linux

package lab

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// kept is a session in the store of the program that wrote it.
type kept struct {
	source, folder string // the golden case of its bytes
	id             string
	path           string // in the home
}

// ref is how a user names it.
func (k kept) ref() string { return k.source + ":" + k.id }

// The sessions that are handed over as a user does it, by their ids.
var (
	ofClaude = kept{"claude-code", "shared-2.1", "e00cb351-de06-4227-a316-beb68d383adf",
		".claude/projects/-home-dev-project/e00cb351-de06-4227-a316-beb68d383adf.jsonl"}
	ofCodex = kept{"codex", "paginated-0.171", "01a22bfd-ce3c-7a10-8431-dc32819ece13",
		".codex/sessions/2026/11/30/rollout-2026-11-30T10-26-23-01a22bfd-ce3c-7a10-8431-dc32819ece13.jsonl"}
)

// Handoff is what came of handing a session over as a user does it.
type Handoff struct {
	Command string            // of trajmap
	Then    []string          // the command that it gave, with {prompt} for the prompt
	Env     map[string]string // and its variables
	Err     error             // nil: the model was sent the whole conversation, or where none can be asked, it was loaded
}

// HandOff has a home with a session of another program in it, names the session
// to `trajmap handoff` by its id, and runs the command that this gives.
func (p *Program) HandOff(ctx context.Context, lab, root string) *Handoff {
	from := ofClaude
	if p.Name == from.source {
		from = ofCodex
	}
	h := &Handoff{}
	told, err := scenario(ctx, root, from.source, from.folder)
	if err != nil {
		h.Err = err
		return h
	}
	c := &Case{Want: told.Want, place: func(ctx context.Context, t *trial) (*Session, error) {
		s, err := t.byID(ctx, told, from, h)
		if err == nil {
			h.Then, h.Env = s.Prompt, s.Resume.Env
			if len(h.Then) == 0 {
				h.Then = s.ACP
			}
		}
		return s, err
	}, after: func(ctx context.Context, t *trial) error {
		_, err := t.again(ctx, from.ref(), "resumed_since")
		return err
	}}
	v := p.Try(ctx, lab, c)
	if h.Err = errors.Join(v.Refused, v.Continue); !p.GoesOn() {
		h.Err = errors.Join(v.Refused, v.Load)
	}
	return h
}

// byID puts a session into the store of its own program and hands it over by its
// id. The command is given twice: to a person, who is told how to go on, and then
// as data, which must find the session there.
func (t *trial) byID(ctx context.Context, told Told, from kept, h *Handoff) (*Session, error) {
	data, err := os.ReadFile(told.Path)
	if err != nil {
		return nil, err
	}
	if err := t.write(from.path, data); err != nil {
		return nil, err
	}
	h.Command = "trajmap " + strings.Join(t.handoff(from.ref()), " ")
	out, err := t.handOver(ctx, from.ref())
	if err != nil {
		return nil, err
	}
	s, err := t.again(ctx, from.ref(), "already_installed")
	if err != nil {
		return nil, err
	}
	// A file is named by its path, a session by its id.
	name := s.ID()
	if len(s.Files) > 0 && !strings.Contains(string(out.Stdout), name) {
		name = filepath.Base(s.Files[0])
	}
	if !strings.HasPrefix(string(out.Stdout), "cd "+project+" && ") || !strings.Contains(string(out.Stdout), name) {
		return nil, errors.New("the command that trajmap prints does not name the session")
	}
	return s, nil
}

// again hands a session over that is there already, and wants it to be found in a
// state.
func (t *trial) again(ctx context.Context, ref, state string) (*Session, error) {
	out, err := t.handOver(ctx, ref, "--json")
	if err != nil {
		return nil, fmt.Errorf("handed over once more: %w", err)
	}
	s, err := session(out.Stdout)
	if err == nil && s.State != state {
		err = fmt.Errorf("handed over once more, the session is said to be %s, not %s", s.State, state)
	}
	return s, err
}
