package mapping

// Section is a construct of the mapping language, for documentation.
type Section struct {
	Name string // "format"
	Doc  string
	Keys []KeyDoc
}

// KeyDoc describes a key of a construct.
type KeyDoc struct {
	Name     string
	Form     string // what stands there, in words: "a value"
	Doc      string
	Required bool
}

// Reference describes the language, in the order in which it is explained. It is
// made from the table by which mappings are read.
func Reference() []Section {
	var list []Section
	for _, c := range table {
		s := Section{Name: c.name, Doc: c.doc}
		for _, k := range c.keys {
			s.Keys = append(s.Keys, KeyDoc{k.name, k.form.String(), k.doc, k.required})
		}
		list = append(list, s)
	}
	return list
}
