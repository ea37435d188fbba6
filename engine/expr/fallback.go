package expr

import (
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"

	"github.com/trajmap/trajmap/engine/value"
)

// member is the function that the selects and indexes of an expression become
// before cel-go plans it: unlike them it gives null for what is not there.
const member = "@member"

func memberOf(obj, key ref.Val) ref.Val {
	switch obj := obj.(type) {
	case traits.Mapper:
		if v, ok := obj.Find(key); ok {
			return v
		}
	case traits.Lister:
		n, ok := key.(types.Int)
		if d, isDouble := key.(types.Double); isDouble && d == types.Double(int64(d)) {
			n, ok = types.Int(d), true
		}
		if ok && n >= 0 && n < obj.Size().(types.Int) {
			return obj.Get(n)
		}
	}
	return types.NullValue
}

// totalSelects rewrites the selects and indexes below e.
func totalSelects(fac ast.ExprFactory, checked *ast.AST, e ast.Expr) {
	refs := checked.ReferenceMap()
	next := ast.MaxID(checked) + 1
	ast.PostOrderVisit(e, ast.NewExprVisitor(func(e ast.Expr) {
		switch e.Kind() {
		case ast.SelectKind:
			if _, isName := refs[e.ID()]; isName {
				return
			}
			sel := e.AsSelect()
			next++
			operand := fac.CopyExpr(sel.Operand())
			key := fac.NewLiteral(next, types.String(sel.FieldName()))
			e.SetKindCase(fac.NewCall(e.ID(), member, operand, key))
		case ast.CallKind:
			if call := e.AsCall(); call.FunctionName() == operators.Index {
				delete(refs, e.ID())
				args := call.Args()
				e.SetKindCase(fac.NewCall(e.ID(), member, fac.CopyExpr(args[0]), fac.CopyExpr(args[1])))
			}
		}
	}))
}

// slow runs an expression with cel-go. It is planned when it first runs.
type slow struct {
	env   *cel.Env
	ast   *cel.Ast
	names map[string]*name
	plan  sync.Once
	prog  cel.Program
}

func (p *slow) program() cel.Program {
	p.plan.Do(func() {
		native := p.ast.NativeRep()
		totalSelects(ast.NewExprFactory(), native, native.Expr())
		// An expression that checks can be planned: if not, it fails when it runs.
		p.prog, _ = p.env.PlanProgram(native)
	})
	return p.prog
}

func (p *slow) run(s *Scope) (ref.Val, bool) {
	prog := p.program()
	if prog == nil {
		s.fail("it cannot be planned")
		return nil, false
	}
	out, _, err := prog.Eval(activation{p, s})
	if err != nil {
		s.fail(reasonOf(err))
		return nil, false
	}
	return out, true
}

func (p *slow) eval(s *Scope) (value.Value, bool) {
	out, ok := p.run(s)
	if !ok {
		return value.Value{}, false
	}
	v, ok := s.fromCEL(out)
	if !ok {
		s.fail(notJSON)
	}
	return v, ok
}

func (p *slow) test(s *Scope) (bool, bool) {
	out, ok := p.run(s)
	return out == types.True, ok
}

// reasonOf says what went wrong without saying with which content.
func reasonOf(err error) string {
	msg := err.Error()
	for _, known := range []string{"division by zero", "modulus by zero", "integer overflow", "unsigned integer overflow", "index out of bounds"} {
		if strings.Contains(msg, known) {
			return known
		}
	}
	if strings.Contains(msg, "no such overload") || strings.Contains(msg, "expected iterable") {
		return "a value has the wrong type"
	}
	return "a function cannot take its arguments"
}

// activation gives cel-go the values of names.
type activation struct {
	*slow
	s *Scope
}

func (n activation) ResolveName(name string) (any, bool) {
	known, ok := n.names[name]
	if !ok {
		return nil, false
	}
	return known.cel(n.s), true
}

func (n activation) Parent() interpreter.Activation { return nil }
