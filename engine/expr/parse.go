package expr

import (
	"fmt"
	"slices"

	"github.com/trajmap/trajmap/engine/value"
)

// maxNesting is the deepest nesting of an expression.
const maxNesting = 200

// parser reads CEL's grammar, but for messages, which JSON has none of.
type parser struct {
	lex    lexer
	tok    token
	issues *issues
	depth  int
}

// parse gives the expression's tree, nil when there are issues.
func parse(src string, is *issues) *node {
	p := &parser{lex: lexer{src: src, issues: is}, issues: is}
	p.next()
	n := p.expression()
	if len(is.list) == 0 && p.tok.kind != endToken {
		p.unexpected("")
	}
	if len(is.list) > 0 {
		is.list = is.list[:1] // the others follow from it
		return nil
	}
	return n
}

func (p *parser) next() { p.tok = p.lex.next() }

func (p *parser) is(text string) bool {
	return p.tok.text == text && (p.tok.kind == signToken || p.tok.kind == wordToken)
}

func (p *parser) accept(text string) bool {
	if !p.is(text) {
		return false
	}
	p.next()
	return true
}

func (p *parser) expect(text, reason string) {
	if !p.accept(text) {
		p.unexpected(fmt.Sprintf("expected %s %s", text, reason))
	}
}

// unexpected notes that the current token cannot stand where it does.
func (p *parser) unexpected(want string) {
	if p.tok.kind == badToken || len(p.issues.list) > 0 {
		return
	}
	found, hint := "unexpected "+p.lex.src[p.tok.start:p.tok.end], want
	if p.tok.kind == endToken {
		found = "unexpected end of the expression"
	}
	switch p.tok.text {
	case "and":
		hint = "and is &&"
	case "or":
		hint = "or is ||"
	case "not":
		hint = "not is !"
	}
	p.issues.add(p.tok.start, p.tok.end-p.tok.start, found, hint)
}

// expression reads a conditional.
func (p *parser) expression() *node {
	if p.depth++; p.depth > maxNesting {
		p.tok = token{kind: endToken, start: p.tok.start, end: p.tok.end}
		p.issues.add(p.tok.start, 1, "nested too deeply", "")
		return &node{op: opUnknown}
	}
	defer func() { p.depth-- }()
	test := p.operation(1)
	if !p.is("?") {
		return test
	}
	at := p.tok.start
	p.next()
	yes := p.operation(1)
	p.expect(":", "after ? and a value")
	no := p.expression()
	return &node{op: opCond, start: test.start, end: no.end, at: at, atLen: 1, args: []*node{test, yes, no}}
}

// operation reads binary operators that bind at least so strongly.
func (p *parser) operation(binds int) *node {
	left := p.unary()
	for {
		b, ok := binary[p.tok.text]
		if !ok || b.binds < binds || p.tok.kind != signToken && p.tok.kind != wordToken {
			return left
		}
		t := p.tok
		p.next()
		right := p.operation(b.binds + 1)
		left = &node{op: b.op, name: t.text, start: left.start, end: right.end, at: t.start, atLen: t.end - t.start, args: []*node{left, right}}
	}
}

func (p *parser) unary() *node {
	t := p.tok
	if t.kind != signToken || t.text != "!" && t.text != "-" {
		return p.member(p.primary())
	}
	count := 0
	for p.tok.kind == signToken && p.tok.text == t.text {
		count++
		p.next()
	}
	if t.text == "-" && p.tok.kind == numberToken {
		count--
		p.negate()
	}
	n := p.member(p.primary())
	if count%2 == 0 {
		n.start = t.start
	} else {
		o := opNot
		if t.text == "-" {
			o = opNeg
		}
		n = &node{op: o, start: t.start, end: n.end, at: t.start, atLen: 1, args: []*node{n}}
	}
	return n
}

// negate puts the minus before a number into it.
func (p *parser) negate() {
	switch n := p.tok.num.(type) {
	case int64:
		p.tok.num = -n
	case smallest:
		p.tok.num = int64(-1 << 63)
	case float64:
		p.tok.num = -n
	case uint64:
		p.unexpected("an unsigned number has no sign")
	}
}

// member reads what follows a value: selects, indexes, calls.
func (p *parser) member(n *node) *node {
	for {
		switch {
		case p.is("."):
			p.next()
			t := p.tok
			if t.kind != wordToken || isLiteralWord(t.text) {
				p.unexpected("expected a name after the dot; any key can be written as [\"key\"]")
				return n
			}
			p.next()
			if p.is("(") {
				n = p.arguments(&node{op: opMethod, start: n.start, args: []*node{n}}, t)
				continue
			}
			n = &node{op: opSelect, name: t.text, start: n.start, end: t.end, at: t.start, atLen: t.end - t.start, args: []*node{n}}
		case p.is("["):
			at := p.tok.start
			p.next()
			key := p.expression()
			end := p.tok.end
			p.expect("]", "after an index")
			n = &node{op: opIndex, start: n.start, end: end, at: at, atLen: 1, args: []*node{n, key}}
		default:
			return n
		}
		if len(p.issues.list) > 0 {
			return n
		}
	}
}

