package handler

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/trajmap/trajmap/engine/frame"
)

// Encoder makes the bytes of a file of what the templates of a mapping give: of
// frames, a JSON object a line, or of a document. Each Write of frames is of
// whole lines; Close writes to the file what is left, and does not close it. The
// same lines give the same bytes.
type Encoder func(to io.Writer) io.WriteCloser

// Storer writes a session into a store of a program's own kind.
type Storer struct {
	// Shared: a store holds many sessions. Then Store adds the one, whole or not
	// at all, to a store that is there or that it makes; else it makes a new
	// store, in a folder that nobody looks into before it is complete.
	Shared bool
	// Find says what a shared store has under the session's id. An error is of a
	// store that cannot be used.
	Find func(ctx context.Context, from *frame.Input, to Place) (Found, error)
	// Store writes the session that a file of an export holds. The error is
	// [ErrPresent] when a shared store has a session of that id already.
	Store func(ctx context.Context, from *frame.Input, to Place) error
	// Remove takes away from a shared store what Store has added to it, as long as
	// nothing else has been added to that.
	Remove func(ctx context.Context, from *frame.Input, to Place) error
}

// Found is what a store of many sessions has under an id.
type Found uint8

// What may be found.
const (
	Nothing Found = iota
	Another       // something else; or the session in another form
	Begun         // what Store writes, and perhaps more after it
)

// Place is where a session is stored.
type Place struct {
	Path string // of the store, absolute
	ID   string // of the session
	Cwd  string // of the session, on this machine
}

// ErrPresent says that a store has a session of the id already.
var ErrPresent = errors.New("the store has a session of this id already")

var (
	encoders = map[string]Encoder{}
	storers  = map[string]*Storer{}
)

// RegisterEncoder makes an encoder known under the name by which mappings ask
// for it. It is called while the program starts, as is [RegisterStorer].
func RegisterEncoder(name string, e Encoder) { register(encoders, name, e) }

// RegisterStorer makes a storer known.
func RegisterStorer(name string, s *Storer) { register(storers, name, s) }

func register[T any](to map[string]T, name string, h T) {
	if _, there := to[name]; there {
		panic(fmt.Sprintf("two handlers are named %q", name))
	}
	to[name] = h
}

// LookupEncoder finds an encoder.
func LookupEncoder(name string) (Encoder, error) { return lookup(encoders, name, "encodes files") }

// LookupStorer finds a storer.
func LookupStorer(name string) (*Storer, error) { return lookup(storers, name, "writes stores") }

func lookup[T any](in map[string]T, name, does string) (T, error) {
	h, ok := in[name]
	if ok {
		return h, nil
	}
	have := strings.Join(slices.Sorted(maps.Keys(in)), ", ")
	return h, fmt.Errorf("this program has no handler named %q that %s (it has %s)", name, does, have)
}
