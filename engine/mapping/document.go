package mapping

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/diag"
)

// document parses a mapping's YAML; nil after a fault, which is reported.
func document(report *diag.Reporter, data []byte) *yaml.Node {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	root, err := next(decoder)
	if err == nil {
		if bounds(report, root) {
			_, err = next(decoder)
			if err == nil {
				report.Errorf(diag.YAMLSyntax, 0, 0, 0, "the file holds more than one YAML document")
				return nil
			}
		}
	}
	switch {
	case root != nil && errors.Is(err, io.EOF):
		return resolve(root.Content[0])
	case errors.Is(err, io.EOF):
		report.Errorf(diag.YAMLSyntax, 0, 0, 0, "the file is empty")
	case err != nil:
		syntaxError(report, err)
	}
	return nil
}

// next is the next document. The YAML parser tells of some faults of its own by
// panicking; they are faults of the file all the same.
func next(d *yaml.Decoder) (root *yaml.Node, err error) {
	defer func() {
		if p := recover(); p != nil {
			root, err = nil, fmt.Errorf("yaml: %v", p)
		}
	}()
	root = new(yaml.Node)
	if err := d.Decode(root); err != nil {
		return nil, err
	}
	if root.Kind != yaml.DocumentNode || len(root.Content) == 0 {
		return nil, io.EOF
	}
	return root, nil
}

// maxNodes bounds a mapping after its aliases have been followed, and maxDepth
// its nesting. The largest mapping shipped has some thousand nodes.
const (
	maxNodes = 200_000
	maxDepth = 500
)

// bounds reports aliases that contain themselves or blow the file up: all later
// work may follow them without looking back.
func bounds(report *diag.Reporter, root *yaml.Node) bool {
	sizes := map[*yaml.Node]int{}
	var walk func(n *yaml.Node, depth int) (int, bool)
	walk = func(n *yaml.Node, depth int) (int, bool) {
		if size, seen := sizes[n]; seen {
			if size == 0 {
				report.Errorf(diag.YAMLAlias, n.Line, n.Column, 0, "the anchor %q contains itself", n.Anchor)
				return 0, false
			}
			return size, true
		}
		if depth > maxDepth {
			report.Errorf(diag.YAMLSyntax, n.Line, n.Column, 0, "nested more than %d levels deep", maxDepth)
			return 0, false
		}
		if n.Anchor != "" {
			sizes[n] = 0
		}
		size := 1
		below := n.Content
		if n.Kind == yaml.AliasNode {
			below = []*yaml.Node{n.Alias}
		}
		for _, c := range below {
			s, ok := walk(c, depth+1)
			if !ok {
				return 0, false
			}
			if size += s; size > maxNodes {
				report.Errorf(diag.YAMLAlias, n.Line, n.Column, 0, "the file is too large once its aliases are followed")
				return 0, false
			}
		}
		if n.Anchor != "" {
			sizes[n] = size
		}
		return size, true
	}
	_, ok := walk(root, 0)
	return ok
}

// resolve follows an alias.
func resolve(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

var errorLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// syntaxError reports what the YAML parser said, with a hint for the traps that
// expressions run into.
func syntaxError(report *diag.Reporter, err error) {
	text := err.Error()
	line := 1
	if m := errorLine.FindStringSubmatch(text); m != nil {
		if m[1] != "" {
			line, _ = strconv.Atoi(m[1])
		}
		text = text[len(m[0]):]
		// The parser, unlike its scanner, counts lines from 0, and not where the
		// fault is but where the list or map around it begins.
		if strings.HasPrefix(text, "did not find expected") && !strings.Contains(text, "character") && !strings.Contains(text, "whitespace") {
			if m[1] != "" {
				line++
			}
		}
	}
	line = min(line, report.Lines())
	at := place{line, column(report.Line(line)), 0}
	hint := ""
	if t := findTrap(report, line); t != nil {
		at, hint = t.place, t.hint
	}
	f := report.Errorf(diag.YAMLSyntax, at.line, at.col, at.length, "not valid YAML: %s", text)
	f.Hint = hint
}

// column is where a line's text begins.
func column(line string) int {
	return len(line) - len(strings.TrimLeft(line, " ")) + 1
}
