package expr

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/value"
)

// Every expression is run by its closures and by cel-go, on many values.

func TestClosuresAgreeWithCEL(t *testing.T) {
	for _, src := range expressions {
		agree(t, testStatic, src, true)
	}
	for _, src := range slowExpressions {
		agree(t, testStatic, src, false)
	}
}

// Nothing is said about a function of the library that no expression calls.
func TestEveryFunctionIsCompared(t *testing.T) {
	for _, f := range Functions() {
		if !slices.ContainsFunc(expressions, func(src string) bool { return strings.Contains(src, f.Name+"(") }) {
			t.Errorf("no expression calls %s", f.Name)
		}
	}
}

func TestSpikeMappingsAgreeWithCEL(t *testing.T) {
	files, _ := filepath.Glob("../../../shared/design/spike-mappings/*.yaml")
	if len(files) == 0 {
		t.Skip("the design documents are not beside the repository")
	}
	count := 0
	for _, f := range files {
		static, exprs := mappingExpressions(t, f)
		for _, src := range exprs {
			count++
			agree(t, static, src, !strings.Contains(src, "never"))
		}
	}
	if count < 100 {
		t.Errorf("only %d expressions were found", count)
	}
}

// agree compiles src both ways and compares what they give on all test values.
func agree(t *testing.T, static *Static, src string, native bool) {
	t.Helper()
	env, err := NewEnv()
	if err != nil {
		t.Fatal(err)
	}
	p, found := env.Compile(src, static)
	if len(found) > 0 {
		t.Errorf("%s: %v", src, found)
		return
	}
	is := &issues{src: src}
	slow := env.slow(src, static, is)
	if len(is.list) > 0 {
		t.Errorf("%s: cel-go: %v", src, is.list)
		return
	}
	if got := isNative(env, static, src); got != native {
		t.Errorf("%s: has closures: %v, want %v", src, got, native)
	}
	for _, json := range testValues {
		s := testScope(json)
		want, wantOK := slow.eval(s)
		reason := s.reason
		wantText := want.AppendSorted(nil)
		wantTest, _ := slow.test(s)
		got, gotOK := p.eval(s)
		if text := got.AppendSorted(nil); gotOK != wantOK || gotOK && !bytes.Equal(text, wantText) {
			t.Errorf("%s\non %.200s\ngave %s, %v (%s)\nwant %s, %v (%s)", src, json, text, gotOK, s.reason, wantText, wantOK, reason)
		}
		if b, ok := p.test(s); ok != wantOK || ok && b != wantTest {
			t.Errorf("%s\non %.200s\ntests %v, %v, want %v, %v", src, json, b, ok, wantTest, wantOK)
		}
		if len(s.stack) != 0 {
			t.Fatalf("%s: left %d values on the stack", src, len(s.stack))
		}
	}
}

func isNative(env *Env, static *Static, src string) bool {
	is := &issues{src: src}
	n := parse(src, is)
	c := &checker{issues: is, env: env, static: static}
	c.check(n)
	return n.code().native()
}

var testStatic = &Static{
	Lets:  []Let{{Name: "t"}, {Name: "flag", Bool: true}, {Name: "off", Bool: true}, {Name: "t"}},
	Facts: []Fact{{Name: "has_main", Bool: true}, {Name: "preserved"}, {Name: "exit", Map: true}, {Name: "turns", Int: true}},
	Files: []string{"summary"}, Nulls: true,
}

func testScope(json string) *Scope {
	s := &Scope{Arena: new(value.Arena), Line: 7, Index: 2, Ordinal: 9, Facts: testFacts{}}
	s.Failed = func(*Program, string) {}
	if json != "" {
		s.It = value.MustParse(json)
	}
	s.Frame, s.Doc = s.It, s.It
	s.Lets = []value.Value{value.MustParse(`"shadowed"`), value.Of(true), {}, value.MustParse(`"let \n text"`)}
	s.Files = func(string) value.Value { return value.MustParse(`{"info":{"cwd":"/work"}}`) }
	s.File = func() value.Value { return value.MustParse(`"/store/a/b.jsonl"`) }
	return s
}

// testFacts are the facts of any mapping.
type testFacts struct{}

var factValues = []value.Value{value.Of(true), value.MustParse(`["a","b"]`), {}, value.MustParse(`3`)}

func (testFacts) Fact(n int) value.Value {
	return factValues[n%len(factValues)]
}

func (testFacts) MapFact(_ int, key string) value.Value {
	if key == "c1" {
		return value.MustParse("0")
	}
	return value.Value{}
}

var conditionKeys = []string{"if", "detect", "any", "count", "keep_if", "leaf_if", "nodes"}

// mappingExpressions finds the expressions of the reading half of a mapping.
func mappingExpressions(t *testing.T, file string) (*Static, []string) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var root yaml.Node
	if err := yaml.Unmarshal(data, &root); err != nil {
		t.Fatal(err)
	}
	static := &Static{Files: []string{"summary", "state"}}
	var exprs []string
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		if n.Kind == yaml.ScalarNode && strings.HasPrefix(n.Value, "= ") {
			exprs = append(exprs, n.Value[2:])
		}
		for i, c := range n.Content {
			if n.Kind != yaml.MappingNode {
				walk(c)
				continue
			}
			if i%2 == 0 {
				continue
			}
			switch key := n.Content[i-1].Value; {
			case key == "write", key == "resume", key == "native":
				continue
			case slices.Contains(conditionKeys, key) && c.Kind == yaml.ScalarNode:
				exprs = append(exprs, c.Value)
			case key == "let" && c.Kind == yaml.MappingNode:
				for j := 0; j < len(c.Content); j += 2 {
					static.Lets = append(static.Lets, Let{Name: c.Content[j].Value})
				}
			case key == "session":
				for j := 0; j < len(c.Content); j += 2 {
					f := Fact{Name: c.Content[j].Value}
					if spec := c.Content[j+1]; spec.Kind == yaml.MappingNode {
						f.Map, f.Bool, f.Int = spec.Content[0].Value == "map", spec.Content[0].Value == "any", spec.Content[0].Value == "count"
					}
					static.Facts = append(static.Facts, f)
				}
			}
			walk(c)
		}
	}
	walk(&root)
	return static, exprs
}
