package engine

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/trajmap/trajmap/engine/diag"
	"github.com/trajmap/trajmap/mappings"
)

// Catalog is what the names of mappings stand for. It is safe for concurrent
// use; a mapping is compiled when it is first asked for.
type Catalog struct {
	entries []*Entry // by name
}

// Entry is a mapping of a catalog.
type Entry struct {
	Name   string // of its file, without extension
	File   string // path; of an embedded mapping within trajmap's source
	Folder string // that it was found in; "" when it is embedded
	// Shadows are the files of the same name that would stand here without it.
	Shadows []string

	data func() ([]byte, error)
	open func() (*Mapping, error)
}

// Embedded reports whether the mapping is the one that ships with trajmap.
func (e *Entry) Embedded() bool { return e.Folder == "" }

// Open compiles the mapping. Only the first call does work.
func (e *Entry) Open() (*Mapping, error) { return e.open() }

// NewCatalog makes a catalog of the embedded mappings and of the YAML files in
// folders; of files with one name that in the first folder counts. The error is
// of a folder that cannot be listed.
func NewCatalog(folders ...string) (*Catalog, error) {
	c := &Catalog{}
	for _, folder := range folders {
		if err := c.add(os.DirFS(folder), folder); err != nil {
			return nil, fmt.Errorf("list mappings: %w", err)
		}
	}
	if err := c.add(mappings.FS, ""); err != nil {
		return nil, err
	}
	slices.SortFunc(c.entries, func(a, b *Entry) int { return strings.Compare(a.Name, b.Name) })
	return c, nil
}

func (c *Catalog) add(files fs.FS, folder string) error {
	if folder != "" {
		// The root of a DirFS is read under the name ".", which says nothing.
		if _, err := os.ReadDir(folder); err != nil {
			return err
		}
	}
	list, err := fs.ReadDir(files, ".")
	if err != nil {
		return err
	}
	for _, f := range list {
		ext := path.Ext(f.Name())
		if f.IsDir() || !isYAML(ext) {
			continue
		}
		e := &Entry{Name: strings.TrimSuffix(f.Name(), ext), Folder: folder, File: path.Join("mappings", f.Name())}
		if folder != "" {
			e.File = filepath.Join(folder, f.Name())
		}
		e.data = sync.OnceValues(func() ([]byte, error) { return fs.ReadFile(files, f.Name()) })
		e.open = sync.OnceValues(func() (*Mapping, error) {
			data, err := e.data()
			if err != nil {
				return nil, fmt.Errorf("read mapping: %w", err)
			}
			return Parse(e.File, data)
		})
		if at := slices.IndexFunc(c.entries, func(o *Entry) bool { return o.Name == e.Name }); at >= 0 {
			c.entries[at].Shadows = append(c.entries[at].Shadows, e.File)
			continue
		}
		c.entries = append(c.entries, e)
	}
	return nil
}

func isYAML(ext string) bool { return ext == ".yaml" || ext == ".yml" }

// Entries are the catalog's mappings by name.
func (c *Catalog) Entries() []*Entry { return c.entries }

// IsFile reports whether the name of a mapping is a path: it ends in .yaml or
// .yml, or has a separator.
func IsFile(name string) bool {
	return isYAML(filepath.Ext(name)) || strings.ContainsRune(name, '/') || strings.ContainsRune(name, filepath.Separator)
}

// UnknownMappingError is of a name that the catalog does not have.
type UnknownMappingError struct {
	Name    string
	Nearest string // what may have been meant; "" if nothing is near
}

func (e *UnknownMappingError) Error() string {
	return fmt.Sprintf("no mapping is named %q", e.Name)
}

// Lookup finds an entry by name or alias; the error is an
// *[UnknownMappingError].
func (c *Catalog) Lookup(name string) (*Entry, error) {
	names := make([]string, 0, len(c.entries))
	for _, e := range c.entries {
		if e.Name == name {
			return e, nil
		}
		names = append(names, e.Name)
	}
	for _, e := range c.entries {
		also := e.aliases()
		if slices.Contains(also, name) {
			return e, nil
		}
		names = append(names, also...)
	}
	return nil, &UnknownMappingError{name, diag.Nearest(name, names)}
}

// Open compiles the mapping of a name or alias, or in a file when [IsFile] says
// that it is one. The error is an *[UnknownMappingError], a [diag.List] of what
// is wrong in the mapping, or of reading the file.
func (c *Catalog) Open(nameOrFile string) (*Mapping, error) {
	if IsFile(nameOrFile) {
		return Load(nameOrFile)
	}
	e, err := c.Lookup(nameOrFile)
	if err != nil {
		return nil, err
	}
	return e.Open()
}
