package shape

import "strings"

// Drift is a way in which a value can differ from its shape.
type Drift uint8

// The kinds of drift.
const (
	UnknownKind Drift = iota // an object of a kind that is not declared
	NewKey                   // a member that is not declared
	Missing                  // a required member is not there
	WrongType
)

// Problem is one difference between a value and its shape. It holds names and
// types, no content.
type Problem struct {
	Drift Drift
	Found string // the kind, or the type found
	Want  string // the types declared
}

func (p Problem) String() string {
	switch p.Drift {
	case UnknownKind:
		return "unknown kind " + p.Found
	case NewKey:
		return "new key"
	case Missing:
		return "missing"
	}
	return p.Found + " where " + p.Want
}

// String is the set as a mapping writes it, objects and lists in words.
func (t Types) String() string {
	var names []string
	for i, name := range [...]string{"str", "num", "bool", "null", "list", "object", "any"} {
		if t&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, "|")
}
