package cli

import (
	"errors"
	"fmt"
	"strings"

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
		m, err := catalog.Open(name)
		var list diag.List
		switch {
		case errors.As(err, &list):
			found = append(found, list...)
		case err != nil:
			return err
		default:
			found = append(found, m.Warnings...)
			if gap := unchecked(m); gap != "" {
				w.say(m.File + ": not held against a native schema: " + gap)
			}
		}
	}
	found.Sort()
	errs, warnings := found.Count()
	if err := c.print(w, found, fmt.Sprintf("%s checked: %s, %s",
		plural(len(names), "mapping"), plural(errs, "error"), plural(warnings, "warning"))); err != nil {
		return err
	}
	return verdict(found)
}

// unchecked is what a check did not look at, as a phrase.
func unchecked(m *engine.Mapping) string {
	var gaps []string
	for _, f := range m.Unchecked.Formats {
		gaps = append(gaps, "format "+f)
	}
	if n := m.Unchecked.Paths; n > 0 {
		gaps = append(gaps, plural(n, "path")+" beyond plain keys")
	}
	return strings.Join(gaps, ", ")
}
