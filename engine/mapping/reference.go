package mapping

import "slices"

// Section is a construct of the mapping language, for documentation.
type Section struct {
	Name    string // "format"
	Doc     string
	Keys    []KeyDoc
	Writing bool // it belongs to the half of the language that writes
}

// KeyDoc describes a key of a construct.
type KeyDoc struct {
	Name       string
	Form       string // what stands there, in words: "a value"
	Doc        string
	Required   bool
	Constructs []string // whose keys Form speaks of, in its order
}

// Reference describes the language, in the order in which it is explained. It is
// made from the table by which mappings are read.
func Reference() []Section {
	var list []Section
	for i, c := range slices.Concat(table, writing) {
		s := Section{Name: c.name, Doc: c.doc, Writing: i >= len(table)}
		for _, k := range c.keys {
			s.Keys = append(s.Keys, KeyDoc{k.name, k.form.String(), k.doc, k.required, k.form.constructs(nil)})
		}
		list = append(list, s)
	}
	return list
}

// constructs adds the constructs that String names.
func (f *form) constructs(list []string) []string {
	switch f.kind {
	case constructForm:
		list = append(list, f.ref)
	case manyForm:
		list = f.of.constructs(list)
	case eitherForm:
		for _, f := range f.any {
			list = f.constructs(list)
		}
	}
	return list
}
