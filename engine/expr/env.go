package expr

import (
	"strconv"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/decls"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/ext"
	celparser "github.com/google/cel-go/parser"

	"github.com/trajmap/trajmap/engine/value"
)

// Env compiles expressions. It is safe for concurrent use.
type Env struct {
	cel       *cel.Env // without names
	functions map[string]*decls.FunctionDecl
}

// NewEnv gives the environment of all mappings. It is made once in a process.
func NewEnv() (*Env, error) { return newEnv() }

var newEnv = sync.OnceValues(func() (*Env, error) {
	opts := []cel.EnvOption{
		cel.CustomTypeAdapter(toCELAdapter),
		cel.CrossTypeNumericComparisons(true),
		cel.ClearMacros(),
		cel.Macros(hasMacro, cel.AllMacro, cel.ExistsMacro, cel.ExistsOneMacro, cel.MapMacro, cel.MapFilterMacro, cel.FilterMacro),
		ext.Strings(), ext.Lists(), ext.Encoders(),
		cel.Function(member, cel.Overload(member, []*cel.Type{cel.DynType, cel.DynType}, cel.DynType, cel.BinaryBinding(memberOf))),
	}
	for _, f := range library {
		opts = append(opts, f.declare())
	}
	env, err := cel.NewEnv(opts...)
	if err != nil {
		return nil, err
	}
	return &Env{env, env.Functions()}, nil
})

// hasMacro makes has(x) stand for x != null, whatever x is.
var hasMacro = celparser.NewGlobalMacro(operators.Has, 1,
	func(eh celparser.ExprHelper, _ ast.Expr, args []ast.Expr) (ast.Expr, *cel.Error) {
		x := eh.NewCall("dyn", args[0])
		return eh.NewCall(operators.NotEquals, x, eh.NewLiteral(types.NullValue)), nil
	})

// declare makes a library function known to cel-go.
func (f *function) declare() cel.EnvOption {
	var opts []cel.FunctionOpt
	for n := f.min; n <= f.max; n++ {
		args := make([]*cel.Type, n)
		for i := range args {
			args[i] = cel.DynType
		}
		id := f.Name + "_" + strconv.Itoa(n)
		opts = append(opts, cel.Overload("@"+id, args, f.gives.celType(), f.bind(n)))
	}
	return cel.Function(f.Name, opts...)
}

// bind is the function with n arguments, in the form that cel-go plans for them.
func (f *function) bind(n int) cel.OverloadOpt {
	switch n {
	case 1:
		return cel.UnaryBinding(func(a ref.Val) ref.Val { return f.call(a) })
	case 2:
		return cel.BinaryBinding(func(a, b ref.Val) ref.Val { return f.call(a, b) })
	}
	return cel.FunctionBinding(f.call)
}

// call runs a library function for cel-go, on values of its own.
func (f *function) call(args ...ref.Val) ref.Val {
	s := &Scope{Arena: new(value.Arena)}
	in := make([]value.Value, len(args))
	for i, a := range args {
		v, ok := s.fromCEL(a)
		if !ok {
			return types.NewErr("%s: an argument is no JSON value", f.Name)
		}
		in[i] = v
	}
	return toCEL(f.run(s, in))
}
