package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/trajmap/trajmap/engine/normalize"
)

// versionCmd prints what program this is.
type versionCmd struct{}

// Run prints the version of the program and of what it makes.
func (*versionCmd) Run(w *World) error {
	version := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		version = info.Main.Version
	}
	_, err := fmt.Fprintf(w.Stdout, "trajmap %s, normalizer %s, canonical schema %d, %s %s/%s\n",
		version, normalize.Version, normalize.CanonicalSchemaVersion, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
