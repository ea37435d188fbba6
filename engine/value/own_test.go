package value

import "testing"

func TestAppendOwn(t *testing.T) {
	for _, test := range []struct{ json, want string }{
		{`{"a":1.0,"b":9007199254740993,"c":1e3,"d":-0,"e":0.10}`, ""},
		{`{"z":1,"10":2,"9":3,"":4}`, ""},
		{" [ 1 , { \"a\" :\ttrue } ,\n[ ] , { } ] ", `[1,{"a":true},[],{}]`},
		{`{"a":1,"b":2,"a":{"c":1,"c":2},"b":3}`, `{"a":{"c":2},"b":3}`},
		{`{"a":1,"\u0061":2}`, `{"a":2}`},
		{`"\u0061\/\ud800\u2028"`, "\"a/\\ud800\u2028\""},
		{`null`, ""}, {`false`, ""}, {`12`, ""},
	} {
		want := test.want
		if want == "" {
			want = test.json
		}
		if got := string(MustParse(test.json).AppendOwn(nil)); got != want {
			t.Errorf("%s became %s, want %s", test.json, got, want)
		}
	}
	if got := string(Value{}.AppendOwn(nil)); got != "null" {
		t.Errorf("what is absent became %s", got)
	}
}
