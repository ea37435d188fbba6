package diag

// The codes of findings. A code never changes its meaning and is never used
// again for another.
const (
	YAMLSyntax   = "TM0101"
	WrongForm    = "TM0102"
	UnknownKey   = "TM0103"
	RepeatedKey  = "TM0104"
	MissingKey   = "TM0105"
	Conflict     = "TM0106"
	FoldedScalar = "TM0107"
	YAMLTag      = "TM0108"
	YAMLAlias    = "TM0109"
	BadValue     = "TM0110"
	RepeatedName = "TM0111"

	BadExpression = "TM0201"
	NotBool       = "TM0202"
	UnknownBlock  = "TM0203"
	CyclicBlock   = "TM0204"
	UnknownKind   = "TM0205"
	NoDocument    = "TM0206"
	UnsaidKind    = "TM0207"

	BadShape     = "TM0301"
	UnknownShape = "TM0302"
	CyclicShape  = "TM0303"
	UnknownField = "TM0304"

	UnreadFact  = "TM0401"
	UnreadLet   = "TM0402"
	UnusedBlock = "TM0403"
	DeadValue   = "TM0404"
	NoModeline  = "TM0405"
	OpenKind    = "TM0406"
	PathLikeLet = "TM0407"

	TextLikeValue = "TM0408"

	GoldenDiffers = "TM0501"
	StepNeverRan  = "TM0502"
	OutOfRange    = "TM0503"
	LowCoverage   = "TM0504"
	NoCases       = "TM0505"

	UnmappedKind = "TM0601"
	SchemaDrift  = "TM0602"
	FailedValue  = "TM0603"

	BadRecord = "TM0701"
)

// Code is a row of the table of codes.
type Code struct {
	ID  string
	Doc string // one sentence: what a finding with this code means
}

// Codes is the table of all codes, in order.
func Codes() []Code {
	return []Code{
		{YAMLSyntax, "The file is not valid YAML."},
		{WrongForm, "A value has the wrong form: a list, a map, a text or a flag where another is needed."},
		{UnknownKey, "A key that the mapping language does not know at this place."},
		{RepeatedKey, "A key stands twice in the same map."},
		{MissingKey, "A key that must be there is missing."},
		{Conflict, "Keys that exclude each other stand together, such as two verbs in one step."},
		{FoldedScalar, "A folded text (>) holds an expression: its positions are lost, so it is not allowed."},
		{YAMLTag, "A value begins with ! and was taken for a YAML tag."},
		{YAMLAlias, "An alias contains itself, or aliases multiply the file beyond bounds."},
		{BadValue, "A name, range, duration or other small value is not written as it must be."},
		{RepeatedName, "A name or kind is declared twice."},

		{BadExpression, "An expression or path does not compile: syntax, unknown name or field, or wrong type."},
		{NotBool, "A condition is not statically true or false."},
		{UnknownBlock, "`use` names a block that does not exist."},
		{CyclicBlock, "A block contains itself."},
		{UnknownKind, "A rule handles a kind that does not occur: the native schema does not have it, or what the rule goes by is never that."},
		{NoDocument, "A fact without an aggregate reads the document, but the format has none."},
		{UnsaidKind, "A step or form that writes goes by a kind and leaves out one that occurs: a session with it could not be written."},

		{BadShape, "A native shape is not written as it must be."},
		{UnknownShape, "A native shape refers to a name that `shapes` does not have."},
		{CyclicShape, "A native shape consists of itself."},
		{UnknownField, "`version`, `since` or `until` names a field that the native schema does not have."},

		{UnreadFact, "A session fact is computed and nobody reads it."},
		{UnreadLet, "A `let` value is named and nobody reads it."},
		{UnusedBlock, "A block is declared and nobody uses it."},
		{DeadValue, "An alternative stands after a constant and can never be reached."},
		{NoModeline, "The file does not tell editors its schema."},
		{OpenKind, "The native schema has a kind that no rule handles and that is not ignored: its frames are unmapped."},
		{PathLikeLet, "A path has the name of a `let` value: it reads a field of `it`, not that value."},
		{TextLikeValue, "A text in a template looks like an expression or a form that lacks something: it is written as it stands."},

		{GoldenDiffers, "A golden case does not give what it is expected to give."},
		{StepNeverRan, "No golden case runs a step of the mapping."},
		{OutOfRange, "A rule, step, kind or field occurs in a version that the mapping says does not have it."},
		{LowCoverage, "The golden cases run fewer of the mapping's steps than was asked for."},
		{NoCases, "A mapping has no golden cases."},

		{UnmappedKind, "An input holds frames of a kind that has no rule and is not ignored."},
		{SchemaDrift, "An input departs from the native schema: a new kind or key, another type, a missing field."},
		{FailedValue, "An expression of the mapping met a value of the wrong type."},

		{BadRecord, "A record breaks the schema of trajectory-v1 or the contract."},
	}
}
