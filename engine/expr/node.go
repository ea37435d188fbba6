package expr

import (
	"github.com/trajmap/trajmap/engine/shape"
	"github.com/trajmap/trajmap/engine/value"
)

// node is a part of a parsed expression.
type node struct {
	op         op
	start, end int // bytes in the source
	at, atLen  int // the word or sign that issues are about
	name       string
	args       []*node     // operands in the order in which they are written
	konst      value.Value // of a literal
	typ        typ
	shape      *shape.Shape

	ref   *name // of an identifier that is a name of the scope
	depth int   // of a variable or a macro: the place of the variable
}

type op uint8

const (
	opLiteral  op = iota // konst, typ
	opIdent              // name
	opSelect             // args[0].name
	opIndex              // args[0][args[1]]
	opCall               // name(args…)
	opMethod             // args[0].name(args[1:]…)
	opMacro              // args[0].name(variable, args[1:]…)
	opList               // [args…]
	opMap                // {args[0]: args[1], …}
	opVariable           // name, of a macro
	opType               // name of a CEL type
	opUnknown            // an issue has been noted
	opCond               // from here on operators:  args[0] ? args[1] : args[2]
	opNot                // !args[0]
	opNeg                // -args[0]
	opOr                 // binary, from here on
	opAnd
	opEq
	opNe
	opLt
	opLe
	opGt
	opGe
	opIn
	opAdd
	opSub
	opMul
	opDiv
	opMod
)

// binary are the signs of binary operators and how strongly they bind.
var binary = map[string]struct {
	op    op
	binds int
}{
	"||": {opOr, 1}, "&&": {opAnd, 2},
	"==": {opEq, 3}, "!=": {opNe, 3}, "<": {opLt, 3}, "<=": {opLe, 3}, ">": {opGt, 3}, ">=": {opGe, 3}, "in": {opIn, 3},
	"+": {opAdd, 4}, "-": {opSub, 4}, "*": {opMul, 5}, "/": {opDiv, 5}, "%": {opMod, 5},
}

// macros are the calls with a variable of their own, and how many arguments
// they have after it.
var macros = map[string][2]int{
	"exists": {1, 1}, "all": {1, 1}, "exists_one": {1, 1}, "filter": {1, 1}, "map": {1, 2}, "sortBy": {1, 1},
}
