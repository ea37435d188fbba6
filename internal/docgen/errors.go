package docgen

import (
	_ "embed"
	"strings"

	"github.com/trajmap/trajmap/engine/convert"
	"github.com/trajmap/trajmap/engine/diag"
	"github.com/trajmap/trajmap/engine/trajectory"
)

//go:embed errors.md
var errorsIntro string

// advice is what a code means and what to do about it.
type advice struct{ Code, Meaning, Do string }

// findingAdvice says what to do about a finding; what one means is in its own
// table.
var findingAdvice = map[string]string{
	diag.YAMLSyntax:   "The finding shows the place, and names the trap when an expression ran into YAML's syntax: put it in quotes.",
	diag.WrongForm:    "Write the form that the message names.",
	diag.UnknownKey:   "Correct the spelling; the hint has the nearest key.",
	diag.RepeatedKey:  "Join the two.",
	diag.MissingKey:   "Add it.",
	diag.Conflict:     "Make two steps, or put one inside the other with `do`.",
	diag.FoldedScalar: "Use `|` or quotes.",
	diag.YAMLTag:      "Put the whole expression in quotes.",
	diag.YAMLAlias:    "Write the part out.",
	diag.BadValue:     "Write it as the message shows.",
	diag.RepeatedName: "Rename one, or join the two.",

	diag.BadExpression: "Correct the name, or declare the field under `native` if it is there.",
	diag.NotBool:       "Compare: `x == true`, `x != null`.",
	diag.UnknownBlock:  "Correct the name, or declare the block under `blocks`.",
	diag.CyclicBlock:   "Take one `use` out.",
	diag.UnknownKind:   "Correct the kind, or declare it under `native`.",
	diag.NoDocument:    "Give the fact an aggregate: `first`, `last`, `any`, ….",
	diag.UnsaidKind:    "Add a rule for it, or put it under `ignored`.",

	diag.BadShape:     "Write the shape as [the language](mapping-language.md#what-is-known-of-a-format) has it.",
	diag.UnknownShape: "Correct the name, or declare it under `shapes`.",
	diag.CyclicShape:  "A shape may contain itself in a list or as a field, but cannot be itself.",

	diag.UnknownField: "Correct the path, or declare the field.",

	diag.UnreadFact:  "Take it out, or correct the name where it should be read.",
	diag.UnreadLet:   "Take it out, or correct the name where it should be read.",
	diag.UnusedBlock: "Take it out, or `use` it.",
	diag.DeadValue:   "Put the constant last.",
	diag.NoModeline:  "Begin the file with `# yaml-language-server: $schema=` and the schema's address.",
	diag.OpenKind:    "Add a rule for it, or put it under `ignored`.",
	diag.PathLikeLet: "Write `= NAME` for the value, or rename the `let`.",

	diag.TextLikeValue: "Write `= …` for the value; put a text that is meant so in quotes.",

	diag.GoldenDiffers: "Correct the mapping; or, when the new output is right, take it over with `trajmap test --update`.",
	diag.StepNeverRan:  "Add a case that runs it, or take the step out.",
	diag.OutOfRange:    "Widen the range: the session is the evidence.",
	diag.LowCoverage:   "Add cases for the steps that are named.",
	diag.NoCases:       "Add one: a folder with a session in it.",

	diag.UnmappedKind: "Add a rule for the kind, or ignore it: see [the tutorial](mapping-language.md#tutorial-the-format-changed).",
	diag.SchemaDrift:  "Declare it under `native`, and look whether a rule should read it.",
	diag.FailedValue:  "Guard the expression at the line that is named: `str(x)`, `list(x)`.",

	diag.BadRecord: "The program that wrote the record has to change.",
}

// diagnosticAdvice explains what a read goes on from. A test holds it against
// the contract's codes.
var diagnosticAdvice = []advice{
	{trajectory.InvalidJSONLine, "A line is not JSON; often the last one, cut off while it was written. The rest is read.", "Nothing, if it is the last line."},
	{trajectory.NonObjectJSONLine, "A line is JSON but no object. The rest is read.", "Nothing."},
	{trajectory.FrameTooLarge, "A frame is longer than the limit and was left out. The rest is read.", "Look at the line: a session does not hold such frames by itself."},
	{trajectory.UnreadableFile, "A file that belongs to the session is missing from its place, torn, a link, or cannot be opened; the message names it. The rest is read.", "Restore the file if there is a copy of it."},
	{trajectory.InjectedContextDropped, "The program put this text where the user's would be; it is left out of the archive.", "Nothing."},
	{trajectory.NoiseRecordDropped, "A message that the program wrote for its own screen was left out.", "Nothing."},
	{trajectory.SidechainRecordDropped, "A frame of a subagent inside its parent's file was left out.", "Nothing; read the subagent's own file for it."},
	{trajectory.InactiveBranchDropped, "In the active view: frames that the harness would not send any more were left out. The count says how many.", "Read the archive view for them."},
	{trajectory.ToolCallIDSynthesized, "A call has no id; it got `call_N`.", "Nothing."},
	{trajectory.DuplicateToolCallID, "Two calls share an id; the later one got `__2` at its end, and so on.", "Nothing."},
	{trajectory.OrphanToolResult, "A result whose call is not in the session was left out.", "Use `--partial` when the input is a fragment: then it is kept."},
	{trajectory.DuplicateToolResult, "A second result of one call was left out.", "Nothing."},
	{trajectory.UnknownToolName, "A call names no tool; it is `unknown_tool`.", "Nothing."},
	{trajectory.ToolArgumentsReshaped, "Arguments that are no JSON object were wrapped: `{\"_raw\": …}`.", "Nothing."},
	{trajectory.ToolArgumentsTruncated, "Arguments were longer than the bound and were shortened.", "`--max-args none` or `--unbounded` keeps them."},
	{trajectory.ToolResultTruncated, "A result was longer than the bound and was shortened.", "`--max-result none` or `--unbounded` keeps it."},
	{trajectory.TimestampsSynthesized, "The source has no times at all; they were made up.", "Do not rely on the times."},
	{trajectory.TimestampsInterpolated, "Some records have no time; theirs lie between those of their neighbours.", "Nothing."},
	{trajectory.UnmappedFrame, "The mapping does not know frames of this kind; they were left out.", "`trajmap drift`, then [change the mapping](mapping-language.md#tutorial-the-format-changed). `--strict` makes it an error."},
	{trajectory.ExpressionFailed, "An expression of the mapping met a value of the wrong type; its value is absent.", "Guard the expression at the line that is named."},
}

