package docgen

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/trajmap/trajmap/internal/cli"
)

const root = "../.."

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"trajmap": cli.Main})
}

// trajmap is the program under test, which testscript has put into the path.
func trajmap(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("the pages' commands are for a shell")
	}
	path, err := exec.LookPath("trajmap")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestCurrent holds the generated files, with what the commands on the pages
// print, against what would be written now.
func TestCurrent(t *testing.T) {
	files, err := Files(root, trajmap(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := Current(root, files); err != nil {
		t.Error(err)
	}
}

// TestWrite has a file that is not current, one that is missing, and a page of a
// harness that is no more put in order.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	files := map[string][]byte{"README.md": []byte("new\n"), "docs/errors.md": []byte("same\n"), "docs/harness/pi.md": []byte("pi\n")}
	for name, text := range map[string]string{"README.md": "old\n", "docs/errors.md": "same\n", "docs/harness/gone.md": "gone\n"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o777); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name), text)
	}
	want := []string{"README.md", "docs/harness/gone.md", "docs/harness/pi.md"}
	if err := Current(dir, files); err == nil || !strings.Contains(err.Error(), strings.Join(want, ", ")) {
		t.Errorf("Current: %v, want %v", err, want)
	}
	if changed, err := Write(dir, files); err != nil || !slices.Equal(changed, want) {
		t.Errorf("Write: %v, %v, want %v", changed, err, want)
	}
	if err := Current(dir, files); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "docs/harness/gone.md")); err == nil {
		t.Error("the page of a harness that is no more is still there")
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestBetween(t *testing.T) {
	got, err := between([]byte("a\n<!-- x -->\nold\n<!-- /x -->\nb\n"), "x", []byte("new\n"))
	if want := "a\n<!-- x -->\nnew\n<!-- /x -->\nb\n"; err != nil || string(got) != want {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := between([]byte("a\n"), "x", nil); err == nil {
		t.Error("no error without markers")
	}
}
