package agentkv

import (
	"fmt"
	"strings"
	"sync"

	"github.com/jhump/protoreflect/desc"
	"github.com/jhump/protoreflect/desc/protoparse"
	"github.com/jhump/protoreflect/dynamic"

	"github.com/trajmap/trajmap/descriptors"
)

// messageType is what the descriptors say of a message.
type messageType struct {
	name     string
	fields   []*fieldType // as declared
	byNumber map[int32]*fieldType
	reserved [][2]int32 // first number, and the one after the last
	// open: all numbers from one on are reserved. Nobody has described those
	// fields, and frames have them by number.
	open bool
}

// fieldType is what the descriptors say of a field.
type fieldType struct {
	name     string
	number   int32
	kind     kind
	repeated bool
	presence bool         // 0 and "" are values too, when they stand there
	oneof    string       // that it is one of
	message  *messageType // of a message, and of a map's entries
	isMap    bool
	enum     map[int32]string
	ref      *reference
}

// kind is the type of a field's value.
type kind uint8

const (
	stringKind kind = iota
	bytesKind
	messageKind
	boolKind
	enumKind
	signedKind   // also of 32 bits
	unsignedKind // also of 32 bits
	doubleKind
)

var kinds = map[string]kind{
	"TYPE_STRING": stringKind, "TYPE_BYTES": bytesKind, "TYPE_MESSAGE": messageKind, "TYPE_BOOL": boolKind, "TYPE_ENUM": enumKind,
	"TYPE_INT32": signedKind, "TYPE_INT64": signedKind, "TYPE_UINT32": unsignedKind, "TYPE_UINT64": unsignedKind, "TYPE_DOUBLE": doubleKind,
}

func (k kind) wire() wire {
	switch k {
	case stringKind, bytesKind, messageKind:
		return delimited
	case doubleKind:
		return fixed64
	}
	return varint
}

// form is what a blob is; the zero value is bytes of any kind.
type form struct {
	message *messageType
	text    bool
	json    bool
}

// reference is what the descriptors say of a field with ids of blobs.
type reference struct {
	form
	inline bool // the content stands in frames, in the place of the id
	loose  bool // the blob may be missing
}

// schema is what the descriptors say of a store.
type schema struct {
	state, turn, agentTurn, shellTurn, step, toolCall, truncated *messageType

	// The fields that the order of frames comes from.
	prompts, turns, turnsOld, pending, timings, steps, original int32
}

// described parses the descriptors when they are first needed.
var described = sync.OnceValues(func() (*schema, error) {
	const name = "agentkv.proto"
	p := protoparse.Parser{Accessor: protoparse.FileContentsFromMap(map[string]string{name: descriptors.AgentKv})}
	files, err := p.ParseFiles(name)
	if err != nil {
		return nil, err
	}
	r := &reader{file: files[0], pkg: files[0].GetPackage() + ".", types: map[string]*messageType{}}
	s := r.schema()
	return s, r.err
})

// reader takes over what a file of descriptors says.
type reader struct {
	file  *desc.FileDescriptor
	pkg   string
	types map[string]*messageType // by full name
	err   error
}

func (r *reader) failf(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("%s: "+format, append([]any{r.file.GetName()}, args...)...)
	}
}

func (r *reader) schema() *schema {
	s := &schema{
		state:     r.named("ConversationStateStructure"),
		turn:      r.named("ConversationTurnStructure"),
		agentTurn: r.named("AgentConversationTurnStructure"),
		shellTurn: r.named("ShellConversationTurnStructure"),
		step:      r.named("ConversationStep"),
		toolCall:  r.named("ToolCall"),
		truncated: r.named("TruncatedToolCall"),
	}
	s.prompts = r.number(s.state, "root_prompt_messages_json")
	s.turns = r.number(s.state, "turns")
	s.turnsOld = r.number(s.state, "turns_old")
	s.pending = r.number(s.state, "pending_tool_calls")
	s.timings = r.number(s.state, "turn_timings")
	s.steps = r.number(s.agentTurn, "steps")
	s.original = r.number(s.truncated, "original_step_blob_id")
	return s
}

