// Package shape describes the native frames of a harness: which kinds there are,
// which fields they have and of which type. Mappings declare shapes under
// `native:`, see [Names.Parse]; the checker holds every path of a mapping against
// them, and [Shape.Check] holds a frame of an input against them.
package shape

import (
	"slices"
	"strings"
)

// Types is a set of JSON types.
type Types uint8

// The JSON types; Any stands for all of them, unchecked.
const (
	Str Types = 1 << iota
	Num
	Bool
	Null
	List
	Object
	Any
)

// Shape is what a value may look like. A nil *Shape is unknown: nothing about it
// can be checked.
type Shape struct {
	Types  Types
	Item   *Shape   // of a list's items
	Fields []*Field // of an object, in declared order
	Open   bool     // the object may have further members (`_: any`)
	Switch *Switch  // the object's fields depend on a discriminator

	index map[string]*Field // of Fields, when there are many
}

// Field is a member of an object.
type Field struct {
	Name     string
	Shape    *Shape
	Required bool // always there (`!`)
}

// Switch chooses an object's further fields by the string at Path.
type Switch struct {
	Path  string // dotted path on the object
	Kinds map[string]*Shape
	Names []string // the keys of Kinds in declared order

	// Kinds that are known and about which nothing else is: a mapping ignores
	// them. They are for Check alone.
	Opaque   map[string]bool
	Prefixes []string // every kind that begins with one of these is opaque

	path []string // Path, cut
}

// Declared reports whether a kind is one of Kinds.
func (s *Switch) Declared(kind string) bool {
	_, ok := s.Kinds[kind]
	return ok
}

// Knows reports whether a kind is declared or opaque.
func (s *Switch) Knows(kind string) bool {
	return s.Declared(kind) || s.Opaque[kind] ||
		slices.ContainsFunc(s.Prefixes, func(p string) bool { return strings.HasPrefix(kind, p) })
}

// Ignore makes a kind known and opaque to Check, or all kinds with a prefix.
func (s *Switch) Ignore(kind string, prefix bool) {
	if prefix {
		if !slices.Contains(s.Prefixes, kind) {
			s.Prefixes = append(s.Prefixes, kind)
		}
		return
	}
	if s.Opaque == nil {
		s.Opaque = map[string]bool{}
	}
	s.Opaque[kind] = true
}
