package normalize

import (
	"bytes"
	"container/heap"
)

// leafFloor is the number of code points that a string in arguments keeps as long
// as others can be cut instead.
const leafFloor = 2_000

// leaf is a string value in arguments. Its current value is the first keep code
// points of the original, and a marker when cut is not 0.
type leaf struct {
	start, end int // of the original's text, in the JSON
	full       int // code points of the original
	whole      int // code points of the original once printed

	keep    int
	size    int // bytes of the keep code points
	printed int // code points of the same once printed
	cut     int // the number in the marker
	points  int // code points of the current value
}

// length is the number of code points that the current value takes in JSON.
func (l *leaf) length() int {
	if l.cut == 0 {
		return l.printed
	}
	return l.printed + markerJSON + digits(l.cut)
}

// leaves shortens a JSON object by shortening its longest strings. The contract
// defines it by rounds that print the whole object again; here a round changes
// the numbers of one leaf and of the total, and a heap finds the longest, so that
// the cost is that of the strings' own bytes.
type leaves struct {
	json  []byte
	list  []leaf
	order []int32 // heap: longest first, of equals the first in the document
	total int     // code points of the object
}

// shrink plans an object of at most limit code points, to be printed by appendText.
// It reports whether there is one.
func (s *leaves) shrink(json []byte, limit int) bool {
	s.collect(json)
	s.restore()
	if s.preferred(limit); s.total <= limit {
		return true
	}
	s.restore()
	s.decreasing(limit)
	return s.total <= limit
}

// preferred halves the longest string, but not below the floor, until the object
// fits, no string is longer than the floor, or a round changes nothing.
func (s *leaves) preferred(limit int) {
	for s.total > limit && len(s.order) > 0 {
		l := &s.list[s.order[0]]
		if l.points <= leafFloor {
			return
		}
		keep := max(leafFloor, l.points/2)
		cut := l.points - keep
		if keep == l.keep && cut == l.cut {
			return
		}
		s.set(l, keep, cut)
		heap.Fix(s, 0)
	}
}

// decreasing shortens the longest string in every round, in the end to nothing.
func (s *leaves) decreasing(limit int) {
	for s.total > limit && len(s.order) > 0 {
		l := &s.list[s.order[0]]
		if l.points == 0 {
			return
		}
		before := s.total
		keep := l.shorter(before - limit)
		if keep >= 0 {
			s.set(l, keep, l.full-keep)
		}
		if keep < 0 || s.total >= before {
			s.set(l, 0, 0)
		}
		heap.Fix(s, 0)
	}
}

// shorter is what the leaf keeps next, when the object is overflow code points
// too long; -1 when only the empty string is shorter.
func (l *leaf) shorter(overflow int) int {
	if l.keep == 0 {
		return -1
	}
	floor := 0
	if l.keep > leafFloor {
		floor = leafFloor
	}
	keep := max(floor, min(l.keep/2, l.keep-overflow-markerLen(l.full)-1))
	keep = max(0, min(keep, l.keep-1))
	if keep+markerLen(l.full-keep) >= l.points {
		return -1
	}
	return keep
}

// set gives a leaf its next value, which keeps no more than the last.
func (s *leaves) set(l *leaf, keep, cut int) {
	s.total -= l.length()
	if keep != l.keep {
		l.keep = keep
		l.size, l.printed = prefix(s.json[l.start:l.end], keep)
	}
	l.cut = cut
	l.points = keep
	if cut != 0 {
		l.points += markerLen(cut)
	}
	s.total += l.length()
}

// collect finds the strings of the object, which is printed without white space:
// a string before a colon is a member's name.
func (s *leaves) collect(json []byte) {
	s.json, s.list = json, s.list[:0]
	for i := 0; i < len(json); {
		at := bytes.IndexByte(json[i:], '"')
		if at < 0 {
			break
		}
		start := i + at + 1
		end := start + stringEnd(json[start:])
		i = end + 1
		if i < len(json) && json[i] != ':' {
			text := json[start:end]
			s.list = append(s.list, leaf{start: start, end: end, full: points(text), whole: runes(text)})
		}
	}
}

// restore gives every leaf its original value.
func (s *leaves) restore() {
	s.total, s.order = runes(s.json), s.order[:0]
	for i := range s.list {
		l := &s.list[i]
		l.keep, l.points, l.cut = l.full, l.full, 0
		l.size, l.printed = l.end-l.start, l.whole
		s.order = append(s.order, int32(i))
	}
	heap.Init(s)
}

// stringEnd is where the closing quote of a string stands, after its opening one.
func stringEnd(b []byte) int {
	for end := 0; ; end++ {
		at := bytes.IndexByte(b[end:], '"')
		if at < 0 {
			return len(b)
		}
		end += at
		slashes := end
		for slashes > 0 && b[slashes-1] == '\\' {
			slashes--
		}
		if (end-slashes)%2 == 0 {
			return end
		}
	}
}

// appendText appends the text of the object with the leaves' current values.
func (s *leaves) appendText(dst []byte) []byte {
	at := 0
	for i := range s.list {
		l := &s.list[i]
		dst = appendQuoted(dst, s.json[at:l.start+l.size])
		if l.cut != 0 {
			dst = append(dst, '\\') // of the marker's own line end
			dst = appendMarker(dst, l.cut)
		}
		at = l.end
	}
	return appendQuoted(dst, s.json[at:])
}

// Len, Less, Swap, Push and Pop are the heap's.

func (s *leaves) Len() int { return len(s.order) }

func (s *leaves) Less(i, j int) bool {
	a, b := s.order[i], s.order[j]
	if s.list[a].points != s.list[b].points {
		return s.list[a].points > s.list[b].points
	}
	return a < b
}

func (s *leaves) Swap(i, j int) { s.order[i], s.order[j] = s.order[j], s.order[i] }
func (s *leaves) Push(any)      {}
func (s *leaves) Pop() any      { return nil }
