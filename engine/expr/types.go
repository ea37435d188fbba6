package expr

import (
	"github.com/google/cel-go/cel"

	"github.com/trajmap/trajmap/engine/shape"
	"github.com/trajmap/trajmap/engine/value"
)

// typ is what is known of a value's type before anything runs.
type typ uint8

const (
	dynType  typ = iota // any JSON value
	nullType            // the literal
	boolType
	intType
	doubleType
	stringType
	listType
	mapType
	factMapType // a session fact declared with `map`
	otherType   // a CEL type that is no JSON type; such expressions are cel-go's
)

func (t typ) String() string {
	return [...]string{"JSON value", "null", "bool", "int", "double", "string", "list", "map", "fact map", "value of another type"}[t]
}

// article is the type's name as it stands in a sentence.
func (t typ) article() string {
	switch t {
	case nullType:
		return "null"
	case intType:
		return "an int"
	}
	return "a " + t.String()
}

// celType is the type as cel-go is told.
func (t typ) celType() *cel.Type {
	switch t {
	case boolType:
		return cel.BoolType
	case intType:
		return cel.IntType
	case stringType:
		return cel.StringType
	case listType:
		return cel.ListType(cel.DynType)
	case factMapType:
		return cel.MapType(cel.StringType, cel.DynType)
	}
	return cel.DynType
}

// fromCELType is the typ of a CEL type.
func fromCELType(t *cel.Type) typ {
	switch t.Kind() {
	case cel.DynKind, cel.AnyKind, cel.TypeParamKind:
		return dynType
	case cel.NullTypeKind:
		return nullType
	case cel.BoolKind:
		return boolType
	case cel.IntKind:
		return intType
	case cel.DoubleKind:
		return doubleType
	case cel.StringKind:
		return stringType
	case cel.ListKind:
		return listType
	case cel.MapKind:
		return mapType
	}
	return otherType
}

// shape is what the type says about a value.
func (t typ) shape() *shape.Shape { return typeShapes[t] }

var typeShapes = [...]*shape.Shape{
	nullType:    {Types: shape.Null},
	boolType:    {Types: shape.Bool},
	intType:     {Types: shape.Num},
	doubleType:  {Types: shape.Num},
	stringType:  {Types: shape.Str},
	factMapType: nil,
	otherType:   nil,
}

var (
	stringOrNull = &shape.Shape{Types: shape.Str | shape.Null}
	boolOrNull   = &shape.Shape{Types: shape.Bool | shape.Null}
	numberOrNull = &shape.Shape{Types: shape.Num | shape.Null}
)

// shapeOf is the shape of a constant that is no container.
func shapeOf(v value.Value) *shape.Shape {
	switch v.Kind() {
	case value.Null:
		return nullType.shape()
	case value.Bool:
		return boolType.shape()
	case value.Number:
		return intType.shape()
	case value.String:
		return stringType.shape()
	}
	return nil
}
