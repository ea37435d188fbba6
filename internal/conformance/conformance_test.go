// Package conformance holds the engine and the shipped mappings against the
// reference of trajectory-v1: its fixtures, its canonical golden files, and the
// hashes of its output for generated inputs. They lie outside the project; where
// they are not at hand the tests are skipped.
package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/read"
	"github.com/trajmap/trajmap/engine/trajectory"
)

const shared = "../../../shared"

// fixtures is the folder of the reference's fixtures.
func fixtures(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(shared, "conformance/letta-0.3.0")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the reference's fixtures are not at hand")
	}
	return dir
}

// harness names the mapping for a folder of fixtures.
func harness(folder string) string {
	if folder == "copilot-cli" {
		return "copilot"
	}
	return folder
}

func load(t *testing.T, name string) *mapping.Mapping {
	t.Helper()
	c, err := engine.NewCatalog()
	if err != nil {
		t.Fatal(err)
	}
	m, err := c.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	return m.Mapping
}

// output reads one file and gives its records, a line each.
func output(t *testing.T, m *mapping.Mapping, path string, o normalize.Options, canonical bool) ([]byte, *read.Result) {
	t.Helper()
	in, closer, err := frame.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer closer()
	var out lines
	result, err := read.New(m).Read(context.Background(), in, read.Options{Normalize: o}, func(p *normalize.Plan) (normalize.Sink, error) {
		if !canonical {
			return &out, nil
		}
		c, err := p.Canonical()
		out.canonical = c
		return &out, err
	})
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return out.buf, result
}

type lines struct {
	canonical *normalize.Canonical
	buf       []byte
}

func (l *lines) Record(r *normalize.Record) error {
	if l.canonical != nil {
		l.buf = l.canonical.Append(l.buf, r)
	} else {
		l.buf = r.AppendV1(l.buf)
	}
	l.buf = append(l.buf, '\n')
	return nil
}

func decodeLines(t *testing.T, b []byte) []any {
	t.Helper()
	var out []any
	for line := range bytes.Lines(b) {
		var v any
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		out = append(out, v)
	}
	return out
}

// comparable drops what is ours: message texts and our own codes.
func comparableDiagnostics(ds []trajectory.Diagnostic) []trajectory.Diagnostic {
	var out []trajectory.Diagnostic
	for _, d := range ds {
		if d.Code == trajectory.UnmappedFrame {
			continue
		}
		d.Message = ""
		out = append(out, d)
	}
	return out
}

func TestFixtures(t *testing.T) {
	dir := fixtures(t)
	cases, err := filepath.Glob(filepath.Join(dir, "*", "*", "expected.json"))
	if err != nil || len(cases) == 0 {
		t.Fatal("no fixtures found", err)
	}
	for _, expected := range cases {
		folder := filepath.Dir(expected)
		name, _ := filepath.Rel(dir, folder)
		t.Run(filepath.ToSlash(name), func(t *testing.T) {
			inputs, _ := filepath.Glob(filepath.Join(folder, "input.*"))
			if len(inputs) != 1 {
				t.Skip("no single input file")
			}
			m := load(t, harness(strings.Split(filepath.ToSlash(name), "/")[0]))
			var want struct {
				Records     []any
				Diagnostics []trajectory.Diagnostic
			}
			data, err := os.ReadFile(expected)
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(data, &want); err != nil {
				t.Fatal(err)
			}
			got, result := output(t, m, inputs[0], normalize.Options{}, false)
			if diff := cmp.Diff(want.Records, decodeLines(t, got)); diff != "" {
				t.Errorf("records (-reference +ours):\n%s", diff)
			}
			if diff := cmp.Diff(comparableDiagnostics(want.Diagnostics), comparableDiagnostics(result.Diagnostics)); diff != "" {
				t.Errorf("diagnostics (-reference +ours):\n%s", diff)
			}
		})
	}
}

func TestCanonicalGolden(t *testing.T) {
	dir := fixtures(t)
	golden, err := filepath.Glob(filepath.Join(dir, "canonical", "*.json"))
	if err != nil || len(golden) == 0 {
		t.Fatal("no golden files found", err)
	}
	for _, path := range golden {
		source, fixture, _ := strings.Cut(strings.TrimSuffix(filepath.Base(path), ".json"), "__")
		t.Run(source+"/"+fixture, func(t *testing.T) {
			inputs, _ := filepath.Glob(filepath.Join(dir, source, fixture, "input.*"))
			if len(inputs) != 1 {
				t.Skip("no single input file")
			}
			m := load(t, harness(source))
			var want struct{ Records []any }
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(data, &want); err != nil {
				t.Fatal(err)
			}
			got, _ := output(t, m, inputs[0], normalize.Options{}, true)
			if diff := cmp.Diff(want.Records, decodeLines(t, got)); diff != "" {
				t.Errorf("rows (-reference +ours):\n%s", diff)
			}
		})
	}
}
