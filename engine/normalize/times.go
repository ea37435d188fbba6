package normalize

import "github.com/trajmap/trajmap/engine/trajectory"

// The first and the last millisecond that a timestamp can express.
const (
	minTime = -62_167_219_200_000 // 0000-01-01T00:00:00.000Z
	maxTime = 253_402_300_799_999 // 9999-12-31T23:59:59.999Z
)

// Times of a session that has none.
const (
	firstTime = 1_767_225_600_000 // 2026-01-01T00:00:00Z
	stepTime  = 15                // seconds
)

// fillTimes gives every kept entry without a time one, from its neighbours or
// from what the session says about itself. It computes in doubles and drops
// fractions of milliseconds, because JavaScript's Date does.
func fillTimes(entries []entry, records int, c Context) *trajectory.Diagnostic {
	missing, anchored := 0, false
	gap, before := 0, -1 // entries without time since the anchor at before
	for i := range entries {
		e := &entries[i]
		if e.fate != kept {
			continue
		}
		if e.time == noTime {
			gap++
			missing++
			continue
		}
		if gap > 0 {
			fillGap(entries, before, i, gap)
			gap = 0
		}
		before, anchored = i, true
	}
	switch {
	case missing == 0:
		return nil
	case !anchored:
		synthesize(entries, records, c)
		return &trajectory.Diagnostic{
			Code:    trajectory.TimestampsSynthesized,
			Message: "The session has no times: made them up.",
			Count:   records,
		}
	}
	if gap > 0 {
		fillGap(entries, before, len(entries), gap)
	}
	return &trajectory.Diagnostic{
		Code:    trajectory.TimestampsInterpolated,
		Message: "Some records have no time: put them between their neighbours.",
		Count:   missing,
	}
}

// fillGap fills the gap kept entries between two anchors; before is -1 when there
// is no first one, after is len(entries) when there is no second one.
func fillGap(entries []entry, before, after, gap int) {
	k := 0
	for i := before + 1; i < after; i++ {
		e := &entries[i]
		if e.fate != kept {
			continue
		}
		k++
		switch {
		case before < 0:
			e.time = clampTime(entries[after].time - int64(gap-k+1)*1000)
		case after == len(entries):
			e.time = clampTime(entries[before].time + int64(k)*1000)
		default:
			start, end := entries[before].time, entries[after].time
			e.time = int64(float64(start) + float64(end-start)*float64(k)/float64(gap+1))
		}
	}
}

func synthesize(entries []entry, records int, c Context) {
	base, step := float64(firstTime), float64(stepTime)
	if c.HasCreatedAt && c.CreatedAt == clampTime(c.CreatedAt) {
		base = float64(c.CreatedAt)
	}
	if c.Duration != 0 && records > 1 {
		step = float64(c.Duration) / 1000 / float64(records-1)
	}
	k := 0
	for i := range entries {
		if e := &entries[i]; e.fate == kept {
			e.time = clampTime(int64(base + step*1000*float64(k)))
			k++
		}
	}
}

func clampTime(ms int64) int64 { return min(max(ms, minTime), maxTime) }

// AppendTime appends a time, in ms since 1970 UTC, as records carry it. The time
// must lie in the years 0 to 9999.
func AppendTime(dst []byte, ms int64) []byte {
	const day = 86_400_000
	days := ms / day
	rest := ms % day
	if rest < 0 {
		rest += day
		days--
	}
	year, month, date := civil(days)
	return append(dst,
		digit(year, 1000), digit(year, 100), digit(year, 10), digit(year, 1), '-',
		digit(month, 10), digit(month, 1), '-',
		digit(date, 10), digit(date, 1), 'T',
		digit(rest/3_600_000, 10), digit(rest/3_600_000, 1), ':',
		digit(rest/60_000%60, 10), digit(rest/60_000%60, 1), ':',
		digit(rest/1000%60, 10), digit(rest/1000%60, 1), '.',
		digit(rest, 100), digit(rest, 10), digit(rest, 1), 'Z')
}

func digit(n, unit int64) byte { return '0' + byte(n/unit%10) }

// civil is the Gregorian date of a day counted from 1970-01-01. Years are taken
// to begin in March, so that a leap day is a year's last, and to repeat every
// 400 years, which have 146,097 days.
func civil(days int64) (year, month, date int64) {
	days += 719_468 // since 0000-03-01
	era := days / 146_097
	if days < 0 {
		era = (days - 146_096) / 146_097
	}
	d := days - era*146_097
	y := (d - d/1460 + d/36_524 - d/146_096) / 365
	d -= 365*y + y/4 - y/100
	m := (5*d + 2) / 153 // since March
	year, month, date = y+era*400, m+3, d-(153*m+2)/5+1
	if month > 12 {
		month -= 12
		year++
	}
	return year, month, date
}
