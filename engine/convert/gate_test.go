package convert_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/convert"
	"github.com/trajmap/trajmap/engine/manifest"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/session"
	"github.com/trajmap/trajmap/engine/trajectory"
)

// shared are the folders of real sessions, where they are at hand.
const samples = "../../../shared/samples"

// gated is a session that shows a hazard.
type gated struct {
	code  string
	input string // HARNESS/CASE/INPUT below testdata; #ID where it holds several
	to    string // the target; "" is codex
	// verdict is what becomes of it: "refuse" unless it is allowed, "never", or
	// "pass". reasons are the codes of all that it is refused for, the code itself
	// among them.
	verdict, reasons string
	has              string // what the files hold once all that can be is allowed; words apart with |
	lacks            string // and what they do not, though the session does: but for words after ~
	sample           string // the same in a real session, below samples
	// make writes the session; nil when it is in testdata.
	make func(t *testing.T) string
}

// gates has a session for every code. What is said about each of them: see
// docs/errors.md.
var gates = []gated{
	{code: "empty_session", input: "gemini-cli/stub/input.jsonl", verdict: "never", reasons: "empty_session"},

	// The summary is what a user says; nothing from before it is carried.
	{code: "compaction", input: "codex/compaction-0.171/input.jsonl", verdict: "refuse", reasons: "compaction", has: "produced a summary of its thinking process|Second answer.", lacks: "Two files.",
		sample: "codex/compact/.codex/sessions/*/*/*/*.jsonl"},
	{code: "compaction", input: "claude-code/compaction/input.jsonl", verdict: "refuse", reasons: "compaction", has: "Two files.|I still know it.", lacks: "List the files"},
	{code: "compaction", input: "cursor/store-compaction/input.db", verdict: "refuse", reasons: "compaction", sample: "cursor/hazards/compaction.db"},
	{code: "compaction", input: "deepagents/overwrite/input.db", verdict: "refuse", sample: "deepagents/letta-checkpoint.db#thread-overwrite"},
	{code: "compaction_opaque", input: "codex/compaction-remote/input.jsonl", verdict: "never", reasons: "compaction compaction_opaque"},
	{code: "compaction_opaque", input: "omp/opaque-compaction/input.jsonl", verdict: "never", reasons: "compaction compaction_opaque"},

	// Only the active branch is carried.
	{code: "inactive_branch", input: "claude-code/branch/input.jsonl", verdict: "pass", has: "No: use a channel.", lacks: "A lock it is."},
	{code: "inactive_branch", input: "deepagents/summarized/input.db", verdict: "refuse", reasons: "compaction document image inactive_branch interrupted_turn live_session missing_result unmapped_frame"},
	{code: "rewind", input: "grok/rewind/input", verdict: "pass", has: "Three again.", lacks: "Three.\""},
	{code: "rewind", input: "opencode/rewind-pending/input.json", verdict: "refuse", reasons: "rewind", has: "Write one.", lacks: "Write two.", sample: "opencode/extras/exports/rewind-pending.json"},

	{code: "lineage_missing", input: "codex/fork-alone/input.jsonl", verdict: "never", reasons: "lineage_missing"},
	{code: "lineage_missing", input: "openhands/gap/input", verdict: "never", reasons: "lineage_missing unanswered_prompt"},

	// A call without a result gets one that says so, and that it failed.
	{code: "in_flight_call", input: "codex/killed/input.jsonl", verdict: "refuse", reasons: "in_flight_call live_session", has: session.NoResult, sample: "codex/killed/.codex/sessions/*/*/*/*.jsonl"},
	{code: "in_flight_call", input: "codex/killed/input.jsonl", to: "claude-code", verdict: "refuse", reasons: "in_flight_call live_session", has: session.NoResult + `|"is_error":true`},
	{code: "in_flight_call", input: "pi/killed/input.jsonl", verdict: "refuse", reasons: "in_flight_call", has: session.NoResult, sample: "pi/extra/killed/*.jsonl"},
	{code: "missing_result", input: "codex/interrupted-resumed/input.jsonl", to: "pi", verdict: "refuse", reasons: "interrupted_turn missing_result", has: session.NoResult + `|"isError":true`,
		sample: "codex/interrupt_resumed/.codex/sessions/*/*/*/*.jsonl"},
	{code: "missing_result", input: "droid/results/input.jsonl", to: "fx", verdict: "never", reasons: "missing_result"},
	{code: "interrupted_turn", input: "claude-code/interrupted/input.jsonl", verdict: "refuse", reasons: "interrupted_turn", has: "I will wait.|I still know it.",
		sample: "claude-code/edge/.claude/projects/*/11111111-2222-4333-8444-666666666666.jsonl"},
	{code: "interrupted_turn", input: "claude-code/interrupted/input.jsonl", to: "fx", verdict: "never", reasons: "interrupted_turn"},
	{code: "interrupted_turn", input: "pi/context-edit/input.jsonl", verdict: "refuse", reasons: "context_edit interrupted_turn"}, // no closing answer
	{code: "unanswered_prompt", input: "droid/error-only/input.jsonl", verdict: "refuse", reasons: "unanswered_prompt", has: "Cause an error."},
	{code: "error_turn", input: "codex/error-turn/input.jsonl", verdict: "pass", has: "Fail please.|Now it works."},

	{code: "starts_with_assistant", input: "gemini-cli/skill/input.jsonl", verdict: "pass", has: "How to write poems.", lacks: "~" + session.NoUser},
	{code: "starts_with_assistant", input: "gemini-cli/skill/input.jsonl", to: "fx", verdict: "refuse", reasons: "starts_with_assistant", has: session.NoUser + "|How to write poems."},

	{code: "steering", input: "gemini-cli/steering/input.jsonl", verdict: "pass"},
	{code: "steering", input: "fx/denied/input.json", verdict: "refuse", reasons: "steering", has: "No, we still need it."},
	{code: "queued_prompt", input: "claude-code/queued-prompts/input.jsonl", verdict: "refuse", reasons: "image", has: "And its tests.", lacks: "Push it."},

	{code: "image", input: "codex/images/input.jsonl", verdict: "refuse", reasons: "image", has: "[image]|Look at this.", lacks: "base64", sample: "codex/image/.codex/sessions/*/*/*/*.jsonl"},
	{code: "document", input: "opencode/attachments/input.json", verdict: "refuse", reasons: "document image interrupted_turn", lacks: "base64"},

	{code: "subagent", input: "codex/subagent/input.jsonl", verdict: "pass", sample: "claude-code/edge/.claude/projects/*/cc19e7ba-*.jsonl"},
	{code: "subagent", input: "claude-code/subagent-unanswered/input.jsonl", verdict: "refuse", reasons: "subagent", has: "launched"}, // the answer never came
	{code: "subagent", input: "cursor/store-turns/input.db", verdict: "refuse", reasons: "image inactive_branch interrupted_turn subagent", sample: "cursor/hazards/subagent.db"},

	{code: "encrypted_reasoning", input: "claude-code/parallel/input.jsonl", verdict: "pass", has: "Three files.", lacks: "c2ln"},

	// What the model saw is carried.
	{code: "truncated_result", input: "opencode/results/input.json", verdict: "refuse", reasons: "in_flight_call", has: "...output truncated..."},
	{code: "persisted_result", input: "claude-code/persisted-output/input.jsonl", verdict: "pass", has: "<persisted-output>", sample: "omp/extra/big/*.jsonl"},
	{code: "pruned_result", input: "gemini-cli/masked/input.jsonl", verdict: "pass", has: "<tool_output_masked>"},
	{code: "context_edit", input: "pi/context-edit/input.jsonl", verdict: "refuse", reasons: "context_edit interrupted_turn", has: "[removed]", lacks: "a secret and much more"},
	{code: "context_cleared", input: "copilot/context-cleared/input.jsonl", verdict: "refuse", reasons: "context_cleared", has: "Carry out the plan.", lacks: "First answer."},
	{code: "context_cleared", input: "omp/reset/input.jsonl", verdict: "refuse", reasons: "context_cleared"},

	{code: "unmapped_frame", input: "codex/drift/input.jsonl", verdict: "refuse", reasons: "unmapped_frame", has: "Hello back."},
	{code: "unmapped_frame", input: "cursor/store-unknown-field/input.db", verdict: "never", reasons: "unmapped_frame", sample: "cursor/hazards/unknown-field.db"},
	{code: "unreadable_part", input: "opencode/tree-torn/input/storage/session/global/ses_1.json", verdict: "refuse"},

	{code: "server_tool", input: "codex/web-search/input.jsonl", to: "pi", verdict: "pass", has: "example.com|" + session.NotTold},
	{code: "server_tool", input: "claude-code/server-tools/input.jsonl", verdict: "pass", has: `"name":"web_search"|Mostly.`},
	{code: "server_tool", input: "claude-code/server-tools-opaque/input.jsonl", verdict: "refuse", reasons: "server_tool", has: "Mostly."},
	{code: "code_mode", input: "codex/code-mode/input.jsonl", verdict: "pass", has: "tools.exec_command|2 notes.txt"},
	{code: "uncertain_arguments", input: "kimi/cli-wire/input.jsonl", verdict: "refuse", reasons: "image in_flight_call interrupted_turn live_session", has: `_raw`},
	{code: "uncertain_arguments", input: "fx/results/input.json", verdict: "refuse", reasons: "uncertain_arguments", has: `_raw`},

	// Up to the last line that is whole.
	{code: "live_session", input: "pi/torn/input.jsonl", verdict: "refuse", reasons: "live_session", has: "Hi."},
	{code: "live_session", input: "fx/conversation-torn/input", verdict: "refuse", reasons: "command_replay interrupted_turn live_session missing_result unmapped_frame"},
	{code: "background_command", input: "fx/schema-2/input.json", verdict: "refuse", reasons: "compaction in_flight_call interrupted_turn", sample: "fx/schema2/.fx/sessions/*/session.json"},
	{code: "command_replay", input: "fx/conversation-results/input", verdict: "refuse", reasons: "command_replay image steering uncertain_arguments"},
	{code: "provider_replay", input: "fx/conversation-replay/input", verdict: "refuse", reasons: "provider_replay", has: "Another text.", lacks: "AAAA"},

	// Written whole, though it will not be sent whole.
	{code: "target_will_truncate", input: "trajectory/long", to: "cline", verdict: "pass", has: "the_end_of_it", make: long},
	{code: "target_will_truncate", input: "trajectory/long", to: "copilot", verdict: "pass", has: "the_end_of_it", make: long},

	// State beside the conversation stays behind.
	{code: "virtual_files", input: "deepagents/summarized/input.db", verdict: "refuse", reasons: "compaction document image inactive_branch interrupted_turn live_session missing_result unmapped_frame"},
	{code: "plan_mode", input: "copilot/injected/input.jsonl", verdict: "pass", has: "Plan the rest."},
	{code: "todos", input: "droid/subagent/input.jsonl", verdict: "pass"},
	{code: "secret", input: "cursor/store-turns/input.db", verdict: "refuse", reasons: "image inactive_branch interrupted_turn subagent", lacks: "~blobEncryptionKey|626c6f62456e6372797074696f6e4b6579"},
}

