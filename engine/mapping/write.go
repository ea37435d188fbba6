package mapping

import (
	"regexp"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/diag"
)

// write reads `write`.
func (d *decoder) write(n *yaml.Node) *Write {
	if n == nil {
		return nil
	}
	o := d.object(n, "write")
	if o == nil {
		return nil
	}
	s := scope{Static: writeStatic(), letKeys: make([]*yaml.Node, writeNames)}
	d.lets = max(d.lets, len(s.Lets))
	w := &Write{Pos: pos(n), ID: d.value(o.at("id"), s), Gate: map[string]string{}, Words: map[string]bool{}}
	if n := o.at("home"); n != nil {
		w.Home = d.root(n)
	}
	if n := o.at("id_form"); n != nil {
		if _, err := regexp.Compile(n.Value); err != nil {
			d.errorf(diag.BadValue, n, "it is no regular expression: %v", err)
		}
		w.IDForm = n.Value
	}
	for _, n := range items(o.at("accepts")) {
		var group []string
		for _, item := range items(n) {
			if d.accept(enum("model", "provider", "reasoning"), item, "accepts") {
				group = append(group, item.Value)
			}
		}
		w.Accepts = append(w.Accepts, group)
	}
	if gate := o.at("gate"); gate != nil {
		for _, e := range d.entries(gate) {
			w.Gate[e.key.Value] = e.value.Value
		}
	}
	if n := o.at("pin"); n != nil {
		w.Pin = d.pin(n)
	}
	w.Doubles = o.is("doubles")
	w.Lets, s = d.outLets(o.at("let"), s)
	for _, item := range items(o.at("prepare")) {
		if p := d.object(item, "prepare"); p != nil {
			w.Prepare = append(w.Prepare, &Prepare{
				Pos: pos(item), Step: p.text("step"), Argv: d.template(p.at("argv"), s), Show: d.template(p.at("show"), s),
				Undo: d.template(p.at("undo"), s), Env: d.template(p.at("env"), s),
			})
		}
	}
	for _, item := range items(o.at("files")) {
		if f := d.outFile(item, s); f != nil {
			w.Files = append(w.Files, f)
		}
	}
	return w
}

func (d *decoder) pin(n *yaml.Node) *Pin {
	o := d.object(n, "pin")
	if o == nil {
		return nil
	}
	p := &Pin{Program: o.text("program"), Tested: d.texts(o, "tested"), Range: o.text("range"), Strict: o.is("strict"), Argv: d.texts(o, "argv")}
	p.Within, _ = parseVersions(p.Range)
	return p
}

func (d *decoder) outFile(n *yaml.Node, s scope) *OutFile {
	o := d.object(n, "out file")
	if o == nil {
		return nil
	}
	f := &OutFile{Pos: pos(n), Name: o.text("name"), Rewrite: d.texts(o, "rewrite")}
	f.Lets, s = d.outLets(o.at("let"), s)
	f.Path = d.template(o.at("path"), s)
	d.exactlyOne(o, "frames", "document", "text")
	f.Frames = d.outSteps(o.at("frames"), s)
	f.Document = d.template(o.at("document"), s)
	f.Text = d.template(o.at("text"), s)
	return f
}

// outLets reads the names of a write construct.
func (d *decoder) outLets(n *yaml.Node, s scope) ([]*Let, scope) {
	if n == nil {
		return nil, s
	}
	st := &Step{}
	s = d.let(st, n, s)
	return st.Lets, s
}

func (d *decoder) outSteps(n *yaml.Node, s scope) []*OutStep {
	var list []*OutStep
	for _, item := range items(n) {
		if st := d.outStep(item, s); st != nil {
			list = append(list, st)
		}
	}
	return list
}

// outStep reads a step that writes. As in reading, `let` and `if` come before
// `each`: what they name is seen below it.
func (d *decoder) outStep(n *yaml.Node, s scope) *OutStep {
	o := d.object(n, "out step")
	if o == nil {
		return nil
	}
	st := &OutStep{Pos: pos(n)}
	st.Lets, s = d.outLets(o.at("let"), s)
	st.If = d.condition(o.at("if"), s)
	if all := o.at("all"); all != nil {
		if t := d.template(all, s); t != nil {
			st.All = t.Members
		}
	}
	st.Each = d.value(o.at("each"), s)
	st.Kind = d.value(o.at("kind"), s)
	st.Frame = d.template(o.at("frame"), s)
	st.Do = d.outSteps(o.at("do"), s)
	st.Ignored = set(d.texts(o, "ignored"))
	if rules := o.at("rules"); rules != nil {
		st.Table = map[string][]*OutStep{}
		for _, e := range d.entries(rules) {
			for _, kind := range split(e.key.Value) {
				if st.Table[kind] != nil || st.Ignored[kind] {
					d.errorf(diag.RepeatedName, e.key, "the kind %q stands here twice", kind)
				}
				st.Table[kind] = d.outSteps(e.value, s)
			}
		}
	}
	verbs := 0
	for _, name := range []string{"frame", "do", "kind"} {
		if o.at(name) != nil {
			verbs++
		}
	}
	if verbs != 1 {
		d.errorf(diag.Conflict, n, "a step that writes has exactly one of frame, do, and kind with rules")
	}
	return st
}

func (d *decoder) resume(n *yaml.Node) *Resume {
	if n == nil {
		return nil
	}
	o := d.object(n, "resume")
	if o == nil {
		return nil
	}
	s := scope{Static: writeStatic(), letKeys: make([]*yaml.Node, writeNames)}
	r := &Resume{Pos: pos(n)}
	r.Lets, s = d.outLets(o.at("let"), s)
	r.Cwd = d.template(o.at("cwd"), s)
	r.Env = d.template(o.at("env"), s)
	r.Home = d.template(o.at("home"), s)
	r.Argv = d.template(o.at("argv"), s)
	r.Prompt = d.template(o.at("prompt"), s)
	r.ACP = d.template(o.at("acp"), s)
	r.NeedsModel = d.condition(o.at("needs_model"), s)
	return r
}

// words collects the words of all scalars that are no keys.
func words(n *yaml.Node, into map[string]bool) {
	if n == nil {
		return
	}
	switch n = resolve(n); n.Kind {
	case yaml.ScalarNode:
		for _, w := range strings.FieldsFunc(n.Value, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			into[w] = true
		}
	case yaml.MappingNode:
		for i := 1; i < len(n.Content); i += 2 {
			words(n.Content[i], into)
		}
	default:
		for _, item := range n.Content {
			words(item, into)
		}
	}
}

func set(words []string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}

// isForm reports whether a map of a template is no object but a form.
func isForm(n *yaml.Node) bool {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if key := n.Content[i].Value; key == "give" || key == "rules" {
			return true
		}
	}
	return false
}
