// Package docgen writes the documentation that has its source in the program
// itself: the reference of the mapping language from the table that mappings are
// read by, a page a harness from its mapping and golden cases, the codes from
// where they are declared, what survives a handoff from conversions. What only a person can write stands beside it in
// Markdown and is put around the generated parts.
//
// A test fails when a generated file is not current, when a code has no
// explanation, and when a command that is shown does not print what is shown.
package docgen

//go:generate go run ../cmd/docgen -root ../..

import "github.com/trajmap/trajmap/engine"

// Files are all generated files by their path below the project's root, with
// slashes. The root is where the mappings' golden cases and the README are;
// trajmap is the program that the commands on the pages run.
func Files(root, trajmap string) (map[string][]byte, error) {
	catalog, err := engine.NewCatalog()
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	var pages []*page
	for _, e := range catalog.Entries() {
		p, err := newPage(root, e)
		if err != nil {
			return nil, err
		}
		pages = append(pages, p)
		files["docs/harness/"+e.Name+".md"] = p.markdown()
	}
	lesson, err := run(root, trajmap, "tutorial.md", tutorial)
	if err != nil {
		return nil, err
	}
	files["docs/mapping-language.md"] = languagePage(pages, lesson)
	files["docs/errors.md"] = errorsPage()
	if files["docs/survival.md"], err = survivalPage(root, pages); err != nil {
		return nil, err
	}
	if err := addGuides(files, root, trajmap, pages); err != nil {
		return nil, err
	}
	if files["README.md"], err = readme(root, trajmap, pages); err != nil {
		return nil, err
	}
	return files, nil
}
