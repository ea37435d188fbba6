package normalize

import (
	"time"

	"github.com/trajmap/trajmap/engine/trajectory"
	"github.com/trajmap/trajmap/engine/value"
)

// Type says which of the shapes of trajectory-v1 a record has.
type Type uint8

// The types of records.
const (
	MetaRecord Type = iota
	SystemRecord
	ObservationRecord
	UserRecord
	ReasoningRecord
	AssistantRecord
	CallRecord
	ResultRecord
)

var types = [...]struct{ name, role string }{
	MetaRecord:        {"meta", trajectory.RoleMeta},
	SystemRecord:      {"system", trajectory.RoleSystem},
	ObservationRecord: {"observation", trajectory.RoleObservation},
	UserRecord:        {"user", trajectory.RoleUser},
	ReasoningRecord:   {"reasoning", trajectory.RoleReasoning},
	AssistantRecord:   {"assistant", trajectory.RoleAssistant},
	CallRecord:        {"assistant-tool-call", trajectory.RoleAssistant},
	ResultRecord:      {"tool", trajectory.RoleTool},
}

// String is the type's name in the canonical view.
func (t Type) String() string { return types[t].name }

// Role is the record's role in trajectory-v1.
func (t Type) Role() string { return types[t].role }

// Record is one trajectory-v1 record and where it comes from. Byte slices are
// text as package value defines it; nil is absent.
type Record struct {
	Type  Type
	Index int // among the session's records, the meta record is 0

	Content []byte // of prose, reasoning, observations and results
	CallID  []byte // of a call and of a result
	Name    []byte // of a call
	Args    []byte // of a call: the text of a JSON object
	OK      Tri    // of a result
	// Resultless: of a call, it has no result by design.
	Resultless bool

	Time int64 // ms since 1970, UTC; the meta record has none

	Source    []byte // of the meta record
	Cwd       []byte // of the meta record
	GitBranch []byte // of the meta record
	Model     []byte // of the meta record; elsewhere what the event said

	HasSourceTime bool   // Time is the source's own
	ID            []byte // the source's own id of the native record
	Step          []byte // the model reply that the record belongs to
	Group         []byte // of a joined parent session; nil: the session's own
	Line          int    // of the input, 1-based; 0 when it has no lines
	Offset        int64
	OffsetUnit    Unit
	HasSeq        bool
	Seq           int64
	Component     int // among the events of its native record
	Ordinal       int // among those of the same kind
}

// AppendV1 appends the record as one JSON object, as JSON.stringify prints it.
func (r *Record) AppendV1(dst []byte) []byte {
	dst = append(dst, `{"role":"`...)
	dst = append(dst, r.Type.Role()...)
	switch r.Type {
	case MetaRecord:
		dst = appendField(dst, `","source":"`, r.Source)
		dst = appendOptional(dst, `","cwd":"`, r.Cwd)
		dst = appendOptional(dst, `","git_branch":"`, r.GitBranch)
		dst = appendOptional(dst, `","model":"`, r.Model)
		return append(dst, `"}`...)
	case CallRecord:
		dst = appendField(dst, `","content":null,"tool_calls":[{"id":"`, r.CallID)
		dst = appendField(dst, `","name":"`, r.Name)
		dst = appendField(dst, `","args":"`, r.Args)
		dst = append(dst, `"}],"timestamp":"`...)
	case ResultRecord:
		dst = appendField(dst, `","tool_call_id":"`, r.CallID)
		dst = appendField(dst, `","content":"`, r.Content)
		switch r.OK {
		case True:
			dst = append(dst, `","ok":true,"timestamp":"`...)
		case False:
			dst = append(dst, `","ok":false,"timestamp":"`...)
		default:
			dst = append(dst, `","timestamp":"`...)
		}
	default:
		dst = appendField(dst, `","content":"`, r.Content)
		dst = append(dst, `","timestamp":"`...)
	}
	dst = AppendTime(dst, r.Time)
	return append(dst, `"}`...)
}

func appendField(dst []byte, name string, text []byte) []byte {
	return append(append(dst, name...), text...)
}

func appendOptional(dst []byte, name string, text []byte) []byte {
	if len(text) == 0 {
		return dst
	}
	return appendField(dst, name, text)
}

// Decoded is a [Record] as Go values, free of the reader's buffers.
type Decoded struct {
	Type    Type
	Role    string
	Content string
	CallID  string
	Name    string
	Args    string // a JSON object
	OK      *bool
	Time    time.Time // zero for the meta record

	Source, Cwd, GitBranch, Model string

	ID, Step, Group string
}

// Decode copies the record out of the reader's buffers.
func (r *Record) Decode() Decoded {
	str := func(text []byte) string { return string(value.AppendDecoded(nil, text)) }
	d := Decoded{
		Type: r.Type, Role: r.Type.Role(), Content: str(r.Content),
		CallID: str(r.CallID), Name: str(r.Name), Args: str(r.Args),
		Source: str(r.Source), Cwd: str(r.Cwd), GitBranch: str(r.GitBranch), Model: str(r.Model),
		ID: str(r.ID), Step: str(r.Step), Group: str(r.Group),
	}
	if r.Type != MetaRecord {
		d.Time = time.UnixMilli(r.Time).UTC()
	}
	if r.OK != Unknown {
		ok := r.OK == True
		d.OK = &ok
	}
	return d
}
