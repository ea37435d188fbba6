package lab

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
)

// program is the other end of a conversation in lines: it answers each line
// that comes with lines.
func program(t *testing.T, answer func(line string) []string) *lines {
	t.Helper()
	in, toProgram := io.Pipe()
	fromProgram, out := io.Pipe()
	go func() {
		defer out.Close()
		scanner := bufio.NewScanner(in)
		for scanner.Scan() {
			for _, line := range answer(scanner.Text()) {
				if _, err := io.WriteString(out, line+"\n"); err != nil {
					return
				}
			}
		}
	}()
	t.Cleanup(func() { toProgram.Close(); fromProgram.Close() })
	return newLines(t.Context(), fromProgram, toProgram)
}

func TestCall(t *testing.T) {
	var refused string
	l := program(t, func(line string) []string {
		var m message
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Error(err)
		}
		if m.Method == "" {
			refused = line
			return []string{`{"id":1,"result":{"ok":true}}`}
		}
		return []string{"starting…", `{"method":"told","params":{"n":1}}`, `{"id":99,"result":"late"}`, `{"id":7,"method":"fs/read","params":{}}`}
	})
	result, err := l.call(t.Context(), "open", map[string]any{})
	if err != nil {
		t.Fatal(err)
	}
	if string(result) != `{"ok":true}` {
		t.Errorf("result %s", result)
	}
	if len(l.kept) != 1 || l.kept[0].Method != "told" {
		t.Errorf("kept %v", l.kept)
	}
	if !strings.Contains(refused, `"id":7`) || !strings.Contains(refused, "-32601") {
		t.Errorf("what the program asked was answered by %s", refused)
	}
}

func TestCallFails(t *testing.T) {
	l := program(t, func(string) []string { return []string{`{"id":1,"error":{"code":-32602,"message":"no such session"}}`} })
	if _, err := l.call(t.Context(), "open", nil); err == nil || err.Error() != "open: no such session (-32602)" {
		t.Errorf("got %v", err)
	}
}

func TestCallOfTheDead(t *testing.T) {
	in := strings.NewReader("nothing to say\n")
	if _, err := newLines(t.Context(), in, io.Discard).call(t.Context(), "open", nil); !errors.Is(err, errEnded) {
		t.Errorf("got %v", err)
	}
}

func TestCallInVain(t *testing.T) {
	l := program(t, func(string) []string { return nil })
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := l.call(ctx, "open", nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}
