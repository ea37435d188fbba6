package cli

import (
	"context"
	"fmt"
	"time"
)

// Progress is shown when the work takes longer than progressAfter, and brought
// up to date every progressEvery.
const (
	progressAfter = time.Second
	progressEvery = time.Second / 4
)

// await waits for done and calls wait while it does.
func await(ctx context.Context, done <-chan struct{}, wait func()) error {
	select {
	case <-done:
		return nil
	default:
	}
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
			wait()
		}
	}
}

// progress is a line on a terminal that says how far the work is.
type progress struct {
	*World
	began time.Time
	shown int // characters on the terminal
}

// show puts the line there, or what has become of it.
func (p *progress) show(line string) {
	took := time.Since(p.began)
	if !p.Terminal || took < progressAfter {
		return
	}
	line += ", " + took.Round(time.Second).String()
	fmt.Fprintf(p.Stderr, "\r%-*s", p.shown, line)
	p.shown = max(p.shown, len(line))
}

// clear takes the line away, before anything else is said.
func (p *progress) clear() {
	if p.shown > 0 {
		fmt.Fprintf(p.Stderr, "\r%-*s\r", p.shown, "")
		p.shown = 0
	}
}
