package history

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strings"
	"unicode/utf8"
)

// Rules are what a program is known to change, and may.
type Rules struct {
	Trim    bool   // white space around what was said
	Blank   string // what stands for a result that is blank; "" for itself
	Doubles bool   // numbers in arguments become 64-bit floating point
}

// A Difference says where a history departs from what is wanted.
type Difference struct {
	At   int    // entry, from 1
	What string // without the words of the conversation
	near string // with some of them
}

// Error says what differs, with the words about it.
func (d *Difference) Error() string {
	return fmt.Sprintf("entry %d: %s%s", d.At, d.What, d.near)
}

// Compare gives nil when got, without what a program adds, is want, up to the
// rules; else the first *Difference.
func Compare(want, got []Entry, rules Rules) error {
	got = newCleaner(want, rules.Trim).clean(got)
	want, got = join(want, rules.Trim), join(got, rules.Trim)
	for i := range max(len(want), len(got)) {
		var err *Difference
		switch {
		case i >= len(want):
			err = &Difference{What: fmt.Sprintf("one %s too many, of %d", got[i].Kind, len(got)), near: near("", got[i].Text)}
		case i >= len(got):
			err = &Difference{What: fmt.Sprintf("%s is missing, and what follows: %d of %d came", want[i].Kind, len(got), len(want)), near: near(want[i].Text, "")}
		default:
			err = rules.entry(want[i], got[i])
		}
		if err != nil {
			err.At = i + 1
			return err
		}
	}
	return nil
}

func (r Rules) entry(want, got Entry) *Difference {
	text := want.Text
	if want.Kind == Result && r.Blank != "" && strings.TrimSpace(text) == "" && got.Text != text {
		text = r.Blank
	}
	switch {
	case want.Kind != got.Kind:
		return &Difference{What: fmt.Sprintf("%s became %s", want.Kind, got.Kind), near: near(want.Text, got.Text)}
	case want.ID != got.ID:
		return &Difference{What: fmt.Sprintf("another id of a %s: %q became %q", want.Kind, want.ID, got.ID)}
	case want.Name != got.Name:
		return &Difference{What: fmt.Sprintf("another name of a call: %q became %q", want.Name, got.Name)}
	case text != got.Text:
		return &Difference{What: fmt.Sprintf("text of a %s differs: %d bytes, %d came", want.Kind, len(text), len(got.Text)), near: near(text, got.Text)}
	case want.OK != nil && got.OK != nil && *want.OK != *got.OK:
		return &Difference{What: fmt.Sprintf("another outcome of a call: %t became %t", *want.OK, *got.OK)}
	case want.Kind == Call:
		if err := r.args(want.Args, got.Args); err != nil {
			return &Difference{What: "arguments of a call: " + err.Error(), near: near(want.Args, got.Args)}
		}
	}
	return nil
}

func (r Rules) args(want, got string) error {
	w, err := decode(want)
	if err != nil {
		return fmt.Errorf("those wanted are no JSON")
	}
	g, err := decode(got)
	if err != nil {
		return fmt.Errorf("those that came are no JSON")
	}
	if !r.equal(w, g) {
		return errors.New("other values")
	}
	return nil
}

func decode(text string) (any, error) {
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("more than one value")
	}
	return v, nil
}

func (r Rules) equal(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for k, v := range a {
			w, ok := b[k]
			if !ok || !r.equal(v, w) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !r.equal(a[i], b[i]) {
				return false
			}
		}
		return true
	case json.Number:
		b, ok := b.(json.Number)
		return ok && r.same(a, b)
	}
	return a == b
}

// same compares numbers by value, however they are written.
func (r Rules) same(a, b json.Number) bool {
	if a == b {
		return true
	}
	if r.Doubles {
		x, err := a.Float64()
		y, err2 := b.Float64()
		return err == nil && err2 == nil && x == y
	}
	x, _, err := big.ParseFloat(string(a), 10, 2000, big.ToNearestEven)
	y, _, err2 := big.ParseFloat(string(b), 10, 2000, big.ToNearestEven)
	return err == nil && err2 == nil && x.Cmp(y) == 0
}

// near shows two texts from where they part.
func near(want, got string) string {
	at := 0
	for at < len(want) && at < len(got) && want[at] == got[at] {
		at++
	}
	from := max(0, at-20)
	for from > 0 && from < len(want) && !utf8.RuneStart(want[from]) {
		from--
	}
	show := func(s string) string { return s[min(from, len(s)):min(at+40, len(s))] }
	return fmt.Sprintf(" (want %q, got %q, at byte %d)", show(want), show(got), at)
}
