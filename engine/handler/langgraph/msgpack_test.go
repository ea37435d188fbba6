package langgraph

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
)

// TestScalars reads every form of a value and prints it.
func TestScalars(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"nil", "\xc0", "null"},
		{"false", "\xc2", "false"},
		{"true", "\xc3", "true"},
		{"fixint", "\x7f", "127"},
		{"negative fixint", "\xe0", "-32"},
		{"uint8", "\xcc\xff", "255"},
		{"uint16", "\xcd\xff\xff", "65535"},
		{"uint32", "\xce\xff\xff\xff\xff", "4294967295"},
		{"uint64", "\xcf\xff\xff\xff\xff\xff\xff\xff\xff", "18446744073709551615"},
		{"uint64 that is an int64", "\xcf\x7f\xff\xff\xff\xff\xff\xff\xff", "9223372036854775807"},
		{"int8", "\xd0\x80", "-128"},
		{"int16", "\xd1\x80\x00", "-32768"},
		{"int32", "\xd2\x80\x00\x00\x00", "-2147483648"},
		{"int64", "\xd3\x80\x00\x00\x00\x00\x00\x00\x00", "-9223372036854775808"},
		{"float32", "\xca\x3f\x00\x00\x00", "0.5"},
		{"float64", "\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00", "1.5"},
		{"NaN", "\xcb\x7f\xf8\x00\x00\x00\x00\x00\x01", "null"},
		{"fixstr", "\xa3a\"\n", `"a\"\n"`},
		{"str8", "\xd9\x02\xc3\xa9", `"é"`},
		{"str16", "\xda\x00\x01x", `"x"`},
		{"str32", "\xdb\x00\x00\x00\x01x", `"x"`},
		{"no UTF-8", "\xa2a\xff", `"a` + "�" + `"`},
		{"bin8", "\xc4\x02\xff\x00", `"/wA="`},
		{"bin16", "\xc5\x00\x00", `""`},
		{"bin32", "\xc6\x00\x00\x00\x01a", `"YQ=="`},
		{"fixarray", "\x92\x01\x90", "[1,[]]"},
		{"array16", "\xdc\x00\x01\x01", "[1]"},
		{"array32", "\xdd\x00\x00\x00\x01\x01", "[1]"},
		{"fixmap", "\x82\xa1a\x01\xa1b\x80", `{"a":1,"b":{}}`},
		{"map16", "\xde\x00\x01\xa1a\x01", `{"a":1}`},
		{"map32", "\xdf\x00\x00\x00\x01\xa1a\x01", `{"a":1}`},
		{"keys that are no texts", "\x83\x01\xa1x\xc0\xa1y\x92\x01\xa1q\xa1z", `{"1":"x","null":"y","[1,\"q\"]":"z"}`},
		{"a UUID", "\xc7\x0d\x00\x93\xa4uuid\xa4UUID\xa1u", `"u"`},
		{"arguments that break off", "\xc7\x10\x01\x93\xa8datetime\xa4date\x93\x01", ""},
		{"arguments", "\xc7\x08\x01\x93\xa1m\xa1c\x92\x01\x02", "[1,2]"},
		{"keywords", "\xd7\x02\x93\xa1m\xa1c\x81\xa0\x01", `{"":1}`},
		{"a method", "\xd7\x03\x94\xa1m\xa1c\xa1t\xc0", `"t"`},
		{"a model that breaks off", "\xc7\x09\x05\x94\xa1m\xa1c\x81\xa1f\x07\xc0", ""},
		{"a model with its method", "\xc7\x0a\x05\x94\xa1m\xa1c\x81\xa1f\x07\xa0", `{"f":7}`},
		{"numpy", "\xc7\x01\x06\xc0", "null"},
		{"a delta", "\xd5\x07\x91\x01", "[1]"},
	} {
		got, err := appendJSON(nil, []byte(test.in), 1000)
		if test.want == "" {
			if err == nil {
				t.Errorf("%s: %s, want an error", test.name, got)
			}
			continue
		}
		if err != nil || string(got) != test.want || whole([]byte(test.in)) != nil {
			t.Errorf("%s: %s, %v; want %s (%v)", test.name, got, err, test.want, whole([]byte(test.in)))
		}
	}
}

