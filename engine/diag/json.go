package diag

import (
	"encoding/json"
	"io"
)

// record is a finding in JSON.
type record struct {
	Code     string `json:"code"`
	Severity string `json:"severity"`
	File     string `json:"file"`
	Line     int    `json:"line,omitempty"`
	Column   int    `json:"column,omitempty"`
	Length   int    `json:"length,omitempty"`
	Message  string `json:"message"`
	Hint     string `json:"hint,omitempty"`
	Excerpt  string `json:"excerpt,omitempty"`
}

// writeJSON prints an array, empty when nothing was found.
func writeJSON(w io.Writer, list List) error {
	out := make([]record, len(list))
	for i, f := range list {
		out[i] = record{f.Code, f.Severity.String(), f.File, f.Line, f.Col, f.Len, f.Message, f.Hint, f.Excerpt}
	}
	return encode(w, out)
}

func encode(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
