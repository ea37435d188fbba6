package mapping

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/diag"
)

// outBlock is an entry of `blocks` of `write`.
type outBlock struct {
	key, steps *yaml.Node
	used, open bool // by some place; while it is being read
	faulty     bool // findings in it have been told
}

// outBlocks makes the names of `blocks` known. The steps are read where they are
// used, for what is known there.
func (d *decoder) outBlocks(n *yaml.Node) {
	d.outBlock = map[string]*outBlock{}
	if n == nil {
		return
	}
	for _, e := range d.entries(n) {
		if d.name(label, e.key) {
			d.outBlock[e.key.Value] = &outBlock{key: e.key, steps: e.value}
			d.outOrder = append(d.outOrder, e.key.Value)
		}
	}
}

// outUse reads the steps of a block for a place that uses it. What is wrong with
// them is told once.
func (d *decoder) outUse(n *yaml.Node, s scope) []*OutStep {
	b := d.outBlock[n.Value]
	switch {
	case b == nil:
		f := d.errorf(diag.UnknownBlock, n, "there is no block %q under write", n.Value)
		if near := diag.Nearest(n.Value, d.outOrder); near != "" {
			f.Hint = "did you mean " + near + "?"
		}
		return nil
	case b.open:
		d.errorf(diag.CyclicBlock, n, "block %q contains itself", n.Value)
		return nil
	}
	b.used, b.open = true, true
	before := len(d.report.Found)
	// Names that let gave at the place are the place's own.
	inner := s
	inner.Lets = slices.Clone(inner.Lets)
	for i := writeNames; i < len(inner.Lets); i++ {
		inner.Lets[i].Name = unsaid
	}
	steps := d.outSteps(b.steps, inner)
	b.open = false
	switch {
	case len(d.report.Found) == before:
	case b.faulty:
		d.report.Found = d.report.Found[:before]
	default:
		b.faulty = true
	}
	return steps
}

// outWith reads `with`: below it, `it` is a value.
func (d *decoder) outWith(o *object, s scope) (v *Value, below scope) {
	n := o.at("with")
	if n == nil {
		return nil, s
	}
	if key := o.keyAt("each"); key != nil {
		d.errorf(diag.Conflict, key, "a step has with or each").Hint = "put one below the other, in a step with do"
	}
	below = s
	below.out.view, below.out.role, below.It = nil, "", nil
	if v = d.value(n, s); v != nil && v.Prog != nil && v.Prog.Shape != nil {
		below.It = v.Prog.Shape
		below.out.view = viewNamed(asView(below.It))
	}
	return v, below
}
