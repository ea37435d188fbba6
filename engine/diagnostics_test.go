package engine_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/trajectory"
)

// TestFailedExpression has an expression meet a value of the wrong type: its
// value is absent, the read goes on, and one diagnostic says so.
func TestFailedExpression(t *testing.T) {
	m, err := engine.Parse("chat.yaml", []byte(strings.Replace(chat,
		"assistant: {assistant: text}", "assistant: {assistant: '= it.text.trim()'}", 1)))
	if err != nil {
		t.Fatal(err)
	}
	got := diagnostics(t, m, engine.Options{},
		`{"type":"user","text":"Go on."}`,
		`{"type":"assistant","text":17}`,
		`{"type":"assistant","text":" Done. "}`,
		`{"type":"assistant","text":[]}`)
	want := []trajectory.Diagnostic{{Code: trajectory.ExpressionFailed, InputLine: 2, Count: 2}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestLongFrame has a frame beyond the limit left out, and said so.
func TestLongFrame(t *testing.T) {
	m, err := engine.Parse("chat.yaml", []byte(chat))
	if err != nil {
		t.Fatal(err)
	}
	got := diagnostics(t, m, engine.Options{Limits: frame.Options{MaxFrame: 100}},
		`{"type":"user","text":"Go on."}`,
		`{"type":"assistant","text":"`+strings.Repeat("on ", 100)+`"}`,
		`{"type":"assistant","text":"Done."}`)
	want := []trajectory.Diagnostic{{Code: trajectory.FrameTooLarge, InputLine: 2}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// diagnostics are those of a session of lines, without their messages and those
// about times.
func diagnostics(t *testing.T, m *engine.Mapping, o engine.Options, lines ...string) (list []trajectory.Diagnostic) {
	t.Helper()
	s, err := m.ReadAll(context.Background(), engine.Bytes("session.jsonl", []byte(strings.Join(lines, "\n"))), o)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(s.Records); n != 3 {
		t.Errorf("%d records, want 3", n)
	}
	for _, d := range s.Diagnostics {
		if d.Code != trajectory.TimestampsSynthesized {
			d.Message = ""
			list = append(list, d)
		}
	}
	return list
}
