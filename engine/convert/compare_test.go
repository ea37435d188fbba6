package convert

import (
	"context"
	"testing"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/session"
)

// call is a session with one call.
func call(t *testing.T, args string) *session.Session {
	t.Helper()
	m, err := engine.Open("trajectory")
	if err != nil {
		t.Fatal(err)
	}
	s, err := Load(context.Background(), m.Mapping, engine.Bytes("x", []byte(
		`{"role":"meta","source":"x"}
{"role":"user","content":"Go."}
{"role":"assistant","content":null,"tool_calls":[{"id":"a","name":"f","args":`+args+`}]}
{"role":"tool","tool_call_id":"a","content":"one","ok":true}
{"role":"assistant","content":"Done."}
`)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s.Session
}

// TestKept tells numbers that a program may keep otherwise from other numbers.
func TestKept(t *testing.T) {
	for _, c := range []struct {
		name, from, to string
		written, kept  bool
	}{
		{"the same", `"{\"n\":9007199254740993}"`, `"{\"n\":9007199254740993}"`, true, true},
		{"as a double", `"{\"n\":9007199254740993}"`, `"{\"n\":9007199254740992}"`, false, true},
		{"another double", `"{\"n\":9007199254740993}"`, `"{\"n\":9007199254740994}"`, false, false},
		{"another text", `"{\"n\":1}"`, `"{\"n\":\"1\"}"`, false, false},
		{"a member less", `"{\"n\":1,\"m\":2}"`, `"{\"n\":1}"`, false, false},
	} {
		from, to := call(t, c.from), call(t, c.to)
		if got := len(Compare(from, to).Differences) == 0; got != c.written {
			t.Errorf("%s: Compare says %v", c.name, got)
		}
		if got := len(Kept(from, to).Differences) == 0; got != c.kept {
			t.Errorf("%s: Kept says %v", c.name, got)
		}
		if got := Begins(to, from); got != c.kept {
			t.Errorf("%s: Begins says %v", c.name, got)
		}
	}
}
