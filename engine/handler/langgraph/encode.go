package langgraph

import (
	"errors"
	"strings"

	"github.com/trajmap/trajmap/engine/value"
)

// Old stores hold JSON in place of msgpack, with objects as LangChain's
// serializer writes them. They are made msgpack, so that there is one way on.

var errNoJSON = errors.New("it is no JSON")

// fromJSON makes msgpack of JSON.
func fromJSON(text []byte) ([]byte, error) {
	var doc value.Doc
	if doc.Parse(text) != nil {
		return nil, errNoJSON
	}
	return packer{described: true}.value(nil, doc.Root()), nil
}

// description is an object of Python's as LangChain describes it in JSON:
// {lc, id: [module…, class], kwargs}.
type description struct {
	module, name string
	fields       value.Value
}

func described(v value.Value) (d description, ok bool) {
	id := v.Get("id")
	d.fields = v.Get("kwargs")
	if !v.Get("lc").Exists() || id.Kind() != value.Array || d.fields.Kind() != value.Object {
		return d, false
	}
	var parts []string
	for part := range id.Items() {
		parts = append(parts, part.Str())
	}
	last := max(0, len(parts)-1)
	d.module, d.name = strings.Join(parts[:last], "."), strings.Join(parts[last:], "")
	return d, true
}

// object writes a description as what it describes.
func (p packer) object(dst []byte, d description) []byte {
	payload := packStr(packStr(packArray(nil, 4), d.module), d.name)
	payload = packNil(p.members(payload, d.fields))
	return packExt(dst, modelV2, payload)
}
