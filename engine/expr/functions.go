package expr

import (
	"github.com/trajmap/trajmap/engine/shape"
	"github.com/trajmap/trajmap/engine/value"
)

// Function describes a function of the library, which expressions have beside
// CEL's own.
type Function struct {
	Name      string
	Signature string // as documented: "text(v[, sep])"
	Result    string // "str", "str or null", "list", …
	Doc       string
	Examples  []Example
}

// Example is an expression on constants and the JSON text of what it gives.
type Example struct{ Expr, Result string }

// Functions lists the library in the order in which it is explained. It is the
// one definition: documentation is generated from it.
func Functions() []Function {
	list := make([]Function, len(library))
	for i, f := range library {
		list[i] = f.Function
	}
	return list
}

// function is a library function. It is pure and total: it gives a value for
// any arguments, and never fails.
type function struct {
	Function
	min, max int           // number of arguments
	lists    uint          // bit i: argument i must be a list, if its type is known
	takes    []shape.Types // of the arguments, as far as they are known; 0 is any
	gives    typ           // statically; dyn where null is possible
	run      func(s *Scope, args []value.Value) value.Value
}

var library = []*function{
	fnText, fnStr, fnShow, fnJSON, fnParse, fnCoalesce, fnList, fnLines, fnNot,
	fnStatus, fnStarts, fnTrim, fnUnwrap, fnWithout, fnSeconds, fnMD5, fnBLAKE3, fnStem,
	fnSHA256, fnUUID4, fnUUID5, fnUUID7, fnBase62, fnRadix, fnHash31, fnSub, fnISO,
	fnLargest, fnCompact, fnNullable, fnPercent, fnSpaces,
}

var functionsByName = func() map[string]*function {
	m := make(map[string]*function, len(library))
	for _, f := range library {
		m[f.Name] = f
	}
	return m
}()
