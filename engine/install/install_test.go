package install

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine/convert"
	"github.com/trajmap/trajmap/engine/frame"
	_ "github.com/trajmap/trajmap/engine/handler/agentkv" // a target encodes with it
	"github.com/trajmap/trajmap/engine/manifest"
	"github.com/trajmap/trajmap/engine/mapping"
)

const project = "/home/dev/project"

// load compiles a mapping.
func load(t *testing.T, file string) *mapping.Mapping {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m, found := mapping.Parse(file, data)
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return m
}

func shipped(t *testing.T, name string) *mapping.Mapping {
	return load(t, "../../mappings/"+name+".yaml")
}

// export writes a session for a target.
func export(t *testing.T, to *mapping.Mapping, input, cwd string, o convert.Options) *Export {
	t.Helper()
	dir := t.TempDir()
	in, done, err := frame.Open(input)
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	o.Cwd = cwd
	o.AllowUntested = o.AllowUntested || to.Harness == "cursor" // no program is asked here
	r, err := convert.Convert(context.Background(), shipped(t, "claude-code"), in, to, o, dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	data, err := r.Manifest().Encode()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, manifest.Name), data, 0o600); err != nil {
		t.Fatal(err)
	}
	x, err := Open(dir, func(string) (*mapping.Mapping, error) { return to, nil })
	if err != nil {
		t.Fatal(err)
	}
	return x
}

const (
	texts = "../../testdata/claude-code/shared-2.1/input.jsonl"
	other = "../../testdata/claude-code/parallel/input.jsonl"
)

// targets are a single file, a document, a file whose folder has a name of its
// own, several files with a path in them, and stores with a file beside.
func targets(t *testing.T) map[string]*mapping.Mapping {
	return map[string]*mapping.Mapping{
		"codex": shipped(t, "codex"), "fx": shipped(t, "fx"), "omp": shipped(t, "omp"),
		"pair": load(t, "testdata/pair.yaml"), "crate": load(t, "testdata/crate.yaml"),
	}
}

// tree is what is below a folder: files with their contents and modes, folders.
func tree(t *testing.T, root string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || path == root {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		info, err := e.Info()
		if err != nil {
			return err
		}
		if e.IsDir() {
			out[rel+"/"] = info.Mode().String()
			return nil
		}
		data, err := os.ReadFile(path)
		out[rel] = info.Mode().String() + "\n" + string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// files are those of a tree that are something to a harness.
func files(tree map[string]string) map[string]string {
	out := map[string]string{}
	for path, content := range tree {
		if !strings.HasSuffix(path, "/") && !strings.Contains(path, tempPrefix) {
			out[path] = content
		}
	}
	return out
}

// store is a home with another session in it.
func store(t *testing.T, to *mapping.Mapping) string {
	t.Helper()
	root := t.TempDir()
	if to.Harness == "pair" {
		dir := filepath.Join(root, "sessions", "other")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "other.messages.jsonl"), []byte(`{"who":"user"}`), 0o600); err != nil {
			t.Fatal(err)
		}
		return root
	}
	if _, err := export(t, to, other, project, convert.Options{}).Install(context.Background(), Machine{Root: root}); err != nil {
		t.Fatal(err)
	}
	return root
}

