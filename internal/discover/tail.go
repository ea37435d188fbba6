package discover

import (
	"bytes"
	"os"
	"sync"

	"github.com/trajmap/trajmap/engine/expr"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/read"
	"github.com/trajmap/trajmap/engine/value"
)

// How much of the end of a file is looked at for the last time in it: first a
// little, then more if no whole line with a time is there.
const (
	tailLeast = 4 << 10
	tailMost  = sampleMost
)

var tails = sync.Pool{New: func() any { return new([]byte) }}

// lastTime is the time of the last line that has one, in ms; when the file was
// changed last, if none has or the format does not consist of lines.
func (c *candidate) lastTime() int64 {
	formats := c.lineFormats()
	if len(formats) == 0 || c.folder() || c.row.Exists() {
		return c.changed
	}
	f, err := os.Open(c.path)
	if err != nil {
		return c.changed
	}
	defer f.Close()
	buffer := tails.Get().(*[]byte)
	defer tails.Put(buffer)
	for _, size := range []int64{tailLeast, tailMost} {
		from := max(0, c.size-size)
		if int64(cap(*buffer)) < size {
			*buffer = make([]byte, size)
		}
		text := (*buffer)[:min(size, c.size)]
		if n, _ := f.ReadAt(text, from); n < len(text) {
			return c.changed // it is being written anew
		}
		if from > 0 {
			_, text, _ = bytes.Cut(text, []byte{'\n'})
		}
		if t, ok := lastTimeIn(text, formats); ok {
			return t
		}
		if from == 0 {
			break
		}
	}
	return c.changed
}

// lineFormats are the formats of the candidate whose frames are lines and have
// times.
func (c *candidate) lineFormats() (list []*mapping.Format) {
	for _, f := range c.formats() {
		if f.Frames.Lines && f.Event.Time != nil {
			list = append(list, f)
		}
	}
	return list
}

// formats are those that may read the candidate.
func (c *candidate) formats() []*mapping.Format {
	if c.layout.Formats != nil {
		return c.layout.Formats
	}
	return c.agent.Formats
}

func lastTimeIn(lines []byte, formats []*mapping.Format) (int64, bool) {
	var doc value.Doc
	scope := expr.Scope{Arena: new(value.Arena)}
	for _, f := range formats {
		if len(scope.Lets) < f.Lets {
			scope.Lets = make([]value.Value, f.Lets)
		}
	}
	for len(lines) > 0 {
		line := lines
		if n := bytes.LastIndexByte(bytes.TrimSuffix(lines, []byte{'\n'}), '\n'); n >= 0 {
			line, lines = lines[n+1:], lines[:n+1]
		} else {
			lines = nil
		}
		if doc.Parse(bytes.ToValidUTF8(line, nil)) != nil {
			continue
		}
		scope.Arena.Reset()
		scope.It, scope.Frame = doc.Root(), doc.Root()
		for _, f := range formats {
			if t, ok := read.Millis(f.Event.Time.Prog.Eval(&scope)); ok {
				return t, true
			}
		}
	}
	return 0, false
}
