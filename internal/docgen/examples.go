package docgen

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// example is a part of a shipped mapping that shows a construct.
type example struct {
	name, title string // of the mapping
	text        string
	keys        int
}

// examples finds, for each construct, the part of a shipped mapping that shows
// most of it in few lines.
type examples struct{ best map[string]*example }

// most is how many lines an example may have.
const most = 14

// keyOf are the keys of mappings below which a construct stands. Those whose
// construct has another name, or several places, are given here.
var keyOf = map[string]string{
	"frames": "frames", "event": "event", "tool_call": "tool call", "tool_result": "tool result", "message": "message",
	"tree": "tree", "pointer": "pointer", "repair": "repair", "edits": "edit", "reset": "reset", "join": "join",
}

func newExamples(pages []*page) *examples {
	x := &examples{best: map[string]*example{}}
	for _, p := range pages {
		for _, n := range p.src.nodes {
			x.find(p, n)
		}
	}
	return x
}

func (x *examples) of(construct string) *example { return x.best[construct] }

func (x *examples) find(p *page, n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		construct, ok := keyOf[key.Value]
		if !ok || value.Kind != yaml.MappingNode && construct != "edit" || value.Kind == yaml.ScalarNode {
			continue
		}
		// A map of native fields may have such a key, too.
		if construct == "message" && field(value, "role") == nil || construct == "event" && field(value, "kinds") != nil {
			continue
		}
		next := endOf(value)
		if i+2 < len(n.Content) && n.Content[i+2].Line > key.Line {
			next = min(next, n.Content[i+2].Line-1)
		}
		lines := next - key.Line + 1
		if lines < 2 || lines > most {
			continue
		}
		e := &example{p.name, p.title(), dedent(p.src.lines[key.Line-1 : next]), size(value)}
		old := x.best[construct]
		if old == nil || e.keys > old.keys || e.keys == old.keys && (e.name < old.name || e.name == old.name && e.text < old.text) {
			x.best[construct] = e
		}
	}
}

// field is a map's value of a key.
func field(n *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// endOf is the last line of a node.
func endOf(n *yaml.Node) int {
	end := n.Line
	if n.Kind == yaml.ScalarNode && n.Style&yaml.LiteralStyle != 0 {
		end += strings.Count(strings.TrimRight(n.Value, "\n"), "\n") + 1
	}
	for _, c := range n.Content {
		if c.Kind != yaml.AliasNode {
			end = max(end, endOf(c))
		}
	}
	return end
}

// size is the number of different keys below a node.
func size(n *yaml.Node) int {
	seen := map[string]bool{}
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		for i, c := range n.Content {
			if n.Kind == yaml.MappingNode && i%2 == 0 {
				seen[c.Value] = true
				continue
			}
			walk(c)
		}
	}
	walk(n)
	return len(seen)
}

// dedent takes the white space off that all lines begin with, and puts the key
// of a list's item where a map's would be.
func dedent(lines []string) string {
	lines = append([]string{}, lines...)
	if rest, ok := strings.CutPrefix(strings.TrimLeft(lines[0], " "), "- "); ok {
		lines[0] = strings.Repeat(" ", len(lines[0])-len(rest)) + rest
	}
	indent := len(lines[0])
	for _, l := range lines {
		if strings.TrimSpace(l) != "" {
			indent = min(indent, len(l)-len(strings.TrimLeft(l, " ")))
		}
	}
	for i, l := range lines {
		lines[i] = l[min(indent, len(l)):]
	}
	return strings.Join(lines, "\n")
}
