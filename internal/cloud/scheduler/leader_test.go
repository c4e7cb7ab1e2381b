package scheduler

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/cloudfake"
)

// lease is the rest of a dead leader's lease.
const lease = 15 * time.Second

// TestFiresInTime: fire times should be launched on time, and not before.
func TestFiresInTime(t *testing.T) {
	inBubble(t, 100*time.Millisecond, func(f *fixture) {
		f.job("settlement", "0/5 * * * * ?")
		f.begin()
		f.passes(4999 * time.Millisecond)
		f.want("settlement")
		f.passes(time.Millisecond)
		f.want("settlement", 5)
		f.passes(56 * time.Second)
		f.want("settlement", every(5, 5, 60)...)
		if changes := f.store.Calls("change"); changes > 14 {
			t.Errorf("%d writes of the status in a minute", changes)
		}
		if at := f.status("settlement").LastFire; at.Before(f.start.Add(50 * time.Second)) {
			t.Errorf("the stored cursor is %v", at.Sub(f.start))
		}
	})
}

// TestNewJobsFireBeforeTheyAreWritten: if many jobs are created at once, some statuses are written after the first
// fire time. The jobs should still be launched on time, and the next leader should not repeat any launch.
func TestNewJobsFireBeforeTheyAreWritten(t *testing.T) {
	inBubble(t, 100*time.Millisecond, func(f *fixture) {
		f.store.Faults(func(verb, _ string) cloudfake.Fault {
			if verb == "change" {
				return cloudfake.Fault{Err: cloudfake.ErrInjected, Delay: time.Second}
			}
			return cloudfake.Fault{}
		})
		for i := range 100 {
			f.job(fmt.Sprintf("job-%02d", i), "0/30 * * * * ?")
		}
		kill := f.begin()
		f.passes(31 * time.Second)
		for i := range 100 {
			f.want(fmt.Sprintf("job-%02d", i), 30)
		}
		f.election.depose(lease)
		kill()
		f.store.Faults(nil)
		f.begin()
		f.passes(60 * time.Second)
		for i := range 100 {
			f.want(fmt.Sprintf("job-%02d", i), 30, 60, 90)
		}
	})
}

// TestCL01KilledBetweenCreateAndCursor: the next leader should find the run, and lose nothing.
func TestCL01KilledBetweenCreateAndCursor(t *testing.T) {
	inBubble(t, 100*time.Millisecond, func(f *fixture) { f.killedAtLaunch(true) })
}

// TestCL02KilledBeforeCreate: the next leader makes the interrupted launch.
func TestCL02KilledBeforeCreate(t *testing.T) {
	inBubble(t, 100*time.Millisecond, func(f *fixture) { f.killedAtLaunch(false) })
}

// killedAtLaunch kills the leader during the launch of the third fire time.
func (f *fixture) killedAtLaunch(applied bool) {
	f.job("settlement", "0/5 * * * * ?")
	kill := f.begin()
	f.begin()
	third := cloud.RunName("settlement", f.start.Add(15*time.Second))
	var dead atomic.Bool
	f.engine.Faults(func(verb, name string) cloudfake.Fault {
		if verb == "launch" && name == third && dead.CompareAndSwap(false, true) {
			f.election.depose(lease)
			kill()
			return cloudfake.Fault{Err: cloudfake.ErrInjected, Applied: applied}
		}
		return cloudfake.Fault{}
	})
	f.passes(29 * time.Second)
	if got := f.fired("settlement"); len(got) > 3 {
		f.Errorf("fired without a leader: %v", got)
	}
	f.passes(32 * time.Second)
	f.want("settlement", every(5, 5, 60)...)
}

