package engine

import (
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// TestMS39JobFollowsTheClock: the cron timer of a job is one of a calendar. After the
// clock was set back it goes off at the next fire time by the new time.
func TestMS39JobFollowsTheClock(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tree, err := jobtree.NewNamespace("ns")
		if err != nil {
			t.Fatal(err)
		}
		var setBy atomic.Int64
		now := func() time.Time { return time.Now().Add(time.Duration(setBy.Load())) }
		env := &Env{Tree: tree, IP: "10.0.0.1", Suffix: "1", Log: slog.New(slog.DiscardHandler), Now: now}
		env.Open()
		defer env.Close()
		j := New(env, Definition{Config: jobconfig.New("job", 1)})
		schedule, err := quartz.Parse("0 * * * * ?")
		if err != nil {
			t.Fatal(err)
		}
		j.schedule.Set(schedule, time.UTC)
		time.Sleep(90 * time.Second)
		synctest.Wait()
		if late := now().Sub(j.schedule.Taken()); late < 0 || late > time.Minute {
			t.Fatalf("the last fire time was %v ago", late)
		}
		setBy.Store(int64(-time.Hour))
		time.Sleep(70 * time.Second) // The clock is looked at each ten seconds.
		synctest.Wait()
		if late := now().Sub(j.schedule.Taken()); late < 0 || late > time.Minute {
			t.Errorf("by the clock as it was set the last fire time was %v ago", late)
		}
		j.schedule.Set(nil, nil)
	})
}

// TestBeginningByTheClockAsItIs: a clock that was ahead when the instance began and is
// right now moves the beginning with it; the time of a suspended machine, which the
// monotonic clock leaves out, counts.
func TestBeginningByTheClockAsItIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b beginning
		start := time.Now()
		if got := b.before(start); !got.Equal(start) {
			t.Errorf("before it began: %v, want %v", got, start)
		}
		b.note(start.Add(3 * time.Hour))
		b.note(start.Add(9 * time.Hour)) // Only the first one counts.
		time.Sleep(time.Hour)
		for name, c := range map[string]struct{ now, want time.Time }{
			"the clock as it was": {start.Add(4 * time.Hour), start.Add(3 * time.Hour)},
			"set right":           {start.Add(time.Hour), start},
			"suspended":           {start.Add(24 * time.Hour), start.Add(3 * time.Hour)},
		} {
			if got := b.before(c.now); !got.Equal(c.want) {
				t.Errorf("%s: %v, want %v", name, got, c.want)
			}
		}
	})
}
