package mapping

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/diag"
)

// outLets reads the names of a write construct.
func (d *decoder) outLets(n *yaml.Node, s scope) ([]*Let, scope) {
	if n == nil {
		return nil, s
	}
	st := &Step{}
	s = d.let(st, n, s)
	return st.Lets, s
}

func (d *decoder) outSteps(n *yaml.Node, s scope) []*OutStep {
	var list []*OutStep
	for _, item := range items(n) {
		if st := d.outStep(item, s); st != nil {
			list = append(list, st)
		}
	}
	return list
}

// outVerbs are the keys that say what a step that writes does.
var outVerbs = []string{"frame", "do", "kind", "use", "hazard"}

// outStep reads a step that writes. As in reading, `let` and `if` come before
// `each`: what they name is seen below it.
func (d *decoder) outStep(n *yaml.Node, s scope) *OutStep {
	o := d.object(n, "out step")
	if o == nil {
		return nil
	}
	st := &OutStep{Pos: pos(n)}
	st.Lets, s = d.outLets(o.at("let"), s)
	st.If = d.condition(o.at("if"), s)
	st.With, s = d.outWith(o, s)
	st.Each, s = d.outEach(o.at("each"), s)
	if all := o.at("all"); all != nil {
		st.All, s = d.all(all, s)
	}
	d.outVerb(o)
	if frame := o.at("frame"); frame != nil {
		if s.out.silent {
			d.errorf(diag.Conflict, o.keyAt("frame"), "nothing is written before the files")
		}
		st.Frame = d.frame(frame, s)
	}
	if n := o.at("hazard"); n != nil {
		st.Hazard, st.Verdict = n.Value, o.text("verdict")
		d.knownHazard(n)
	} else if key := o.keyAt("verdict"); key != nil {
		d.errorf(diag.Conflict, key, "only a hazard has a verdict")
	}
	st.Do = d.outSteps(o.at("do"), s)
	if use := o.at("use"); use != nil {
		st.Do = d.outUse(use, s)
	}
	st.Kind, st.Ignored = d.outKinds(o, s, func(kinds []string, n *yaml.Node, s scope) {
		steps := d.outSteps(n, s)
		if st.Table == nil {
			st.Table = map[string][]*OutStep{}
		}
		for _, kind := range kinds {
			st.Table[kind] = steps
		}
	})
	return st
}

// outVerb wants exactly one verb in a step.
func (d *decoder) outVerb(o *object) {
	var first *yaml.Node
	for i := range o.entries {
		key := o.entries[i].key
		if !slices.Contains(outVerbs, key.Value) {
			continue
		}
		if first != nil {
			d.errorf(diag.Conflict, key, "a step that writes has one of frame, do, kind, use and hazard, and this one has %s already", first.Value).Hint =
				"put one below the other, in a step with do"
			return
		}
		first = key
	}
	if first == nil && !o.anyFaulty(append(slices.Clone(outVerbs), "rules")...) && o.at("rules") == nil && o.at("ignored") == nil {
		d.errorf(diag.MissingKey, o.node, "a step that writes needs frame, do, use, hazard, or kind with rules").Len = 1
	}
}
