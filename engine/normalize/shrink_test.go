package normalize

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// argsText runs the arguments of one call through the package.
func argsText(a *arguments, raw []byte, isJSON bool, limit int) (string, argsChange) {
	text, changed := a.text(&Event{Args: raw, IsJSON: isJSON}, limit)
	return string(encode(pointsOf(text))), changed
}

// TestArgsAsDefined holds the shortening of arguments against the contract's own
// words.
func TestArgsAsDefined(t *testing.T) {
	var a arguments
	paths := map[argsChange]int{}
	rapid.Check(t, func(t *rapid.T) {
		object := drawArguments(t)
		raw := object.print()
		limit := drawBound.Draw(t, "bound")
		if rapid.IntRange(0, 3).Draw(t, "near") == 0 {
			limit = max(2, len(raw)-rapid.IntRange(-2, 400).Draw(t, "over"))
		}
		// A source's own string may be spaced; then the bound sees the spaces.
		isJSON := rapid.Bool().Draw(t, "printed")
		if !isJSON {
			raw = append([]rune(" "), raw...)
		}
		want, wantChange := naiveArgs(raw, object, limit)
		got, change := argsText(&a, encode(raw), isJSON, limit)
		if got != string(encode(want)) || change != wantChange {
			t.Fatalf("bound %d:\n%d code points, %+v:\n%s\nwant %d, %+v:\n%s", limit,
				len(got), change, brief(got), len(want), wantChange, brief(string(encode(want))))
		}
		if !parses([]byte(got)) {
			t.Fatalf("bound %d: no JSON: %s", limit, brief(got))
		}
		paths[change]++
	})
	for _, change := range []argsChange{{}, {truncated: true}, {reshaped: true, truncated: true}} {
		if paths[change] == 0 && !testing.Short() {
			t.Errorf("no case ended as %+v: draw others", change)
		}
	}
}

// TestShortArgsAsDefined draws strings about as long as a marker, where a shorter
// string may be a longer print.
func TestShortArgsAsDefined(t *testing.T) {
	var a arguments
	rapid.Check(t, func(t *rapid.T) {
		length := rapid.IntRange(26, 34)
		for range 20 {
			object := drawObject(t, []int{length.Draw(t, "length"), length.Draw(t, "length")}, 1)
			raw := object.print()
			limit := max(2, len(raw)-rapid.IntRange(1, 70).Draw(t, "over"))
			want, wantChange := naiveArgs(raw, object, limit)
			got, change := argsText(&a, encode(raw), true, limit)
			if got != string(encode(want)) || change != wantChange {
				t.Fatalf("bound %d of %s:\n%+v %s\nwant\n%+v %s", limit, encode(raw), change, got, wantChange, encode(want))
			}
		}
	})
}

func TestWrappedArgsAsDefined(t *testing.T) {
	var a arguments
	rapid.Check(t, func(t *rapid.T) {
		raw := append([]rune("no JSON: "), drawString(t, drawLength(t))...)
		limit := drawBound.Draw(t, "bound")
		want, wantChange := naiveArgs(raw, nil, limit)
		got, change := argsText(&a, encode(raw), false, limit)
		if got != string(encode(want)) || change != wantChange {
			t.Fatalf("bound %d: %+v:\n%s\nwant %+v:\n%s", limit, change, brief(got), wantChange, brief(string(encode(want))))
		}
	})
}

func brief(s string) string {
	if len(s) > 400 {
		return fmt.Sprintf("%q … %q (%d bytes)", s[:200], s[len(s)-200:], len(s))
	}
	return fmt.Sprintf("%q", s)
}

