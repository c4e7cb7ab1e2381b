package fleetsim_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/judge"
)

// longestSession is the longest session timeout that a plan draws.
const longestSession = 2 * time.Minute

// classes are the possible schedules of a fleet of hours, and the length of its faults. An edit
// chooses another schedule of the same class.
var classes = []struct {
	crons []string
	phase time.Duration
}{
	{[]string{"0 0/10 * * * ?", "0 5/15 * * * ?", "0 0/20 * * * ?"}, 12 * time.Hour},
	{[]string{"0 0 * * * ?", "0 30 * * * ?", "0 0/30 * * * ?", "0 0 0/2 * * ?"}, 30 * time.Hour},
	{[]string{"0 0 0/6 * * ?", "0 0 8,20 * * ?", "0 30 3 * * ?", "0 0 0/3 * * ?"}, 60 * time.Hour},
}

var zones = []string{"GMT", "GMT", "GMT+08:00", "GMT-03:30"}

// newHoursPlan draws a fleet with jobs that run every few minutes, hours or days.
func newHoursPlan(seed uint64) (*plan, *rand.Rand) {
	random := rand.New(rand.NewPCG(seed, 0x60))
	class := classes[pick(random, 0, 1, 1, 1, 2)]
	p := &plan{
		hours: true, agents: 1 + random.IntN(3), session: pick(random, 30*time.Second, time.Minute, longestSession),
		crons: class.crons, phase: class.phase/2 + time.Duration(random.Int64N(int64(class.phase))),
		pace: pick(random, 30*time.Minute, time.Hour, 2*time.Hour), reconcile: 12 * time.Minute,
	}
	for n := range 1 + random.IntN(2) {
		p.jobs = append(p.jobs, newHoursJob(random, fmt.Sprintf("job%d", n), class.crons))
	}
	if chance(random, 20) {
		j := newHoursJob(random, "turns", class.crons)
		j.job.Shards, j.job.Strategy = 1, coreagent.Balance
		p.jobs = append(p.jobs, j)
	}
	for range 2 + random.IntN(5) {
		p.faults = append(p.faults, pick(random, hoursFaults...))
	}
	switch {
	case chance(random, 10):
		p.spoil = pick(random, 0.002, 0.01)
		p.faults = append(p.faults, pick(random, replyLost, requestLost))
	case chance(random, 10):
		p.drop, p.echo = pick(random, 0.02, 0.1), pick(random, 0, 0.1)
		p.faults = append(p.faults, watchLost)
	}
	if chance(random, 25) {
		p.clocks = &clockPlan{random: random, most: pick(random, time.Second, 10*time.Second, 25*time.Second)}
		p.faults = append(p.faults, clockStep)
		if chance(random, 40) {
			p.faults = append(p.faults, clockFar)
			for _, j := range p.jobs {
				j.job.MaxTimeDiff, j.job.ErrorHandler = 2*p.clocks.most+time.Second, coreagent.Throw
			}
		}
	}
	p.edited = p.jobs
	if p.holds = newHoldPlan(seed, time.Hour); !slices.Contains(p.faults, clockFar) {
		p.requests = newHoursRequestPlan(seed, class.crons)
	}
	if p.requests != nil {
		p.jobs = append(slices.Clone(p.jobs), p.requests.job)
	}
	return p, random
}

// newHoursRequestPlan draws a job with requested runs in a fleet of hours, or nil. Ten minutes
// correspond to a second in the other kind of fleet.
func newHoursRequestPlan(seed uint64, crons []string) *requestPlan {
	random := rand.New(rand.NewPCG(seed, 0x19))
	if replayed(seed) || !chance(random, 35) {
		return nil
	}
	j := &jobPlan{clumsy: chance(random, 30), deaf: chance(random, 5), longest: pick(random, time.Second, 20*time.Second, 2*time.Minute)}
	keep := pick(random, 5, 1000, 1000)
	j.job = coreagent.Job{
		Name: requestedJob, Schedule: coreagent.Schedule{Zone: pick(random, zones...)}, Shards: 1 + random.IntN(4), Failover: chance(random, 50),
		ReconcileInterval: 10 * time.Minute, Requests: coreagent.Requests{Keep: keep, Assign: pick(random, coreagent.AssignEach, coreagent.AssignOne), Lost: pick(random, coreagent.LostAgain, coreagent.LostAgain, coreagent.LostAgain, coreagent.LostFail)},
		Retry: coreagent.Retry{Retries: random.IntN(4), Backoff: pick(random, 0, 30*time.Second, 5*time.Minute, 20*time.Minute)},
	}
	j.job.Requests.Overlap = pick(random, overlaps...)
	if j.job.Requests.Assign == coreagent.AssignEach && chance(random, 50) {
		j.job.Schedule.Cron = pick(random, crons...)
	}
	j.limit(seed)
	r := &requestPlan{
		random: random, job: j, unit: 10 * time.Minute, pace: pick(random, 5*time.Minute, 15*time.Minute, 40*time.Minute), lost: pick(random, 0, 0.02, 0.1), poison: chance(random, 25),
	}
	r.rows = r.newDatabase(seed)
	return r
}

func newHoursJob(random *rand.Rand, name string, crons []string) *jobPlan {
	cron, zone := pick(random, crons...), pick(random, zones...)
	schedule, err := judge.NewSchedule("", cron, zone, nil)
	if err != nil {
		panic(err) // constants
	}
	j := &jobPlan{clumsy: chance(random, 10), longest: pick(random, time.Second, 30*time.Second, 3*time.Minute, min(schedule.Gap/3, 40*time.Minute))}
	j.job = coreagent.Job{
		Name: name, Shards: 1 + random.IntN(4), Failover: chance(random, 50),
		Schedule:          coreagent.Schedule{Cron: cron, Zone: zone, SkipMisfires: !chance(random, 85)},
		Strategy:          coreagent.Strategy{Name: pick(random, "", "", "ODEVITY")},
		ReconcileInterval: 10 * time.Minute,
	}
	j.job.EagerFailover = j.job.Failover && chance(random, 30)
	return j
}
