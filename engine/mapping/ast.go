package mapping

import (
	"github.com/trajmap/trajmap/engine/expr"
	"github.com/trajmap/trajmap/engine/shape"
)

// Pos is a place in a mapping's file, both numbers 1-based.
type Pos struct{ Line, Col int }

// Mapping is a checked mapping. It is immutable and safe for concurrent use.
type Mapping struct {
	File    string
	SHA256  string // of the file, in hexadecimal
	Version string // "v1"
	Harness string
	Title   string
	Aliases []string
	Source  string // of the meta record; Harness when the file says nothing
	Notes   []string
	// GroupRequired: a session's rows need a group; there is no default one.
	GroupRequired bool
	Blocks        []*NamedBlock
	Formats       []*Format // `read`, in order
	Write         *Write    // nil: sessions of this harness are only read
	Resume        *Resume
	Stores        []*Store
	Steps         []*Step // every step of the mapping, by Step.ID

	Unchecked Unchecked
}

// Unchecked is what was not held against a native schema.
type Unchecked struct {
	Paths   int      // paths of the kind that only GJSON understands
	Formats []string // formats without a schema of their frames
}

// NamedBlock is an entry of `blocks`.
type NamedBlock struct {
	Pos  Pos
	Name string
	Doc  string
	*Block
}

// Format is one generation or storage form.
type Format struct {
	Pos      Pos
	Name     string
	Doc      string
	Versions Versions
	File     string // that it reads, of a session that has several; "" is the input
	View     View   // that it is for, when another format reads the other
	Detect   *Value // bool, on a frame
	Refuse   string // why inputs of this format are not read; Block is nil then
	Frames   Frames
	Files    []*FileRef
	Beside   []string // patterns of further files, see [FileRef]
	Expand   []*Value // lists in a frame that are further frames after it
	Key      *Value
	Upsert   bool
	Order    *Value
	Session  []*Fact // with the mapping's own
	Once     []*Step // on the document, once
	Event    EventDefaults
	Adopt    bool // `adopt_call_ids`
	Active   *Active
	Join     *Join
	With     *Value // `it` of the block; the frame when nil
	Block    *Block
	Lets     int // places that [expr.Scope.Lets] needs

	Native  *Native // nil: nothing is checked
	Version string  // dotted path of the program's version, see [Native]
}

// Frames says how the input is cut.
type Frames struct {
	Pos     Pos
	Lines   bool     // jsonl
	JSON    []string // dotted paths to the list of frames; "@this" is the root
	Files   string   // glob beside or below the input
	SQLite  *Queries
	Linked  *Linked
	Handler string
}

// FileRef is a JSON file beside the input. In its path {name} is the input's name
// up to its first dot, and {folder} the name of the folder that it is in.
type FileRef struct {
	Name, Path string
	Pos        Pos
}

// Versions is a range such as ">=0.9 <0.146"; the zero value is all versions.
type Versions struct {
	Since string // first version that has it
	Until string // last version that has it, or the first without it when Below
	Below bool
}

// Aggregate says how a fact comes from many frames.
type Aggregate uint8

// The aggregates.
const (
	Bare Aggregate = iota // evaluated once, with `it` the document
	AnyOf
	Count
	First
	Last
	Only
	Most
	Earliest
	MapOf
)

// Fact is a session fact. Its number is its place in Format.Session, which is the
// same in every format that has a fact of this name. In the place of a fact that
// only other formats have stands one without a name or value that is never noted.
type Fact struct {
	Pos   Pos
	Name  string
	Agg   Aggregate
	Value *Value // of AnyOf and Count: the condition, statically bool
	Key   *Value // of MapOf
	Of    string // file beside the input whose items are looked at; "" is the frames
	On    []string
	If    *Value // statically bool; nil is true

	// Stage is 0 for a fact that reads no other, else one more than the highest of
	// those that it reads: they must be complete before it is gathered. What is
	// stated beforehand only counts for facts that are stated too.
	Stage int
}

// Stated reports whether a fact needs no frames.
func (f *Fact) Stated() bool { return f.Agg == Bare || f.Of != "" }

// EventDefaults are evaluated on the frame, for each of its events.
type EventDefaults struct {
	Record, Time, Model, Step *Value // nil is absent
	Sequence                  *Value
	Monotonic                 bool
}

// Block looks at the kind of `it` and runs what is said for it.
type Block struct {
	Pos      Pos
	Before   []*Step
	Kind     *Value // nil when the block only has Do
	Rules    []*Rule
	Ignored  []*Ignored
	Unmapped string // diagnostic code, "unmapped_frame" unless said otherwise
	Do       []*Step

	Table map[string]*Rule // Rules by kind
}

// Rule is what happens for some kinds.
type Rule struct {
	Pos      Pos
	Doc      string
	Kinds    []string
	Steps    []*Step
	Versions Versions
}

// Ignored is a kind that is known and carries nothing: exact, or "prefix.*".
type Ignored struct {
	Pos    Pos
	Kind   string
	Prefix bool // Kind is a prefix
}

