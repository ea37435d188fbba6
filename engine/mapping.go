package engine

import (
	"fmt"
	"os"

	"github.com/trajmap/trajmap/engine/diag"
	"github.com/trajmap/trajmap/engine/mapping"
)

// Mapping is a checked mapping: what one YAML file says about one harness.
type Mapping struct {
	*mapping.Mapping
	// Warnings are what a check has to say about the mapping though it works.
	Warnings diag.List
}

// Parse checks and compiles a mapping. The file is only named in messages. The
// error is a [diag.List] of everything that is wrong.
func Parse(file string, data []byte) (*Mapping, error) {
	m, found := mapping.Parse(file, data)
	if err := found.Err(); err != nil {
		return nil, err
	}
	return &Mapping{m, found}, nil
}

// Load parses the mapping in a file.
func Load(file string) (*Mapping, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read mapping: %w", err)
	}
	return Parse(file, data)
}

// Open finds a mapping in the catalog of this machine's user, see [UserFolders]
// and [Catalog.Open].
func Open(nameOrFile string) (*Mapping, error) {
	c, err := NewCatalog(UserFolders(os.Getenv)...)
	if err != nil {
		return nil, err
	}
	return c.Open(nameOrFile)
}
