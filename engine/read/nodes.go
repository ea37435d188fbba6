package read

import (
	"errors"
	"hash/maphash"
	"slices"

	"github.com/trajmap/trajmap/engine/expr"
	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/value"
)

// node is what is known of a frame when the frames to read are chosen: some two
// hundred bytes and its ids, never its contents.
type node struct {
	entry
	key        string // format.key, else its id in the tree
	id, parent string
	with       string
	kind       string
	inTree     bool
	leafOK     bool
	hasEvents  bool
	hasUser    bool
	timed      bool

	edit int32       // place in Active.Edits, -1 for none
	args *editOfNode // of the edit; nil for none
	keep uint64      // bit n: the condition of edit n's keep_if or among holds

	time  int64 // of Tree.Repair
	same  string
	order float64 // of Format.Order
}

// editOfNode is what an edit's frame says of it.
type editOfNode struct {
	ids   []string
	count int64
	place int64 // behind how many frames the frame stands; -1 is all
}

// entry is a frame to read.
type entry struct {
	offset, length int64
	file           string
	amend          *entry // the frame that amends it
	line, number   int32  // see frame.Frame
	source, index  int32
	sub            int32
	tooBig         bool
	inList         bool // one of those that Expand made of another
}

// frame is what the frame's stream takes to give it again.
func (e *entry) frame() frame.Frame {
	return frame.Frame{Offset: e.offset, Length: e.length, File: e.file, Line: int(e.line), Index: int(e.number), TooBig: e.tooBig}
}

// pointer is the last frame that named a leaf.
type pointer struct {
	seen  bool
	leaf  string
	null  bool
	exact bool
	after int // number of nodes before it
}

// selection is the work of choosing frames.
type selection struct {
	*session
	active *mapping.Active // nil: all frames are active
	nodes  []node
	last   pointer
	at     *node // whose events are being counted
	onEdit []map[string]bool
	weighs bool // an edit counts turns: every frame's events have to be counted
	sorted bool // every frame has an order

	// plans: so far all frames are read as they stand in the input, and none is
	// noted.
	plans   bool
	crooked bool                            // that turned out not to be so
	before  struct{ id, with, same string } // of the last frame in the tree
	above   string                          // id of the one before that
	leafOK  bool                            // of the last one
	order   float64
	ordered bool // there is an order
	met     map[uint64]struct{}
	seed    maphash.Seed
	kinds   map[string]string
}

// intern gives the one string for a kind.
func (c *selection) intern(kind []byte) string {
	if s, ok := c.kinds[string(kind)]; ok {
		return s
	}
	if c.kinds == nil {
		c.kinds = map[string]string{}
	}
	s := string(kind)
	c.kinds[s] = s
	return s
}

// choose picks the frames to read and their order. That seldom asks for facts:
// they are gathered on the way. Mostly it comes out that all frames are read as
// they stand in the input; that is planned on the way, too, and planned says that
// the plan holds.
func (s *session) choose() (planned bool, err error) {
	s.before.hazards, s.before.diagnostics = len(s.hazards), len(s.diagnostics)
	plans := len(s.sources) == 1 && len(s.format.Expand) == 0
	known := len(s.sources) > 1 || s.facts.last > 0
	for gathered := false; ; {
		if known && !gathered {
			gathered = true
			if err := s.gatherAll(); err != nil {
				return false, err
			}
		}
		c := s.selection()
		c.plans = plans
		err := c.visitAll(!known)
		switch {
		case err == errCrooked:
			plans = false
			clear(s.ran)
			if !known {
				s.facts.restart(0)
				s.failures = s.failures[:s.before.failures]
			}
			continue
		case err != nil:
			return false, err
		case !known && !s.settle():
			known = true
			continue
		case c.plans:
			return true, nil
		}
		s.order, err = c.result()
		return false, err
	}
}

// errCrooked ends a pass that would have planned frames as they stand.
var errCrooked = errors.New("frames are not read as they stand in the input")

// visitAll notes every frame, or plans them as they stand while nothing speaks
// against it: that takes no notes.
func (c *selection) visitAll(gathers bool) error {
	s := c.session
	visit := func(it value.Value) error {
		if gathers {
			s.gatherFrame(it)
		}
		c.visit(it)
		if c.crooked {
			return errCrooked
		}
		if !c.plans {
			return nil
		}
		if s.facts.refuted || !c.straight(&c.nodes[0]) {
			return errCrooked
		}
		c.nodes = c.nodes[:0]
		return s.planFrame(it)
	}
	s.open()
	if !c.plans {
		s.pass = weighing
	}
	s.choice = c
	err := s.frames(visit)
	s.choice = nil
	if c.crooked || err == nil && c.plans && !c.straightToEnd() {
		err = errCrooked
	}
	return err
}

