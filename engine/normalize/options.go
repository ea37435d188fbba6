package normalize

import "github.com/trajmap/trajmap/engine/trajectory"

// The bounds that a zero [Options] stands for, in code points.
const (
	DefaultMaxArgs   = 20_000
	DefaultMaxResult = 2_500
)

// Unbounded is the value of a bound that is off.
const Unbounded = -1

// Options are the choices of whoever asks for records. The zero value is the
// contract's default.
type Options struct {
	MaxArgs   int  // of a call's arguments, in code points; 0 is the default
	MaxResult int  // of a result, in code points; 0 is the default
	HeadOnly  bool // a result that is too long keeps its head, not head and tail

	OmitResults   bool
	IncludeSystem bool

	Partial bool // the input is a fragment: roles and results' calls may be missing
	NoRoles bool // user and assistant records may be missing, nothing else
	// BaseOffset is where the input begins in the file that it was cut from, in
	// bytes. Above zero there is no meta record, and the input is partial.
	BaseOffset int64
	Group      string // the session's group where the source has none
}

// Validate reports a bound that cannot be met: a *[trajectory.Error] of code
// invalid_input.
func (o Options) Validate() error {
	switch {
	case o.MaxArgs < Unbounded || o.MaxArgs == 1:
		return trajectory.Errorf(trajectory.InvalidInput,
			"bound on arguments is %d: give at least 2, so that they can stay a JSON object, or none", o.MaxArgs)
	case o.MaxResult < Unbounded:
		return trajectory.Errorf(trajectory.InvalidInput,
			"bound on results is %d: give at least 1, or none", o.MaxResult)
	case o.BaseOffset < 0:
		return trajectory.Errorf(trajectory.InvalidInput,
			"base offset is %d: give the byte that the input begins at", o.BaseOffset)
	}
	return nil
}

func (o Options) maxArgs() int   { return bound(o.MaxArgs, DefaultMaxArgs) }
func (o Options) maxResult() int { return bound(o.MaxResult, DefaultMaxResult) }

func bound(n, standard int) int {
	if n == 0 {
		return standard
	}
	return n
}

func (o Options) partial() bool { return o.Partial || o.BaseOffset > 0 }

// Context is what a session says about itself as a whole. Byte slices are text,
// nil or empty where the source says nothing.
type Context struct {
	Source    string // the meta record's source; never empty
	Cwd       []byte
	GitBranch []byte
	Model     []byte

	HasCreatedAt bool
	CreatedAt    int64 // ms since 1970, UTC
	Duration     int64 // ms; 0 is unknown

	Group          []byte // the source's own id of the session
	GroupAmbiguous bool   // the input holds several sessions
	GroupRequired  bool   // the source's identities mean nothing without a group
}
