package engine

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine/diag"
)

// mappingOf is the smallest mapping of a harness.
func mappingOf(harness string, more ...string) string {
	text := "mapping: v1\nharness: " + harness + "\n"
	for _, m := range more {
		text += m + "\n"
	}
	return text + `native: {frame: {kind: type, kinds: {user: {text: str}}}}
read:
  - format: log
    detect: it.type == "user"
    frames: jsonl
    kind: type
    rules: {user: {user: text}}
`
}

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

func catalog(t *testing.T, folders ...string) *Catalog {
	t.Helper()
	c, err := NewCatalog(folders...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestCatalogOrder takes the file in the first folder for a name, and lists the
// others.
func TestCatalogOrder(t *testing.T) {
	one, two := t.TempDir(), t.TempDir()
	first := write(t, one, "demo.yaml", mappingOf("demo"))
	second := write(t, two, "demo.yml", mappingOf("demo"))
	own := write(t, two, "codex.yaml", mappingOf("codex"))
	write(t, two, "notes.txt", "no mapping")
	write(t, filepath.Join(two, "folder.yaml"), "x", "no mapping")

	c := catalog(t, one, two)
	names := map[string]*Entry{}
	last := ""
	for _, e := range c.Entries() {
		if e.Name <= last {
			t.Errorf("%s comes after %s", e.Name, last)
		}
		last = e.Name
		names[e.Name] = e
	}
	if e := names["demo"]; e.File != first || e.Folder != one || e.Embedded() {
		t.Errorf("demo is %+v", e)
	} else if diff := cmp.Diff([]string{second}, e.Shadows); diff != "" {
		t.Errorf("shadows of demo (-want +got):\n%s", diff)
	}
	if e := names["codex"]; e.File != own || e.Shadows[0] != "mappings/codex.yaml" {
		t.Errorf("codex is %+v", e)
	}
	if e := names["claude-code"]; e == nil || !e.Embedded() || e.File != "mappings/claude-code.yaml" {
		t.Errorf("claude-code is %+v", e)
	}
	if names["notes"] != nil || names["folder"] != nil {
		t.Error("what is no YAML file is listed")
	}
	m, err := c.Open("codex")
	if err != nil || m.File != own {
		t.Errorf("codex opens as %v, %v", m, err)
	}
	again, _ := c.Open("codex")
	if again != m {
		t.Error("a mapping is compiled twice")
	}
}

func TestCatalogMissingFolder(t *testing.T) {
	_, err := NewCatalog(filepath.Join(t.TempDir(), "nowhere"))
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
}

func TestLookup(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "demo.yaml", mappingOf("demo", "title: x", "aliases:", "# old names", "- sample   # the first", "- trial", "notes: [other]"))
	write(t, dir, "flow.yaml", "# first\n"+mappingOf("flow", "aliases: [river,", "  brook]"))
	c := catalog(t, dir)
	for name, want := range map[string]string{"demo": "demo", "sample": "demo", "trial": "demo", "brook": "flow", "river": "flow"} {
		if e, err := c.Lookup(name); err != nil || e.Name != want {
			t.Errorf("%s is %v, %v; want %s", name, e, err, want)
		}
	}
	for name, near := range map[string]string{"demmo": "demo", "samle": "sample", "other": "", "x": ""} {
		_, err := c.Lookup(name)
		var unknown *UnknownMappingError
		if !errors.As(err, &unknown) || unknown.Name != name || unknown.Nearest != near {
			t.Errorf("%s gives %#v, want the nearest to be %q", name, err, near)
		}
	}
}

func TestIsFile(t *testing.T) {
	for name, want := range map[string]bool{
		"demo": false, "claude-code": false, "demo.yaml": true, "demo.yml": true, "./demo": true, "a/b": true, "demo.json": false,
	} {
		if IsFile(name) != want {
			t.Errorf("IsFile(%q) is not %v", name, want)
		}
	}
}

func TestOpenFile(t *testing.T) {
	dir := t.TempDir()
	c := catalog(t)
	good := write(t, dir, "my.yaml", mappingOf("my"))
	if m, err := c.Open(good); err != nil || m.Harness != "my" || m.File != good {
		t.Errorf("%v, %v", m, err)
	}
	if m, err := c.Open(good); err != nil || len(m.Warnings) != 1 {
		t.Errorf("warnings: %v, %v", m.Warnings, err)
	}
	bad := write(t, dir, "bad.yaml", "mapping: v1\nharness: bad\n")
	var list diag.List
	if _, err := c.Open(bad); !errors.As(err, &list) || list[0].File != bad {
		t.Errorf("a faulty mapping: %v", err)
	}
	if _, err := c.Open(filepath.Join(dir, "none.yaml")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

func TestUserFolders(t *testing.T) {
	config := t.TempDir()
	env := map[string]string{"TRAJMAP_MAPPINGS": "a" + string(filepath.ListSeparator) + string(filepath.ListSeparator) + "b", "XDG_CONFIG_HOME": config}
	getenv := func(name string) string { return env[name] }
	if diff := cmp.Diff([]string{"a", "b"}, UserFolders(getenv)); diff != "" {
		t.Errorf("without a folder of the user's (-want +got):\n%s", diff)
	}
	own := filepath.Join(config, "trajmap", "mappings")
	write(t, own, "demo.yaml", mappingOf("demo"))
	if diff := cmp.Diff([]string{"a", "b", own}, UserFolders(getenv)); diff != "" {
		t.Errorf("with one (-want +got):\n%s", diff)
	}
	env["TRAJMAP_MAPPINGS"] = ""
	if diff := cmp.Diff([]string{own}, UserFolders(getenv)); diff != "" {
		t.Errorf("with nothing else (-want +got):\n%s", diff)
	}
}

// TestEmbedded compiles what is shipped: all of it, without an error.
func TestEmbedded(t *testing.T) {
	for _, e := range catalog(t).Entries() {
		m, err := e.Open()
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		if m.Harness != e.Name {
			t.Errorf("%s is the mapping of %s", e.File, m.Harness)
		}
	}
}
