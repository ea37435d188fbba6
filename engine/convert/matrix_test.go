package convert

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v5"

	_ "github.com/trajmap/trajmap/engine" // its handlers
	"github.com/trajmap/trajmap/engine/frame"
	_ "github.com/trajmap/trajmap/engine/handler/agentkv" // a target encodes with it
	"github.com/trajmap/trajmap/engine/manifest"
	"github.com/trajmap/trajmap/engine/mapping"
)

// mappingsIn are the mappings of a folder.
func mappingsIn(t *testing.T, dir string) []*mapping.Mapping {
	t.Helper()
	var out []*mapping.Mapping
	files, _ := filepath.Glob(filepath.Join(dir, "*.yaml"))
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m, found := mapping.Parse(file, data)
		if found.Err() != nil {
			t.Logf("%s does not compile: %v", file, found.Err())
			continue
		}
		out = append(out, m)
	}
	return out
}

// everything is what a person may allow.
var everything = Allowable()

// files are the files below a folder, by path.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		out[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// manifests is the schema of manifests.
var manifests = sync.OnceValues(func() (*jsonschema.Schema, error) {
	return jsonschema.Compile("../../schema/manifest-v1.schema.json")
})

// checkManifest holds a manifest against its schema, and against its own reader.
func checkManifest(t *testing.T, path string, r *Result) {
	t.Helper()
	schema, err := manifests()
	if err != nil {
		t.Fatal(err)
	}
	data, err := r.Manifest().Encode()
	if err != nil {
		t.Errorf("%s: %v", path, err)
		return
	}
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(v); err != nil {
		t.Errorf("%s: %v", path, err)
	}
	if back, err := manifest.Decode(data); err != nil {
		t.Errorf("%s: %v", path, err)
	} else if again, err := back.Encode(); err != nil || string(again) != string(data) {
		t.Errorf("%s: the manifest is not the same when it is read and written again", path)
	}
}

// TestMatrix converts the golden cases of every harness to every target. What
// was written is read back and compared; twice gives equal bytes.
func TestMatrix(t *testing.T) {
	dir := "../../mappings"
	if d := os.Getenv("TRAJMAP_TEST_MAPPINGS"); d != "" {
		dir = d
	}
	all := mappingsIn(t, dir)
	for _, to := range all {
		if to.Write == nil {
			continue
		}
		t.Run(to.Harness, func(t *testing.T) {
			converted, refused := 0, 0
			for _, from := range all {
				inputs, _ := filepath.Glob("../../testdata/" + from.Harness + "/*/input.*")
				for _, path := range inputs {
					in, closer, err := frame.Open(path)
					if err != nil {
						t.Fatal(err)
					}
					o := Options{Allow: everything, Cwd: "/home/dev/project"}
					out := t.TempDir()
					first, err := Convert(context.Background(), from, in, to, o, out)
					var refusal *Refusal
					switch {
					case errors.As(err, &refusal):
						refused++
					case first == nil:
						// It cannot be read at all: a case of its own harness.
					case err != nil:
						t.Errorf("%s: %v", path, err)
					default:
						converted++
						again := t.TempDir()
						second, err := Convert(context.Background(), from, in, to, o, again)
						if err != nil {
							t.Fatal(err)
						}
						second.Close()
						checkManifest(t, path, first)
						if diff := cmp.Diff(files(t, out), files(t, again)); diff != "" {
							t.Errorf("%s: a second conversion gives other bytes: %s", path, diff)
						}
					}
					if first != nil {
						first.Close()
					}
					closer()
				}
			}
			if converted == 0 {
				t.Error("nothing was converted")
			}
			t.Logf("%d sessions converted, %d refused", converted, refused)
		})
	}
}
