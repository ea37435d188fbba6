package mapping

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/diag"
	"github.com/trajmap/trajmap/engine/expr"
)

// namedBlock is an entry of `blocks` while the mapping is read.
type namedBlock struct {
	*NamedBlock
	key    *yaml.Node
	object *object
	uses   []*yaml.Node // the values of `use` in it
	sites  []scope      // where it is used
	cyclic bool
}

// blockCopy is a block with steps of its own before a named one.
type blockCopy struct {
	to     *Block
	before []*Step
	of     *Block
}

// declareBlocks makes the names of `blocks` known, and finds those that contain
// themselves.
func (d *decoder) declareBlocks(n *yaml.Node) {
	if n == nil {
		return
	}
	for _, e := range d.entries(n) {
		if !d.name(label, e.key) {
			continue
		}
		b := &namedBlock{NamedBlock: &NamedBlock{Pos: pos(e.key), Name: e.key.Value, Block: &Block{}}, key: e.key}
		b.object = d.object(e.value, "block")
		if b.object != nil {
			b.Doc = b.object.text("doc")
		}
		b.uses = findUses(e.value, nil)
		d.blocks[b.Name] = b
		d.order = append(d.order, b)
		d.m.Blocks = append(d.m.Blocks, b.NamedBlock)
	}
	d.sortBlocks()
}

// findUses are the values of `use` below a node.
func findUses(n *yaml.Node, list []*yaml.Node) []*yaml.Node {
	n = resolve(n)
	for i, c := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			if value := resolve(n.Content[i+1]); c.Value == "use" && value.Kind == yaml.ScalarNode {
				list = append(list, value)
			}
			continue
		}
		list = findUses(c, list)
	}
	return list
}

// sortBlocks brings the blocks into an order in which each stands before those
// that it uses.
func (d *decoder) sortBlocks() {
	var sorted []*namedBlock
	state := map[*namedBlock]int{}
	var visit func(b *namedBlock)
	visit = func(b *namedBlock) {
		state[b] = 1
		for _, use := range b.uses {
			switch used := d.blocks[use.Value]; {
			case used == nil:
			case state[used] == 1:
				used.cyclic = true
				d.errorf(diag.CyclicBlock, use, "block %q contains itself", use.Value)
			case state[used] == 0:
				visit(used)
			}
		}
		state[b] = 2
		sorted = append(sorted, b)
	}
	for _, b := range d.order {
		if state[b] == 0 {
			visit(b)
		}
	}
	slices.Reverse(sorted)
	d.order = sorted
}

// use reads `use`, with the steps that may stand before it.
func (d *decoder) use(o *object, s scope) *Block {
	n := o.at("use")
	before := d.steps(o.at("before"), s)
	b := d.blocks[n.Value]
	if b == nil {
		names := make([]string, 0, len(d.m.Blocks))
		for _, b := range d.m.Blocks {
			names = append(names, b.Name)
		}
		f := d.errorf(diag.UnknownBlock, n, "there is no block %q", n.Value)
		if near := diag.Nearest(n.Value, names); near != "" {
			f.Hint = "did you mean " + near + "?"
		}
		return &Block{}
	}
	if d.tried == nil {
		b.sites = append(b.sites, s) // else the trial has been here, and knew more
	}
	if before == nil {
		return b.Block
	}
	copied := &Block{}
	d.copies = append(d.copies, blockCopy{copied, before, b.Block})
	return copied
}

// namedBlocks reads the blocks under `blocks`, each after all that use it. Where
// places of use differ in what is known there, a block is checked for each of
// them, and compiled for what they have in common.
func (d *decoder) namedBlocks() {
	for _, b := range d.order {
		if b.object == nil || b.cyclic {
			continue
		}
		views, common := d.views(b)
		if len(views) > 1 {
			d.trial = newTrial()
			for _, s := range views {
				d.block(b.object, s)
			}
			d.trial.report()
			d.tried, d.trial = d.trial, nil
		}
		first := len(d.copies)
		block := d.block(b.object, common)
		d.tried = nil
		if block == nil {
			if !b.object.anyFaulty("kind", "rules", "do", "use") {
				d.errorf(diag.MissingKey, b.key, "block %q is empty: it needs kind with rules, do, or use", b.Name)
			}
			continue
		}
		// The name's own block stood for this one from the beginning.
		*b.Block = *block
		for i := first; i < len(d.copies); i++ {
			if d.copies[i].to == block {
				d.copies[i].to = b.Block
			}
		}
		if b.object.at("use") != nil && b.object.at("before") == nil {
			d.copies = append(d.copies, blockCopy{b.Block, nil, block})
		}
	}
}

// maxViews bounds the scopes in which a block is checked: blocks that use blocks
// multiply them.
const maxViews = 16

// views are the different scopes in which a block is used, and what is true of
// all of them. Names of the places of use are not seen in a block; their slots
// are not its own.
func (d *decoder) views(b *namedBlock) (views []scope, common scope) {
	depth := 0
	for _, s := range b.sites {
		depth = max(depth, len(s.Lets))
	}
	outer := make([]expr.Let, depth)
	for i := range outer {
		outer[i].Name = unsaid
	}
	for _, s := range b.sites {
		s.Lets, s.letKeys = outer, make([]*yaml.Node, depth)
		s.path, s.placed = "", s.placed && s.path == ""
		if len(views) < maxViews && !slices.ContainsFunc(views, s.alike) {
			views = append(views, s)
		}
	}
	if len(views) == 0 {
		return nil, scope{Static: expr.Static{Facts: d.ownFacts()}}
	}
	common = views[0]
	for _, s := range b.sites {
		common = common.meet(s)
	}
	for i := range views {
		views[i].Facts, views[i].Files, views[i].format = common.Facts, common.Files, common.format
	}
	return views, common
}

// alike reports whether two scopes know the same of the values in them.
func (s scope) alike(t scope) bool {
	return s.It == t.It && s.Frame == t.Frame && s.Doc == t.Doc && s.Amendment == t.Amendment && s.format == t.format && s.placed == t.placed
}

// meet is what two scopes have in common.
func (s scope) meet(t scope) scope {
	if s.It != t.It {
		s.It = nil
	}
	if s.Frame != t.Frame {
		s.Frame = nil
	}
	if s.Doc != t.Doc {
		s.Doc = nil
	}
	if s.Amendment != t.Amendment {
		s.Amendment = nil
	}
	s.placed = s.placed && t.placed && s.path == t.path
	if s.format != t.format {
		s.format = nil
		s.Facts = slices.Clone(s.Facts[:min(len(s.Facts), len(t.Facts))])
		for i := range s.Facts {
			if s.Facts[i] != t.Facts[i] {
				s.Facts[i].Name = unsaid
			}
		}
		s.Files = slices.DeleteFunc(slices.Clone(s.Files), func(name string) bool { return !slices.Contains(t.Files, name) })
	}
	return s
}

// ownFacts are the mapping's facts, which have the same numbers in all formats.
func (d *decoder) ownFacts() []expr.Fact {
	list := make([]expr.Fact, len(d.session))
	for i, e := range d.session {
		agg := aggregateOf(e.value)
		list[i] = expr.Fact{Name: e.key.Value, Map: agg == MapOf, Bool: agg == AnyOf, Int: agg == Count}
	}
	return list
}

// link fills the blocks that are copies of named ones, the innermost first.
func (d *decoder) link() {
	slices.Reverse(d.copies)
	for _, c := range d.copies {
		*c.to = *c.of
		c.to.Before = slices.Concat(c.before, c.of.Before)
	}
}
