package conformance

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/trajectory"
)

// The conversation that was held with every program: what the user typed, what the
// scripted model answered, and its calls, two of them side by side.
var scenario = struct {
	prompts, answers []string
	thought          string
	calls            []step
}{
	prompts: []string{
		"List the files, then read notes.txt and config.json. [[t1]]",
		"Write greeting.txt with a non-ASCII greeting, then show missing.txt. [[t2]]",
		"Print the numbers 1 to 2000. [[t3]]",
	},
	answers: []string{
		"I will look around first.",
		"There are two files: notes.txt lists alpha and beta; config.json sets port 8080.",
		"greeting.txt is written; missing.txt does not exist. «naïve café — 你好 🚀»",
		"Done: 2000 lines.",
	},
	thought: "I should look at the directory first.",
	calls: []step{
		{"list the files", []string{"ls -1"}, []string{"config.json\nnotes.txt"}},
		{"read notes.txt", []string{"notes.txt"}, []string{"alpha\n", "beta"}},
		{"read config.json", []string{"config.json"}, []string{`{"port": 8080}`}},
		{"write greeting.txt", []string{"greeting.txt", "naïve café — 你好 🚀"}, nil},
		{"show missing.txt", []string{"cat missing.txt"}, []string{"cat: missing.txt: No such file or directory"}},
		{"print numbers", []string{"seq 1 2000"}, []string{numbers}},
	},
}

// step is a call: what its arguments hold, and its result.
type step struct {
	name         string
	args, result []string
}

// numbers is what `seq 1 2000` prints, but for the last line's end.
var numbers = func() string {
	var b strings.Builder
	for n := range 2000 {
		fmt.Fprintln(&b, n+1)
	}
	return strings.TrimSuffix(b.String(), "\n")
}()

// played is a sample of the scenario. Programs differ in what they keep of it.
type played struct {
	sample
	long   int    // code points of the longest result, 8,893 of which seq printed
	sent   int    // and in the active view, where that has another text
	cut    string // what the program itself cut off from their beginning
	failed string // what the source states of the command that failed: false, true or nothing
	silent bool   // the reasoning is not kept
	mute   bool   // results are not kept
	boxed  bool   // results of commands are JSON objects that hold the text
}

var scenarios = []played{
	// The last line's end is cut off.
	{sample: sample{harness: "claude-code", path: "main/.claude/projects/*/*.jsonl"}, long: 8892, failed: "false"},
	// A header stands before what a command printed.
	{sample: sample{harness: "codex", path: "main/.codex/sessions/*/*/*/*.jsonl"}, long: 8998, failed: "false"},
	{sample: sample{harness: "pi", path: "agent/sessions/*/*.jsonl"}, long: 8893, failed: "false"},
	{sample: sample{harness: "omp", path: "agent/sessions/*/*.jsonl"}, long: 8918, failed: "false"},
	// That a command failed is no failure of the tool.
	{sample: sample{harness: "opencode", path: "main/exports/after-t3.json"}, long: 9014, cut: "1\n", failed: "true"},
	{sample: sample{harness: "gemini-cli", path: "main-after-t3/.gemini/tmp/project/chats/*33-de06ba1f.jsonl"}, long: 8964, failed: "true"},
	{sample: sample{harness: "copilot", path: "main/.copilot/session-state/*/events.jsonl"}, long: 8932, failed: "true"},
	{sample: sample{harness: "cline", path: "t3/.cline/data/sessions/*/*.messages.json"}, long: 8893, failed: "false"},
	{sample: sample{harness: "droid", path: ".factory/sessions/*/8770f141-*.jsonl"}, long: 8923, failed: "false"},
	{sample: sample{harness: "openhands", path: ".openhands/conversations/*"}, long: 8893, failed: "false"},
	{sample: sample{harness: "openhands", path: "3b0d1f6e9a7c4c52b1d0e8f7a6c5b4d3.events.json"}, long: 8893, failed: "false"},
	{sample: sample{harness: "fx", path: "schema1/.fx/sessions/*/session.json"}, long: 8893, failed: "false", silent: true},
	{sample: sample{harness: "fx", path: "schema1-exec3/.fx/sessions/*/session.json"}, long: 8893, failed: "false", silent: true},
	{sample: sample{harness: "fx", path: "schema4/.fx/sessions/trajmap-schema4"}, long: 8893, failed: "false", silent: true},
	{sample: sample{harness: "fx", path: "schema4/.fx/sessions/trajmap-schema4/session.json"}, long: 8893, failed: "false", silent: true},
	{sample: sample{harness: "fx", path: "schema4/.fx/sessions/trajmap-schema4/events.jsonl"}, long: 8893, failed: "false", silent: true},
	{sample: sample{harness: "cursor", path: "transcript/.cursor/projects/*/agent-transcripts/*/*.jsonl"}, silent: true, mute: true},
	{sample: sample{harness: "cursor", path: "transcript/shared-shape.jsonl"}, long: 8893, failed: "false"},
	{sample: sample{harness: "cursor", path: "minimal/.cursor/chats/*/*/store.db"}, long: 8893, failed: "false"},
	{sample: sample{harness: "cursor", path: "minimal/*.readout.json"}, long: 8893, failed: "false"},
	{sample: sample{harness: "cursor", path: "full/.cursor/chats/*/*/store.db"}, long: 8893, failed: "false"},
	{sample: sample{harness: "cursor", path: "full/.cursor/acp-sessions/*/store.db"}, long: 8893, failed: "false"},
	{sample: sample{harness: "cursor", path: "full/*.readout.json"}, long: 8893, failed: "false"},
	{sample: sample{harness: "letta-code", path: ".letta/transcripts/*/default/transcript.jsonl"}, long: 8893, failed: "false"},
	{sample: sample{harness: "letta-code", path: ".letta/lc-local-backend/conversations/ZGVm*/messages.jsonl"}, long: 8893, failed: "true"},
	{sample: sample{harness: "letta-code", path: ".letta/lc-local-backend/conversations/Y29u*MQ/messages.jsonl"}, long: 8893, failed: "true"},
	// What is sent begins with the exit code.
	{sample: sample{harness: "grok", path: "main/.grok/sessions/*/*/updates.jsonl"}, long: 8893, sent: 8901, failed: "false"},
	{sample: sample{harness: "grok", path: "main/.grok/sessions/*/01a22bff-*"}, long: 8893, sent: 8901, failed: "false"},
	{sample: sample{harness: "kimi", path: "kimi-cli/.kimi/sessions/*/*/context.jsonl"}, long: 8893, failed: "false"},
	{sample: sample{harness: "kimi", path: "kimi-code/.kimi-code/sessions/*/session_125719ee-*/agents/main/wire.jsonl"}, long: 8893, failed: "false"},
	{sample: sample{harness: "hermes", path: ".hermes/state.db", session: "20261005_080000_a1b2c3"}, long: 8893, boxed: true},
	{sample: sample{harness: "hermes", path: "*.export.json"}, long: 8893, boxed: true},
	{sample: sample{harness: "openclaw", path: "jsonl-*/agents/main/sessions/b1de057f-d684-4283-a8ee-4c6a5e738856.jsonl"}, long: 8892, failed: "true"},
	{sample: sample{harness: "openclaw", path: "sqlite-*/agents/main/agent/openclaw-agent.sqlite"}, long: 8892, failed: "true"},
	{sample: sample{harness: "deepagents", path: "constructed-sessions.db", session: "01a0c450-6c00-7123-8000-000000000001"}, long: 8893, failed: "false"},
	// The portable form has no status.
	{sample: sample{harness: "deepagents", path: "constructed-checkpoint.json"}, long: 8893, silent: true},
}

