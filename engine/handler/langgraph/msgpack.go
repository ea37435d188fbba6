package langgraph

import (
	"errors"
	"math"
)

// kind is what a msgpack value is.
type kind uint8

const (
	nilKind kind = iota
	boolKind
	intKind
	uintKind // beyond an int64
	floatKind
	strKind
	binKind
	arrayKind
	mapKind
	extKind
)

// token is the head of a value, and all of it where it holds no others.
type token struct {
	kind  kind
	code  int8    // of an ext
	count int     // items of an array; keys and values of a map
	int   int64   // also a bool as 0 or 1, and the bits of a uint
	float float64 // of a float
	data  []byte  // of a string, bytes or an ext
}

var (
	errCut     = errors.New("it breaks off")
	errCount   = errors.New("it claims more items than there are bytes")
	errInvalid = errors.New("it has a byte that begins no value")
	errTrail   = errors.New("something stands behind it")
)

// reader goes over msgpack. What it gives points into its bytes.
type reader struct {
	b   []byte
	pos int
}

// take gives the next n bytes.
func (r *reader) take(n uint64) ([]byte, error) {
	if n > uint64(len(r.b)-r.pos) {
		return nil, errCut
	}
	b := r.b[r.pos:][:n:n]
	r.pos += int(n)
	return b, nil
}

// number reads a big-endian number of some bytes.
func (r *reader) number(size uint64) (uint64, error) {
	b, err := r.take(size)
	if err != nil {
		return 0, err
	}
	var n uint64
	for _, c := range b {
		n = n<<8 | uint64(c)
	}
	return n, nil
}

// next reads the head of a value.
func (r *reader) next() (token, error) {
	head, err := r.take(1)
	if err != nil {
		return token{}, err
	}
	switch c := head[0]; {
	case c < 0x80:
		return token{kind: intKind, int: int64(c)}, nil
	case c < 0x90:
		return r.items(mapKind, 2*uint64(c&0x0f))
	case c < 0xa0:
		return r.items(arrayKind, uint64(c&0x0f))
	case c < 0xc0:
		return r.bytes(token{kind: strKind}, uint64(c&0x1f))
	case c >= 0xe0:
		return token{kind: intKind, int: int64(int8(c))}, nil
	case c == 0xc0:
		return token{}, nil
	case c == 0xc2, c == 0xc3:
		return token{kind: boolKind, int: int64(c & 1)}, nil
	case c >= 0xc4 && c <= 0xc6:
		return r.sized(binKind, 1<<(c-0xc4))
	case c >= 0xc7 && c <= 0xc9:
		return r.sized(extKind, 1<<(c-0xc7))
	case c == 0xca:
		n, err := r.number(4)
		return token{kind: floatKind, float: float64(math.Float32frombits(uint32(n)))}, err
	case c == 0xcb:
		n, err := r.number(8)
		return token{kind: floatKind, float: math.Float64frombits(n)}, err
	case c >= 0xcc && c <= 0xcf:
		n, err := r.number(1 << (c - 0xcc))
		if n > math.MaxInt64 {
			return token{kind: uintKind, int: int64(n)}, err
		}
		return token{kind: intKind, int: int64(n)}, err
	case c >= 0xd0 && c <= 0xd3:
		size := uint64(1) << (c - 0xd0)
		n, err := r.number(size)
		shift := 64 - 8*size
		return token{kind: intKind, int: int64(n<<shift) >> shift}, err
	case c >= 0xd4 && c <= 0xd8:
		return r.ext(1 << (c - 0xd4))
	case c >= 0xd9 && c <= 0xdb:
		return r.sized(strKind, 1<<(c-0xd9))
	case c == 0xdc, c == 0xdd:
		n, err := r.number(2 << (c - 0xdc))
		if err != nil {
			return token{}, err
		}
		return r.items(arrayKind, n)
	case c == 0xde, c == 0xdf:
		n, err := r.number(2 << (c - 0xde))
		if err != nil {
			return token{}, err
		}
		return r.items(mapKind, 2*n)
	}
	return token{}, errInvalid
}

// items is a container, whose items take a byte each at least.
func (r *reader) items(k kind, n uint64) (token, error) {
	if n > uint64(len(r.b)-r.pos) {
		return token{}, errCount
	}
	return token{kind: k, count: int(n)}, nil
}

func (r *reader) bytes(t token, n uint64) (token, error) {
	var err error
	t.data, err = r.take(n)
	return t, err
}

// sized reads what begins with its length.
func (r *reader) sized(k kind, size uint64) (token, error) {
	n, err := r.number(size)
	if err != nil {
		return token{}, err
	}
	if k == extKind {
		return r.ext(n)
	}
	return r.bytes(token{kind: k}, n)
}

func (r *reader) ext(n uint64) (token, error) {
	code, err := r.take(1)
	if err != nil {
		return token{}, err
	}
	return r.bytes(token{kind: extKind, code: int8(code[0])}, n)
}

// skip passes over a value and gives its bytes.
func (r *reader) skip() ([]byte, error) {
	start := r.pos
	for open := 1; open > 0; open-- {
		t, err := r.next()
		if err != nil {
			return nil, err
		}
		open += t.count
	}
	return r.b[start:r.pos:r.pos], nil
}

// members gives the members of a map that have a text as their key; false from
// visit ends it.
func members(b []byte, visit func(key string, value []byte) bool) error {
	r := &reader{b: b}
	t, err := r.next()
	if err != nil {
		return err
	}
	if t.kind != mapKind {
		return errors.New("it is no map")
	}
	for range t.count / 2 {
		key, err := r.skip()
		if err != nil {
			return err
		}
		value, err := r.skip()
		if err != nil {
			return err
		}
		if k := first(key); k.kind == strKind && !visit(string(k.data), value) {
			return nil
		}
	}
	return nil
}

// elements are the items of an array.
func elements(b []byte) ([][]byte, error) {
	r := &reader{b: b}
	t, err := r.next()
	if err != nil {
		return nil, err
	}
	if t.kind != arrayKind {
		return nil, errors.New("it is no list")
	}
	var list [][]byte
	for range t.count {
		item, err := r.skip()
		if err != nil {
			return nil, err
		}
		list = append(list, item)
	}
	return list, nil
}

// first is the head of a value whose bytes have been passed over before.
func first(b []byte) token {
	t, _ := (&reader{b: b}).next()
	return t
}

// text is a value's text; "" when it is none.
func text(b []byte) string {
	if t := first(b); t.kind == strKind {
		return string(t.data)
	}
	return ""
}

// whole checks that bytes are one value and nothing else.
func whole(b []byte) error {
	r := &reader{b: b}
	if _, err := r.skip(); err != nil {
		return err
	}
	if r.pos < len(b) {
		return errTrail
	}
	return nil
}
