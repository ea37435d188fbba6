package convert

import (
	"slices"

	"github.com/trajmap/trajmap/engine/session"
)

// Allowable are the codes of what the gate refuses unless it is allowed.
func Allowable() []string {
	var codes []string
	for code, v := range verdicts {
		if v == Refuse || v == Carry {
			codes = append(codes, code)
		}
	}
	slices.Sort(codes)
	return codes
}

// Notices are the codes of what a conversion may do to a session, beside the
// hazards that it judges.
func Notices() []string {
	var codes []string
	for code := range descriptions {
		if _, hazard := verdicts[code]; !hazard {
			codes = append(codes, code)
		}
	}
	slices.Sort(codes)
	return codes
}

// Describe says in a sentence what a code of a finding or diagnostic means.
func Describe(code string) string {
	if d, ok := descriptions[code]; ok {
		return d
	}
	return "it is noted by the mapping of the source"
}

var descriptions = map[string]string{
	"empty_session":         "there is nothing to carry",
	"compaction":            "earlier parts are only there as a summary, which becomes what a user says",
	"compaction_opaque":     "earlier parts are only there in a form that nobody else can read",
	"inactive_branch":       "only the branch that was used last is carried",
	"rewind":                "what was taken back is left out",
	"lineage_missing":       "a session that this one continues, or a file that it names, is not there",
	"in_flight_call":        "the last calls have no result",
	"missing_result":        "calls have no result",
	"interrupted_turn":      "a turn was interrupted",
	"unanswered_prompt":     "the last prompt has no answer",
	"error_turn":            "a request failed; its prompt stays, without an answer",
	"starts_with_assistant": "the first word is the model's",
	"steering":              "the user spoke while the model was working",
	"queued_prompt":         "prompts that were never sent are left out",
	"image":                 "images stay behind",
	"document":              "documents stay behind",
	"subagent":              "of other agents only the call and its result are carried",
	"encrypted_reasoning":   "encrypted reasoning is left out",
	"truncated_result":      "results were cut when they were recorded",
	"persisted_result":      "results are in files beside the session; their preview is carried (--full-results carries them whole)",
	"pruned_result":         "results that the model was no longer sent are carried",
	"context_edit":          "the context was edited",
	"context_cleared":       "the context was cleared",
	"unmapped_frame":        "there are parts that the mapping does not know",
	"unreadable_part":       "parts cannot be read",
	"server_tool":           "calls that the provider ran are carried as calls",
	"code_mode":             "programs that called tools are carried as calls",
	"uncertain_arguments":   "arguments are not certain to be what the model wrote",
	"live_session":          "the session is being written to",
	"background_command":    "a command may still be running",
	"virtual_files":         "files that only the harness has stay behind",
	"plan_mode":             "the plan mode stays behind",
	"target_will_truncate":  "the target's program cuts what is so long when it sends it to a model, though the files have it whole",
	"todos":                 "the list of things to do stays behind",
	"secret":                "secrets stay behind",

	UntranslatedReasoning:   "reasoning of the model is not carried",
	UntranslatedSystem:      "system prompts are not carried: the target has its own",
	UntranslatedObservation: "what the harness itself noted is not carried",
	ArgumentsReencoded:      "the target keeps numbers in arguments as doubles, and some became others",
	CallsParted:             "which calls the model made at once is not told any more",
	ContinuationUnverified:  "nobody has seen yet that the target's model gets what was written",
	"texts_joined":          "texts that stood side by side became one",
	"result_status_assumed": "results of which nobody knows how they ended count as good",
	"result_status_lost":    "the target does not record whether a call went well",

	session.ToolCallIDRewritten: "ids of calls that not every wire takes were changed",
	session.ToolNameRewritten:   "names of tools that not every wire takes were changed",
	session.ResultSynthesized:   "calls without a result got one that says so",
	session.TextRepaired:        "half characters were replaced",
	session.TailCut:             "what follows the last complete turn is left out",
	session.RangeCut:            "turns that were not asked for are left out",
	session.Orphan:              "results without a call are left out",
	session.Duplicate:           "further results of a call are left out",
}
