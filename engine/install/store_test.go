package install

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine/convert"
	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/handler"
	"github.com/trajmap/trajmap/engine/trajectory"
)

// lying are the stores whose handler says that it has written what it has not.
var lying = false

// A crate holds a session as its logical file does; a pile holds many of them,
// each after a line with its id.
func init() {
	handler.RegisterStorer("crate", &handler.Storer{
		Store: func(_ context.Context, from *frame.Input, to handler.Place) error {
			text := all(from)
			if lying {
				text = text[:bytes.LastIndexByte(text[:len(text)-1], '\n')+1]
			}
			return os.WriteFile(to.Path, text, 0o600)
		},
	})
	handler.RegisterStorer("pile", &handler.Storer{
		Shared: true,
		Find: func(_ context.Context, from *frame.Input, to handler.Place) (handler.Found, error) {
			there, err := os.ReadFile(to.Path)
			if ours, _ := ofPile(there, to.ID); ours == nil || err != nil {
				return handler.Nothing, err
			}
			return handler.Another, nil
		},
		Store: func(_ context.Context, from *frame.Input, to handler.Place) error {
			there, err := os.ReadFile(to.Path)
			if err != nil && !os.IsNotExist(err) {
				return err
			}
			if ours, _ := ofPile(there, to.ID); ours != nil {
				return handler.ErrPresent
			}
			text := all(from)
			if lying {
				text = text[:bytes.LastIndexByte(text[:len(text)-1], '\n')+1]
			}
			return swap(to.Path, append(there, text...))
		},
		Remove: func(_ context.Context, from *frame.Input, to handler.Place) error {
			there, err := os.ReadFile(to.Path)
			if err != nil {
				return nil
			}
			ours, _ := ofPile(there, to.ID)
			if there = bytes.Replace(there, ours, nil, 1); len(there) == 0 {
				return os.Remove(to.Path)
			}
			return swap(to.Path, there)
		},
	})
	handler.Register("pile", func(in *frame.Input, o handler.Options) (frame.Stream, func() error, error) {
		text, have := ofPile(all(in), o.Session)
		if text == nil {
			return nil, nil, &handler.MissingError{Err: trajectory.Errorf(trajectory.InvalidInput, "not in the pile"), Have: have}
		}
		of := &frame.Input{Name: in.Name, ReaderAt: bytes.NewReader(text), Size: int64(len(text))}
		return frame.Lines(of, o.Limits), func() error { return nil }, nil
	})
}

func all(in *frame.Input) []byte {
	text, _ := io.ReadAll(io.NewSectionReader(in, 0, in.Size))
	return text
}

