package snapshot

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// unpack puts the native files where they can be read, and holds each against its
// hash.
func (o *Opened) unpack(files []entry, dir string) error {
	if files[0].Encoding == InFile {
		if dir == "" {
			return formf("its native files are beside it in a folder, and here it is alone")
		}
		o.tree = filepath.Join(dir, Raw)
		return checkFolder(files, o.tree)
	}
	var err error
	if o.temp, err = os.MkdirTemp("", "trajmap-*"); err != nil {
		return err
	}
	o.tree = o.temp
	for _, f := range files {
		data, err := f.bytes()
		if err != nil {
			return err
		}
		sum := sha256.Sum256(data)
		if err := f.same(hex.EncodeToString(sum[:]), int64(len(data))); err != nil {
			return err
		}
		path := filepath.Join(o.tree, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// bytes are those of a file in the document.
func (f *entry) bytes() ([]byte, error) {
	if f.Data == nil || f.Path != "" {
		return nil, formf("the file %q has no data", f.Name)
	}
	switch f.Encoding {
	case UTF8, Readout:
		return []byte(*f.Data), nil
	case Base64:
		data, err := base64.StdEncoding.Strict().DecodeString(*f.Data)
		if err != nil {
			return nil, formf("the file %q is not in base64", f.Name)
		}
		return data, nil
	}
	return nil, formf("the file %q has the encoding %.40q", f.Name, f.Encoding)
}

// same holds a file against its hash.
func (f *entry) same(sum string, size int64) error {
	if sum != f.SHA256 || size != f.Bytes {
		return &HashError{Part: f.Name, Want: f.SHA256, Got: sum}
	}
	return nil
}

// checkFolder holds the files of a folder against their hashes. Nothing else is
// in it, and no links.
func checkFolder(files []entry, tree string) error {
	wanted := map[string]*entry{}
	for i := range files {
		f := &files[i]
		if f.Encoding != InFile || f.Data != nil || f.Path != Raw+"/"+f.Name {
			return formf("the file %q is not in its place in the folder", f.Name)
		}
		wanted[f.Name] = f
	}
	err := filepath.WalkDir(tree, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(tree, path)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		f := wanted[name]
		switch {
		case f == nil:
			return formf("the folder holds a file that is not of it: %q", Raw+"/"+name)
		case !e.Type().IsRegular():
			return formf("%q is a link, or no file at all", f.Path)
		}
		delete(wanted, name)
		return f.check(path)
	})
	if err != nil {
		return err
	}
	for i := range files {
		if wanted[files[i].Name] != nil {
			return formf("the file %q is missing", files[i].Path)
		}
	}
	return nil
}

// check holds a file on disk against its hash.
func (f *entry) check(path string) error {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, in)
	if err != nil {
		return err
	}
	return f.same(hex.EncodeToString(sum.Sum(nil)), n)
}
