package mapping

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/diag"
)

func parseFile(t testing.TB, file string) *Mapping {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m, found := Parse(filepath.Base(file), data)
	if len(found) > 0 {
		t.Fatalf("%s: %v", file, found)
	}
	return m
}

// The mapping with every construct in it gives the tree in the text beside it.
func TestParse(t *testing.T) {
	golden(t, "testdata/all.txt", []byte(dump(parseFile(t, "testdata/all.yaml"))))
}

// That tree says something about every key only if every key is in the mapping.
func TestAllKeysAreTested(t *testing.T) {
	data, err := os.ReadFile("testdata/all.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var root yaml.Node
	if err := yaml.Unmarshal(data, &root); err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	var walk func(n *yaml.Node, f *form)
	walk = func(n *yaml.Node, f *form) {
		switch {
		case f == nil:
		case f.kind == templateForm && n.Kind == yaml.MappingNode && isForm(n):
			walk(n, a("form"))
		case f.kind == templateForm && n.Kind == yaml.MappingNode:
			for i := 1; i < len(n.Content); i += 2 {
				walk(n.Content[i], f)
			}
		case f.kind == templateForm && n.Kind == yaml.SequenceNode:
			for _, item := range n.Content {
				walk(item, f)
			}
		case f.kind == constructForm && n.Kind == yaml.MappingNode:
			c := constructs[f.ref]
			for i := 0; i < len(n.Content); i += 2 {
				k := c.key(n.Content[i].Value)
				if k != nil {
					used[c.name+"."+k.name] = true
					walk(n.Content[i+1], k.form)
				}
			}
		case f.kind == mapForm:
			for i := 0; i < len(n.Content); i += 2 {
				walk(n.Content[i+1], f.of)
			}
		case f.kind == listForm || f.kind == manyForm:
			for _, item := range items(n) {
				walk(item, f.of)
			}
		case f.kind == eitherForm:
			for _, f := range f.any {
				if f.accepts(n) {
					walk(n, f)
					break
				}
			}
		}
	}
	walk(root.Content[0], a("mapping"))
	for _, c := range slices.Concat(table, writing) {
		for _, k := range c.keys {
			if !used[c.name+"."+k.name] {
				t.Errorf("testdata/all.yaml has no %s in %s", k.name, c.name)
			}
		}
	}
}

func TestParseShared(t *testing.T) {
	m := parseFile(t, "testdata/all.yaml")
	use := func(steps []*Step, i int) *Block { return steps[i].Block }
	blocks := m.Blocks[0].Block
	if got := use(m.Formats[0].Block.Table["message"].Steps, 6); got != blocks {
		t.Error("the block that a step uses is not the named one")
	}
	again, once := m.Blocks[2].Block, m.Blocks[1].Block
	if len(once.Do) != 1 || once.Do[0] != again.Do[0] {
		t.Error("a block that is another does not do the same")
	}
	if got := use(blocks.Table["call"].Steps, 1); got != again {
		t.Error("a named block that uses another has a copy of it")
	}
	binary := m.Formats[slices.IndexFunc(m.Formats, func(f *Format) bool { return f.Name == "binary" })].Block
	if len(binary.Before) != 1 || len(binary.Do) != 1 || binary.Do[0] != again.Do[0] {
		t.Errorf("before and use: %d steps before, %d after", len(binary.Before), len(binary.Do))
	}
	for i, s := range m.Steps {
		if s.ID != i {
			t.Errorf("step %d has the ID %d", i, s.ID)
		}
	}
	if want := []string{"folder", "database", "databases", "binary", "many"}; m.Unchecked.Paths != 0 || !slices.Equal(m.Unchecked.Formats, want) {
		t.Errorf("unchecked: %+v", m.Unchecked)
	}
}

// A let of a place that uses a block must survive the block's own.
func TestLetSlotsOfSharedBlocks(t *testing.T) {
	m, found := Parse("m.yaml", []byte(`
mapping: v1
harness: h
blocks:
  b: {do: [{let: {x: a, y: = x}, user: = y}]}
read:
  - format: f
    frames: jsonl
    do:
      - use: b
      - let: {p: a, q: = p}
        do:
          - let: {r: = q}
            do: [{use: b}, {user: = r}]
`))
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	var slots []int
	for _, l := range m.Blocks[0].Do[0].Lets {
		slots = append(slots, l.Slot)
	}
	if len(slots) != 2 || slots[0] != 3 || slots[1] != 4 || m.Formats[0].Lets != 5 {
		t.Errorf("slots %v of %d", slots, m.Formats[0].Lets)
	}
}

// Places of use multiply along a chain of blocks; the work must not.
func TestManyPlacesOfUse(t *testing.T) {
	b := strings.Builder{}
	b.WriteString("mapping: v1\nharness: h\nnative:\n  shapes: {a: {x: b, y: b|str}, b: {x: a, y: a|num}}\n  frame: {x: a, y: b}\nblocks:\n")
	const chain = 40
	for i := range chain {
		fmt.Fprintf(&b, "  b%d: {do: [{with: x, use: b%d}, {with: y, use: b%d}]}\n", i, i+1, i+1)
	}
	fmt.Fprintf(&b, "  b%d: {do: [{user: x}]}\nread: [{format: f, frames: jsonl, use: b0}]\n", chain)
	done := make(chan diag.List)
	go func() {
		_, found := Parse("m.yaml", []byte(b.String()))
		done <- found
	}()
	select {
	case found := <-done:
		if err := found.Err(); err != nil {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("still at it")
	}
}

// Facts have the same number wherever blocks are shared, and a stage after those
// that they read.
func TestFactNumbers(t *testing.T) {
	m, found := Parse("m.yaml", []byte(`
mapping: v1
harness: h
session: {a: {first: a}, b: {any: it.b == 1}}
blocks:
  b: {do: [{if: session.b && session.late != null, user: = session.a}]}
read:
  - format: f
    frames: jsonl
    session: {own: {first: '= session.b ? it.x : null'}, late: {last: x, if: session.own == null}}
    use: b
  - format: g
    frames: jsonl
    session: {late: {first: y}, b: {any: it.c == 1}, more: {first: a}}
    before: {if: session.more != null, user: text}
    use: b
`))
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	type fact struct {
		name  string
		stage int
	}
	for i, want := range [][]fact{
		{{"a", 0}, {"b", 0}, {"own", 1}, {"late", 2}},
		{{"a", 0}, {"b", 0}, {"", 0}, {"late", 0}, {"more", 0}},
	} {
		got := m.Formats[i].Session
		if len(got) != len(want) {
			t.Fatalf("format %d has %d facts", i, len(got))
		}
		for n, f := range got {
			if f.Name != want[n].name || f.Stage != want[n].stage {
				t.Errorf("format %d, fact %d: %s, stage %d", i, n, f.Name, f.Stage)
			}
			if f.Name == "" && (f.On == nil || len(f.On) > 0) {
				t.Error("a fact of other formats must be on no kind")
			}
		}
	}
	if b := m.Formats[1].Session[1]; b.Value.Source != "it.c == 1" {
		t.Errorf("the format's own fact does not replace the mapping's: %s", b.Value.Source)
	}
}

// Ignored kinds are known to drift, on the very shape that a block looks at.
func TestIgnoredKindsAreNoDrift(t *testing.T) {
	m := parseFile(t, "testdata/all.yaml")
	frame := m.Formats[0].Native.Frame
	if !frame.Switch.Opaque["leaf"] || frame.Switch.Opaque["never"] {
		t.Errorf("of frames: %v", frame.Switch.Opaque)
	}
	content, _ := frame.Switch.Kinds["message"].Member("content")
	block := content.Elem().Switch
	if !block.Opaque["separator"] || len(block.Prefixes) != 1 || block.Prefixes[0] != "thinking." {
		t.Errorf("of blocks: %v %v", block.Opaque, block.Prefixes)
	}
}

// The reading halves of the mappings that the language was designed with.
func TestDesignedMappings(t *testing.T) {
	files, _ := filepath.Glob("../../../shared/design/spike-mappings/*.yaml")
	if len(files) == 0 {
		t.Skip("the designed mappings are not at hand")
	}
	writing := regexp.MustCompile(`(?ms)^(write|resume):.*`)
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text := writing.ReplaceAllString(string(data), "")
		text = strings.Replace(text, "    require: [doc.info != null]\n", "", 1)
		_, found := Parse(filepath.Base(file), []byte(text))
		for _, f := range found {
			if f.Code != diag.NoModeline {
				t.Errorf("%v", &f)
			}
		}
	}
}

func TestShippedMappings(t *testing.T) {
	files, _ := filepath.Glob("../../mappings/*.yaml")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, found := Parse(file, data); len(found) > 0 {
			t.Errorf("%v", found)
		}
	}
}

