package expr

import (
	"fmt"
	"slices"

	"github.com/trajmap/trajmap/engine/diag"
	"github.com/trajmap/trajmap/engine/shape"
)

// checker finds what names, functions and fields an expression means, and the
// type and shape of each part of it.
type checker struct {
	*issues
	env    *Env
	static *Static
	vars   []scoped       // of the macros around
	nulls  map[*node]bool // where nullable may stand
}

// scoped is the variable of a macro.
type scoped struct {
	name  string
	shape *shape.Shape
}

// check checks what must be a value.
func (c *checker) check(n *node) {
	c.part(n)
	if n.typ == factMapType {
		text := c.src[n.start:n.end]
		c.add(n.start, n.end-n.start, text+" is a map, it has a value for each key", "write "+text+"[key]")
		n.typ = dynType
	}
}

// part checks a part of an expression, which may be a fact map.
func (c *checker) part(n *node) {
	switch n.op {
	case opIdent:
		c.ident(n)
	case opSelect:
		c.sel(n)
	case opMacro:
		c.macro(n)
	case opCall, opMethod:
		c.call(n)
	default:
		for i, a := range n.args {
			if n.op == opIndex && i == 0 || n.op == opIn && i == 1 {
				c.part(a)
			} else {
				c.check(a)
			}
		}
		c.operator(n)
		c.operands(n)
	}
}

func (c *checker) ident(n *node) {
	if i := c.local(n.name); i >= 0 {
		n.op, n.depth, n.shape = opVariable, i, c.vars[i].shape
		return
	}
	if n.ref = c.static.find(n.name); n.ref != nil {
		n.typ, n.shape = n.ref.typ, n.ref.shape
		if n.shape == nil {
			n.shape = n.typ.shape()
		}
		return
	}
	n.op, n.typ = opUnknown, dynType
	switch {
	case n.name == sessionSpace && c.static.sees(sessionSpace):
		c.at(n, "session is no value", "write session. and a fact's name")
	case n.name == filesSpace && c.static.sees(filesSpace):
		c.at(n, "files is no value", "write files. and a file's name")
	case slices.Contains(typeNames, n.name):
		n.op, n.typ = opType, otherType
	default:
		hint := didYouMean(n.name, c.words())
		if hint == "" && slices.Contains(c.static.It.Names(), n.name) {
			hint = "did you mean it." + n.name + "?"
		}
		c.unknown(n, n.name, fmt.Sprintf("unknown name %q", n.name), hint)
	}
}

// local is the place of the innermost variable of a name, -1 for none.
func (c *checker) local(id string) int {
	for i := len(c.vars) - 1; i >= 0; i-- {
		if c.vars[i].name == id {
			return i
		}
	}
	return -1
}

// words are the names that can begin an expression here.
func (c *checker) words() []string {
	var list []string
	for _, v := range c.vars {
		list = append(list, v.name)
	}
	return append(list, c.static.words()...)
}

// space reports whether n is the word before the dot of facts or files.
func (c *checker) space(n *node, word string) bool {
	return n.op == opIdent && n.name == word && c.static.sees(word) && c.static.find(word) == nil && c.local(word) < 0
}

func (c *checker) sel(n *node) {
	of := n.args[0]
	switch {
	case c.space(of, sessionSpace):
		n.ref = c.static.fact(n.name)
		c.spaced(n, "session fact", c.static.factNames())
		return
	case c.space(of, filesSpace):
		n.ref = c.static.file(n.name)
		c.spaced(n, "file", c.static.Files)
		return
	}
	c.part(of)
	n.shape = c.field(of, n.name, n)
}

// spaced completes a fact or file.
func (c *checker) spaced(n *node, what string, all []string) {
	if n.ref == nil {
		n.op = opUnknown
		c.unknown(n, n.name, fmt.Sprintf("unknown %s %q", what, n.name), didYouMean(n.name, all))
		return
	}
	n.op, n.args, n.typ, n.shape = opIdent, nil, n.ref.typ, n.ref.typ.shape()
}

// field is the shape of a field, which is an issue at n when there is none.
func (c *checker) field(of *node, name string, n *node) *shape.Shape {
	s, ok := of.shape.Member(name)
	if ok {
		return s
	}
	if all := of.shape.Names(); len(all) > 0 {
		c.unknown(n, name, fmt.Sprintf("unknown field %q", name), didYouMean(name, all))
	} else {
		c.unknown(n, name, fmt.Sprintf("unknown field %q: %s is %s", name, c.src[of.start:of.end], of.shape.Types), "")
	}
	return nil
}

