package diag

import (
	"io"
	"net/url"
	"path/filepath"
)

// The part of SARIF 2.1.0 that findings need.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name  string      `json:"name"`
		Rules []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID    string    `json:"id"`
		Short sarifText `json:"shortDescription"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int        `json:"startLine"`
		StartColumn int        `json:"startColumn,omitempty"`
		EndColumn   int        `json:"endColumn,omitempty"`
		Snippet     *sarifText `json:"snippet,omitempty"`
	}
)

// writeSARIF prints a log with one run; its rules are the codes that occur.
func writeSARIF(w io.Writer, list List) error {
	run := sarifRun{
		Tool:       sarifTool{sarifDriver{Name: "trajmap", Rules: []sarifRule{}}},
		ColumnKind: "unicodeCodePoints",
		Results:    []sarifResult{},
	}
	occurs := map[string]bool{}
	for i := range list {
		f := &list[i]
		occurs[f.Code] = true
		at := sarifPhysical{Artifact: sarifArtifact{uri(f.File)}}
		if f.Line > 0 {
			at.Region = &sarifRegion{StartLine: f.Line, StartColumn: f.Col}
			if f.Len > 0 && f.Col > 0 {
				at.Region.EndColumn = f.Col + f.Len
			}
			if f.Excerpt != "" {
				at.Region.Snippet = &sarifText{f.Excerpt}
			}
		}
		run.Results = append(run.Results, sarifResult{
			RuleID:    f.Code,
			Level:     f.Severity.String(),
			Message:   sarifText{f.sentence()},
			Locations: []sarifLocation{{at}},
		})
	}
	for _, c := range Codes() {
		if occurs[c.ID] {
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{c.ID, sarifText{c.Doc}})
		}
	}
	return encode(w, sarifLog{
		Schema:  "https://json.schemastore.org/sarif-2.1.0.json",
		Version: "2.1.0",
		Runs:    []sarifRun{run},
	})
}

// uri is a file's name as a reference relative to where the log is read.
func uri(file string) string {
	u := url.URL{Path: filepath.ToSlash(file)}
	return u.String()
}
