package trajectory

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Problem is one way in which a transcript breaks the contract. It holds no
// transcript content.
type Problem struct {
	Line    int    // where the record begins, 1-based
	Record  int    // 1-based; 0 where the transcript as a whole is at fault
	Path    string // JSON pointer into the record; "" for the record itself
	Message string
}

func (p Problem) String() string {
	where := fmt.Sprintf("line %d", p.Line)
	if p.Record > 0 {
		where += fmt.Sprintf(", record %d", p.Record)
	}
	if p.Path != "" {
		where += ", " + p.Path
	}
	return where + ": " + p.Message
}

// Validator holds transcripts against the contract: the schema of each record,
// and what no schema can say of them all. It is safe for concurrent use.
type Validator struct {
	shapes map[string]*schema // by name in $defs
	row    *schema
}

// NewValidator reads the schemas of trajectory-v1 and of its canonical view.
func NewValidator(records, rows []byte) (*Validator, error) {
	ofRecords, err := parseSchema(records)
	if err != nil {
		return nil, fmt.Errorf("schema of trajectory-v1: %w", err)
	}
	ofRows, err := parseSchema(rows)
	if err != nil {
		return nil, fmt.Errorf("schema of the canonical view: %w", err)
	}
	v := &Validator{ofRecords.Defs, ofRows.Defs["row"]}
	for _, name := range []string{RoleMeta, RoleSystem, RoleObservation, RoleUser, RoleReasoning, RoleTool, "prose", "call"} {
		if v.shapes[name] == nil {
			return nil, fmt.Errorf("schema of trajectory-v1: $defs has no %s", name)
		}
	}
	if v.row == nil {
		return nil, errors.New("schema of the canonical view: $defs has no row")
	}
	return v, nil
}

// Validate reads a file of records and reports every problem, in the order of
// the records; those of a transcript as a whole come last. The file is JSON
// Lines with one record a line, where a further meta record begins another
// transcript, or a JSON array of records, or one or more objects with such an
// array under `records`; each array is a transcript of its own.
// Records are of trajectory-v1 or rows of the canonical view. A partial
// transcript may lack the meta record, users, assistants, and results' calls.
//
// Memory grows with the number of calls. The error is the reader's.
func (v *Validator) Validate(r io.Reader, partial bool, report func(Problem)) error {
	c := &check{v: v, partial: partial, report: report}
	c.reset()
	return split(r, c)
}

// check is one transcript being validated.
type check struct {
	v       *Validator
	partial bool
	report  func(Problem)

	lines      bool  // a meta record may begin another transcript
	at         place // of the record at hand
	before     int   // line of the record before
	metas      int
	users      int
	assistants int
	calls      map[string]place
	results    []result // whose call has not been met
}

type place struct{ line, record int }

type result struct {
	call string
	place
}

func (c *check) reset() {
	c.at, c.metas, c.users, c.assistants = place{}, 0, 0, 0
	c.calls, c.results = map[string]place{}, c.results[:0]
}

func (c *check) problem(path, format string, args ...any) {
	c.report(Problem{Line: c.at.line, Record: c.at.record, Path: path, Message: fmt.Sprintf(format, args...)})
}

// record takes the text of the next record of the transcript.
func (c *check) record(line int, text []byte) {
	c.before, c.at = c.at.line, place{line, c.at.record + 1}
	v, err := decode(text)
	if err != nil {
		c.problem("", "it is not JSON")
		return
	}
	object, ok := v.(map[string]any)
	if !ok {
		c.problem("", "it is not a JSON object")
		return
	}
	if inner, ok := object["record_json"]; ok {
		c.row(object, inner)
		return
	}
	c.shape(object, "")
}

// row checks a row of the canonical view and the record that it holds.
func (c *check) row(object map[string]any, inner any) {
	c.against(c.v.row, object, "")
	text, ok := inner.(string)
	if !ok {
		return
	}
	sum := sha256.Sum256([]byte(text))
	if hash, ok := object["record_hash"].(string); ok && hash != hex.EncodeToString(sum[:]) {
		c.problem("/record_hash", "it is not the SHA-256 of record_json")
	}
	v, err := decode([]byte(text))
	record, ok := v.(map[string]any)
	if err != nil || !ok {
		c.problem("/record_json", "it is not the text of a JSON object")
		return
	}
	c.shape(record, "/record_json")
}

