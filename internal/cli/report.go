package cli

import (
	"encoding/json"
	"io"

	"github.com/trajmap/trajmap/engine/read"
)

// sessionReport says what became of every frame of a session.
type sessionReport struct {
	Input   string        `json:"input"`
	File    string        `json:"file,omitempty"` // that was read, where it is another
	Harness string        `json:"harness"`
	Format  string        `json:"format"`
	View    string        `json:"view"`
	Session string        `json:"session,omitempty"` // its id
	Records int           `json:"records"`
	Error   string        `json:"error,omitempty"`
	Frames  int           `json:"frames"`  // that could be parsed
	Invalid int           `json:"invalid"` // that could not
	Ledger  []read.Entry  `json:"ledger"`
	Hazards []read.Hazard `json:"hazards"`
}

// writeReport writes a session's report as one line of JSON.
func writeReport(w io.Writer, view string, s *converted) error {
	r := sessionReport{
		Input: s.path, Harness: s.m.Harness, Format: s.result.Format.Name, View: view,
		Session: s.result.Facts["group"],
		Records: s.records,
		Frames:  s.result.Ledger.Frames, Invalid: s.result.Ledger.Invalid,
		Ledger:  append([]read.Entry{}, s.result.Ledger.Entries...),
		Hazards: append([]read.Hazard{}, s.result.Hazards...),
	}
	if file := s.file(s.result); file != s.path {
		r.File = file
	}
	if s.err != nil {
		r.Error = s.err.Error()
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(r)
}
