package expr

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/trajmap/trajmap/engine/value"
)

// FuzzCompile looks for a source that panics, for a grammar that differs from
// cel-go's, and for closures that give something else than cel-go.
func FuzzCompile(f *testing.F) {
	for _, src := range expressions {
		f.Add(src)
	}
	for _, src := range slowExpressions {
		f.Add(src)
	}
	env, err := NewEnv()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if !utf8.ValidString(src) || len(src) > 200 {
			t.Skip()
		}
		p, found := env.Compile(src, testStatic)
		for _, i := range found {
			if i.Line < 1 || i.Col < 1 || i.Len < 1 || i.Message == "" {
				t.Errorf("%q: %+v", src, i)
			}
		}
		is := &issues{src: src}
		ours := parse(src, is) != nil
		_, theirs := env.cel.Parse(src)
		if ours && theirs.Err() != nil {
			t.Errorf("%q: cel-go does not parse it: %v", src, theirs.Err())
		}
		// Messages, quoted names and the dot before a global name are not in our grammar.
		if !ours && theirs.Err() == nil && !strings.ContainsAny(src, "{`") && !strings.HasPrefix(is.list[0].Message, "unexpected .") {
			t.Errorf("%q: cel-go parses it: %v", src, is.list)
		}
		if p == nil {
			return
		}
		is = &issues{src: src}
		slow := env.slow(src, testStatic, is)
		if len(is.list) > 0 {
			return // closures take a little more: the types of list items are not followed
		}
		for _, json := range []string{``, `{"n":1,"m":2,"s":"1","l":[1,2,3],"o":{"k":"v"},"b":true,"type":"x"}`, `{"n":1.5,"s":"a\nb","l":["a",null,{"type":"image"}],"content":[{"text":"t"}]}`} {
			s := testScope(json)
			want, wantOK := slow.eval(s)
			got, gotOK := p.eval(s)
			if gotOK != wantOK || gotOK && !s.equal(got, want) {
				t.Errorf("%q on %s gave %s, %v, want %s, %v", src, json, got.AppendJSON(nil), gotOK, want.AppendJSON(nil), wantOK)
			}
		}
	})
}

func FuzzPath(f *testing.F) {
	for _, path := range []string{`a.b`, `@this`, `a\.b.c`, `parts.#(type=="c").id`, `l.#.t`, `a.0`, `..`, `{a,b}`, `a|b`, `@pretty`, `l.@reverse.0`, `!"x"`} {
		f.Add(path, `{"a":{"b":[1,{"c":"x"}]},"l":[{"t":1}]}`)
	}
	env, err := NewEnv()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, path, json string) {
		doc := new(value.Doc)
		if !utf8.ValidString(path) || !utf8.ValidString(json) || doc.Parse([]byte(json)) != nil {
			t.Skip()
		}
		p, found := env.Path(path, shapedStatic)
		if (p == nil) != (len(found) > 0) {
			t.Fatalf("%q: %v", path, found)
		}
		if p, _ = env.Path(path, &Static{}); p != nil {
			s := testScope("")
			s.It = doc.Root()
			p.Eval(s)
		}
	})
}
