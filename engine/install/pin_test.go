package install

import (
	"context"
	"errors"
	"testing"

	"github.com/trajmap/trajmap/engine/convert"
	"github.com/trajmap/trajmap/engine/manifest"
	"github.com/trajmap/trajmap/engine/mapping"
)

// strictly is the mapping of a pair with a strict pin.
func strictly(t *testing.T, tested []string, versions string, within mapping.Versions) *mapping.Mapping {
	to := load(t, "testdata/pair.yaml")
	to.Write.Pin = &mapping.Pin{Program: "pair", Tested: tested, Range: versions, Within: within, Strict: true, Argv: []string{"pair", "--version"}}
	return to
}

// TestVersions lets a program say its version in all the ways that programs do.
func TestVersions(t *testing.T) {
	exact := []string{"2026.10.01-e373342"}
	for _, test := range []struct {
		says, version string
		within        bool
	}{
		{"2026.10.01-e373342\n", "2026.10.01-e373342", true},
		{"pair 2026.10.01-e373342 (stable)", "2026.10.01-e373342", true},
		{"2026.10.01-e373343", "2026.10.01-e373343", false},
		{"2026.10.01", "2026.10.01", false},
		{"v1.2.3-rc.1+build", "1.2.3-rc.1+build", true},
		{"pair-cli 1.5\nup to date", "1.5", true},
		{"2.0.0", "2.0.0", false},
		{"", "", false},
		{"version 7", "", false},
	} {
		x := export(t, strictly(t, exact, ">=1.2 <2", mapping.Versions{Since: "1.2", Until: "2", Below: true}), texts, project, convert.Options{})
		asked := 0
		on := Machine{Root: t.TempDir(), Run: func(_ context.Context, c *manifest.Command) ([]byte, error) {
			asked++
			return []byte(test.says), nil
		}}
		_, err := x.Install(context.Background(), on)
		var untested *UntestedError
		switch {
		case test.within && err != nil:
			t.Errorf("%q: %v", test.says, err)
		case !test.within && !errors.As(err, &untested):
			t.Errorf("%q: %v", test.says, err)
		case !test.within && untested.Version != test.version:
			t.Errorf("%q: version %q, want %q", test.says, untested.Version, test.version)
		case !test.within && len(tree(t, on.Root)) > 0:
			t.Errorf("%q: something was written", test.says)
		}
		if asked != 1 {
			t.Errorf("%q: asked %d times", test.says, asked)
		}
		on.AllowUntested = true
		if _, err := x.Install(context.Background(), on); err != nil {
			t.Errorf("%q, allowed: %v", test.says, err)
		}
		if asked != 1 {
			t.Errorf("%q: asked although it does not matter", test.says)
		}
	}
}

// TestPinsAskNobody installs for every target that is not strict without running
// a program, but for those that take sessions in themselves.
func TestPinsAskNobody(t *testing.T) {
	for name, to := range targets(t) {
		x := export(t, to, texts, project, convert.Options{})
		on := Machine{Root: t.TempDir(), Run: func(_ context.Context, c *manifest.Command) ([]byte, error) {
			t.Errorf("%s: runs %v", name, c.Argv)
			return nil, errors.New("no")
		}}
		if _, err := x.Install(context.Background(), on); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
