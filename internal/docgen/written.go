package docgen

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/mapping"
)

// written is the part of a harness's page about the files that are written for
// it.
func (p *page) written() {
	w := p.m.Write
	if w == nil {
		return
	}
	p.heading(2, "How it is written")
	p.para(fmt.Sprintf("`trajmap convert SESSION --to %s -o DIR` writes a session of any harness as files of this one.", p.name))
	p.list(p.writtenWith(w))
	for _, f := range w.Files {
		p.outFile(f)
	}
	p.resumed()
}

// writtenWith are the small properties of what is written, a sentence each.
func (p *page) writtenWith(w *mapping.Write) (list []string) {
	add := func(format string, args ...any) { list = append(list, sentences(fmt.Sprintf(format, args...))) }
	if w.Home != nil {
		add("Its files are below %s", strings.ReplaceAll(codes(w.Home.Places), ", ", ", else "))
	}
	add("The session's id is %s", p.src.words(w.ID))
	if pin := w.Pin; pin != nil {
		text := "Not tried with the program"
		if len(pin.Tested) > 0 {
			text = fmt.Sprintf("Tried with %s %s", pin.Program, strings.Join(pin.Tested, ", "))
		}
		if pin.Range != "" {
			text += "; expected to work with " + code(pin.Range)
		}
		if pin.Strict {
			text += ". Other versions are refused"
		}
		add("%s", text)
	}
	if len(w.Accepts) > 0 {
		var groups []string
		for _, g := range w.Accepts {
			groups = append(groups, strings.Join(flags(g), " with "))
		}
		add("It takes %s", strings.Join(groups, ", "))
	}
	for _, o := range w.Options {
		add("%s, at first %s: %s", code("--option "+strings.ReplaceAll(o.Name, "_", "-")+"="+strings.Join(o.Values, "|")), code(o.Values[0]), o.Doc)
	}
	for _, c := range slices.Sorted(maps.Keys(w.Gate)) {
		add("The hazard %s: %s", code(c), map[string]string{"refuse": "refused, unless it is allowed", "never": "refused", "carry": "carried, with a notice"}[w.Gate[c]])
	}
	for _, st := range w.Before {
		if st.Hazard != "" && st.If != nil {
			add("The hazard %s is noted when %s", code(st.Hazard), condition(st.If))
		}
	}
	if w.Doubles {
		add("The program keeps numbers in arguments as doubles: integers above 2^53 change")
	}
	if w.Unverified {
		add("The program loads what is written; that its model gets it has not been seen yet")
	}
	for _, step := range w.Prepare {
		if step.Step == mapping.StoreStep {
			i := slices.IndexFunc(w.Files, func(f *mapping.OutFile) bool { return f.Name == step.File })
			add("When it is installed, its store %s is written from the file %s, and read back", p.template(step.Path), p.template(w.Files[i].Path))
			continue
		}
		add("The program takes the files in: %s", p.command(step.Argv))
	}
	return list
}

func flags(options []string) []string {
	list := make([]string, len(options))
	for i, o := range options {
		list[i] = code("--" + o)
	}
	return list
}

// outFile writes what a file consists of.
func (p *page) outFile(f *mapping.OutFile) {
	kind, head := "a text", []string{"Part", "Holds", "Of", "When", "Remarks"}
	switch {
	case f.Frames != nil:
		kind, head[1] = "a JSON object a line", "Line"
	case f.Document != nil:
		kind = "one JSON value with these parts"
	case f.Script != "":
		p.para(fmt.Sprintf("The file %s is the script [%s](../../scripts/%s), which does the same without trajmap.", p.template(f.Path), code(f.Script), f.Script))
		return
	}
	if f.Encode != "" {
		kind += ", of which the handler " + code(f.Encode) + " makes its bytes"
	}
	p.para(fmt.Sprintf("The file %s, %s:", p.template(f.Path), kind))
	o := &outline{page: p}
	o.steps(f.Frames, place{})
	if f.Document != nil {
		o.object("the document", f.Document, place{})
	}
	if f.Text != nil {
		o.add("the text", p.template(f.Text), place{}, f.Text.Pos)
	}
	p.table(head, o.rows)
}

