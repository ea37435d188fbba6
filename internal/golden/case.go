// Package golden runs a mapping's golden cases: folders with a native input and
// the records, diagnostics, hazards and ledger that must come of it. A person who
// changes a mapping adds such a folder, needs no Go, and has the expected files
// written.
//
//	NAME/CASE/input.jsonl            or input.json, or a folder input/
//	NAME/CASE/case.yaml              optional, see [Case]
//	NAME/CASE/expected.json          of the archive view
//	NAME/CASE/expected.active.json   of the active view, where it is of interest
package golden

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine"
)

// Case is one golden case. The fields with a key are those of case.yaml.
type Case struct {
	Name string `yaml:"-"` // of its folder
	Dir  string `yaml:"-"`

	Doc   string   `yaml:"doc"`   // why there is this case
	Args  []string `yaml:"args"`  // flags of `trajmap apply`
	Fails string   `yaml:"fails"` // code of the error that the read must end in
	Input string   `yaml:"input"` // the session, below the case's folder, where it is not evident
}

// Find lists the cases in a folder whose names match, by name. A folder without
// an input is an error.
func Find(dir string, match *regexp.Regexp) ([]*Case, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var cases []*Case
	for _, e := range entries {
		if !e.IsDir() || !match.MatchString(e.Name()) {
			continue
		}
		c := &Case{Name: e.Name(), Dir: filepath.Join(dir, e.Name())}
		if err := c.load(); err != nil {
			return nil, err
		}
		cases = append(cases, c)
	}
	return cases, nil
}

// load reads case.yaml and finds the input.
func (c *Case) load() error {
	file := filepath.Join(c.Dir, "case.yaml")
	data, err := os.ReadFile(file)
	if err == nil {
		d := yaml.NewDecoder(bytes.NewReader(data))
		d.KnownFields(true)
		err := d.Decode(c)
		if mistakes := (*yaml.TypeError)(nil); errors.As(err, &mistakes) {
			first, _, _ := strings.Cut(mistakes.Errors[0], " in type ")
			return fmt.Errorf("%s: %s (a case has doc, args, fails, input)", file, first)
		}
		if err != nil && err != io.EOF {
			return fmt.Errorf("%s: %w", file, err)
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if c.Input != "" {
		return nil
	}
	found, err := fs.Glob(os.DirFS(c.Dir), "input.*")
	if err != nil {
		return err
	}
	if info, err := os.Stat(filepath.Join(c.Dir, "input")); err == nil && info.IsDir() {
		found = append(found, "input")
	}
	if len(found) != 1 {
		return fmt.Errorf("%s: %d inputs (give it one: input.jsonl, input.json or a folder input, or name it with `input:` in case.yaml)", c.Dir, len(found))
	}
	c.Input = found[0]
	return nil
}

// source is a session of a case.
type source struct {
	name   string // below the case's input; "" when that is the session
	path   string
	folder bool
}

func (s source) open() (*engine.Input, func() error, error) {
	if s.folder {
		return engine.Folder(s.path), func() error { return nil }, nil
	}
	return engine.OpenInput(s.path)
}

// sources are the sessions of a case: its input, or every file in the input's
// folder that the mapping recognises.
func (c *Case) sources(m *engine.Mapping) ([]source, error) {
	path := filepath.Join(c.Dir, filepath.FromSlash(c.Input))
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.IsDir():
		return []source{{path: path}}, nil
	case m.ReadsFolders() && m.Recognises(engine.Folder(path)):
		return []source{{path: path, folder: true}}, nil
	}
	var list []source
	err = filepath.WalkDir(path, func(file string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		in, done, err := engine.OpenInput(file)
		if err != nil {
			return err
		}
		defer done()
		if m.Recognises(in) {
			name, err := filepath.Rel(path, file)
			if err != nil {
				return err
			}
			list = append(list, source{name: filepath.ToSlash(name), path: file})
		}
		return nil
	})
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("%s: the mapping recognises no file in it", path)
	}
	return list, err
}
