package cli

import (
	"maps"
	"slices"
	"strings"

	"github.com/trajmap/trajmap/engine/manifest"
)

// commandLine is a command as it is typed into a shell, in its folder.
func commandLine(c *manifest.Command) string {
	var b strings.Builder
	if c.Cwd != "" {
		b.WriteString("cd " + quoteArg(c.Cwd) + " && ") // it begins with no dash: it is a whole path
	}
	for _, name := range slices.Sorted(maps.Keys(c.Env)) {
		b.WriteString(name + "=" + quoteArg(c.Env[name]) + " ")
	}
	for i, arg := range c.Argv {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(quoteArg(arg))
	}
	return b.String()
}

// quoteArg is a word that a POSIX shell reads as it is.
func quoteArg(s string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:,+@%"
	if s != "" && strings.Trim(s, plain) == "" && s[0] != '=' {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
