package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/diag"
	"github.com/trajmap/trajmap/engine/read"
	"github.com/trajmap/trajmap/internal/golden"
)

// testCmd runs golden cases.
type testCmd struct {
	Mappings []string `arg:"" optional:"" name:"mapping" help:"Names or files of mappings; all that there are when none is given."`
	Update   bool     `help:"Write the expected files instead of comparing; an empty expected.active.json asks for one."`
	RunCases string   `name:"run" placeholder:"REGEXP" help:"Only the cases whose names match."`
	Cases    string   `placeholder:"DIR" type:"existingdir" help:"Folder of the cases; otherwise NAME_test and testdata/NAME beside the mapping's file, testdata/NAME beside its folder, or for a mapping given by name ./testdata/NAME."`
	Min      percent  `name:"coverage-min" placeholder:"N%" help:"Fail when the cases run fewer of the mapping's steps."`
	findings
}

// percent is a share, 0 to 100.
type percent float64

// UnmarshalText reads N or N%.
func (p *percent) UnmarshalText(text []byte) error {
	n, err := strconv.ParseFloat(strings.TrimSuffix(string(text), "%"), 64)
	if err != nil || n < 0 || n > 100 {
		return errors.New("must be a share between 0% and 100%")
	}
	*p = percent(n)
	return nil
}

// Run runs the cases of each mapping and prints what they found.
func (c *testCmd) Run(ctx context.Context, w *World) error {
	match, err := regexp.Compile(c.RunCases)
	if err != nil {
		return usagef("", "--run: %v", err)
	}
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
	if c.Cases != "" && len(names) > 1 {
		return usagef("test one mapping at a time", "--cases is of one mapping")
	}
	var found diag.List
	closing := make([]string, 0, len(names))
	for _, name := range names {
		m, err := catalog.Open(name)
		var faults diag.List
		if errors.As(err, &faults) {
			found = append(found, faults...)
			closing = append(closing, faults[0].File+": does not compile")
			continue
		}
		if err != nil {
			return err
		}
		list, line, err := c.suite(ctx, m, name, match)
		if err != nil {
			return err
		}
		found = append(found, list...)
		closing = append(closing, line)
	}
	found.Sort()
	if err := c.print(w, found, strings.Join(closing, "\ntrajmap: ")); err != nil {
		return err
	}
	return verdict(found)
}

// suite runs the cases of one mapping; line sums them up.
func (c *testCmd) suite(ctx context.Context, m *engine.Mapping, name string, match *regexp.Regexp) (found diag.List, line string, err error) {
	s := &golden.Suite{Mapping: m, Update: c.Update, Options: applyOptions}
	dirs := c.folders(name)
	count, failed := 0, 0
	for _, dir := range dirs {
		cases, err := golden.Find(dir, match)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, "", err
		}
		for _, one := range cases {
			list, err := s.Run(ctx, one)
			if err != nil {
				return nil, "", err
			}
			count++
			if len(list) > 0 {
				failed++
			}
			found = append(found, list...)
		}
	}
	if count == 0 {
		return diag.List{{Code: diag.NoCases, Severity: c.missing(), File: m.File,
			Message: "there are no golden cases", Hint: "looked in " + strings.Join(dirs, ", ")}}, m.File + ": no cases", nil
	}
	ran, all, _ := s.Coverage()
	share := 100.0
	if all > 0 {
		share = 100 * float64(ran) / float64(all)
	}
	line = fmt.Sprintf("%s: %s, %s, %d failed; they run %d of %s (%.1f%%)",
		m.File, plural(count, "case"), plural(s.Runs, "read"), failed, ran, plural(all, "step"), share)
	if c.Update {
		line += "; " + plural(s.Written, "file") + " written"
	}
	if c.RunCases != "" { // of a part of the cases, coverage says nothing
		return found, line, nil
	}
	found = append(found, s.Findings()...)
	if share < float64(c.Min) {
		found = append(found, diag.Finding{Code: diag.LowCoverage, File: m.File,
			Message: fmt.Sprintf("the cases run %.1f%% of the steps, less than %g%%", share, float64(c.Min))})
	}
	return found, line, nil
}

// missing is how bad it is that a mapping has no cases: whoever asks for a
// mapping's cases expects some.
func (c *testCmd) missing() diag.Severity {
	if len(c.Mappings) == 0 {
		return diag.Warning
	}
	return diag.Error
}

// folders are where the cases of a mapping may be.
func (c *testCmd) folders(name string) []string {
	if c.Cases != "" {
		return []string{c.Cases}
	}
	if !engine.IsFile(name) {
		return []string{filepath.Join("testdata", name)}
	}
	dir, base := filepath.Split(name)
	base = strings.TrimSuffix(base, filepath.Ext(base))
	return []string{
		filepath.Join(dir, base+"_test"),
		filepath.Join(dir, "testdata", base),
		filepath.Join(dir, "..", "testdata", base),
	}
}

// applyOptions reads flags of apply.
func applyOptions(args []string) (read.Options, bool, error) {
	var g grammar
	k, err := parser(&World{Stdout: os.Stdout, Stderr: os.Stderr}, &g)
	if err != nil {
		return read.Options{}, false, err
	}
	if _, err := k.Parse(append([]string{"apply", "NAME", "-"}, args...)); err != nil {
		return read.Options{}, false, err
	}
	o, err := g.Apply.options()
	return o, g.Apply.As == "canonical", err
}
