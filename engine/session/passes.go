package session

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/trajmap/trajmap/engine/value"
)

// passes counts what the shared passes change, by code.
type passes map[string]*Pass

func (p passes) note(code string, record int) {
	if p[code] == nil {
		p[code] = &Pass{Code: code, First: record}
	}
	p[code].Count++
}

// list gives the counts in a fixed order.
func (p passes) list() []Pass {
	var out []Pass
	for _, code := range []string{TextRepaired, ToolCallIDRewritten, ToolNameRewritten, ResultSynthesized} {
		if n := p[code]; n != nil {
			out = append(out, *n)
		}
	}
	return out
}

// maxWire is the longest id or name that the wires of models take.
const maxWire = 64

// wire gives calls the ids and names that every wire takes.
func (b *Builder) wire() {
	taken := map[string]bool{}
	for _, c := range b.s.Calls {
		if isWire(c.SourceID) {
			taken[c.SourceID] = true
		}
	}
	for _, c := range b.s.Calls {
		c.ID, c.Name = c.SourceID, c.SourceName
		if !isWire(c.ID) {
			c.ID = rewritten(c.SourceID, taken)
			b.pass.note(ToolCallIDRewritten, c.record)
		}
		if !isWire(c.Name) {
			c.Name = shortened(c.SourceName)
			b.pass.note(ToolNameRewritten, c.record)
		}
	}
}

func isWire(s string) bool {
	return s != "" && len(s) <= maxWire && strings.IndexFunc(s, func(r rune) bool { return !wireRune(r) }) < 0
}

func wireRune(r rune) bool {
	return r == '_' || r == '-' || r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z'
}

// shortened is a name in the wire's alphabet, told apart by its hash.
func shortened(s string) string {
	clean := strings.Map(func(r rune) rune {
		if wireRune(r) {
			return r
		}
		return '_'
	}, s)
	if clean != "" && len(clean) <= maxWire {
		return clean
	}
	sum := sha256.Sum256([]byte(s))
	return clean[:min(len(clean), 55)] + "_" + hex.EncodeToString(sum[:4])
}

// rewritten is an id in the wire's alphabet that no other call has.
func rewritten(id string, taken map[string]bool) string {
	clean := strings.Map(func(r rune) rune {
		if wireRune(r) {
			return r
		}
		return '_'
	}, id)
	sum := sha256.Sum256([]byte(id))
	out := clean[:min(len(clean), 55)] + "_" + hex.EncodeToString(sum[:4])
	for taken[out] {
		sum = sha256.Sum256([]byte(out))
		out = clean[:min(len(clean), 55)] + "_" + hex.EncodeToString(sum[:4])
	}
	taken[out] = true
	return out
}

// NoResult is the content of a result that the source did not record.
const NoResult = "[no result was recorded for this call]"

// NotTold is the content of a result that the source does not record by design.
const NotTold = "[what this call gave was told to the model alone]"

// synthesize answers the calls that have none by design, which did not fail, and
// with all set those whose result is missing.
func (b *Builder) synthesize(all bool) {
	failed := false
	for _, c := range b.s.Calls {
		if c.Result != nil || !c.Resultless && !all {
			continue
		}
		text, ok := NoResult, &failed
		if c.Resultless {
			text, ok = NotTold, nil
		}
		c.Result = &Result{Content: b.s.store.add(value.AppendEncoded(nil, text)), Bytes: len(text), OK: ok, Time: c.Time, Order: -1, Synthesized: true}
		b.pass.note(ResultSynthesized, c.record)
	}
	for _, t := range b.s.Turns {
		t.close()
	}
}

// clock makes the times of messages and results rise in the order in which they
// are written: each at least 1 ms after the one before, but results of one reply
// may have the same. Calls lie between. It counts messages and results as well.
func (s *Session) clock() {
	var now int64
	n := 0
	tick := func(t int64) int64 {
		now = max(t, now+1)
		return now
	}
	for _, m := range s.Messages {
		if m.Role.Note() {
			continue
		}
		m.Time = tick(m.Time)
		n++
		m.Sequence = n
		if s.Created == 0 {
			s.Created = m.Time
		}
		m.End = m.Time
		first := int64(math.MaxInt64) // result
		for _, c := range m.Calls {
			if c.Result == nil {
				continue
			}
			if m.End == m.Time {
				c.Result.Time = tick(c.Result.Time)
			} else {
				// Where one row holds the results of a batch, all have its time.
				now = max(now, c.Result.Time)
				c.Result.Time = now
			}
			n++
			c.Result.Sequence = n
			first = min(first, c.Result.Time)
			m.End = c.Result.Time
			s.Longest = max(s.Longest, c.Result.Bytes)
		}
		// All calls are written before the first result.
		made := m.Time
		for _, c := range m.Calls {
			made = min(max(c.Time, made), first)
			c.Time = made
		}
		s.Updated = m.End
	}
}

// title is the source's, else the first line of the first prompt.
func title(given string, s *Session) string {
	if given == "" {
		for _, m := range s.Messages {
			if m.Role == User {
				given = firstLine(m.Texts)
				break
			}
		}
	}
	given = strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, given))
	const most = 80
	if utf8.RuneCountInString(given) > most {
		given = string([]rune(given)[:most])
	}
	return given
}

// firstLine is the first line that is not blank, as far as a title needs it.
func firstLine(texts []Text) string {
	for _, t := range texts {
		line, _, _ := strings.Cut(strings.TrimSpace(t.String()), "\n")
		if line != "" {
			return line
		}
	}
	return ""
}
