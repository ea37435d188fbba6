package langgraph

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// message is one message of the list: a map of its fields.
type message struct {
	id     string // "" when it has none
	fields []byte // msgpack; nil when the message has been removed
	role   string // of a message that was written without a map: fields is its text
	origin int    // the checkpoint that it came with, see state.origins
}

// change is what one written value does to the list of messages.
type change struct {
	overwrite bool // the list becomes messages
	items     []item
}

// item adds a message, or takes one away.
type item struct {
	message
	remove bool // the message with this id; with removeAll every one before
}

// removeAll is the id that stands for all messages.
const removeAll = "__remove_all__"

// maxNesting is how deep lists of messages may lie in each other.
const maxNesting = 8

// changeOf reads a value of the channel: a list of messages or a single one, or
// what puts another list in place of it.
func changeOf(b []byte) (change, error) {
	t := first(b)
	if t.kind == extKind {
		o, err := objectOf(t)
		if err != nil {
			return change{}, err
		}
		switch {
		case o.code == deltaContent:
			return changeOf(o.value)
		case o.name == "Overwrite":
			list, err := overwritten(o)
			if err != nil {
				return change{}, err
			}
			items, err := itemsOf(nil, list, 0)
			return change{true, items}, err
		}
	}
	items, err := itemsOf(nil, b, 0)
	return change{items: items}, err
}

// overwritten is the list in an Overwrite.
func overwritten(o object) (list []byte, err error) {
	list = []byte{0xc0}
	if first(o.value).kind == arrayKind {
		args, err := elements(o.value)
		if err == nil && len(args) > 0 {
			list = args[0]
		}
		return list, err
	}
	err = members(o.value, func(key string, value []byte) bool {
		if key == "value" {
			list = value
		}
		return true
	})
	return list, err
}

// itemsOf appends the messages of a value.
func itemsOf(items []item, b []byte, depth int) ([]item, error) {
	if depth > maxNesting {
		return nil, errDeep
	}
	switch t := first(b); t.kind {
	case nilKind:
		return items, nil
	case arrayKind:
		list, err := elements(b)
		if err != nil {
			return nil, err
		}
		if role, ok := spoken(list); ok && depth > 0 {
			return append(items, item{message: message{fields: list[1], role: role}}), nil
		}
		for _, one := range list {
			if items, err = itemsOf(items, one, depth+1); err != nil {
				return nil, err
			}
		}
		return items, nil
	case strKind:
		return append(items, item{message: message{fields: b, role: "human"}}), nil
	case mapKind:
		return mapped(items, b)
	case extKind:
		o, err := objectOf(t)
		if err != nil {
			return nil, err
		}
		if o.code == oneArgument && first(o.value).kind == arrayKind { // a set or the like
			return itemsOf(items, o.value, depth+1)
		}
		return classed(items, o)
	}
	return nil, errors.New("it has something else where a message was expected")
}

// roles are the types of messages by the names that may stand for them.
var roles = []string{"human", "user", "ai", "assistant", "system", "developer", "tool", "function", "remove"}

// spoken reports whether a list is a role and a text: a message in short.
func spoken(list [][]byte) (role string, ok bool) {
	if len(list) != 2 {
		return "", false
	}
	role = text(list[0])
	return role, slices.Contains(roles, role) && first(list[1]).kind == strKind
}

// mapped appends a message that is a map of its fields.
func mapped(items []item, b []byte) ([]item, error) {
	one := item{message: message{fields: b}}
	known := false
	err := members(b, func(key string, value []byte) bool {
		switch key {
		case "id":
			one.id = text(value)
		case "type", "role":
			known = known || slices.Contains(roles, text(value)) || strings.HasSuffix(text(value), "MessageChunk")
			one.remove = one.remove || text(value) == "remove"
		}
		return true
	})
	if err == nil && !known {
		err = errors.New("it has a map where a message was expected")
	}
	return append(items, one), err
}

// classed appends a message that is an object.
func classed(items []item, o object) ([]item, error) {
	if o.value == nil || first(o.value).kind != mapKind || !strings.HasSuffix(strings.TrimSuffix(o.name, "Chunk"), "Message") {
		return nil, fmt.Errorf("%w: an object of the class %.60q among the messages", errForeign, o.name)
	}
	one := item{message: message{fields: o.value}, remove: o.name == "RemoveMessage"}
	err := members(o.value, func(key string, value []byte) bool {
		if key == "id" {
			one.id = text(value)
		}
		return true
	})
	return append(items, one), err
}

// step applies what was written in one step. When one of the values puts a list
// in place, the others of the step do not count.
func (s *state) step(changes []change) {
	for _, c := range changes {
		if c.overwrite {
			s.overwritten++
			s.clear()
			s.apply(c.items)
			return
		}
	}
	for _, c := range changes {
		s.apply(c.items)
	}
}

func (s *state) clear() {
	s.messages, s.places = nil, map[string]int{}
}

func (s *state) apply(items []item) {
	for _, one := range items {
		at, known := s.places[one.id]
		switch {
		case one.remove && one.id == removeAll:
			s.overwritten++
			s.clear()
		case one.remove && known:
			s.messages[at].fields = nil // and stays where it is: others are found by their places
			delete(s.places, one.id)
		case one.remove:
		case known:
			one.origin = s.messages[at].origin
			s.messages[at] = one.message
		default:
			if one.id != "" {
				s.places[one.id] = len(s.messages)
			}
			s.messages = append(s.messages, one.message)
		}
	}
}
