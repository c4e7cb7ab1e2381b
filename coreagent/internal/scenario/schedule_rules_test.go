package scenario_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// fireLog records the fire times of the handlers' calls.
type fireLog struct {
	mu sync.Mutex
	at []time.Time
}

func (f *fireLog) handle(_ context.Context, s *coreagent.Shard) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.at = append(f.at, s.ScheduledAt)
	return nil
}

func (f *fireLog) taken() []time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	taken := f.at
	f.at = nil
	return taken
}

// TestR38JitterIsTheFireTimeOfAllAgents: jitter should move a fire time to the same moment for all
// agents, so it runs once, even if the shard gets a new owner in between.
func TestR38JitterIsTheFireTimeOfAllAgents(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		var fires fireLog
		w := newWorkshop(b, fires.handle)
		job := coreagent.Job{Name: "invoices", Schedule: coreagent.Schedule{Cron: "0 * * * * ?", Zone: "GMT", Jitter: 29 * time.Second}, Shards: 1}
		members := []*member{w.open(1, job, nil), w.open(2, job, nil), w.open(3, job, nil)}
		b.await("the shard has an owner", func() bool { o := w.owners("invoices"); return len(o) == 1 && o[0] != "" })
		begin := time.Now()
		time.Sleep(5 * time.Minute)
		for _, m := range members {
			if w.owners("invoices")[0] == m.id {
				b.must(m.Stop(b.ctx()))
				break
			}
		}
		time.Sleep(5 * time.Minute)
		want, err := job.NextFires(begin, 12)
		b.must(err)
		got := fires.taken()
		if len(got) < 9 || len(got) > 11 {
			t.Fatalf("%d fire times in ten minutes: %v", len(got), got)
		}
		for got[0].After(want[0]) {
			want = want[1:]
		}
		for i, at := range got {
			if !at.Equal(want[i]) {
				t.Errorf("fire time %d is %v, want %v", i, at, want[i])
			}
		}
		for _, e := range w.executions("") {
			if late := e.began.Sub(e.began.Truncate(time.Minute)); late > 30*time.Second {
				t.Errorf("a run began %v after the minute", late)
			}
		}
	})
}

// TestR67WrongScheduleProperty: an unreadable property should stop the schedule, the log should
// name it, and correcting it should start the schedule again.
func TestR67WrongScheduleProperty(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		var fires fireLog
		w := newWorkshop(b, fires.handle)
		w.open(1, coreagent.Job{Schedule: coreagent.Schedule{Cron: "* * * * * ?", Zone: "GMT"}}, nil)
		time.Sleep(3 * time.Second)
		b.configure("invoices", func(c *jobconfig.Config) {
			c.Props = map[string]string{"schedule.until": "soon", "run.retries": "many"}
		})
		b.await("the log names it", func() bool { return b.log.count(`schedule.until: \"soon\" is not allowed`) > 0 })
		time.Sleep(time.Second)
		fires.taken()
		time.Sleep(time.Minute)
		if got := fires.taken(); len(got) != 0 {
			t.Errorf("fired at %v", got)
		}
		b.configure("invoices", func(c *jobconfig.Config) { delete(c.Props, "schedule.until") })
		time.Sleep(10 * time.Second)
		if got := fires.taken(); len(got) < 8 {
			t.Errorf("corrected, it fired at %v", got)
		}
	})
}

// TestScheduleFieldsAreChecked: invalid fields should be refused with their names in Go.
func TestScheduleFieldsAreChecked(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		m := b.agent(1)
		day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		for want, job := range map[string]coreagent.Job{
			"Schedule.Until: 2026-01-01T00:00:00Z is not later than Schedule.From":                         {Schedule: coreagent.Schedule{From: day.Add(time.Hour), Until: day}},
			"Schedule.Jitter: 45s is not allowed; want less than 30s, half the smallest gap between fires": {Schedule: coreagent.Schedule{Jitter: 45 * time.Second}},
			"Schedule.Exclude leaves no day":                {Schedule: coreagent.Schedule{Exclude: []string{"MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"}}},
			`Schedule.Exclude: "Xmas" is not allowed`:       {Schedule: coreagent.Schedule{Exclude: []string{"Xmas"}}},
			"Schedule.Jitter: \"2h0m0s\" is not allowed":    {Schedule: coreagent.Schedule{Jitter: 2 * time.Hour}},
			`Schedule.From: "later" is not allowed; want a`: {Props: map[string]string{"schedule.from": "later"}},
		} {
			job.Name, job.Schedule.Cron, job.Shards = "wrong", "0 * * * * ?", 1
			err := m.Add(job, coreagent.HandlerFunc(func(context.Context, *coreagent.Shard) error { return nil }))
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v\nwant %s", err, want)
			}
		}
	})
}
