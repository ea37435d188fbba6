//go:build lab && linux

package lab

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/trajmap/trajmap/internal/lab/history"
)

//go:embed cursor-load.mjs
var cursorLoad []byte

// cursor is proven by the runtime that its vendor has on npm: the program itself
// is not there. Its model speaks no public dialect, so nothing goes on.
func cursor() driver {
	return driver{
		loadOnly: true,
		untested: true, // the program that is pinned is not there to say its version
		load: func(ctx context.Context, t *trial) error {
			script, err := t.loader()
			if err != nil {
				return err
			}
			stores := 0
			for _, file := range t.Files {
				if filepath.Base(file) != "store.db" {
					continue
				}
				stores++
				if err := t.shows(ctx, script, file, fmt.Sprintf("%s/.runtime-%d", home, stores)); err != nil {
					return fmt.Errorf("%s: %w", file, err)
				}
			}
			if stores != 2 {
				return fmt.Errorf("trajmap has written %d stores, not 2", stores)
			}
			return nil
		},
	}
}

// shows has the runtime load a store and holds what it shows against the session.
func (t *trial) shows(ctx context.Context, script, store, scratch string) error {
	out, err := t.run(ctx, "", script, store, project, scratch)
	if err != nil {
		return err
	}
	got, err := cursorTurns(out.Stdout)
	if err != nil {
		return err
	}
	return history.Compare(history.Runs(t.Want), history.Runs(got), t.Rules)
}

// loader puts the script beside the runtime, which it finds from there.
func (t *trial) loader() (string, error) {
	path := filepath.Join(t.bin(t.lab), "cursor-load.mjs")
	if have, err := os.ReadFile(path); err == nil && string(have) == string(cursorLoad) {
		return path, nil
	}
	temp, err := os.CreateTemp(t.bin(t.lab), "load-*.tmp")
	if err != nil {
		return "", err
	}
	_, err = temp.Write(cursorLoad)
	err = errors.Join(err, temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	return path, err
}
