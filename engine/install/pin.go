package install

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/trajmap/trajmap/engine/manifest"
	"github.com/trajmap/trajmap/engine/mapping"
)

// An UntestedError is of a program with a private store whose version nobody
// tried. Version is "" when it could not be found out; Err says why.
type UntestedError struct {
	Program, Version string
	Tested           []string
	Range            string
	Err              error
}

func (e *UntestedError) Error() string {
	var known []string
	if len(e.Tested) > 0 {
		known = append(known, "tried are "+strings.Join(e.Tested, ", "))
	}
	if e.Range != "" {
		known = append(known, "expected to work "+e.Range)
	}
	what := fmt.Sprintf("untested_version: %s is of version %s, and its store is a private one (%s)", e.Program, e.Version, strings.Join(known, ", "))
	if e.Version == "" {
		what = fmt.Sprintf("untested_version: it is not known of which version %s is, and its store is a private one (%s): %v", e.Program, strings.Join(known, ", "), e.Err)
	}
	return what + "; --allow-untested writes for it all the same, nothing was changed"
}

func (e *UntestedError) Unwrap() error { return e.Err }

// patience is how long a program may take to print its version.
const patience = 30 * time.Second

// versionOf finds the version in what a program prints.
var versionOf = regexp.MustCompile(`[0-9]+\.[0-9][0-9A-Za-z.+-]*`)

// tested asks the program for its version, where its mapping is strict about
// versions, and refuses one that nobody tried. What was allowed stays untested:
// it is only recorded, in the manifest.
func (x *Export) tested(ctx context.Context, on Machine) error {
	pin := x.Mapping.Write.Pin
	if pin == nil || !pin.Strict || on.AllowUntested || x.Manifest.Target.Pin != nil && x.Manifest.Target.Pin.UntestedAllowed {
		return nil
	}
	refusal := &UntestedError{Program: pin.Program, Tested: pin.Tested, Range: pin.Range}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	out, err := on.Run(ctx, &manifest.Command{Argv: pin.Argv})
	if err != nil {
		refusal.Err = err
		return refusal
	}
	refusal.Version = versionOf.FindString(string(out))
	switch {
	case refusal.Version == "":
		refusal.Err = fmt.Errorf("%s prints none", strings.Join(pin.Argv, " "))
		return refusal
	case within(pin, refusal.Version):
		return nil
	}
	return refusal
}

// within reports whether a version was tried, or is expected to work.
func within(pin *mapping.Pin, version string) bool {
	return slices.Contains(pin.Tested, version) || pin.Range != "" && pin.Within.Includes(version)
}

// allow records in the manifest that an untested version was allowed.
func (x *Export) allow(on Machine) error {
	pin := x.Manifest.Target.Pin
	if pin == nil || !on.AllowUntested || pin.UntestedAllowed {
		return nil
	}
	pin.UntestedAllowed = true
	data, err := x.Manifest.Encode()
	if err != nil {
		return err
	}
	temp := filepath.Join(x.Dir, tempName())
	if err := os.WriteFile(temp, data, 0o600); err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	return os.Rename(temp, filepath.Join(x.Dir, manifest.Name))
}
