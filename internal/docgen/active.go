package docgen

import (
	"fmt"
	"strings"
	"time"

	"github.com/trajmap/trajmap/engine/mapping"
)

// active writes the rules of the active view in words.
func (p *page) active(f *mapping.Format, before []*mapping.Format) {
	p.heading(3, "Active view of "+f.Name)
	if f.Active == nil {
		p.para("All frames are active.")
		return
	}
	p.para(p.src.around(f.Active.Pos.Line))
	if t := f.Active.Tree; t != nil {
		p.list(p.tree(t))
	}
	if len(f.Active.Edits) == 0 {
		return
	}
	for _, b := range before {
		// An anchor in the mapping: what stands at the same place is the same.
		if b.Active != nil && len(b.Active.Edits) > 0 && b.Active.Edits[0].Pos == f.Active.Edits[0].Pos {
			p.para("Then frames change others as in " + link("the active view of "+b.Name, anchor("Active view of "+b.Name)) + ".")
			return
		}
	}
	first := "In"
	if f.Active.Tree != nil {
		first = "Then, in"
	}
	p.para(first + " the order of the file, the first of these rules that fits a frame acts:")
	for i, e := range f.Active.Edits {
		p.printf("%d. %s\n", i+1, p.edit(e))
	}
	p.printf("\n")
}

// tree says how the active branch is found.
func (p *page) tree(t *mapping.Tree) []string {
	var list []string
	add := func(remark, format string, args ...any) {
		list = append(list, sentences(fmt.Sprintf(format, args...), remark))
	}
	outside := ""
	if t.Nodes != nil {
		outside = ", as far as " + condition(t.Nodes) + " holds; other frames stand outside and stay"
	}
	add("", "Frames form a tree: %s names a frame, %s its parent%s. Active is the way from a leaf up to its root", p.src.words(t.ID), p.src.words(t.Parent), outside)
	if t.Linear {
		add("", "A frame that names no parent hangs under the one before it")
	}
	if t.Leaf != nil {
		add(p.src.said(t.Leaf.Pos.Line), "The id of the leaf is %s", p.src.words(t.Leaf))
		return append(list, p.together(t)...)
	}
	leaf := "The leaf is the last frame"
	var which []string
	if t.Tip {
		which = append(which, "that no other names as its parent")
	}
	if t.LeafIf != nil {
		which = append(which, "for which "+condition(t.LeafIf)+" holds")
	}
	if len(which) > 0 {
		leaf += " " + strings.Join(which, " and ")
	}
	add("", "%s", leaf)
	if q := t.Pointer; q != nil {
		exact := ""
		if q.Exact != nil {
			exact = "; where " + p.src.words(q.Exact) + " is true, the way ends there, or at what was added below it later"
		}
		add(p.src.said(q.Pos.Line), "The last %s names another leaf in %s%s", trimArticle(onWords(q.On)), p.src.words(q.Leaf), exact)
	}
	if r := t.Repair; r != nil {
		same := ""
		if r.Same != nil {
			same = ", if both agree in " + p.src.words(r.Same)
		}
		add(p.src.said(r.Pos.Line-1), "A frame whose parent is missing hangs under the frame written before it, if that is at most %s older by %s%s",
			time.Duration(r.Within)*time.Millisecond, p.src.words(r.Time), same)
	}
	return append(list, p.together(t)...)
}

// together says which frames beside the chain are active.
func (p *page) together(t *mapping.Tree) []string {
	if t.With == nil {
		return nil
	}
	return []string{sentences(fmt.Sprintf("Frames with the same %s belong together: with one of them the others are active, and what hangs directly under them",
		p.src.words(t.With)), p.src.said(t.With.Pos.Line))}
}

// edit says what an edit does.
func (p *page) edit(e *mapping.Edit) string {
	on := capital(onWords(e.On))
	if e.If != nil {
		on += " where " + condition(e.If)
	}
	var does string
	switch e.Verb {
	case mapping.Reset:
		does = resetWords(p, e)
	case mapping.Undo:
		does = "takes away frames from the end, until " + p.src.words(e.Value) + " that give a user message are gone"
	case mapping.Cut:
		does = "takes away the frame with the id " + p.src.words(e.Value) + " and all after it"
	case mapping.Hide:
		does = "takes away the frame with the id " + p.src.words(e.Value)
	case mapping.End:
		does = "ends the conversation: it and all later frames are out"
	case mapping.Amend:
		does = "changes how the frame with the id " + p.src.words(e.Value) + " is read"
	}
	if e.Place != nil {
		does += ", as if it stood behind the first " + p.src.words(e.Place) + " frames"
	}
	if e.Among != nil {
		does += "; counted are frames where " + condition(e.Among)
	}
	if e.Hazard != "" {
		p.hazard(e.Hazard, "edits of the active view")
		does += "; that is the hazard " + code(e.Hazard)
	}
	return sentences(on+" "+does, p.src.said(e.Pos.Line))
}

func resetWords(p *page, e *mapping.Edit) string {
	where := ""
	if e.KeptAfter {
		where = ", which then come after it"
	}
	switch {
	case e.Keep != nil:
		return "takes away all before it, but for the frames with the ids " + p.src.words(e.Keep) + where
	case e.KeepFrom != nil:
		return "takes away all before it, but for the frames from the id " + p.src.words(e.KeepFrom) + " on" + where
	case e.KeepAfter != nil:
		return "takes away the first " + p.src.words(e.KeepAfter) + " frames" + where
	case e.KeepIf != nil:
		return "takes away all before it, but for the frames where " + condition(e.KeepIf) + where
	}
	return "takes away all before it"
}

// trimArticle takes a or an off.
func trimArticle(text string) string {
	_, rest, _ := strings.Cut(text, " ")
	return rest
}
