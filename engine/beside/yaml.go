package beside

import (
	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/value"
)

// jsonOf makes JSON of a YAML document; nothing of what is none. Scalars are
// numbers, true and false only where JSON writes them so: times and the like are
// strings.
func jsonOf(text []byte) (data []byte) {
	defer func() {
		if recover() != nil { // the parser tells of some faults so
			data = nil
		}
	}()
	var n yaml.Node
	if yaml.Unmarshal(text, &n) != nil || len(n.Content) == 0 {
		return nil
	}
	return appendNode(nil, n.Content[0])
}

func appendNode(dst []byte, n *yaml.Node) []byte {
	switch n.Kind {
	case yaml.MappingNode:
		dst = append(dst, '{')
		for i := 0; i+1 < len(n.Content); i += 2 {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(value.AppendEncoded(append(dst, '"'), n.Content[i].Value), '"', ':')
			dst = appendNode(dst, n.Content[i+1])
		}
		return append(dst, '}')
	case yaml.SequenceNode:
		dst = append(dst, '[')
		for i, item := range n.Content {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendNode(dst, item)
		}
		return append(dst, ']')
	case yaml.ScalarNode:
		switch n.Tag {
		case "!!null":
			return append(dst, "null"...)
		case "!!bool", "!!int", "!!float":
			var doc value.Doc
			if doc.Parse([]byte(n.Value)) == nil {
				return append(dst, n.Value...)
			}
		}
		return append(value.AppendEncoded(append(dst, '"'), n.Value), '"')
	}
	// An alias. Notes that programs write for themselves have none, and a file
	// could make itself endless with them.
	return append(dst, "null"...)
}
