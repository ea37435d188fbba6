package mapping

import (
	"strings"
	"testing"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"github.com/trajmap/trajmap/engine/diag"
)

// A word of a scalar is found in the file, in whatever style and surroundings
// the scalar is written.
func TestWithin(t *testing.T) {
	styles := []yaml.Style{0, yaml.SingleQuotedStyle, yaml.DoubleQuotedStyle, yaml.LiteralStyle}
	part := rapid.SampledFrom([]string{"a", "it.x ", "'", `"`, `\`, "\n", "  ", "ü", "😀", "\t", ": ", " #", "{", "]", ", ", "''", "\\n", "\u0001", "=", "-"})
	rapid.Check(t, func(t *rapid.T) {
		value := strings.Join(rapid.SliceOf(part).Draw(t, "before"), "") + "MARK" +
			strings.Join(rapid.SliceOf(part).Draw(t, "after"), "")
		scalar := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value, Style: rapid.SampledFrom(styles).Draw(t, "style")}
		if rapid.Bool().Draw(t, "anchored") {
			scalar.Anchor = "anchor"
		}
		holder := &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{{Kind: yaml.ScalarNode, Value: "kéy"}, scalar}}
		if rapid.Bool().Draw(t, "flow") {
			holder.Style = yaml.FlowStyle
		}
		text, err := yaml.Marshal(&yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{holder}})
		if err != nil {
			t.Skip(err)
		}
		checkWithin(t, string(text))
	})
}

type failer interface {
	Skip(...any)
	Fatalf(string, ...any)
}

func checkWithin(t failer, text string) {
	var root yaml.Node
	if yaml.Unmarshal([]byte(text), &root) != nil {
		t.Skip("no YAML")
	}
	scalar := root.Content[0].Content[0].Content[1]
	if !strings.Contains(scalar.Value, "MARK") {
		t.Skip("not written as it was meant")
	}
	report := diag.NewReporter("f", []byte(text))
	got := within(report, scalar, strings.Index(scalar.Value, "MARK"), len("MARK"))
	line := report.Line(got.line)
	at := strings.Index(line, "MARK")
	if at < 0 || utf8.RuneCountInString(line[:at])+1 != got.col || got.length != len("MARK") {
		t.Fatalf("%+v in\n%s", got, text)
	}
}

// What people write and no program would.
func TestWithinByHand(t *testing.T) {
	for _, text := range []string{
		"- k: a\n     b MARK\n",
		"- k: a\n\n\n     MARK\n",
		"- {k: a b\n  c MARK, l: x}\n",
		"- k: 'a\n\n     it''s   MARK'\n",
		"- k: \"a\\\n     \\  b\\x41\\u00e9\\U0001F600 MARK\"\n",
		"- k: \"a  \n\n   b\\\"  MARK\"\n",
		"- k: !!str &a |2-\n     x\n    y MARK\n",
		"- k: |\n\n\n    x\n    MARK y\n",
		"- k: &a\n    'x MARK'\n",
		"- k: |\r\n    x\r\n    y MARK\r\n",
		"\ufeff- k: x MARK\n",
		"- ? k\n  : x MARK\n",
	} {
		checkWithin(t, text)
	}
}
