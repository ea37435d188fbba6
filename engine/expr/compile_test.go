package expr

import (
	"testing"

	"github.com/trajmap/trajmap/engine/value"
)

func TestFirst(t *testing.T) {
	env, err := NewEnv()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{
		{`it.a.b.c == null`, `true`}, {`it.type == "x"`, `true`}, {`has(it.q)`, `false`}, {`list(it.l).exists(b, b == 1)`, `true`}, {`it.q > 1`, `null`},
		{`it.l[7]`, `null`}, {`text(it.l)`, `null`},
	} {
		p, issues := env.Compile(c[0], &Static{})
		if issues != nil {
			t.Fatal(c[0], issues)
		}
		s := &Scope{Arena: new(value.Arena), It: value.MustParse(`{"type":"x","l":[1,2]}`), Failed: func(p *Program, r string) { t.Log(p.Source, r) }}
		if got := string(p.Eval(s).AppendJSON(nil)); got != c[1] {
			t.Errorf("%s = %s want %s", c[0], got, c[1])
		}
	}
	for _, f := range Functions() {
		for _, e := range f.Examples {
			p, issues := env.Compile(e.Expr, &Static{})
			if issues != nil {
				t.Error(e.Expr, issues)
				continue
			}
			s := &Scope{Arena: new(value.Arena), Failed: func(p *Program, r string) { t.Error(p.Source, r) }}
			if got := string(p.Eval(s).AppendJSON(nil)); got != e.Result {
				t.Errorf("%s = %s want %s", e.Expr, got, e.Result)
			}
		}
	}
}
