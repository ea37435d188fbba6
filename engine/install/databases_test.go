//go:build unix

package install

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine/convert"
	"github.com/trajmap/trajmap/engine/render"
	"github.com/trajmap/trajmap/engine/session"
)

// The stores of a real target: two databases of one session, and a file beside.
const databases = "../../mappings/cursor.yaml"

// TestDatabases installs both, and then knows them again: as they are, as one
// that has gone on, as another session.
func TestDatabases(t *testing.T) {
	to := load(t, databases)
	root := store(t, to)
	was := files(tree(t, root))
	id := "5b8e6f0a-1c2d-4e3f-8a9b-0c1d2e3f4a5b"
	o := convert.Options{Options: render.Options{SessionID: id}, Turns: &session.Range{From: 1, To: 1}}
	x := export(t, to, texts, project, o)
	on := Machine{Root: root}
	done, err := x.Install(context.Background(), on)
	if err != nil || done.State != Installed || len(done.Files) != 3 {
		t.Fatalf("%+v, %v", done, err)
	}
	now := files(tree(t, root))
	for path, content := range was {
		if now[path] != content {
			t.Errorf("%s has changed", path)
		}
	}
	if len(now) != len(was)+3 {
		t.Errorf("%d files more", len(now)-len(was))
	}
	for path := range tree(t, root) {
		if strings.Contains(path, tempPrefix) || strings.HasSuffix(path, "-wal") || strings.HasSuffix(path, "-shm") {
			t.Errorf("%s was left", path)
		}
	}
	if again, err := x.Install(context.Background(), on); err != nil || again.State != Already {
		t.Errorf("a second time: %+v, %v", again, err)
	}
	if diff := cmp.Diff(now, files(tree(t, root))); diff != "" {
		t.Errorf("the second time changed something: %s", diff)
	}
	// The same session, a turn on.
	o.Turns = nil
	longer := t.TempDir()
	more, err := export(t, to, texts, project, o).Install(context.Background(), Machine{Root: longer})
	if err != nil {
		t.Fatal(err)
	}
	replace := func(path, with string) {
		data, err := os.ReadFile(with)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	replace(done.Files[0], more.Files[0])
	if again, err := x.Install(context.Background(), on); err != nil || again.State != Resumed {
		t.Errorf("gone on with: %+v, %v", again, err)
	}
	// What goes on with a session writes the file beside its store anew.
	if err := os.WriteFile(done.Files[2], []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if again, err := x.Install(context.Background(), on); err != nil || again.State != Resumed {
		t.Errorf("with another file beside: %+v, %v", again, err)
	}
	// Of the longer session the first store is whole, the second a part.
	whole := export(t, to, texts, project, o)
	var conflict *ConflictError
	if _, err := whole.Install(context.Background(), on); !errors.As(err, &conflict) || conflict.Path != filepath.Dir(done.Files[1]) {
		t.Errorf("another session: %v", err)
	}
}

// TestDatabasesFullDisk lets the system refuse what a database needs, page by page.
func TestDatabasesFullDisk(t *testing.T) {
	to := load(t, databases)
	x := export(t, to, texts, project, convert.Options{})
	root := store(t, to)
	was := tree(t, root)
	for _, n := range []int{1, 4096, 8192, 16384} {
		if err := runVictim(t, x.Dir, root, databases, "limit", strconv.Itoa(n)); err == nil {
			t.Errorf("%d bytes: it was installed", n)
		}
		if diff := cmp.Diff(was, tree(t, root)); diff != "" {
			t.Errorf("%d bytes: something was left: %s", n, diff)
		}
	}
}

// TestDatabasesPrepare makes the stores in the export, where the file beside one of
// them lies already.
func TestDatabasesPrepare(t *testing.T) {
	x := export(t, load(t, databases), texts, project, convert.Options{})
	for range 2 {
		done, err := x.Prepare(context.Background(), Machine{})
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range done.Files {
			if _, err := os.Stat(path); err != nil {
				t.Error(err)
			}
		}
		if done.Resume.Env["CURSOR_CONFIG_DIR"] != x.Dir {
			t.Errorf("its home is %q", done.Resume.Env)
		}
	}
	if err := os.WriteFile(filepath.Join(x.Dir, filepath.FromSlash(x.Manifest.Prepare[0].Path)), []byte("other"), 0o600); err != nil {
		t.Fatal(err)
	}
	var conflict *ConflictError
	if _, err := x.Prepare(context.Background(), Machine{}); !errors.As(err, &conflict) {
		t.Errorf("another store there: %v", err)
	}
}
