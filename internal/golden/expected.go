package golden

import (
	"bytes"
	"encoding/json"

	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/read"
)

// session is one session as an expected file shows it: a line for each record,
// diagnostic, hazard and entry of the ledger, so that a difference is a line.
type session struct {
	name      string // of its file, where a case has several
	canonical bool
	view      *normalize.Canonical
	records   [][]byte
	result    *read.Result
	failed    string // code of the error that ended the read
}

// begin takes the records of a read.
func (s *session) begin(p *normalize.Plan) (normalize.Sink, error) {
	if !s.canonical {
		return s, nil
	}
	var err error
	s.view, err = p.Canonical()
	return s, err
}

// Record keeps a record as it would be written.
func (s *session) Record(r *normalize.Record) error {
	if s.view != nil {
		s.records = append(s.records, s.view.Append(nil, r))
	} else {
		s.records = append(s.records, r.AppendV1(nil))
	}
	return nil
}

// appendTo appends the session as a JSON object.
func (s *session) appendTo(b *bytes.Buffer) error {
	b.WriteString("{")
	if s.name != "" {
		if err := member(b, "input", s.name); err != nil {
			return err
		}
	}
	if s.failed != "" {
		if err := member(b, "error", s.failed); err != nil {
			return err
		}
	}
	list(b, "records", s.records)
	if s.result != nil {
		for _, part := range []struct {
			name string
			rows func() ([][]byte, error)
		}{
			{"diagnostics", func() ([][]byte, error) { return rows(s.result.Diagnostics) }},
			{"hazards", func() ([][]byte, error) { return rows(s.result.Hazards) }},
			{"report", func() ([][]byte, error) { return rows(s.result.Ledger.Entries) }},
		} {
			lines, err := part.rows()
			if err != nil {
				return err
			}
			b.WriteString(",\n")
			list(b, part.name, lines)
		}
	}
	b.WriteString("}")
	return nil
}

func member(b *bytes.Buffer, name, value string) error {
	text, err := encode(value)
	if err != nil {
		return err
	}
	b.WriteString(`"` + name + `":`)
	b.Write(text)
	b.WriteString(",\n")
	return nil
}

func list(b *bytes.Buffer, name string, lines [][]byte) {
	b.WriteString(`"` + name + `":[`)
	for i, line := range lines {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n  ")
		b.Write(line)
	}
	if len(lines) > 0 {
		b.WriteByte('\n')
	}
	b.WriteByte(']')
}

// rows are the items of a list, each as JSON.
func rows[T any](items []T) ([][]byte, error) {
	var lines [][]byte
	for i := range items {
		text, err := encode(&items[i])
		if err != nil {
			return nil, err
		}
		lines = append(lines, text)
	}
	return lines, nil
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// render is the expected file of a case: an object, or an array of them when the
// input is a folder of sessions.
func render(sessions []*session) ([]byte, error) {
	var b bytes.Buffer
	several := len(sessions) != 1 || sessions[0].name != ""
	if several {
		b.WriteString("[")
	}
	for i, s := range sessions {
		if i > 0 {
			b.WriteString(",\n")
		}
		if err := s.appendTo(&b); err != nil {
			return nil, err
		}
	}
	if several {
		b.WriteString("]")
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}
