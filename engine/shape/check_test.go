package shape

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/diag"
	"github.com/trajmap/trajmap/engine/value"
)

const schema = `
shapes:
  content: str|blocks
  blocks: [block]
  block:
    kind: type
    kinds:
      text: {text: str!}
      image, document: {source: any, title: any}
      call: {id: str!, input: any!, caller: any, nested: content}
      opaque: any
  deep: {kind: update.kind, kinds: {a: {update: {x: num}}, b: {update: {y: num, kind: str}}}}
frame:
  kind: type
  all: {id: str, parent: str|null, at: str!, n: num, ok: bool, origin: {kind: str, _: any}}
  kinds:
    message: {role: str!, content: content!}
    tree: {left: node, right: node}
    step: {kind: state, all: {state: str}, kinds: {open: {a: num}, done: {b: num!}}}
    event: {payload: deep}
    nothing: {}
    free: {_: any}
`

// parse reads a schema, and gives its frame.
func parse(t testing.TB, text string) (*Shape, diag.List) {
	t.Helper()
	var root yaml.Node
	if err := yaml.Unmarshal([]byte(text), &root); err != nil {
		t.Fatal(err)
	}
	r := diag.NewReporter("s.yaml", []byte(text))
	names := ParseNames(r, member(root.Content[0], "shapes"), nil)
	frame := names.Parse(member(root.Content[0], "frame"))
	return frame, r.Found
}

func frameShape(t testing.TB) *Shape {
	t.Helper()
	s, found := parse(t, strings.Replace(schema, "frame:", "  node: {left: node, right: node, tag: str}\nframe:", 1))
	if len(found) > 0 {
		t.Fatal(found)
	}
	s.Switch.Ignore("mode", false)
	s.Switch.Ignore("file.", true)
	return s
}

func TestCheck(t *testing.T) {
	s := frameShape(t)
	for _, c := range []struct {
		frame string
		want  []string
	}{
		{`{"type":"message","at":"t","role":"user","content":"x","parent":null}`, nil},
		{`{"type":"message","at":"t","role":"user","content":[{"type":"text","text":"x"},{"type":"opaque","any":[1]},{"type":"image","source":{"a":1}}]}`, nil},
		{`{"type":"message","at":"t","role":"user","content":7}`, []string{"content: num where str|list"}},
		{`{"type":"message","at":"t","role":null,"content":[{"type":"text"},3,{"type":"texts","text":"x"}]}`,
			[]string{"content[].text: missing", "content[]: num where object", "content[]: unknown kind texts", "role: null where str"}},
		{`{"type":"message","at":"t","role":"user","content":[{"type":"call","id":"1","input":{},"nested":[{"type":"text","text":1}]}]}`,
			[]string{"content[].nested[].text: num where str"}},
		{`{"type":"message","role":"user","content":"x","new":{"deep":1},"n":"1","ok":0,"id":[]}`,
			[]string{"new: new key", "n: str where num", "ok: num where bool", "id: list where str", "at: missing"}},
		{`{"type":"mesage","at":"t","role":1}`, []string{": unknown kind mesage"}},
		{`{"at":"t"}`, []string{": unknown kind "}},
		{`{"type":7,"at":"t"}`, []string{": unknown kind "}},
		{`{"type":"mode","whatever":1}`, nil},
		{`{"type":"file.history","whatever":1}`, nil},
		{`{"type":"file","at":"t"}`, []string{": unknown kind file"}},
		{`{"type":"nothing","at":"t","x":1}`, []string{"x: new key"}},
		{`{"type":"free","at":"t","x":1,"origin":{"kind":"k","more":1}}`, nil},
		{`{"type":"free","at":"t","origin":{"kind":1}}`, []string{"origin.kind: num where str"}},
		{`{"type":"tree","at":"t","left":{"left":{"right":{"tag":1}}}}`, []string{"left.left.right.tag: num where str"}},
		{`{"type":"step","at":"t","state":"done","b":1}`, nil},
		{`{"type":"step","at":"t","state":"done","a":1}`, []string{"a: new key", "b: missing"}},
		{`{"type":"step","at":"t","state":"gone"}`, []string{": unknown kind gone"}},
		{`{"type":"event","at":"t","payload":{"update":{"kind":"a","x":1}}}`, nil},
		{`{"type":"event","at":"t","payload":{"update":{"kind":"b","x":1}}}`, []string{"payload.update.x: new key"}},
		{`{"type":"event","at":"t","payload":{"update":{"kind":"c"}}}`, []string{"payload: unknown kind c"}},
		{`{"t\u0079pe":"m\u0065ssage","at":"t","r\u006fle":"user","content":"x","\u006e\u0065w":1}`, []string{"new: new key"}},
		{`[1]`, []string{": list where object"}},
		{`null`, []string{": null where object"}},
	} {
		var got []string
		s.Check(value.MustParse(c.frame), func(path string, p Problem) {
			got = append(got, fmt.Sprintf("%s: %v", path, p))
		})
		slices.Sort(got)
		slices.Sort(c.want)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.frame, diff)
		}
	}
}

