package normalize

import (
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/trajmap/trajmap/engine/value"
)

// This file is the contract's sections 3.3 and 3.4 as they stand, with no thought
// for speed: what the package's own code is held against. Strings are code points,
// lone surrogates being some.

func naiveMarker(cut int) []rune {
	return []rune(fmt.Sprintf("\n… [truncated, %d more chars]", cut))
}

func naiveTruncate(s []rune, limit int, headOnly bool) []rune {
	if len(s) <= limit {
		return s
	}
	keep, marker := -1, []rune("…")
	for k := range s {
		if m := naiveMarker(len(s) - k); k+len(m) <= limit {
			keep, marker = k, m
		}
	}
	if keep < 0 {
		keep = limit - 1
	}
	head := (keep + 1) / 2
	if headOnly {
		head = keep
	}
	return slices.Concat(s[:head], marker, s[len(s)-(keep-head):])
}

// tree is a JSON value: an object when names is set, a list when items is, else a
// string when str is, else raw.
type tree struct {
	names [][]rune
	items []*tree
	str   []rune
	raw   string
}

func (t *tree) clone() *tree {
	c := *t
	c.items = nil
	for _, item := range t.items {
		c.items = append(c.items, item.clone())
	}
	return &c
}

func (t *tree) leaves() []*tree {
	if t.str != nil {
		return []*tree{t}
	}
	var list []*tree
	for _, item := range t.items {
		list = append(list, item.leaves()...)
	}
	return list
}

func (t *tree) print() []rune {
	var out []rune
	switch {
	case t.raw == "{" || t.raw == "[":
		out = append(out, []rune(t.raw)...)
		for i, item := range t.items {
			if i > 0 {
				out = append(out, ',')
			}
			if t.raw == "{" {
				out = append(append(out, naiveQuote(t.names[i])...), ':')
			}
			out = append(out, item.print()...)
		}
		return append(out, rune(t.raw[0]+2))
	case t.str != nil:
		return naiveQuote(t.str)
	}
	return []rune(t.raw)
}

func naiveQuote(s []rune) []rune {
	out := []rune{'"'}
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			out = append(out, '\\', r)
		case r == '\n':
			out = append(out, '\\', 'n')
		case r == '\r':
			out = append(out, '\\', 'r')
		case r == '\t':
			out = append(out, '\\', 't')
		case r == '\b':
			out = append(out, '\\', 'b')
		case r == '\f':
			out = append(out, '\\', 'f')
		case r < 0x20 || r >= 0xd800 && r < 0xe000:
			out = append(out, []rune(fmt.Sprintf("\\u%04x", r))...)
		default:
			out = append(out, r)
		}
	}
	return append(out, '"')
}

// naiveArgs is what becomes of an object whose source text is raw.
func naiveArgs(raw []rune, object *tree, limit int) (args []rune, changed argsChange) {
	if object == nil {
		args := naiveWrap(raw, limit)
		return args, argsChange{reshaped: true, truncated: len(args) != len(naiveWrap(raw, Unbounded))}
	}
	if limit == Unbounded || len(raw) <= limit {
		return raw, argsChange{}
	}
	if args = naivePreferred(object.clone(), limit); len(args) <= limit {
		return args, argsChange{truncated: true}
	}
	if args = naiveDecreasing(object.clone(), limit); len(args) <= limit {
		return args, argsChange{truncated: true}
	}
	return naiveWrap(raw, limit), argsChange{reshaped: true, truncated: true}
}

func naivePreferred(object *tree, limit int) []rune {
	seen := map[string]bool{}
	printed := object.print()
	for len(printed) > limit && !seen[string(printed)] {
		seen[string(printed)] = true
		var longest *tree
		for _, leaf := range object.leaves() {
			if longest == nil || len(leaf.str) > len(longest.str) {
				longest = leaf
			}
		}
		if longest == nil || len(longest.str) <= leafFloor {
			break
		}
		keep := max(leafFloor, len(longest.str)/2)
		longest.str = slices.Concat(longest.str[:keep], naiveMarker(len(longest.str)-keep))
		printed = object.print()
	}
	return printed
}

func naiveDecreasing(object *tree, limit int) []rune {
	keeps, originals := map[*tree]int{}, map[*tree][]rune{}
	for _, leaf := range object.leaves() {
		keeps[leaf], originals[leaf] = len(leaf.str), leaf.str
	}
	printed := object.print()
	for len(printed) > limit {
		var longest *tree
		for _, leaf := range object.leaves() {
			if longest == nil || len(leaf.str) > len(longest.str) {
				longest = leaf
			}
		}
		if longest == nil || len(longest.str) == 0 {
			break
		}
		before, original, keep := len(printed), originals[longest], keeps[longest]
		candidate, next := []rune{}, 0
		if keep > 0 {
			floor := 0
			if keep > leafFloor {
				floor = leafFloor
			}
			next = max(floor, min(keep/2, keep-(before-limit)-len(naiveMarker(len(original)))-1))
			next = max(0, min(next, keep-1))
			candidate = slices.Concat(original[:next], naiveMarker(len(original)-next))
			if len(candidate) >= len(longest.str) {
				candidate, next = []rune{}, 0
			}
		}
		longest.str, keeps[longest] = candidate, next
		if printed = object.print(); len(printed) >= before && len(candidate) > 0 {
			longest.str, keeps[longest] = []rune{}, 0
			printed = object.print()
		}
	}
	return printed
}

func naiveWrap(raw []rune, limit int) []rune {
	wrap := func(s []rune) []rune {
		return slices.Concat([]rune(`{"_raw":`), naiveQuote(s), []rune(`}`))
	}
	full := wrap(raw)
	if limit == Unbounded || len(full) <= limit {
		return full
	}
	best := []rune("{}")
	for keep := range min(len(raw), limit) + 1 {
		if c := wrap(slices.Concat(raw[:keep], naiveMarker(len(raw)-keep))); len(c) <= limit {
			best = c
		} else {
			break
		}
	}
	return best
}

// naiveNames names calls: a repeated id gets the first free suffix.
func naiveNames(ids []string) []string {
	used := map[string]bool{}
	var names []string
	for i, id := range ids {
		if id == "" {
			id = "call_" + strconv.Itoa(i+1)
		}
		name := id
		for n := 2; used[name]; n++ {
			name = id + "__" + strconv.Itoa(n)
		}
		used[name] = true
		names = append(names, name)
	}
	return names
}

// textOf is the text of code points, and pointsOf its inverse.
func textOf(s []rune) []byte {
	quoted := encode(naiveQuote(s))
	return quoted[1 : len(quoted)-1]
}

func pointsOf(text []byte) []rune {
	s := []rune{}
	for b := value.AppendDecoded(nil, text); len(b) > 0; {
		r, size := utf8.DecodeRune(b)
		if r == utf8.RuneError && size == 1 && b[0] == 0xed {
			r, size = 0xd000|rune(b[1]&0x3f)<<6|rune(b[2]&0x3f), 3
		}
		s = append(s, r)
		b = b[size:]
	}
	return s
}

// encode is UTF-8, and a lone surrogate's three bytes.
func encode(s []rune) []byte {
	var b []byte
	for _, r := range s {
		if r >= 0xd800 && r < 0xe000 {
			b = append(b, 0xed, 0x80|byte(r>>6)&0x3f, 0x80|byte(r)&0x3f)
			continue
		}
		b = utf8.AppendRune(b, r)
	}
	return b
}
