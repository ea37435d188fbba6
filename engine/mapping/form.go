package mapping

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// form is what may stand at a place of a mapping. The decoder, the JSON Schema
// and the reference are all made from forms, so that they cannot disagree.
type form struct {
	kind  formKind
	name  string   // in messages and in the reference: "a value"
	of    *form    // of a list's items, a map's values
	words []string // an enumeration
	match pattern  // of a text, or of a map's keys
	any   []*form  // alternatives
	ref   string   // name of a construct
}

type formKind uint8

const (
	textForm     formKind = iota // a string
	flagForm                     // true or false
	trueForm                     // true
	enumForm                     // one of words
	durationForm                 // 5s, 250ms, or a number of milliseconds
	valueForm                    // what a mapping computes
	argsForm                     // a value, or an object of values
	conditionForm
	kindsForm     // a kind, or a list of kinds
	shapeForm     // a native shape
	templateForm  // JSON with expressions in it
	listForm      // a list of `of`
	manyForm      // one `of`, or a list
	mapForm       // a map of `of` by name
	constructForm // a map with fixed keys
	eitherForm
)

// pattern limits a text. The decoder uses ok, the JSON Schema the expression.
type pattern struct {
	name   string // "a lower-case word"
	regexp string
	ok     func(string) bool
}

var (
	anyText = pattern{"a text", "", func(s string) bool { return s != "" }}
	aKind   = pattern{"a kind", "", func(string) bool { return true }}
	slug    = pattern{"a lower-case name such as my-agent", "^[a-z][a-z0-9-]*$", func(s string) bool {
		return lower(s) && only(s, "-")
	}}
	label = pattern{"a name of letters, digits, - and _", "^[A-Za-z][A-Za-z0-9_-]*$", func(s string) bool {
		return s != "" && s[0] != '-' && isIdentifier(strings.ReplaceAll(s, "-", "_"))
	}}
	code = pattern{"a lower-case word such as sidechain_record_dropped", "^[a-z][a-z0-9_]*$", func(s string) bool {
		return lower(s) && only(s, "_")
	}}
	identifier = pattern{"a name of letters, digits and _", "^[A-Za-z_][A-Za-z0-9_]*$", isIdentifier}
)

func text(p pattern) *form { return &form{kind: textForm, name: p.name, match: p} }

func enum(words ...string) *form { return &form{kind: enumForm, words: words} }

func list(of *form) *form { return &form{kind: listForm, name: "a list", of: of} }

func many(of *form) *form { return &form{kind: manyForm, of: of} }

func mapOf(keys pattern, of *form) *form {
	return &form{kind: mapForm, name: "a map", match: keys, of: of}
}

func a(construct string) *form { return &form{kind: constructForm, name: "a map", ref: construct} }

func either(forms ...*form) *form { return &form{kind: eitherForm, any: forms} }

var (
	aFlag     = &form{kind: flagForm, name: "true or false"}
	yes       = &form{kind: trueForm, name: "true"}
	duration  = &form{kind: durationForm, name: "a duration such as 5s"}
	aValue    = &form{kind: valueForm, name: "a value"}
	arguments = &form{kind: argsForm, name: "a value or an object of values"}
	condition = &form{kind: conditionForm, name: "a condition"}
	kinds     = &form{kind: kindsForm, name: "a kind or a list of kinds"}
	aShape    = &form{kind: shapeForm, name: "a shape"}
	aTemplate = &form{kind: templateForm, name: "a template"}
)

func lower(s string) bool { return s != "" && s[0] >= 'a' && s[0] <= 'z' }

// only reports whether a text has nothing but lower-case letters, digits and
// one more character.
func only(s, more string) bool {
	for _, c := range []byte(s) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != more[0] {
			return false
		}
	}
	return true
}

func isIdentifier(s string) bool {
	for i, c := range []byte(s) {
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// accepts reports whether a node has the form, as far as the node alone shows.
func (f *form) accepts(n *yaml.Node) bool {
	scalar := n.Kind == yaml.ScalarNode
	isText := scalar && n.Tag == "!!str"
	switch f.kind {
	case textForm:
		// A version may look like a number; its text is what counts.
		return (isText || scalar && (n.Tag == "!!int" || n.Tag == "!!float")) && f.match.ok(n.Value)
	case flagForm:
		return scalar && n.Tag == "!!bool"
	case trueForm:
		return scalar && n.Tag == "!!bool" && n.Value == "true"
	case enumForm:
		return isText && slices.Contains(f.words, n.Value)
	case durationForm:
		_, ok := milliseconds(n.Value)
		return scalar && ok
	case conditionForm:
		return scalar && (isText || n.Tag == "!!bool")
	case valueForm:
		return isText || n.Kind == yaml.SequenceNode || isConst(n)
	case argsForm:
		return isText || n.Kind != yaml.ScalarNode
	case kindsForm:
		return isText || n.Kind == yaml.SequenceNode
	case shapeForm, templateForm:
		return true // what reads them says more than a form can
	case listForm:
		return n.Kind == yaml.SequenceNode
	case manyForm:
		return n.Kind == yaml.SequenceNode || f.of.accepts(n)
	case mapForm, constructForm:
		return n.Kind == yaml.MappingNode
	}
	for _, f := range f.any {
		if f.accepts(n) {
			return true
		}
	}
	return false
}

// holdsValue reports whether a value may stand at the place.
func (f *form) holdsValue() bool {
	return f.kind == valueForm || f.kind == argsForm || slices.ContainsFunc(f.any, (*form).holdsValue)
}

// isConst reports whether a node is written {const: x}.
func isConst(n *yaml.Node) bool {
	return n.Kind == yaml.MappingNode && len(n.Content) == 2 && n.Content[0].Value == "const"
}

// String is the form in words.
func (f *form) String() string {
	switch f.kind {
	case enumForm:
		return strings.Join(f.words, " or ")
	case manyForm:
		return f.of.String() + " or a list"
	case constructForm:
		return "a map with the keys of " + constructs[f.ref].called
	case eitherForm:
		parts := make([]string, len(f.any))
		for i, f := range f.any {
			parts[i] = f.String()
		}
		return strings.Join(parts, " or ")
	}
	return f.name
}

// milliseconds reads a duration: Go's notation, or a number of milliseconds.
func milliseconds(s string) (int64, bool) {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n, n >= 0
	}
	t, err := time.ParseDuration(s)
	return t.Milliseconds(), err == nil && t >= 0
}
