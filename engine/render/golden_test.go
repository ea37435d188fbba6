package render_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine/convert"
	"github.com/trajmap/trajmap/engine/frame"
	_ "github.com/trajmap/trajmap/engine/handler/agentkv" // a target encodes with it
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/render"
	"github.com/trajmap/trajmap/engine/session"
)

// goldens is the folder of what every target writes: goldens/TARGET/CASE/FILES,
// and commands.json beside them, which says how the target goes on.
const goldens = "../../testdata/write"

// targets are the shipped mappings that write.
func targets(t *testing.T) (list []*mapping.Mapping) {
	t.Helper()
	files, err := filepath.Glob("../../mappings/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m, found := mapping.Parse(filepath.Base(file), text)
		if err := found.Err(); err != nil {
			t.Errorf("%v", err)
			continue
		}
		if m.Write != nil {
			list = append(list, m)
		}
	}
	if len(list) == 0 {
		t.Fatal("no mapping writes")
	}
	return list
}

// TestGolden holds what the targets write of conversations on the edge against
// files that a person has read, and reads it back.
func TestGolden(t *testing.T) {
	for _, m := range targets(t) {
		for _, c := range render.Edges() {
			t.Run(m.Harness+"/"+c.Name, func(t *testing.T) {
				s := c.Session(t)
				if m.Write.Gate["starts_with_assistant"] == "refuse" {
					s.Preface() // as when it is allowed
				}
				dir := t.TempDir()
				e, err := render.Render(m, s, render.Options{}, func(path string) (io.WriteCloser, error) {
					file := filepath.Join(dir, filepath.FromSlash(path))
					if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
						return nil, err
					}
					return os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
				})
				if err != nil {
					t.Fatal(err)
				}
				back(t, m, s, filepath.Join(dir, filepath.FromSlash(e.Files[0].Path)))
				for i, f := range m.Write.Files {
					if f.Script != "" { // the same for every session
						if err := os.Remove(filepath.Join(dir, filepath.FromSlash(e.Files[i].Path))); err != nil {
							t.Error(err)
						}
					}
				}
				write(t, filepath.Join(dir, "commands.json"), commands(t, m, s, e))
				compare(t, filepath.Join(goldens, m.Harness, c.Name), dir)
			})
		}
	}
}

// back reads what was written as the target would.
func back(t *testing.T, m *mapping.Mapping, s *session.Session, file string) {
	t.Helper()
	in, done, err := frame.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	source, err := convert.Load(context.Background(), m, in, convert.Options{})
	if err != nil {
		t.Fatalf("what was written cannot be read: %v", err)
	}
	defer source.Close()
	if c := convert.Written(m)(s, source.Session); len(c.Differences) > 0 {
		t.Errorf("what was written reads back otherwise: %v", c.Differences)
	}
}

// commands says how a target goes on: as it is, and with what may be asked for.
func commands(t *testing.T, m *mapping.Mapping, s *session.Session, e *render.Export) []byte {
	t.Helper()
	all := map[string]any{}
	for name, o := range map[string]render.Options{"plain": {}, "with a model": {Model: "m-2", Provider: "p-2"}} {
		if m.Resume == nil {
			continue
		}
		c, err := render.Commands(m, s, e, o)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = c
	}
	steps, err := render.Steps(m, s, e, render.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(steps) > 0 {
		all["before"] = steps
	}
	text, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(text, '\n')
}

// compare holds a folder against a golden one, or makes that.
func compare(t *testing.T, golden, dir string) {
	t.Helper()
	if render.Update() {
		if err := os.RemoveAll(golden); err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(golden, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
	}
	want, got := files(t, golden), files(t, dir)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("other files than in %s; go test ./engine/render -update makes them (-want +got):\n%s", golden, diff)
	}
	for _, name := range got {
		old, new := read(t, filepath.Join(golden, name)), read(t, filepath.Join(dir, name))
		if bytes.Equal(old, new) {
			continue
		}
		oldLines, newLines := bytes.Split(old, []byte("\n")), bytes.Split(new, []byte("\n"))
		for i := range max(len(oldLines), len(newLines)) {
			if i >= len(oldLines) || i >= len(newLines) || !bytes.Equal(oldLines[i], newLines[i]) {
				t.Errorf("%s:%d differs; if it is right, go test ./engine/render -update takes it over\nwant %s\ngot  %s", filepath.Join(golden, name), i+1, at(oldLines, i), at(newLines, i))
				break
			}
		}
	}
}

// at is a line as far as one wants to see it.
func at(lines [][]byte, i int) string {
	if i >= len(lines) {
		return "nothing"
	}
	const most = 1000
	return string(lines[i][:min(most, len(lines[i]))])
}

// files are those below a folder, by name.
func files(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		names = append(names, name)
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	slices.Sort(names)
	return names
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func write(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
}
