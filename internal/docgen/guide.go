package docgen

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// guides are the pages that a person writes and whose commands are run. Between
// the markers of some stands a part that is generated.
var guides = []struct {
	name, marker string
	part         func([]*page) []byte
}{
	{"docs/handoff.md", "targets", targetNotes},
	{name: "docs/add-a-harness.md"},
	{name: "docs/list-and-show.md"},
	{name: "docs/snapshot.md"},
}

// addGuides adds the guides, with what their commands print.
func addGuides(files map[string][]byte, root, trajmap string, pages []*page) error {
	for _, g := range guides {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(g.name)))
		if err != nil {
			return err
		}
		if g.part != nil {
			if text, err = between(text, g.marker, g.part(pages)); err != nil {
				return fmt.Errorf("%s: %w", g.name, err)
			}
		}
		shown, err := run(root, trajmap, g.name, string(text))
		if err != nil {
			return err
		}
		files[g.name] = []byte(shown)
	}
	return nil
}

// targetNotes says of each target what a person needs to know who goes on there.
func targetNotes(pages []*page) []byte {
	var d doc
	for _, p := range pages {
		w := p.m.Write
		if w == nil {
			continue
		}
		d.heading(3, p.title())
		d.para(p.src.around(w.Pos.Line))
		list := slices.DeleteFunc(p.writtenWith(w), func(s string) bool { return strings.HasPrefix(s, "The session's id") })
		if p.m.Resume != nil {
			list = append(list, p.resume(p.m.Resume)...)
		}
		d.list(append(list, "Its files: "+link("how they are written", "harness/"+p.name+".md"+anchor("How it is written"))))
	}
	return []byte(strings.TrimSuffix(d.String(), "\n"))
}
