package cli

import (
	"fmt"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/diag"
)

// checkCmd checks mappings without running them.
type checkCmd struct {
	Mappings []string `arg:"" optional:"" name:"mapping" help:"Names or files of mappings; all that there are when none is given."`
	findings
}

// Run checks the mappings and prints what it found.
func (c *checkCmd) Run(w *World) error {
	catalog, err := w.catalog()
	if err != nil {
		return err
	}
	names := c.Mappings
	if len(names) == 0 {
		for _, e := range catalog.Entries() {
			names = append(names, e.Name)
		}
	}
	var found diag.List
	for _, name := range names {
		list, err := inspect(catalog, name)
		if err != nil {
			return err
		}
		found = append(found, list...)
	}
	found.Sort()
	errs, warnings := found.Count()
	if err := c.print(w, found, fmt.Sprintf("%s checked: %s, %s",
		plural(len(names), "mapping"), plural(errs, "error"), plural(warnings, "warning"))); err != nil {
		return err
	}
	return verdict(found)
}

// inspect is what a check finds in one mapping. The error is of one that cannot
// be read at all.
func inspect(catalog *engine.Catalog, name string) (diag.List, error) {
	m, err := catalog.Open(name)
	if list, ok := err.(diag.List); ok {
		return list, nil
	}
	if err != nil {
		return nil, err
	}
	return m.Warnings, nil
}