// TestScenario wants the same conversation from every harness, in both views.
func TestScenario(t *testing.T) {
	for _, s := range scenarios {
		for name, view := range views {
			t.Run(s.String()+"/"+name, func(t *testing.T) {
				session, err := s.read(t, view)
				if err != nil {
					t.Fatal(err)
				}
				said := map[string][]string{}
				var calls []int // their places in records
				for i, r := range session.Records {
					switch {
					case r.Name != "":
						calls = append(calls, i)
					case r.Role != trajectory.RoleMeta && r.Role != trajectory.RoleTool:
						said[r.Role] = append(said[r.Role], strings.TrimSpace(r.Content))
					}
				}
				want := map[string][]string{
					trajectory.RoleUser:      scenario.prompts,
					trajectory.RoleAssistant: scenario.answers,
					trajectory.RoleReasoning: {scenario.thought},
				}
				if s.silent {
					delete(want, trajectory.RoleReasoning)
				}
				if diff := gocmp.Diff(want, said); diff != "" {
					t.Errorf("messages (-scenario +ours):\n%s", diff)
				}
				if len(calls) != len(scenario.calls) {
					t.Fatalf("%d calls, want %d", len(calls), len(scenario.calls))
				}
				results, longest := 0, 0
				for n, want := range scenario.calls {
					call := session.Records[calls[n]]
					for _, part := range want.args {
						contains(t, want.name+": arguments", call.Args, part)
					}
					for i, r := range session.Records {
						if r.Role != trajectory.RoleTool || r.CallID != call.CallID {
							continue
						}
						results++
						content := r.Content
						if s.boxed {
							content = unboxed(content)
						}
						longest = max(longest, utf8.RuneCountInString(content))
						if i < calls[n] {
							t.Errorf("%s: the result comes before the call", want.name)
						}
						for _, part := range want.result {
							contains(t, want.name+": result", content, strings.TrimPrefix(part, s.cut))
						}
						if want.name == "show missing.txt" && ok(r.OK) != s.failed {
							t.Errorf("%s: ok is %q, want %q", want.name, ok(r.OK), s.failed)
						}
						if want.name != "show missing.txt" && ok(r.OK) == "false" {
							t.Errorf("%s: ok is false", want.name)
						}
					}
				}
				if want := len(calls); !s.mute && results != want || s.mute && results != 0 {
					t.Errorf("%d results", results)
				}
				long := s.long
				if view == engine.Active {
					long = cmp.Or(s.sent, long)
				}
				if longest != long {
					t.Errorf("the longest result has %d characters, want %d", longest, long)
				}
				if !slices.IsSortedFunc(session.Records, func(a, b engine.Record) int { return a.Time.Compare(b.Time) }) {
					t.Error("times run back")
				}
			})
		}
	}
}

func contains(t *testing.T, what, text, part string) {
	t.Helper()
	if !strings.Contains(text, part) {
		t.Errorf("%s of %d bytes without %.60q", what, len(text), part)
	}
}

// unboxed is the longest text in a JSON object; a result that is none is itself.
func unboxed(result string) string {
	var members map[string]any
	if json.Unmarshal([]byte(result), &members) != nil {
		return result
	}
	longest := ""
	for _, m := range members {
		if text, ok := m.(string); ok && len(text) > len(longest) {
			longest = text
		}
	}
	return cmp.Or(longest, result)
}

func ok(status *bool) string {
	if status == nil {
		return ""
	}
	return fmt.Sprint(*status)
}
