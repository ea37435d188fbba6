package normalize

// Kind says what an event is.
type Kind uint8

// The kinds of events.
const (
	User Kind = iota
	Assistant
	System
	Reasoning
	Observation
	ToolCall
	ToolResult
)

// Unit says what an event's offset counts.
type Unit uint8

// The units of offsets.
const (
	NoOffset Unit = iota
	Byte          // bytes from the start of the input
	Ordinal       // frames before this one
)

// Tri is a bool that may be unknown.
type Tri int8

// The values of Tri.
const (
	Unknown Tri = iota
	True
	False
)

// Event is one decoded happening of a session, in source order. Byte slices are
// "text" as package value defines it (the body of a JSON string in the form of
// JSON.stringify) unless said otherwise; they are only valid during the call
// that they are passed to. A nil slice is absent, an empty one is "".
type Event struct {
	Kind Kind
	Text []byte // content of a message, reasoning, observation or result

	CallID []byte // of a call and of a result
	Name   []byte // of a call
	Args   []byte // of a call: plain bytes, not text: JSON if the source has JSON
	IsJSON bool   // Args was printed from a JSON value and is an object
	OK     Tri    // of a result

	Resultless bool // of a call: it has no result by design, and is not open

	HasTime bool
	Time    int64 // ms since 1970, UTC
	Line    int   // of the input, 1-based; 0 when it has no lines
	Model   []byte

	Record     []byte // the source's own id of the native record
	Step       []byte // the model reply that the event belongs to
	Group      []byte // of a joined parent session; nil: the session's own
	Offset     int64
	OffsetUnit Unit
	HasSeq     bool
	Seq        int64
	Component  int // 0-based among the events of its native record
}
