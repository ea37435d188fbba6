package mapping

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/diag"
	"github.com/trajmap/trajmap/engine/shape"
	"github.com/trajmap/trajmap/engine/trajectory"
)

// Ignores reports whether a kind is one of Ignored.
func (b *Block) Ignores(kind []byte) bool {
	for _, i := range b.Ignored {
		if i.Prefix && bytes.HasPrefix(kind, []byte(i.Kind)) || !i.Prefix && string(kind) == i.Kind {
			return true
		}
	}
	return false
}

// block reads the keys of a block from what they stand in; nil when there are
// none, or when they contradict each other.
func (d *decoder) block(o *object, s scope) *Block {
	kind, do, use := o.keyAt("kind"), o.keyAt("do"), o.keyAt("use")
	for _, name := range []string{"rules", "ignored", "unmapped"} {
		k := o.keyAt(name)
		if k == nil {
			continue
		}
		if use != nil || do != nil || kind == nil && o.anyFaulty("kind") {
			kind = k
		} else if kind == nil {
			d.errorf(diag.MissingKey, k, "%s needs the key \"kind\": %s", name, o.key("kind").doc)
			return nil
		}
	}
	var forms []*yaml.Node
	for _, k := range []*yaml.Node{kind, do, use} {
		if k != nil {
			forms = append(forms, k)
		}
	}
	switch {
	case len(forms) == 0:
		return nil
	case len(forms) > 1:
		last := forms[0]
		for _, k := range forms[1:] {
			if k.Line > last.Line || k.Line == last.Line && k.Column > last.Column {
				last = k
			}
		}
		d.errorf(diag.Conflict, last, "a block has kind with rules, or do, or use; this one has several").Hint =
			"put one below the other, in a step with do"
		return nil
	}
	if use != nil {
		return d.use(o, s)
	}
	b := &Block{Pos: pos(o.node), Before: d.steps(o.at("before"), s)}
	if do != nil {
		b.Do = d.steps(o.at("do"), s)
		return b
	}
	d.kindsOf(b, o, s)
	return b
}

// kindsOf reads kind, rules, ignored and unmapped.
func (d *decoder) kindsOf(b *Block, o *object, s scope) {
	n := o.at("kind")
	b.Kind = d.value(n, s)
	path, _ := plainPath(n)
	sw := s.discriminator(path)
	b.Table = map[string]*Rule{}
	seen := map[string]bool{}
	if rules := o.at("rules"); rules != nil {
		for _, e := range d.entries(rules) {
			b.Rules = append(b.Rules, d.rule(b, e, s, path, sw, seen))
		}
	}
	d.ignored(b, o.at("ignored"), sw, seen)
	if b.Unmapped = o.text("unmapped"); b.Unmapped == "" {
		b.Unmapped = trajectory.UnmappedFrame
	}
	if sw != nil {
		d.handle(sw, b, n)
	}
}

// rule reads an entry of `rules`.
func (d *decoder) rule(b *Block, e entry, s scope, kind string, sw *shape.Switch, seen map[string]bool) *Rule {
	r := &Rule{Pos: pos(e.key), Doc: comment(e.key)}
	for name := range strings.SplitSeq(e.key.Value, ",") {
		name = strings.TrimSpace(name)
		switch {
		case seen[name]:
			d.errorf(diag.RepeatedName, e.key, "kind %q has a rule already", name)
			continue
		case strings.Contains(name, "*") || name == "" && e.key.Value != "":
			d.errorf(diag.BadValue, e.key, "a rule is for whole kinds, separated by commas")
			continue
		}
		seen[name] = true
		b.Table[name] = r
		r.Kinds = append(r.Kinds, name)
		d.knownKind(e.key, name, sw)
	}
	below := d.kinds(s, kind, r.Kinds)
	r.Steps = d.steps(e.value, below)
	if e.value.Kind == yaml.MappingNode && len(r.Steps) == 1 {
		r.Versions = r.Steps[0].Versions
	}
	return r
}

// knownKind reports a kind that the native schema lacks.
func (d *decoder) knownKind(n *yaml.Node, kind string, sw *shape.Switch) {
	if sw == nil || kind == "" {
		return
	}
	report := func() {
		p := whole(n)
		if i := strings.Index(n.Value, kind); i >= 0 {
			p = within(d.report, n, i, len(kind))
		}
		f := d.report.Errorf(diag.UnknownKind, p.line, p.col, p.length, "the native schema has no kind %q", kind)
		if near := diag.Nearest(kind, sw.Names); near != "" {
			f.Hint = "did you mean " + near + "?"
		} else {
			f.Hint = "declare its fields under native"
		}
	}
	switch {
	case d.trial != nil:
		d.trial.note(subject{n, kind}, sw.Declared(kind), report)
	case !sw.Declared(kind):
		report()
	}
}

// ignored reads the kinds that are ignored, which thereby are known to drift.
func (d *decoder) ignored(b *Block, n *yaml.Node, sw *shape.Switch, seen map[string]bool) {
	for _, item := range items(n) {
		if !d.accept(text(aKind), item, "ignored") {
			continue
		}
		i := &Ignored{Pos: pos(item), Kind: item.Value}
		if prefix, is := strings.CutSuffix(item.Value, "*"); is {
			i.Kind, i.Prefix = prefix, true
		}
		switch {
		case seen[item.Value]:
			d.errorf(diag.RepeatedName, item, "kind %q has a rule already, or is ignored twice", item.Value)
		case i.Prefix && (i.Kind == "" || !strings.HasSuffix(i.Kind, ".")) || strings.Contains(i.Kind, "*"):
			d.errorf(diag.BadValue, item, "a pattern of kinds is a prefix that ends with a dot, and *, such as tool.*")
		}
		seen[item.Value] = true
		b.Ignored = append(b.Ignored, i)
		if sw != nil {
			sw.Ignore(i.Kind, i.Prefix)
		}
	}
}

// comment is the comment above a key.
func comment(n *yaml.Node) string {
	lines := strings.Split(n.HeadComment, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSpace(strings.TrimLeft(l, "#"))
	}
	return strings.TrimSpace(strings.Join(lines, " "))
}
