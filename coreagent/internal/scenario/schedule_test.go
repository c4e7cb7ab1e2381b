package scenario_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// TestMS38ImpossibleCron: a date that doesn't exist should be refused before anything is written.
// If another program has stored it, only that job should stop, with a reason. A cron expression
// with only past dates isn't an error.
func TestMS38ImpossibleCron(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		m := b.agent(1).serve(coreagent.Job{Name: "sane", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 1}, nil).
			serve(coreagent.Job{Name: "over", Schedule: coreagent.Schedule{Cron: "0 0 0 1 1 ? 2020"}, Shards: 1}, nil)
		err := m.Add(coreagent.Job{Name: "never", Schedule: coreagent.Schedule{Cron: "0 0 0 30 2 ?"}, Shards: 1},
			coreagent.HandlerFunc(func(context.Context, *coreagent.Shard) error { return nil }))
		if err == nil || !strings.Contains(err.Error(), "Cron") || !strings.Contains(err.Error(), `"0 0 0 30 2 ?"`) || !strings.Contains(err.Error(), "never fires") {
			b.Errorf("an impossible cron is answered with %v", err)
		}
		config := jobconfig.New("stored", 1)
		config.Cron = "0 0 0 31 2 ?"
		b.store(config, "stored")
		m.serve(coreagent.Job{Name: "stored", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 1}, nil).start()
		b.await("the reason is logged", func() bool { return b.log.count(`0 0 0 31 2 ?`) > 0 && b.log.count("never fires") > 0 })
		b.await("other jobs run", func() bool { return b.runs.count("sane", 0) >= 2 })
		m.triggerHere("over")
		b.await("a job that is over runs when triggered", func() bool { return b.runs.count("over", 0) == 1 })
		b.configure("stored", func(c *jobconfig.Config) { c.Cron = "* * * * * ?" })
		b.await("fixed, it runs", func() bool { return b.runs.count("stored", 0) >= 1 })
	})
}

// TestClockChangeIsAProperty: the setting should be stored in the job's properties, because Java's
// agents ignore it there. An invalid one should be refused.
func TestClockChangeIsAProperty(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		b.agent(1).serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 30 2 * * ?", ClockChange: coreagent.ClockChangeOnce}, Shards: 1, Props: map[string]string{"a": "b"}}, nil).start()
		if props := b.config("job").Props; len(props) != 2 || props["cron.clock.change"] != "once" || props["a"] != "b" {
			b.Errorf("stored properties %v", props)
		}
		for _, job := range []coreagent.Job{
			{Name: "wrong", Schedule: coreagent.Schedule{Cron: "0 30 2 * * ?", ClockChange: "twice"}, Shards: 1},
			{Name: "wrong", Schedule: coreagent.Schedule{Cron: "0 30 2 * * ?"}, Shards: 1, Props: map[string]string{"cron.clock.change": "twice"}},
		} {
			_, err := job.NextFires(time.Now(), 1)
			for _, err := range []error{err, b.agent(2).Add(job, coreagent.HandlerFunc(func(context.Context, *coreagent.Shard) error { return nil }))} {
				if err == nil || !strings.Contains(err.Error(), "ClockChange") || !strings.Contains(err.Error(), `"twice"`) || !strings.Contains(err.Error(), "quartz, once") {
					b.Errorf("answered with %v", err)
				}
			}
		}
	})
}
