//go:build lab && linux

package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/trajmap/trajmap/internal/lab/history"
	"github.com/trajmap/trajmap/internal/lab/mockllm"
)

func fx() driver {
	return driver{
		env: []string{"AI_GATEWAY_API_KEY=mock", "FX_DISABLE_KEYCHAIN=1", "FX_AUTO_UPGRADE=0",
			"FX_GATEWAY_CHAT_URL=" + origin + "/v3/ai/language-model", "FX_GATEWAY_BASE_URL=" + origin},
		model:   mockllm.Model,
		version: []string{"--version"},
		inert:   true,
		load: func(ctx context.Context, t *trial) error {
			out, err := t.run(ctx, "", "sessions", "--all", "--json")
			if err != nil {
				return err
			}
			if err := t.listed(out.Stdout); err != nil {
				return err
			}
			if out, err = t.run(ctx, "", "session", t.ID(), "--json"); err != nil {
				return err
			}
			got, err := fxSession(out.Stdout)
			if err != nil {
				return err
			}
			return t.saw(history.All, got)
		},
	}
}

// listed holds that the program lists the session and finds none invalid.
func (t *trial) listed(list []byte) error {
	var r struct {
		Sessions []struct{ ID string }
		Skipped  int `json:"skipped_invalid"`
	}
	if err := json.Unmarshal(list, &r); err != nil {
		return fmt.Errorf("sessions: %w", err)
	}
	if r.Skipped > 0 {
		return fmt.Errorf("the program passes over %d sessions as invalid", r.Skipped)
	}
	for _, s := range r.Sessions {
		if s.ID == t.ID() {
			return nil
		}
	}
	return errors.New("the program does not list the session")
}
