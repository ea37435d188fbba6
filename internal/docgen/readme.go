package docgen

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/internal/inventory"
)

// exampleFile holds the README's example, which is compiled and run as a test.
const exampleFile, exampleFunc = "internal/docgen/example_test.go", "printTools"

// readme is the README with its generated parts and what its commands print.
func readme(root, trajmap string, pages []*page) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		return nil, err
	}
	shown, err := run(root, trajmap, "README.md", string(text))
	if err != nil {
		return nil, err
	}
	var mappings []*engine.Mapping
	for _, p := range pages {
		mappings = append(mappings, p.m)
	}
	inv, err := inventory.Of(mappings, os.DirFS(root))
	if err != nil {
		return nil, err
	}
	text, err = between([]byte(shown), "harnesses", harnessTable(pages, inv))
	if err != nil {
		return nil, fmt.Errorf("README.md: %w", err)
	}
	source, err := function(filepath.Join(root, filepath.FromSlash(exampleFile)), exampleFunc)
	if err != nil {
		return nil, err
	}
	if text, err = between(text, "example", []byte("```go\n"+source+"\n```\n")); err != nil {
		return nil, fmt.Errorf("README.md: %w", err)
	}
	return text, nil
}

// function is the text of a function, without its comment.
func function(file, name string) (string, error) {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, nil, parser.ParseComments)
	if err != nil {
		return "", err
	}
	for _, d := range parsed.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Name.Name != name {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		body, err := format.Source(text[set.Position(f.Pos()).Offset:set.Position(f.End()).Offset])
		return string(bytes.TrimSpace(body)), err
	}
	return "", fmt.Errorf("%s: no function %s", file, name)
}

// harnessTable is the README's table of harnesses: what the inventory says, with
// links.
func harnessTable(pages []*page, inv *inventory.Inventory) []byte {
	var d doc
	var rows [][]string
	for _, p := range pages {
		h := inv.Harnesses[slices.IndexFunc(inv.Harnesses, func(h *inventory.Harness) bool { return h.Name == p.name })]
		var formats []string
		for _, f := range h.Reads {
			if !f.Refused {
				formats = append(formats, f.Name)
			}
		}
		row := []string{link(p.title(), "docs/harness/"+p.name+".md"), link(code(p.name), "mappings/"+p.name+".yaml"), codes(formats), "", ""}
		if h.Writes != nil {
			row[3] = "yes"
		}
		if h.Proven != nil {
			seen := fmt.Sprintf("%d of %d", h.Proven.Proven, h.Proven.Sessions)
			if n := h.Proven.Loaded; n > 0 && h.Proven.Proven == 0 {
				seen = fmt.Sprintf("loads %d of %d", n, h.Proven.Sessions)
			}
			row[4] = link(seen+", "+h.Proven.Version, "docs/evidence/"+p.name+".json")
		}
		rows = append(rows, row)
	}
	d.table([]string{"Harness", "Mapping", "Reads", "Writes", "Proven"}, rows)
	return []byte(strings.TrimSuffix(d.String(), "\n"))
}
