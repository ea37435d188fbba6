package terminal

// Style colours text, if it is to be coloured at all.
type Style bool

// The looks of text.
const (
	Bold    = "1"
	Dim     = "2"
	Red     = "31"
	Green   = "32"
	Yellow  = "33"
	Blue    = "34"
	Magenta = "35"
	Cyan    = "36"
)

// In gives a text a look; an empty text stays empty.
func (s Style) In(look, text string) string {
	if !s || text == "" {
		return text
	}
	return "\x1b[" + look + "m" + text + "\x1b[0m"
}
