package agentkv

import (
	"errors"
	"fmt"

	"github.com/trajmap/trajmap/engine/value"
)

// Limits of what a store may hold.
const (
	maxBlobs = 1 << 22 // in a conversation
	maxSteps = 1 << 22
	maxDepth = 500 // of messages in messages
)

// walk goes over the blobs of a conversation.
type walk struct {
	*store
	seen map[node]bool
	todo []task
	at   id // the blob at hand
}

// node is a blob, and what it is taken for: as two things it is looked at twice.
type node struct {
	id
	form
}

// task is a node that has to be looked at.
type task struct {
	node
	loose bool
}

// check goes over the conversation from its root: every blob that belongs to it
// is there, is what its id says and decodes. An id cannot name a blob that holds
// it, so there is an end; a blob that others share is looked at once.
func (s *store) check() error {
	s.unknown, s.steps = map[string]int{}, map[id]int{}
	w := &walk{store: s, seen: map[node]bool{}}
	if err := w.push(s.root, reference{form: form{message: s.schema.state}}); err != nil {
		return err
	}
	for len(w.todo) > 0 {
		t := w.todo[len(w.todo)-1]
		w.todo = w.todo[:len(w.todo)-1]
		data, err := w.get(t.id)
		var missing *missingError
		if t.loose && errors.As(err, &missing) {
			delete(w.seen, t.node) // unless something needs it
			continue
		}
		if err != nil {
			return err
		}
		w.at = t.id
		if err := w.blob(t.form, data); err != nil {
			return err
		}
	}
	if len(s.head.of(s.schema.turnsOld)) > 0 {
		return faultf("its turns are not blobs of their own: an old runtime wrote it, whose stores are not read")
	}
	// A turn, and a step, may stand in many places.
	total := 0
	for _, turn := range s.turns {
		if total += 1 + s.steps[turn]; total > maxSteps {
			return faultf("the conversation has more than %d steps", maxSteps)
		}
	}
	return nil
}

// push puts a blob on the list of those to look at.
func (w *walk) push(i id, ref reference) error {
	n := node{i, ref.form}
	if w.seen[n] {
		return nil
	}
	if len(w.seen) == maxBlobs {
		return faultf("the conversation has more than %d blobs", maxBlobs)
	}
	w.seen[n] = true
	w.todo = append(w.todo, task{n, ref.loose})
	return nil
}

func (w *walk) blob(f form, data []byte) error {
	switch {
	case f.json:
		var doc value.Doc
		if doc.Parse(data) != nil {
			return faultf("blob %s is a message to the model and no JSON", w.at)
		}
	case f.message != nil:
		return w.message(f.message, data, 0)
	}
	return nil
}

// message looks at a message, at those in it and at the blobs that they name.
func (w *walk) message(t *messageType, data []byte, depth int) error {
	if depth > maxDepth {
		return faultf("blob %s has messages nested deeper than %d", w.at, maxDepth)
	}
	m, err := parse(data)
	if err != nil {
		return faultf("blob %s does not decode as %s: %v", w.at, t.name, err)
	}
	if depth == 0 {
		w.note(t, m)
	}
	for _, it := range m.items {
		f := t.known(it)
		if f == nil {
			if !t.reserves(it.number) {
				w.unknown[fmt.Sprintf("%s.%d", t.name, it.number)]++
			}
			continue
		}
		if err := w.field(f, m.raw(it), depth); err != nil {
			return err
		}
	}
	return nil
}

// note keeps what the frames are counted by.
func (w *walk) note(t *messageType, m message) {
	switch {
	case t == w.schema.turn:
		w.steps[w.at] = len(w.schema.stepsOf(m))
	case t == w.schema.state && w.at == w.root:
		w.head, w.prompts, w.turns = m, ids(m, w.schema.prompts), ids(m, w.schema.turns)
	}
}

func (w *walk) field(f *fieldType, raw []byte, depth int) error {
	switch {
	case f.ref != nil && f.isMap:
		entry, err := parse(raw)
		if err != nil {
			return faultf("blob %s: %s does not decode: %v", w.at, f.name, err)
		}
		for _, it := range entry.of(mapValue) {
			if err := w.reference(f, entry.raw(it)); err != nil {
				return err
			}
		}
	case f.ref != nil:
		return w.reference(f, raw)
	case f.message != nil:
		return w.message(f.message, raw, depth+1)
	}
	return nil
}

// The fields of an entry of a map.
const (
	mapKey   = 1
	mapValue = 2
)

func (w *walk) reference(f *fieldType, raw []byte) error {
	if len(raw) == 0 {
		return nil // as good as absent
	}
	if len(raw) != len(id{}) {
		return faultf("blob %s: %s is no id of a blob: it has %d bytes", w.at, f.name, len(raw))
	}
	return w.push(id(raw), *f.ref)
}

// stepsOf are the ids of a turn's steps, in order.
func (s *schema) stepsOf(turn message) []id {
	f, it := turn.member(s.turn, "turn")
	if f == nil || f.message != s.agentTurn {
		return nil
	}
	agent, err := parse(turn.whole(it.number))
	if err != nil {
		return nil
	}
	return ids(agent, s.steps)
}

// ids are the ids in a field.
func ids(m message, number int32) (list []id) {
	for _, it := range m.of(number) {
		if raw := m.raw(it); it.wire == delimited && len(raw) == len(id{}) {
			list = append(list, id(raw))
		}
	}
	return list
}
