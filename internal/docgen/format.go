package docgen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trajmap/trajmap/engine/mapping"
)

// format writes what is particular to one format. The formats before it have
// been written.
func (p *page) format(f *mapping.Format, before []*mapping.Format) {
	p.heading(2, "Format "+f.Name)
	p.para(prose(flow(f.Doc)))
	p.list(p.properties(f))
	if f.Refuse != "" {
		p.para("Not read. The error says: " + prose(f.Refuse) + ".")
		return
	}
	if own := p.ownFacts(f); len(own) > 0 {
		p.para("Facts about the session:")
		p.facts(own)
	}
	if len(f.Once) > 0 {
		rs := &rows{page: p, where: " of " + f.Name}
		whole := &row{kind: "the session"}
		rs.steps(f.Once, "", mapping.AnyView, whole)
		p.para("Of the session as a whole:")
		table := [][]string{whole.cells()}
		for _, r := range rs.list {
			table = append(table, r.cells())
		}
		p.rowTable(table)
	}
	if name := p.blockName(f.Block); name != "" {
		p.para("What becomes of its frames: " + link("block "+name, anchor("block "+name)) + ".")
		if first := p.beforeUse(f, name); first != nil {
			p.para("Before that:")
			p.rowTable([][]string{first})
		}
	} else {
		p.para("What becomes of its frames:")
		p.rowTable(p.rows(f.Block, " of "+f.Name))
	}
	p.active(f, before)
}

// beforeUse are the steps that a format runs before a named block does; nil for
// none.
func (p *page) beforeUse(f *mapping.Format, name string) []string {
	own := len(f.Block.Before)
	for _, b := range p.m.Blocks {
		if b.Name == name {
			own -= len(b.Before)
		}
	}
	if own <= 0 {
		return nil
	}
	rs := &rows{page: p, where: " of " + f.Name}
	all := &row{kind: "all"}
	rs.steps(f.Block.Before[:own], "", mapping.AnyView, all)
	return all.cells()
}

// properties are the small properties of a format, a sentence each.
func (p *page) properties(f *mapping.Format) []string {
	var list []string
	add := func(format string, args ...any) { list = append(list, sentences(fmt.Sprintf(format, args...))) }
	add("A frame is %s", frameWords(&f.Frames))
	if f.File != "" {
		add("Of a session that consists of several files it reads %s", code(f.File))
	}
	switch f.View {
	case mapping.Archive:
		add("It is for the archive view, when another format reads the session's other file for the active view")
	case mapping.ActiveView:
		add("It is for the active view, when another format reads the session's other file for the archive")
	}
	if f.Detect != nil {
		add("An input is of this format when %s holds for one of its first 50 frames", condition(f.Detect))
	}
	if f.Versions != (mapping.Versions{}) {
		add("Written by versions %s", versionWords(f.Versions))
	}
	e := &f.Event
	for _, v := range []struct {
		what  string
		value *mapping.Value
	}{
		{"The native record's id is", e.Record}, {"The time is", e.Time}, {"The model is", e.Model},
		{"Frames with the same %s are one reply of the model", e.Step}, {"The number in the source is", e.Sequence},
	} {
		switch {
		case v.value == nil:
		case strings.Contains(v.what, "%s"):
			add(v.what, p.src.words(v.value))
		default:
			add("%s %s", v.what, p.src.words(v.value))
		}
	}
	if e.Monotonic {
		add("Times never run back within a frame")
	}
	if f.Key != nil {
		what := "A frame is named by %s"
		if f.Upsert {
			what += "; a later frame of the same name takes its place"
		}
		add(what, p.src.words(f.Key))
	}
	if f.Order != nil {
		add("Frames are sorted by %s, if all have it", p.src.words(f.Order))
	}
	for _, v := range f.Expand {
		add("The items of %s are further frames", p.src.words(v))
	}
	if f.Adopt {
		add("Calls without an id take the ids of the results after their frame")
	}
	for _, file := range f.Files {
		add("`files.%s` is the file %s beside the input", file.Name, code(file.Path))
	}
	if j := f.Join; j != nil {
		p.hazard(j.Missing, "the format "+code(f.Name))
		until := ""
		if j.Until != nil {
			until = ", up to byte " + p.src.words(j.Until)
		}
		add("A session that continues another, which %s names in %s, begins with the frames of that one%s; when its file is not found, the hazard is %s",
			onWords(j.On), p.src.words(j.Session), until, code(j.Missing))
	}
	return list
}

