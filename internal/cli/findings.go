package cli

import (
	"github.com/trajmap/trajmap/engine/diag"
)

// findings is how a command prints what it found.
type findings struct {
	Format string `enum:"text,json,github,sarif,junit" default:"text" placeholder:"FORM" help:"How findings are printed: text, json, github (annotations), sarif or junit."`
}

// print prints the findings. In text they come with a closing line, which is for
// people and so not among the data.
func (f findings) print(w *World, list diag.List, closing string) error {
	if err := diag.Write(w.Stdout, f.Format, list); err != nil {
		return &outputError{err}
	}
	w.say(closing)
	return nil
}

// verdict is the exit code for findings.
func verdict(list diag.List) error {
	if list.Err() != nil {
		return quiet(exitFailed)
	}
	return nil
}
