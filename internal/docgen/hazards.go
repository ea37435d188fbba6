package docgen

// hazardDocs are the hazards that mappings and the engine note, with what each
// says about a session. A test holds it against the mappings.
var hazardDocs = []struct{ Code, Meaning string }{
	{"background_command", "A command went on running when its turn ended; what it printed later is not in the session."},
	{"code_mode", "A call is a program that called tools of its own; only its own output is a result."},
	{"compaction", "What was said up to here was replaced by a summary. The archive has both sides, as far as the file does; the active view has what is sent."},
	{"compaction_opaque", "The summary is in a form that only its provider can read: the conversation cannot go on elsewhere."},
	{"context_cleared", "The user cleared the context; the model sees nothing from before."},
	{"context_edit", "Entries were hidden or replaced after they were written: the model sees less, or something else."},
	{"document", "A document is a part of the conversation. Records do not carry it."},
	{"encrypted_reasoning", "Reasoning is signed or encrypted: only the provider that made it takes it back."},
	{"error_turn", "The provider failed in the middle of the session."},
	{"image", "An image is a part of the conversation. Records carry `[image]` in its place."},
	{"in_flight_call", "The session ends with a call that has no result."},
	{"inactive_branch", "Frames are in the file that the model is no longer sent: another branch, what a rewind or a compaction cut off."},
	{"interrupted_turn", "The user or the program stopped a turn before its end."},
	{"lineage_missing", "The session continues another one whose file is not at hand: its beginning is missing."},
	{"live_session", "The session is still in use: what was read may not be its end."},
	{"missing_result", "A call before the end has no result."},
	{"persisted_result", "A long result was stored elsewhere; the session holds its beginning or a reference, as the model saw it."},
	{"plan_mode", "The session was in a mode in which the model only plans. The mode itself is not carried."},
	{"pruned_result", "The model is sent a placeholder for an old result that the file still has."},
	{"queued_prompt", "A prompt was queued and never sent."},
	{"rewind", "The user went back: what came after is cut off or on another branch."},
	{"server_tool", "The provider ran a tool. Its call, and its result where there is one, look like those of any tool."},
	{"steering", "The user said something in the middle of a turn."},
	{"subagent", "A part of the work was done by another agent with a session of its own."},
	{"todos", "The program kept a list of tasks beside the conversation. The list itself is not carried."},
	{"truncated_result", "The program cut a result; the rest is nowhere."},
	{"uncertain_arguments", "The arguments of a call may not be what the model wrote."},
}
