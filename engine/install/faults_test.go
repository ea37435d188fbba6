//go:build unix

package install

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine/convert"
)

// TestFullDisk lets the system refuse to write more than some bytes to a file.
func TestFullDisk(t *testing.T) {
	for name, file := range everywhere(t) {
		if name == "pile" {
			continue // the handler of a test, without such care
		}
		to := load(t, file)
		x := export(t, to, texts, project, convert.Options{})
		longest := int64(0)
		for _, f := range x.Manifest.Files {
			if f.Install != nil || len(x.Manifest.Files) == 1 {
				longest = max(longest, f.Bytes)
			}
		}
		root := store(t, to)
		was := tree(t, root)
		for _, n := range []int64{0, 100, longest - 1} {
			if err := runVictim(t, x.Dir, root, file, "limit", strconv.FormatInt(n, 10)); err == nil {
				t.Errorf("%s: %d bytes: it was installed", name, n)
			}
			if diff := cmp.Diff(was, tree(t, root)); diff != "" {
				t.Errorf("%s: %d bytes: something was left: %s", name, n, diff)
			}
		}
	}
}

// nobody is a user who owns nothing but what he is given.
const nobody = 65534

// give lets nobody have what is below folders, when this is the superuser.
func give(t *testing.T, folders ...string) {
	t.Helper()
	if os.Getuid() != 0 {
		return
	}
	for _, folder := range folders {
		// The folder above is the test's own.
		if err := os.Chmod(filepath.Dir(folder), 0o711); err != nil {
			t.Fatal(err)
		}
		err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			return os.Lchown(path, nobody, nobody)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestHomes meets homes of all kinds, as a user who may not do everything.
func TestHomes(t *testing.T) {
	must := func(t *testing.T, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		name      string
		home      string // below a folder of the user's
		make      func(t *testing.T, base, home string)
		installed bool
		locked    []string // folders below that folder which nobody may write to, or look into
		mode      fs.FileMode
	}{
		{name: "empty", home: "home", make: func(t *testing.T, _, home string) { must(t, os.Mkdir(home, 0o700)) }, installed: true},
		{name: "missing", home: "home", installed: true},
		{name: "missing with what is above it", home: "a/b/home", installed: true},
		{name: "missing, and nothing can be made", home: "a/home", make: func(t *testing.T, base, _ string) { must(t, os.Mkdir(base+"/a", 0o700)) }, locked: []string{"a"}, mode: 0o500},
		{name: "read-only", home: "home", make: func(t *testing.T, _, home string) { must(t, os.Mkdir(home, 0o700)) }, locked: []string{"home"}, mode: 0o500},
		{name: "read-only sessions", home: "home", make: func(t *testing.T, _, home string) { must(t, os.MkdirAll(home+"/sessions", 0o700)) }, locked: []string{"home/sessions"}, mode: 0o500},
		{name: "somebody's folder in it", home: "home", make: func(t *testing.T, _, home string) { must(t, os.MkdirAll(home+"/sessions/private", 0o700)) }, installed: true,
			locked: []string{"home/sessions/private"}, mode: 0},
		{name: "a file", home: "home", make: func(t *testing.T, _, home string) { must(t, os.WriteFile(home, []byte("x"), 0o600)) }},
		{name: "a link", home: "home", make: func(t *testing.T, base, home string) {
			must(t, os.Mkdir(base+"/real", 0o700))
			must(t, os.Symlink("real", home))
		}, installed: true},
		{name: "a link above it", home: "link/home", make: func(t *testing.T, base, _ string) {
			must(t, os.Mkdir(base+"/real", 0o700))
			must(t, os.Symlink("real", base+"/link"))
		}, installed: true},
		{name: "a link to nothing", home: "home", make: func(t *testing.T, _, home string) { must(t, os.Symlink("nowhere", home)) }},
		{name: "a link to itself", home: "home", make: func(t *testing.T, _, home string) { must(t, os.Symlink("home", home)) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			const file = "../../mappings/codex.yaml"
			x := export(t, load(t, file), texts, project, convert.Options{})
			base := t.TempDir()
			home := filepath.Join(base, filepath.FromSlash(test.home))
			if test.make != nil {
				test.make(t, base, home)
			}
			give(t, x.Dir, base)
			for _, folder := range test.locked {
				path := filepath.Join(base, filepath.FromSlash(folder))
				must(t, os.Chmod(path, test.mode))
				t.Cleanup(func() { _ = os.Chmod(path, 0o700) })
			}
			was := names(t, base)
			err := runVictim(t, x.Dir, home, file, "nobody", "0")
			if (err == nil) != test.installed {
				t.Errorf("installed: %t, want %t", err == nil, test.installed)
			}
			now := names(t, base)
			if !test.installed {
				if diff := cmp.Diff(was, now); diff != "" {
					t.Errorf("something was left: %s", diff)
				}
				return
			}
			made := slices.DeleteFunc(slices.Clone(now), func(name string) bool { return slices.Contains(was, name) })
			if len(made) == 0 {
				t.Error("nothing was made")
			}
			for _, name := range was {
				if !slices.Contains(now, name) {
					t.Errorf("%s is gone or of another kind", name)
				}
			}
			// Whoever can read it finds it there a second time.
			again, err := x.Install(context.Background(), Machine{Root: home})
			if err != nil || again.State != Already {
				t.Errorf("a second time: %+v, %v", again, err)
			}
		})
	}
}

// names are the names of all that is below a folder, with their modes.
func names(t *testing.T, folder string) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return fs.SkipDir
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(folder, path)
		list = append(list, rel+" "+info.Mode().String())
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}
