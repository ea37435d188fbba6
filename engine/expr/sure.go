package expr

import (
	"fmt"
	"math/bits"

	"github.com/trajmap/trajmap/engine/shape"
)

// Where values are of their shapes for certain (see [Static.Sure]), an operation
// that no value of an operand's shape allows is a fault of the expression. What
// may be null is left to run time: that is the guard's affair.

// types are the JSON types that a part of an expression may have, null aside; 0
// when nothing is known.
func (c *checker) types(n *node) shape.Types {
	switch n.typ {
	case dynType:
		if !c.static.Sure || n.op == opUnknown || n.shape == nil || n.shape.Types&shape.Any != 0 {
			return 0
		}
		return n.shape.Types &^ shape.Null
	case boolType:
		return shape.Bool
	case intType, doubleType:
		return shape.Num
	case stringType:
		return shape.Str
	case listType:
		return shape.List
	case mapType:
		return shape.Object
	}
	return 0
}

// inWords are types as they stand in a sentence.
func inWords(t shape.Types) string {
	if bits.OnesCount8(uint8(t)) > 1 {
		return t.String()
	}
	return map[shape.Types]string{
		shape.Str: "a string", shape.Num: "a number", shape.Bool: "a bool", shape.List: "a list", shape.Object: "an object",
	}[t]
}

// need notes an operand that is none of some types.
func (c *checker) need(n *node, types shape.Types, what string) {
	if t := c.types(n); t != 0 && t&types == 0 {
		c.add(n.start, n.end-n.start, fmt.Sprintf("%s, this is %s", what, inWords(t)), "")
		n.op = opUnknown
	}
}

// operands checks an operator's operands.
func (c *checker) operands(n *node) {
	if !c.static.Sure {
		return
	}
	const ordered, added = shape.Num | shape.Str | shape.Bool, shape.Num | shape.Str | shape.List
	switch n.op {
	case opAdd:
		c.pair(n, added, "+ takes numbers, strings or lists")
	case opSub, opMul, opDiv, opMod, opNeg:
		for _, a := range n.args {
			c.need(a, shape.Num, n.sign()+" needs numbers")
		}
	case opLt, opLe, opGt, opGe:
		c.pair(n, ordered, n.sign()+" compares numbers, strings or bools")
	case opEq, opNe:
		a, b := c.types(n.args[0]), c.types(n.args[1])
		if a != 0 && b != 0 && a&b == 0 {
			c.at(n, fmt.Sprintf("%s is never %s", inWords(a), inWords(b)), "")
		}
	case opIn:
		c.need(n.args[1], shape.List|shape.Object, "after in stands a list")
	case opIndex:
		of, key := n.args[0], n.args[1]
		c.need(of, shape.List|shape.Object, "only lists and objects have items")
		if c.types(of) == shape.Object && !of.shape.Open && key.op != opLiteral {
			c.at(n, "the members of this object are asked for by their names", "write "+c.src[of.start:of.end]+". and a member's name")
		}
	}
}

// pair checks two operands that must be of one type.
func (c *checker) pair(n *node, types shape.Types, what string) {
	if n.op == opUnknown {
		return
	}
	a, b := c.types(n.args[0]), c.types(n.args[1])
	switch {
	case a != 0 && a&types == 0:
		c.need(n.args[0], types, what)
	case b != 0 && b&types == 0:
		c.need(n.args[1], types, what)
	case a != 0 && b != 0 && a&b&types == 0:
		hint := ""
		if n.op == opAdd && (a == shape.Str && b == shape.Num || a == shape.Num && b == shape.Str) {
			number := n.args[0]
			if b == shape.Num {
				number = n.args[1]
			}
			hint = "write str(" + c.src[number.start:number.end] + ")"
		}
		c.at(n, fmt.Sprintf("%s cannot take %s and %s", n.sign(), inWords(a), inWords(b)), hint)
	default:
		if n.op == opAdd && n.typ == dynType {
			if t := a & b; bits.OnesCount8(uint8(t)) == 1 && t != shape.List {
				n.shape = &shape.Shape{Types: t | shape.Null}
			}
		}
	}
}

// sign is how an operator is written.
func (n *node) sign() string {
	if n.op == opNeg {
		return "-"
	}
	for sign, b := range binary {
		if b.op == n.op {
			return sign
		}
	}
	return n.name
}

// methods are what CEL's methods are called on, and the arguments that mappings
// give them.
var methods = map[string][]shape.Types{
	"startsWith": {shape.Str, shape.Str}, "endsWith": {shape.Str, shape.Str}, "contains": {shape.Str, shape.Str}, "matches": {shape.Str, shape.Str},
	"substring": {shape.Str, shape.Num, shape.Num}, "charAt": {shape.Str, shape.Num},
	"indexOf": {shape.Str, shape.Str}, "lastIndexOf": {shape.Str, shape.Str},
	"replace": {shape.Str, shape.Str, shape.Str}, "split": {shape.Str, shape.Str},
	"lowerAscii": {shape.Str}, "upperAscii": {shape.Str}, "trim": {shape.Str},
	"join": {shape.List, shape.Str}, "slice": {shape.List, shape.Num, shape.Num}, "flatten": {shape.List}, "sort": {shape.List},
	"size": {shape.Str | shape.List | shape.Object},
}

// celTypes checks what one of CEL's functions is given.
func (c *checker) celTypes(n *node) {
	if !c.static.Sure {
		return
	}
	for i, types := range methods[n.name] {
		if i >= len(n.args) {
			break
		}
		c.need(n.args[i], types, fmt.Sprintf("%s needs %s here", n.name, inWords(types)))
	}
}

// tail marks the parts of an expression whose value is the expression's own.
func tail(n *node, mark func(*node)) {
	mark(n)
	if n.op == opCond {
		tail(n.args[1], mark)
		tail(n.args[2], mark)
	}
}

// texts are all values that an expression may have, when these are constant
// texts.
func texts(n *node) []string {
	var list []string
	known := true
	tail(n, func(n *node) {
		switch {
		case n.op == opCond:
		case n.op == opLiteral && n.typ == stringType:
			list = append(list, n.konst.Str())
		default:
			known = false
		}
	})
	if !known {
		return nil
	}
	return list
}
