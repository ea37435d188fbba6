package value

// Parse indexes src, which must be valid UTF-8 and stays referenced. The whole
// text is checked against the JSON grammar; the error is a *[SyntaxError].
func (d *Doc) Parse(src []byte) error {
	if cap(d.nodes) > keepNodes && len(src)/2 < keepNodes {
		d.nodes = nil
	}
	d.src, d.nodes, d.stack = src, d.nodes[:0], d.stack[:0]
	if uint64(len(src)) > 1<<32-2 {
		return &SyntaxError{0, "text of 4 GiB or more"}
	}
	var at int
	var reason string
	if d.nodes, at, reason = d.parse(d.nodes); reason != "" {
		d.nodes = d.nodes[:0]
		return &SyntaxError{at, reason}
	}
	return nil
}

// keepNodes is the largest index that is kept for texts that need less.
const keepNodes = 1 << 20

// open is a container whose end has not been met.
type open struct {
	node   uint32
	last   uint32 // last key met, for an object; else 0
	object bool
}

// parse appends the index of the source to nodes. Of a text that is no JSON it
// gives a reason, and where that stands.
//
// It is one loop on local variables, its states are labels: most of the time of
// a read is spent here and in scanLiteral.
func (d *Doc) parse(nodes []node) (index []node, at int, reason string) {
	var (
		src   = d.src
		i     int
		top   open // the innermost container
		depth int
	)

value:
	for i < len(src) && src[i] <= ' ' && isSpace(src[i]) {
		i++
	}
	if i >= len(src) {
		return nodes, i, "unexpected end"
	}
	switch c := src[i]; c {
	case '"':
		end, escaped, stop := ScanLiteral(src, i+1)
		if stop != Closed {
			return nodes, end, stop.String()
		}
		nodes = append(nodes, node{uint32(i), uint32(end), uint32(len(nodes) + 1), String, escaped})
		i = end
	case '{', '[':
		if depth == MaxDepth {
			return nodes, i, "nested too deeply"
		}
		if depth > 0 {
			d.stack = append(d.stack, top)
		}
		depth++
		top = open{node: uint32(len(nodes)), object: c == '{'}
		kind := Array
		if top.object {
			kind = Object
		}
		nodes = append(nodes, node{start: uint32(i), kind: kind})
		i++
		for i < len(src) && src[i] <= ' ' && isSpace(src[i]) {
			i++
		}
		if i < len(src) && src[i] == c+2 { // the closing bracket
			goto end
		}
		if top.object {
			goto name
		}
		goto value
	case 't':
		if len(src)-i < 4 || string(src[i:i+4]) != "true" {
			return nodes, i, "invalid word"
		}
		nodes = append(nodes, node{uint32(i), uint32(i + 4), uint32(len(nodes) + 1), Bool, flagTrue})
		i += 4
	case 'f':
		if len(src)-i < 5 || string(src[i:i+5]) != "false" {
			return nodes, i, "invalid word"
		}
		nodes = append(nodes, node{uint32(i), uint32(i + 5), uint32(len(nodes) + 1), Bool, 0})
		i += 5
	case 'n':
		if len(src)-i < 4 || string(src[i:i+4]) != "null" {
			return nodes, i, "invalid word"
		}
		nodes = append(nodes, node{uint32(i), uint32(i + 4), uint32(len(nodes) + 1), Null, 0})
		i += 4
	default:
		end, flags := scanNumber(src, i)
		if end < 0 {
			return nodes, i, "invalid value"
		}
		nodes = append(nodes, node{uint32(i), uint32(end), uint32(len(nodes) + 1), Number, flags})
		i = end
	}

after:
	for i < len(src) && src[i] <= ' ' && isSpace(src[i]) {
		i++
	}
	if depth == 0 {
		if i < len(src) {
			return nodes, i, "text after the value"
		}
		return nodes, 0, ""
	}
	if i >= len(src) {
		return nodes, i, "unexpected end"
	}
	if src[i] != ',' {
		if top.object && src[i] == '}' || !top.object && src[i] == ']' {
			goto end
		}
		return nodes, i, "expected a comma or the end of the container"
	}
	i++
	if !top.object {
		goto value
	}

name:
	for i < len(src) && src[i] <= ' ' && isSpace(src[i]) {
		i++
	}
	if i >= len(src) || src[i] != '"' {
		return nodes, i, "expected a member name"
	}
	{
		end, escaped, stop := ScanLiteral(src, i+1)
		if stop != Closed {
			return nodes, end, stop.String()
		}
		if top.last != 0 {
			nodes[top.last].next = uint32(len(nodes))
		}
		top.last = uint32(len(nodes))
		nodes = append(nodes, node{start: uint32(i), end: uint32(end), kind: key, flags: escaped})
		i = end
	}
	for i < len(src) && src[i] <= ' ' && isSpace(src[i]) {
		i++
	}
	if i >= len(src) || src[i] != ':' {
		return nodes, i, "expected a colon"
	}
	i++
	goto value

end:
	i++
	{
		n := &nodes[top.node]
		n.end, n.next = uint32(i), uint32(len(nodes))
		if top.last != 0 {
			nodes[top.last].next = n.next
		}
	}
	if depth--; depth > 0 {
		top = d.stack[depth-1]
		d.stack = d.stack[:depth-1]
	}
	goto after
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// scanNumber gives where the number at i ends, -1 if there is none.
func scanNumber(src []byte, i int) (end int, flags uint8) {
	if src[i] == '-' {
		i++
	}
	start := i
	i = digits(src, i)
	if i == start || src[start] == '0' && i > start+1 {
		return -1, 0
	}
	if i < len(src) && src[i] == '.' {
		flags = flagFloat
		start = i + 1
		if i = digits(src, start); i == start {
			return -1, 0
		}
	}
	if i < len(src) && src[i]|0x20 == 'e' {
		flags = flagFloat
		start = i + 1
		if start < len(src) && (src[start] == '+' || src[start] == '-') {
			start++
		}
		if i = digits(src, start); i == start {
			return -1, 0
		}
	}
	return i, flags
}

func digits(src []byte, i int) int {
	for i < len(src) && src[i]-'0' <= 9 {
		i++
	}
	return i
}