// outline lists what a file consists of.
type outline struct {
	*page
	rows [][]string
}

// place is where in a session something is written, and when.
type place struct {
	of, when []string
}

func (a place) each(v *mapping.Value, o *outline) place {
	if v != nil {
		a.of = append(slices.Clip(a.of), o.src.words(v))
	}
	return a
}

func (a place) where(v *mapping.Value) place {
	if v != nil {
		a.when = append(slices.Clip(a.when), condition(v))
	}
	return a
}

func (a place) kind(v *mapping.Value, kinds string, o *outline) place {
	a.when = append(slices.Clip(a.when), o.src.words(v)+" is "+kinds)
	return a
}

func (o *outline) add(what, holds string, at place, pos mapping.Pos) {
	of := "the session"
	if len(at.of) > 0 {
		inner := slices.Clone(at.of)
		slices.Reverse(inner)
		of = "each of " + strings.Join(inner, " of ")
	}
	o.rows = append(o.rows, []string{what, holds, of, strings.Join(at.when, ", "), o.src.said(pos.Line)})
}

func (o *outline) steps(steps []*mapping.OutStep, at place) {
	for _, st := range steps {
		here := at.where(st.If).each(st.With, o).each(st.Each, o)
		if st.Frame != nil {
			o.add("", o.holds(st.Frame), here, st.Pos)
			continue
		}
		if st.Hazard != "" {
			o.add("", "nothing: the hazard "+code(st.Hazard)+" is noted", here, st.Pos)
			continue
		}
		o.steps(st.Do, here)
		for _, group := range grouped(st.Table) {
			o.steps(st.Table[group[0]], here.kind(st.Kind, codes(group), o))
		}
	}
}

// grouped are the kinds of rules in the order in which these stand, those of one
// rule together.
func grouped(table map[string][]*mapping.OutStep) (groups [][]string) {
	for _, kind := range slices.Sorted(maps.Keys(table)) {
		i := slices.IndexFunc(groups, func(g []string) bool { return line(table[g[0]]) == line(table[kind]) && line(table[kind]) > 0 })
		if i >= 0 {
			groups[i] = append(groups[i], kind)
		} else {
			groups = append(groups, []string{kind})
		}
	}
	slices.SortStableFunc(groups, func(a, b []string) int { return line(table[a[0]]) - line(table[b[0]]) })
	return groups
}

// line is where steps begin.
func line(steps []*mapping.OutStep) int {
	if len(steps) == 0 {
		return 0
	}
	return steps[0].Pos.Line
}

// object adds an object, and what is repeated in it.
func (o *outline) object(what string, t *mapping.Template, at place) {
	if t.Object {
		o.add(what, o.holds(t), at, t.Pos)
	}
	o.repeated(t, "", at)
}

// repeated adds the forms below a template that repeat or choose.
func (o *outline) repeated(t *mapping.Template, path string, at place) {
	for _, m := range t.Members {
		name := m.Name
		if path != "" {
			name = path + "." + name
		}
		o.repeated(m.Template, name, at)
	}
	for _, item := range t.Items {
		o.repeated(item, path, at)
	}
	if f := t.Form; f != nil {
		o.form(f, path, at, t.Pos)
	}
}

func (o *outline) form(f *mapping.Form, path string, at place, pos mapping.Pos) {
	here := at.where(f.If).each(f.Each, o)
	give := func(t *mapping.Template, here place) {
		switch {
		case t == nil:
		case t.Form != nil:
			o.form(t.Form, path, here, t.Pos)
		case t.Object:
			o.add(code(path), o.holds(t), here, t.Pos)
			o.repeated(t, path, here)
		default:
			o.add(code(path), o.template(t), here, pos)
		}
	}
	give(f.Give, here)
	kinds := slices.Sorted(maps.Keys(f.Rules))
	slices.SortStableFunc(kinds, func(a, b string) int { return f.Rules[a].Pos.Line - f.Rules[b].Pos.Line })
	for _, kind := range kinds {
		give(f.Rules[kind], here.kind(f.Kind, code(kind), o))
	}
}