// long writes a session in which a very long text is said.
func long(t *testing.T) string {
	in := talk("U1 T1" + strings.Repeat("long", 150_000) + "the_end_of_it")
	text := make([]byte, in.Size)
	if _, err := in.ReadAt(text, 0); err != nil && err != io.EOF {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "long.jsonl")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestGate carries a session for every code: refused for all reasons at once, or
// not; and once all that can be allowed is, with the effect that it should have.
func TestGate(t *testing.T) {
	for _, g := range gates {
		t.Run(g.code+"/"+g.input+"/"+g.to, func(t *testing.T) {
			name, id, _ := strings.Cut(g.input, "#")
			path := "../../testdata/" + name
			if g.make != nil {
				path = g.make(t)
			}
			g.check(t, path, name, id)
		})
		if g.sample == "" {
			continue
		}
		t.Run(g.code+"/"+g.sample, func(t *testing.T) {
			if _, err := os.Stat(samples); err != nil {
				t.Skip("the samples are not at hand")
			}
			pattern, id, _ := strings.Cut(g.sample, "#")
			found, err := filepath.Glob(filepath.Join(samples, filepath.FromSlash(pattern)))
			if err != nil || len(found) != 1 {
				t.Fatalf("%d files match %s: %v", len(found), pattern, err)
			}
			one := g
			one.reasons, one.has, one.lacks = "", "", ""
			one.check(t, found[0], pattern, id)
		})
	}
}

// TestGateIsWhole wants a session for every code that the gate knows.
func TestGateIsWhole(t *testing.T) {
	codes := map[string]bool{}
	for _, g := range gates {
		codes[g.code] = true
		if _, known := convert.VerdictOf(g.code); !known {
			t.Errorf("%s is no code", g.code)
		}
	}
	docs, err := os.ReadFile("../../docs/errors.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(docs), "\n## Hazards\n")
	section, _, _ = strings.Cut(section, "\n## ")
	for _, code := range trajectory.Hazards {
		if !codes[code] {
			t.Errorf("no session shows %s", code)
		}
		if !strings.Contains(section, "\n| `"+code+"` |") {
			t.Errorf("docs/errors.md does not explain %s", code)
		}
	}
	if got, want := strings.Count(section, "\n| `"), len(trajectory.Hazards); got != want {
		t.Errorf("docs/errors.md explains %d hazards, the gate knows %d", got, want)
	}
}

// check carries the session at a path, whose name among others begins with that
// of its harness.
func (g gated) check(t *testing.T, path, name, id string) {
	catalog, err := engine.NewCatalog()
	if err != nil {
		t.Fatal(err)
	}
	find := func(name string) *mapping.Mapping {
		m, err := catalog.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		return m.Mapping
	}
	harness, _, _ := strings.Cut(name, "/")
	if g.to == "" {
		g.to = "codex"
	}
	run := func(allow []string) (*convert.Result, string, error) {
		in, done := open(t, path)
		defer done()
		dir := t.TempDir()
		r, err := convert.Convert(context.Background(), find(harness), in, find(g.to), convert.Options{Session: id, Cwd: "/home/dev/project", Allow: allow}, dir)
		if r == nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { r.Close() })
		return r, dir, err
	}

	// As it comes: everything that is refused is told at once.
	r, _, err := run(nil)
	if !slices.ContainsFunc(r.Findings, func(f convert.Finding) bool { return f.Code == g.code }) {
		t.Fatalf("it does not show %s: %+v", g.code, r.Findings)
	}
	var refusal *convert.Refusal
	refused := errors.As(err, &refusal)
	if err != nil && !refused {
		t.Fatal(err)
	}
	if refused != (g.verdict != "pass") {
		t.Fatalf("verdict %q, and yet: %v", g.verdict, err)
	}
	var reasons []string
	for _, f := range r.Findings {
		if f.Refused() {
			reasons = append(reasons, f.Code)
			if !strings.Contains(fmt.Sprint(err), "\n  "+f.Code) {
				t.Errorf("%s is no reason in %v", f.Code, err)
			}
		}
	}
	slices.Sort(reasons)
	if reasons = slices.Compact(reasons); g.reasons != "" && strings.Join(reasons, " ") != g.reasons {
		t.Errorf("reasons %q, want %q", strings.Join(reasons, " "), g.reasons)
	}

	// All but one reason allowed is not enough, whatever else is allowed.
	for i, code := range reasons {
		others := slices.DeleteFunc(convert.Allowable(), func(c string) bool { return c == code })
		if _, _, err := run(others); !errors.As(err, &refusal) {
			t.Errorf("without --allow %s (reason %d) it is carried: %v", code, i, err)
		}
	}
	r, dir, err := run(convert.Allowable())
	if g.verdict == "never" {
		if !errors.As(err, &refusal) {
			t.Errorf("there is a way around it: %v", err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(r.Diagnostics(), func(d manifest.Diagnostic) bool { return d.Code == g.code }) {
		t.Errorf("the manifest does not tell of %s", g.code)
	}
	said := written(t, dir)
	for _, words := range split(g.has) {
		if !strings.Contains(said, words) {
			t.Errorf("the files do not hold %q", words)
		}
	}
	source := written(t, path)
	for _, words := range split(g.lacks) {
		words, unheard := strings.CutPrefix(words, "~")
		if !unheard && !strings.Contains(source, words) {
			t.Errorf("the session does not hold %q: that the files lack it says nothing", words)
		}
		if strings.Contains(said, words) {
			t.Errorf("the files hold %q", words)
		}
	}
}

// open opens a session in a file or folder.
func open(t *testing.T, path string) (*engine.Input, func() error) {
	t.Helper()
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return engine.Folder(path), func() error { return nil }
	}
	in, done, err := engine.OpenInput(path)
	if err != nil {
		t.Fatal(err)
	}
	return in, done
}

func split(words string) []string {
	return strings.FieldsFunc(words, func(r rune) bool { return r == '|' })
}

// written is all that an export's files hold.
func written(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		all.Write(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// TestTargetVerdicts are those of writing.md 5 that depend on the target.
func TestTargetVerdicts(t *testing.T) {
	want := map[string]map[string]string{
		"fx":         {"starts_with_assistant": "refuse", "missing_result": "never", "interrupted_turn": "never"},
		"cursor":     {"starts_with_assistant": "refuse"},
		"deepagents": {"inactive_branch": "refuse", "missing_result": "never"},
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
		if m.Write == nil {
			continue
		}
		expected := want[e.Name]
		if expected == nil {
			expected = map[string]string{}
		}
		if diff := cmp.Diff(expected, m.Write.Gate); diff != "" {
			t.Errorf("the gate of %s (-want +got):\n%s", e.Name, diff)
		}
	}
}
