package feed

import (
	"slices"
	"sync"
	"testing"
)

func TestFeed(t *testing.T) {
	t.Parallel()
	var f Feed[int]
	f.Tell(1) // nobody hears it
	var first, second []int
	cancel := f.Subscribe(func(n int) { first = append(first, n) })
	defer f.Subscribe(func(n int) { second = append(second, n) })()
	f.Tell(2)
	cancel()
	cancel() // again does nothing
	f.Tell(3)
	if !slices.Equal(first, []int{2}) || !slices.Equal(second, []int{2, 3}) {
		t.Errorf("the first heard %v, the second %v", first, second)
	}
}

func TestFeedConcurrently(t *testing.T) {
	t.Parallel()
	var f Feed[int]
	var tasks sync.WaitGroup
	for range 8 {
		tasks.Go(func() {
			for n := range 100 {
				var mu sync.Mutex
				heard := 0
				cancel := f.Subscribe(func(int) { mu.Lock(); heard++; mu.Unlock() })
				f.Tell(n)
				cancel()
				if heard == 0 {
					t.Error("a subscriber did not hear what came after it")
				}
			}
		})
	}
	tasks.Wait()
}
