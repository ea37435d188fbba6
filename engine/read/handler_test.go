package read

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/handler"
	"github.com/trajmap/trajmap/engine/normalize"
)

func init() {
	handler.Register("lined", func(in *frame.Input, o handler.Options) (frame.Stream, func() error, error) {
		return frame.Lines(in, o.Limits), func() error { return nil }, nil
	})
}

// TestHandlerKnowsBetter: lines can be cut of anything, so that what a handler
// says of its own input counts more.
func TestHandlerKnowsBetter(t *testing.T) {
	for _, formats := range []string{"lines, store", "store, lines"} {
		yaml := "mapping: v1\nharness: both\nread:\n"
		for _, name := range strings.Split(formats, ", ") {
			frames := map[string]string{"lines": "jsonl", "store": "{handler: several}"}[name]
			yaml += "  - {format: " + name + ", native: none, frames: " + frames + ", detect: it.never == true, do: {user: text}}\n"
		}
		m := parse(t, yaml)
		for text, want := range map[string]string{"broken": "it is broken", "late": "it was broken all along", "other": "no frame of this input is mapped"} {
			_, _, err := tryRead(m, input(text), Options{Normalize: normalize.Options{NoRoles: true}})
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s, input %q: error = %v, want %q", formats, text, err, want)
			}
		}
	}
}

// TestHandlerIdentity: where a handler's frames have numbers, these say where
// their events are, and not how many frames came before.
func TestHandlerIdentity(t *testing.T) {
	type identity struct {
		Unit   normalize.Unit
		Offset int64
		HasSeq bool
		Seq    int64
	}
	text := `{"text":"a","n":7}` + "\n" + `{"text":"b"}`
	for frames, want := range map[string][]identity{
		"{handler: lined}": {{normalize.NoOffset, 0, true, 7}, {normalize.Ordinal, 1, false, 0}},
		"jsonl":            {{normalize.Byte, 0, true, 7}, {normalize.Byte, 19, false, 0}},
	} {
		m := parse(t, "mapping: v1\nharness: x\nread:\n  - {format: x, native: none, frames: "+frames+", event: {sequence: n}, do: {user: text}}\n")
		var got []identity
		sink := sinkFunc(func(r *normalize.Record) error {
			if r.Type != normalize.MetaRecord {
				got = append(got, identity{r.OffsetUnit, r.Offset, r.HasSeq, r.Seq})
			}
			return nil
		})
		_, err := New(m).Read(context.Background(), input(text), Options{Normalize: normalize.Options{NoRoles: true}}, func(*normalize.Plan) (normalize.Sink, error) { return sink, nil })
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", frames, diff)
		}
	}
}
