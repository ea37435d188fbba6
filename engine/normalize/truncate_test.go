package normalize

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/trajmap/trajmap/engine/value"
)

func TestTruncateAsDefined(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawString(t, drawLength(t))
		limit := rapid.OneOf(
			rapid.IntRange(1, 60), rapid.IntRange(1, 5000),
			rapid.IntRange(max(1, len(s)-40), len(s)+3),
		).Draw(t, "bound")
		headOnly := rapid.Bool().Draw(t, "head")
		want := naiveTruncate(s, limit, headOnly)
		text := textOf(s)
		got, cut := truncate([]byte("x"), text, limit, headOnly)
		if !cut {
			if len(s) > limit || len(got) != 1 {
				t.Fatalf("bound %d, %d code points: not cut", limit, len(s))
			}
			return
		}
		if !bytes.Equal(got[1:], textOf(want)) {
			t.Fatalf("bound %d, %d code points:\n%s\nwant\n%s", limit, len(s), brief(string(got[1:])), brief(string(textOf(want))))
		}
		if n := len(pointsOf(got[1:])); n > limit {
			t.Fatalf("bound %d: %d code points are left", limit, n)
		}
	})
}

func TestPoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SliceOf(rapid.SampledFrom(hard)).Draw(t, "string")
		if rapid.Bool().Draw(t, "long") {
			s = drawString(t, drawLength(t))
		}
		text := textOf(s)
		if got := points(text); got != len(s) {
			t.Fatalf("%q: %d code points, want %d", text, got, len(s))
		}
		if got, want := runes(text), len([]rune(string(text))); got != want {
			t.Fatalf("%q: printed in %d code points, want %d", text, got, want)
		}
		n := rapid.IntRange(0, len(s)).Draw(t, "n")
		size, printed := prefix(text, n)
		head := textOf(s[:n])
		if size != len(head) || printed != len([]rune(string(head))) {
			t.Fatalf("%q: %d code points are %d bytes and %d printed, want %d and %d", text, n, size, printed, len(head), len([]rune(string(head))))
		}
		if got := lastPoints(text, n); !bytes.Equal(got, textOf(s[len(s)-n:])) {
			t.Fatalf("%q: the last %d are %q", text, n, got)
		}
	})
}

// TestLastPointsInRuns: backslashes in a row say only from their first one on
// which of them begin an escape.
func TestLastPointsInRuns(t *testing.T) {
	for k := range 40 {
		for _, end := range []string{"", "b", "bb", "n\x1b", "u0041", "é", "\n"} {
			for _, start := range []string{"", "a", "\x1b"} {
				s := slices.Concat([]rune(start), slices.Repeat([]rune{'\\'}, k), []rune(end))
				for n := range len(s) + 1 {
					if got, want := lastPoints(textOf(s), n), textOf(s[len(s)-n:]); !bytes.Equal(got, want) {
						t.Fatalf("%q: the last %d are %q, want %q", textOf(s), n, got, want)
					}
				}
			}
		}
	}
}

// TestPointsOfAnything: text that is broken must not break the reader.
func TestPointsOfAnything(t *testing.T) {
	for _, text := range []string{`\`, `\u`, `\u00`, "\xff", "\xed\xa0", `a\`, "ééééééééé\xc3", `\\\`} {
		for n := range len(text) + 2 {
			points([]byte(text))
			prefix([]byte(text), n)
			lastPoints([]byte(text), n)
			truncate(nil, []byte(text), max(1, n), false)
		}
	}
}

func TestQuote(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		json := drawArguments(t).print()
		b := encode(json) // no raw surrogates: they are printed as escapes
		if got, want := appendQuoted([]byte("x"), b), value.AppendEncoded([]byte("x"), b); !bytes.Equal(got, want) {
			t.Fatalf("%s quoted is\n%s\nwant\n%s", brief(string(b)), brief(string(got)), brief(string(want)))
		}
	})
}
