// Package trajectory holds the words of the contract that every reader obeys:
// the trajectory-v1 record, the diagnostics that a read may give, and the codes
// of both. Its one work is to hold transcripts against that contract, in
// [Validator].
package trajectory

import "fmt"

// The roles of trajectory-v1 records.
const (
	RoleMeta        = "meta"
	RoleSystem      = "system"
	RoleObservation = "observation"
	RoleUser        = "user"
	RoleReasoning   = "reasoning"
	RoleAssistant   = "assistant"
	RoleTool        = "tool"
)

// Codes of diagnostics.
const (
	InvalidJSONLine        = "invalid_json_line"
	NonObjectJSONLine      = "non_object_json_line"
	FrameTooLarge          = "frame_too_large"
	UnreadableFile         = "unreadable_file"
	InjectedContextDropped = "injected_context_dropped"
	NoiseRecordDropped     = "noise_record_dropped"
	SidechainRecordDropped = "sidechain_record_dropped"
	InactiveBranchDropped  = "inactive_branch_dropped"
	ToolCallIDSynthesized  = "tool_call_id_synthesized"
	DuplicateToolCallID    = "duplicate_tool_call_id"
	OrphanToolResult       = "orphan_tool_result"
	DuplicateToolResult    = "duplicate_tool_result"
	UnknownToolName        = "unknown_tool_name"
	ToolArgumentsReshaped  = "tool_arguments_reshaped"
	ToolArgumentsTruncated = "tool_arguments_truncated"
	ToolResultTruncated    = "tool_result_truncated"
	TimestampsSynthesized  = "timestamps_synthesized"
	TimestampsInterpolated = "timestamps_interpolated"
	UnmappedFrame          = "unmapped_frame"
	ExpressionFailed       = "expression_failed"
)

// Codes of errors that end a read.
const (
	InvalidInput            = "invalid_input"
	UnknownSource           = "unknown_source"
	MissingUserRecords      = "missing_user_records"
	MissingAssistantRecords = "missing_assistant_records"
	InvalidTranscript       = "invalid_normalized_transcript"
	SourceGroupRequired     = "source_group_required"
	SourceGroupConflict     = "source_group_conflict"

	CheckpointDatabaseNotFound   = "checkpoint_database_not_found"
	CheckpointDatabaseUnreadable = "checkpoint_database_unreadable"
	CheckpointReadFailed         = "checkpoint_read_failed"
	CheckpointNotFound           = "checkpoint_not_found"
	CheckpointMessagesMissing    = "checkpoint_messages_missing"
	InvalidCheckpointState       = "invalid_checkpoint_state"
)

// A Diagnostic says what a read noticed and went on from. It never holds
// transcript content. Zero numbers are absent.
type Diagnostic struct {
	Code        string `json:"code"`
	Message     string `json:"message"`
	InputLine   int    `json:"inputLine,omitempty"`   // 1-based
	RecordIndex int    `json:"recordIndex,omitempty"` // 1 + body records emitted before
	Count       int    `json:"count,omitempty"`
}

// An Error ended a read. Callers decide on Code.
type Error struct {
	Code    string
	Message string
	Line    int // of the input, 1-based; 0 where no line is at fault
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

// Errorf makes an [Error].
func Errorf(code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}
