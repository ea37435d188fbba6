package mapping

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// trial gathers what is found while a block is checked for each place from which
// it is used. A place may lack what another has: a field that only one generation
// writes, a kind of only one list. What is wrong in all of them is an error.
type trial struct {
	fine   map[subject]bool
	faulty []fault
}

// subject is an expression, or a kind that is named at a node.
type subject struct {
	node *yaml.Node
	kind string
}

type fault struct {
	subject
	report func()
}

func newTrial() *trial { return &trial{fine: map[subject]bool{}} }

func (t *trial) note(s subject, fine bool, report func()) {
	if fine {
		t.fine[s] = true
	} else {
		t.faulty = append(t.faulty, fault{s, report})
	}
}

// expression notes an expression. Where nothing is known of the values that it
// looks at, that it compiles says nothing.
func (t *trial) expression(n *yaml.Node, src string, s scope, fine bool, report func()) {
	known := s.It != nil && (s.Frame != nil || !strings.Contains(src, "frame"))
	if !fine || known {
		t.note(subject{node: n}, fine, report)
	}
}

// saw reports whether an expression was found to be right in one of the places.
func (t *trial) saw(n *yaml.Node) bool { return t != nil && t.fine[subject{node: n}] }

// sawAll is saw for a value of any form.
func (t *trial) sawAll(n *yaml.Node) bool {
	if n.Kind == yaml.MappingNode {
		return isConst(n)
	}
	for _, item := range items(n) {
		if !t.saw(item) && !isConst(item) {
			return false
		}
	}
	return true
}

func (t *trial) report() {
	for _, f := range t.faulty {
		if !t.fine[f.subject] {
			f.report()
		}
	}
}