// TestHostile reads what claims more than it is.
func TestHostile(t *testing.T) {
	nested := func(n int, open, close string) []byte {
		return []byte(strings.Repeat(open, n) + close)
	}
	for _, test := range []struct {
		name string
		in   []byte
		want error
	}{
		{"nothing", nil, errCut},
		{"a byte that begins nothing", []byte{0xc1}, errInvalid},
		{"a cut number", []byte{0xcf, 1}, errCut},
		{"a cut text", []byte{0xdb, 0xff, 0xff, 0xff, 0xff, 'x'}, errCut},
		{"cut bytes", []byte{0xc6, 0x7f, 0xff, 0xff, 0xff}, errCut},
		{"a huge list", []byte{0xdd, 0xff, 0xff, 0xff, 0xff, 1}, errCount},
		{"a huge map", []byte{0xdf, 0xff, 0xff, 0xff, 0xff, 1, 1}, errCount},
		{"a huge ext", []byte{0xc9, 0xff, 0xff, 0xff, 0xff, 5, 1}, errCut},
		{"deep lists", nested(100_000, "\x91", "\xc0"), errDeep},
		{"deep maps", nested(100_000, "\x81\xa0", "\xc0"), errDeep},
		{"deep keys", nested(100_000, "\x81", "\xc0"), errDeep},
		{"an ext that is not known", []byte{0xd4, 42, 0xc0}, errForeign},
		{"a timestamp", []byte{0xd6, 0xff, 0, 0, 0, 0}, errForeign},
		{"long", append([]byte{0xdc, 0x10, 0x00}, bytes.Repeat([]byte{0xc0}, 0x1000)...), errTooBig},
	} {
		if _, err := appendJSON(nil, test.in, 1000); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", test.name, err, test.want)
		}
	}
	if err := whole([]byte{1, 2}); !errors.Is(err, errTrail) {
		t.Errorf("something behind the value: %v", err)
	}
	// Keys in keys are quoted again and again; that ends at the limit.
	deep := append(nested(150, "\x81", "\xa4\"\"\"\""), bytes.Repeat([]byte{0xc0}, 150)...)
	out, err := appendJSON(nil, deep, 10_000)
	if !errors.Is(err, errTooBig) || len(out) > 100_000 {
		t.Errorf("keys in keys: %d bytes, %v", len(out), err)
	}
}

// FuzzMsgpack makes JSON of anything that is msgpack, of a bounded length.
func FuzzMsgpack(f *testing.F) {
	for _, seed := range []string{"\x82\xa1a\x01\x01\xc0", "\xc7\x0a\x05\x94\xa1m\xa1c\x81\xa1f\x07\xa0", "\xdd\xff\xff\xff\xff", "\xd5\x07\x91\x01", "\x81\x81\x81\xa0\x01\x01\x01"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		const limit = 1 << 16
		out, err := appendJSON(nil, b, limit)
		if len(out) > 8*limit+10*len(b) {
			t.Errorf("%d bytes of %d", len(out), len(b))
		}
		if whole(b) != nil {
			return
		}
		if err == nil && !json.Valid(out) {
			t.Errorf("no JSON: %q", out)
		}
		c, err := changeOf(b)
		if err != nil {
			return
		}
		s := &state{places: map[string]int{}}
		s.step([]change{c, c})
		for i := range s.messages {
			if s.messages[i].fields == nil {
				continue
			}
			if out, err := appendMessage(nil, &s.messages[i], limit); err == nil && !json.Valid(out) {
				t.Errorf("no JSON: %q", out)
			}
		}
		_ = new(checkpoint).parse(b)
	})
}

// TestFromJSON makes of JSON what msgpack would have held.
func TestFromJSON(t *testing.T) {
	for in, want := range map[string]string{
		`{"a":[1,-2.5,"x\n",true,false,null,{}],"b":9007199254740993}`:                                      `{"a":[1,-2.5,"x\n",true,false,null,{}],"b":9007199254740993}`,
		`{"lc":1,"type":"constructor","id":["langchain","schema","HumanMessage"],"kwargs":{"content":"x"}}`: `{"content":"x"}`,
		`{"lc":1,"id":"text"}`:         `{"lc":1,"id":"text"}`,
		`{"lc":1,"id":[],"kwargs":{}}`: `{}`,
	} {
		b, err := fromJSON([]byte(in))
		if err != nil {
			t.Fatal(err)
		}
		if err := whole(b); err != nil {
			t.Errorf("%s: %v", in, err)
		}
		if got, err := appendJSON(nil, b, 1000); err != nil || string(got) != want {
			t.Errorf("%s: %s, %v", in, got, err)
		}
	}
	if _, err := fromJSON([]byte("{")); !errors.Is(err, errNoJSON) {
		t.Errorf("no JSON: %v", err)
	}
	b, _ := fromJSON([]byte(`{"lc":2,"id":["langchain_core","messages","ai","AIMessage"],"kwargs":{}}`))
	o, err := objectOf(first(b))
	if err != nil || o.module != "langchain_core.messages.ai" || o.name != "AIMessage" {
		t.Errorf("%+v, %v", o, err)
	}
	if n := first([]byte{0xcb, 0x7f, 0xf0, 0, 0, 0, 0, 0, 0}); !math.IsInf(n.float, 1) {
		t.Errorf("%+v", n)
	}
}
