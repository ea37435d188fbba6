package langgraph

import (
	"bytes"
	"encoding/hex"
	"math"
	"strings"
	"testing"

	"github.com/trajmap/trajmap/engine/value"
)

// TestPack holds the shortest forms against bytes that Python's serializer gave
// (ormsgpack 1.13.1).
func TestPack(t *testing.T) {
	for in, want := range map[string]string{
		`null`: "c0", `true`: "c3", `false`: "c2",
		`0`: "00", `127`: "7f", `128`: "cc80", `255`: "ccff", `256`: "cd0100", `65536`: "ce00010000", `4294967296`: "cf0000000100000000",
		`9223372036854775808`: "cf8000000000000000", `18446744073709551615`: "cfffffffffffffffff",
		`-1`: "ff", `-32`: "e0", `-33`: "d0df", `-129`: "d1ff7f", `-32769`: "d2ffff7fff", `-2147483649`: "d3ffffffff7fffffff",
		`1.0`: "cb3ff0000000000000", `-0.0`: "cb8000000000000000",
		`18446744073709551616`: "cb43f0000000000000", `1e400`: "c0",
		`""`: "a0", `"é"`: "a2c3a9", `"\ud800"`: "a3efbfbd", `"\u0000"`: "a100",
		`[]`: "90", `{}`: "80", `[1,[2]]`: "92019102", `{"b":1,"a":null,"b":2}`: "82a16202a161c0",
		`{"lc":1,"id":["m"],"kwargs":{}}`: "83a26c6301a2696491a16da66b776172677380",
	} {
		var doc value.Doc
		if err := doc.Parse([]byte(in)); err != nil {
			t.Fatal(err)
		}
		if got := hex.EncodeToString(packer{}.value(nil, doc.Root())); got != want {
			t.Errorf("%s is %s, want %s", in, got, want)
		}
	}
	for n, want := range map[int]string{
		31: "bf", 32: "d920", 255: "d9ff", 256: "da0100", 65535: "daffff", 65536: "db00010000",
	} {
		if got := packStr(nil, strings.Repeat("x", n)); !strings.HasPrefix(hex.EncodeToString(got), want+"78") || len(got) != n+len(want)/2 {
			t.Errorf("a text of %d bytes begins %x", n, got[:8])
		}
	}
	for n, want := range map[int]string{15: "9f", 16: "dc0010", 65536: "dd00010000"} {
		if got := hex.EncodeToString(packArray(nil, n)); got != want {
			t.Errorf("a list of %d begins %s, want %s", n, got, want)
		}
	}
	for n, want := range map[int]string{15: "8f", 16: "de0010", 65536: "df00010000"} {
		if got := hex.EncodeToString(packMap(nil, n)); got != want {
			t.Errorf("a map of %d begins %s, want %s", n, got, want)
		}
	}
	for n, want := range map[int]string{
		0: "c70005", 1: "d405", 2: "d505", 3: "c70305", 4: "d605", 8: "d705", 16: "d805", 17: "c71105", 256: "c8010005", 65536: "c90001000005",
	} {
		payload := bytes.Repeat([]byte{1}, n)
		if got := hex.EncodeToString(packExt(nil, 5, payload)); got != want+hex.EncodeToString(payload) {
			t.Errorf("an ext of %d bytes is %.20s, want %s", n, got, want)
		}
	}
}

// FuzzPack writes JSON as msgpack and reads it again: nothing is lost but what
// msgpack cannot hold.
func FuzzPack(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,-1,1.5,null,true,"x"],"b":{"":{}}}`, `[18446744073709551616,1e999,-9223372036854775808]`, `"\ud83d\udcA9\ud800"`,
		`{"lc":2,"type":"constructor","id":["langchain_core","messages","ai","AIMessage"],"kwargs":{"content":"x","id":"1"}}`,
		`{"a":1,"a":2}`, `"` + strings.Repeat("long ", 60) + `"`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		var doc value.Doc
		if doc.Parse(in) != nil {
			return
		}
		b := packer{}.value(nil, doc.Root())
		if err := whole(b); err != nil {
			t.Fatalf("what was written of %s cannot be read: %v", in, err)
		}
		out, err := appendJSON(nil, b, math.MaxInt32)
		if err != nil {
			return // nested more deeply than a message may be
		}
		var back value.Doc
		if err := back.Parse(out); err != nil {
			t.Fatalf("%s: %v", out, err)
		}
		if !alike(doc.Root(), back.Root()) {
			t.Errorf("%s has become %s", in, out)
		}
	})
}

// alike compares JSON values as far as msgpack holds them.
func alike(a, b value.Value) bool {
	switch a.Kind() {
	case value.Number:
		x, whole := a.Float()
		if !whole {
			return b.Kind() == value.Null
		}
		y, _ := b.Float()
		return x == y
	case value.String:
		return strings.ToValidUTF8(a.Str(), "\ufffd") == b.Str()
	case value.Array:
		if a.Len() != b.Len() || b.Kind() != value.Array {
			return false
		}
		next := b.Cursor()
		for item := range a.Items() {
			if other, _ := next.Next(); !alike(item, other) {
				return false
			}
		}
		return true
	case value.Object:
		for name := range a.Members() {
			key := strings.ToValidUTF8(name.String(), "\ufffd")
			if key == name.String() && !alike(a.Get(key), b.Get(key)) {
				return false
			}
		}
		return b.Kind() == value.Object
	}
	return a.Kind() == b.Kind()
}
