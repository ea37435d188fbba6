package mapping

import (
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/diag"
)

// outKinds reads `kind`, `rules` and `ignored` of a step or a form that writes.
// What can be known of the kinds beforehand, because they are roles or constant
// texts, must be covered: a kind of which nothing is said fails a conversion.
func (d *decoder) outKinds(o *object, s scope, rule func(kinds []string, n *yaml.Node, s scope)) (kind *Value, ignored map[string]bool) {
	n, rules := o.at("kind"), o.at("rules")
	for _, name := range []string{"rules", "ignored"} {
		if k := o.keyAt(name); k != nil && n == nil && !o.anyFaulty("kind") {
			d.errorf(diag.MissingKey, k, "%s needs the key \"kind\": %s", name, o.key("kind").doc)
			return nil, nil
		}
	}
	if n == nil {
		return nil, nil
	}
	if rules == nil && !o.anyFaulty("rules") {
		d.errorf(diag.MissingKey, o.keyAt("kind"), "kind needs the key \"rules\": %s", o.key("rules").doc)
	}
	kind = d.value(n, s)
	path, _ := plainPath(n)
	sw := s.discriminator(path)
	var all []string
	switch {
	case sw != nil:
		all = sw.Names
	case kind != nil && kind.Prog != nil:
		all = kind.Prog.Texts
	}
	said := map[string]bool{}
	say := func(at *yaml.Node, kind string) {
		switch {
		case said[kind]:
			d.errorf(diag.RepeatedName, at, "the kind %q stands here twice", kind)
		case all != nil && !slices.Contains(all, kind):
			f := d.errorf(diag.UnknownKind, at, "there is no kind %q", kind)
			if near := diag.Nearest(kind, all); near != "" {
				f.Hint = "did you mean " + near + "?"
			} else {
				f.Hint = "known: " + strings.Join(all, ", ")
			}
		}
		said[kind] = true
	}
	if rules != nil {
		for _, e := range d.entries(rules) {
			kinds := split(e.key.Value)
			for _, k := range kinds {
				say(e.key, k)
			}
			below := s
			if sw != nil {
				below = d.kinds(s, path, kinds)
				below.out.role = ""
				if len(kinds) == 1 {
					below.out.role = kinds[0]
				}
			}
			rule(kinds, e.value, below)
		}
	}
	ignored = map[string]bool{}
	for _, item := range items(o.at("ignored")) {
		if d.accept(text(aKind), item, "ignored") {
			say(item, item.Value)
			ignored[item.Value] = true
		}
	}
	var open []string
	for _, k := range all {
		if !said[k] && !slices.Contains(open, strconv.Quote(k)) {
			open = append(open, strconv.Quote(k))
		}
	}
	if len(open) > 0 && rules != nil && !o.anyFaulty("ignored") {
		d.errorf(diag.UnsaidKind, n, "nothing is said of %s: a session that has it could not be written", inWords(open)).Hint =
			"add a rule, or ignore it"
	}
	return kind, ignored
}

// split gives the kinds of a key that lists several.
func split(key string) []string {
	kinds := strings.Split(key, ",")
	for i := range kinds {
		kinds[i] = strings.TrimSpace(kinds[i])
	}
	return kinds
}
