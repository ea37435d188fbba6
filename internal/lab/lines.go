package lab

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// lines speaks JSON with a program, a value a line. What is no JSON is passed
// over: some programs print beside it.
type lines struct {
	w    io.Writer
	in   chan message
	err  error     // of reading, once in is closed
	last int       // id of the last request
	kept []message // notifications since the last request
}

// message is a line that came.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Type   string          `json:"type"` // where a protocol has that instead
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
	line []byte
}

// maxLine is more than any line of a test holds.
const maxLine = 64 << 20

// newLines begins to listen, until the context ends.
func newLines(ctx context.Context, r io.Reader, w io.Writer) *lines {
	l := &lines{w: w, in: make(chan message, 64)}
	go func() {
		defer close(l.in)
		scanner := bufio.NewScanner(r)
		scanner.Buffer(nil, maxLine)
		for scanner.Scan() {
			m := message{line: append([]byte(nil), scanner.Bytes()...)}
			if json.Unmarshal(m.line, &m) != nil {
				continue
			}
			select {
			case l.in <- m:
			case <-ctx.Done():
				return
			}
		}
		l.err = scanner.Err()
	}()
	return l
}

func (l *lines) send(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = l.w.Write(append(b, '\n'))
	return err
}

var errEnded = errors.New("the program ended before it answered")

// until takes messages up to one that is wanted.
func (l *lines) until(ctx context.Context, wanted func(message) bool) (message, error) {
	for {
		select {
		case <-ctx.Done():
			return message{}, fmt.Errorf("no answer within the time: %w", ctx.Err())
		case m, ok := <-l.in:
			if !ok {
				return m, errors.Join(errEnded, l.err)
			}
			if wanted(m) {
				return m, nil
			}
			l.kept = append(l.kept, m)
		}
	}
}

// call asks and waits for the answer. What the program asks meanwhile is
// refused; what it tells is kept.
func (l *lines) call(ctx context.Context, method string, params any) (json.RawMessage, error) {
	l.last++
	l.kept = nil
	if err := l.send(map[string]any{"jsonrpc": "2.0", "id": l.last, "method": method, "params": params}); err != nil {
		return nil, err
	}
	id := fmt.Sprint(l.last)
	for {
		m, err := l.until(ctx, func(m message) bool { return len(m.ID) > 0 })
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s: %w", method, err)
		case m.Method != "":
			refusal := map[string]any{"code": -32601, "message": "not offered"}
			if err := l.send(map[string]any{"jsonrpc": "2.0", "id": m.ID, "error": refusal}); err != nil {
				return nil, err
			}
		case string(m.ID) != id:
			continue
		case m.Error != nil:
			return nil, fmt.Errorf("%s: %s (%d)", method, m.Error.Message, m.Error.Code)
		default:
			return m.Result, nil
		}
	}
}
