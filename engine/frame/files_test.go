package frame

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// folder writes files below a new folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func symlink(t *testing.T, target, at string) {
	t.Helper()
	if err := os.Symlink(target, at); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
}

func TestFiles(t *testing.T) {
	dir := folder(t, map[string]string{
		"events/0002.json":     "\uFEFF[2]",
		"events/0001.json":     "{\"a\":\"\xff\"}\n",
		"events/0003.json":     "",
		"events/0010.json":     strings.Repeat("x", 11),
		"events/notes.txt":     "no",
		"events/deep/0.json":   "no",
		"0000.json":            "no",
		"events.old/0000.json": "no",
	})
	s := Files(dir, "events/*.json", Options{MaxFrame: 10})
	got, err := all(t, s)
	if err != nil {
		t.Fatal(err)
	}
	want := []cut{
		{"{\"a\":\"\uFFFD\"}\n", 0, 0, 0, 10, false},
		{"[2]", 0, 0, 1, 6, false},
		{"", 0, 0, 2, 0, false},
		{"", 0, 0, 3, 11, true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if s.Doc() != nil {
		t.Errorf("Doc = %q, want nil", s.Doc())
	}
}

func TestFilesNone(t *testing.T) {
	dir := folder(t, map[string]string{"events/a.txt": ""})
	for _, glob := range []string{"events/*.json", "other/*.json", "*/*.json"} {
		if got, err := all(t, Files(dir, glob, Options{})); err != nil || got != nil {
			t.Errorf("Files(%q) = %v, %v; want none", glob, got, err)
		}
	}
}

func TestFilesErrors(t *testing.T) {
	outside := folder(t, map[string]string{"secret.json": "{}"})
	tests := []struct {
		name string
		make func(t *testing.T, dir string)
		want string
	}{
		{"a link out of the folder", func(t *testing.T, dir string) {
			symlink(t, filepath.Join(outside, "secret.json"), filepath.Join(dir, "events/1.json"))
		}, "escapes"},
		{"a relative link out of the folder", func(t *testing.T, dir string) {
			symlink(t, "../../"+path.Base(outside)+"/secret.json", filepath.Join(dir, "events/1.json"))
		}, "escapes"},
		{"a link to nothing", func(t *testing.T, dir string) {
			symlink(t, "nothing", filepath.Join(dir, "events/1.json"))
		}, "no such file"},
		{"a folder", func(t *testing.T, dir string) {
			if err := os.Mkdir(filepath.Join(dir, "events/1.json"), 0o700); err != nil {
				t.Fatal(err)
			}
		}, "not a regular file"},
		{"an unreadable file", func(t *testing.T, dir string) {
			name := filepath.Join(dir, "events/1.json")
			if err := os.WriteFile(name, nil, 0); err != nil {
				t.Fatal(err)
			}
			if f, err := os.Open(name); err == nil {
				f.Close()
				t.Skip("this user may read everything")
			}
		}, "permission denied"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := folder(t, map[string]string{"events/0.json": "[0]", "events/2.json": "[2]"})
			test.make(t, dir)
			s := Files(dir, "events/*.json", Options{})
			var texts []string
			var failed error
			for {
				f, err := s.Next()
				if err == io.EOF {
					break
				}
				if err != nil {
					failed = err
				}
				texts = append(texts, string(f.Data))
			}
			if failed == nil || !strings.Contains(failed.Error(), test.want) || !strings.Contains(failed.Error(), "1.json") {
				t.Errorf("error = %v, want 1.json and %q", failed, test.want)
			}
			if diff := cmp.Diff([]string{"[0]", "", "[2]"}, texts); diff != "" {
				t.Errorf("the other files (-want +got):\n%s", diff)
			}
		})
	}
	t.Run("no such folder", func(t *testing.T) {
		if _, err := Files(filepath.Join(outside, "no"), "*.json", Options{}).Next(); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("error = %v, want fs.ErrNotExist", err)
		}
	})
	t.Run("bad pattern", func(t *testing.T) {
		if _, err := Files(outside, "[", Options{}).Next(); !errors.Is(err, path.ErrBadPattern) {
			t.Errorf("error = %v, want path.ErrBadPattern", err)
		}
	})
	t.Run("index of no file", func(t *testing.T) {
		if _, err := Files(outside, "*.json", Options{}).At(Frame{Index: 1}); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("error = %v, want fs.ErrNotExist", err)
		}
	})
	t.Run("unreadable folder", func(t *testing.T) {
		dir := folder(t, map[string]string{"events/0.json": "{}"})
		if err := os.Chmod(filepath.Join(dir, "events"), 0); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(filepath.Join(dir, "events"), 0o700)
		if _, err := os.ReadDir(filepath.Join(dir, "events")); err == nil {
			t.Skip("this user may read everything")
		}
		if _, err := Files(dir, "events/*.json", Options{}).Next(); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("error = %v, want fs.ErrPermission", err)
		}
	})
}