// roles are those that a record may have.
var roles = []string{RoleMeta, RoleSystem, RoleObservation, RoleUser, RoleReasoning, RoleAssistant, RoleTool}

// shape checks a trajectory-v1 record by the shape that its role stands for.
func (c *check) shape(record map[string]any, path string) {
	role, _ := record["role"].(string)
	name := role
	if role == RoleAssistant {
		name = "prose"
		if _, ok := record["tool_calls"]; ok {
			name = "call"
		}
	}
	shape := c.v.shapes[name]
	if !slices.Contains(roles, role) {
		c.problem(path+"/role", "it is none of meta, system, observation, user, reasoning, assistant, tool")
		return
	}
	c.against(shape, record, path)
	c.order(role, path)
	switch role {
	case RoleUser:
		c.users++
	case RoleAssistant:
		c.assistants++
		calls, _ := record["tool_calls"].([]any)
		for i, call := range calls {
			c.call(call, fmt.Sprintf("%s/tool_calls/%d", path, i))
		}
	case RoleTool:
		if id, _ := record["tool_call_id"].(string); id != "" {
			if _, ok := c.calls[id]; !ok {
				c.results = append(c.results, result{id, c.at})
			}
		}
	}
}

// order checks that the meta record comes first, and once.
func (c *check) order(role, path string) {
	if role == RoleMeta && c.lines && c.metas > 0 {
		c.next()
	}
	first := c.at.record == 1
	switch {
	case role == RoleMeta && !first && c.metas > 0:
		c.problem(path, "it is a second meta record")
	case role == RoleMeta && !first:
		c.problem(path, "it is a meta record, which must be the first record")
	case role != RoleMeta && first && !c.partial:
		c.problem(path, "it is the first record and not a meta record (a fragment is checked as partial)")
	}
	if role == RoleMeta {
		c.metas++
	}
}

// next ends the transcript before the record at hand, which begins another.
func (c *check) next() {
	line := c.at.line
	c.at = place{c.before, c.at.record - 1}
	c.end()
	c.at = place{line, 1}
}

func (c *check) call(v any, path string) {
	call, _ := v.(map[string]any)
	if id, _ := call["id"].(string); id != "" {
		if other, ok := c.calls[id]; ok {
			c.problem(path+"/id", "record %d on line %d has a call with the same id", other.record, other.line)
		} else {
			c.calls[id] = c.at
		}
	}
	if args, ok := call["args"].(string); ok {
		if !strings.HasPrefix(strings.TrimLeft(args, " \t\r\n"), "{") || !json.Valid([]byte(args)) {
			c.problem(path+"/args", "it is not the text of a JSON object")
		}
	}
}

// end ends a transcript and makes ready for another.
func (c *check) end() {
	last := Problem{Line: max(1, c.at.line)}
	whole := func(message string) {
		last.Message = message
		c.report(last)
	}
	if !c.partial {
		for _, r := range c.results {
			if _, ok := c.calls[r.call]; !ok {
				c.at = r.place
				c.problem("", "its call is not in the transcript (a fragment is checked as partial)")
			}
		}
		if c.at.record == 0 {
			whole("the transcript holds no records")
		} else {
			if c.users == 0 {
				whole("the transcript holds no user record")
			}
			if c.assistants == 0 {
				whole("the transcript holds no assistant record")
			}
		}
	}
	c.reset()
}

// against reports what a schema finds, in a stable order.
func (c *check) against(s *schema, v any, path string) {
	type finding struct{ path, message string }
	var list []finding
	s.check(v, path, func(path, message string) { list = append(list, finding{path, message}) })
	slices.SortFunc(list, func(a, b finding) int {
		return cmp.Or(strings.Compare(a.path, b.path), strings.Compare(a.message, b.message))
	})
	for _, f := range list {
		c.problem(f.path, "%s", f.message)
	}
}

func decode(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("text after the value")
	}
	return v, nil
}
