package cli

import (
	"context"
	"iter"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// window is how many inputs a worker may be ahead of the one whose turn it is:
// with spoolMost it bounds memory.
const window = 2

// inOrder works on targets several at a time, and settles what came of them one
// by one in their order. An error of settle ends it all; what is then left of the
// results is lost. wait is told while nothing happens.
func inOrder[T any](
	ctx context.Context, targets iter.Seq[target],
	work func(context.Context, readers, target) T, settle func(T) error, wait func(),
) error {
	type task struct {
		target
		result T
		done   chan struct{}
	}
	workers := runtime.GOMAXPROCS(0)
	g, ctx := errgroup.WithContext(ctx)
	queue := make(chan *task, window*workers) // in order
	next := make(chan *task)

	g.Go(func() error {
		defer close(queue)
		defer close(next)
		for t := range targets {
			one := &task{target: t, done: make(chan struct{})}
			for _, c := range []chan *task{queue, next} {
				select {
				case c <- one:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
		}
		return ctx.Err()
	})
	for range workers {
		g.Go(func() error {
			rs := readers{}
			for t := range next {
				t.result = work(ctx, rs, t.target)
				close(t.done)
			}
			return nil
		})
	}
	g.Go(func() error {
		for t := range queue {
			if err := await(ctx, t.done, wait); err != nil {
				return err
			}
			if err := settle(t.result); err != nil {
				return err
			}
		}
		return nil
	})
	return g.Wait()
}
