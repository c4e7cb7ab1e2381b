//go:build !race

package scenario_test

import (
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// TestR37WindowAndExclusions: nothing should fire before the window, on an excluded day, or after
// the window. If an edit removes these rules, no earlier fire time should be made up for.
func TestR37WindowAndExclusions(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		var fires fireLog
		w := newWorkshop(b, fires.handle)
		begin := time.Now()
		day := begin.UTC().Truncate(24 * time.Hour)
		from, until := day.Add(30*time.Hour), day.Add(78*time.Hour)
		w.open(1, coreagent.Job{
			Schedule: coreagent.Schedule{Cron: "0 0 * * * ?", Zone: "GMT", From: from, Until: until, Exclude: []string{day.Add(48 * time.Hour).Format(time.DateOnly)}},
		}, nil)
		time.Sleep(time.Until(day.Add(96*time.Hour + time.Minute)))
		var want []time.Time
		for at := from; at.Before(until); at = at.Add(time.Hour) {
			if at.Day() != day.Add(48*time.Hour).Day() {
				want = append(want, at)
			}
		}
		got := fires.taken()
		if len(got) != len(want) {
			t.Fatalf("%d fire times, want %d: %v", len(got), len(want), got)
		}
		for i := range want {
			if !got[i].Equal(want[i]) {
				t.Errorf("fire time %d is %v, want %v", i, got[i], want[i])
			}
		}
		b.await("its end is logged", func() bool { return b.log.count("the schedule ends and has no further fire time") > 0 })
		b.configure("invoices", func(c *jobconfig.Config) { clear(c.Props) })
		time.Sleep(30 * time.Minute)
		if got := fires.taken(); len(got) != 0 {
			t.Errorf("made up for %v", got)
		}
		time.Sleep(time.Hour)
		if got := fires.taken(); len(got) != 1 {
			t.Errorf("after the edit: %v", got)
		}
	})
}
