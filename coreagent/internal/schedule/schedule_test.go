package schedule_test

import (
	"context"
	"log/slog"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/schedule"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/timers"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

type clock struct{ by atomic.Int64 }

func (c *clock) now() time.Time { return time.Now().Add(time.Duration(c.by.Load())) }

// inBubble runs a test in a bubble with a schedule that fires each minute, and a channel of the
// times at which its timer fired. Bubbles begin at midnight.
func inBubble(t *testing.T, test func(t *testing.T, c *clock, s *schedule.Schedule, fired <-chan time.Time)) {
	synctest.Test(t, func(t *testing.T) {
		c, fired := new(clock), make(chan time.Time, 100)
		queue := timers.New(c.now)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { queue.Run(ctx); close(ended) }()
		defer func() { cancel(); <-ended }()
		var s *schedule.Schedule
		s = schedule.New(queue, slog.New(slog.DiscardHandler), func(time.Time) { fired <- c.now() },
			func(since time.Time) { s.Rearm(since, true) })
		cron, err := quartz.Parse("0 * * * * ?")
		if err != nil {
			t.Fatal(err)
		}
		s.Set(cron, time.UTC)
		test(t, c, s, fired)
	})
}

// Each fire time is taken when it comes. If several passed, only the newest is taken.
func TestFireTimesAreTakenOnce(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *clock, s *schedule.Schedule, fired <-chan time.Time) {
		first := <-fired
		if at, early, taken := s.Take(true); !at.Equal(first) || early || !taken || !s.Fires(at) || s.Fires(at.Add(time.Second)) {
			t.Errorf("took %v (early %v, taken %v) at %v", at, early, taken, first)
		}
		second := <-fired
		time.Sleep(150 * time.Second)
		if at, _, _ := s.Take(false); !at.Equal(second.Add(2 * time.Minute)) {
			t.Errorf("took %v after two more than %v have passed", at, second)
		}
	})
}

// With a head start the timer fires before the fire time. A fire time that can't run yet is kept,
// and a run that gave it up gets it again.
func TestHeadStart(t *testing.T) {
	inBubble(t, func(t *testing.T, c *clock, s *schedule.Schedule, fired <-chan time.Time) {
		s.AllowEarly(true)
		_, _, _ = s.Take(false)
		if fire := c.now().Truncate(time.Minute).Add(time.Minute); !s.Come().Equal(c.now()) || s.Keep(fire.Add(-time.Hour)) {
			t.Errorf("fire times have come until %v", s.Come())
		}
		<-fired
		_, _, _ = s.Take(false)
		before := <-fired
		fire := before.Add(schedule.HeadStart)
		if at, early, taken := s.Take(true); !at.Equal(fire) || !early || taken {
			t.Fatalf("took %v (early %v, taken %v) at %v", at, early, taken, before)
		}
		if at := <-fired; !at.Equal(fire) {
			t.Errorf("a kept fire time came at %v, want %v", at, fire)
		}
		_, _, _ = s.Take(true)
		again := (<-fired).Add(schedule.HeadStart)
		if _, early, taken := s.Take(false); !early || !taken || !s.Come().Equal(again) {
			t.Errorf("early %v, taken %v: fire times have come until %v, want %v", early, taken, s.Come(), again)
		}
		s.Ready(again, []int{1, 2})
		if missed := s.Overlooked([]int{2, 3}, c.now().Add(-time.Second)); !slices.Equal(missed, []int{3}) {
			t.Errorf("overlooked %v, want 3", missed)
		}
		if !s.Keep(again) {
			t.Error("a run that was given up before its fire time doesn't get it again")
		}
		if at := <-fired; !at.Equal(again) {
			t.Errorf("it came at %v, want %v", at, again)
		}
	})
}

// The newest fire time that has come since is taken again, and the next one comes by the new time.
func TestClockSetBack(t *testing.T) {
	inBubble(t, func(t *testing.T, c *clock, s *schedule.Schedule, fired <-chan time.Time) {
		<-fired
		_, _, _ = s.Take(false)
		c.by.Store(int64(-time.Hour))
		<-fired
		at, early, taken := s.Take(false)
		if late := c.now().Sub(at); late < 0 || late > time.Minute || early || !taken {
			t.Errorf("took %v (early %v, taken %v) at %v", at, early, taken, c.now())
		}
	})
}

// A stopped schedule fires again once it's resumed and set.
func TestStopped(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *clock, s *schedule.Schedule, fired <-chan time.Time) {
		s.Stop()
		cron, zone := s.Current()
		s.Set(cron, zone)
		time.Sleep(3 * time.Minute)
		if len(fired) > 0 || s.Keep(time.Now().Truncate(time.Minute).Add(time.Minute)) {
			t.Fatal("a stopped schedule fires")
		}
		s.Resume()
		s.Set(cron, zone)
		<-fired
		s.Set(nil, nil)
		if s.Fires(time.Now().Truncate(time.Minute)) {
			t.Error("without a schedule there are fire times")
		}
	})
}

// The jobs with runs that get ready early.
func TestEarly(t *testing.T) {
	t.Parallel()
	job := func(edit func(c *jobconfig.Config)) *jobconfig.Config {
		c := jobconfig.New("job", 2)
		c.Cron, c.Misfire, c.MonitorExecution = "0 * * * * ?", true, true
		edit(c)
		return c
	}
	for name, c := range map[string]struct {
		edit func(c *jobconfig.Config)
		want bool
	}{
		"with markers":       {func(*jobconfig.Config) {}, true},
		"without markers":    {func(c *jobconfig.Config) { c.Misfire, c.MonitorExecution = false, false }, true},
		"without misfire":    {func(c *jobconfig.Config) { c.Misfire = false }, false},
		"without a schedule": {func(c *jobconfig.Config) { c.Cron = "" }, false},
		"with a listener":    {func(c *jobconfig.Config) { c.ListenerTypes = []string{"mine"} }, false},
		"a rotating job":     {func(c *jobconfig.Config) { c.Shards, c.StrategyType = 1, "SINGLE_SHARDING_BALANCE" }, false},
	} {
		if got := schedule.Early(job(c.edit)); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
