package mapping

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/diag"
	"github.com/trajmap/trajmap/engine/trajectory"
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
	w := &Write{Pos: pos(n), Gate: map[string]string{}, Words: map[string]bool{}}
	w.ID = d.value(o.at("id"), d.outScope(unnamed, SessionName))
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
	w.Options = d.outOptions(o.at("options"))
	if gate := o.at("gate"); gate != nil {
		d.gate(gate, w.Gate)
	}
	if n := o.at("pin"); n != nil {
		w.Pin = d.pin(n)
	}
	w.Inside = o.text("inside")
	w.Unverified = o.text("continuation") == "unverified"
	w.Doubles, w.RealCwd, w.Also = o.is("doubles"), o.is("real_cwd"), d.texts(o, "also")
	s := d.outScope("session", SessionName, OptionsName, PlaceName)
	w.Lets, s = d.outLets(o.at("let"), s)
	d.outBlocks(o.at("blocks"))
	silent := s.hide(PlaceName)
	silent.out.silent = true
	w.Before = d.outSteps(o.at("before"), silent)
	lets := pathLets(nil).with(o.at("let"), w.Lets)
	for _, item := range items(o.at("files")) {
		if f := d.outFile(item, s, w.Files, lets); f != nil {
			w.Files = append(w.Files, f)
		}
	}
	for _, item := range items(o.at("prepare")) {
		if p := d.prepare(item, s, w, lets); p != nil {
			w.Prepare = append(w.Prepare, p)
		}
	}
	return w
}

// gate reads the verdicts on hazards.
func (d *decoder) gate(n *yaml.Node, gate map[string]string) {
	verdict := constructs["write"].key("gate").form
	for _, e := range d.entries(n) {
		if !d.name(verdict.match, e.key) || !d.accept(verdict.of, e.value, e.key.Value) {
			continue
		}
		gate[e.key.Value] = e.value.Value
		d.knownHazard(e.key)
	}
}

// knownHazard warns of a code that is almost one of the known ones.
func (d *decoder) knownHazard(n *yaml.Node) {
	if near := diag.Nearest(n.Value, trajectory.Hazards); near != "" && !slices.Contains(trajectory.Hazards, n.Value) {
		d.warnf(diag.BadValue, n, "%q is no hazard that is known", n.Value).Hint = "did you mean " + near + "?"
	}
}

func (d *decoder) pin(n *yaml.Node) *Pin {
	o := d.object(n, "pin")
	if o == nil {
		return nil
	}
	p := &Pin{Program: o.text("program"), Tested: d.texts(o, "tested"), Range: o.text("range"), Strict: o.is("strict"), Argv: d.texts(o, "argv")}
	p.Within, _ = parseVersions(p.Range)
	switch argv := o.keyAt("argv"); {
	case p.Strict && argv == nil:
		d.errorf(diag.MissingKey, o.node, "a strict pin needs the key \"argv\": %s", o.key("argv").doc).Len = 1
	case p.Strict && len(p.Tested) == 0 && p.Range == "":
		d.errorf(diag.MissingKey, o.node, "a strict pin without tested versions or a range refuses every program").Len = 1
	case !p.Strict && argv != nil:
		d.errorf(diag.Conflict, argv, "the version is only asked for where strict is")
	}
	return p
}

// outFile reads a file, which comes after others. lets are those of `write`, for
// its path.
func (d *decoder) outFile(n *yaml.Node, s scope, before []*OutFile, lets pathLets) *OutFile {
	o := d.object(n, "out file")
	if o == nil {
		return nil
	}
	f := &OutFile{Pos: pos(n), Name: o.text("name"), Rewrite: d.texts(o, "rewrite"), Kept: o.text("kept")}
	if f.Name != "" && slices.ContainsFunc(before, func(g *OutFile) bool { return g.Name == f.Name }) {
		d.errorf(diag.RepeatedName, o.at("name"), "there is a file of the name %q already", f.Name)
	}
	s = s.after(before)
	f.Lets, s = d.outLets(o.at("let"), s)
	lets = lets.with(o.at("let"), f.Lets)
	f.Path = d.placedPath(o, s, lets)
	d.exactlyOne(o, "frames", "document", "text", "script")
	s = s.hide(PlaceName)
	f.Frames = d.outSteps(o.at("frames"), s.see(PrevName, CountName).json())
	f.Document = d.template(o.at("document"), s.json())
	f.Text = d.templateOf(wordTemplate, o, "text", s)
	f.Script, f.Encode = d.script(o), o.text("encode")
	if key := o.keyAt("encode"); key != nil && (o.keyAt("text") != nil || f.Script != "") {
		d.errorf(diag.Conflict, key, "only frames or a document can be encoded")
	}
	d.rewrite(o, f)
	if strings.ContainsAny(f.Kept, `/\\`) || strings.HasPrefix(f.Kept, "..") {
		d.errorf(diag.Conflict, o.at("kept"), "%q is no name of a file in the same folder", f.Kept)
	}
	return f
}

// rewrite checks the places in a document that are rewritten when it is
// installed.
func (d *decoder) rewrite(o *object, f *OutFile) {
	key := o.keyAt("rewrite")
	switch {
	case key == nil:
		return
	case f.Document == nil || f.Encode != "":
		if o.at("document") == nil || f.Encode != "" {
			d.errorf(diag.Conflict, key, "only a document can be rewritten")
		}
		return
	}
	for _, n := range items(o.at("rewrite")) {
		t := f.Document
		for name := range strings.SplitSeq(n.Value, ".") {
			if t = t.member(name); t == nil {
				d.errorf(diag.UnknownField, n, "the document has no %q", n.Value)
				break
			}
			if !t.Object {
				break
			}
		}
	}
}

// member is the template of a member; nil when there is none.
func (t *Template) member(name string) *Template {
	for _, m := range t.Members {
		if m.Name == name {
			return m.Template
		}
	}
	return nil
}

// resume reads `resume`, which stands beside `write`.
func (d *decoder) resume(top *object) *Resume {
	n := top.at("resume")
	if n == nil {
		return nil
	}
	o := d.object(n, "resume")
	if o == nil {
		return nil
	}
	if d.m.Write == nil {
		if !top.anyFaulty("write") {
			d.errorf(diag.MissingKey, top.keyAt("resume"), "resume needs the key \"write\": %s", top.key("write").doc)
		}
		return nil
	}
	s := d.outScope("session", SessionName, OptionsName, RootName).after(d.m.Write.Files)
	r := &Resume{Pos: pos(n)}
	r.Lets, s = d.outLets(o.at("let"), s)
	r.Cwd = d.templateOf(wordTemplate, o, "cwd", s)
	r.Env = d.templateOf(objectTemplate, o, "env", s)
	r.Home = d.templateOf(objectTemplate, o, "home", s)
	r.Argv = d.templateOf(listTemplate, o, "argv", s)
	r.Prompt = d.templateOf(listTemplate, o, "prompt", s.see(PromptName))
	r.ACP = d.templateOf(listTemplate, o, "acp", s)
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
