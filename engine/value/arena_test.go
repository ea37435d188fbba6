package value

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestArena(t *testing.T) {
	var a Arena
	for round := range 3 {
		s := a.String("a\n\"é\xed\xa0\xb4")
		text := a.Text(func(dst []byte) []byte { return append(dst, `x\ty`...) })
		plain := a.Text(func(dst []byte) []byte { return append(dst, "plain"...) })
		list := a.JSON(func(dst []byte) []byte { return append(dst, `[1,{"a":null}]`...) })
		n, f := a.Int(math.MinInt64), a.Float(1e300)
		for _, test := range []struct {
			v    Value
			want string
		}{
			{s, `"a\n\"é\ud834"`}, {text, `"x\ty"`}, {plain, `"plain"`}, {list, `[1,{"a":null}]`}, {n, "-9223372036854775808"}, {f, "1e+300"},
			{a.Float(-0.5), "-0.5"}, {a.String(""), `""`}, {Of(true), "true"}, {Of(false), "false"},
		} {
			if got := string(test.v.AppendJSON(nil)); got != test.want {
				t.Errorf("round %d: %s, want %s", round, got, test.want)
			}
		}
		if s.Str() != "a\n\"é\xed\xa0\xb4" || text.Str() != "x\ty" || !text.Escaped() || plain.Escaped() {
			t.Errorf("round %d: strings %q, %q", round, s.Str(), text.Str())
		}
		if b, ok := Of(true).Bool(); !b || !ok {
			t.Error("Of(true) is not true")
		}
		for _, bad := range []Value{
			a.Float(math.NaN()), a.Float(math.Inf(1)), a.JSON(func(dst []byte) []byte { return append(dst, "nul"...) }), a.JSON(func(dst []byte) []byte { return dst }),
		} {
			if bad.Exists() {
				t.Errorf("round %d: %s exists", round, bad.Raw())
			}
		}
		a.Reset()
	}
}

func TestArenaRecycles(t *testing.T) {
	var a Arena
	use := func() {
		a.Reset()
		for i := range 20 {
			a.Int(int64(i))
			a.Text(func(dst []byte) []byte { return append(dst, "text"...) })
		}
	}
	use()
	if n := testing.AllocsPerRun(100, use); n != 0 {
		t.Errorf("a used Arena allocates %v times", n)
	}
	a.Reset()
	a.String(strings.Repeat("x", 2*keepText))
	a.Reset()
	if v := a.String("y"); cap(v.d.src) > keepText {
		t.Errorf("%d bytes are kept for a string of one", cap(v.d.src))
	}
}

// TestArenaLives checks that values live until Reset, whatever is made after.
func TestArenaLives(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var a Arena
		for range 3 {
			a.Reset()
			texts := rapid.SliceOfN(rapid.String(), 1, 20).Draw(rt, "texts")
			var values []Value
			for _, s := range texts {
				values = append(values, a.String(s))
			}
			for i, s := range texts {
				if values[i].Str() != s {
					rt.Fatalf("value %d is %q, want %q", i, values[i].Str(), s)
				}
			}
		}
	})
}

func TestMustParse(t *testing.T) {
	if got := string(MustParse(`{"a":[1]}`).Get("a").Raw()); got != "[1]" {
		t.Errorf("member = %s", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("MustParse of no JSON did not panic")
		}
	}()
	MustParse("{")
}
