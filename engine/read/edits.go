package read

import (
	"slices"

	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/trajectory"
)

// result is the frames to read, in order.
func (c *selection) result() ([]entry, error) {
	chosen := make([]bool, len(c.nodes))
	if c.active != nil && c.active.Tree != nil {
		chosen = c.tree()
	} else {
		for i := range chosen {
			chosen[i] = true
		}
	}
	if c.weighs {
		if err := c.weigh(func(int) bool { return true }); err != nil {
			return nil, err
		}
	}
	l := &list{selection: c, at: map[string]int{}}
	for _, i := range c.inOrder(chosen) {
		if !l.take(i) {
			break
		}
	}
	return l.entries()
}

// inOrder lists the chosen frames: by the format's order where every frame has
// one, else as they stand in the input, but none before its parent.
func (c *selection) inOrder(chosen []bool) []int {
	var out []int
	for i := range c.nodes {
		if chosen[i] {
			out = append(out, i)
		}
	}
	if c.sorted {
		slices.SortStableFunc(out, func(a, b int) int {
			switch x, y := c.nodes[a].order, c.nodes[b].order; {
			case x < y:
				return -1
			case x > y:
				return 1
			}
			return 0
		})
		return out
	}
	if c.active == nil || c.active.Tree == nil {
		return out
	}
	return c.parentsFirst(out)
}

func (c *selection) parentsFirst(list []int) []int {
	place := map[string]int{}
	for _, i := range list {
		if c.nodes[i].inTree {
			place[c.nodes[i].id] = i
		}
	}
	placed := make([]bool, len(c.nodes))
	waiting := map[int][]int{}
	out := make([]int, 0, len(list))
	var put func(i int)
	put = func(i int) {
		placed[i] = true
		out = append(out, i)
		next := waiting[i]
		delete(waiting, i)
		for _, w := range next {
			put(w)
		}
	}
	for _, i := range list {
		if p, ok := place[c.nodes[i].parent]; ok && c.nodes[i].inTree && !placed[p] && p != i {
			waiting[p] = append(waiting[p], i)
			continue
		}
		put(i)
	}
	// A cycle: those that wait for each other keep the order of the input.
	for _, i := range list {
		if !placed[i] && len(waiting) > 0 {
			placed[i] = true
			out = append(out, i)
		}
	}
	return out
}

// list is the frames that are active so far.
type list struct {
	*selection
	live   []int
	at     map[string]int // of upsert: place in live by key
	amends map[string]int
	seen   []int // all frames taken so far, dead ones included
	noted  []noted
}

// noted is a hazard of a frame whose edit acted.
type noted struct {
	node   int
	hazard string
}

// forget drops the hazards of frames that are gone.
func (l *list) forget(gone func(node int) bool) {
	l.noted = slices.DeleteFunc(l.noted, func(n noted) bool { return gone(n.node) })
}

// shorten drops the end of the list.
func (l *list) shorten(p, by int) {
	first := by
	for _, i := range l.live[p:] {
		first = min(first, i)
	}
	l.forget(func(node int) bool { return node >= first && node != by })
	l.live = l.live[:p]
	l.reindex()
}

// take lets one frame act on the list; false when nothing after it counts.
func (l *list) take(i int) bool {
	n := &l.nodes[i]
	l.seen = append(l.seen, i)
	if n.edit < 0 {
		l.add(i)
		return true
	}
	e := l.active.Edits[n.edit]
	if e.Hazard != "" {
		l.noted = append(l.noted, noted{i, e.Hazard})
	}
	switch e.Verb {
	case mapping.End:
		return false
	case mapping.Reset:
		l.reset(i, n, e)
		return true
	case mapping.Undo:
		l.undo(n.args.count, i)
	case mapping.Cut:
		if len(n.args.ids) > 0 {
			l.shorten(max(0, l.find(n.args.ids[0])), i)
		}
	case mapping.Hide:
		l.live = slices.DeleteFunc(l.live, func(j int) bool { return slices.Contains(n.args.ids, l.nodes[j].key) })
		l.reindex()
		if slices.Contains(n.args.ids, n.key) && n.key != "" {
			return true
		}
	case mapping.Amend:
		if l.amends == nil {
			l.amends = map[string]int{}
		}
		for _, id := range n.args.ids {
			l.amends[id] = i
		}
	}
	if n.args.place >= 0 {
		l.live = slices.Insert(l.live, l.behind(e, int(n.edit), n.args.place), i)
		l.reindex()
		return true
	}
	l.add(i)
	return true
}

// behind is the place in the list behind so many of the frames that an edit
// counts.
func (l *list) behind(e *mapping.Edit, edit int, count int64) int {
	for p, i := range l.live {
		if e.Among == nil || l.nodes[i].keep&(1<<edit) != 0 {
			if count--; count < 0 {
				return p
			}
		}
	}
	return len(l.live)
}

