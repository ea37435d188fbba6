package snapshot_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/read"
	"github.com/trajmap/trajmap/engine/snapshot"
	"github.com/trajmap/trajmap/internal/sessiongen"
)

const testdata = "../../testdata"

// native is a session's input and its mapping.
type native struct {
	path string
	m    *engine.Mapping
}

func (n native) open() (*engine.Input, func() error, error) {
	if os.IsPathSeparator(n.path[len(n.path)-1]) {
		return engine.Folder(n.path), func() error { return nil }, nil
	}
	return engine.OpenInput(n.path)
}

// catalog has all mappings.
func catalog(t testing.TB) *engine.Catalog {
	t.Helper()
	c, err := engine.NewCatalog()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// natives are the sessions below a folder that a mapping recognises; m nil is any
// mapping.
func natives(t testing.TB, c *engine.Catalog, m *engine.Mapping, dir string) (list []native) {
	t.Helper()
	detect := func(in *engine.Input) *engine.Mapping {
		if m != nil {
			if m.Recognises(in) {
				return m
			}
			return nil
		}
		found, err := c.Detect(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || strings.HasPrefix(e.Name(), "expected") {
			return err
		}
		if e.IsDir() {
			folder := path + string(filepath.Separator)
			if (m == nil || m.ReadsFolders()) && detect(engine.Folder(folder)) != nil {
				list = append(list, native{folder, detect(engine.Folder(folder))})
			}
			return nil
		}
		in, done, err := engine.OpenInput(path)
		if err != nil {
			return err
		}
		defer done()
		if found := detect(in); found != nil {
			list = append(list, native{path, found})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// reading is all that reading a session tells, as text.
func reading(n native, view engine.Options) string {
	in, done, err := n.open()
	if err != nil {
		return err.Error()
	}
	defer done()
	var b bytes.Buffer
	view.Drift = true
	sink := &rows{w: &b}
	result, err := read.New(n.m.Mapping).Read(context.Background(), in, view, sink.start)
	fmt.Fprintln(&b, err)
	if result == nil {
		return b.String()
	}
	facts, _ := json.Marshal(result.Facts)
	found, _ := json.MarshalIndent([]any{result.Diagnostics, result.Hazards, result.Ledger}, "", " ")
	fmt.Fprintf(&b, "%s %s %s\n", result.Chosen, facts, found)
	return b.String()
}

// rows prints records with their identities.
type rows struct {
	w         *bytes.Buffer
	canonical *normalize.Canonical
}

func (r *rows) start(p *normalize.Plan) (normalize.Sink, error) {
	r.canonical, _ = p.Canonical()
	return r, nil
}

func (r *rows) Record(rec *normalize.Record) error {
	text := rec.AppendV1(nil)
	if r.canonical != nil {
		text = r.canonical.Append(nil, rec)
	}
	fmt.Fprintf(r.w, "%d %s %s %s\n", rec.Line, rec.Step, rec.Model, text)
	return nil
}

// take makes a snapshot as a file's bytes.
func take(t testing.TB, n native) []byte {
	t.Helper()
	in, done, err := n.open()
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	taken, err := snapshot.Take(context.Background(), n.m.Mapping, in, snapshot.Options{})
	if err != nil {
		return nil
	}
	defer taken.Close()
	var b bytes.Buffer
	if err := taken.Write(&b); err != nil {
		t.Fatal(err)
	}
	if here, err := filepath.Abs("."); err != nil || bytes.Contains(b.Bytes(), []byte(filepath.Dir(here))) || bytes.Contains(b.Bytes(), []byte(os.TempDir()+"/Test")) {
		t.Errorf("%s: the snapshot holds a path of this machine", n.path)
	}
	for _, secret := range []string{"blobEncryptionKey", hex.EncodeToString([]byte("blobEncryptionKey"))} {
		if bytes.Contains(b.Bytes(), []byte(secret)) {
			t.Errorf("%s: the snapshot holds a key", n.path)
		}
	}
	return b.Bytes()
}

// folder makes a snapshot that is a folder.
func folder(t testing.TB, n native) string {
	t.Helper()
	in, done, err := n.open()
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	taken, err := snapshot.Take(context.Background(), n.m.Mapping, in, snapshot.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	dir := t.TempDir()
	if err := taken.WriteFolder(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// schema is that of snapshots.
func schema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.Compile("../../schema/snapshot-v1.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestRoundTrip wants of every session of testdata that its snapshot reads as it
// does itself, that a second one has the same bytes, and that both forms do.
func TestRoundTrip(t *testing.T) {
	c := catalog(t)
	s := schema(t)
	total, refused := 0, map[string]int{}
	for _, e := range c.Entries() {
		m, err := e.Open()
		if err != nil {
			t.Fatal(err)
		}
		list := natives(t, c, m, filepath.Join(testdata, e.Name))
		if len(list) == 0 {
			t.Errorf("%s: no session", e.Name)
		}
		for i, n := range list {
			t.Run(strings.TrimPrefix(n.path, testdata+"/"), func(t *testing.T) {
				data := take(t, n)
				if data == nil {
					refused[e.Name]++
					if said := reading(n, engine.Options{Normalize: normalize.Options{NoRoles: true}}); !strings.HasPrefix(said, "inv") && !strings.Contains(said, "\ninvalid") {
						t.Errorf("no snapshot is taken of what can be read: %.300s", said)
					}
					return
				}
				total++
				if again := take(t, n); !bytes.Equal(data, again) {
					t.Error("a second snapshot has other bytes")
				}
				var v any
				if err := json.Unmarshal(data, &v); err != nil {
					t.Fatal(err)
				}
				if err := s.Validate(v); err != nil {
					t.Error(err)
				}
				unpacked(t, n, engine.Bytes("x", data), "")
				if i%8 != 0 {
					return // the other form has the same files
				}
				dir := folder(t, n)
				in, done, err := engine.OpenInput(filepath.Join(dir, snapshot.Document))
				if err != nil {
					t.Fatal(err)
				}
				defer done()
				unpacked(t, n, in, dir)
			})
		}
	}
	if total < 300 && flag.Lookup("test.run").Value.String() == "" {
		t.Errorf("%d sessions, refused %v", total, refused)
	}
	t.Logf("%d sessions, refused %v", total, refused)
}

// TestGenerated wants the same of sessions of every format that can be generated.
func TestGenerated(t *testing.T) {
	c := catalog(t)
	for _, format := range sessiongen.Formats() {
		for seed := range uint64(2) {
			path := filepath.Join(t.TempDir(), "session"+sessiongen.Ext(format))
			if err := sessiongen.File(path, format, seed+1, 40_000); err != nil {
				t.Fatal(err)
			}
			list := natives(t, c, nil, path)
			if len(list) != 1 {
				t.Fatalf("%s: %d sessions", format, len(list))
			}
			data := take(t, list[0])
			if data == nil {
				t.Errorf("%s: no snapshot", format)
				continue
			}
			unpacked(t, list[0], engine.Bytes("x", data), "")
		}
	}
}

// TestSamples wants it of the sessions that real programs left.
func TestSamples(t *testing.T) {
	const samples = "../../../shared/samples"
	if _, err := os.Stat(samples); err != nil {
		t.Skip("there are no samples")
	}
	c := catalog(t)
	count := 0
	for _, e := range c.Entries() {
		dir := filepath.Join(samples, e.Name)
		if _, err := os.Stat(dir); err != nil {
			continue
		}
		m, err := e.Open()
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range natives(t, c, m, dir) {
			if data := take(t, n); data != nil {
				count++
				unpacked(t, n, engine.Bytes("x", data), "")
			}
		}
	}
	t.Logf("%d sessions", count)
}

// unpacked reads a session from its snapshot.
func unpacked(t *testing.T, n native, in *engine.Input, dir string) {
	t.Helper()
	if !snapshot.Is(in) {
		t.Fatal("it is not taken for a snapshot")
	}
	o, err := snapshot.Open(in, dir)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	if o.Mapping.SHA256 != n.m.SHA256 || o.Source.Harness != n.m.Harness {
		t.Errorf("it names the mapping %+v", o.Mapping)
	}
	from := native{o.Path(), n.m}
	for name, view := range map[string]engine.Options{
		"archive": {Normalize: normalize.Options{NoRoles: true}},
		"active":  {View: engine.Active},
		"full":    {View: engine.Active, FullResults: true},
	} {
		if diff := cmp.Diff(lines(reading(n, view)), lines(reading(from, view))); diff != "" {
			t.Errorf("the %s view differs: %s", name, diff)
		}
	}
}

func lines(s string) []string { return strings.Split(s, "\n") }
