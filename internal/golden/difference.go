package golden

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/trajmap/trajmap/engine/diag"
)

// difference is the first place where an expected file differs from what came
// out; nil when both mean the same.
func difference(file string, want, got []byte) *diag.Finding {
	if bytes.Equal(want, got) || same(want, got) {
		return nil
	}
	w, g := strings.Split(string(want), "\n"), strings.Split(string(got), "\n")
	n := 0
	for n < len(w)-1 && n < len(g)-1 && w[n] == g[n] {
		n++
	}
	col := common(w[n], g[n])
	more := ""
	if len(w) != len(g) {
		more = fmt.Sprintf("; %d lines, expected %d", len(g), len(w))
	}
	return &diag.Finding{Code: diag.GoldenDiffers, File: file, Line: n + 1, Col: col + 1, Excerpt: w[n],
		Message: "the output differs: got " + around(g[n], col) + more,
		Hint:    "if that is right, trajmap test --update takes it over"}
}

// same reports whether two texts are the same JSON, however it is written.
func same(a, b []byte) bool {
	x, errA := decode(a)
	y, errB := decode(b)
	return errA == nil && errB == nil && reflect.DeepEqual(x, y)
}

func decode(text []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}

// common is the number of characters that two lines begin with alike.
func common(a, b string) int {
	x, y := []rune(a), []rune(b)
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	return n
}

// around is a line near a column, for a message.
func around(line string, col int) string {
	const before, after = 30, 60
	r := []rune(strings.TrimSpace(line))
	col = max(0, col-(len([]rune(line))-len([]rune(strings.TrimLeft(line, " ")))))
	from, to := max(0, min(col, len(r))-before), min(len(r), col+after)
	text := string(r[from:max(from, to)])
	if from > 0 {
		text = "…" + text
	}
	if to < len(r) {
		text += "…"
	}
	return text
}
