package transcript

import (
	"encoding/json"
	"io"
)

// JSON writes a transcript as an indented JSON object.
func (t *Transcript) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(t)
}