func TestCompareVersions(t *testing.T) {
	ascending := []string{"0.9", "0.9.1", "0.10", "0.118.0", "0.142.0-alpha.1", "0.142.0-alpha.2", "0.142.0", "1", "1.0.1", "10.0"}
	for i := range ascending {
		for j := range ascending {
			got := CompareVersions(ascending[i], ascending[j])
			if got < 0 != (i < j) || got > 0 != (i > j) {
				t.Errorf("%s, %s: %d", ascending[i], ascending[j], got)
			}
		}
	}
	if CompareVersions("1.0", "1") != 0 {
		t.Error("1.0 is not 1")
	}
}

func TestVersions(t *testing.T) {
	for _, c := range []struct {
		rng, version string
		want         bool
	}{
		{">=0.9 <0.146", "0.9", true},
		{">=0.9 <0.146", "0.145.9", true},
		{">=0.9 <0.146", "0.146", false},
		{">=0.9 <0.146", "0.8.9", false},
		{"<=1.0", "1.0", true},
		{"<=1.0", "1.0.1", false},
		{">= 2.1", "10.0", true},
	} {
		v, ok := parseVersions(c.rng)
		if !ok || v.Includes(c.version) != c.want {
			t.Errorf("%s includes %s: %t, %t", c.rng, c.version, v.Includes(c.version), ok)
		}
	}
}

// What a start of the program costs: the largest of the mappings that ship.
func BenchmarkParse(b *testing.B) {
	var largest []byte
	files, _ := filepath.Glob("../../mappings/*.yaml")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		if len(data) > len(largest) {
			largest = data
		}
	}
	b.SetBytes(int64(len(largest)))
	b.ReportAllocs()
	for b.Loop() {
		if _, found := Parse("m.yaml", largest); found.Err() != nil {
			b.Fatal(found)
		}
	}
}
