package mapping

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v5"
	"go.yaml.in/yaml/v3"
)

var update = flag.Bool("update", false, "rewrite the files that tests compare with")

const schemaFile = "../../schema/mapping-v1.schema.json"

func TestJSONSchemaIsCurrent(t *testing.T) {
	golden(t, schemaFile, JSONSchema())
}

// golden compares with a file, or rewrites it with -update.
func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (write it with -update)", err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s is not current, rewrite it with -update (-want +got):\n%s", file, diff)
	}
}

func compileSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	if err := c.AddResource("mapping.json", bytes.NewReader(JSONSchema())); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("mapping.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// generic is a YAML file as JSON Schema sees it.
func generic(t *testing.T, data []byte) any {
	t.Helper()
	var v any
	if err := yaml.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// mappingFiles are the mappings that must be accepted: those that ship, and
// those of the tests.
func mappingFiles(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"../../mappings/*.yaml", "testdata/*.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, files...)
	}
	if len(all) == 0 {
		t.Fatal("there are no mappings to test with")
	}
	return all
}

func TestJSONSchemaAcceptsMappings(t *testing.T) {
	s := compileSchema(t)
	for _, file := range mappingFiles(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(generic(t, data)); err != nil {
			t.Errorf("%s: %#v", file, err)
		}
	}
}

func TestJSONSchemaRefuses(t *testing.T) {
	const valid = `
mapping: v1
harness: h
read:
  - format: f
    frames: jsonl
    kind: type
    rules:
      a: {user: text}
write:
  home: ~/.h
  id: seed
  files: [{path: a, frames: [{frame: {a: 1}}]}]
resume: {argv: [h]}
`
	s := compileSchema(t)
	if err := s.Validate(generic(t, []byte(valid))); err != nil {
		t.Fatalf("the valid one: %v", err)
	}
	for _, fault := range []struct{ from, to string }{
		{"harness: h", "harness: h\nharnes: h"},
		{"mapping: v1", "mapping: v2"},
		{"harness: h", "harness: H h"},
		{"frames: jsonl", "frames: lines"},
		{"frames: jsonl", "frames: {jsn: a}"},
		{"{user: text}", "{usr: text}"},
		{"{user: text}", "{user: {content: text, tme: x}}"},
		{"{user: text}", "{tool_call: {nme: x}}"},
		{"{user: text}", "[{user: text, iff: a}]"},
		{"kind: type", "kind: type\n    ignred: []"},
		{"kind: type", "kind: type\n    active: {tree: {id: a, parnt: b}}"},
		{"  - format: f\n    frames: jsonl", "  - format: f"},
		{"id: seed", "idd: seed"}, {"home: ~/.h", "home: h"}, {"{path: a, ", "{"}, {"frames: [{frame", "frames: [{fram"}, {"[h]}", "[h], agv: [h]}"}, {"resume: {argv", "resume: {arg"}, {"home: ~/.h", "home: ~/.h\n  gate: {image: drop}"},
	} {
		text := strings.Replace(valid, fault.from, fault.to, 1)
		if text == valid {
			t.Fatalf("%q is not in the mapping", fault.from)
		}
		if err := s.Validate(generic(t, []byte(text))); err == nil {
			t.Errorf("accepted %q", fault.to)
		}
	}
}

// Every form and construct that the table names must be there, and every
// construct must be reachable.
func TestTableIsWhole(t *testing.T) {
	used := map[string]bool{"mapping": true}
	var visit func(f *form)
	visit = func(f *form) {
		if f == nil {
			return
		}
		if f.kind == constructForm {
			if constructs[f.ref] == nil {
				t.Errorf("no construct %q", f.ref)
			}
			used[f.ref] = true
		}
		visit(f.of)
		for _, f := range f.any {
			visit(f)
		}
	}
	for _, c := range slices.Concat(table, writing) {
		for _, k := range c.keys {
			if k.doc == "" {
				t.Errorf("%s.%s has no documentation", c.name, k.name)
			}
			visit(k.form)
		}
	}
	used["form"] = true // by templates
	for _, c := range slices.Concat(table, writing) {
		if !used[c.name] {
			t.Errorf("nothing leads to the construct %q", c.name)
		}
	}
}
