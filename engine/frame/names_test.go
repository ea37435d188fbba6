package frame

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestCompareNames(t *testing.T) {
	ordered := []string{
		"", "a", "a0", "a01", "a1", "a1b", "a2", "a010", "a10", "aa",
		"event-00009-x", "event-99999-b", "event-99999-c", "event-100000-a", "event-100000-a.json",
		"x18446744073709551616", "x18446744073709551617", "é",
	}
	for i, a := range ordered {
		for j, b := range ordered {
			if got, want := compareNames(a, b), cmp.Compare(i, j); got != want {
				t.Errorf("compareNames(%q, %q) = %d, want %d", a, b, got, want)
			}
		}
	}
}

// Whatever names there are, sorting must not depend on how they stood before.
func TestCompareNamesIsAnOrder(t *testing.T) {
	name := rapid.StringOfN(rapid.RuneFrom([]rune("01a-")), 0, 6, -1)
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := name.Draw(t, "a"), name.Draw(t, "b"), name.Draw(t, "c")
		if compareNames(a, b) != -compareNames(b, a) {
			t.Fatalf("%q and %q: not the same from both sides", a, b)
		}
		if (compareNames(a, b) == 0) != (a == b) {
			t.Fatalf("%q and %q are not told apart", a, b)
		}
		names := []string{a, b, c}
		slices.SortFunc(names, compareNames)
		if compareNames(names[0], names[2]) > 0 {
			t.Fatalf("no order: %s", strings.Join(names, ", "))
		}
	})
}
