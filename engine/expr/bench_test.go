package expr

import (
	"testing"

	"github.com/trajmap/trajmap/engine/value"
)

// BenchmarkCompile100 compiles the expressions of a large mapping: what the
// start of a program pays.
func BenchmarkCompile100(b *testing.B) {
	env, err := NewEnv()
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		for i := range 100 {
			src := expressions[len(expressions)-1-i]
			if _, issues := env.Compile(src, testStatic); issues != nil {
				b.Fatal(src, issues)
			}
		}
	}
}

var hot = []string{
	`it.type == "x"`, `it.isSidechain == true && session.has_main`, `text(it.content)`, `str(text(it.content))`, `text(it.message.content)`,
	`not(it.is_error)`, `starts(text(it.content), ["<environment_context>", "<user_instructions>", "<turn_context>"])`,
	`it.type in ["user", "assistant"] && it.message != null`, `list(it.content).exists(b, b.type == "image")`,
	`lines((list(it.content) + list(it.summary)).map(b, b.text))`, `status(it.status, ["success"], ["error", "cancelled"])`, `coalesce(it.a, it.b, it.content)`,
}

const hotValue = `{"type":"assistant","uuid":"0199","isSidechain":true,"is_error":false,"status":"success","message":{"role":"user","content":"short text"},
"content":[{"type":"text","text":"some text with an \"escape\""},{"type":"tool_use","id":"c1"},{"type":"text","text":"more"}],"summary":null}`

func BenchmarkEval(b *testing.B) {
	env, err := NewEnv()
	if err != nil {
		b.Fatal(err)
	}
	for _, src := range hot {
		p, issues := env.Compile(src, testStatic)
		if issues != nil {
			b.Fatal(src, issues)
		}
		b.Run(src, func(b *testing.B) {
			s := testScope(hotValue)
			b.ReportAllocs()
			for b.Loop() {
				if p.IsBool {
					p.Test(s)
				} else {
					p.Eval(s)
				}
				s.Arena.Reset()
			}
		})
	}
}

// TestHotExpressionsDoNotAllocate holds what runs for every frame to none.
func TestHotExpressionsDoNotAllocate(t *testing.T) {
	env, err := NewEnv()
	if err != nil {
		t.Fatal(err)
	}
	for _, src := range hot {
		p, issues := env.Compile(src, testStatic)
		if issues != nil {
			t.Fatal(src, issues)
		}
		s := testScope(hotValue)
		run := func() {
			p.Eval(s)
			p.Test(s)
			s.Arena.Reset()
		}
		run()
		if n := testing.AllocsPerRun(100, run); n > 0 {
			t.Errorf("%s: %v allocations", src, n)
		}
	}
	s := testScope(hotValue)
	v := value.MustParse(`"\n <b> and more"`)
	prefixes := value.MustParse(`["<a>", "<b>"]`)
	if n := testing.AllocsPerRun(100, func() { startsAny(v, prefixes); s.equal(v, s.It) }); n > 0 {
		t.Errorf("an escaped string: %v allocations", n)
	}
}
