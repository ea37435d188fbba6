package normalize

import "strconv"

// calls names the tool calls of a session and pairs results with them.
type calls struct {
	ids  ids
	of   []idCalls // by number of the id
	list []call    // in the order of their events
	name []byte    // scratch
}

// idCalls is what is known of one id.
type idCalls struct {
	taken  bool  // it is some call's final id
	suffix int32 // the last number that was tried to tell a repeat apart
	open   int32 // the first call with this source id and no result yet, or -1
	last   int32 // the last call with this source id, or -1
}

type call struct {
	id      int32 // number of its final id
	next    int32 // the next call with the same source id, or -1
	made    bool  // the source had no id
	renamed bool
	none    bool // there is no result by design
}

func (c *calls) reset() {
	c.ids.reset()
	c.of, c.list = c.of[:0], c.list[:0]
}

// add names the call of event number n, 1-based, and gives the call's number.
func (c *calls) add(id []byte, n int) int32 {
	made := len(id) == 0
	if made {
		c.name = strconv.AppendInt(append(c.name[:0], "call_"...), int64(n), 10)
		id = c.name
	}
	source := c.number(id)
	final := source
	if c.of[source].taken {
		final = c.repeat(source)
	}
	c.of[final].taken = true
	number := int32(len(c.list))
	c.list = append(c.list, call{id: final, next: -1, made: made, renamed: final != source})
	s := &c.of[source]
	if s.last < 0 {
		s.open = number
	} else {
		c.list[s.last].next = number
	}
	s.last = number
	return number
}

// repeat finds the number of an id that no call has. Ids are never given back,
// so that the search goes on where the last one for the same id ended.
func (c *calls) repeat(source int32) int32 {
	for {
		s := &c.of[source]
		s.suffix++
		c.name = append(append(c.name[:0], c.ids.get(source)...), "__"...)
		c.name = strconv.AppendInt(c.name, int64(s.suffix), 10)
		if n := c.number(c.name); !c.of[n].taken {
			return n
		}
	}
}

// number gives the number of an id, of a call or of a result.
func (c *calls) number(id []byte) int32 {
	n, fresh := c.ids.add(id)
	if fresh {
		c.of = append(c.of, idCalls{suffix: 1, open: -1, last: -1})
	}
	return n
}

// answer gives the next result with source id n its call, and that call's
// final id.
func (c *calls) answer(n int32) (final int32, fate fate) {
	s := &c.of[n]
	switch {
	case s.last < 0:
		return n, orphan
	case s.open < 0:
		return n, duplicate
	}
	answered := c.list[s.open]
	s.open = answered.next
	return answered.id, kept
}
