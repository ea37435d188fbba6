package normalize

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/trajmap/trajmap/engine/trajectory"
	"github.com/trajmap/trajmap/engine/value"
)

// naiveJSON is the contract's canonicalJson of a parsed value.
func naiveJSON(v any) string {
	switch v := v.(type) {
	case map[string]any:
		var members []string
		for _, name := range slices.SortedFunc(maps.Keys(v), value.CompareUTF16) {
			members = append(members, naiveJSON(name)+":"+naiveJSON(v[name]))
		}
		return "{" + strings.Join(members, ",") + "}"
	case []any:
		var items []string
		for _, item := range v {
			items = append(items, naiveJSON(item))
		}
		return "[" + strings.Join(items, ",") + "]"
	case string:
		return `"` + string(value.AppendEncoded(nil, v)) + `"`
	case bool, nil:
		return map[any]string{true: "true", false: "false", nil: "null"}[v]
	}
	panic(fmt.Sprintf("a record holds no %T", v))
}

func naiveHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

func parseJSON(t interface{ Fatal(...any) }, line string) map[string]any {
	var v map[string]any
	if err := json.Unmarshal([]byte(line), &v); err != nil {
		t.Fatal(line, err)
	}
	return v
}

// naiveRow makes a row of a printed record and its event, as section 4 of the
// contract says.
func naiveRow(record map[string]any, ev *Event, group string, base int64, ordinal int) map[string]any {
	kind := record["role"].(string)
	row := map[string]any{
		"source_type": "test", "source_group_id": group, "content": nil,
		"tool_call_id": nil, "tool_name": nil, "tool_arguments_json": nil, "tool_result_json": nil, "tool_result_ok": nil,
		"source_timestamp": nil, "record_timestamp": record["timestamp"], "component_index": 0.0,
	}
	var said map[string]any
	var component string
	switch kind {
	case "meta":
		said = maps.Clone(record)
		delete(said, "role")
		component = "meta"
	case "tool":
		said = map[string]any{"content": record["content"]}
		if ok, has := record["ok"]; has {
			said["ok"] = ok
			row["tool_result_ok"] = ok
		}
		component = "tool-result:" + record["tool_call_id"].(string)
		row["tool_call_id"], row["tool_result_json"] = record["tool_call_id"], record["content"]
	default:
		if calls, ok := record["tool_calls"]; ok {
			kind = "assistant-tool-call"
			call := calls.([]any)[0].(map[string]any)
			said = map[string]any{"name": call["name"], "args": call["args"]}
			component = "tool-call:" + call["id"].(string)
			row["tool_call_id"], row["tool_name"], row["tool_arguments_json"] = call["id"], call["name"], call["args"]
			break
		}
		said = map[string]any{"content": record["content"]}
		row["content"] = record["content"]
		bucket := "message"
		if kind == "observation" || kind == "reasoning" {
			bucket = kind
		}
		component = fmt.Sprint(bucket, ":", ordinal)
	}
	printed := naiveJSON(record)
	row["record_type"], row["record_json"], row["record_hash"] = kind, printed, naiveHash(printed)
	row["content_hash"] = naiveHash(naiveJSON(map[string]any{"type": kind, "content": said}))

	rank, at, seq := 1, "0000-00-00T00:00:00.001Z", int64(0)
	stable, identity := "meta", "synthetic"
	if ev == nil {
		rank, at = 0, "0000-00-00T00:00:00.000Z"
	} else {
		row["component_index"] = float64(ev.Component)
		if ev.HasTime {
			at = time.UnixMilli(ev.Time).UTC().Format("2006-01-02T15:04:05.000Z")
			row["source_timestamp"] = at
		}
		if ev.HasSeq {
			seq = ev.Seq
		}
		switch {
		case len(ev.Record) > 0:
			stable, identity = string(value.AppendDecoded(nil, ev.Record)), "native"
		case ev.OffsetUnit == Byte:
			stable, identity = naiveHash(fmt.Sprintf("%s|byte|%d", group, ev.Offset+base)), "location"
		case ev.OffsetUnit == Ordinal:
			stable, identity = naiveHash(fmt.Sprintf("%s|ordinal|%d", group, ev.Offset)), "location"
		case ev.HasSeq:
			stable, identity = naiveHash(fmt.Sprintf("%s|seq|%d", group, ev.Seq)), "location"
		default:
			stable, identity = naiveHash(fmt.Sprintf("%s|content|%s|%s|%d", group, kind, row["content_hash"], ev.Component)), "content"
		}
	}
	row["stable_source_record_id"], row["source_identity_kind"] = stable, identity
	row["source_order_id"] = fmt.Sprintf("%d|%s|%020d|%s", rank, at, seq, stable)
	row["record_id"] = naiveHash(naiveJSON([]any{group, stable, component}))
	return row
}