// straight reports whether a frame is read right after the one before it: no edit
// acts on it, and neither order, nor key, nor tree says otherwise.
func (c *selection) straight(n *node) bool {
	if n.edit >= 0 || c.last.seen {
		return false
	}
	if c.format.Upsert && n.key != "" && !c.fresh(n.key) {
		return false
	}
	if c.format.Order != nil {
		if !c.sorted || c.ordered && n.order < c.order {
			return false
		}
		c.order, c.ordered = n.order, true
	}
	if !n.inTree {
		return true
	}
	c.leafOK = n.leafOK
	if n.parent != c.above && (n.parent != "" || !c.active.Tree.Linear) {
		return false
	}
	return n.key == n.id && c.format.Upsert || c.fresh("\x00"+n.id)
}

// fresh reports whether a key, or an id of the tree, is met for the first time. It
// may take one for another.
func (c *selection) fresh(key string) bool {
	if c.met == nil {
		c.met, c.seed = map[uint64]struct{}{}, maphash.MakeSeed()
	}
	sum := maphash.String(c.seed, key)
	_, again := c.met[sum]
	c.met[sum] = struct{}{}
	return !again
}

// straightToEnd reports whether the last frame is where the active branch ends.
func (c *selection) straightToEnd() bool {
	if c.active == nil || c.active.Tree == nil || c.before.id == "" {
		return true
	}
	said := c.saidLeaf()
	return c.leafOK && (said.IsNull() || str(said) == c.before.id)
}

// weigh counts the events of some frames, by the rules of the archive, which has
// them all.
func (c *selection) weigh(which func(i int) bool) error {
	s := c.session
	var list []int
	for i := range c.nodes {
		if which(i) {
			list, s.order = append(list, i), append(s.order, c.nodes[i].entry)
		}
	}
	if list == nil {
		return nil
	}
	s.pass, s.view, s.choice = weighing, mapping.Archive, c
	err := s.frames(func(it value.Value) error {
		c.at = &c.nodes[list[s.number]]
		return s.frame(it)
	})
	s.view, s.choice, s.order = s.o.View, nil, nil
	return err
}

func (s *session) selection() *selection {
	c := &selection{session: s, sorted: s.format.Order != nil}
	if s.o.View == mapping.ActiveView && s.format.Active != nil {
		c.active = s.format.Active
		for _, e := range c.active.Edits {
			c.onEdit = append(c.onEdit, kindSet(e.On))
		}
	}
	return c
}

func kindSet(kinds []string) map[string]bool {
	if kinds == nil {
		return nil
	}
	set := make(map[string]bool, len(kinds))
	for _, k := range kinds {
		set[k] = true
	}
	return set
}

// visit notes one frame.
func (c *selection) visit(it value.Value) {
	c.room()
	c.nodes = append(c.nodes, node{entry: c.session.at.entry(c.source, it), edit: -1})
	n := &c.nodes[len(c.nodes)-1]
	if k := c.format.Key; k != nil {
		n.key = str(k.Prog.Eval(&c.scope))
	}
	if o := c.format.Order; o != nil {
		var ok bool
		n.order, ok = o.Prog.Eval(&c.scope).Float()
		c.sorted = c.sorted && ok
	}
	kind := c.topKind(it)
	n.kind = c.intern(kind)
	if c.active != nil {
		if t := c.active.Tree; t != nil {
			c.branch(t, n, kind)
		}
		c.editOf(n, kind)
	}
}

// room makes room for as many nodes as the input promises, once there are enough
// to tell: growing step by step would take several times the memory.
func (c *selection) room() {
	n := len(c.nodes)
	if n < 1024 || n < cap(c.nodes) {
		return
	}
	src := &c.sources[c.source]
	if read := c.session.at.Offset; src.in != nil && read > 0 && src.in.Size > read {
		more := float64(n) / float64(read) * float64(src.in.Size-read)
		c.nodes = slices.Grow(c.nodes, int(min(more+more/8, 8*float64(n))))
	}
}

