package expr

import (
	"errors"
	"fmt"
	"maps"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/google/cel-go/common/decls"

	"github.com/trajmap/trajmap/engine/shape"
)

// call finds the function of a call and checks what it is given.
func (c *checker) call(n *node) {
	if n.op == opMethod && c.qualified(n) {
		n.op = opCall
	}
	f, std := functionsByName[n.name], c.env.functions[n.name]
	if _, isMacro := macros[n.name]; isMacro && std == nil {
		if n.op == opMethod {
			c.check(n.args[0])
		}
		n.op = opUnknown
		c.at(n, "wrong arguments for "+n.name, fmt.Sprintf("write list.%s(x, …), where x names the item", n.name))
		return
	}
	for _, a := range n.args {
		c.check(a)
	}
	switch {
	case f != nil && n.op == opCall:
		c.libraryCall(n, f)
	case std != nil:
		c.celCall(n, std)
	default:
		c.unknownFunction(n)
	}
}

// qualified makes one name of a function in a name space, such as base64.encode.
func (c *checker) qualified(n *node) bool {
	space := n.args[0]
	if space.op != opIdent || c.static.find(space.name) != nil || c.local(space.name) >= 0 {
		return false
	}
	prefix := space.name + "."
	for id := range c.env.functions {
		if strings.HasPrefix(id, prefix) {
			n.name, n.args, n.at, n.atLen = prefix+n.name, n.args[1:], space.at, n.at+n.atLen-space.at
			return true
		}
	}
	return false
}

func (c *checker) libraryCall(n *node, f *function) {
	n.typ = f.gives
	n.shape = f.shapeOf(n.args)
	if len(n.args) < f.min || len(n.args) > f.max {
		c.at(n, fmt.Sprintf("%s takes %s", f.Name, count(f.min, f.max)), "write "+f.Signature)
		return
	}
	if f == fnSub && n.args[1].op == opLiteral && n.args[1].typ == stringType {
		c.pattern(n.args[1])
	}
	if f == fnNullable && !c.nulls[n] {
		c.at(n, "nullable is for what a template writes: it says that null is to be written", "it stands around the whole value, or a branch of ? :")
	}
	for i, a := range n.args {
		if f.lists&(1<<i) != 0 && a.typ != listType && a.typ != dynType {
			text := c.src[a.start:a.end]
			c.add(a.start, a.end-a.start, fmt.Sprintf("%s needs a list here, this is %s", f.Name, a.typ.article()), "write ["+text+"]")
			continue
		}
		if f.lists&(1<<i) != 0 {
			c.need(a, shape.List, f.Name+" needs a list here")
		}
		if i < len(f.takes) && f.takes[i] != 0 {
			c.need(a, f.takes[i], fmt.Sprintf("%s needs %s here", f.Name, inWords(f.takes[i])))
		}
	}
}

func count(least, most int) string {
	switch {
	case least == 1 && most == 1:
		return "one argument"
	case least == most:
		return fmt.Sprintf("%d arguments", least)
	case most == least+1:
		return fmt.Sprintf("%d or %d arguments", least, most)
	}
	return fmt.Sprintf("%d to %d arguments", least, most)
}

func (c *checker) celCall(n *node, std *decls.FunctionDecl) {
	var forms [2]bool // a function, a method
	for _, o := range std.OverloadDecls() {
		t := fromCELType(o.ResultType())
		switch {
		case o.IsMemberFunction() != (n.op == opMethod):
			forms[1] = forms[1] || o.IsMemberFunction()
			continue
		case !forms[0]:
			forms[0], n.typ = true, t
		case t != n.typ:
			n.typ = dynType
		}
	}
	n.shape = n.typ.shape()
	c.celTypes(n)
	if n.name == "matches" && len(n.args) == 2 && n.args[1].op == opLiteral {
		c.pattern(n.args[1])
	}
	switch {
	case forms[0]:
	case n.op == opMethod:
		of, more := n.args[0], ""
		if len(n.args) > 1 {
			more = ", …"
		}
		c.at(n, n.name+" is a function", fmt.Sprintf("write %s(%s%s)", n.name, c.src[of.start:of.end], more))
	default:
		c.at(n, n.name+" is a method", fmt.Sprintf("write x.%s(…)", n.name))
	}
}

// pattern checks a constant regular expression.
func (c *checker) pattern(n *node) {
	var fault *syntax.Error
	if _, err := syntax.Parse(n.konst.Str(), syntax.Perl); errors.As(err, &fault) {
		c.at(n, "invalid regular expression: "+fault.Code.String(), "the syntax is RE2's")
	}
}

func (c *checker) unknownFunction(n *node) {
	n.op = opUnknown
	if n.name == "has" {
		c.at(n, "has takes one argument", "")
		return
	}
	c.at(n, fmt.Sprintf("unknown function %q", n.name), didYouMean(n.name, c.env.functionNames()))
}

// functionNames are all functions that can be called.
func (e *Env) functionNames() []string {
	list := []string{"has"}
	for _, f := range library {
		list = append(list, f.Name)
	}
	list = append(list, slices.Sorted(maps.Keys(macros))...)
	for _, id := range slices.Sorted(maps.Keys(e.functions)) {
		if !strings.ContainsAny(id, "_@!-") {
			list = append(list, id)
		}
	}
	return list
}

// shapeOf is the shape of what a function gives for its arguments.
func (f *function) shapeOf(args []*node) *shape.Shape {
	of := func(i int) *shape.Shape {
		if i < len(args) {
			return args[i].shape
		}
		return nil
	}
	switch f {
	case fnText, fnJSON, fnMD5, fnBLAKE3, fnStem, fnISO:
		return stringOrNull
	case fnNot, fnStatus:
		return boolOrNull
	case fnSeconds:
		return numberOrNull
	case fnLargest:
		return intType.shape()
	case fnWithout, fnUnwrap, fnNullable:
		return of(0)
	case fnList:
		return &shape.Shape{Types: shape.List, Item: asItem(of(0))}
	case fnCoalesce:
		s := of(0)
		for i := range args {
			s = shape.Union(s, of(i))
		}
		return s
	}
	return f.gives.shape()
}

// asItem is the shape of the items of list(v) for a v of shape s.
func asItem(s *shape.Shape) *shape.Shape {
	if s == nil || s.Types&shape.Any != 0 {
		return nil
	}
	single := *s
	single.Types &^= shape.List | shape.Null
	single.Item = nil
	switch {
	case single.Types == 0:
		return s.Item
	case s.Types&shape.List == 0:
		return &single
	}
	return shape.Union(s.Item, &single)
}
