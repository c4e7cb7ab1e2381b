package timers

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// At most the limit work at a time, in the order in which they came.
func TestAdmissionKeepsTheLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var places Admission
		var mu sync.Mutex
		var began []int
		working, most := 0, 0
		for i := range 9 {
			places.Enter(3, func() {
				mu.Lock()
				defer mu.Unlock()
				began = append(began, i)
				go places.Do(func() {
					mu.Lock()
					working++
					most = max(most, working)
					mu.Unlock()
					time.Sleep(100 * time.Millisecond)
					mu.Lock()
					working--
					mu.Unlock()
				})
			})
		}
		start := time.Now()
		time.Sleep(time.Second)
		synctest.Wait()
		if working != 0 || most != 3 {
			t.Errorf("%d worked at once, %d still do after %v", most, working, time.Since(start))
		}
		if !slices.Equal(began, []int{0, 1, 2, 3, 4, 5, 6, 7, 8}) {
			t.Errorf("they began as %v", began)
		}
		if places.working != 0 || len(places.waiting) != 0 {
			t.Errorf("%d places are taken, %d wait", places.working, len(places.waiting))
		}
	})
}

// A hanging goroutine gives up its place after a second, once.
func TestAdmissionOfAHangingJob(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var places Admission
		release := make(chan struct{})
		places.Enter(1, func() { go places.Do(func() { <-release }) })
		begun := make(chan time.Time, 2)
		start := time.Now()
		for range 2 {
			places.Enter(1, func() { go places.Do(func() { begun <- time.Now() }) })
		}
		if waited := (<-begun).Sub(start); waited != patience {
			t.Errorf("the next began after %v", waited)
		}
		<-begun
		close(release)
		synctest.Wait()
		if places.working != 0 {
			t.Errorf("%d places are taken at the end", places.working)
		}
	})
}