// named is a message of the package.
func (r *reader) named(name string) *messageType {
	md := r.file.FindMessage(r.pkg + name)
	if md == nil {
		r.failf("no message %s", name)
		return &messageType{}
	}
	return r.message(md)
}

func (r *reader) number(t *messageType, name string) int32 {
	for _, f := range t.fields {
		if f.name == name {
			return f.number
		}
	}
	r.failf("%s has no field %s", t.name, name)
	return 0
}

const lastNumber = 1<<29 - 1

func (r *reader) message(md *desc.MessageDescriptor) *messageType {
	if t := r.types[md.GetFullyQualifiedName()]; t != nil {
		return t
	}
	t := &messageType{name: strings.TrimPrefix(md.GetFullyQualifiedName(), r.pkg), byNumber: map[int32]*fieldType{}}
	r.types[md.GetFullyQualifiedName()] = t
	for _, reserved := range md.AsDescriptorProto().GetReservedRange() {
		t.reserved = append(t.reserved, [2]int32{reserved.GetStart(), reserved.GetEnd()})
		t.open = t.open || reserved.GetEnd() > lastNumber
	}
	for _, fd := range md.GetFields() {
		f := r.field(fd)
		t.fields = append(t.fields, f)
		t.byNumber[f.number] = f
	}
	return t
}

func (r *reader) field(fd *desc.FieldDescriptor) *fieldType {
	k, ok := kinds[fd.GetType().String()]
	if !ok {
		r.failf("%s has the type %s, which is not read", fd.GetFullyQualifiedName(), fd.GetType())
	}
	f := &fieldType{name: fd.GetName(), number: fd.GetNumber(), kind: k, repeated: fd.IsRepeated(), presence: fd.HasPresence(), isMap: fd.IsMap()}
	if o := fd.GetOneOf(); o != nil && !fd.IsProto3Optional() {
		f.oneof = o.GetName()
	}
	if md := fd.GetMessageType(); md != nil {
		f.message = r.message(md)
	}
	if ed := fd.GetEnumType(); ed != nil {
		f.enum = map[int32]string{}
		for _, v := range ed.GetValues() {
			f.enum[v.GetNumber()] = v.GetName()
		}
	}
	f.ref = r.reference(fd)
	return f
}

// reference reads the options of a field.
func (r *reader) reference(fd *desc.FieldDescriptor) *reference {
	if fd.GetFieldOptions() == nil {
		return nil
	}
	options, err := dynamic.AsDynamicMessage(fd.GetFieldOptions())
	if err != nil {
		r.failf("%s: %v", fd.GetFullyQualifiedName(), err)
		return nil
	}
	option := func(name string) any {
		if o := r.file.FindExtensionByName(r.pkg + name); o != nil {
			return options.GetField(o)
		}
		r.failf("no option %s", name)
		return nil
	}
	ref := &reference{}
	ref.inline, _ = option("inline").(bool)
	ref.loose, _ = option("loose").(bool)
	switch name, _ := option("blob").(string); name {
	case "":
		return nil
	case "text":
		ref.text = true
	case "json":
		ref.json = true
	case "bytes":
	default:
		ref.message = r.named(name)
	}
	return ref
}

// known is the field that an item is one of; nil when the descriptors do not have
// it, or have it as something else.
func (t *messageType) known(it item) *fieldType {
	f := t.byNumber[it.number]
	if f == nil || it.wire != f.kind.wire() && !(f.repeated && it.wire == delimited) {
		return nil
	}
	return f
}

// reserves reports whether a number is known to exist.
func (t *messageType) reserves(number int32) bool {
	for _, r := range t.reserved {
		if r[0] <= number && number < r[1] {
			return true
		}
	}
	return false
}
