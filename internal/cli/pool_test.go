package cli

import (
	"context"
	"errors"
	"iter"
	"math/rand/v2"
	"runtime"
	"strconv"
	"sync/atomic"
	"testing"
	"time"
)

// numbers are n targets; pulled counts those that were taken.
func numbers(n int, pulled *atomic.Int64) iter.Seq[target] {
	return func(yield func(target) bool) {
		for i := range n {
			pulled.Add(1)
			if !yield(target{path: strconv.Itoa(i)}) {
				return
			}
		}
	}
}

// TestInOrder settles results in the order of their targets however long each
// takes, and never reads far ahead of them.
func TestInOrder(t *testing.T) {
	var pulled atomic.Int64
	next := 0
	err := inOrder(context.Background(), numbers(300, &pulled),
		func(_ context.Context, _ readers, t target) string {
			time.Sleep(time.Duration(rand.IntN(300)) * time.Microsecond)
			return t.path
		},
		func(path string) error {
			if path != strconv.Itoa(next) {
				t.Errorf("%s is settled, want %d", path, next)
			}
			next++
			workers := runtime.GOMAXPROCS(0)
			// in the queue, being worked on, about to be queued
			if ahead := int(pulled.Load()) - next; ahead > window*workers+2 {
				t.Errorf("%d targets are ahead of %s", ahead, path)
			}
			return nil
		},
		func() {})
	if err != nil || next != 300 {
		t.Errorf("%d settled, %v", next, err)
	}
}

func TestInOrderEnds(t *testing.T) {
	stop := errors.New("stop")
	var pulled atomic.Int64
	settled := 0
	err := inOrder(context.Background(), numbers(1_000_000, &pulled),
		func(_ context.Context, _ readers, t target) string { return t.path },
		func(string) error {
			if settled++; settled == 3 {
				return stop
			}
			return nil
		}, func() {})
	if !errors.Is(err, stop) || settled != 3 || pulled.Load() > 1000 {
		t.Errorf("%v after %d, of %d", err, settled, pulled.Load())
	}

	ctx, cancel := context.WithCancel(context.Background())
	err = inOrder(ctx, numbers(1_000_000, &pulled),
		func(ctx context.Context, _ readers, t target) string {
			cancel()
			<-ctx.Done()
			return t.path
		},
		func(string) error { return nil }, func() {})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestInOrderWaits tells that it waits.
func TestInOrderWaits(t *testing.T) {
	var pulled atomic.Int64
	told := make(chan struct{}, 100)
	err := inOrder(context.Background(), numbers(1, &pulled),
		func(context.Context, readers, target) bool { <-told; return true },
		func(bool) error { return nil },
		func() { told <- struct{}{} })
	if err != nil {
		t.Error(err)
	}
}
