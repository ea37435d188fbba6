package cli

import (
	"encoding/json"
	"fmt"
	"text/tabwriter"

	"github.com/trajmap/trajmap/engine"
)

// mappingsCmd lists the catalog.
type mappingsCmd struct {
	JSON bool `help:"Print a JSON array."`
}

// mappingRow is a mapping of the list.
type mappingRow struct {
	Name    string   `json:"name"`
	Title   string   `json:"title"`
	Aliases []string `json:"aliases"`
	Formats []string `json:"formats"`
	Origin  string   `json:"origin"` // "embedded" or the folder
	File    string   `json:"file"`
	Shadows []string `json:"shadows"` // files of the name that do not count
	Error   string   `json:"error,omitempty"`
}

// Run lists the mappings.
func (c *mappingsCmd) Run(w *World) error {
	catalog, err := w.catalog()
	if err != nil {
		return err
	}
	rows := []mappingRow{}
	for _, e := range catalog.Entries() {
		rows = append(rows, describe(e))
	}
	if c.JSON {
		e := json.NewEncoder(w.Stdout)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(rows)
	}
	t := tabwriter.NewWriter(w.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "NAME\tTITLE\tORIGIN")
	for _, r := range rows {
		title := r.Title
		if r.Error != "" {
			title = "does not compile: see trajmap check " + r.Name
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", r.Name, title, r.Origin)
	}
	return t.Flush()
}

func describe(e *engine.Entry) mappingRow {
	r := mappingRow{
		Name: e.Name, Aliases: []string{}, Formats: []string{},
		Origin: "embedded", File: e.File, Shadows: append([]string{}, e.Shadows...),
	}
	if !e.Embedded() {
		r.Origin = e.Folder
	}
	m, err := e.Open()
	if err != nil {
		r.Error = err.Error()
		return r
	}
	r.Title = m.Title
	r.Aliases = append(r.Aliases, m.Aliases...)
	for _, f := range m.Formats {
		r.Formats = append(r.Formats, f.Name)
	}
	return r
}
