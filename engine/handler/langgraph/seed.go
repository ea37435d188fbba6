package langgraph

import (
	"errors"
	"fmt"
	"slices"

	"github.com/trajmap/trajmap/engine/value"
)

// seed is a session as a document of which a thread is made:
//
//	version   1
//	session   {threadId, checkpointNamespace "", metadata {…}, …}: the metadata
//	          are texts, numbers and bools that the program notes with a thread
//	messages  [{id, role, content, timestamp?, …}]
//	  human   nothing more
//	  ai      toolCalls [{id, name, args}], model?
//	  tool    toolCallId, status? success or error
//
// Other members do not matter here.
type seed struct {
	thread   string
	metadata value.Value
	messages []value.Value
}

// parseSeed reads a document that is whole: every message has an id of its own,
// and every call its result, in order, before anybody speaks again.
func parseSeed(text []byte) (*seed, error) {
	var doc value.Doc
	if err := doc.Parse(text); err != nil {
		return nil, fmt.Errorf("the document cannot be read: %w", err)
	}
	root := doc.Root()
	session, list := root.Get("session"), root.Get("messages")
	s := &seed{thread: session.Get("threadId").Str(), metadata: session.Get("metadata")}
	version, _ := root.Get("version").Int()
	switch {
	case version != 1:
		return nil, errors.New("the document is of another kind or version")
	case s.thread == "":
		return nil, errors.New("the document does not say which thread it is")
	case !session.Get("checkpointNamespace").Equal(""):
		return nil, errors.New("the document is not of a thread's root namespace")
	case list.Kind() != value.Array || list.Len() == 0:
		return nil, errors.New("the document has no messages")
	}
	c := &order{ids: map[string]bool{}}
	for m := range list.Items() {
		if err := c.next(m); err != nil {
			return nil, fmt.Errorf("message %d of the document: %w", len(s.messages)+1, err)
		}
		s.messages = append(s.messages, m)
	}
	if len(c.open) > 0 {
		return nil, errors.New("the last calls of the document have no results")
	}
	return s, nil
}

// order holds messages against what their program expects of them.
type order struct {
	ids  map[string]bool
	open []string // calls that have no result yet
}

func (o *order) next(m value.Value) error {
	id := m.Get("id").Str()
	if id == "" || o.ids[id] {
		return errors.New("it has no id of its own")
	}
	o.ids[id] = true
	if !m.Get("content").IsString() {
		return errors.New("its content is no text")
	}
	role := m.Get("role").Str()
	if role == "tool" {
		return o.result(m)
	}
	if len(o.open) > 0 {
		return errors.New("calls before it have no results")
	}
	switch role {
	case "human":
		return nil
	case "ai":
		return o.made(m.Get("toolCalls"))
	}
	return errors.New("its role is none of human, ai and tool")
}

func (o *order) made(calls value.Value) error {
	for call := range calls.Items() {
		id := call.Get("id").Str()
		switch {
		case id == "" || slices.Contains(o.open, id):
			return errors.New("a call has no id of its own")
		case call.Get("name").Str() == "" || call.Get("args").Kind() != value.Object:
			return errors.New("a call has no name, or arguments that are no object")
		}
		o.open = append(o.open, id)
	}
	return nil
}

func (o *order) result(m value.Value) error {
	at := slices.Index(o.open, m.Get("toolCallId").Str())
	if at < 0 {
		return errors.New("it is the result of no call that waits for one")
	}
	o.open = slices.Delete(o.open, at, at+1)
	if status := m.Get("status"); !status.IsNull() && !status.Equal("success") && !status.Equal("error") {
		return errors.New("its status is neither success nor error")
	}
	return nil
}

// packMessages writes the messages as LangChain's classes, with the fields and
// in the order of langchain-core.
func (s *seed) packMessages(dst []byte) []byte {
	dst = packArray(dst, len(s.messages))
	var fields, payload []byte
	for _, m := range s.messages {
		var module, class string
		fields, module, class = packMessage(fields[:0], m)
		payload = packStr(packStr(packArray(payload[:0], 4), module), class)
		payload = packStr(append(payload, fields...), "model_validate_json")
		dst = packExt(dst, modelV2, payload)
	}
	return dst
}

// packMessage writes the fields of a message.
func packMessage(dst []byte, m value.Value) (fields []byte, module, class string) {
	p := packer{}
	member := func(name string, v value.Value) { dst = p.value(packStr(dst, name), v) }
	begin := func(n int, kind string) {
		dst = packMap(dst, n)
		member("content", m.Get("content"))
		dst = packMap(packStr(dst, "additional_kwargs"), 0)
		dst = packMetadata(packStr(dst, "response_metadata"), m)
		dst = packStr(packStr(dst, "type"), kind)
		dst = packNil(packStr(dst, "name"))
		member("id", m.Get("id"))
	}
	switch m.Get("role").Str() {
	case "ai":
		begin(9, "ai")
		dst = packCalls(packStr(dst, "tool_calls"), m.Get("toolCalls"))
		dst = packArray(packStr(dst, "invalid_tool_calls"), 0)
		dst = packNil(packStr(dst, "usage_metadata"))
		return dst, "langchain_core.messages.ai", "AIMessage"
	case "tool":
		begin(9, "tool")
		member("tool_call_id", m.Get("toolCallId"))
		dst = packNil(packStr(dst, "artifact"))
		status := "success"
		if m.Get("status").Equal("error") {
			status = "error"
		}
		dst = packStr(packStr(dst, "status"), status)
		return dst, "langchain_core.messages.tool", "ToolMessage"
	}
	begin(6, "human")
	return dst, "langchain_core.messages.human", "HumanMessage"
}

// packMetadata writes when a message was said and by which model. Neither is
// ever sent to a model.
func packMetadata(dst []byte, m value.Value) []byte {
	var names []string
	var values []value.Value
	for _, pair := range [][2]string{{"model", "model_name"}, {"timestamp", "timestamp"}} {
		if v := m.Get(pair[0]); v.IsString() {
			names, values = append(names, pair[1]), append(values, v)
		}
	}
	dst = packMap(dst, len(names))
	for i, name := range names {
		dst = packer{}.value(packStr(dst, name), values[i])
	}
	return dst
}

func packCalls(dst []byte, calls value.Value) []byte {
	dst = packArray(dst, calls.Len())
	for call := range calls.Items() {
		dst = packMap(dst, 4)
		for _, name := range []string{"name", "args", "id"} {
			dst = packer{}.value(packStr(dst, name), call.Get(name))
		}
		dst = packStr(packStr(dst, "type"), "tool_call")
	}
	return dst
}
