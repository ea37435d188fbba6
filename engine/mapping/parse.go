package mapping

import (
	"crypto/sha256"
	"encoding/hex"

	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/diag"
	"github.com/trajmap/trajmap/engine/expr"
	"github.com/trajmap/trajmap/engine/shape"
)

// decoder makes a mapping of YAML nodes.
type decoder struct {
	report   *diag.Reporter
	env      *expr.Env
	m        *Mapping
	natives  []*native
	own      *native        // the mapping's
	session  []entry        // the mapping's facts
	numbers  map[string]int // of facts, by name
	blocks   map[string]*namedBlock
	order    []*namedBlock // as declared
	narrower narrower
	reads    reads
	letKeys  map[*yaml.Node]bool // where each `let` is declared
	copies   []blockCopy
	lets     int // the most that are named at one place

	places    map[*expr.Program]Pos // of what the writing half runs
	asked     *shape.Shape          // of `options`, where the mapping has some of its own
	faultyAll map[*yaml.Node]bool   // members of `all` of which a fault has been told
	outBlock  map[string]*outBlock  // of `write`
	outOrder  []string              // their names

	// trial: only findings are wanted; the block is read again for its steps.
	trial   *trial
	tried   *trial // of the block that is being read for its steps
	handled map[*shape.Switch]*handled
}

// Parse reads a mapping, checks it and compiles its expressions. file is its
// name in findings. There is a mapping only when [diag.List.Err] of the list is
// nil; a list of warnings comes with one.
func Parse(file string, data []byte) (*Mapping, diag.List) {
	report := diag.NewReporter(file, data)
	m := parse(report, data)
	report.Found.Sort()
	if report.Found.Err() != nil {
		return nil, report.Found
	}
	sum := sha256.Sum256(data)
	m.SHA256 = hex.EncodeToString(sum[:])
	return m, report.Found
}

func parse(report *diag.Reporter, data []byte) *Mapping {
	root := document(report, data)
	if root == nil {
		return nil
	}
	env, err := expr.NewEnv()
	if err != nil {
		report.Errorf(diag.BadExpression, 0, 0, 0, "the expression language cannot be set up: %v", err)
		return nil
	}
	d := &decoder{
		report: report, env: env, m: &Mapping{File: report.File},
		blocks: map[string]*namedBlock{}, narrower: narrower{},
		handled: map[*shape.Switch]*handled{},
		letKeys: map[*yaml.Node]bool{}, faultyAll: map[*yaml.Node]bool{}, places: map[*expr.Program]Pos{},
		reads: reads{facts: map[string]bool{}, lets: map[*yaml.Node]bool{}},
	}
	o := d.object(root, "mapping")
	if o == nil {
		return nil
	}
	d.mapping(o)
	d.lint(o)
	return d.m
}

// mapping reads the top level. Formats come before the blocks that they use,
// whose values are checked for each place from which they are used.
func (d *decoder) mapping(o *object) {
	m := d.m
	m.Version = o.text("mapping")
	m.Harness = o.text("harness")
	m.Title = o.text("title")
	m.Aliases = d.texts(o, "aliases")
	m.Notes = d.texts(o, "notes")
	m.GroupRequired = o.is("group_required")
	if m.Source = o.text("source"); m.Source == "" {
		m.Source = m.Harness
	}
	d.own = d.native(o.at("native"), nil)
	if n := o.at("session"); n != nil {
		d.session = d.entries(n)
	}
	d.declareBlocks(o.at("blocks"))
	d.formats(o.at("read"))
	d.stores(o.at("store"))
	d.namedBlocks()
	m.Write = d.write(o.at("write"))
	m.Resume = d.resume(o)
	if m.Write != nil {
		words(o.at("write"), m.Write.Words)
		words(o.at("resume"), m.Write.Words)
		m.Write.Places = d.places
	}
	d.link()
	d.evidence()
	for _, f := range m.Formats {
		f.Lets = d.lets
	}
}