// entry is the frame at hand, narrowed to the bytes of `it`, so that reading it
// again does not take all that it stands in. Bytes that were repaired have moved.
func (p *position) entry(source int, it value.Value) entry {
	e := entry{
		offset: p.Offset, length: p.Length, file: p.File, line: int32(p.Line), number: int32(p.Index), tooBig: p.TooBig,
		source: int32(source), index: int32(p.index), sub: p.sub, inList: p.sub > 0,
	}
	if e.sub > 0 && it.In(p.Data) && int64(len(p.Data)) == p.Length {
		e.offset, e.length, e.sub = p.Offset+int64(it.Offset()), int64(len(it.Raw())), 0
	}
	return e
}

// topKind is the frame's kind at the top of its format.
func (s *session) topKind(it value.Value) []byte {
	if s.format.Block.Kind == nil {
		return nil
	}
	if with := s.format.With; with != nil {
		s.scope.It = with.Prog.Eval(&s.scope)
	}
	kind := s.kind(s.format.Block)
	s.scope.It = it
	return kind
}

// branch notes a frame's place in the tree.
func (c *selection) branch(t *mapping.Tree, n *node, kind []byte) {
	if p := t.Pointer; p != nil {
		for _, on := range p.On {
			if on == string(kind) {
				c.point(p)
			}
		}
	}
	n.id = str(t.ID.Prog.Eval(&c.scope))
	if n.key == "" {
		n.key = n.id
	}
	n.inTree = n.id != "" && (t.Nodes == nil || t.Nodes.Prog.Test(&c.scope))
	if !n.inTree {
		return
	}
	before := &c.before
	c.above = before.id
	n.parent = same(t.Parent.Prog.Eval(&c.scope), before.id)
	n.leafOK = t.LeafIf == nil || t.LeafIf.Prog.Test(&c.scope)
	if t.With != nil {
		n.with = same(t.With.Prog.Eval(&c.scope), before.with)
	}
	if r := t.Repair; r != nil {
		n.time, n.timed = millis(r.Time.Prog.Eval(&c.scope))
		if r.Same != nil {
			n.same = same(r.Same.Prog.Eval(&c.scope), before.same)
		}
	}
	before.id, before.with, before.same = n.id, n.with, n.same
}

// same is a value as text: the one that is at hand already, where it is that.
func same(v value.Value, have string) string {
	if v.IsString() && !v.Escaped() && string(v.Body()) == have {
		return have
	}
	return str(v)
}

func (c *selection) point(p *mapping.Pointer) {
	leaf := p.Leaf.Prog.Eval(&c.scope)
	exact := false
	if p.Exact != nil {
		exact, _ = p.Exact.Prog.Eval(&c.scope).Bool()
	}
	if leaf.IsNull() && !exact {
		return
	}
	c.last = pointer{seen: true, leaf: str(leaf), null: leaf.IsNull(), exact: exact, after: len(c.nodes) - 1}
}

// editOf notes the first edit that matches a frame, with its arguments, and
// which edits' keep_if would keep the frame.
func (c *selection) editOf(n *node, kind []byte) {
	for i, e := range c.active.Edits {
		if i < 64 && (test(e.KeepIf, &c.scope) || test(e.Among, &c.scope)) {
			n.keep |= 1 << i
		}
		if n.edit >= 0 || c.onEdit[i] != nil && !c.onEdit[i][string(kind)] ||
			e.If != nil && !e.If.Prog.Test(&c.scope) {
			continue
		}
		n.edit, n.args = int32(i), &editOfNode{place: -1}
		c.weighs = c.weighs || e.Verb == mapping.Undo
		for _, v := range []*mapping.Value{e.Value, e.Keep, e.KeepFrom, e.KeepAfter} {
			if v != nil {
				n.args.take(v.Prog.Eval(&c.scope))
			}
		}
		if e.Place != nil {
			if place, ok := e.Place.Prog.Eval(&c.scope).Int(); ok && place >= 0 {
				n.args.place = place
			}
		}
	}
}

// test is a condition that may be missing, and then does not hold.
func test(v *mapping.Value, s *expr.Scope) bool { return v != nil && v.Prog.Test(s) }

func (a *editOfNode) take(v value.Value) {
	a.count, _ = v.Int()
	if v.Kind() == value.Array {
		for item := range v.Items() {
			a.ids = append(a.ids, str(item))
		}
	} else if !v.IsNull() {
		a.ids = append(a.ids, str(v))
	}
}

// count counts an event for the frame that gave it.
func (c *selection) count(e *normalize.Event) {
	if e.Kind != normalize.System || c.o.Normalize.IncludeSystem {
		c.at.hasEvents = true
	}
	c.at.hasUser = c.at.hasUser || e.Kind == normalize.User
}