// add appends a frame, or puts it in the place of an earlier one with its key.
// A list in a frame repeats what was written before, and may have shortened it:
// for the archive its items are only good where nothing else is.
func (l *list) add(i int) {
	key := l.nodes[i].key
	if l.format.Upsert && key != "" {
		if p, ok := l.at[key]; ok {
			if l.active != nil || !l.nodes[i].inList {
				l.live[p] = i
			}
			return
		}
		l.at[key] = len(l.live)
	}
	l.live = append(l.live, i)
}

func (l *list) reindex() {
	clear(l.at)
	if !l.format.Upsert {
		return
	}
	for p, i := range l.live {
		if key := l.nodes[i].key; key != "" {
			l.at[key] = p
		}
	}
}

// find is the place of a frame in the list, -1 when it is not there.
func (l *list) find(key string) int {
	return slices.IndexFunc(l.live, func(i int) bool { return l.nodes[i].key == key && key != "" })
}

// reset starts the list anew with a frame and what it keeps.
func (l *list) reset(i int, n *node, e *mapping.Edit) {
	var kept []int
	switch {
	case e.Keep != nil:
		ids := map[string]bool{}
		for _, id := range n.args.ids {
			ids[id] = true
		}
		for j := range l.nodes[:i] {
			if ids[l.nodes[j].key] {
				kept = append(kept, j)
			}
		}
	case e.KeepFrom != nil:
		if len(n.args.ids) > 0 {
			if p := l.find(n.args.ids[0]); p >= 0 {
				kept = slices.Clone(l.live[p:])
			}
		}
	case e.KeepAfter != nil:
		kept = slices.Clone(l.live[l.behind(e, int(n.edit), n.args.count):])
	case e.KeepIf != nil:
		for _, j := range l.live {
			if l.nodes[j].keep&(1<<n.edit) != 0 {
				kept = append(kept, j)
			}
		}
	}
	first := i
	for _, j := range kept {
		first = min(first, j)
	}
	l.forget(func(node int) bool { return node < first })
	if e.KeptAfter {
		l.live = append([]int{i}, kept...)
	} else {
		l.live = append(kept, i)
	}
	l.reindex()
}

// undo drops frames from the end until so many that give a user event are gone.
func (l *list) undo(turns int64, by int) {
	p := len(l.live)
	for ; p > 0 && turns > 0; p-- {
		if l.nodes[l.live[p-1]].hasUser {
			turns--
		}
	}
	l.shorten(p, by)
}

// entries are the frames to read. What gives events but is not among them is
// noted, when a view asked for less than all.
func (l *list) entries() ([]entry, error) {
	out := make([]entry, 0, len(l.live))
	active := make([]bool, len(l.nodes))
	for _, i := range l.live {
		active[i] = true
		e := l.nodes[i].entry
		if a, ok := l.amends[l.nodes[i].key]; ok && l.nodes[i].key != "" {
			amend := l.nodes[a].entry // a copy: the nodes themselves are not kept
			e.amend = &amend
		}
		out = append(out, e)
	}
	if l.active != nil && !l.weighs {
		if err := l.weigh(func(i int) bool { return !active[i] }); err != nil {
			return nil, err
		}
	}
	count, line := 0, 0
	for i := range l.nodes {
		n := &l.nodes[i]
		if active[i] {
			continue
		}
		_, replaced := l.at[n.key]
		replaced = replaced && n.key != "" && l.format.Upsert
		l.leftOut(n, replaced)
		if n.hasEvents && !replaced {
			if count++; line == 0 {
				line = int(n.line)
			}
		}
	}
	if l.active == nil {
		return out, nil
	}
	for _, n := range l.noted {
		l.hazards.note(n.hazard, "", int(l.nodes[n.node].line))
	}
	if count > 0 {
		l.hazards = append(l.hazards, Hazard{Code: "inactive_branch", Count: count, Lines: lineList(line)})
		l.diagnostics = append(l.diagnostics, trajectory.Diagnostic{
			Code:      trajectory.InactiveBranchDropped,
			Message:   "frames that the harness would not send any more were left out",
			InputLine: line,
			Count:     count,
		})
	}
	return out, nil
}

// leftOut books a frame that will not be read.
func (s *session) leftOut(n *node, replaced bool) {
	reason := "inactive"
	if replaced {
		reason = "replaced"
	}
	e := s.inactive[n.kind+"\x00"+reason]
	if e == nil {
		if s.inactive == nil {
			s.inactive = map[string]*Entry{}
		}
		e = &Entry{Kind: n.kind, Bucket: Ignored, Reason: reason, Line: int(n.line)}
		s.inactive[n.kind+"\x00"+reason] = e
	}
	e.Count++
}

func lineList(line int) []int {
	if line == 0 {
		return nil
	}
	return []int{line}
}