// errorAdvice explains what ends a read.
var errorAdvice = []advice{
	{trajectory.InvalidInput, "The input is not what the mapping reads, is empty, or an option makes no sense.", "Look at the message; `auto` finds the mapping by itself."},
	{trajectory.UnknownSource, "No mapping recognises the input.", "Name a mapping; `trajmap mappings` lists them."},
	{trajectory.MissingUserRecords, "The session holds nothing that a user said.", "Use `--partial` when that is right, as for a fragment."},
	{trajectory.MissingAssistantRecords, "The session holds nothing that a model said or did.", "Use `--partial` when that is right, as for a fragment."},
	{trajectory.InvalidTranscript, "The records would break the contract. No session should do that.", "Report it."},
	{trajectory.SourceGroupRequired, "Canonical rows need the id of their session, and the input does not say it, or names several.", "Give it with `--group`."},
	{trajectory.SourceGroupConflict, "`--group` contradicts the session's own id.", "Leave `--group` out, or correct it."},
	{trajectory.CheckpointDatabaseNotFound, "There is no database of checkpoints at this place.", "Correct the path."},
	{trajectory.CheckpointDatabaseUnreadable, "The file is no database, or has no tables of checkpoints.", "Look at the message; a copy must have its log (`-wal`) beside it."},
	{trajectory.CheckpointReadFailed, "The database could not be read to its end.", "Look at the message; try again when the program is not at work."},
	{trajectory.CheckpointNotFound, "The database holds no checkpoint, or none of the thread that was asked for.", "Take one of the threads that the message names."},
	{trajectory.CheckpointMessagesMissing, "The checkpoints of the thread hold no messages.", "Nothing: it is no conversation."},
	{trajectory.InvalidCheckpointState, "What a checkpoint holds contradicts itself or is not what the program writes.", "Report it, with the version of the program."},
}

// errorsPage is the page on all codes.
func errorsPage() []byte {
	var d doc
	d.printf("<!-- Generated from where the codes are declared: go generate ./... -->\n\n")
	d.printf("%s\n", errorsIntro)
	d.heading(2, "Findings")
	d.para("Of `check`, `test`, `drift` and `validate`: what is to be corrected in a file, with its place. A code never changes its meaning.")
	var rows [][]string
	for _, c := range diag.Codes() {
		rows = append(rows, []string{code(c.ID), prose(c.Doc), findingAdvice[c.ID]})
	}
	head := []string{"Code", "Meaning", "What to do"}
	d.table(head, rows)
	d.heading(2, "Diagnostics")
	d.para("Of `apply`: what a read noticed and went on from. They are on standard error, of each code and input the first 20 unless `--all-diagnostics` asks for more, or in the envelope with `--format json`. None holds a word of the transcript.")
	d.table(head, adviceRows(diagnosticAdvice))
	d.heading(2, "Errors")
	d.para("Of `apply`: what ended the read of a session. Other inputs of the command are still read; the exit code is 1.")
	d.table(head, adviceRows(errorAdvice))
	d.heading(2, "Hazards")
	d.para("What makes a session unsafe to carry on in another harness as it is. `apply --report` lists them with their count and first lines. " +
		"`in_flight_call`, `missing_result` and `inactive_branch` are noted for every harness, the others by [its mapping](harness). " +
		"What is said under *when converting* holds unless the source's or the target's page is stricter. All reasons of a refusal are told at once; `--cut-tail` leaves an unfinished end out, and with it " +
		"`in_flight_call`, `interrupted_turn`, `unanswered_prompt` and `live_session`.")
	rows = nil
	for _, h := range hazardDocs {
		v, _ := convert.VerdictOf(h.Code)
		rows = append(rows, []string{code(h.Code), h.Meaning, verdictDocs[v]})
	}
	d.table([]string{"Code", "Meaning", "When converting"}, rows)
	d.heading(2, "Notices of a conversion")
	d.para("Of `convert` and `handoff`: what was done to a session on the way, once for all its occurrences. They are on standard error, and under `diagnostics` in the manifest.")
	rows = nil
	for _, c := range convert.Notices() {
		rows = append(rows, []string{code(c), capital(convert.Describe(c)) + "."})
	}
	d.table(head[:2], rows)
	return []byte(strings.TrimRight(d.String(), "\n") + "\n")
}

// verdictDocs say what a conversion does about a hazard.
var verdictDocs = map[convert.Verdict]string{
	convert.Refuse: "refused, unless `--allow` names it",
	convert.Never:  "refused",
	convert.Carry:  "carried, with a notice",
	convert.Drop:   "left out, and counted",
}

func adviceRows(list []advice) (rows [][]string) {
	for _, a := range list {
		rows = append(rows, []string{code(a.Code), a.Meaning, a.Do})
	}
	return rows
}
