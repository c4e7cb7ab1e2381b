package fleetsim_test

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
)

// metJob is the job with instances that meet before their shards start and after they have
// completed. metListener is the name of its listener.
const metJob, metListener = "met", "meeting"

// newMetPlan draws a job with a once-per-run listener. It has its own random stream, and its
// handlers draw nothing, so the other jobs of a seed don't depend on it. Some wait for each other
// for longer than half the period.
func newMetPlan(seed uint64) *jobPlan {
	random := rand.New(rand.NewPCG(seed, 0x23))
	if replayed(seed) || !chance(random, 12) {
		return nil
	}
	j := &jobPlan{period: 10 * time.Second, longest: 200 * time.Millisecond, shortest: 200 * time.Millisecond}
	j.deadline = pick(random, 2*time.Second, 8*time.Second, 8*time.Second)
	j.job = coreagent.Job{
		Name: metJob, Schedule: coreagent.Schedule{Cron: crons[j.period], Zone: "GMT"}, Shards: 2 + random.IntN(4), Failover: chance(random, 50),
		ReconcileInterval: time.Minute, Listeners: []coreagent.Listener{{Name: metListener}},
	}
	return j
}

// meeting is the listener of a process.
type meeting struct {
	world *world
	job   *jobPlan
}

func (m *meeting) Started(_ context.Context, r *coreagent.LocalRun) error {
	m.world.history.Met(r.Job, r.ScheduledAt, false)
	return nil
}

func (m *meeting) Completed(_ context.Context, r *coreagent.LocalRun) error {
	m.world.history.Met(r.Job, r.ScheduledAt, true)
	return nil
}

func (w *world) listeners() []coreagent.Listener {
	for _, j := range w.plan.jobs {
		if j.job.Name == metJob {
			m := &meeting{w, j}
			return []coreagent.Listener{{
				Name: metListener, Before: m.Started, After: m.Completed, Once: true, BeforeTimeout: j.deadline, AfterTimeout: j.deadline,
			}}
		}
	}
	return nil
}
