package docgen

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/convert"
	"github.com/trajmap/trajmap/engine/diag"
	"github.com/trajmap/trajmap/engine/mapping"
)

// TestFindings wants advice for each code of a finding.
func TestFindings(t *testing.T) {
	known := map[string]bool{}
	for _, c := range diag.Codes() {
		known[c.ID] = true
		if findingAdvice[c.ID] == "" {
			t.Errorf("%s: nobody says what to do: %s", c.ID, c.Doc)
		}
	}
	for id := range findingAdvice {
		if !known[id] {
			t.Errorf("%s is no code", id)
		}
	}
}

// TestContractCodes wants advice for each code of the contract.
func TestContractCodes(t *testing.T) {
	for doc, list := range map[string][]advice{"Codes of diagnostics.": diagnosticAdvice, "Codes of errors that end a read.": errorAdvice} {
		var got []string
		for _, a := range list {
			got = append(got, a.Code)
			if a.Meaning == "" || a.Do == "" {
				t.Errorf("%s is not explained", a.Code)
			}
		}
		if diff := cmp.Diff(constants(t, "../../engine/trajectory/trajectory.go", doc), got); diff != "" {
			t.Errorf("%s (-declared +explained):\n%s", doc, diff)
		}
	}
}

// constants are the strings of a group of constants, by its comment.
func constants(t *testing.T, file, doc string) (list []string) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range parsed.Decls {
		group, ok := d.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST || strings.TrimSpace(group.Doc.Text()) != doc {
			continue
		}
		for _, spec := range group.Specs {
			for _, v := range spec.(*ast.ValueSpec).Values {
				text, err := strconv.Unquote(v.(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				list = append(list, text)
			}
		}
	}
	if len(list) == 0 {
		t.Fatalf("%s: no constants below %q", file, doc)
	}
	return list
}

// TestHazards wants each hazard that is noted explained, and no others; a
// conversion has a verdict on each.
func TestHazards(t *testing.T) {
	noted := map[string]bool{
		"in_flight_call": true, "missing_result": true, "inactive_branch": true, // by the engine
		"empty_session": true, "starts_with_assistant": true, "unanswered_prompt": true, "unmapped_frame": true, // by conversions
	}
	catalog, err := engine.NewCatalog()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range catalog.Entries() {
		m, err := e.Open()
		if err != nil {
			t.Fatal(err)
		}
		for _, st := range m.Steps {
			if st.Verb == mapping.Hazard {
				noted[st.Code] = true
			}
		}
		if m.Write != nil {
			outHazards(m.Write.Before, noted)
			for _, f := range m.Write.Files {
				outHazards(f.Frames, noted)
			}
		}
		for _, f := range m.Formats {
			if f.Join != nil {
				noted[f.Join.Missing] = true
			}
		}
	}
	var explained []string
	for _, h := range hazardDocs {
		explained = append(explained, h.Code)
		if !noted[h.Code] {
			t.Errorf("%s is explained, and nobody notes it", h.Code)
		}
		delete(noted, h.Code)
		if _, known := convert.VerdictOf(h.Code); !known {
			t.Errorf("conversions do not know %s", h.Code)
		}
	}
	for code := range noted {
		t.Errorf("%s is noted, and nobody explains it", code)
	}
	if !slices.IsSorted(explained) {
		t.Error("the hazards are not sorted")
	}
}

// outHazards adds the codes that steps which write note.
func outHazards(steps []*mapping.OutStep, noted map[string]bool) {
	for _, st := range steps {
		if st.Hazard != "" {
			noted[st.Hazard] = true
		}
		outHazards(st.Do, noted)
		for _, rule := range st.Table {
			outHazards(rule, noted)
		}
	}
}
