package terminal

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestCells(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "abc": 3, "äöü": 3, "a\u0308": 1, "你好": 4, "🚀": 2, "한국": 4, "\u200d": 0, "…": 1, "ｆ": 2,
	} {
		if got := Cells(text); got != want {
			t.Errorf("%q takes %d columns, want %d", text, got, want)
		}
	}
	for i := 1; i < len(wide); i++ {
		if wide[i].first <= wide[i-1].last || wide[i].first > wide[i].last {
			t.Errorf("wide is out of order at %#x", wide[i].first)
		}
	}
}

func TestCut(t *testing.T) {
	for _, test := range []struct {
		text        string
		width       int
		right, left string
	}{
		{"abcdef", 6, "abcdef", "abcdef"},
		{"abcdef", 5, "abcd…", "…cdef"},
		{"abcdef", 1, "…", "…"},
		{"你好你好", 5, "你好…", "…你好"},
		{"你好你好", 4, "你…", "…好"},
		{"", 0, "", ""},
	} {
		if got := Cut(test.text, test.width); got != test.right {
			t.Errorf("%q cut to %d is %q, want %q", test.text, test.width, got, test.right)
		}
		if got := CutLeft(test.text, test.width); got != test.left {
			t.Errorf("%q cut to %d from the left is %q, want %q", test.text, test.width, got, test.left)
		}
	}
}

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"a\tb\nc":            "a\tb\nc",
		"\x1b[31mred\x07":    "␛[31mred␇",
		"\x1b]0;title\x1b\\": "␛]0;title␛\\",
		"a\r\nb\rc":          "a\nb␍c",
		"\u202eabc\u2069":    "\ufffdabc\ufffd",
		"\u009b31m\x7f":      "\ufffd31m␡",
	} {
		if got := Plain(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	if got := Line(" a\n\tb \x1b[0m "); got != "a b ␛[0m" {
		t.Errorf("on a line: %q", got)
	}
}

func TestWrap(t *testing.T) {
	for _, test := range []struct {
		text  string
		width int
		want  []string
	}{
		{"one two three", 8, []string{"one two", "three"}},
		{"  indented text here", 12, []string{"  indented", "  text here"}},
		{"abcdefghijkl", 8, []string{"abcdefgh", "ijkl"}},
		{"a\n\nb  ", 8, []string{"a", "", "b"}},
		{"a\tb", 8, []string{"a   b"}},
		{"你好你好你好", 8, []string{"你好你好", "你好"}},
		{"ends with blank   ", 9, []string{"ends with", "blank"}},
	} {
		if diff := cmp.Diff(test.want, Wrap(test.text, test.width)); diff != "" {
			t.Errorf("%q in %d (-want +got):\n%s", test.text, test.width, diff)
		}
	}
}

// TestWrapProperties: every line fits, and no character is lost but blanks.
func TestWrapProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("ab cde  \t\n你🚀\u0308"))).Draw(t, "text")
		width := rapid.IntRange(8, 20).Draw(t, "width")
		lines := Wrap(text, width)
		for _, line := range lines {
			if Cells(line) > width {
				t.Fatalf("%q takes %d of %d columns", line, Cells(line), width)
			}
		}
		strip := strings.NewReplacer(" ", "", "\t", "", "\n", "")
		if got, want := strip.Replace(strings.Join(lines, "")), strip.Replace(text); got != want {
			t.Fatalf("%q becomes %q", want, got)
		}
	})
}

func TestSize(t *testing.T) {
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if columns, rows := Size(f); columns != 0 || rows != 0 {
		t.Errorf("a file has %d columns and %d rows", columns, rows)
	}
}

func TestStyle(t *testing.T) {
	if got := Style(true).In(Bold, "x"); got != "\x1b[1mx\x1b[0m" {
		t.Errorf("bold is %q", got)
	}
	if Style(true).In(Bold, "") != "" || Style(false).In(Bold, "x") != "x" {
		t.Error("a style where none is wanted")
	}
}
