package trajectory

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"pgregory.net/rapid"
)

// library compiles the definitions of a schema with a library that knows all of
// JSON Schema.
func library(t *testing.T, file string) (*schema, map[string]*jsonschema.Schema) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../schema", file))
	if err != nil {
		t.Fatal(err)
	}
	own, err := parseSchema(text)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(own.ID, bytes.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	all := map[string]*jsonschema.Schema{}
	for name := range own.Defs {
		if all[name], err = c.Compile(own.ID + "#/$defs/" + name); err != nil {
			t.Fatal(err)
		}
	}
	if all[""], err = c.Compile(own.ID); err != nil {
		t.Fatal(err)
	}
	return own, all
}

// TestSchemaAgrees holds the checks against those of a library, on records and
// rows that have been damaged in all ways that the schemas speak of.
func TestSchemaAgrees(t *testing.T) {
	samples := []string{meta, user, assistant, call, answer, row(meta), row(call)}
	for _, file := range []string{"trajectory-v1.schema.json", "trajectory-canonical-v1.schema.json"} {
		own, all := library(t, file)
		names := slices.Sorted(maps.Keys(all))
		accepted := 0
		rapid.Check(t, func(t *rapid.T) {
			v, err := decode([]byte(rapid.SampledFrom(samples).Draw(t, "sample")))
			if err != nil {
				t.Fatal(err)
			}
			for range rapid.IntRange(0, 3).Draw(t, "damages") {
				v = damage(t, v)
			}
			name := rapid.SampledFrom(names).Draw(t, "schema")
			s := own
			if name != "" {
				s = own.Defs[name]
			} else {
				v = []any{v}
			}
			var found []string
			s.check(v, "", func(path, message string) { found = append(found, path+": "+message) })
			err = all[name].Validate(v)
			if (err == nil) != (len(found) == 0) {
				text, _ := json.Marshal(v)
				t.Errorf("%s of %s: found %q, the library says %v", text, name, found, err)
			}
			if err == nil {
				accepted++
			}
		})
		if accepted == 0 {
			t.Errorf("%s: nothing was valid", file)
		}
	}
}

// damage changes a value somewhere.
func damage(t *rapid.T, v any) any {
	other := rapid.SampledFrom([]any{
		nil, true, "", "x", "meta", "tool", "2026-01-01T00:00:00.000Z", "native", strings.Repeat("0f", 32),
		json.Number("0"), json.Number("-1"), json.Number("1.5"), json.Number("2.0"), []any{}, map[string]any{},
	}).Draw(t, "value")
	switch v := v.(type) {
	case map[string]any:
		names := append(slices.Sorted(maps.Keys(v)), "cwd", "ok", "extra~/")
		name := rapid.SampledFrom(names).Draw(t, "name")
		switch rapid.IntRange(0, 2).Draw(t, "what") {
		case 0:
			delete(v, name)
		case 1:
			v[name] = other
		default:
			if inner, ok := v[name]; ok {
				v[name] = damage(t, inner)
			}
		}
		return v
	case []any:
		if len(v) > 0 && rapid.Bool().Draw(t, "inside") {
			v[0] = damage(t, v[0])
			return v
		}
		return append(v, other)
	}
	return other
}

// TestSchemaPaths names places as JSON pointers, and bounds what it quotes.
func TestSchemaPaths(t *testing.T) {
	s, err := parseSchema([]byte(`{"properties":{"a/b~":{"items":{"type":["integer","null"],"minimum":2}}},"additionalProperties":false}`))
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	s.check(map[string]any{
		"a/b~":                   []any{json.Number("1"), nil, json.Number("2.5"), json.Number("3")},
		strings.Repeat("n", 200): true,
	}, "", func(path, message string) { found = append(found, path+": "+message) })
	slices.Sort(found)
	want := []string{
		"/a~1b~0/0: it is less than 2",
		"/a~1b~0/2: expected integer or null, found number",
		`: it must not have "` + strings.Repeat("n", 80) + `…"`,
	}
	if !slices.Equal(found, want) {
		t.Errorf("found %q, want %q", found, want)
	}
}

// TestSchemaUnknown refuses what it would not check.
func TestSchemaUnknown(t *testing.T) {
	for _, text := range []string{
		`{"maxLength":3}`, `{"items":{"format":"date"}}`, `{"additionalProperties":{"type":"string"}}`,
		`{"$ref":"#/$defs/none"}`, `{"$ref":"other.json"}`, `{"pattern":"("}`, `{"properties":{"a":{"$ref":"#"}}}`, `[]`,
	} {
		if s, err := parseSchema([]byte(text)); err == nil {
			t.Errorf("%s is taken for %+v", text, s)
		}
	}
}