func swap(path string, text []byte) error {
	if err := os.WriteFile(path+".new", text, 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// ofPile are the lines of a session, of the first one when the id is "".
func ofPile(pile []byte, id string) (lines []byte, have []string) {
	in := false
	for line := range bytes.Lines(pile) {
		if rest, ok := bytes.CutPrefix(line, []byte(`{"who":"id","id":"`)); ok {
			own := string(rest[:bytes.IndexByte(rest, '"')])
			have = append(have, own)
			in = own == id || id == "" && len(have) == 1
		}
		if in {
			lines = append(lines, line...)
		}
	}
	return lines, have
}

// TestStores installs what handlers write: twice is once, what was there stays.
func TestStores(t *testing.T) {
	for _, name := range []string{"crate", "pile"} {
		t.Run(name, func(t *testing.T) {
			to := load(t, "testdata/"+name+".yaml")
			root := store(t, to)
			was := files(tree(t, root))
			x := export(t, to, texts, project, convert.Options{})
			done, err := x.Install(context.Background(), Machine{Root: root})
			if err != nil || done.State != Installed {
				t.Fatalf("%+v, %v", done, err)
			}
			for path := range tree(t, root) {
				if strings.Contains(path, "logical") || strings.Contains(path, ".mjs") {
					t.Errorf("%s was installed", path)
				}
			}
			for path, text := range files(tree(t, root)) {
				if !strings.HasPrefix(text, was[path]) {
					t.Errorf("%s has changed", path)
				}
			}
			// A session that has gone on is known, one that says other things is not ours.
			at := done.Files[0]
			text, err := os.ReadFile(at)
			if err != nil {
				t.Fatal(err)
			}
			change := func(text string) (*Outcome, error) {
				if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				return x.Install(context.Background(), Machine{Root: root})
			}
			again, err := change(string(text) + `{"who":"user","text":"More."}` + "\n")
			if err != nil || again.State != Resumed {
				t.Errorf("longer: %+v, %v", again, err)
			}
			_, err = change(strings.ReplaceAll(string(text), `"who":"user","text":"`, `"who":"user","text":"not `))
			var conflict *ConflictError
			if !errors.As(err, &conflict) {
				t.Errorf("something else: %v", err)
			}
		})
	}
}

// TestInterrupted completes what an installation that was killed has left out.
func TestInterrupted(t *testing.T) {
	x := export(t, load(t, "testdata/crate.yaml"), texts, project, convert.Options{})
	root := t.TempDir()
	done, err := x.Install(context.Background(), Machine{Root: root})
	if err != nil {
		t.Fatal(err)
	}
	want := tree(t, root)
	if err := os.RemoveAll(filepath.Dir(done.Files[1])); err != nil {
		t.Fatal(err)
	}
	again, err := x.Install(context.Background(), Machine{Root: root})
	if err != nil || again.State != Installed {
		t.Errorf("%+v, %v", again, err)
	}
	if diff := cmp.Diff(want, tree(t, root)); diff != "" {
		t.Error(diff)
	}
}

// TestLyingStore lets a handler write less than it says: nothing is left of it.
func TestLyingStore(t *testing.T) {
	lying = true
	defer func() { lying = false }()
	for _, name := range []string{"crate", "pile"} {
		to := load(t, "testdata/"+name+".yaml")
		lying = false
		root := store(t, to)
		lying = true
		was := tree(t, root)
		if _, err := export(t, to, texts, project, convert.Options{}).Install(context.Background(), Machine{Root: root}); err == nil {
			t.Errorf("%s: it was installed", name)
		}
		if diff := cmp.Diff(was, tree(t, root)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestPrepareStores makes the stores where the export lies, as often as asked,
// and takes back what a failure leaves half done.
func TestPrepareStores(t *testing.T) {
	for _, name := range []string{"crate", "pile"} {
		t.Run(name, func(t *testing.T) {
			x := export(t, load(t, "testdata/"+name+".yaml"), texts, project, convert.Options{})
			was := tree(t, x.Dir)
			for n := 1; ; n++ {
				seen, _ := failAt(t, n, syscall.ENOSPC)
				done, err := x.Prepare(context.Background(), Machine{})
				if *seen < n {
					if err != nil {
						t.Fatal(err)
					}
					for _, path := range done.Files {
						if _, err := os.Stat(path); err != nil {
							t.Error(err)
						}
					}
					break
				}
				if diff := cmp.Diff(was, tree(t, x.Dir)); diff != "" {
					t.Fatalf("step %d: %s", n, diff)
				}
			}
			first := tree(t, x.Dir)
			again, err := x.Prepare(context.Background(), Machine{})
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]string{"CRATE_HOME": x.Dir}
			if name == "pile" { // its home is a folder inside
				want = map[string]string{"CRATE_HOME": filepath.Join(x.Dir, ".crate"), "HOME": x.Dir}
			}
			if diff := cmp.Diff(want, again.Resume.Env); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(first, tree(t, x.Dir)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestManifestOfStores wants the manifest to say what is done, and that the file
// that a store is made of stays.
func TestManifestOfStores(t *testing.T) {
	x := export(t, load(t, "testdata/crate.yaml"), texts, project, convert.Options{})
	var said []string
	for _, s := range x.Manifest.Prepare {
		said = append(said, fmt.Sprintf("%s %s %s", s.Step, s.Handler, s.File))
	}
	file := x.Manifest.Files[0].Path
	if diff := cmp.Diff([]string{"store crate " + file, "store crate " + file, "place  "}, said); diff != "" {
		t.Error(diff)
	}
	for i, want := range []bool{false, true, false} {
		if got := x.Manifest.Files[i].Install != nil; got != want {
			t.Errorf("file %d is installed: %t", i, got)
		}
	}
}
