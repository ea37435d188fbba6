package snapshot_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/convert"
	"github.com/trajmap/trajmap/engine/install"
	"github.com/trajmap/trajmap/engine/manifest"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/snapshot"
)

// opened opens a snapshot that is in memory, with the session in it.
func opened(t testing.TB, m *engine.Mapping, data []byte) (*snapshot.Opened, *convert.Source, error) {
	t.Helper()
	o, err := snapshot.Open(engine.Bytes("x", data), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { o.Close() })
	in, done, err := native{o.Path(), m}.open()
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	source, err := convert.Load(context.Background(), m.Mapping, in, convert.Options{})
	if err == nil {
		t.Cleanup(func() { source.Close() })
	}
	return o, source, err
}

// TestRestore gives the native files of every session back, byte for byte.
func TestRestore(t *testing.T) {
	c := catalog(t)
	schema, err := jsonschema.Compile("../../schema/manifest-v1.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	restored, databases := map[string]int{}, map[string]int{}
	for _, e := range c.Entries() {
		m, err := e.Open()
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range natives(t, c, m, filepath.Join(testdata, e.Name)) {
			data := take(t, n)
			if data == nil {
				continue
			}
			o, source, err := opened(t, m, data)
			if err != nil {
				continue // nothing in it to go on with
			}
			dir := t.TempDir()
			made, err := o.Restore(m.Mapping, source, dir)
			if errors.Is(err, snapshot.ErrDatabase) {
				databases[e.Name]++
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", n.path, err)
				continue
			}
			restored[e.Name]++
			text, err := made.Encode()
			if err != nil {
				t.Fatal(err)
			}
			var v any
			if err := json.Unmarshal(text, &v); err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(v); err != nil {
				t.Errorf("%s: %v", n.path, err)
			}
			// The parts of the path that the snapshot knows lead to the native file.
			for i, f := range o.Files() {
				got, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(made.Files[i].Path)))
				if err != nil {
					t.Fatal(err)
				}
				want := beside(t, n.path, o.Raw.Name, f.Name)
				if made.Files[i].Install == nil { // a handler makes a store of it
					continue
				}
				if f.Secrets == 0 && !f.Shared && !bytes.Equal(got, want) {
					t.Errorf("%s: %s has %d bytes, not the %d of the session's own", n.path, f.Name, len(got), len(want))
				}
			}
		}
	}
	for _, e := range c.Entries() {
		if restored[e.Name]+databases[e.Name] == 0 {
			t.Errorf("%s: no session was given back", e.Name)
		}
	}
	t.Logf("given back: %v; of databases: %v", restored, databases)
}

// beside reads a native file by the name that it has in a snapshot, whose frames
// are at the name raw.
func beside(t *testing.T, path, raw, name string) []byte {
	t.Helper()
	depth := strings.Count(raw, "/") + 1
	// The input is the raw file, a folder above it, or a file beside it.
	for at := filepath.Clean(path); depth > 0; at = filepath.Dir(at) {
		for up, dir := 0, at; up <= depth; up, dir = up+1, filepath.Dir(dir) {
			if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(raw))); err == nil {
				data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
				if err != nil {
					t.Fatal(err)
				}
				return data
			}
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	t.Fatalf("%s: there is no %s", path, raw)
	return nil
}

