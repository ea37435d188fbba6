package snapshot_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/convert"
	"github.com/trajmap/trajmap/engine/snapshot"
)

// everything is what a person may allow.
var everything = convert.Allowable()

// written are the files that a conversion writes; nil when it is refused.
func written(t *testing.T, source *convert.Source, to *engine.Mapping) map[string]string {
	t.Helper()
	dir := t.TempDir()
	if _, err := convert.Write(context.Background(), source, to.Mapping, convert.Options{Allow: everything}, dir); err != nil {
		return nil
	}
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		out[rel] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestLoad converts sessions from the records of their snapshots alone: what is
// written has the same bytes as when their mapping reads the native files.
func TestLoad(t *testing.T) {
	c := catalog(t)
	var targets []*engine.Mapping
	for _, name := range []string{"codex", "pi"} {
		m, err := c.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		targets = append(targets, m)
	}
	o := convert.Options{Cwd: "/home/dev/project", Allow: everything}
	compared := 0
	for _, e := range c.Entries() {
		m, err := e.Open()
		if err != nil {
			t.Fatal(err)
		}
		for i, n := range natives(t, c, m, filepath.Join(testdata, e.Name)) {
			if i%3 != 0 {
				continue
			}
			data := take(t, n)
			in, done, err := n.open()
			if err != nil {
				t.Fatal(err)
			}
			defer done()
			own, err := convert.Load(context.Background(), m.Mapping, in, o)
			if err != nil || data == nil {
				continue
			}
			defer own.Close()
			opened, err := snapshot.Open(engine.Bytes("x", data), "")
			if err != nil {
				t.Fatal(err)
			}
			defer opened.Close()
			kept, err := opened.Load(o)
			if err != nil {
				t.Errorf("%s: %v", n.path, err)
				continue
			}
			defer kept.Close()
			for _, to := range targets {
				want := written(t, own, to)
				if want != nil {
					compared++
				}
				if diff := cmp.Diff(want, written(t, kept, to)); diff != "" {
					t.Errorf("%s to %s: %s", n.path, to.Harness, diff)
				}
			}
		}
	}
	if compared < 200 {
		t.Errorf("only %d conversions", compared)
	}
}
