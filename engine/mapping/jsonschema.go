package mapping

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// JSONSchema is the JSON Schema of mappings (draft 2020-12), made from the table
// of constructs. It knows keys and forms, which is what an editor needs; Parse
// knows the rest.
func JSONSchema() []byte {
	defs := ordered{}
	for _, f := range []*form{aValue, arguments, condition, kinds, aShape, aTemplate} {
		defs = append(defs, member{definition(f.name), f.definition()})
	}
	for _, c := range slices.Concat(table, writing) {
		if c.name != "mapping" {
			defs = append(defs, member{definition(c.name), c.schema()})
		}
	}
	top := ordered{
		{"$schema", "https://json-schema.org/draft/2020-12/schema"},
		{"$id", "https://github.com/trajmap/trajmap/schema/mapping-v1.schema.json"},
		{"title", "trajmap mapping v1"},
	}
	top = append(top, constructs["mapping"].schema()...)
	top = append(top, member{"$defs", defs})

	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(top); err != nil {
		panic(err) // the table holds nothing but texts
	}
	return b.Bytes()
}

// ordered is a JSON object that keeps the order of its members.
type ordered []member

type member struct {
	name  string
	value any
}

func (o ordered) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := e.Encode(m.name); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := e.Encode(m.value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func definition(name string) string {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "a "), "an ")
	return strings.ReplaceAll(name, " ", "-")
}

func reference(name string) ordered {
	return ordered{{"$ref", "#/$defs/" + definition(name)}}
}

func (c *construct) schema() ordered {
	properties, required := ordered{}, []string{}
	for i := range c.keys {
		k := &c.keys[i]
		// The description first: an editor shows it, and a reader of the file too.
		properties = append(properties, member{k.name, append(ordered{{"description", k.doc}}, k.form.schema()...)})
		if k.required {
			required = append(required, k.name)
		}
	}
	s := ordered{{"description", c.doc}, {"type", "object"}, {"properties", properties}, {"additionalProperties", false}}
	if len(required) > 0 {
		s = append(s, member{"required", required})
	}
	return s
}

// schema is what may stand at a place of this form.
func (f *form) schema() ordered {
	switch f.kind {
	case textForm:
		// YAML makes a number of a version.
		s := ordered{{"type", []string{"string", "number"}}}
		if f.match.regexp != "" {
			s = append(s, member{"pattern", f.match.regexp})
		}
		return s
	case flagForm:
		return ordered{{"type", "boolean"}}
	case trueForm:
		return ordered{{"const", true}}
	case enumForm:
		return ordered{{"enum", f.words}}
	case durationForm:
		return ordered{{"type", []string{"string", "integer"}}}
	case valueForm, argsForm, conditionForm, kindsForm, shapeForm, templateForm:
		return reference(f.name)
	case listForm:
		return ordered{{"type", "array"}, {"items", f.of.schema()}}
	case manyForm:
		return ordered{{"anyOf", []any{f.of.schema(), list(f.of).schema(), emptyMap}}}
	case mapForm:
		s := ordered{{"type", "object"}, {"additionalProperties", f.of.schema()}}
		if f.match.regexp != "" {
			s = append(s, member{"propertyNames", ordered{{"pattern", f.match.regexp}}})
		}
		return s
	case constructForm:
		return reference(f.ref)
	}
	alternatives := make([]any, len(f.any))
	for i, f := range f.any {
		alternatives[i] = f.schema()
	}
	return ordered{{"anyOf", alternatives}}
}

// emptyMap is a rule without steps.
var emptyMap = ordered{{"type", "object"}, {"maxProperties", 0}}

// definition is the schema of a form that has a name in the schema.
func (f *form) definition() ordered {
	constant := ordered{
		{"type", "object"},
		{"properties", ordered{{"const", ordered{
			{"description", "a literal"}, {"type", []string{"string", "number", "boolean"}}}}}},
		{"required", []string{"const"}},
		{"additionalProperties", false},
	}
	str := ordered{{"type", "string"}}
	switch f.kind {
	case valueForm:
		return ordered{
			{"description", "A path on `it` (keys joined by dots), an expression (`= text(it.content)`), a constant (`{const: x}`), or a list of alternatives: the first that is present and not empty."},
			{"anyOf", []any{str, constant, ordered{{"type", "array"}, {"minItems", 1}, {"items", ordered{{"anyOf", []any{str, constant}}}}}}},
		}
	case argsForm:
		return ordered{
			{"description", "A value, or an object whose members are values; absent members are left out."},
			{"anyOf", []any{reference(aValue.name), ordered{{"type", "object"}, {"additionalProperties", reference(arguments.name)}}}},
		}
	case conditionForm:
		return ordered{
			{"description", "A CEL expression, without =, that is true or false whatever the data."},
			{"type", []string{"string", "boolean"}},
		}
	case templateForm:
		return ordered{{"description", "JSON with expressions in it: a text is itself, `= …` an expression, a map an object, a list a list; a map with `give` or `rules` is a form."}}
	case kindsForm:
		return ordered{
			{"description", "A kind, or a list of kinds."},
			{"anyOf", []any{str, ordered{{"type", "array"}, {"items", str}}}},
		}
	}
	return ordered{
		{"description", "What a native value looks like: str, num, bool, null, any or a name under `shapes`; a|b for either, a! for a field that is always there; [a] for a list; a map for an object (_: any lets it have further members); {kind, all, kinds} for an object whose members depend on its kind."},
		{"anyOf", []any{
			ordered{{"type", []string{"string", "null"}}},
			ordered{{"type", "array"}, {"minItems", 1}, {"maxItems", 1}, {"items", reference(aShape.name)}},
			ordered{{"type", "object"}, {"additionalProperties", reference(aShape.name)}},
		}},
	}
}