// TestCL01LosesNothing: a job fires every second, and its leader dies twice with its lease. After
// catching up there is a run for each second, although they overlapped by then.
func TestCL01LosesNothing(t *testing.T) {
	inBubble(t, 300*time.Millisecond, func(f *fixture) {
		f.job("settlement", "* * * * * ?")
		for range 3 {
			kill := f.begin()
			f.passes(20*time.Second + 123*time.Millisecond)
			f.election.depose(lease)
			kill()
		}
		f.begin()
		f.passes(60*time.Second + 800*time.Millisecond)
		want := every(1, 1, int(time.Since(f.start)/time.Second))
		f.want("settlement", want...)
	})
}

// TestCL04FrozenLeader: a process that lost its leadership while frozen should launch nothing when it wakes up.
func TestCL04FrozenLeader(t *testing.T) {
	inBubble(t, 100*time.Millisecond, func(f *fixture) {
		f.job("settlement", "0/5 * * * * ?")
		frozen := &counting{Engine: f.engine}
		f.begin(func(c *Config) { c.Engine = frozen })
		f.passes(11 * time.Second)
		before := frozen.launches.Load()
		f.begin()
		f.election.freeze(20 * time.Second)
		f.passes(50 * time.Second)
		f.want("settlement", every(5, 5, 60)...)
		if after := frozen.launches.Load(); after != before {
			t.Errorf("the frozen leader launched %d runs", after-before)
		}
	})
}

// TestCL05TwoLeaders: with two leaders, each fire time should still have one run.
func TestCL05TwoLeaders(t *testing.T) {
	inBubble(t, 100*time.Millisecond, func(f *fixture) {
		f.job("settlement", "0/5 * * * * ?")
		f.begin()
		f.begin(func(c *Config) { c.Leadership = newElection().member() })
		f.passes(61 * time.Second)
		f.want("settlement", every(5, 5, 60)...)
		if launches := f.engine.Calls("launch"); launches < 13 {
			t.Errorf("%d launches: only one of them led", launches)
		}
	})
}

// TestCL06ReplyLost: a launch that took effect but failed is repeated and makes one run. If the run
// is reported first, it isn't repeated.
func TestCL06ReplyLost(t *testing.T) {
	inBubble(t, 100*time.Millisecond, func(f *fixture) {
		f.job("settlement", "0/5 * * * * ?")
		f.job("unreported", "0/5 * * * * ?", func(j *cloud.Job) { j.Props[cloud.PropOverlap] = string(cloud.OverlapAllow) })
		f.begin()
		f.failEachFirst("launch", cloudfake.Fault{Err: cloudfake.ErrInjected, Applied: true})
		f.passes(31 * time.Second)
		f.want("settlement", every(5, 5, 30)...)
		before := f.engine.Calls("launch")
		f.engine.FreezeWatches(true)
		f.passes(30 * time.Second)
		f.want("unreported", every(5, 5, 60)...)
		if launches := f.engine.Calls("launch") - before; launches < 12 {
			t.Errorf("%d launches: none was repeated", launches)
		}
	})
}

// failEachFirst injects a fault into the first call of a verb for each name.
func (f *fixture) failEachFirst(verb string, fault cloudfake.Fault) {
	seen := make(map[string]bool)
	f.engine.Faults(func(v, name string) cloudfake.Fault {
		if v != verb || seen[name] {
			return cloudfake.Fault{}
		}
		seen[name] = true
		return fault
	})
}

// TestCL07Throttled: a job with refused launches should wait as requested, and should not delay others.
func TestCL07Throttled(t *testing.T) {
	inBubble(t, 100*time.Millisecond, func(f *fixture) {
		f.job("settlement", "0/10 * * * * ?")
		f.job("other", "0/5 * * * * ?")
		f.begin()
		var calls atomic.Int32
		f.engine.Faults(func(verb, name string) cloudfake.Fault {
			if verb == "launch" && strings.HasPrefix(name, "settlement-") && time.Since(f.start) < 17*time.Second {
				calls.Add(1)
				return cloudfake.Fault{Err: &cloud.RetryAfterError{After: 3 * time.Second, Err: cloudfake.ErrInjected}}
			}
			return cloudfake.Fault{}
		})
		f.passes(20500 * time.Millisecond)
		f.want("settlement", 10, 20)
		f.want("other", 5, 10, 15, 20)
		if n := calls.Load(); n != 3 {
			t.Errorf("asked %d times, want at 10, 13 and 16 seconds", n)
		}
	})
}

