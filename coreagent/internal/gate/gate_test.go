package gate

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// No goroutine begins before the time, and none continues before all have begun.
func TestGateOpensForAllAtOnce(t *testing.T) {
	for _, n := range []int{1, 2, crowdSize - 1, 5 * crowdSize} {
		synctest.Test(t, func(t *testing.T) {
			gates := New(time.Now)
			at := time.Now().Add(100 * time.Millisecond)
			var group sync.WaitGroup
			var begun atomic.Int64
			for range n {
				group.Go(func() {
					e := gates.Enter(at, time.Second)
					<-e.Opened()
					e.Await()
					if time.Now().Before(at) {
						t.Errorf("%d at the gate: one begins %v too early", n, time.Until(at))
					}
					begun.Add(1)
					e.Leave()
					e.Leave() // the second call does nothing
					e.AwaitOthers()
					if got := begun.Load(); got != int64(n) {
						t.Errorf("%d at the gate: one goes on when %d have begun", n, got)
					}
				})
			}
			group.Wait()
			if len(gates.shut) > 0 {
				t.Errorf("%d gates are left", len(gates.shut))
			}
		})
	}
}

// A goroutine that never begins delays the others by 20 ms.
func TestGateDoesNotWaitForAHangingGoroutine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gates := New(time.Now)
		at := time.Now().Add(100 * time.Millisecond)
		hangs, e := gates.Enter(at, time.Second), gates.Enter(at, time.Second)
		<-e.Opened()
		e.Leave()
		e.AwaitOthers()
		if late := time.Since(at); late != maxYield {
			t.Errorf("it went on after %v, want %v", late, maxYield)
		}
		hangs.Leave()
	})
}

// After the clock was set back, the gate still opens after atMost.
func TestGateOfAClockSetBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gates := New(func() time.Time { return time.Now().Add(-time.Hour) })
		begin := time.Now()
		e := gates.Enter(begin, 250*time.Millisecond)
		<-e.Opened()
		e.Leave()
		if took := time.Since(begin); took != 250*time.Millisecond {
			t.Errorf("it opened after %v, want 250ms", took)
		}
	})
}

// A goroutine that gives up early delays no other, and an empty gate opens.
func TestGateGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gates := New(time.Now)
		at := time.Now().Add(100 * time.Millisecond)
		gates.Enter(at, time.Second).Leave()
		e := gates.Enter(at, time.Second)
		<-e.Opened()
		e.Leave()
		e.AwaitOthers()
		if late := time.Since(at); late != 0 {
			t.Errorf("it went on %v late", late)
		}
		var none *Place
		none.Leave()
		none.AwaitOthers()
	})
}
