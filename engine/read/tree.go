package read

import (
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/value"
)

// branches is the tree that the frames of a session form.
type branches struct {
	*mapping.Tree
	nodes  []node
	byID   map[string]int // a later frame with an id replaces an earlier one
	parent []int          // -1: a root, or no part of the tree
	child  []bool         // some frame names it as its parent
	chosen []bool
}

// tree selects the active branch; false for every frame that is off it.
func (c *selection) tree() []bool {
	b := &branches{
		Tree:   c.active.Tree,
		nodes:  c.nodes,
		byID:   map[string]int{},
		parent: make([]int, len(c.nodes)),
		child:  make([]bool, len(c.nodes)),
		chosen: make([]bool, len(c.nodes)),
	}
	for i := range b.nodes {
		if b.nodes[i].inTree {
			b.byID[b.nodes[i].id] = i
		}
	}
	b.link()
	if leaf := b.leaf(&c.last, c.saidLeaf()); leaf >= 0 {
		b.chain(leaf)
		if b.With != nil {
			b.rejoin()
		}
	}
	for i := range b.nodes {
		if !b.nodes[i].inTree {
			b.chosen[i] = true
		}
	}
	return b.chosen
}

// saidLeaf is the id of the leaf that the session states beside its frames;
// absent when it does not.
func (c *selection) saidLeaf() value.Value {
	leaf := c.active.Tree.Leaf
	if leaf == nil {
		return value.Value{}
	}
	c.scope.It, c.scope.Frame = c.scope.Doc, value.Value{}
	return leaf.Prog.Eval(&c.scope)
}

// live reports whether a frame is in the tree and not replaced by a later one.
func (b *branches) live(i int) bool {
	return b.nodes[i].inTree && b.byID[b.nodes[i].id] == i
}

// link finds the parents.
func (b *branches) link() {
	before := -1
	for i := range b.nodes {
		b.parent[i] = -1
		if !b.live(i) {
			continue
		}
		n := &b.nodes[i]
		if n.parent != "" {
			if p, ok := b.byID[n.parent]; ok {
				b.parent[i] = p
			} else if b.Repair != nil && before >= 0 && b.repairs(before, i) {
				b.parent[i] = before
			}
		} else if b.Linear {
			b.parent[i] = before
		}
		if p := b.parent[i]; p >= 0 && p != i {
			b.child[p] = true
		}
		before = i
	}
}

// repairs reports whether a frame may stand in for the missing parent of i.
func (b *branches) repairs(before, i int) bool {
	p, n := &b.nodes[before], &b.nodes[i]
	gap := n.time - p.time
	return p.timed && n.timed && gap >= 0 && gap <= b.Repair.Within && p.same == n.same
}

// leaf is the end of the active branch, -1 for an empty conversation.
func (b *branches) leaf(last *pointer, said value.Value) int {
	if i, ok := b.byID[str(said)]; ok {
		return i
	}
	if said.IsString() && len(said.Body()) == 0 {
		return -1
	}
	leaf := b.lastLeaf(0, func(int) bool { return true })
	if !last.seen {
		return leaf
	}
	if last.null {
		// Cut down to nothing; what was added afterwards starts anew.
		return b.lastLeaf(last.after, func(i int) bool { return b.root(i) >= last.after })
	}
	named, ok := b.byID[last.leaf]
	if !ok {
		return leaf
	}
	if last.exact {
		if later := b.lastLeaf(last.after, func(i int) bool { return b.descends(i, named) }); later >= 0 {
			return later
		}
		return named
	}
	if leaf >= 0 && b.descends(leaf, named) {
		return leaf
	}
	return named
}

// lastLeaf is the last acceptable leaf from a frame on, -1 for none.
func (b *branches) lastLeaf(from int, accept func(int) bool) int {
	for i := len(b.nodes) - 1; i >= from; i-- {
		if b.live(i) && b.nodes[i].leafOK && !(b.Tip && b.child[i]) && accept(i) {
			return i
		}
	}
	return -1
}

// up visits a frame and its ancestors until visit gives false. Cycles end it.
func (b *branches) up(i int, visit func(int) bool) {
	for steps := 0; i >= 0 && steps <= len(b.nodes) && visit(i); steps++ {
		i = b.parent[i]
	}
}

func (b *branches) descends(i, ancestor int) (found bool) {
	b.up(i, func(j int) bool {
		found = j == ancestor
		return !found
	})
	return found
}

func (b *branches) root(i int) (root int) {
	b.up(i, func(j int) bool {
		root = j
		return true
	})
	return root
}

func (b *branches) chain(leaf int) {
	b.up(leaf, func(i int) bool {
		if b.chosen[i] {
			return false
		}
		b.chosen[i] = true
		return true
	})
}

// rejoin puts back the frames that share their `with` with one on the chain,
// and what hangs directly under any of them: parallel calls and their results.
// Under the last of a group on the chain, though, stands how the conversation
// went on, beside what may have been tried there before.
func (b *branches) rejoin() {
	deepest := map[string]int{}
	for i := range b.nodes {
		if with := b.nodes[i].with; b.chosen[i] && with != "" {
			if d, ok := deepest[with]; !ok || b.descends(i, d) {
				deepest[with] = i
			}
		}
	}
	back := map[int]bool{}
	for i := range b.nodes {
		if d, ok := deepest[b.nodes[i].with]; ok && b.live(i) {
			b.chosen[i] = true
			if i != d {
				back[i] = true
			}
		}
	}
	for i := range b.nodes {
		if b.live(i) && back[b.parent[i]] {
			b.chosen[i] = true
		}
	}
}