// withEvents is a sink that remembers which event a record is of.
type withEvents struct {
	canonical *Canonical
	current   *Event
	records   []string
	rows      []string
	events    []*Event
	ordinals  []int
}

func (w *withEvents) Record(r *Record) error {
	w.records = append(w.records, string(r.AppendV1(nil)))
	w.rows = append(w.rows, string(w.canonical.Append(nil, r)))
	w.events = append(w.events, w.current)
	w.ordinals = append(w.ordinals, r.Ordinal)
	return nil
}

// TestRowsAsDefined holds rows, every hash of them, against the contract's words.
func TestRowsAsDefined(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := Options{
			Partial: true, IncludeSystem: true, BaseOffset: rapid.Int64Range(0, 1).Draw(t, "base") * 1000,
			Group: rapid.SampledFrom([]string{"", "default", `a "group"`, "é"}).Draw(t, "group"),
		}
		c := Context{Source: "test", Cwd: []byte("/w"), Model: []byte(`m\\n`)}
		events := drawEvents(t)
		p := NewPlanner(o)
		for i := range events {
			p.Add(&events[i])
		}
		pl, err := p.Finish(c)
		if err != nil {
			t.Fatal(err)
		}
		sink := new(withEvents)
		if sink.canonical, err = pl.Canonical(); err != nil {
			t.Fatal(err)
		}
		e := pl.Emit(sink)
		ordinals, frame := map[Kind]int{}, 0
		for i := range events {
			ev := &events[i]
			if ev.Component == 0 {
				ordinals, frame = map[Kind]int{}, i
			}
			bucket := ev.Kind
			if bucket == System || bucket == Assistant {
				bucket = User
			}
			sink.current = ev
			before := len(sink.records)
			if err := e.Add(ev); err != nil {
				t.Fatal(err)
			}
			if len(sink.records) > before && sink.ordinals[before] != ordinals[bucket] {
				t.Fatalf("event %d of the native record of event %d has ordinal %d, want %d", i, frame, sink.ordinals[before], ordinals[bucket])
			}
			ordinals[bucket]++
		}
		group := o.Group
		if group == "" {
			group = DefaultGroup
		}
		for i, record := range sink.records {
			parsed := parseJSON(t, record)
			want := naiveRow(parsed, sink.events[i], group, o.BaseOffset, sink.ordinals[i])
			if diff := cmp.Diff(want, parseJSON(t, sink.rows[i])); diff != "" {
				// Go's decoder has no lone surrogates: then only JSON can be compared.
				if strings.Contains(record, `\ud`) {
					continue
				}
				t.Fatalf("row of %s (-want +got):\n%s", record, diff)
			}
		}
	})
}

// TestRowKeys pins the order of keys, which a decoded comparison cannot see.
func TestRowKeys(t *testing.T) {
	events := say([]Event{{Kind: ToolCall, CallID: []byte("c")}, {Kind: ToolResult, CallID: []byte("c"), OK: True}})
	lines, _, err := run(Options{}, testContext, events, true)
	if err != nil {
		t.Fatal(err)
	}
	want := "source_type source_group_id stable_source_record_id source_identity_kind source_order_id component_index " +
		"record_type record_id record_hash content_hash source_timestamp record_timestamp content tool_call_id tool_name " +
		"tool_arguments_json tool_result_json tool_result_ok record_json"
	for _, line := range lines {
		var names []string
		d := new(value.Doc)
		if err := d.Parse([]byte(line)); err != nil {
			t.Fatal(line, err)
		}
		for name := range d.Root().Members() {
			names = append(names, name.String())
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("keys %s\nwant %s", got, want)
		}
		if strings.Contains(line, " ") {
			t.Errorf("white space in %s", line)
		}
	}
}

// TestLoneSurrogates: in JSON they are escapes, in what is hashed as bytes U+FFFD.
func TestLoneSurrogates(t *testing.T) {
	group := Event{Kind: User, Text: []byte(`\ud83d`), Group: []byte(`g\ud83d`), OffsetUnit: Ordinal, Offset: 7}
	lines, _, err := run(Options{NoRoles: true}, testContext, []Event{group}, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"source_group_id":"g\ud83d"`,
		`"stable_source_record_id":"` + naiveHash("g\uFFFD|ordinal|7") + `"`,
		`"content":"\ud83d"`,
		`\"content\":\"\\ud83d\"`,
		`"record_hash":"` + naiveHash(`{"content":"\ud83d","role":"user","timestamp":"2026-01-01T00:00:00.000Z"}`) + `"`,
	} {
		if !strings.Contains(lines[1], want) {
			t.Errorf("%s does not hold %s", lines[1], want)
		}
	}
}