func TestInstall(t *testing.T) {
	for name, to := range targets(t) {
		t.Run(name, func(t *testing.T) {
			root := store(t, to)
			was := tree(t, root)
			x := export(t, to, texts, project, convert.Options{})
			on := Machine{Root: root, Default: true}
			done, err := x.Install(context.Background(), on)
			if err != nil {
				t.Fatal(err)
			}
			if done.State != Installed || len(done.Files) != len(x.Manifest.Files) {
				t.Errorf("outcome: %+v", done)
			}
			now := tree(t, root)
			for path, content := range was {
				if now[path] != content {
					t.Errorf("%s has changed", path)
				}
			}
			for path, content := range now {
				if _, old := was[path]; old {
					continue
				}
				if mode, _, _ := strings.Cut(content, "\n"); mode != "-rw-------" && mode != "drwx------" {
					t.Errorf("%s: mode %s", path, mode)
				}
				if strings.Contains(path, tempPrefix) {
					t.Errorf("%s was left", path)
				}
			}
			source, err := x.load(context.Background(), done.Files[0], "")
			if err != nil {
				t.Fatal(err)
			}
			defer source.Close()
			if len(source.Session.Messages) == 0 {
				t.Error("what was installed holds no messages")
			}
			again, err := x.Install(context.Background(), on)
			if err != nil || again.State != Already {
				t.Errorf("a second time: %v, %v", again, err)
			}
			if diff := cmp.Diff(now, tree(t, root)); diff != "" {
				t.Errorf("the second time changed something: %s", diff)
			}
			if diff := cmp.Diff(done.Resume, again.Resume); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestRewrite puts the root in front of paths, and finds them again.
func TestRewrite(t *testing.T) {
	to := load(t, "testdata/pair.yaml")
	x := export(t, to, texts, project, convert.Options{})
	root := t.TempDir()
	done, err := x.Install(context.Background(), Machine{Root: root})
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(done.Files[1])
	if err != nil {
		t.Fatal(err)
	}
	id := x.Manifest.Target.SessionID
	want := fmt.Sprintf(`{"id":"%s","place":{"messages":"%s"}}`, id, done.Files[0])
	if string(data) != want {
		t.Errorf("got %s, want %s", data, want)
	}
	if got := done.Resume.Argv[1]; got != done.Files[1] {
		t.Errorf("resumes %s, not %s", got, done.Files[1])
	}
	if got := done.Resume.Env["PAIR_HOME"]; got != root {
		t.Errorf("its home is %s, not %s", got, root)
	}
}

// TestResumedSince knows a session again that has been gone on with: its bytes
// continue ours, or at least what it says does.
func TestResumedSince(t *testing.T) {
	for name, to := range targets(t) {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			x := export(t, to, texts, project, convert.Options{})
			on := Machine{Root: root}
			done, err := x.Install(context.Background(), on)
			if err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(done.Files[0])
			if err != nil {
				t.Fatal(err)
			}
			change := func(text string) {
				if err := os.WriteFile(done.Files[0], []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			switch name {
			case "crate":
				change(string(data) + `{"who":"user","text":"More."}` + "\n")
			case "fx":
				change(strings.Replace(string(data), `"updated_at_ms":`, `"updated_at_ms": `, 1))
			default:
				change(string(data) + "{}\n")
			}
			again, err := x.Install(context.Background(), on)
			if err != nil || again.State != Resumed {
				t.Errorf("longer: %+v, %v", again, err)
			}
			change("{}\n")
			_, err = x.Install(context.Background(), on)
			var conflict *ConflictError
			if !errors.As(err, &conflict) {
				t.Errorf("something else: %v", err)
			}
			if now, _ := os.ReadFile(done.Files[0]); string(now) != "{}\n" {
				t.Error("it was overwritten")
			}
		})
	}
}

// TestKept knows a session again that the program goes on with in a form of its
// own, by what it keeps of ours beside that.
func TestKept(t *testing.T) {
	x := export(t, shipped(t, "fx"), texts, project, convert.Options{})
	on := Machine{Root: t.TempDir()}
	done, err := x.Install(context.Background(), on)
	if err != nil {
		t.Fatal(err)
	}
	ours, err := os.ReadFile(done.Files[0])
	if err != nil {
		t.Fatal(err)
	}
	write := func(path, text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(done.Files[0], `{"schema_version":3}`)
	kept := filepath.Join(filepath.Dir(done.Files[0]), "session.legacy.json")
	for _, text := range []string{"", string(ours) + "\n", string(ours[1:])} {
		write(kept, text)
		if again, err := x.Install(context.Background(), on); err == nil {
			t.Errorf("another session is kept: %+v", again)
		}
	}
	write(kept, string(ours))
	if again, err := x.Install(context.Background(), on); err != nil || again.State != Resumed {
		t.Errorf("it is kept: %+v, %v", again, err)
	}
}

// TestLocks tells a session from other things that are named after it.
func TestLocks(t *testing.T) {
	x := export(t, shipped(t, "copilot"), texts, project, convert.Options{})
	on := Machine{Root: t.TempDir()}
	done, err := x.Install(context.Background(), on)
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Dir(done.Files[0])
	lock := filepath.Join(filepath.Dir(folder), ".session-operation-locks", filepath.Base(folder)+".lock")
	if err := errors.Join(os.Mkdir(filepath.Dir(lock), 0o700), os.WriteFile(lock, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if again, err := x.Install(context.Background(), on); err != nil || again.State != Already {
		t.Errorf("%+v, %v", again, err)
	}
	// The program writes one file on, and the other anew.
	events, err := os.ReadFile(filepath.Join(folder, "events.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "events.jsonl"), append(events, "{}\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "workspace.yaml"), []byte("id: other\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if again, err := x.Install(context.Background(), on); err != nil || again.State != Resumed {
		t.Errorf("gone on with: %+v, %v", again, err)
	}
}

// TestElsewhere finds a session that was moved, or belongs to another folder.
func TestElsewhere(t *testing.T) {
	to := shipped(t, "codex")
	x := export(t, to, texts, project, convert.Options{})
	root := t.TempDir()
	done, err := x.Install(context.Background(), Machine{Root: root})
	if err != nil {
		t.Fatal(err)
	}
	archive := filepath.Join(root, "archived_sessions")
	if err := os.Mkdir(archive, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(done.Files[0], filepath.Join(archive, filepath.Base(done.Files[0]))); err != nil {
		t.Fatal(err)
	}
	again, err := x.Install(context.Background(), Machine{Root: root})
	if err != nil || again.State != Already {
		t.Errorf("%+v, %v", again, err)
	}
	if _, err := os.Lstat(done.Files[0]); err == nil {
		t.Error("it was installed a second time")
	}
}

// TestChangedExport refuses an export that is not as it was written.
func TestChangedExport(t *testing.T) {
	x := export(t, shipped(t, "codex"), texts, project, convert.Options{})
	path := filepath.Join(x.Dir, filepath.FromSlash(x.Manifest.Files[0].Path))
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(data, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	if _, err := x.Install(context.Background(), Machine{Root: root}); err == nil {
		t.Error("it was installed")
	}
	if len(tree(t, root)) != 0 {
		t.Error("something was left")
	}
}

// failAt lets the step of a number fail; last is what it was.
func failAt(t *testing.T, n int, err error) (count *int, last *string) {
	seen, failed := 0, ""
	before = func(step string) error {
		if seen++; seen == n {
			failed = step
			return err
		}
		return nil
	}
	t.Cleanup(unfail)
	return &seen, &failed
}

func unfail() { before = func(string) error { return nil } }

// TestFailures lets each step fail, in turn: then nothing of the session is there
// and all else is as it was.
func TestFailures(t *testing.T) {
	all := targets(t)
	all["pile"] = load(t, "testdata/pile.yaml")
	for name, to := range all {
		root := store(t, to)
		was := tree(t, root)
		x := export(t, to, texts, project, convert.Options{})
		for _, cause := range []error{syscall.ENOSPC, syscall.EACCES} {
			for n := 1; ; n++ {
				seen, last := failAt(t, n, cause)
				done, err := x.Install(context.Background(), Machine{Root: root})
				if *seen < n {
					if err != nil || done.State != Installed {
						t.Fatalf("%s: no step failed, and yet: %v", name, err)
					}
					if n < 5 && name != "pile" {
						t.Errorf("%s: only %d steps", name, n)
					}
					break
				}
				unfail()
				if err == nil && (*last == "clean" || *last == "last") {
					// It has its name: what fails now is no failure of the whole.
					for _, f := range done.Files {
						if err := os.Remove(f); err != nil {
							t.Fatal(err)
						}
					}
					if err := os.RemoveAll(root); err != nil {
						t.Fatal(err)
					}
					root = store(t, to)
					was = tree(t, root)
					continue
				}
				if !errors.Is(err, cause) {
					t.Errorf("%s: step %d: %v", name, n, err)
				}
				if diff := cmp.Diff(was, tree(t, root)); diff != "" {
					t.Fatalf("%s: step %d: something was left: %s", name, n, diff)
				}
			}
			// As it was, for the next cause.
			if err := os.RemoveAll(root); err != nil {
				t.Fatal(err)
			}
			unfail()
			root = store(t, to)
			was = tree(t, root)
		}
	}
}

// TestMeanwhile lets something else come to be where the session was to be.
func TestMeanwhile(t *testing.T) {
	for name, to := range targets(t) {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			x := export(t, to, texts, project, convert.Options{})
			w, err := x.where(Machine{Root: root})
			if err != nil {
				t.Fatal(err)
			}
			final := filepath.Join(root, filepath.FromSlash(w.parts[0].path))
			before = func(step string) error {
				if step != "name" {
					return nil
				}
				return errors.Join(os.MkdirAll(filepath.Dir(final), 0o700), os.WriteFile(final, []byte("foreign"), 0o600))
			}
			t.Cleanup(func() { before = func(string) error { return nil } })
			_, err = x.Install(context.Background(), Machine{Root: root})
			var conflict *ConflictError
			if !errors.As(err, &conflict) {
				t.Errorf("got %v", err)
			}
			rel, _ := filepath.Rel(root, final)
			if diff := cmp.Diff(map[string]string{rel: "-rw-------\nforeign"}, files(tree(t, root))); diff != "" {
				t.Error(diff)
			}
			for path := range tree(t, root) {
				if strings.Contains(path, tempPrefix) {
					t.Errorf("%s was left", path)
				}
			}
		})
	}
}

// TestInTheWay meets a file where a folder is to be.
func TestInTheWay(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "sessions"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := export(t, shipped(t, "codex"), texts, project, convert.Options{}).Install(context.Background(), Machine{Root: root}); err == nil {
		t.Error("it was installed")
	}
	if got := tree(t, root); len(got) != 1 {
		t.Errorf("something was left: %v", got)
	}
}

// TestRealFolder names folders after what links lead to, where the program does.
func TestRealFolder(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Mkdir(filepath.Join(dir, "real"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real", link); err != nil {
		t.Skip(err)
	}
	for name, want := range map[string]string{"claude-code": "real", "pi": "link"} {
		x := export(t, shipped(t, name), texts, link, convert.Options{})
		root := t.TempDir()
		done, err := x.Install(context.Background(), Machine{Root: root})
		if err != nil {
			t.Fatal(err)
		}
		if got := filepath.Base(filepath.Dir(done.Files[0])); !strings.Contains(got, want) {
			t.Errorf("%s: folder %s, want one of %s", name, got, want)
		}
		if done.Resume.Cwd != link {
			t.Errorf("%s: goes on in %s", name, done.Resume.Cwd)
		}
		// The same where the export lies.
		for range 2 {
			ready, err := x.Prepare(context.Background(), Machine{})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(ready.Files[0]); err != nil || !strings.Contains(filepath.Base(filepath.Dir(ready.Files[0])), want) {
				t.Errorf("%s: prepared as %s, %v", name, ready.Files[0], err)
			}
		}
	}
}

// TestPrepare makes an export ready where it lies, as often as it is asked.
func TestPrepare(t *testing.T) {
	x := export(t, load(t, "testdata/pair.yaml"), texts, project, convert.Options{})
	var first map[string]string
	for range 2 {
		done, err := x.Prepare(context.Background(), Machine{})
		if err != nil {
			t.Fatal(err)
		}
		if done.Resume.Env["PAIR_HOME"] != x.Dir {
			t.Errorf("its home is %q", done.Resume.Env["PAIR_HOME"])
		}
		now := tree(t, x.Dir)
		if first == nil {
			first = now
		}
		if diff := cmp.Diff(first, now); diff != "" {
			t.Error(diff)
		}
	}
	if !strings.Contains(fmt.Sprint(first), filepath.Join(x.Dir, "sessions")) {
		t.Error("no path was rewritten")
	}
}
