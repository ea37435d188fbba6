package langgraph

import (
	"errors"
	"fmt"
)

// The codes of the ext types in which LangGraph's serializer writes Python
// objects. The payload is msgpack again: module, name, and what makes the object.
const (
	oneArgument  = 0 // a set, a UUID, …: the argument
	arguments    = 1 // a list of arguments
	keywords     = 2 // a map of arguments
	method       = 3 // an argument, and the method that takes it
	modelV1      = 4 // a map of fields
	modelV2      = 5 // likewise; all messages are such
	numpyArray   = 6
	deltaContent = 7 // the whole value of a channel that is kept as changes
)

// object is a Python object.
type object struct {
	module, name string
	code         int8
	value        []byte // what it is made of
}

var errForeign = errors.New("it has a type that is not known")

// objectOf reads an ext.
func objectOf(t token) (object, error) {
	switch t.code {
	case deltaContent:
		if err := whole(t.data); err != nil {
			return object{}, err
		}
		return object{code: t.code, value: t.data}, nil
	case numpyArray:
		return object{code: t.code}, nil
	case oneArgument, arguments, keywords, method, modelV1, modelV2:
	default:
		return object{}, fmt.Errorf("%w: ext %d", errForeign, t.code)
	}
	if err := whole(t.data); err != nil {
		return object{}, err
	}
	parts, err := elements(t.data)
	if err != nil {
		return object{}, err
	}
	if len(parts) < 3 {
		return object{}, errors.New("it has an object without contents")
	}
	return object{text(parts[0]), text(parts[1]), t.code, parts[2]}, nil
}
