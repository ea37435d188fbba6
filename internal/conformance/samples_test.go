package conformance

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/normalize"
)

// samples is the folder of sessions that the programs themselves wrote.
func samples(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(shared, "samples")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the samples are not at hand")
	}
	return dir
}

// sample is a session among the samples.
type sample struct {
	harness string
	path    string // pattern below the harness's samples, of one file or folder
	session string // id, where an input holds several
	dir     string // the folder of the path; "" is the harness's samples
}

func (s sample) String() string {
	if s.session != "" {
		return s.harness + "/" + s.path + "#" + s.session
	}
	return s.harness + "/" + s.path
}

// find is where the sample is.
func (s sample) find(t testing.TB) string {
	t.Helper()
	dir := s.dir
	if dir == "" {
		dir = filepath.Join(samples(t), s.harness)
	}
	pattern := filepath.Join(dir, filepath.FromSlash(s.path))
	found, err := filepath.Glob(pattern)
	if err != nil || len(found) != 1 {
		t.Fatalf("%d files match %s: %v", len(found), pattern, err)
	}
	return found[0]
}

// read reads the sample: no bounds, and one side may be missing.
func (s sample) read(t *testing.T, view mapping.View) (*engine.Session, error) {
	t.Helper()
	c, err := engine.NewCatalog()
	if err != nil {
		t.Fatal(err)
	}
	m, err := c.Open(s.harness)
	if err != nil {
		t.Fatal(err)
	}
	path := s.find(t)
	in, done := engine.Folder(path), func() error { return nil }
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		if in, done, err = engine.OpenInput(path); err != nil {
			t.Fatal(err)
		}
	}
	defer func() { _ = done() }()
	return m.ReadAll(t.Context(), in, engine.Options{View: view, Session: s.session, Normalize: normalize.Options{
		MaxArgs: normalize.Unbounded, MaxResult: normalize.Unbounded, NoRoles: true,
	}})
}

var views = map[string]mapping.View{"archive": engine.Archive, "active": engine.Active}
