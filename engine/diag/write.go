package diag

import (
	"fmt"
	"io"
)

// Formats are the names that [Write] knows.
var Formats = []string{"text", "json", "github", "sarif", "junit"}

// Write prints a list: "text" for people, "json" (an array), "github" (workflow
// commands), "sarif" (2.1.0) and "junit" (XML) for programs. An unknown format
// is an error before anything is written.
func Write(w io.Writer, format string, list List) error {
	switch format {
	case "text":
		return writeText(w, list)
	case "json":
		return writeJSON(w, list)
	case "github":
		return writeGitHub(w, list)
	case "sarif":
		return writeSARIF(w, list)
	case "junit":
		return writeJUnit(w, list)
	}
	return fmt.Errorf("unknown format %q of findings", format)
}
