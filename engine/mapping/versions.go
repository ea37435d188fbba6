package mapping

import (
	"cmp"
	"strconv"
	"strings"
)

var (
	version = pattern{"a version such as \"0.146\"", `^[0-9][0-9A-Za-z.+-]*$`, func(s string) bool {
		if s == "" || s[0] < '0' || s[0] > '9' {
			return false
		}
		return only(strings.ToLower(strings.NewReplacer(".", "", "+", "", "-", "").Replace(s)), "0")
	}}
	versionRange = pattern{"a range of versions such as \">=0.9 <0.146\"",
		`^ *((>=|<=?) *[0-9][0-9A-Za-z.+-]*)( +<=? *[0-9][0-9A-Za-z.+-]*)? *$`, func(s string) bool {
			_, ok := parseVersions(s)
			return ok
		}}
)

// parseVersions reads a range: ">=A", "<B" or "<=B", or the first with one of
// the others.
func parseVersions(s string) (v Versions, ok bool) {
	s = strings.NewReplacer(">= ", ">=", "<= ", "<=", "< ", "<").Replace(strings.Join(strings.Fields(s), " "))
	for part := range strings.FieldsSeq(s) {
		if since, is := strings.CutPrefix(part, ">="); is {
			if v != (Versions{}) || !version.ok(since) {
				return Versions{}, false
			}
			v.Since = since
			continue
		}
		until, including := strings.CutPrefix(part, "<=")
		if !including {
			var is bool
			if until, is = strings.CutPrefix(part, "<"); !is {
				return Versions{}, false
			}
		}
		if v.Until != "" || !version.ok(until) {
			return Versions{}, false
		}
		v.Until, v.Below = until, !including
	}
	return v, v != Versions{}
}

// empty reports whether no version can be in the range.
func (v Versions) empty() bool {
	if v.Since == "" || v.Until == "" {
		return false
	}
	c := CompareVersions(v.Since, v.Until)
	return c > 0 || c == 0 && v.Below
}

// Includes reports whether a version is in the range.
func (v Versions) Includes(version string) bool {
	if v.Since != "" && CompareVersions(version, v.Since) < 0 {
		return false
	}
	if v.Until == "" {
		return true
	}
	c := CompareVersions(version, v.Until)
	return c < 0 || c == 0 && !v.Below
}

// CompareVersions orders versions part by part: numbers by value, a missing part
// before everything except a pre-release.
func CompareVersions(a, b string) int {
	for a != "" || b != "" {
		var x, y string
		x, a = nextPart(a)
		y, b = nextPart(b)
		n, errX := strconv.Atoi(x)
		m, errY := strconv.Atoi(y)
		if x == "" {
			errX = nil
		}
		if y == "" {
			errY = nil
		}
		switch {
		case errX == nil && errY == nil:
			if c := cmp.Compare(n, m); c != 0 {
				return c
			}
		case errX == nil:
			return 1 // a number, or the release itself, after a pre-release
		case errY == nil:
			return -1
		default:
			if c := strings.Compare(x, y); c != 0 {
				return c
			}
		}
	}
	return 0
}

func nextPart(s string) (part, rest string) {
	if i := strings.IndexAny(s, ".-+"); i >= 0 {
		return s[:i], s[i+1:]
	}
	return s, ""
}