func (c *checker) macro(n *node) {
	over := n.args[0]
	c.check(over)
	c.need(over, shape.List|shape.Object, n.name+" needs a list")
	n.depth = len(c.vars)
	item := itemShape(over)
	c.vars = append(c.vars, scoped{n.args[1].name, item})
	for _, a := range n.args[2:] {
		c.check(a)
	}
	c.vars = c.vars[:n.depth]
	last := n.args[len(n.args)-1]
	if n.name != "map" && n.name != "sortBy" || len(n.args) == 4 {
		c.needBool(n.args[2], "the condition of "+n.name)
	}
	switch n.name {
	case "filter", "sortBy":
		n.typ, n.shape = listType, &shape.Shape{Types: shape.List, Item: item}
	case "map":
		n.typ, n.shape = listType, &shape.Shape{Types: shape.List, Item: last.shape}
	default:
		n.typ, n.shape = boolType, boolType.shape()
	}
}

// itemShape is the shape of what a macro's variable becomes.
func itemShape(over *node) *shape.Shape {
	if over.shape == nil || over.shape.Types&(shape.Object|shape.Any) != 0 {
		return nil
	}
	return over.shape.Elem()
}

// needBool notes an operand that is not certainly a bool.
func (c *checker) needBool(n *node, what string) {
	if n.typ == boolType || n.op == opUnknown {
		return
	}
	text := c.src[n.start:n.end]
	if n.op >= opCond {
		text = "(" + text + ")"
	}
	hint := map[typ]string{
		dynType:    "write " + text + " == true",
		nullType:   "write false",
		intType:    "write " + text + " != 0",
		stringType: "write " + text + ` != ""`,
		listType:   "write size(" + text + ") > 0",
	}[n.typ]
	c.add(n.start, n.end-n.start, fmt.Sprintf("%s must be a bool, this is %s", what, n.typ.article()), hint)
}

// operator sets the type and shape of what has operands that are checked.
func (c *checker) operator(n *node) {
	switch n.op {
	case opLiteral:
		n.shape = n.typ.shape()
		return
	case opUnknown:
		return
	case opIndex:
		c.index(n)
		return
	case opList:
		n.typ, n.shape = listType, listShape(n.args)
		return
	case opMap:
		n.typ, n.shape = mapType, &shape.Shape{Types: shape.Object, Open: true}
		return
	case opCond:
		c.needBool(n.args[0], "the condition before ?")
		yes, no := n.args[1], n.args[2]
		if yes.typ == no.typ {
			n.typ = yes.typ
		}
		n.shape = shape.Union(yes.shape, no.shape)
		return
	case opNot:
		c.not(n)
	case opAnd, opOr:
		for _, a := range n.args {
			c.needBool(a, "an operand of "+n.name)
		}
		n.typ = boolType
	case opEq, opNe, opLt, opLe, opGt, opGe, opIn:
		n.typ = boolType
	case opNeg:
		n.typ = n.args[0].typ
	default:
		c.arithmetic(n)
	}
	if n.shape == nil {
		n.shape = n.typ.shape()
	}
}

func (c *checker) arithmetic(n *node) {
	a, b := n.args[0].typ, n.args[1].typ
	n.typ = a
	switch {
	case a == dynType:
		n.typ = b
	case !sameTypes(a, b) && a != otherType && b != otherType:
		c.at(n, fmt.Sprintf("%s cannot take (%s, %s)", n.name, a, b), "")
		n.op, n.typ = opUnknown, dynType
	}
	if n.typ == listType {
		n.shape = listShape(nil)
	}
}

func (c *checker) not(n *node) {
	n.typ = boolType
	of := n.args[0]
	if of.typ == dynType && of.op != opUnknown {
		text := c.src[of.start:of.end]
		c.add(of.start, of.end-of.start, "the operand of ! must be a bool, this is a JSON value",
			fmt.Sprintf("write %s != true, or not(%s), which leaves null as it is", text, text))
		return
	}
	c.needBool(of, "the operand of !")
}

func (c *checker) index(n *node) {
	of, key := n.args[0], n.args[1]
	switch {
	case key.op == opLiteral && key.typ == stringType:
		n.shape = c.field(of, key.konst.Str(), key)
	case key.typ == intType:
		n.shape = of.shape.Elem()
	}
}

// listShape is the shape of a list of items; of unknown ones without any.
func listShape(items []*node) *shape.Shape {
	s := &shape.Shape{Types: shape.List}
	for i, n := range items {
		if i == 0 {
			s.Item = n.shape
		} else {
			s.Item = shape.Union(s.Item, n.shape)
		}
	}
	return s
}

func didYouMean(word string, all []string) string {
	if near := diag.Nearest(word, all); near != "" {
		return "did you mean " + near + "?"
	}
	return ""
}

// typeNames are the names of CEL's types.
var typeNames = []string{"null_type", "bool", "int", "uint", "double", "string", "bytes", "list", "map", "type"}
