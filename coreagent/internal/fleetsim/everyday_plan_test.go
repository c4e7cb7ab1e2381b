package fleetsim_test

import (
	"math/rand/v2"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
)

// everydayCrons are typical schedules: each hour, or once a day.
var everydayCrons = []string{"0 0 * * * ?", "0 0 * * * ?", "0 30 * * * ?", "0 30 1 * * ?"}

// Faults that only an everyday fleet has. The others happen close to a fire time.
const (
	removal  faultKind = "E1 job removed from an agent"
	overFire faultKind = "E2 servers disabled over a fire time"
	scaleOut faultKind = "E3 agent added"
)

// everydayFaults are the faults that a round draws from: typical faults of services, close to the
// fire time. Most are deaths.
var everydayFaults = []faultKind{
	crash, crash, crash, crash, partition, partition, pause, restart, restart, expiry, expiry, expiry, severed, drain, drain, scaleOut,
	removal, removal, overFire, overFire, overFire, numbers, schedules, shardOff, switches, triggers,
}

// countedEveryday are the faults that should occur in a long run.
var countedEveryday = []faultKind{
	crash, partition, pause, restart, expiry, severed, drain, scaleOut, removal, overFire, numbers, schedules, shardOff, switches, triggers,
}

// everydayPlan is the life of a fleet of services over a few fire times.
type everydayPlan struct {
	random *rand.Rand
	rounds int
	calm   bool // at most one fault in a round
}

// newEverydayPlan draws a fleet of two to four agents with jobs that run each hour or each day, for
// seconds to two minutes, with typical settings.
func newEverydayPlan(seed uint64) (*plan, *rand.Rand) {
	random := rand.New(rand.NewPCG(seed, 0x71))
	p := &plan{
		hours: true, agents: 2 + random.IntN(3), session: pick(random, 10*time.Second, 30*time.Second, 30*time.Second, time.Minute),
		crons: everydayCrons, reconcile: 12 * time.Minute, faults: []faultKind{schedules}, // see editUnseen
		everyday: &everydayPlan{random: rand.New(rand.NewPCG(seed, 0x72)), rounds: 1 + random.IntN(3), calm: chance(random, 30)},
	}
	p.jobs = append(p.jobs, newEverydayJob(random, p, "report"))
	if chance(random, 25) {
		p.jobs = append(p.jobs, newEverydayJob(random, p, "import"))
	}
	if chance(random, 25) {
		j := newEverydayJob(random, p, "turns")
		j.job.Shards, j.job.Strategy = 1, coreagent.Balance
		p.jobs = append(p.jobs, j)
	}
	p.edited = p.jobs
	return p, random
}

func newEverydayJob(random *rand.Rand, p *plan, name string) *jobPlan {
	j := &jobPlan{longest: pick(random, 5*time.Second, 20*time.Second, 70*time.Second, 2*time.Minute)}
	j.shortest = j.longest
	if chance(random, 30) {
		j.shortest = 5 * time.Second // shards take different times
	}
	cron := pick(random, everydayCrons...)
	j.job = coreagent.Job{
		Name: name, Shards: p.agents * (1 + random.IntN(3)),
		Failover:          chance(random, 80),
		Schedule:          coreagent.Schedule{Cron: cron, Zone: "GMT", SkipMisfires: !chance(random, 85)},
		ReconcileInterval: 10 * time.Minute,
	}
	j.job.EagerFailover = j.job.Failover && chance(random, 25)
	return j
}

// nearFire draws how long after a fire time something happens. Most faults happen in the second
// before, while a run gets ready, or in the two minutes after.
func (e *everydayPlan) nearFire() time.Duration {
	switch e.random.IntN(10) {
	case 0, 1, 2:
		return -time.Duration(e.random.Int64N(int64(300 * time.Millisecond)))
	case 3:
		return -time.Duration(e.random.Int64N(int64(time.Second)))
	case 4, 5, 6:
		return time.Duration(e.random.Int64N(int64(6 * time.Second)))
	}
	return time.Duration(e.random.Int64N(int64(2 * time.Minute)))
}