// home writes the files of a store and gives the path of one of them.
func home(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const (
	talkID   = "3f1c2b60-0000-4000-8000-000000000001"
	talkName = "projects/-home-dev/" + talkID + ".jsonl"
	talkNote = "projects/-home-dev/" + talkID + "/tool-results/b.txt"
	talk     = `{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"` + talkID + `","timestamp":"2026-11-30T10:00:00.000Z","cwd":"/home/dev","version":"2.1.332","message":{"role":"user","content":"Count."}}
{"type":"assistant","uuid":"a1","parentUuid":"u1","sessionId":"` + talkID + `","timestamp":"2026-11-30T10:00:01.000Z","cwd":"/home/dev","version":"2.1.332","message":{"id":"m1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"Three."}]}}
`
)

// exported keeps a session, restores it into an export and opens that.
func exported(t *testing.T, own native) *install.Export {
	t.Helper()
	m := own.m
	o, source, err := opened(t, m, take(t, own))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	made, err := o.Restore(m.Mapping, source, dir)
	if err != nil {
		t.Fatal(err)
	}
	data, err := made.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, manifest.Name), data, 0o600); err != nil {
		t.Fatal(err)
	}
	x, err := install.Open(dir, func(string) (*mapping.Mapping, error) { return m.Mapping, nil })
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestInstallNative puts a session back into stores with and without something of
// its name.
func TestInstallNative(t *testing.T) {
	m, err := catalog(t).Open("claude-code")
	if err != nil {
		t.Fatal(err)
	}
	x := exported(t, native{filepath.Join(home(t, map[string]string{talkName: talk, talkNote: "1\n2\n3\n"}), talkName), m})
	for _, test := range []struct {
		name  string
		there map[string]string
		state install.State
		fails string
	}{
		{"nothing", map[string]string{"projects/-home-dev/other.jsonl": "{}"}, install.Installed, ""},
		{"all of it", map[string]string{talkName: talk, talkNote: "1\n2\n3\n"}, install.Already, ""},
		{"a part", map[string]string{talkNote: "1\n2\n3\n"}, install.Installed, ""},
		{"gone on", map[string]string{talkName: talk + talk, talkNote: "1\n2\n3\n"}, install.Resumed, ""},
		{"another", map[string]string{talkName: "{}\n"}, "", "another session is there"},
		{"another result", map[string]string{talkNote: "4"}, "", "another session is there"},
		{"elsewhere", map[string]string{"projects/-tmp/" + talkID + ".jsonl": talk}, "", "another session is there"},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := home(t, test.there)
			done, err := x.Install(context.Background(), install.Machine{Root: root, Default: true})
			if test.fails != "" {
				if err == nil || !strings.Contains(err.Error(), test.fails) {
					t.Fatalf("error %v", err)
				}
			} else if err != nil || done.State != test.state {
				t.Fatalf("state %v, error %v", done, err)
			}
			for name, text := range test.there {
				if got, err := os.ReadFile(filepath.Join(root, name)); err != nil || string(got) != text {
					t.Errorf("%s has changed: %v", name, err)
				}
			}
			if test.fails == "" && test.state == install.Installed {
				for name, text := range map[string]string{talkName: talk, talkNote: "1\n2\n3\n"} {
					if got, err := os.ReadFile(filepath.Join(root, name)); err != nil || string(got) != text {
						t.Errorf("%s is not as it was: %v", name, err)
					}
				}
				if want := []string{"claude", "--resume", talkID}; strings.Join(done.Resume.Argv, " ") != strings.Join(want, " ") {
					t.Errorf("it is resumed with %q", done.Resume.Argv)
				}
			}
		})
	}
}

// TestInstallStore puts a session back that its program keeps in a database of its
// own: the handler writes the database, which reads as the one that was kept.
func TestInstallStore(t *testing.T) {
	m, err := catalog(t).Open("cursor")
	if err != nil {
		t.Fatal(err)
	}
	const (
		folder = "chats/386a62c9e05fe5c90385e97e49ad27e0/5b8e6f0a-1c2d-4e3f-8a9b-0c1d2e3f4a5b/"
		from   = testdata + "/cursor/store-wal/input/"
	)
	files := map[string]string{folder + "meta.json": `{"cwd":"/home/dev/project"}`}
	list, err := os.ReadDir(from)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		data, err := os.ReadFile(from + e.Name())
		if err != nil {
			t.Fatal(err)
		}
		files[folder+e.Name()] = string(data)
	}
	own := native{filepath.Join(home(t, files), folder, "store.db"), m}
	x := exported(t, own)
	root := t.TempDir()
	on := install.Machine{Root: root, Default: true, AllowUntested: true}
	for _, want := range []install.State{install.Installed, install.Already} {
		done, err := x.Install(context.Background(), on)
		if err != nil || done.State != want {
			t.Fatalf("%v, %v; want %s", done, err, want)
		}
	}
	for name, view := range map[string]engine.Options{"archive": {}, "active": {View: engine.Active}} {
		want, got := reading(own, view), reading(native{filepath.Join(root, folder, "store.db"), m}, view)
		if diff := cmp.Diff(lines(want), lines(got)); diff != "" {
			t.Errorf("the %s view differs: %s", name, diff)
		}
	}
	prepared, err := x.Prepare(context.Background(), on)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(x.Dir, folder, "store.db")); err != nil {
		t.Errorf("it is not made where the export lies: %v, %+v", err, prepared)
	}
}
