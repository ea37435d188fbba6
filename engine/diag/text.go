package diag

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// excerptWidth is how much of a long line is shown: mappings may be written
// densely, and a terminal that wraps the line puts the caret nowhere.
const excerptWidth = 120

// writeText prints each finding with the line it is about and a caret below.
func writeText(w io.Writer, list List) error {
	b := bufio.NewWriter(w)
	for i := range list {
		f := &list[i]
		fmt.Fprintln(b, f)
		if f.Line == 0 || f.Excerpt == "" {
			continue
		}
		line, col := window(f.Excerpt, f.Col, f.Len)
		number := strconv.Itoa(f.Line)
		fmt.Fprintf(b, "%6s | %s\n", number, line)
		if col > 0 {
			fmt.Fprintf(b, "%6s | %s\n", "", underline(line, col, f.Len))
		}
	}
	return b.Flush()
}

// window cuts a long line around a place and gives the place's new column.
func window(line string, col, length int) (string, int) {
	n := utf8.RuneCountInString(line)
	if n <= excerptWidth {
		return line, col
	}
	r := []rune(line)
	from := max(0, min(col+length/2-excerptWidth/2, n-excerptWidth, col-1))
	cut := string(r[from:min(n, from+excerptWidth)])
	if from+excerptWidth < n {
		cut += "…"
	}
	if from > 0 {
		cut, from = "…"+cut, from-1
	}
	return cut, col - from
}

// underline is the caret below a line; tabs are kept, so that it lines up.
func underline(line string, col, length int) string {
	b := strings.Builder{}
	at := 1
	for _, r := range line {
		if at >= col {
			break
		}
		if r != '\t' {
			r = ' '
		}
		b.WriteRune(r)
		at++
	}
	b.WriteByte('^')
	// never beyond the line: what is at fault may go on below it
	for k := 1; k < min(length, utf8.RuneCountInString(line)-col+1); k++ {
		b.WriteByte('~')
	}
	return b.String()
}