// holds is what tells an object from others: its type or role, else the first of
// its members that are constant texts, else the names of all.
func (o *outline) holds(t *mapping.Template) string {
	if !t.Object {
		return o.template(t)
	}
	var types, texts, names []string
	var look func(t *mapping.Template, path string)
	look = func(t *mapping.Template, path string) {
		for _, m := range t.Members {
			name := path + m.Name
			if text, ok := strings.CutPrefix(string(m.Raw), `"`); ok && len(text) > 1 {
				is := code(name + ": " + strings.TrimSuffix(text, `"`))
				texts = append(texts, is)
				if slices.Contains([]string{"type", "role", "kind"}, m.Name) && strings.Count(name, ".") < 2 {
					types = append(types, is)
				}
			}
			look(m.Template, name+".")
		}
	}
	look(t, "")
	for _, m := range t.Members {
		names = append(names, m.Name)
	}
	const most = 3
	switch {
	case len(types) > 0:
		return strings.Join(types, ", ")
	case len(texts) > 0 && len(texts) <= most:
		return strings.Join(texts, ", ")
	}
	return codes(names)
}

// template is a small template as its author wrote it.
func (p *page) template(t *mapping.Template) string {
	switch {
	case t == nil:
		return ""
	case t.Value != nil:
		return p.src.words(t.Value)
	case t.Raw != nil:
		return code(strings.Trim(string(t.Raw), `"`))
	}
	if n := p.src.nodes[t.Pos]; n != nil && n.Kind == yaml.SequenceNode {
		return "a list"
	}
	return "an object"
}

// resumed says how the harness goes on with what was written.
func (p *page) resumed() {
	r := p.m.Resume
	if r == nil {
		return
	}
	p.heading(3, "How it goes on")
	p.para("In braces stands what is filled in, in brackets what depends.")
	p.list(p.resume(r))
}

// resume says how the harness goes on with what was written.
func (p *page) resume(r *mapping.Resume) (list []string) {
	add := func(what, text string) {
		if text != "" {
			list = append(list, what+" "+text)
		}
	}
	add("At a terminal:", p.command(r.Argv))
	add("With one prompt:", p.command(r.Prompt))
	add("As an agent of the Agent Client Protocol:", p.command(r.ACP))
	add("Always with", p.variables(r.Env))
	add("Elsewhere than in its home with", p.variables(r.Home))
	if r.Cwd != nil {
		add("In the folder", p.template(r.Cwd))
	}
	if r.NeedsModel != nil {
		list = append(list, "It needs a model to be named when "+condition(r.NeedsModel)+" holds")
	}
	return list
}

// command is a command line as code.
func (p *page) command(t *mapping.Template) string {
	if t == nil {
		return ""
	}
	return code(strings.Join(p.commandWords(t.Items), " "))
}

func (p *page) commandWords(items []*mapping.Template) (list []string) {
	for _, item := range items {
		switch f := item.Form; {
		case f == nil:
			list = append(list, p.word(item))
		case f.Give != nil:
			words := []string{p.word(f.Give)}
			if f.Give.List {
				words = p.commandWords(f.Give.Items)
			}
			if f.Each != nil {
				words = []string{strings.Trim(p.src.words(f.Each), "`") + "…"}
			}
			list = append(list, "["+strings.Join(words, " ")+"]")
		}
	}
	return list
}

func (p *page) word(t *mapping.Template) string {
	text := strings.Trim(p.template(t), "`")
	if t.Value != nil {
		return "{" + text + "}"
	}
	return text
}

func (p *page) variables(t *mapping.Template) string {
	if t == nil {
		return ""
	}
	var list []string
	for _, m := range t.Members {
		text := m.Name + "=" + p.word(m.Template)
		if f := m.Template.Form; f != nil && f.Give != nil {
			text = "[" + m.Name + "=" + p.word(f.Give) + "]"
		}
		list = append(list, code(text))
	}
	return strings.Join(list, ", ")
}
