package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/internal/inventory"
)

// inventoryCmd says what is supported and proven.
type inventoryCmd struct {
	JSON    bool   `help:"Print a JSON object."`
	Check   bool   `xor:"what" help:"Compare with what is recorded in docs/inventory.json of trajmap's source."`
	Update  bool   `xor:"what" help:"Record it there."`
	Project string `default:"." placeholder:"DIR" help:"Folder of trajmap's source, for --check and --update."`
}

// Run prints the inventory of this program, or holds that of its source against
// what is recorded. The exit code is 1 when they differ.
func (c *inventoryCmd) Run(w *World) error {
	if c.Check || c.Update {
		return c.record(w)
	}
	catalog, err := engine.NewCatalog()
	if err != nil {
		return err
	}
	mappings, broken := opened(catalog.Entries())
	for _, p := range broken {
		return p.Err
	}
	inv, err := inventory.Of(mappings, nil)
	if err != nil {
		return err
	}
	if c.JSON {
		err = inv.JSON(w.Stdout)
	} else {
		err = printInventory(w, inv)
	}
	if err != nil {
		return &outputError{err}
	}
	return nil
}

// record looks at the source, not at what this program was built from.
func (c *inventoryCmd) record(w *World) error {
	files, err := fs.Glob(os.DirFS(c.Project), "mappings/*.yaml")
	if err != nil || len(files) == 0 {
		return &placed{filepath.Join(c.Project, "mappings"), errors.New("holds no mappings (give the folder of trajmap's source with --project)")}
	}
	var mappings []*engine.Mapping
	for _, file := range files {
		m, err := engine.Load(filepath.Join(c.Project, filepath.FromSlash(file)))
		if err != nil {
			return err
		}
		mappings = append(mappings, m)
	}
	inv, err := inventory.Of(mappings, os.DirFS(c.Project))
	if err != nil {
		return err
	}
	path := filepath.Join(c.Project, filepath.FromSlash(inventory.File))
	if c.Update {
		return c.update(w, inv, path)
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &placed{path, errors.New("nothing is recorded (trajmap inventory --update does it)")}
	}
	if err != nil {
		return err
	}
	recorded, err := inventory.Parse(data)
	if err != nil {
		return &placed{path, err}
	}
	differences := inv.Differences(recorded)
	for _, d := range differences {
		if _, err := fmt.Fprintln(w.Stdout, d); err != nil {
			return &outputError{err}
		}
	}
	if len(differences) > 0 {
		w.say(path + ": is not current (trajmap inventory --update records what there is)")
		return quiet(exitFailed)
	}
	w.say(plural(len(inv.Harnesses), "mapping") + " as recorded")
	return nil
}

func (c *inventoryCmd) update(w *World, inv *inventory.Inventory, path string) (err error) {
	var text bytes.Buffer
	if err := inv.JSON(&text); err != nil {
		return err
	}
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, text.Bytes()) {
		return nil
	}
	out, err := create(w, path)
	if err != nil {
		return err
	}
	defer out.close(&err)
	_, err = out.Write(text.Bytes())
	return err
}

func printInventory(w *World, inv *inventory.Inventory) error {
	t := tabwriter.NewWriter(w.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "HARNESS\tREADS\tLISTS\tWRITES\tPROVEN")
	for _, h := range inv.Harnesses {
		var reads []string
		for _, f := range h.Reads {
			if !f.Refused {
				reads = append(reads, strings.TrimSpace(f.Name+" "+f.Versions))
			}
		}
		lists, writes, proven := "-", "-", "-"
		if h.Lists {
			lists = "yes"
		}
		if h.Writes != nil {
			if writes = strings.Join(h.Writes.Tested, ", "); writes == "" {
				writes = "untested"
			}
		}
		if p := h.Proven; p != nil {
			proven = fmt.Sprintf("%d of %d sessions, %s", p.Proven, p.Sessions, p.Version)
			if p.Loaded > 0 {
				proven += fmt.Sprintf(", %d more load", p.Loaded)
			}
			if p.Handoff != "" {
				proven += ", handoff"
			}
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", h.Name, strings.Join(reads, ", "), lists, writes, proven)
	}
	return t.Flush()
}