func TestCheckOfUnknownShape(t *testing.T) {
	var s *Shape
	s.Check(value.MustParse(`{"a":1}`), func(path string, p Problem) { t.Errorf("%s: %v", path, p) })
}

const regularFrame = `{"type":"message","id":"1","parent":"0","at":"t","n":1,"ok":true,"role":"user","content":[{"type":"text","text":"x"},{"type":"call","id":"1","input":{"a":[1,2,3]},"nested":"y"}]}`

func TestCheckAllocatesNothing(t *testing.T) {
	s := frameShape(t)
	v := value.MustParse(regularFrame)
	report := func(path string, p Problem) { t.Errorf("%s: %v", path, p) }
	if n := testing.AllocsPerRun(100, func() { s.Check(v, report) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkCheck(b *testing.B) {
	s := frameShape(b)
	v := value.MustParse(regularFrame)
	b.SetBytes(int64(len(regularFrame)))
	b.ReportAllocs()
	for b.Loop() {
		s.Check(v, func(string, Problem) {})
	}
}

func TestParseUnions(t *testing.T) {
	s, found := parse(t, `
shapes:
  a: b|num
  b: str|c
  c: [a]
  own: {self: own, more: "own|null", list: "[own]|str"}
  alias: own
frame: {x: a!, y: "alias|bool", z: a|null}
`)
	if len(found) > 0 {
		t.Fatal(found)
	}
	x, _ := s.Member("x")
	if x.Types != Str|Num|List || x.Elem() != x {
		t.Errorf("x: %s of %p in %p", x.Types, x.Elem(), x)
	}
	if !s.Fields[0].Required || s.Fields[1].Required {
		t.Error("x is always there, y is not")
	}
	y, _ := s.Member("y")
	self, _ := y.Member("self")
	more, _ := self.Member("more")
	list, _ := more.Member("list")
	if y.Types != Object|Bool || more.Types != Object|Null || list.Types != List|Str || list.Elem() != self {
		t.Errorf("y: %s, more: %s, list: %s", y.Types, more.Types, list.Types)
	}
}

func TestNamesOfOuterScope(t *testing.T) {
	r := diag.NewReporter("s.yaml", nil)
	node := func(text string) *yaml.Node {
		var root yaml.Node
		if err := yaml.Unmarshal([]byte(text), &root); err != nil {
			t.Fatal(err)
		}
		return root.Content[0]
	}
	outer := ParseNames(r, node("{a: {x: str}, b: {y: str}}"), nil)
	inner := ParseNames(r, node("{b: {z: a}}"), outer)
	s := inner.Parse(node("{a: a, b: b}"))
	if len(r.Found) > 0 {
		t.Fatal(r.Found)
	}
	b, _ := s.Member("b")
	z, ok := b.Member("z")
	if _, has := z.Member("x"); !ok || !has {
		t.Error("the inner name does not hide the outer one")
	}
}