// TestCL08EngineAway: eight seconds without the engine delay fire times, but should lose none.
func TestCL08EngineAway(t *testing.T) {
	inBubble(t, 10*time.Millisecond, func(f *fixture) {
		f.job("settlement", "* * * * * ?")
		f.begin()
		f.engine.Faults(func(verb, _ string) cloudfake.Fault {
			if verb == "launch" && time.Since(f.start) > 10*time.Second && time.Since(f.start) < 18*time.Second {
				return cloudfake.Fault{Err: cloudfake.ErrInjected}
			}
			return cloudfake.Fault{}
		})
		f.passes(40*time.Second + 500*time.Millisecond)
		f.want("settlement", every(1, 1, 40)...)
	})
}

// TestCL10AwayForTenMinutes: without misfire, fire times older than the grace are missed and
// counted, with first and last.
func TestCL10AwayForTenMinutes(t *testing.T) {
	inBubble(t, 100*time.Millisecond, func(f *fixture) {
		f.job("settlement", "0 0/3 * * * ?")
		f.begin()
		f.passes(time.Second)
		f.election.depose(10 * time.Minute)
		f.passes(10*time.Minute + time.Second)
		f.want("settlement", 540)
		s := f.status("settlement")
		if s.Missed != 2 || s.MissedFirst.Sub(f.start) != 3*time.Minute || s.MissedLast.Sub(f.start) != 6*time.Minute {
			t.Errorf("missed %d from %v to %v", s.Missed, s.MissedFirst.Sub(f.start), s.MissedLast.Sub(f.start))
		}
	})
}

// TestCL11Misfire: with misfire, up to a hundred become pending, oldest first. The rest is counted as missed.
func TestCL11Misfire(t *testing.T) {
	inBubble(t, 10*time.Millisecond, func(f *fixture) {
		f.job("settlement", "0/5 * * * * ?", func(j *cloud.Job) { j.Misfire = true })
		f.begin()
		f.passes(time.Second)
		f.election.depose(10 * time.Minute)
		f.passes(10*time.Minute + 14*time.Second)
		s, got := f.status("settlement"), f.fired("settlement")
		if !slices.Equal(got[:100], every(5, 5, 500)) {
			t.Errorf("fired at %v", got)
		}
		if total := int(s.Missed) + len(got); total < 120 || s.Missed < 19 || len(s.Pending) != 0 {
			t.Errorf("%d fired, %d missed, %d are pending", len(got), s.Missed, len(s.Pending))
		}
	})
}

// TestCL43ClockJumps: an hour forward counts like an hour without a leader. An hour back should fire nothing twice.
func TestCL43ClockJumps(t *testing.T) {
	inBubble(t, 10*time.Millisecond, func(f *fixture) {
		f.job("settlement", "0 0/10 * * * ?")
		f.begin()
		f.passes(10*time.Minute + time.Second)
		f.setClock(time.Hour)
		f.passes(2 * time.Second)
		f.want("settlement", 600, 4200)
		if s := f.status("settlement"); s.Missed != 5 {
			t.Errorf("%d were missed", s.Missed)
		}
		f.setClock(0)
		f.passes(59 * time.Minute)
		f.want("settlement", 600, 4200)
		f.passes(12 * time.Minute)
		f.want("settlement", 600, 4200, 4800)
	})
}

// counting counts launches.
type counting struct {
	cloud.Engine
	launches atomic.Int32
}

func (c *counting) Launch(ctx context.Context, r cloud.Run) (bool, error) {
	c.launches.Add(1)
	return c.Engine.Launch(ctx, r)
}
