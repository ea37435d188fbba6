package read

import (
	"math"

	"github.com/trajmap/trajmap/engine/value"
)

// millis reads a native time in ms since 1970: a number above 1e11 is ms
// already, a string is ISO 8601, in UTC where it names no zone. Anything else
// is no time.
func millis(v value.Value) (int64, bool) {
	switch v.Kind() {
	case value.Number:
		f, ok := v.Float()
		if !ok || f <= 1e11 || f > 8.64e15 {
			return 0, false
		}
		return int64(math.Trunc(f)), true
	case value.String:
		if v.Escaped() {
			return parseTime([]byte(v.Str()))
		}
		return parseTime(v.Body())
	}
	return 0, false
}

// parseTime reads YYYY-MM-DD, then optionally T or a blank, hh:mm[:ss[.fff…]]
// and Z or an offset.
func parseTime(b []byte) (int64, bool) {
	if len(b) < 10 || b[4] != '-' || b[7] != '-' {
		return 0, false
	}
	year, ok1 := digits(b[0:4])
	month, ok2 := digits(b[5:7])
	day, ok3 := digits(b[8:10])
	if !ok1 || !ok2 || !ok3 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month) {
		return 0, false
	}
	ms := days(year, month, day) * 86400000
	b = b[10:]
	if len(b) == 0 {
		return ms, true
	}
	if b[0] != 'T' && b[0] != 't' && b[0] != ' ' || len(b) < 6 || b[3] != ':' {
		return 0, false
	}
	hour, ok1 := digits(b[1:3])
	minute, ok2 := digits(b[4:6])
	if !ok1 || !ok2 || hour > 23 || minute > 59 {
		return 0, false
	}
	ms += hour*3600000 + minute*60000
	b = b[6:]
	if len(b) >= 3 && b[0] == ':' {
		second, ok := digits(b[1:3])
		if !ok || second > 59 {
			return 0, false
		}
		ms += second * 1000
		b = b[3:]
		if len(b) > 1 && b[0] == '.' {
			i, scale := 1, int64(100)
			for ; i < len(b) && b[i]-'0' <= 9; i++ {
				ms += int64(b[i]-'0') * scale
				scale /= 10
			}
			if i == 1 {
				return 0, false
			}
			b = b[i:]
		}
	}
	offset, ok := zone(b)
	return ms - offset, ok
}

// zone reads a time zone as the ms that it is ahead of UTC.
func zone(b []byte) (int64, bool) {
	switch {
	case len(b) == 0, len(b) == 1 && b[0]|0x20 == 'z':
		return 0, true
	case len(b) == 6 && b[3] == ':':
		b = append(append(make([]byte, 0, 5), b[:3]...), b[4:]...)
	}
	if len(b) != 5 || b[0] != '+' && b[0] != '-' {
		return 0, false
	}
	hour, ok1 := digits(b[1:3])
	minute, ok2 := digits(b[3:5])
	if !ok1 || !ok2 || hour > 23 || minute > 59 {
		return 0, false
	}
	offset := hour*3600000 + minute*60000
	if b[0] == '-' {
		offset = -offset
	}
	return offset, true
}

func digits(b []byte) (int64, bool) {
	var n int64
	for _, c := range b {
		if c-'0' > 9 {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, true
}

// days since 1970-01-01, by the civil calendar.
func days(year, month, day int64) int64 {
	if month <= 2 {
		year--
		month += 12
	}
	era := year / 400
	if year < 0 {
		era = (year - 399) / 400
	}
	yearOfEra := year - era*400
	dayOfYear := (153*(month-3)+2)/5 + day - 1
	return era*146097 + yearOfEra*365 + yearOfEra/4 - yearOfEra/100 + dayOfYear - 719468
}

func daysIn(year, month int64) int64 {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}
