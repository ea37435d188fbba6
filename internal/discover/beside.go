package discover

import (
	"path/filepath"
	"strings"
	"sync"

	"github.com/trajmap/trajmap/engine/beside"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/value"
)

// files are the files that the lists of a mapping look at, each read once. It is
// safe for concurrent use.
type files struct {
	mu    sync.Mutex
	known map[string]*file
}

// file is one of them, as its layout wants it.
type file struct {
	once  sync.Once
	value value.Value
}

// get gives the file that a candidate's layout has under a name.
func (fs *files) get(c *candidate, name string) value.Value {
	for _, f := range c.layout.Files {
		if f.Name == name {
			return fs.open(c.beside(f), f.Key)
		}
	}
	return value.Value{}
}

func (fs *files) open(path, key string) value.Value {
	name := path + "\x00" + key
	fs.mu.Lock()
	f := fs.known[name]
	if f == nil {
		f = &file{}
		fs.known[name] = f
	}
	fs.mu.Unlock()
	f.once.Do(func() {
		if f.value = beside.Load(path); key != "" {
			f.value = beside.Index(f.value, key)
		}
	})
	return f.value
}

// beside is the path of a file for a candidate.
func (c *candidate) beside(f *mapping.StoreFile) string {
	dir, base := filepath.Split(c.path)
	if c.folder() {
		dir = c.path
	}
	stem, _, _ := strings.Cut(base, ".")
	names := []string{"{name}", stem, "{folder}", filepath.Base(dir)}
	for _, p := range c.parts {
		names = append(names, "{"+p.Name+"}", p.Value)
	}
	if f.Root {
		dir = c.root
	}
	return filepath.Join(dir, filepath.FromSlash(strings.NewReplacer(names...).Replace(f.Path)))
}
