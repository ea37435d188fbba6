package trajectory

// Hazards are the codes of what makes a session unsafe to carry on elsewhere as
// it is. Mappings note most of them, the engine the rest; a mapping may note
// others of its own.
var Hazards = []string{
	"background_command", "code_mode", "command_replay", "compaction", "compaction_opaque", "context_cleared", "context_edit",
	"document", "empty_session", "encrypted_reasoning", "error_turn", "image", "in_flight_call", "inactive_branch",
	"interrupted_turn", "lineage_missing", "live_session", "missing_result", "persisted_result", "plan_mode", "provider_replay",
	"pruned_result", "queued_prompt", "rewind", "secret", "server_tool", "starts_with_assistant",
	"steering", "subagent", "target_will_truncate", "todos", "truncated_result", "unanswered_prompt", "uncertain_arguments",
	"unmapped_frame", "unreadable_part", "virtual_files",
}
