package docgen

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/trajmap/trajmap/engine/expr"
	"github.com/trajmap/trajmap/engine/mapping"
)

var (
	//go:embed language.md
	language string
	//go:embed tutorial.md
	tutorial string
)

// languagePage is the page on the mapping language: ideas, tutorial with what its
// commands printed, reference.
func languagePage(pages []*page, tutorial string) []byte {
	var d doc
	d.printf("<!-- Generated from internal/docgen and the definitions of the language: go generate ./... -->\n\n")
	d.printf("%s\n", language)
	d.printf("%s\n", writing)
	d.printf("%s\n", tutorial)
	d.heading(2, "Reference: keys")
	d.para("Made from the table by which mappings are read. Keys in bold must be there. " +
		"The same table gives [`schema/mapping-v1.schema.json`](../schema/mapping-v1.schema.json), with which editors complete and check a mapping.")
	sections := mapping.Reference()
	byName := map[string]mapping.Section{}
	for _, s := range sections {
		byName[s.Name] = s
	}
	examples := newExamples(pages)
	for i, s := range sections {
		if s.Writing && !sections[i-1].Writing {
			d.heading(2, "Reference: keys for writing")
		}
		d.heading(3, capital(s.Name))
		d.para(s.Doc)
		d.table([]string{"Key", "Holds", "Meaning"}, keyRows(s, byName))
		if also := inherited(s, byName); also != "" {
			d.para(also)
		}
		if ex := examples.of(s.Name); ex != nil {
			d.printf("In %s:\n\n```yaml\n%s\n```\n\n", link(ex.title, "harness/"+ex.name+".md"), ex.text)
		}
	}
	viewTables(&d)
	functions(&d)
	return []byte(strings.TrimRight(d.String(), "\n") + "\n")
}

// blockSection explains the keys that every block has, eventSections share the
// keys that an event may say in place of its frame.
const blockSection, eventSection = "block", "content"

// shared are the keys that a section has from another one.
func shared(s mapping.Section, byName map[string]mapping.Section) (from string, keys []string) {
	for _, other := range []string{blockSection, eventSection} {
		if s.Name == other {
			continue
		}
		keys = nil
		for _, k := range byName[other].Keys {
			if slices.ContainsFunc(s.Keys, func(own mapping.KeyDoc) bool { return own.Name == k.Name && own.Doc == k.Doc }) {
				keys = append(keys, k.Name)
			}
		}
		if len(keys) >= 5 {
			return other, keys
		}
	}
	return "", nil
}

func inherited(s mapping.Section, byName map[string]mapping.Section) string {
	from, keys := shared(s, byName)
	switch from {
	case blockSection:
		return "Further the keys of " + link("a block", anchor(capital(blockSection))) + ": " + codes(keys) + "."
	case eventSection:
		return "Further, as for " + link("a message", anchor(capital(eventSection))) + ": " + codes(keys) + "."
	}
	return ""
}

func keyRows(s mapping.Section, byName map[string]mapping.Section) (rows [][]string) {
	_, elsewhere := shared(s, byName)
	for _, k := range s.Keys {
		if slices.Contains(elsewhere, k.Name) {
			continue
		}
		name := code(k.Name)
		if k.Required {
			name = "**" + name + "**"
		}
		rows = append(rows, []string{name, holds(k), k.Doc})
	}
	return rows
}

// holds is what stands at a key, with links to the constructs that it may be.
func holds(k mapping.KeyDoc) string {
	const mark = "the keys of "
	parts := strings.Split(k.Form, mark)
	for i := 1; i < len(parts) && i <= len(k.Constructs); i++ {
		called, rest, several := strings.Cut(parts[i], " or ")
		if several {
			rest = " or " + rest
		}
		parts[i] = link(called, anchor(capital(k.Constructs[i-1]))) + rest
	}
	return strings.Join(parts, mark)
}

// functions writes the reference of the library of expressions.
func functions(d *doc) {
	d.heading(2, "Reference: functions")
	d.para("Functions of the library. They are pure and give a value for any arguments. Each example is run by a test.")
	for _, f := range expr.Functions() {
		d.heading(3, f.Name)
		d.para(fmt.Sprintf("%s gives %s.", code(f.Signature), articled(f.Result)))
		d.para(f.Doc)
		var rows [][]string
		for _, e := range f.Examples {
			rows = append(rows, []string{code(e.Expr), code(e.Result)})
		}
		d.table([]string{"Expression", "Gives"}, rows)
	}
}

// articled puts an article before a type: "a str or null".
func articled(result string) string {
	if result == "int or null" {
		return "an int or null"
	}
	return "a " + result
}
