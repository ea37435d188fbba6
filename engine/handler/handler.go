// Package handler is where the decoders of inputs that are not JSON register:
// a handler makes JSON frames of a database or of another binary form, and a
// mapping goes on from there. This package knows none of them; a program has
// those that it imports.
package handler

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/trajectory"
)

// Options are what a handler is told besides the input.
type Options struct {
	Limits frame.Options
	// Session is the id of the session that is wanted of an input that holds
	// several; "" is the one that was used last.
	Session string
	// Queries are those of the mapping, for the handler that runs queries.
	Queries *mapping.Queries
}

// Handler opens an input as frames. The function that it gives, which is never
// nil beside a stream, ends the use of the stream and of what it holds open.
//
// An input that plainly is something else must be refused cheaply, by its first
// bytes or its name, with the error of [Foreign]: detection asks every handler
// about every input. Other faults of the input are *[trajectory.Error].
type Handler func(in *frame.Input, o Options) (frame.Stream, func() error, error)

// Foreign is the error of a handler for an input that is not what it reads at
// all: invalid_input, which stands behind the errors of other formats.
func Foreign(format string, args ...any) error {
	return &foreign{trajectory.Errorf(trajectory.InvalidInput, format, args...)}
}

// IsForeign reports whether an error is one of [Foreign].
func IsForeign(err error) bool {
	var f *foreign
	return errors.As(err, &f)
}

type foreign struct{ err *trajectory.Error }

func (e *foreign) Error() string { return e.err.Error() }
func (e *foreign) Unwrap() error { return e.err }

// Session is one of the sessions that an input holds.
type Session struct {
	ID  string
	Row []byte // what the input's own list says of it, a JSON object
}

// Store is what a stream also is whose input holds several sessions.
type Store interface {
	// Session is the id of the session whose frames the stream gives.
	Session() string
	// Sessions gives all sessions of the input, the one used last first.
	Sessions() ([]Session, error)
}

// Exporter is what a stream also is that can be written out as a file: the handler
// reads that as it reads the input, and its [Storer] makes a store of it. Without
// it, the frames themselves have to do.
type Exporter interface {
	Export(w io.Writer) error
}

// MissingError is of a session that was asked for and that the input does not
// hold.
type MissingError struct {
	Err  *trajectory.Error
	Have []string // ids of sessions that it holds, the last used first: some of them
}

func (e *MissingError) Error() string { return e.Err.Error() }
func (e *MissingError) Unwrap() error { return e.Err }

var handlers = map[string]Handler{}

// Register makes a handler known under the name by which mappings ask for it.
// It is called while the program starts.
func Register(name string, h Handler) {
	if handlers[name] != nil {
		panic(fmt.Sprintf("two handlers are named %q", name))
	}
	handlers[name] = h
}

// Lookup finds a handler.
func Lookup(name string) (Handler, error) {
	if h := handlers[name]; h != nil {
		return h, nil
	}
	return nil, trajectory.Errorf(trajectory.InvalidInput, "this program has no handler named %q (it has %s)", name, strings.Join(Names(), ", "))
}

// Names are the names of the handlers there are.
func Names() []string {
	var names []string
	for name := range handlers {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
