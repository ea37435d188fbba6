package conformance

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/trajmap/trajmap/engine"
)

// hazardous are the samples that were made for what they show, with the hazards
// of the archive and, where those are others, of the active view: codes, in
// alphabetical order, with the lines where the format has any.
var hazardous = []struct {
	harness, path   string // path, with # and the session's id where a file has several
	archive, active string
}{
	// The output was stored in a file, and cut.
	{"claude-code", "edge/.claude/projects/*/00a5a2b4-*.jsonl", "persisted_result:24", ""},
	{"claude-code", "edge/.claude/projects/*/11111111-2222-4333-8444-555555555555.jsonl", "interrupted_turn:29", ""},
	// Killed during a call; the resume gave it a result.
	{"claude-code", "edge/before-resume/*.jsonl", "in_flight_call:22", ""},
	{"claude-code", "edge/.claude/projects/*/11111111-2222-4333-8444-666666666666.jsonl", "interrupted_turn:27", ""},
	{"claude-code", "edge/.claude/projects/*/163429fb-*.jsonl", "compaction:40,41 encrypted_reasoning:21", "compaction:41 inactive_branch:3"},
	{"claude-code", "edge/.claude/projects/*/2150b5d1-*.jsonl", "error_turn:31", ""},
	{"claude-code", "edge/.claude/projects/*/5acad607-*.jsonl", "", ""}, // a tool that does not exist
	{"claude-code", "edge/.claude/projects/*/95015be2-*.jsonl", "", ""}, // an edit
	{"claude-code", "edge/.claude/projects/*/a7ac3caa-*.jsonl", "image:24", ""},
	{"claude-code", "edge/.claude/projects/*/cc19e7ba-*.jsonl", "subagent:22,35", ""},
	{"claude-code", "edge/.claude/projects/*/cc19e7ba-*/subagents/*.jsonl", "encrypted_reasoning:13", ""},
	{"claude-code", "edge/.claude/projects/*/d45bd2cd-*.jsonl", "", ""}, // a fork, with copies of all rows
	{"claude-code", "edge/.claude/projects/*/e1f2c038-*.jsonl", "image:3", ""},
	{"claude-code", "edge/.claude/projects/*/fa563c9a-*.jsonl", "", ""}, // a denied call has a result

	{"claude-code", "v1.0.128/.claude/projects/*/1702aa20-*.jsonl", "encrypted_reasoning:2", ""},

	{"codex", "v0.21.0-flat/.codex/sessions/*/*/*/*.jsonl", "encrypted_reasoning:6", ""},
	{"codex", "v0.44.0/.codex/sessions/*/*/*/*.jsonl", "encrypted_reasoning:10", ""},
	{"codex", "v0.118.0/.codex/sessions/*/*/*/*.jsonl", "encrypted_reasoning:10", ""},
	{"codex", "fork/.codex/sessions/*/*/*/*10-26-23*.jsonl", "encrypted_reasoning:11", ""},
	{"codex", "compact/.codex/sessions/*/*/*/*.jsonl", "compaction:26", "compaction:26 inactive_branch:8"},
	{"codex", "error/.codex/sessions/*/*/*/*.jsonl", "error_turn:10", ""},
	{"codex", "fork/.codex/sessions/*/*/*/*10-27-08*.jsonl", "encrypted_reasoning", ""}, // in the parent
	{"codex", "image/.codex/sessions/*/*/*/*.jsonl", "image:8", ""},
	{"codex", "interrupt/.codex/sessions/*/*/*/*.jsonl", "in_flight_call:12 interrupted_turn:15", ""},
	{"codex", "interrupt_resumed/.codex/sessions/*/*/*/*.jsonl", "interrupted_turn:15 missing_result:12", ""},
	{"codex", "killed/.codex/sessions/*/*/*/*.jsonl", "in_flight_call:12", ""},
	{"codex", "sub/.codex/sessions/*/*/*/*10-30-41*.jsonl", "subagent:10", ""},
	{"codex", "sub/.codex/sessions/*/*/*/*10-30-42*.jsonl", "subagent:1", ""},

	{"pi", "extra/attach/*.jsonl", "image:5", ""},
	{"pi", "extra/branch/*10-17-56*.jsonl", "rewind:11", "inactive_branch:7 rewind:11"},
	{"pi", "extra/branch/*10-18-05*.jsonl", "", ""}, // a fork, with copies of all entries
	{"pi", "extra/compact/*.jsonl", "compaction:9", "compaction:9 inactive_branch:5"},
	{"pi", "extra/deny/*.jsonl", "", ""},
	{"pi", "extra/err/*.jsonl", "error_turn:6", ""},
	{"pi", "extra/img/*.jsonl", "image:7", ""},
	{"pi", "extra/interrupt/*.jsonl", "interrupted_turn:6,10", ""},
	{"pi", "extra/killed/*.jsonl", "in_flight_call:6", ""},

	{"pi", "written/aborted.jsonl", "interrupted_turn:3", ""},
	{"pi", "written/branch.jsonl", "", "inactive_branch:3"},
	{"pi", "written/bsummary.jsonl", "rewind:4", "inactive_branch:3 rewind:4"},
	{"pi", "written/compaction.jsonl", "compaction:6", "compaction:6 inactive_branch:2"},
	{"pi", "written/edit.jsonl", "context_edit:4", ""},
	{"pi", "written/foreign-model.jsonl", "encrypted_reasoning:3", ""},
	{"pi", "written/noparent.jsonl", "", "inactive_branch:2"},
	{"pi", "written/orphan.jsonl", "in_flight_call:3", ""},

	{"omp", "extra/big/*.jsonl", "persisted_result:8", ""},
	{"omp", "extra/branch/*10-52-09*.jsonl", "compaction:10", "compaction:10 inactive_branch:5"},
	{"omp", "extra/branch/*10-52-15*.jsonl", "compaction:10", "compaction:10 inactive_branch:5"},
	{"omp", "extra/compact/*.jsonl", "compaction:9", "compaction:9 inactive_branch:5"},
	{"omp", "extra/err/*.jsonl", "error_turn:6", ""},
	{"omp", "extra/img/*.jsonl", "image:8", ""},
	{"omp", "extra/interrupt/*.jsonl", "interrupted_turn:6,11", ""},
	{"omp", "extra/killed/*.jsonl", "in_flight_call:6", ""},
	{"omp", "extra/sub/*.jsonl", "subagent:6", ""},

	{"omp", "written/o-reset.jsonl", "context_cleared:4", "context_cleared:4 inactive_branch:2"},
	{"omp", "written/o-reset.after-resume.jsonl", "context_cleared:4", "context_cleared:4 inactive_branch:2"},
	{"omp", "written/orphan.after-resume.jsonl", "missing_result:3", ""},

	{"opencode", "main/.local/share/opencode/opencode.db", "persisted_result", ""},
	{"opencode", "extras/exports/compaction.json", "compaction", "compaction inactive_branch"},
	{"opencode", "extras/exports/denied.json", "", ""},
	{"opencode", "extras/exports/error.json", "error_turn", ""},
	{"opencode", "extras/exports/fork.json", "", ""},
	{"opencode", "extras/exports/image.json", "image", ""},
	{"opencode", "extras/exports/interrupted.json", "interrupted_turn", ""},
	{"opencode", "extras/exports/rewind-pending.json", "rewind", "inactive_branch rewind"},
	{"opencode", "extras/exports/rewind.json", "", ""}, // what was cut off has been deleted
	{"opencode", "extras/exports/shell.json", "", ""},
	{"opencode", "extras/exports/subagent.json", "subagent", ""},
	{"opencode", "extras/exports/subagent-child.json", "subagent", ""},

	// The error is told by a list that no longer has the prompt.
	{"gemini-cli", "edge/.gemini/tmp/project/chats/*07de8804.jsonl", "", "inactive_branch:3"},
	{"gemini-cli", "edge/.gemini/tmp/project/chats/*1be62b8f.jsonl", "", ""}, // the tool was not offered
	{"gemini-cli", "edge/.gemini/tmp/project/chats/*9e180da0.jsonl", "", ""}, // the killed call is not in the file
	{"gemini-cli", "edge/.gemini/tmp/project/chats/*e3fd22b8.jsonl", "image:7", ""},

	{"copilot", "extras/.copilot/session-state/*0001/events.jsonl", "image:3", ""},
	{"copilot", "extras/.copilot/session-state/*0002/events.jsonl", "error_turn:6", ""},
	{"copilot", "extras/.copilot/session-state/*0003/events.jsonl", "", ""}, // denied
	{"copilot", "extras/.copilot/session-state/*0004/events.jsonl", "subagent:8", ""},
	{"copilot", "extras/.copilot/session-state/*0005/events.jsonl", "in_flight_call:6 interrupted_turn:9", ""},
	{"copilot", "extras/.copilot/session-state/*0006/events.jsonl", "compaction:25", "compaction:25 inactive_branch:6"},

	{"cline", "compaction-sidecar/.cline/data/sessions/*/*.messages.json", "compaction", "compaction inactive_branch"},
	{"cline", "denied-tool/.cline/data/sessions/*/*.messages.json", "", ""},
	{"cline", "image/.cline/data/sessions/*/*.messages.json", "", ""}, // the picture is in no file
	{"cline", "interrupted/.cline/data/sessions/*/*.messages.json", "interrupted_turn", ""},
	{"cline", "provider-error/.cline/data/sessions/*/*.messages.json", "error_turn", ""},
	{"cline", "subagent/.cline/data/sessions/*/1796034320225_egZjB_cli.messages.json", "subagent", ""},
	{"cline", "subagent/.cline/data/sessions/*/agent_*.messages.json", "subagent", ""},

	{"droid", ".factory/sessions/*/2a71a2ac-*.jsonl", "error_turn:5", ""},

	// A rejected and a failed call have results, a condensation, a pause, an open call.
	{"openhands", "hazards.events.json", "compaction in_flight_call interrupted_turn uncertain_arguments", "compaction in_flight_call inactive_branch interrupted_turn uncertain_arguments"},

	{"fx", "schema2/.fx/sessions/*/session.json", "background_command compaction in_flight_call interrupted_turn", ""},
	{"fx", "schema4/.fx/sessions/trajmap-schema4-hazards", "compaction:4 in_flight_call:6 interrupted_turn:8 steering:7", "compaction:4 in_flight_call:6 inactive_branch:1 interrupted_turn:8 steering:7"},

	// What is sent has lines of its own: it is another file.
	{"grok", "fork/.grok/sessions/*/01a22bff-646c-*", "", ""}, // with copies of all rows
	{"grok", "error/.grok/sessions/*/01a22bff-*", "error_turn:3", "error_turn:4"},
	{"grok", "image/.grok/sessions/*/01a22bff-*", "image:4", "none"}, // a text is sent in its place
	{"grok", "deny/.grok/sessions/*/01a22bff-*", "", ""},
	// The program died before the model answered to its news of the subagent.
	{"grok", "sub/.grok/sessions/*/01a22bff-bda4-*", "subagent:4", "subagent:5"},
	{"grok", "sub/.grok/sessions/*/01a22bff-c29d-*", "", ""},
	{"grok", "compact/.grok/sessions/*/01a22c00-*", "compaction:8", "compaction:4"},
	{"grok", "interrupt/.grok/sessions/*/01a22c00-*", "in_flight_call:3 interrupted_turn:1", "in_flight_call:5 interrupted_turn:4"},
	{"grok", "interrupt_resumed/.grok/sessions/*/01a22c00-*", "interrupted_turn:4 missing_result:3", "interrupted_turn:7"},

	{"kimi", "kimi-code/.kimi-code/sessions/*/session_66df12f6-*/agents/main/wire.jsonl", "", ""}, // a fork
	{"kimi", "kimi-code/.kimi-code/sessions/*/session_ca5f3bfc-*/agents/main/wire.jsonl", "subagent:19", ""},
	{"kimi", "kimi-code/.kimi-code/sessions/*/session_ee62b179-*/agents/main/wire.jsonl", "error_turn:18", ""},

	{"hermes", ".hermes/state.db#20261005_080000_a1b2c3", "rewind", ""},
	{"hermes", ".hermes/state.db#20261005_090000_c0ffee", "compaction", ""}, // it goes on in the next
	{"hermes", ".hermes/state.db#20261005_093000_c0ffef", "compaction", ""},
	{"hermes", ".hermes/state.db#20261005_100000_1mage0", "image", ""},
	{"hermes", ".hermes/state.db#20261005_103000_1d1e55", "", ""}, // calls without ids

	{"cursor", "hazards/compaction.db", "compaction", ""},
	{"cursor", "hazards/pending-call.db", "in_flight_call", ""},
	{"cursor", "hazards/subagent.db", "subagent", ""},
	{"cursor", "hazards/unknown-field.db", "unmapped_frame", ""},

	// Removed and overwritten messages, a sibling, a subagent, and writes not yet applied.
	{"deepagents", "constructed-sessions.db#01a0c451-f2a0-7123-8000-000000000002", "inactive_branch live_session subagent", ""},
	{"deepagents", "constructed-sessions.db#01a0c453-7940-7123-8000-000000000003", "compaction", ""},
	{"deepagents", "letta-checkpoint.db#thread-123", "live_session", ""},
	{"deepagents", "letta-checkpoint.db#thread-basic", "", ""},
	{"deepagents", "letta-checkpoint.db#thread-overwrite", "compaction live_session", ""},

	{"letta-code", ".letta/lc-local-backend/conversations/Y29u*Mg/messages.jsonl", "", ""}, // prompts without answers
}

func TestHazards(t *testing.T) {
	for _, h := range hazardous {
		for name, view := range views {
			path, session, _ := strings.Cut(h.path, "#")
			s := sample{harness: h.harness, path: path, session: session}
			t.Run(s.String()+"/"+name, func(t *testing.T) {
				want := h.archive
				if view == engine.Active && h.active != "" {
					want = strings.TrimPrefix(h.active, "none")
				}
				read, err := s.read(t, view)
				if err != nil {
					t.Fatal(err)
				}
				var got []string
				for _, z := range read.Hazards {
					lines := strings.ReplaceAll(strings.Trim(fmt.Sprint(z.Lines), "[]"), " ", ",")
					got = append(got, strings.TrimSuffix(z.Code+":"+lines, ":"))
				}
				slices.Sort(got)
				if got := strings.Join(got, " "); got != want {
					t.Errorf("hazards %q, want %q", got, want)
				}
			})
		}
	}
}
