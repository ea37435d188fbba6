package trajectory

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

func newValidator(tb testing.TB) *Validator {
	tb.Helper()
	read := func(name string) []byte {
		b, err := os.ReadFile(filepath.Join("../../schema", name))
		if err != nil {
			tb.Fatal(err)
		}
		return b
	}
	v, err := NewValidator(read("trajectory-v1.schema.json"), read("trajectory-canonical-v1.schema.json"))
	if err != nil {
		tb.Fatal(err)
	}
	return v
}

func problems(tb testing.TB, v *Validator, input string, partial bool) []string {
	tb.Helper()
	var list []string
	// One byte at a time: nothing may depend on how the input is cut.
	err := v.Validate(iotest.OneByteReader(strings.NewReader(input)), partial, func(p Problem) {
		list = append(list, p.String())
	})
	if err != nil {
		tb.Fatal(err)
	}
	return list
}

const (
	meta      = `{"role":"meta","source":"test"}`
	user      = `{"role":"user","content":"hi","timestamp":"2026-01-01T00:00:00.000Z"}`
	assistant = `{"role":"assistant","content":"yes","timestamp":"2026-01-01T00:00:15+02:00"}`
	call      = `{"role":"assistant","content":null,"tool_calls":[{"id":"c1","name":"x","args":"{}"}],"timestamp":"2026-01-01T00:00:30Z"}`
	answer    = `{"role":"tool","tool_call_id":"c1","content":"","ok":true,"timestamp":"2026-01-01T00:00:45Z"}`
)

func lines(records ...string) string { return strings.Join(records, "\n") + "\n" }

func row(record string) string {
	text, _ := json.Marshal(record)
	sum := fmt.Sprintf("%x", sha256.Sum256([]byte(record)))
	return `{"source_type":"test","source_group_id":"default","stable_source_record_id":"a","source_identity_kind":"native",` +
		`"source_order_id":"1|2026-01-01T00:00:00.000Z|00000000000000000000|a","component_index":0,"record_type":"user","record_id":"` + sum +
		`","record_hash":"` + sum + `","content_hash":"` + sum + `","source_timestamp":null,"record_timestamp":"2026-01-01T00:00:00.000Z",` +
		`"content":null,"tool_call_id":null,"tool_name":null,"tool_arguments_json":null,"tool_result_json":null,"tool_result_ok":null,` +
		`"record_json":` + string(text) + `}`
}