func TestArgs(t *testing.T) {
	surrogate := "\xed\xa0\xbd" // half a pair, in the bytes of package value
	tests := []struct {
		name    string
		raw     string
		isJSON  bool
		limit   int
		want    string
		changed argsChange
	}{
		{name: "absent", want: "{}"},
		{name: "an object as it stands", raw: ` {"b": 1, "a": 2.50} `, limit: 30, want: ` {"b": 1, "a": 2.50} `},
		{name: "an object of the source's JSON", raw: `{"b":1}`, isJSON: true, limit: 30, want: `{"b":1}`},
		{name: "no JSON", raw: "ls -l", limit: 30, want: `{"_raw":"ls -l"}`, changed: argsChange{reshaped: true}},
		{name: "a list", raw: `["fast"]`, limit: 30, want: `{"_raw":"[\"fast\"]"}`, changed: argsChange{reshaped: true}},
		{name: "null", raw: `null`, limit: 30, want: `{"_raw":"null"}`, changed: argsChange{reshaped: true}},
		{name: "a torn object", raw: `{"a":`, limit: 30, want: `{"_raw":"{\"a\":"}`, changed: argsChange{reshaped: true}},
		{name: "an object and more", raw: `{} x`, limit: 30, want: `{"_raw":"{} x"}`, changed: argsChange{reshaped: true}},
		{name: "spaces alone", raw: ` `, limit: 30, want: `{"_raw":" "}`, changed: argsChange{reshaped: true}},
		{name: "spaces over the bound", raw: `{ "a" : [ 1 , 2 ] }`, limit: 15, want: `{"a":[1,2]}`, changed: argsChange{truncated: true}},
		{name: "members in JavaScript's order", raw: `{ "b":1, "10":2, "2":3, "b":4 }`, limit: 30, want: `{"2":3,"10":2,"b":4}`, changed: argsChange{truncated: true}},
		{name: "a bound that fits nothing", raw: `{"a":"long enough"}`, limit: 2, want: `{}`, changed: argsChange{reshaped: true, truncated: true}},
		{name: "nothing to shorten", raw: `{"a":[1,2,3,4,5,6]}`, limit: 10, want: `{}`, changed: argsChange{reshaped: true, truncated: true}},
		{name: "a string emptied", raw: `{"a":"long enough","b":1}`, limit: 20, want: `{"a":"","b":1}`, changed: argsChange{truncated: true}},
		{name: "a raw surrogate is kept", raw: `{"a":"` + surrogate + `"}`, limit: 30, want: `{"a":"` + surrogate + `"}`},
		{name: "a raw surrogate is printed", raw: `{  "a" : "` + surrogate + `"  }`, limit: 14, want: `{"a":"\ud83d"}`, changed: argsChange{truncated: true}},
	}
	var a arguments
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, changed := argsText(&a, []byte(test.raw), test.isJSON, test.limit)
			if got != test.want || changed != test.changed {
				t.Errorf("got %q %+v, want %q %+v", got, changed, test.want, test.changed)
			}
		})
	}
}

// TestNotQuadratic runs what took the reference a minute, many times larger.
func TestNotQuadratic(t *testing.T) {
	for name, events := range map[string][]Event{
		"leaves": manyLeaves(10_000),
		"ids":    oneID(200_000),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			bothPasses(t, NewPlanner(Options{}), Options{}, events, new(discard), false)
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

func TestMarker(t *testing.T) {
	for _, cut := range []int{0, 9, 10, 12345} {
		marker := string(appendMarker(nil, cut))
		if n := len(pointsOf([]byte(marker))); n != markerLen(cut) {
			t.Errorf("%s is %d code points, not %d", marker, n, markerLen(cut))
		}
		if n := len([]rune(marker)); n != markerJSON+digits(cut) {
			t.Errorf("%s is printed in %d code points, not %d", marker, n, markerJSON+digits(cut))
		}
		if want := string(textOf(naiveMarker(cut))); marker != want {
			t.Errorf("marker %q, want %q", marker, want)
		}
	}
	if got := strings.Count(markerHead, `\`); got != 1 {
		t.Errorf("the marker holds %d escapes", got)
	}
}
