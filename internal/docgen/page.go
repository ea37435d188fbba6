package docgen

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/internal/golden"
	"github.com/trajmap/trajmap/mappings"
)

// page is a harness's page.
type page struct {
	doc
	name  string // of the mapping
	m     *engine.Mapping
	src   *source
	cases []*golden.Case

	hazards map[string][]string // by code: what notes it
}

func newPage(root string, e *engine.Entry) (*page, error) {
	m, err := e.Open()
	if err != nil {
		return nil, err
	}
	data, err := mappings.FS.ReadFile(filepath.Base(e.File))
	if err != nil {
		return nil, err
	}
	src, err := newSource(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.File, err)
	}
	cases, err := golden.Find(filepath.Join(root, "testdata", e.Name), regexp.MustCompile(""))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return &page{name: e.Name, m: m, src: src, cases: cases, hazards: map[string][]string{}}, nil
}

func (p *page) title() string {
	if p.m.Title != "" {
		return p.m.Title
	}
	return p.name
}

// markdown is the page.
func (p *page) markdown() []byte {
	p.printf("<!-- Generated from mappings/%s.yaml: go generate ./... -->\n\n", p.name)
	p.heading(1, p.title())
	for _, text := range p.src.intro() {
		p.para(text)
	}
	var notes []string
	for _, n := range p.m.Notes {
		notes = append(notes, prose(flow(n)))
	}
	p.list(notes)
	p.printf("```sh\ntrajmap apply %s SESSION\n```\n\n", p.name)
	p.para(fmt.Sprintf("All of this page is in the mapping, [`mappings/%s.yaml`](../../mappings/%s.yaml), which has the details. "+
		"How to read and change it: [the mapping language](../mapping-language.md).", p.name, p.name))
	if len(p.m.Aliases) > 0 {
		p.para("Other names of the mapping: " + codes(p.m.Aliases) + ".")
	}
	if p.m.Source != p.m.Harness {
		p.para("The `source` of its records is " + code(p.m.Source) + ".")
	}
	if p.m.GroupRequired {
		p.para("Canonical rows need a group: the session's id, else `--group`.")
	}
	p.evidence()
	if common := p.commonFacts(); len(common) > 0 {
		p.heading(2, "Facts of several formats")
		p.para("Gathered from all frames of a session before any rule runs.")
		p.facts(common)
	}
	for i, f := range p.m.Formats {
		p.format(f, p.m.Formats[:i])
	}
	if len(p.m.Blocks) > 0 {
		p.heading(2, "Blocks")
		p.para("Several places of the mapping use these.")
		for _, b := range p.m.Blocks {
			p.heading(3, "Block "+b.Name)
			p.para(prose(flow(b.Doc)))
			if b.Doc == "" {
				p.para(sentences(p.src.above(b.Pos.Line)))
			}
			p.rowTable(p.rows(b.Block, " in "+link(b.Name, anchor("block "+b.Name))))
		}
	}
	p.written()
	p.hazardList()
	p.caseList()
	return []byte(strings.TrimRight(p.String(), "\n") + "\n")
}

// rows are the rows of a block; where says in a list of hazards which block it is.
func (p *page) rows(b *mapping.Block, where string) [][]string {
	rs := &rows{page: p, where: where}
	all := &row{kind: "all"}
	if b.Kind != nil {
		all.kind = "all, first"
	}
	rs.block(b, "", mapping.AnyView, all)
	if !all.empty() {
		rs.list = slices.Insert(rs.list, 0, all)
	}
	var out [][]string
	for _, r := range rs.list {
		out = append(out, r.cells())
	}
	return out
}

// rowTable writes rows as a table; a single one that is about all as a list.
func (p *page) rowTable(rows [][]string) {
	if len(rows) != 1 || rows[0][0] != "all" {
		p.table(rowHead, rows)
		return
	}
	var list []string
	for i, text := range rows[0][1:] {
		if text != "" {
			list = append(list, rowHead[i+1]+": "+sentences(text))
		}
	}
	p.list(list)
}

// evidence lists the versions that kinds and fields are known from.
func (p *page) evidence() {
	n := p.m.Formats[0].Native
	if n == nil {
		return
	}
	var list []string
	for _, r := range n.Since {
		list = append(list, fmt.Sprintf("%s occurs since %s.", code(r.Path), r.Version))
	}
	for _, r := range n.Until {
		list = append(list, fmt.Sprintf("%s occurs up to %s.", code(r.Path), r.Version))
	}
	p.list(list)
}

// blockName is the name of a block under `blocks`; "" for any other.
func (p *page) blockName(b *mapping.Block) string {
	for _, named := range p.m.Blocks {
		if named.Block == b || named.Block.Pos == b.Pos {
			return named.Name
		}
	}
	return ""
}

// hazard notes that a kind notes a hazard.
func (p *page) hazard(code, kind string) {
	if !slices.Contains(p.hazards[code], kind) {
		p.hazards[code] = append(p.hazards[code], kind)
	}
}

// hazardList says what each hazard of the mapping means.
func (p *page) hazardList() {
	var rows [][]string
	for _, h := range hazardDocs {
		if where, ok := p.hazards[h.Code]; ok {
			rows = append(rows, []string{code(h.Code), h.Meaning, strings.Join(where, "; ")})
		}
	}
	if len(rows) == 0 {
		return
	}
	p.heading(2, "Hazards")
	p.para("What makes a session of this harness unsafe to carry on elsewhere as it is. `trajmap apply --report` lists those of a session, with their lines. " +
		"Calls without a result and frames that are not active are noted for every harness; see [all codes](../errors.md#hazards).")
	p.table([]string{"Hazard", "Meaning", "Noted by"}, rows)
}

// caseList lists the golden cases.
func (p *page) caseList() {
	if len(p.cases) == 0 {
		return
	}
	p.heading(2, "Golden cases")
	p.para(fmt.Sprintf("%s hold the mapping to what this page says: `trajmap test mappings/%s.yaml` runs them.", capital(count(len(p.cases), "case")), p.name))
	var rows [][]string
	for _, c := range p.cases {
		rows = append(rows, []string{link(c.Name, "../../testdata/"+p.name+"/"+c.Name), sentences(prose(c.Doc)), codes(c.Args)})
	}
	p.table([]string{"Case", "Shows", "Flags"}, rows)
}
