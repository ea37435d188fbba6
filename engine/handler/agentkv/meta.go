package agentkv

import (
	"strconv"

	"github.com/trajmap/trajmap/engine/value"
)

// secret is the member of the metadata that is a key for encryption.
const secret = "blobEncryptionKey"

// hasSecret is the member of the document that says whether there is one.
const hasSecret = "hasEncryptionKey"

// describe takes over the metadata. The document around the frames has its
// members, but instead of the key only that there is one; of a readout also what
// that says of the session.
func (s *store) describe(meta []byte, around value.Value) error {
	var doc value.Doc
	if doc.Parse(meta) != nil || doc.Root().Kind() != value.Object {
		return faultf("its metadata is no JSON object")
	}
	m := doc.Root()
	s.session = m.Get("agentId").Str()
	head := m.Get("latestRootBlobId")
	if !head.IsString() {
		return faultf("its metadata does not name the root of the conversation")
	}
	if text := head.Str(); text != "" {
		var ok bool
		if s.root, ok = parseID(text); !ok {
			return faultf("the root of the conversation has no id: it has %d characters", len(text))
		}
	}
	s.doc = append(s.doc, '{')
	for name, v := range m.Members() {
		if name.Is(secret) {
			s.member(hasSecret, []byte(strconv.FormatBool(!v.IsNull())))
		} else {
			s.member(name.String(), v.AppendJSON(nil))
		}
	}
	if whole, _ := around.Get("store").Bool(); whole { // it stands in for the store, see Export
		if has := around.Get(hasSecret); has.Exists() {
			s.member(hasSecret, has.AppendJSON(nil))
		}
	} else if around.Exists() {
		s.member("readout", readoutDoc(around))
	}
	s.doc = append(s.doc, '}')
	return nil
}

// withoutSecret is metadata without its key for encryption.
func withoutSecret(meta []byte) ([]byte, error) {
	var doc value.Doc
	if err := doc.Parse(meta); err != nil {
		return nil, faultf("its metadata is no JSON")
	}
	out := []byte{'{'}
	for name, v := range doc.Root().Members() {
		if name.Is(secret) {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(value.AppendEncoded(append(out, '"'), name.String()), `":`...)
		out = v.AppendJSON(out)
	}
	return append(out, '}'), nil
}

// readoutDoc is what a readout says besides the rows of the store.
func readoutDoc(around value.Value) []byte {
	b := []byte{'{'}
	for _, name := range []string{"format", "sessionId", "cwd", "userVersion"} {
		if v := around.Get(name); v.Exists() {
			if len(b) > 1 {
				b = append(b, ',')
			}
			b = append(append(b, `"`+name+`":`...), v.AppendJSON(nil)...)
		}
	}
	return append(b, '}')
}

func (s *store) member(name string, json []byte) {
	if len(s.doc) > 1 {
		s.doc = append(s.doc, ',')
	}
	s.doc = append(s.doc, '"')
	s.doc = append(value.AppendEncoded(s.doc, name), `":`...)
	s.doc = append(s.doc, json...)
}
