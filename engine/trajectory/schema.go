package trajectory

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// schema is a JSON Schema (2020-12) as far as the contract's own need it; a
// keyword that is not here is an error when a schema is read. A library that
// knows all of them compiles their meta-schemas whenever a program starts that
// links it, which takes longer than reading a small session; a test holds this
// against one.
type schema struct {
	Dialect     string `json:"$schema"`
	ID          string `json:"$id"`
	Title       string `json:"title"`
	Description string `json:"description"`

	Defs       map[string]*schema `json:"$defs"`
	Ref        string             `json:"$ref"` // "#/$defs/NAME"
	OneOf      []*schema          `json:"oneOf"`
	Type       typeNames          `json:"type"`
	Const      *string            `json:"const"`
	Enum       []string           `json:"enum"`
	Pattern    *regexp.Regexp     `json:"pattern"`
	MinLength  int                `json:"minLength"`
	MinItems   int                `json:"minItems"`
	Minimum    *float64           `json:"minimum"`
	Items      *schema            `json:"items"`
	Properties map[string]*schema `json:"properties"`
	Required   []string           `json:"required"`
	Closed     closed             `json:"additionalProperties"`
}

// typeNames is one type or a list of them.
type typeNames []string

// UnmarshalJSON reads a name or a list of names.
func (t *typeNames) UnmarshalJSON(text []byte) error {
	if bytes.HasPrefix(text, []byte("[")) {
		return json.Unmarshal(text, (*[]string)(t))
	}
	*t = make(typeNames, 1)
	return json.Unmarshal(text, &(*t)[0])
}

// closed is `additionalProperties: false`, the only form there is.
type closed bool

// UnmarshalJSON reads false.
func (c *closed) UnmarshalJSON(text []byte) error {
	if string(text) != "false" {
		return fmt.Errorf("additionalProperties is %s: only false is known", text)
	}
	*c = true
	return nil
}

// parseSchema reads a schema and resolves its references.
func parseSchema(text []byte) (*schema, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	root := &schema{}
	if err := d.Decode(root); err != nil {
		return nil, err
	}
	return root, root.link(root.Defs)
}

// link puts the definitions in the place of references.
func (s *schema) link(defs map[string]*schema) error {
	if s.Ref != "" {
		name, ok := strings.CutPrefix(s.Ref, "#/$defs/")
		if !ok || defs[name] == nil {
			return fmt.Errorf("$ref %q leads nowhere", s.Ref)
		}
		s.OneOf = append(s.OneOf, defs[name])
		return nil
	}
	var parts []*schema
	parts = slices.AppendSeq(parts, maps.Values(s.Defs))
	parts = slices.AppendSeq(parts, maps.Values(s.Properties))
	parts = append(parts, s.OneOf...)
	if s.Items != nil {
		parts = append(parts, s.Items)
	}
	for _, p := range parts {
		if err := p.link(defs); err != nil {
			return err
		}
	}
	return nil
}

// check reports every way in which a value, decoded with numbers as
// [json.Number], departs from the schema. path is its JSON pointer.
func (s *schema) check(v any, path string, report func(path, message string)) {
	if len(s.OneOf) == 1 { // a reference, for one
		s.OneOf[0].check(v, path, report)
	} else if len(s.OneOf) > 1 && s.matches(v) != 1 {
		report(path, "it has none of the shapes that are allowed here")
	}
	if len(s.Type) > 0 && !slices.ContainsFunc(s.Type, func(name string) bool { return hasType(v, name) }) {
		report(path, "expected "+strings.Join(s.Type, " or ")+", found "+typeName(v))
		return
	}
	if s.Const != nil && v != *s.Const {
		report(path, "expected "+strconv.Quote(*s.Const))
	}
	if text, isText := v.(string); s.Enum != nil && !(isText && slices.Contains(s.Enum, text)) {
		report(path, "expected one of "+strings.Join(s.Enum, ", "))
	}
	switch v := v.(type) {
	case string:
		s.checkText(v, path, report)
	case json.Number:
		if n, err := v.Float64(); s.Minimum != nil && err == nil && n < *s.Minimum {
			report(path, fmt.Sprintf("it is less than %g", *s.Minimum))
		}
	case []any:
		if len(v) < s.MinItems {
			report(path, fmt.Sprintf("it has %d items, fewer than %d", len(v), s.MinItems))
		}
		if s.Items != nil {
			for i, item := range v {
				s.Items.check(item, path+"/"+strconv.Itoa(i), report)
			}
		}
	case map[string]any:
		s.checkObject(v, path, report)
	}
}

func (s *schema) checkText(text, path string, report func(path, message string)) {
	if n := utf8.RuneCountInString(text); n < s.MinLength {
		report(path, fmt.Sprintf("it has %d characters, fewer than %d", n, s.MinLength))
	}
	if s.Pattern != nil && !s.Pattern.MatchString(text) {
		report(path, "it is not of the form "+s.Pattern.String())
	}
}

// pointer makes a name a part of a JSON pointer.
var pointer = strings.NewReplacer("~", "~0", "/", "~1")

func (s *schema) checkObject(v map[string]any, path string, report func(path, message string)) {
	for _, name := range s.Required {
		if _, ok := v[name]; !ok {
			report(path, strconv.Quote(name)+" is missing")
		}
	}
	for name, member := range v {
		if known := s.Properties[name]; known != nil {
			known.check(member, path+"/"+pointer.Replace(name), report)
		} else if s.Closed {
			report(path, "it must not have "+quoteName(name))
		}
	}
}

// quoteName bounds a name that comes from the input.
func quoteName(name string) string {
	const most = 80
	if r := []rune(name); len(r) > most {
		name = string(r[:most]) + "…"
	}
	return strconv.Quote(name)
}

// matches is the number of the alternatives that a value conforms to.
func (s *schema) matches(v any) int {
	n := 0
	for _, one := range s.OneOf {
		ok := true
		one.check(v, "", func(string, string) { ok = false })
		if ok {
			n++
		}
	}
	return n
}

// hasType reports whether a value is of a type by its name in JSON Schema.
func hasType(v any, name string) bool {
	if n, ok := v.(json.Number); ok && name == "integer" {
		f, err := n.Float64()
		return err == nil && f == math.Trunc(f)
	}
	return typeName(v) == name
}

func typeName(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case json.Number:
		return "number"
	case string:
		return "string"
	case []any:
		return "array"
	}
	return "object"
}
