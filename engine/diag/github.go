package diag

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// A workflow command ends with its line, and its properties at a comma or colon.
var (
	commandText     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	commandProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// writeGitHub prints a workflow command a finding, which the host shows as an
// annotation of the line.
func writeGitHub(w io.Writer, list List) error {
	b := bufio.NewWriter(w)
	for i := range list {
		f := &list[i]
		fmt.Fprintf(b, "::%s file=%s", f.Severity, commandProperty.Replace(f.File))
		if f.Line > 0 {
			fmt.Fprintf(b, ",line=%d", f.Line)
		}
		if f.Col > 0 {
			fmt.Fprintf(b, ",col=%d", f.Col)
			if f.Len > 0 {
				fmt.Fprintf(b, ",endColumn=%d", f.Col+f.Len)
			}
		}
		fmt.Fprintf(b, ",title=%s::%s\n", f.Code, commandText.Replace(f.sentence()))
	}
	return b.Flush()
}
