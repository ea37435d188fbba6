// Package agentkv reads and writes AgentKv stores: conversations kept as blobs that are
// named by their hashes and refer to each other, most of them protobuf messages.
// A store is a SQLite database, also one in use, or a readout of one as JSON.
//
// Before the first frame the whole conversation is gone over: every blob that
// belongs to it must be there, have the hash that it is named by, and decode by
// the descriptors. What these do not know is no error but noted, so that a
// mapping can tell. Frames come in this order, each a JSON object with `kind`
// and with a number `seq` that says where it stands:
//
//	state              the root: what is known of the session but for its turns;
//	                   `unknown` counts the fields that the descriptors lack
//	prompt_message     a message as the model was given it, in `message`
//	turn, shell_turn   what began a turn: the user's message, or the user's command
//	assistant_message, thinking_message, tool_call
//	                   the turn's steps; a call has its `tool`, its `call` with
//	                   arguments and result, and `restored` if it had been cut
//	pending_tool_call  a call that is waiting for its result, in `call`
//
// It writes such stores, too: [NewEncoder] makes a readout of frames, [Keep] a
// database of a readout.
//
// Members have the names of the descriptors. The document around the frames is
// the store's metadata, without its key for encryption, which nobody needs and
// nobody must see.
package agentkv

import (
	"errors"
	"io"

	"github.com/trajmap/trajmap/engine/database"
	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/handler"
	"github.com/trajmap/trajmap/engine/trajectory"
	"github.com/trajmap/trajmap/engine/value"
)

func init() { handler.Register("agentkv", Open) }

// readoutFormat is what a readout says that it is.
const readoutFormat = "cursor-agent-sqlite-readout-v1"

// Open opens a store; it is a [handler.Handler].
func Open(in *frame.Input, o handler.Options) (frame.Stream, func() error, error) {
	s, err := open(in)
	if err != nil {
		return nil, nil, err
	}
	if id := s.session; o.Session != "" && o.Session != id {
		s.close()
		return nil, nil, &handler.MissingError{Err: trajectory.Errorf(trajectory.InvalidInput, "the store holds another session"), Have: []string{id}}
	}
	return &stream{store: s, limit: o.Limits.Most()}, s.close, nil
}

// open opens a store and reads its metadata.
func open(in *frame.Input) (*store, error) {
	if isReadout(in, readoutFormat) {
		blobs, meta, around, err := openReadout(in, readoutFormat)
		if err != nil {
			return nil, err
		}
		return begin(blobs, meta, around)
	}
	blobs, meta, err := openDatabase(in)
	if database.IsKind(err, database.NotOne) {
		return nil, handler.Foreign("no AgentKv store: neither a SQLite database nor a readout of one")
	}
	if err != nil {
		return nil, err
	}
	return begin(blobs, meta, value.Value{})
}

// begin makes a store of what has been opened.
func begin(b blobs, meta []byte, around value.Value) (*store, error) {
	s := &store{blobs: b}
	var err error
	if s.schema, err = described(); err == nil {
		err = s.describe(meta, around)
	}
	if err != nil {
		return nil, errors.Join(err, b.close())
	}
	return s, nil
}

// stream gives the frames of a store.
type stream struct {
	*store
	limit    int64
	checked  bool
	at       place
	index    int
	next, by []byte // memory of Next and At
}

// Session is the id of the one session.
func (s *stream) Session() string { return s.session }

// firstPrompts is how many messages to the model a list sees: the first ones tell
// it where it is.
const firstPrompts = 3

// Sessions lists the session without going over the conversation: its row is the
// metadata, with the first messages to the model as `prompts`.
func (s *stream) Sessions() ([]handler.Session, error) {
	p := &printer{store: s.store, limit: s.limit}
	p.dst = append(append(p.dst, s.doc[:len(s.doc)-1]...), `,"prompts":[`...)
	if data, err := s.get(s.root); err == nil {
		root, _ := parse(data)
		first := ids(root, s.schema.prompts)
		for _, i := range first[:min(firstPrompts, len(first))] {
			p.comma('[')
			p.blob(form{json: true}, i) // null for one that is missing
		}
	}
	return []handler.Session{{ID: s.session, Row: append(p.dst, "]}"...)}}, nil
}

// Next gives the next frame. Its Offset is the number of its place.
func (s *stream) Next() (frame.Frame, error) {
	if !s.checked && s.root != (id{}) {
		if err := s.check(); err != nil {
			return frame.Frame{}, err
		}
	}
	s.checked = true
	if s.at.part == noPart {
		return frame.Frame{}, io.EOF
	}
	f := frame.Frame{Offset: s.at.number(), Index: s.index}
	f, err := s.frame(&s.next, f)
	if err != nil {
		return frame.Frame{}, err
	}
	s.at = s.after(s.at)
	s.index++
	return f, nil
}

// At gives a frame again.
func (s *stream) At(f frame.Frame) (frame.Frame, error) {
	return s.frame(&s.by, frame.Frame{Offset: f.Offset, Index: f.Index})
}

func (s *stream) frame(mem *[]byte, f frame.Frame) (frame.Frame, error) {
	p := &printer{store: s.store, dst: (*mem)[:0], limit: s.limit}
	p.print(placeOf(f.Offset))
	if p.err != nil {
		return frame.Frame{}, p.err
	}
	*mem = p.dst
	f.Length = int64(len(p.dst))
	if f.Length > s.limit {
		f.TooBig, *mem = true, nil
		return f, nil
	}
	f.Data = p.dst
	return f, nil
}

// Rewind starts again from the first frame.
func (s *stream) Rewind() error {
	s.at, s.index = place{}, 0
	return nil
}

// Doc is the metadata.
func (s *stream) Doc() []byte { return s.doc }
