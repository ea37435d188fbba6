package mapping

import (
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/diag"
	"github.com/trajmap/trajmap/engine/shape"
	"github.com/trajmap/trajmap/engine/trajectory"
)

// modeline is what tells editors the schema of a mapping.
const modeline = "# yaml-language-server: $schema="

// lint warns of what does no harm and no good.
func (d *decoder) lint(o *object) {
	if !d.hasModeline() {
		d.report.Warnf(diag.NoModeline, 1, 1, 1, "editors are not told the schema of this file").Hint =
			"begin it with " + modeline + "… and the schema's address"
	}
	if d.report.Found.Err() != nil {
		return // what is faulty may be what would use a name
	}
	for _, b := range d.order {
		if len(b.sites) == 0 {
			d.warnf(diag.UnusedBlock, b.key, "no place uses block %q", b.Name)
		}
	}
	for _, name := range d.outOrder {
		if b := d.outBlock[name]; !b.used {
			d.warnf(diag.UnusedBlock, b.key, "no place uses block %q", name)
		}
	}
	d.openKinds()
	d.unreadFacts(o.at("session"))
	for _, f := range items(o.at("read")) {
		if f.Kind == yaml.MappingNode {
			for _, e := range d.pairs(f) {
				if e.key.Value == "session" {
					d.unreadFacts(e.value)
				}
			}
		}
	}
	for key := range d.letKeys {
		if !d.reads.lets[key] {
			d.warnf(diag.UnreadLet, key, "no expression reads %q", key.Value)
		}
	}
}

func (d *decoder) hasModeline() bool {
	for line := range d.report.Lines() {
		text := strings.TrimSpace(d.report.Line(line + 1))
		if strings.HasPrefix(text, modeline) {
			return true
		}
		if text != "" && !strings.HasPrefix(text, "#") {
			break
		}
	}
	return false
}

func (d *decoder) unreadFacts(n *yaml.Node) {
	if n == nil || n.Kind != yaml.MappingNode {
		return
	}
	for _, e := range d.pairs(n) {
		name := e.key.Value
		if !d.reads.facts[name] && !slices.Contains(contextFacts, name) {
			f := d.warnf(diag.UnreadFact, e.key, "no expression reads session.%s", name)
			if near := diag.Nearest(name, contextFacts); near != "" {
				f.Hint = "did you mean " + near + "?"
			}
		}
	}
}

// pairs are the keys of a map and their values, without findings: the map has
// been read before.
func (d *decoder) pairs(n *yaml.Node) []entry {
	var list []entry
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Kind == yaml.ScalarNode {
			list = append(list, entry{n.Content[i], resolve(n.Content[i+1])})
		}
	}
	return list
}

// handled are the kinds of a native discriminator that some block has a rule
// for, or ignores.
type handled struct {
	kind   *yaml.Node // of the first such block
	blocks []*Block
}

// handle notes a block that decides by a discriminator.
func (d *decoder) handle(sw *shape.Switch, b *Block, kind *yaml.Node) {
	h := d.handled[sw]
	if h == nil {
		h = &handled{kind: kind}
		d.handled[sw] = h
	}
	h.blocks = append(h.blocks, b)
}

// openKinds warns of native kinds that no block handles: their frames would be
// unmapped.
func (d *decoder) openKinds() {
	for sw, h := range d.handled {
		var open []string
		for _, k := range sw.Names {
			// Frames without a kind are what they are by other fields: `before` sees
			// to them.
			if k != "" && !slices.ContainsFunc(h.blocks, func(b *Block) bool { return b.handles(k) }) {
				open = append(open, strconv.Quote(k))
			}
		}
		if len(open) > 0 {
			d.warnf(diag.OpenKind, h.kind, "no rule handles %s of the native schema", strings.Join(open, ", ")).Hint =
				"add a rule, or ignore it"
		}
	}
}

// handles reports whether frames of a kind are not unmapped, or are so on
// purpose.
func (b *Block) handles(kind string) bool {
	return b.Table[kind] != nil || b.Ignores([]byte(kind)) || b.Unmapped != trajectory.UnmappedFrame
}
