//go:build lab && linux

package lab

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trajmap/trajmap/engine/render"
	"github.com/trajmap/trajmap/internal/lab/history"
	"github.com/trajmap/trajmap/internal/lab/mockllm"
)

// probe is what the user says when a session goes on: without a blank, since one
// of the programs puts quotes around a text that has any.
const probe = "Recall."

// saw holds what a program shows of the session, in entries of some kinds,
// against the session.
func (t *trial) saw(kinds history.Kind, got []history.Entry) error {
	return history.Compare(history.Only(t.Want, kinds), history.Only(got, kinds), t.Rules)
}

// loads asks what the program has loaded.
func (t *trial) loads(ctx context.Context) error {
	err := t.load(ctx, t)
	return errors.Join(err, t.silent())
}

// silent holds that the model was not asked.
func (t *trial) silent() error {
	if n := len(t.Model.Take()); n > 0 {
		return fmt.Errorf("to load, the program asked the model %d times", n)
	}
	return nil
}

// goesOn has the program go on and holds what it asks the model against the
// session.
func (t *trial) goesOn(ctx context.Context, proceed func(context.Context, *trial, string) error) error {
	err := proceed(ctx, t, probe)
	var turns []mockllm.Request
	for _, r := range t.Model.Take() {
		if t.turn == nil || t.turn(r) {
			turns = append(turns, r)
		}
	}
	if len(turns) == 0 {
		return errors.Join(errors.New("the model was not asked"), err)
	}
	got, err2 := history.FromRequest(turns[0].Dialect, turns[0].Body)
	if err2 != nil {
		return err2
	}
	want := append(slices.Clip(t.Want), history.Entry{Kind: history.User, Text: probe})
	if err = errors.Join(history.Compare(want, got, t.Rules), err); err != nil || t.after == nil {
		return err
	}
	return t.after(ctx, t)
}

// byCommand has the program go on by the command that trajmap gave.
func byCommand(ctx context.Context, t *trial, prompt string) error {
	argv := slices.Clone(t.Prompt)
	for i := range argv {
		argv[i] = strings.ReplaceAll(argv[i], render.PromptMark, prompt)
	}
	switch {
	case len(argv) == 0:
		return errors.New("trajmap gives no command that goes on with a prompt")
	case argv[0] != t.Command:
		return fmt.Errorf("the command to go on starts %q, not %q", argv[0], t.Command)
	case t.Resume.Cwd != project:
		return fmt.Errorf("the session's folder is %s: the lab has %s only", t.Resume.Cwd, project)
	}
	_, err := t.run(ctx, "", argv[1:]...)
	return err
}

// outside is where what a program sees below its home is from outside.
func (t *trial) outside(name string) (string, error) {
	rest, ok := strings.CutPrefix(name, home+"/")
	if !ok {
		return "", fmt.Errorf("%s is not below the home", name)
	}
	return filepath.Join(t.Dir, filepath.FromSlash(rest)), nil
}
