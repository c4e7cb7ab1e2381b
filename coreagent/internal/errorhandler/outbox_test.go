package errorhandler

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/waittest"
)

// silent dials connections that never get an answer.
func silent(ctx context.Context, _, _ string) (net.Conn, error) {
	<-ctx.Done()
	return nil, context.Cause(ctx)
}

func wechatTo(t *testing.T, set *Set, host string) Handler {
	t.Helper()
	return mustNew(t, set, "WECHAT", map[string]string{"wechat.webhook": "http://" + host + "/send?key=wechat-key-1"})
}

// A destination that doesn't answer never delays the job. Its queue is limited, and errors that
// don't fit are logged at once.
func TestSlowDestinationDelaysNoJob(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		set, log := newSet(t, Options{QueueSize: 40, Dial: silent})
		h := wechatTo(t, set, "slow.example.com")
		begin := time.Now()
		for n := range 50 {
			handle(t, h, fmt.Errorf("failure %02d", n))
		}
		if took := time.Since(begin); took != 0 {
			t.Errorf("the job waited %v", took) // time only passes in a bubble if a goroutine waits
		}
		// One may be in delivery; ten wait, a quarter of the room.
		if got := set.Stats(); got.Dropped < 39 || got.Queued > 11 {
			t.Errorf("got %+v", got)
		}
		contains(t, log.String(), `err="failure 49"`, "too many notifications wait: 10 for this destination")
		// Another destination has room.
		handle(t, wechatTo(t, set, "other.example.com"), errors.New("failure elsewhere"))
		lacks(t, log.String(), "failure elsewhere")

		synctest.Wait()
		time.Sleep(3 * time.Second) // the connect timeout of both
		synctest.Wait()
		if got := set.Stats(); got.Failed != 2 {
			t.Errorf("after the first time-out: %+v", got)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if got := set.Stats(); got.Queued != 0 || got.Failed+got.Dropped != 51 {
			t.Errorf("in the end: %+v", got)
		}
		for n := range 50 {
			if part := fmt.Sprintf(`err="failure %02d"`, n); strings.Count(log.String(), part) != 1 {
				t.Errorf("%s is not in the log exactly once", part)
			}
		}
		lacks(t, log.String(), "wechat-key-1")
	})
}

func TestWholeQueueIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		set, _ := newSet(t, Options{QueueSize: 8, Parallel: 1, Dial: silent})
		for n := range 20 {
			handle(t, wechatTo(t, set, fmt.Sprintf("h%d.example.com", n)), errJob)
		}
		if got, want := set.Stats(), (Stats{Queued: 8, Dropped: 12}); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if got, want := set.Stats(), (Stats{Failed: 8, Dropped: 12}); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	})
}

// Close delivers pending notifications if there's time, and reports the number of those it gave up.
func TestClose(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, test := range []struct {
			deadline time.Duration // -1 means the default
			failed   uint64
			dropped  uint64
			lost     string
		}{
			{deadline: time.Minute, failed: 4},
			{deadline: -1, failed: 4},
			// The second is in delivery after 4 s and is cut off; two were never tried.
			{deadline: 4 * time.Second, failed: 2, dropped: 2, lost: "3 notifications could not be sent in time"},
		} {
			set, log := newSet(t, Options{Dial: silent})
			h := wechatTo(t, set, "slow.example.com")
			for range 4 {
				handle(t, h, errJob)
			}
			ctx := context.Background()
			cancel := context.CancelFunc(func() {})
			if test.deadline > 0 {
				ctx, cancel = context.WithTimeout(ctx, test.deadline)
			}
			begin := time.Now()
			err := set.Close(ctx)
			cancel()
			if test.lost == "" && err != nil || test.lost != "" && !strings.Contains(fmt.Sprint(err), test.lost) {
				t.Errorf("within %v: %v", test.deadline, err)
			}
			if test.lost != "" && time.Since(begin) != test.deadline {
				t.Errorf("closing took %v of %v", time.Since(begin), test.deadline)
			}
			if got := set.Stats(); got.Failed != test.failed || got.Dropped != test.dropped || got.Queued != 0 {
				t.Errorf("within %v: %+v", test.deadline, got)
			}
			if n := strings.Count(log.String(), "no connection to the warehouse"); n != 4 {
				t.Errorf("%d of 4 errors are in the log", n)
			}
			// After Close, the handler still writes to the log.
			handle(t, h, errors.New("too late"))
			contains(t, log.String(), "too late", "has stopped sending")
			if err := set.Close(context.Background()); err != nil {
				t.Errorf("second close: %v", err)
			}
		}
	})
}

// Concurrent deliveries, posts and Close lose nothing.
func TestOutboxCountsEverything(t *testing.T) {
	t.Parallel()
	o := newOutbox(64, 4)
	var mu sync.Mutex
	notified := 0
	tell := func() {
		mu.Lock()
		defer mu.Unlock()
		notified++
	}
	var posters sync.WaitGroup
	for p := range 8 {
		posters.Go(func() {
			for n := range 200 {
				o.post(delivery{
					destination: fmt.Sprint((p + n) % 5), timeout: time.Second,
					send: func(context.Context) error {
						if n%3 == 0 {
							return errJob
						}
						return nil
					},
					sent: tell, failed: func(error) { tell() },
				})
			}
		})
	}
	ctx, cancel := context.WithTimeout(t.Context(), waittest.Patience)
	defer cancel()
	waittest.Until(t, "some deliveries", func() bool { return o.snapshot().Sent > 5 })
	if err := o.close(ctx); err != nil {
		t.Error(err)
	}
	posters.Wait()
	got := o.snapshot()
	if got.Queued != 0 || got.Sent+got.Failed+got.Dropped != 1600 || notified != 1600 {
		t.Errorf("got %+v, and %d were notified of their end", got, notified)
	}
}
