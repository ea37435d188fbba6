//go:build lab && linux

package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/trajmap/trajmap/internal/lab/history"
)

func claude() driver {
	return driver{
		env: []string{"ANTHROPIC_BASE_URL=" + origin, "ANTHROPIC_API_KEY=mock", "DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1",
			"DISABLE_ERROR_REPORTING=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "IS_SANDBOX=1"},
		model: "claude-sonnet-4-5",
		load: func(ctx context.Context, t *trial) error {
			file, err := t.outside(t.Files[0])
			if err != nil {
				return err
			}
			before, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			if _, err := t.run(ctx, "", "-p", "/cost", "--resume", t.ID(), "--model", t.model, "--output-format", "json"); err != nil {
				return err
			}
			after, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			rest, ok := bytes.CutPrefix(after, before)
			if !ok {
				return errors.New("the program rewrote the session")
			}
			return t.used(rest)
		},
	}
}

// used holds the names of tools that the program found in the session, which it
// notes in a row of its own, against those of the session.
func (t *trial) used(rows []byte) error {
	want := map[string]bool{}
	for _, e := range t.Want {
		if e.Name != "" {
			want[e.Name] = true
		}
	}
	for row := range bytes.Lines(rows) {
		var r struct {
			Type  string   `json:"type"`
			Tools []string `json:"tools"`
		}
		if json.Unmarshal(row, &r) != nil || r.Type != "tools-used" {
			continue
		}
		for _, name := range r.Tools {
			if !want[name] {
				return &history.Difference{What: fmt.Sprintf("a tool of the name %q is not in the session", name)}
			}
			delete(want, name)
		}
	}
	if len(want) > 0 {
		return &history.Difference{What: fmt.Sprintf("%d tools of the session were not seen", len(want))}
	}
	return nil
}
