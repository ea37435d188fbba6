package convert

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/manifest"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/render"
)

// TestOwnOptions asks a target for what it alone has. Without the messages to the
// model Cursor's store does not tell which calls were made at once, and that is
// said.
func TestOwnOptions(t *testing.T) {
	all := mappingsIn(t, "../../mappings")
	named := func(name string) *mapping.Mapping {
		return all[slices.IndexFunc(all, func(m *mapping.Mapping) bool { return m.Harness == name })]
	}
	carry := func(to string, own map[string]string) (*Result, error) {
		in, done, err := frame.Open("../../testdata/claude-code/parallel/input.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		defer done()
		o := Options{Options: render.Options{Own: own}, Cwd: "/home/dev/project", Allow: everything}
		return Convert(context.Background(), named("claude-code"), in, named(to), o, t.TempDir())
	}
	size := map[string]int64{}
	for _, v := range []string{"on", "off", ""} {
		own := map[string]string{"root_messages": v}
		if v == "" {
			own = nil
		}
		r, err := carry("cursor", own)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		size[v] = r.Export.Files[0].Size
		parted := slices.ContainsFunc(r.Diagnostics(), func(d manifest.Diagnostic) bool { return d.Code == CallsParted })
		if parted != (v == "off") {
			t.Errorf("%q: calls were parted: %t", v, parted)
		}
		if got := r.Manifest().Options.Own["root_messages"]; got != v {
			t.Errorf("%q: the manifest says %q", v, got)
		}
		checkManifest(t, v, r)
	}
	if size["on"] != size[""] || size["off"] >= size["on"] {
		t.Errorf("sizes %v", size)
	}
	for _, c := range []struct {
		to  string
		own map[string]string
	}{{"cursor", map[string]string{"root_messages": "maybe"}}, {"cursor", map[string]string{"rootmessages": "off"}}, {"pi", map[string]string{"root_messages": "off"}}} {
		r, err := carry(c.to, c.own)
		var refused *OptionError
		if !errors.As(err, &refused) || refused.Option != "option" {
			t.Errorf("%s %v: %v", c.to, c.own, err)
		}
		if r != nil {
			r.Close()
		}
	}
}
