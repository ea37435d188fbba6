package expr

import (
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types/ref"
)

// Compile compiles a CEL expression, written without the leading `=`. There is
// a program only when there are no issues.
func (e *Env) Compile(src string, static *Static) (*Program, []Issue) {
	p, issues := e.compileSlow(src, static)
	if len(issues) > 0 {
		return nil, issues
	}
	return p, nil
}

// compileSlow compiles an expression with cel-go.
func (e *Env) compileSlow(src string, static *Static) (*Program, []Issue) {
	run := &slow{names: map[string]func(*Scope) ref.Val{}}
	var vars []cel.EnvOption
	for _, n := range static.names() {
		vars = append(vars, cel.Variable(n.name, n.typ.celType()))
		run.names[n.name] = n.cel
	}
	var err error
	if run.env, err = e.cel.Extend(vars...); err != nil {
		return nil, []Issue{{Line: 1, Col: 1, Len: 1, Message: err.Error()}}
	}
	var found *cel.Issues
	run.ast, found = run.env.Compile(src)
	if found.Err() != nil {
		var issues []Issue
		for _, e := range found.Errors() {
			issues = append(issues, Issue{Line: e.Location.Line(), Col: e.Location.Column() + 1, Len: 1, Message: e.Message})
		}
		return nil, issues
	}
	isBool := run.ast.OutputType().IsExactType(cel.BoolType)
	return &Program{Source: src, IsBool: isBool, eval: run.eval, test: run.test}, nil
}
