package diag

import "testing"

func TestNearest(t *testing.T) {
	candidates := []string{"content", "context", "id", "isError", "message"}
	for word, want := range map[string]string{
		"contnet":    "content",
		"contex":     "context",
		"iserror":    "isError",
		"messages":   "message",
		"message":    "",
		"zzz":        "",
		"di":         "id",
		"x":          "",
		"completely": "",
		"":           "",
	} {
		if got := Nearest(word, candidates); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
	if got := Nearest("ab", []string{"ac", "ad"}); got != "ac" {
		t.Errorf("of equally near candidates got %q, want the first", got)
	}
}
