// Package beside reads the small files that stand beside sessions: notes,
// settings, indexes. Whatever they hold becomes a JSON value.
package beside

import (
	"bytes"
	"os"
	"path/filepath"

	"github.com/trajmap/trajmap/engine/value"
)

// most bounds a file, in bytes.
const most = 64 << 20

// Load reads a file by what its name ends in: .json is JSON, .jsonl the list of
// its lines, .yaml and .yml as if it were JSON; any other file is a string, its
// text without the line's end. The value is absent when there is no such file, it
// is not regular, or is not what its name says.
func Load(path string) value.Value {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > most {
		return value.Value{}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return value.Value{}
	}
	data = bytes.ToValidUTF8(bytes.TrimPrefix(data, []byte("\ufeff")), []byte("\ufffd"))
	switch filepath.Ext(path) {
	case ".json":
	case ".jsonl":
		data = listOf(data)
	case ".yaml", ".yml":
		data = jsonOf(data)
	default:
		data = append(value.AppendEncoded([]byte{'"'}, bytes.TrimRight(data, "\r\n")), '"')
	}
	var doc value.Doc
	if doc.Parse(data) != nil {
		return value.Value{}
	}
	return doc.Root()
}

// listOf makes a JSON list of lines. What is not JSON is left out, such as a
// last line that is still being written.
func listOf(lines []byte) []byte {
	list := []byte{'['}
	var doc value.Doc
	for line := range bytes.Lines(lines) {
		if doc.Parse(line) == nil {
			list = append(append(list, line...), ',')
		}
	}
	return append(bytes.TrimSuffix(list, []byte{','}), ']')
}

// Index makes an object of a list: its items by one of their members. Of items
// with the same a later one counts. Items without it are left out.
func Index(list value.Value, member string) value.Value {
	items := map[string]value.Value{}
	var order []string
	for item := range list.Items() {
		key := item.Get(member)
		if !key.IsString() {
			continue
		}
		k := key.Str()
		if _, known := items[k]; !known {
			order = append(order, k)
		}
		items[k] = item
	}
	object := []byte{'{'}
	for _, k := range order {
		object = append(value.AppendEncoded(append(object, '"'), k), '"', ':')
		object = append(append(object, items[k].Raw()...), ',')
	}
	var doc value.Doc
	if doc.Parse(append(bytes.TrimSuffix(object, []byte{','}), '}')) != nil {
		return value.Value{}
	}
	return doc.Root()
}