// Verb is what a step does.
type Verb uint8

// The verbs.
const (
	Nothing    Verb = iota
	Message         // Event
	ToolCall        // Event
	ToolResult      // Event
	With            // Value, Block
	Each            // Value, Block
	Do              // Block: steps or a block alone
	Drop            // Code
	Ignore          // Code: the reason
	Hazard          // Code
)

// View limits a step to one view.
type View uint8

// The views.
const (
	AnyView View = iota
	Archive
	ActiveView
)

// Step is one step of a rule.
type Step struct {
	ID       int // place in Mapping.Steps
	Pos      Pos
	View     View
	Versions Versions
	Lets     []*Let
	If       *Value // statically bool; nil is true
	Verb     Verb
	Event    *Event
	Value    *Value
	Block    *Block
	Code     string
	Verdict  string // of Hazard: "refuse" or "never" where it is more than the general one
	Count    *Value // of Drop
	Join     *Value // nil: no; pieces of one message or call have it in common
}

// Let names a value for its step. Slot is its place in expr.Scope.Lets.
type Let struct {
	Pos   Pos
	Name  string
	Slot  int
	Value *Value
}

// Event is what a step emits. A nil value is absent; Record, Time, Model and
// Step stand for the format's defaults when nil.
type Event struct {
	Role       string // "user", "assistant", "system", "reasoning", "observation"; "" when RoleOf says
	RoleOf     *Value
	Content    *Value
	ID         *Value // of a call
	Name       *Value
	Args       *Value
	Resultless *Value // bool, of a call: it has no result by design; nil is false
	Call       *Value // of a result: the call's id
	OK         *Value
	Full       *Full // of a result; nil: it is all there
	Record     *Value
	Time       *Value
	Model      *Value
	Step       *Value
	Sequence   *Value
	Component  *Value
}

// Full is a file that has the whole text of a result.
type Full struct {
	Name *Value   // or its path, of which the last name counts
	In   []string // patterns of folders, see [Format.Beside]
}

// Value is anything that a mapping computes: a path, an expression, a constant,
// alternatives, or (for `args`) an object of values.
type Value struct {
	Pos    Pos
	Source string // as written; for alternatives the first
	Prog   *expr.Program
	Object []*Member // set: an object; Prog is nil
}

// Member is a member of a Value that is an object.
type Member struct {
	Name  string
	Value *Value
}

// Active says what the harness itself would send to the model next.
type Active struct {
	Pos   Pos
	Tree  *Tree
	Edits []*Edit
}

// Tree selects one branch.
type Tree struct {
	Pos     Pos
	ID      *Value
	Parent  *Value
	Nodes   *Value // bool; nil: every frame with an id
	Leaf    *Value // id of the leaf, when the session says it; not on a frame
	LeafIf  *Value // bool; nil is true
	Tip     bool   // the leaf is the last frame that no other names as its parent
	Linear  bool   // a frame that names no parent hangs under the one before it
	With    *Value
	Pointer *Pointer
	Repair  *Repair
}

// Pointer is a frame that names the leaf.
type Pointer struct {
	Pos   Pos
	On    []string
	Leaf  *Value
	Exact *Value // nil: never
}

// Repair gives a frame whose parent is not in the input a parent: the frame
// written last before it, when at most Within ms earlier and with an equal Same.
type Repair struct {
	Pos    Pos
	Time   *Value
	Within int64
	Same   *Value // nil: no condition
}

// EditVerb is what an edit does to the list of frames so far.
type EditVerb uint8

// The edits.
const (
	Reset EditVerb = iota
	Undo
	Cut
	Hide
	End
	Amend // the frame with the id given is read with this frame as `amendment`
)

// Edit changes the list of active frames.
type Edit struct {
	Pos   Pos
	On    []string
	If    *Value
	Verb  EditVerb
	Value *Value // Undo: count; Cut, Amend: id; Hide: ids

	// of Reset; at most one of the first four
	Keep, KeepFrom *Value
	KeepAfter      *Value // number of frames that go
	KeepIf         *Value
	KeptAfter      bool

	Place *Value // of Undo, Cut, Hide and Amend: how many frames stand before this one
	Among *Value // bool: the frames that Place and KeepAfter count; nil is all

	Hazard string // noted when the edit acts; "" is none
}

// Join names the session that an input continues, in another file: its frames,
// up to an offset, come before the input's own.
type Join struct {
	Pos     Pos
	On      []string
	Session *Value   // id of the parent session, on a frame of kind On
	Until   *Value   // bytes of the parent that belong to it; nil: all
	Find    []string // globs relative to the input's folder; {session} is the id
	Missing string   // hazard when it cannot be found
}

// Native is what a mapping knows of a harness's frames.
type Native struct {
	Frame *shape.Shape
	Doc   *shape.Shape // the document around the frames
	Since []*Range
	Until []*Range
}

// Range is evidence that a kind or field occurs from or up to a version.
type Range struct {
	Pos     Pos
	Path    string // kind path, "message/image", or path of a field
	Version string
}
