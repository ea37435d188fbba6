package engine

import (
	"bytes"

	"go.yaml.in/yaml/v3"
)

// aliases are the further names that a mapping gives itself. Only that key is
// looked at: a name is looked up far more often than its mapping is wanted.
func (e *Entry) aliases() []string {
	data, err := e.data()
	if err != nil {
		return nil
	}
	var head struct{ Aliases []string }
	if yaml.Unmarshal(topLevel(data, "aliases"), &head) != nil {
		return nil
	}
	return head.Aliases
}

// topLevel cuts one key of a block mapping at the top of a YAML file, up to the
// next.
func topLevel(data []byte, key string) []byte {
	var out []byte
	in := false
	for line := range bytes.Lines(data) {
		if c := line[0]; c != ' ' && c != '#' && c != '-' && c != '\n' && c != '\r' {
			in = bytes.HasPrefix(line, []byte(key+":"))
		}
		if in {
			out = append(out, line...)
		}
	}
	return out
}
