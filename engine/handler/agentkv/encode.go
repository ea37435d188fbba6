package agentkv

import (
	"bytes"
	"crypto/sha256"
	"io"

	"github.com/trajmap/trajmap/engine/handler"
	"github.com/trajmap/trajmap/engine/value"
)

func init() { handler.RegisterEncoder("agentkv", NewEncoder) }

// NewEncoder makes a readout of frames; it is a [handler.Encoder]. The frames are
// those that reading gives, without their numbers, and one before them:
//
//	store                  first: `meta`, the metadata but for its root, and `cwd`
//	state                  what the root has besides messages and turns
//	prompt_message         a message as the model is given it, in `message`
//	turn                   `user_message`, and `timing`
//	assistant_message, thinking_message, tool_call
//	                       a step of the last turn; a call has `tool` and `call`
//
// A member is a field of the descriptors; what these refer to as a blob of its
// own stands in its place. All blobs are in memory until the end.
func NewEncoder(to io.Writer) io.WriteCloser {
	e := &encoder{to: to, blobs: map[id][]byte{}}
	e.schema, e.err = described()
	return e
}

// encoder is a readout that is being made.
type encoder struct {
	to     io.Writer
	schema *schema
	err    error
	doc    value.Doc
	blobs  map[id][]byte

	meta    []byte // the metadata, without the root: an object
	session string
	cwd     string
	root    fields
	turn    fields // the open one; nil when there is none
}

// Write takes frames, a line each.
func (e *encoder) Write(b []byte) (int, error) {
	for line := range bytes.Lines(b) {
		if e.err == nil {
			e.err = e.frame(line)
		}
		if e.err != nil {
			return 0, e.err
		}
	}
	return len(b), nil
}

func (e *encoder) frame(line []byte) error {
	if err := e.doc.Parse(line); err != nil {
		return faultf("a frame to be written is no JSON: %v", err)
	}
	f := e.doc.Root()
	kind := f.Get("kind").Str()
	if e.meta == nil && kind != "store" {
		return faultf("the first frame is %q, not the store itself", kind)
	}
	switch kind {
	case "store":
		return e.begin(f)
	case "state":
		return e.members(&e.root, e.schema.state, f, "kind")
	case "prompt_message":
		message := f.Get("message")
		if message.Kind() != value.Object {
			return faultf("a message to the model is no object")
		}
		i, err := e.add(message.AppendOwn(nil))
		e.root.bytes(e.schema.prompts, i[:])
		return err
	case "turn":
		return e.open(f)
	case "tool_call":
		return e.call(f)
	}
	t := e.schema.step.named(kind)
	if t == nil || t.message == nil || t.oneof == "" {
		return faultf("there are no frames of the kind %q to be written", kind)
	}
	data, err := e.message(t.message, f, 0, "kind")
	if err != nil {
		return err
	}
	return e.step(t, data)
}

// begin takes the metadata.
func (e *encoder) begin(f value.Value) error {
	meta := f.Get("meta")
	e.session, e.cwd = meta.Get("agentId").Str(), f.Get("cwd").Str()
	if e.meta != nil || e.session == "" {
		return faultf("a store is written once, and its metadata has an agentId")
	}
	e.meta = []byte{'{'}
	for name, v := range meta.Members() {
		if name.Is(secret) || name.Is("latestRootBlobId") {
			return faultf("%s is not written", name.String())
		}
		if len(e.meta) > 1 {
			e.meta = append(e.meta, ',')
		}
		e.meta = append(value.AppendEncoded(append(e.meta, '"'), name.String()), `":`...)
		e.meta = v.AppendJSON(e.meta)
	}
	return nil
}

// open begins a turn.
func (e *encoder) open(f value.Value) error {
	if err := e.close(); err != nil {
		return err
	}
	e.turn = fields{}
	if timing := f.Get("timing"); timing.Exists() {
		data, err := e.message(e.schema.state.byNumber[e.schema.timings].message, timing, 0)
		if err != nil {
			return err
		}
		e.root.bytes(e.schema.timings, data)
	}
	return e.members(&e.turn, e.schema.agentTurn, f, "kind", "timing")
}

// close ends the turn.
func (e *encoder) close() error {
	if e.turn == nil {
		return nil
	}
	var whole fields
	whole.bytes(e.schema.turn.of(e.schema.agentTurn), e.turn.join())
	i, err := e.add(whole.join())
	e.root.bytes(e.schema.turns, i[:])
	e.turn = nil
	return err
}

// step adds a step of a kind to the turn.
func (e *encoder) step(kind *fieldType, data []byte) error {
	if e.turn == nil {
		return faultf("a step stands before any turn")
	}
	var whole fields
	whole.bytes(kind.number, data)
	i, err := e.add(whole.join())
	e.turn.bytes(e.schema.steps, i[:])
	return err
}

// call adds a call to the turn.
func (e *encoder) call(f value.Value) error {
	var call fields
	name := f.Get("tool").Str()
	tool := e.schema.toolCall.named(name + "_tool_call")
	if tool == nil {
		return faultf("there is no tool %q", name)
	}
	data, err := e.message(tool.message, f.Get("call"), 1)
	if err != nil {
		return err
	}
	call.bytes(tool.number, data)
	if err := e.members(&call, e.schema.toolCall, f, "kind", "tool", "call"); err != nil {
		return err
	}
	return e.step(e.schema.step.byNumber[e.schema.step.of(e.schema.toolCall)], call.join())
}

// add keeps a blob.
func (e *encoder) add(data []byte) (id, error) {
	if len(data) > maxBlob {
		return id{}, faultf("a text or a turn is longer than %d MiB, and no blob is", maxBlob>>20)
	}
	i := id(sha256.Sum256(data))
	e.blobs[i] = data
	return i, nil
}

// Close writes the readout.
func (e *encoder) Close() error {
	if e.err != nil {
		return e.err
	}
	if e.meta == nil {
		return faultf("nothing was written")
	}
	if err := e.close(); err != nil {
		return err
	}
	root, err := e.add(e.root.join())
	if err != nil {
		return err
	}
	meta := append(append(e.meta, `,"latestRootBlobId":"`...), root.String()...)
	return writeReadout(e.to, e.session, e.cwd, append(meta, `"}`...), e.blobs)
}
