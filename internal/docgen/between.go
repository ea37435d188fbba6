package docgen

import (
	"bytes"
	"fmt"
	"slices"
)

// between replaces what stands between two markers in a Markdown file:
// <!-- NAME --> and <!-- /NAME -->.
func between(text []byte, name string, part []byte) ([]byte, error) {
	begin, end := []byte("<!-- "+name+" -->\n"), []byte("<!-- /"+name+" -->\n")
	i, j := bytes.Index(text, begin), bytes.Index(text, end)
	if i < 0 || j < i {
		return nil, fmt.Errorf("the markers %s and %s are not there, each on a line of its own", bytes.TrimSpace(begin), bytes.TrimSpace(end))
	}
	return slices.Concat(text[:i+len(begin)], part, text[j:]), nil
}
