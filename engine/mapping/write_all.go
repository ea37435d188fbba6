package mapping

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/diag"
)

// allMember is a member that `all` gives to every frame below it.
type allMember struct {
	entry
	scope scope // where it stands
}

// all reads `all`. Its members are evaluated for each frame, with the frame's own
// `it`: they are compiled for any, and checked for each.
func (d *decoder) all(n *yaml.Node, s scope) ([]*TemplateMember, scope) {
	if n.Kind != yaml.MappingNode || isConst(n) || isForm(n) {
		d.errorf(diag.WrongForm, n, "all is an object of members, found %s", found(n))
		return nil, s
	}
	any := s
	any.It, any.out.view, any.out.role = nil, nil, ""
	var list []*TemplateMember
	members := slices.Clip(s.out.all)
	for _, e := range d.entries(n) {
		before := len(d.report.Found)
		if t := d.template(e.value, any); t != nil {
			list = append(list, &TemplateMember{e.key.Value, t})
		}
		if len(d.report.Found) == before {
			members = append(members, allMember{e, s})
		}
	}
	s.out.all = members
	return list, s
}

// frame reads the template of a line, and checks what the steps around add.
func (d *decoder) frame(n *yaml.Node, s scope) *Template {
	if len(s.out.all) == 0 {
		return d.template(n, s)
	}
	if n.Kind != yaml.MappingNode || isConst(n) || isForm(n) {
		d.errorf(diag.WrongForm, n, "a frame below all is an object of members, found %s", found(n)).Hint =
			"conditions and kinds stand in the step"
		return nil
	}
	t := d.template(n, s)
	if t == nil {
		return nil
	}
	for i, m := range s.out.all {
		own := slices.ContainsFunc(t.Members, func(o *TemplateMember) bool { return o.Name == m.key.Value })
		inner := slices.ContainsFunc(s.out.all[i+1:], func(o allMember) bool { return o.key.Value == m.key.Value })
		if own || inner || d.faultyAll[m.value] {
			continue
		}
		m.scope.It, m.scope.out.view, m.scope.out.role = s.It, s.out.view, s.out.role
		before := len(d.report.Found)
		d.template(m.value, m.scope)
		if found := d.report.Found[before:]; len(found) > 0 {
			d.faultyAll[m.value] = true
			for i := range found {
				found[i].Message += fmt.Sprintf(", of the frame at line %d", n.Line)
			}
		}
	}
	return t
}
