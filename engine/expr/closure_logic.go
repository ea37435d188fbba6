package expr

import "github.com/trajmap/trajmap/engine/value"

// condCode is ? :, in the form that both of its values have.
func (n *node) condCode() code {
	codes, ok := codesOf(n.args)
	if !ok || n.args[1].typ != n.args[2].typ && n.args[1].typ != dynType && n.args[2].typ != dynType {
		return code{}
	}
	test, yes, no := codes[0].bool(), codes[1], codes[2]
	var c code
	switch n.typ {
	case boolType:
		yes, no := yes.bool(), no.bool()
		c.test = func(s *Scope) (bool, bool) {
			b, ok := test(s)
			switch {
			case !ok:
				return false, false
			case b:
				return yes(s)
			}
			return no(s)
		}
		return c
	case intType:
		yes, no := yes.int(), no.int()
		c.num = func(s *Scope) (int64, bool) {
			b, ok := test(s)
			switch {
			case !ok:
				return 0, false
			case b:
				return yes(s)
			}
			return no(s)
		}
		return c
	case listType:
		yes, no := yes.items(), no.items()
		c.push = func(s *Scope) bool {
			b, ok := test(s)
			switch {
			case !ok:
				return false
			case b:
				return yes(s)
			}
			return no(s)
		}
	}
	yesVal, noVal := yes.value(), no.value()
	c.val = func(s *Scope) (value.Value, bool) {
		b, ok := test(s)
		switch {
		case !ok:
			return value.Value{}, false
		case b:
			return yesVal(s)
		}
		return noVal(s)
	}
	return c
}

// notCode is !.
func (n *node) notCode() code {
	c := n.args[0].code()
	if !c.native() {
		return code{}
	}
	of := c.bool()
	return code{test: func(s *Scope) (bool, bool) {
		b, ok := of(s)
		return !b, ok
	}}
}

// logicCode is && and ||: an operand that decides makes up for a failure of the other.
func (n *node) logicCode() code {
	codes, ok := codesOf(n.args)
	if !ok {
		return code{}
	}
	left, right := codes[0].bool(), codes[1].bool()
	decides := n.op == opOr
	return code{test: func(s *Scope) (bool, bool) {
		a, okA := left(s)
		if okA && a == decides {
			return a, true
		}
		b, okB := right(s)
		if okB && b == decides {
			return b, true
		}
		return !decides, okA && okB
	}}
}
