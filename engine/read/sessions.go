package read

import (
	"errors"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/handler"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/value"
)

// Sessions lists the sessions that an input holds by the formats of a mapping
// that know such inputs, the one used last first. ok is false when the input is
// none that holds several: it is one session then, or is nothing.
func Sessions(m *mapping.Mapping, formats []*mapping.Format, in *frame.Input, limits frame.Options) (list []handler.Session, ok bool, err error) {
	known := map[string]bool{}
	var faults []error
	for _, f := range formats {
		if f.Frames.SQLite == nil && f.Frames.Handler == "" {
			continue
		}
		some, is, err := sessionsOf(m, f, in, limits)
		if err != nil && !handler.IsForeign(err) {
			faults = append(faults, err)
		}
		ok = ok || is
		for _, s := range some {
			if !known[s.ID] {
				known[s.ID] = true
				list = append(list, s)
			}
		}
	}
	if ok || len(faults) == 0 {
		return list, ok, nil
	}
	return nil, false, errors.Join(faults...)
}

func sessionsOf(m *mapping.Mapping, f *mapping.Format, in *frame.Input, limits frame.Options) ([]handler.Session, bool, error) {
	op, err := openFrames(m, f, in, Options{Limits: limits, Alone: true})
	if err != nil {
		return nil, false, err
	}
	defer op.close()
	store, ok := op.stream.(handler.Store)
	if !ok {
		return nil, false, nil
	}
	list, err := store.Sessions()
	return list, err == nil, err
}

// Millis reads a native time as ms since 1970: a number of them, or a text in
// ISO 8601, in UTC where it names no zone. ok is false for all else.
func Millis(v value.Value) (ms int64, ok bool) { return millis(v) }

// chosen is the session that an input of several gives, and how many others
// there are when none was asked for.
func chosen(store handler.Store, o Options) (id string, others int, err error) {
	if o.Session != "" {
		return store.Session(), 0, nil
	}
	list, err := store.Sessions()
	return store.Session(), max(0, len(list)-1), err
}
