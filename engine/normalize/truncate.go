package normalize

import (
	"bytes"
	"sort"
	"strconv"
	"unicode/utf8"
)

// The marker that stands for what was cut, around the number of code points.
const (
	markerHead = `\n… [truncated, `
	markerTail = ` more chars]`

	markerPoints = 27 // code points of both
	markerJSON   = 28 // the same once printed: the line end is two
)

func appendMarker(dst []byte, cut int) []byte {
	dst = append(dst, markerHead...)
	dst = strconv.AppendInt(dst, int64(cut), 10)
	return append(dst, markerTail...)
}

// markerLen is the number of code points of a marker.
func markerLen(cut int) int { return markerPoints + digits(cut) }

func digits(n int) int {
	d := 1
	for ; n >= 10; n /= 10 {
		d++
	}
	return d
}

// truncate appends text cut to limit code points, with a marker; cut is false,
// and nothing appended, when text is no longer than that.
func truncate(dst, text []byte, limit int, headOnly bool) (short []byte, cut bool) {
	total := points(text)
	if total <= limit {
		return dst, false
	}
	keep, marked := fitting(total, limit), true
	if keep < 0 {
		keep, marked = limit-1, false
	}
	tail := keep / 2
	if headOnly {
		tail = 0
	}
	dst = append(dst, text[:head(text, keep-tail)]...)
	if marked {
		dst = appendMarker(dst, total-keep)
	} else {
		dst = append(dst, "…"...)
	}
	return append(dst, lastPoints(text, tail)...), true
}

// fitting is the largest number of code points of total that fits limit
// together with its marker, -1 when not even the marker does. One more code
// point kept never makes the sum smaller.
func fitting(total, limit int) int {
	return sort.Search(limit, func(keep int) bool {
		return keep+markerLen(total-keep) > limit
	}) - 1
}

// lastPoints is the last n code points of a text. It reads only the end of it:
// no code point takes more than six bytes.
func lastPoints(text []byte, n int) []byte {
	if n == 0 {
		return nil
	}
	end := text[boundary(text, len(text)-6*n):]
	return end[head(end, points(end)-n):]
}

// head is the length in bytes of the first n code points of a text.
func head(text []byte, n int) int {
	size, _ := prefix(text, n)
	return size
}

// boundary is a place at or before i where a code point of the text begins.
func boundary(text []byte, i int) int {
	if i <= 0 {
		return 0
	}
	// Where a run of backslashes begins, an escape begins.
	if at := bytes.LastIndexByte(text[max(0, i-6):i+1], '\\'); at >= 0 {
		i = max(0, i-6) + at
		for i > 0 && text[i-1] == '\\' {
			i--
		}
		return i
	}
	for i > 0 && !utf8.RuneStart(text[i]) {
		i--
	}
	return i
}