func TestValidate(t *testing.T) {
	v := newValidator(t)
	with := func(s, old, new string) string {
		if !strings.Contains(s, old) {
			t.Fatalf("%s holds no %s", s, old)
		}
		return strings.Replace(s, old, new, 1)
	}
	tests := []struct {
		name    string
		input   string
		partial bool
		want    []string
	}{
		{"lines", lines(meta, user, assistant, call, answer), false, nil},
		{"a result before its call", lines(meta, user, answer, call), false, nil},
		{"blank lines", "\n" + lines(meta, "", user, "  ", call) + "\n\n", false, nil},
		{"no line end", meta + "\n" + user + "\n" + assistant, false, nil},
		{"array", "[\n" + meta + ",\n" + user + ",\n\n" + assistant + "]", false, nil},
		{"envelopes", fmt.Sprintf("{\"records\":[%s,%s,%s],\"diagnostics\":[]}\n{\n \"records\": [%[1]s,%[2]s,%[3]s]}", meta, user, call), false, nil},
		{"rows", lines(row(meta), row(user), row(assistant)), false, nil},
		{"fragment", lines(user, answer), true, nil},
		{"nothing, as a fragment", "", true, nil},

		{"nothing", "", false, []string{"line 1: the transcript holds no records"}},
		{"empty array", "\n[]", false, []string{"line 1: the transcript holds no records"}},
		{"a torn line", lines(meta, user, assistant) + `{"role":"us`, false, []string{"line 4, record 4: it is not JSON"}},
		{"two values on a line", lines(meta, user, assistant+assistant), false, []string{
			"line 3, record 3: it is not JSON", "line 3: the transcript holds no assistant record"}},
		{"no object", lines(meta, user, assistant, "[1]"), false, []string{"line 4, record 4: it is not a JSON object"}},
		{"a torn array", "[\n" + meta + ",\n" + user + ",\n{", false, []string{"line 4, record 3: it is not JSON; the rest was not read"}},
		{"no list", `{"records":{}}`, false, []string{"line 1: the object holds no list of records"}},
		{"a further value", "[" + meta + "," + user + "," + call + "]\n\n17", false, []string{"line 3: it is neither a record nor a list of records"}},

		{"no meta", lines(user, assistant), false, []string{"line 1, record 1: it is the first record and not a meta record (a fragment is checked as partial)"}},
		{"meta later", lines(user, meta, assistant), true, []string{"line 2, record 2: it is a meta record, which must be the first record"}},
		{"meta twice", "[" + strings.Join([]string{meta, user, assistant, meta}, ",\n") + "]", true, []string{"line 4, record 4: it is a second meta record"}},
		{"two transcripts", lines(meta, user, assistant, call, meta, user, call), false, nil},
		{"a bad one before another", lines(meta, user, meta, user, call, call), false, []string{
			"line 2: the transcript holds no assistant record",
			"line 6, record 4, /tool_calls/0/id: record 3 on line 5 has a call with the same id"}},
		{"no user", lines(meta, call), false, []string{"line 2: the transcript holds no user record"}},
		{"no assistant", lines(meta, user), false, []string{"line 2: the transcript holds no assistant record"}},
		{"an id twice", lines(meta, user, call, "", call), false, []string{"line 5, record 4, /tool_calls/0/id: record 3 on line 3 has a call with the same id"}},
		{"a result without call", lines(meta, user, answer, assistant), false, []string{"line 3, record 3: its call is not in the transcript (a fragment is checked as partial)"}},
		{"args are a list", lines(meta, user, with(call, `"{}"`, `"[]"`)), false, []string{"line 3, record 3, /tool_calls/0/args: it is not the text of a JSON object"}},
		{"args are torn", lines(meta, user, with(call, `"{}"`, `"{"`)), false, []string{"line 3, record 3, /tool_calls/0/args: it is not the text of a JSON object"}},

		{"unknown role", lines(meta, user, assistant, with(user, `"user"`, `"prose"`)), false, []string{
			"line 4, record 4, /role: it is none of meta, system, observation, user, reasoning, assistant, tool"}},
		{"several at once", lines(meta, with(user, `"content":"hi"`, `"extra":1`), with(assistant, "2026-01-01T", "2026-01-01 ")), false, []string{
			`line 2, record 2: "content" is missing`,
			`line 2, record 2: it must not have "extra"`,
			`line 3, record 3, /timestamp: it is not of the form ^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:?\d{2})$`,
		}},
		{"prose that is null", lines(meta, user, with(call, `"tool_calls"`, `"calls"`)), false, []string{
			`line 3, record 3: it must not have "calls"`,
			"line 3, record 3, /content: expected string, found null"}},
		{"a call with prose", lines(meta, user, with(call, `"content":null`, `"content":"so"`)), false, []string{
			"line 3, record 3, /content: expected null, found string"}},
		{"no calls", lines(meta, user, with(call, `[{"id":"c1","name":"x","args":"{}"}]`, `[]`)), false, []string{
			"line 3, record 3, /tool_calls: it has 0 items, fewer than 1"}},
		{"ok is a word", lines(meta, user, call, with(answer, "true", `"yes"`)), false, []string{
			"line 4, record 4, /ok: expected boolean, found string"}},

		{"another hash", lines(row(meta), row(user), with(row(assistant), "yes", "no!")), false, []string{
			"line 3, record 3, /record_hash: it is not the SHA-256 of record_json"}},
		{"a record that is none", lines(row(meta), row(user), row(call), row("{")), false, []string{
			"line 4, record 4, /record_json: it is not the text of a JSON object"}},
		{"a record of no shape", lines(row(meta), row(user), row(with(call, `"name":"x",`, ""))), false, []string{
			`line 3, record 3, /record_json/tool_calls/0: "name" is missing`}},
		{"a row without a field", lines(row(meta), row(user), with(row(call), `"tool_name":null,`, "")), false, []string{
			`line 3, record 3: "tool_name" is missing`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, problems(t, v, test.input, test.partial)); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

// TestValidateLines numbers lines that are longer than any buffer.
func TestValidateLines(t *testing.T) {
	v := newValidator(t)
	long := strings.Replace(user, "hi", strings.Repeat("long ", 100_000), 1)
	bad := strings.Replace(user, `"content":"hi",`, "", 1)
	want := []string{`line 4, record 4: "content" is missing`}
	got := problems(t, v, lines(meta, long, call, bad), false)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("as lines (-want +got):\n%s", diff)
	}
	got = problems(t, v, "["+meta+",\n"+long+",\n"+call+",\n"+bad+"]", false)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("as an array (-want +got):\n%s", diff)
	}
}

func TestValidateReadError(t *testing.T) {
	v := newValidator(t)
	for _, start := range []string{"", meta, "[" + meta} {
		r := iotest.DataErrReader(iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader(start + strings.Repeat(" ", 100)))))
		if err := v.Validate(r, false, func(Problem) {}); err != iotest.ErrTimeout {
			t.Errorf("after %q: error %v, want that of the reader", start, err)
		}
	}
}

// TestValidateReference takes the reference's own output, which is the contract.
func TestValidateReference(t *testing.T) {
	root := "../../../shared/conformance/letta-0.3.0"
	files, _ := filepath.Glob(root + "/*/*/expected.json")
	canonical, _ := filepath.Glob(root + "/canonical/*.json")
	if len(files) == 0 || len(canonical) == 0 {
		t.Skip("the reference's fixtures are not here")
	}
	v := newValidator(t)
	for _, file := range append(files, canonical...) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if list := problems(t, v, string(text), false); list != nil {
			t.Errorf("%s: %q", strings.TrimPrefix(file, root), list)
		}
	}
}

func FuzzValidate(f *testing.F) {
	v := newValidator(f)
	f.Add(lines(meta, user, assistant, call, answer), false)
	f.Add("["+meta+","+user+"]", true)
	f.Add(`{"records":[`+row(meta)+`]}`, false)
	f.Fuzz(func(t *testing.T, input string, partial bool) {
		total := 1 + strings.Count(input, "\n")
		err := v.Validate(strings.NewReader(input), partial, func(p Problem) {
			if p.Line < 1 || p.Line > total || p.Message == "" {
				t.Errorf("problem %+v in %d lines", p, total)
			}
		})
		if err != nil {
			t.Error(err)
		}
	})
}
