package linked

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/handler"
	"github.com/trajmap/trajmap/engine/mapping"
)

// place is where a session lies.
type place struct {
	root  string // the folder that all is below
	own   string // the session's file below it
	parts []mapping.Part
}

// find tells from the input's path where its session lies.
func find(in *frame.Input, p *mapping.Pattern) (place, error) {
	foreign := handler.Foreign("the input is not at %s", p.Source)
	if in.Name == "" || in.Name == "-" || os.IsPathSeparator(in.Name[len(in.Name)-1]) {
		return place{}, foreign
	}
	name, err := filepath.Abs(in.Name)
	if err != nil {
		return place{}, err
	}
	names := strings.Split(filepath.ToSlash(name), "/")
	at := len(names) - len(p.Segments)
	if at < 1 {
		return place{}, foreign
	}
	var parts []mapping.Part
	for i := range p.Segments {
		var fits bool
		if parts, fits = p.Segments[i].Match(names[at+i], parts); !fits {
			return place{}, foreign
		}
	}
	return place{filepath.FromSlash(strings.Join(names[:at], "/") + "/"), strings.Join(names[at:], "/"), parts}, nil
}

// why is an error without the path that it is about.
func why(err error) string {
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		err = e.Err
	}
	return err.Error()
}