// arguments reads the arguments of a call.
func (p *parser) arguments(n *node, name token) *node {
	n.name, n.at, n.atLen = name.text, name.start, name.end-name.start
	p.next()
	n.args = append(n.args, p.list(")")...)
	n.end = p.tok.end
	p.expect(")", "after the arguments")
	p.expand(n)
	return n
}

// list reads expressions with commas between them.
func (p *parser) list(end string) []*node {
	var list []*node
	if end == "]" && p.accept(",") { // [,] is CEL's too
		return nil
	}
	for !p.is(end) && len(p.issues.list) == 0 {
		list = append(list, p.expression())
		if !p.accept(",") {
			break
		}
		if p.is(end) && end == ")" {
			p.unexpected("")
		}
	}
	return list
}

// expand makes macros of the calls that are such.
func (p *parser) expand(n *node) {
	if n.op == opCall && n.name == "has" && len(n.args) == 1 {
		x := n.args[0]
		any := &node{op: opCall, name: "dyn", args: n.args, start: x.start, end: x.end, at: x.at, atLen: x.atLen}
		n.op, n.args = opNe, []*node{any, {op: opLiteral, typ: nullType}}
		return
	}
	counts, ok := macros[n.name]
	if !ok || n.op != opMethod || len(n.args) < 2 || len(n.args)-2 < counts[0] || len(n.args)-2 > counts[1] {
		return
	}
	if v := n.args[1]; v.op != opIdent {
		if len(p.issues.list) == 0 {
			p.issues.add(v.start, v.end-v.start, n.name+" needs a name here, for the item", "")
		}
		return
	}
	n.op = opMacro
}

func (p *parser) primary() *node {
	t := p.tok
	n := &node{start: t.start, end: t.end, at: t.start, atLen: t.end - t.start}
	switch {
	case t.kind == numberToken, t.kind == stringToken, t.kind == bytesToken, t.kind == wordToken && isLiteralWord(t.text) && t.text != "in":
		p.next()
		p.literal(n, t)
	case t.kind == wordToken && !slices.Contains(reserved, t.text) && t.text != "in":
		p.next()
		if p.is("(") {
			n.op = opCall
			return p.arguments(n, t)
		}
		n.op, n.name = opIdent, t.text
	case p.accept("("):
		n = p.expression()
		n.start, n.end = t.start, p.tok.end
		p.expect(")", "before the end of what ( begins")
	case p.accept("["):
		n.op, n.args = opList, p.list("]")
		n.end = p.tok.end
		p.expect("]", "after the items of a list")
	case p.accept("{"):
		p.entries(n)
	case t.kind == wordToken:
		p.unexpected("this word is reserved")
	default:
		p.unexpected("expected a value")
	}
	return n
}

// entries reads the entries of a map.
func (p *parser) entries(n *node) {
	n.op = opMap
	if p.accept(",") {
		p.expect("}", "after a comma alone")
		return
	}
	for !p.is("}") && len(p.issues.list) == 0 {
		n.args = append(n.args, p.expression())
		p.expect(":", "between a key and its value")
		n.args = append(n.args, p.expression())
		if !p.accept(",") {
			break
		}
	}
	n.end = p.tok.end
	p.expect("}", "after the entries of a map")
}

func (p *parser) literal(n *node, t token) {
	n.op = opLiteral
	switch num := t.num.(type) {
	case int64:
		n.typ, n.konst = intType, constant(num)
		return
	case float64:
		n.typ, n.konst = doubleType, constant(num)
		return
	case uint64:
		n.typ = otherType
		return
	case smallest:
		p.issues.add(t.start, t.end-t.start, "number out of range", "")
		return
	}
	switch {
	case t.kind == stringToken:
		n.typ, n.konst = stringType, constant(t.text)
	case t.kind == bytesToken:
		n.typ = otherType
	case t.text == "null":
		n.typ = nullType
	default:
		n.typ, n.konst = boolType, value.Of(t.text == "true")
	}
}

func isLiteralWord(s string) bool { return s == "true" || s == "false" || s == "null" || s == "in" }

// reserved are words that CEL keeps for itself.
var reserved = []string{"as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop", "package",
	"namespace", "return", "var", "void", "while"}
