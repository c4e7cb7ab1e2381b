package scenario_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// disturbances are possible events for three instances of a job with once-per-run listeners.
var disturbances = map[string]func(b *fixture, tree jobtree.Job, fleet []*member){
	"one is killed":         func(_ *fixture, _ jobtree.Job, fleet []*member) { fleet[1].kill() },
	"two are killed":        func(_ *fixture, _ jobtree.Job, fleet []*member) { fleet[1].kill(); fleet[2].kill() },
	"one stops":             func(b *fixture, _ jobtree.Job, fleet []*member) { go func() { _ = fleet[1].Stop(b.ctx()) }() },
	"one is cut off":        func(_ *fixture, _ jobtree.Job, fleet []*member) { cutFor(10*time.Second, fleet[1]) },
	"one loses its session": func(_ *fixture, _ jobtree.Job, fleet []*member) { cutFor(time.Minute, fleet[1]) },
	"all lose theirs":       func(_ *fixture, _ jobtree.Job, fleet []*member) { cutFor(time.Minute, fleet...) },
	"a server is disabled": func(b *fixture, tree jobtree.Job, _ []*member) {
		b.put(tree.Server("10.0.0.2"), jobtree.ServerDisabled)
	},
	"a server is disabled and enabled": func(b *fixture, tree jobtree.Job, _ []*member) {
		b.put(tree.Server("10.0.0.2"), jobtree.ServerDisabled)
		time.Sleep(20 * time.Second)
		b.put(tree.Server("10.0.0.2"), jobtree.ServerEnabled)
	},
	"a shard is disabled and enabled": func(b *fixture, tree jobtree.Job, _ []*member) {
		b.put(tree.ItemDisabled(1), "")
		time.Sleep(20 * time.Second)
		b.delete(tree.ItemDisabled(1))
	},
	"shards are added": func(b *fixture, _ jobtree.Job, _ []*member) {
		b.configure("job", func(c *jobconfig.Config) { c.Shards = 7 })
	},
	"shards are removed": func(b *fixture, _ jobtree.Job, _ []*member) {
		b.configure("job", func(c *jobconfig.Config) { c.Shards = 3 })
	},
	"an instance is removed": func(b *fixture, tree jobtree.Job, fleet []*member) { b.delete(tree.Instance(fleet[1].id)) },
}

// cutFor cuts agents off for a while.
func cutFor(d time.Duration, agents ...*member) {
	for _, m := range agents {
		m.cut()
	}
	time.Sleep(d)
	for _, m := range agents {
		m.reconnect()
	}
}

// TestOnceListenersThroughDisturbances: something happens while a run starts, works or waits. In
// each phase the listener should be called once at most, or the error handler should get an error.
// The instances should meet at later fire times.
func TestOnceListenersThroughDisturbances(t *testing.T) {
	t.Parallel()
	const period = 10 * time.Minute
	for name, disturb := range disturbances {
		for _, failover := range []bool{true, false} {
			for _, after := range []time.Duration{time.Millisecond, 15 * time.Second} {
				t.Run(fmt.Sprintf("%s, failover %v, after %v", name, failover, after), func(t *testing.T) {
					t.Parallel()
					bubble(t, func(b *fixture, _ *zkfake.Server) {
						b.session = 30 * time.Second
						p := &phases{deadline: 7 * time.Minute}
						job := onceJob("job", failover)
						job.Schedule.Cron, job.Schedule.Zone, job.Shards = "0 0/10 * * * ?", "GMT", 5
						var fleet []*member
						for n := range 3 {
							m := b.agent(n+1, p.listens)
							fleet = append(fleet, m.serve(job, m.work(time.Duration(n+1)*10*time.Second)).start())
						}
						at := sleepUntilNext(period)
						time.Sleep(after)
						disturb(b, b.tree.Job("job"), fleet)
						time.Sleep(time.Until(at.Add(period - time.Second)))
						if reported := b.log.count("listener once: "); p.ends(at) == 0 && reported == 0 {
							runs := b.runs.between("job", at, time.Now())
							t.Errorf("neither the listener nor the error handler was notified: %s", story(runs))
						}
						from := at.Add(3 * period)
						time.Sleep(time.Until(from.Add(2*period - time.Second)))
						if started, completed := p.since(from); started != 2 || completed != 2 {
							t.Errorf("the listener was notified of %d starts and %d ends of 2 later fire times", started, completed)
						}
						if again := p.repeated(); len(again) > 0 {
							t.Errorf("notified more than once: %q", again)
						}
					})
				})
			}
		}
	}
}
