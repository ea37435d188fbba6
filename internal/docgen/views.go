package docgen

import (
	_ "embed"

	"github.com/trajmap/trajmap/engine/mapping"
)

//go:embed writing.md
var writing string

// typeWords are the types of views' members, in words.
var typeWords = map[string]string{
	"str": "a text", "int": "a whole number", "bool": "`true` or `false`", "[str]": "a list of texts", "any": "a JSON object",
}

// viewTables writes what expressions of the writing half see, from the table by which
// they are checked.
func viewTables(d *doc) {
	d.heading(2, "Reference: views")
	d.para("What expressions of the writing half see, made from the table by which they are checked. Beside these names there are `it` and `index`, as in reading, and those under `let`.")
	var rows [][]string
	for _, n := range mapping.OutNames() {
		is := n.Doc
		if n.View != "" {
			is += ": " + viewLink(n.View)
		}
		seen := n.Seen
		if seen == "" {
			seen = "everywhere"
		}
		rows = append(rows, []string{code(n.Name), is, seen})
	}
	d.table([]string{"Name", "Is", "Seen"}, rows)
	for _, v := range mapping.OutViews() {
		d.heading(3, "View "+v.Name)
		d.para(v.Doc)
		rows = nil
		for _, m := range v.Members {
			is := typeWords[m.Type]
			if is == "" {
				is = viewLink(m.Type)
			}
			meaning := m.Doc
			if m.Optional {
				is += ", or absent"
			}
			rows = append(rows, []string{code(m.Name), is, role(m.Of), meaning})
		}
		d.table([]string{"Member", "Is", "Only of", "Meaning"}, rows)
		rows = nil
		for _, p := range v.Parts {
			item := viewLink(p.View)
			if p.Role != "" {
				item += " of the role " + code(p.Role)
			}
			rows = append(rows, []string{code("each: " + p.Name), item, role(p.Of), p.Doc})
		}
		d.table([]string{"One by one", "Each item", "Only of", "Meaning"}, rows)
	}
}

func viewLink(name string) string { return link(name, anchor("View "+name)) }

// role is the role that a message must have for something to be there.
func role(of string) string {
	if of == "" {
		return ""
	}
	return code(of)
}