func TestOrderOfNegativeSequence(t *testing.T) {
	events := say([]Event{{Kind: User, Text: []byte("x"), HasSeq: true, Seq: -5}, {Kind: User, Text: []byte("x"), HasSeq: true, Seq: 1<<63 - 1}})
	lines, _, err := run(Options{}, testContext, events, true)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"|000000000000000000-5|", "|09223372036854775807|"} {
		if !strings.Contains(lines[3+i], want) {
			t.Errorf("%s does not hold %s", lines[3+i], want)
		}
	}
}

// TestGoldenRows builds the events of the reference's own example by hand.
func TestGoldenRows(t *testing.T) {
	golden, err := os.ReadFile("../../../shared/conformance/letta-0.3.0/canonical/claude-code__tool-call.json")
	if err != nil {
		t.Skip("the reference's fixtures are not here")
	}
	at := func(s string) int64 {
		d, err := time.Parse(time.RFC3339, s)
		if err != nil {
			t.Fatal(err)
		}
		return d.UnixMilli()
	}
	opus := []byte("claude-opus-4-6")
	events := []Event{
		{Kind: User, Text: []byte("fix the flaky retry test"), Time: at("2026-03-06T14:15:22.394Z"), Record: []byte("u1")},
		{Kind: Reasoning, Text: []byte("check the retry module"), Time: at("2026-03-06T14:15:30Z"), Record: []byte("a1"), Model: opus},
		{Kind: Assistant, Text: []byte("Looking at retry.py now."), Time: at("2026-03-06T14:15:30Z"), Record: []byte("a1"), Component: 1, Model: opus},
		{Kind: ToolCall, CallID: []byte("toolu_01A"), Name: []byte("Read"), Args: []byte(`{"file_path":"retry.py"}`), IsJSON: true, Time: at("2026-03-06T14:15:30Z"), Record: []byte("a1"), Component: 2, Model: opus},
		{Kind: ToolResult, CallID: []byte("toolu_01A"), Text: []byte(`1\tdef retry():`), OK: False, Time: at("2026-03-06T14:15:31Z"), Record: []byte("u2")},
		{Kind: Assistant, Text: []byte("Patched the backoff."), Time: at("2026-03-06T14:15:33Z"), Record: []byte("a2"), Model: opus},
	}
	for i := range events {
		events[i].HasTime = true
		events[i].OffsetUnit = Byte
	}
	c := Context{Source: "claude-code", Cwd: []byte("/workspace/project"), GitBranch: []byte("main")}
	lines, diags, err := run(Options{}, c, events, true)
	if err != nil {
		t.Fatal(err)
	}
	got := AppendEnvelopeStart(nil)
	got = append(got, strings.Join(lines, ",")...)
	got = AppendCanonicalEnd(got, diags, Options{})
	want := parseJSON(t, string(golden))
	want["normalizer_version"] = Version
	if diff := cmp.Diff(want, parseJSON(t, string(got))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestEnvelopes(t *testing.T) {
	diags := []trajectory.Diagnostic{{Code: "a", Message: `say "x"`, InputLine: 1, RecordIndex: 2}, {Code: "b", Count: 3}}
	got := string(AppendEnvelopeEnd(append(AppendEnvelopeStart(nil), `{}`...), diags))
	want := `{"records":[{}],"diagnostics":[{"code":"a","message":"say \"x\"","inputLine":1,"recordIndex":2},{"code":"b","message":"","count":3}]}`
	if got != want {
		t.Errorf("envelope %s\nwant %s", got, want)
	}
	o := Options{MaxArgs: Unbounded, MaxResult: 7, HeadOnly: true, OmitResults: true, IncludeSystem: true}
	got = string(AppendCanonicalEnd(AppendEnvelopeStart(nil), nil, o))
	want = `{"records":[],"diagnostics":[],"normalizer_version":"` + Version + `","canonical_schema_version":3,` +
		`"config":{"bounds":{"toolArguments":{"maxCharacters":null},"toolResults":{"maxCharacters":7,"strategy":"head"}},` +
		`"filters":{"toolResults":"omit","systemMessages":"include"}}}`
	if got != want {
		t.Errorf("envelope %s\nwant %s", got, want)
	}
	// A decoder must see the same as the struct's own tags say.
	var back trajectory.Diagnostic
	if err := json.NewDecoder(bytes.NewReader(AppendDiagnostic(nil, &diags[0]))).Decode(&back); err != nil || back != diags[0] {
		t.Errorf("diagnostic %+v came back as %+v, %v", diags[0], back, err)
	}
}
