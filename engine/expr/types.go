package expr

// typ is what is known of a value's type before anything runs.
type typ uint8

const (
	dyn  typ = iota // any JSON value
	null            // the literal
	boolean
	integer
	double
	str
	list
	object
	factMap // a session fact declared with `map`
	other   // a CEL type that is no JSON type; such expressions are cel-go's
)

func (t typ) String() string {
	return [...]string{"value", "null", "bool", "int", "double", "string", "list", "map", "fact map", "value of another type"}[t]
}
