package normalize

// Unanswered gives the calls whose result is missing: the number of each one's event
// (0-based, as passed to [Planner.Add]), and whether it stands in the last step
// of the session, where its result may only not have come yet.
func (pl *Plan) Unanswered() map[int]bool {
	c := &pl.p.calls
	open := map[int32]bool{}
	for _, id := range c.of {
		for n := id.open; n >= 0; n = c.list[n].next {
			if !c.list[n].none {
				open[n] = true
			}
		}
	}
	if len(open) == 0 {
		return nil
	}
	out := make(map[int]bool, len(open))
	last := pl.lastStep()
	for i, e := range pl.p.entries {
		if e.kind == ToolCall && open[e.ref] {
			out[i] = i >= last
		}
	}
	return out
}

// lastStep is the number of the first event of the session's last step: what
// the model said and called after the last results before it, and their results.
// What the user said since does not end it, for the model has not come to that.
func (pl *Plan) lastStep() int {
	entries := pl.p.entries
	i := len(entries)
	for i > 0 && (entries[i-1].kind == ToolResult || entries[i-1].kind == User || entries[i-1].fate != kept) {
		i--
	}
	for i > 0 && entries[i-1].kind != ToolResult && entries[i-1].kind != User {
		i--
	}
	return i
}