func frameWords(f *mapping.Frames) string {
	switch {
	case f.Lines:
		return "a line, one JSON object"
	case f.JSON != nil:
		if len(f.JSON) == 1 && f.JSON[0] == "@this" {
			return "an item of the list that the JSON document is"
		}
		return "an item of " + strings.ReplaceAll(codes(f.JSON), ", ", ", else ") + " in the JSON document"
	case f.Files != "":
		return "a file " + code(f.Files) + " of the session's folder"
	case f.Linked != nil:
		words := "what a file " + code(f.Linked.Files.Source) + " holds, as " + code(f.Linked.As)
		for _, l := range f.Linked.Lists {
			words += ", with the files " + code(l.Files.Source) + " as " + code(l.Member)
		}
		return words + "; the session's own file is " + code(f.Linked.Input.Source)
	case f.SQLite != nil:
		return "a row of a query on the database"
	}
	return "what the decoder " + code(f.Handler) + " gives"
}

func versionWords(v mapping.Versions) string {
	var parts []string
	if v.Since != "" {
		parts = append(parts, "from "+v.Since)
	}
	switch {
	case v.Until == "":
	case v.Below:
		parts = append(parts, "before "+v.Until)
	default:
		parts = append(parts, "up to "+v.Until)
	}
	return strings.Join(parts, ", ")
}

// onWords are the frames of some kinds.
func onWords(on []string) string {
	switch len(on) {
	case 0:
		return "a frame"
	case 1:
		return article(code(on[0])) + " frame"
	}
	quoted := make([]string, len(on))
	for i, k := range on {
		quoted[i] = code(k)
	}
	return "a frame of kind " + strings.Join(quoted[:len(quoted)-1], ", ") + " or " + quoted[len(quoted)-1]
}

// commonFacts are the facts that several formats have from one place.
func (p *page) commonFacts() (common []*mapping.Fact) {
	for i, f := range p.m.Formats {
		for _, fact := range f.Session {
			again := func(g *mapping.Fact) bool { return g.Value != nil && g.Pos == fact.Pos }
			if fact.Value == nil || slices.ContainsFunc(common, again) {
				continue
			}
			for _, later := range p.m.Formats[i+1:] {
				if slices.ContainsFunc(later.Session, again) {
					common = append(common, fact)
					break
				}
			}
		}
	}
	return common
}

// ownFacts are the facts that a format alone has.
func (p *page) ownFacts(f *mapping.Format) (own []*mapping.Fact) {
	common := p.commonFacts()
	for _, fact := range f.Session {
		if fact.Value != nil && !slices.ContainsFunc(common, func(g *mapping.Fact) bool { return g.Pos == fact.Pos }) {
			own = append(own, fact)
		}
	}
	return own
}

// facts writes a table of facts.
func (p *page) facts(list []*mapping.Fact) {
	var rows [][]string
	for _, f := range list {
		from := codes(f.On)
		if f.Of != "" {
			from = "items of " + code("files."+f.Of)
		}
		if f.If != nil {
			from = strings.TrimPrefix(from+" where "+condition(f.If), " ")
		}
		rows = append(rows, []string{code(f.Name), p.factWords(f), from, p.src.said(f.Pos.Line)})
	}
	p.table([]string{"Fact", "Is", "Of frames", "Remarks"}, rows)
}

// factWords says what a fact is, of the frames that it looks at.
func (p *page) factWords(f *mapping.Fact) string {
	switch value := p.src.words(f.Value); f.Agg {
	case mapping.AnyOf:
		return "whether " + condition(f.Value) + " holds for any"
	case mapping.Count:
		return "how many have " + condition(f.Value)
	case mapping.First:
		return "the first " + value
	case mapping.Last:
		return "the last " + value
	case mapping.Only:
		return value + ", if all agree"
	case mapping.Most:
		return "the most frequent " + value
	case mapping.Earliest:
		return value + " of the earliest"
	case mapping.MapOf:
		return value + " by " + p.src.words(f.Key)
	default:
		return value
	}
}
