package fleetsim_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
)

// plan holds everything that a seed decides before a fleet starts.
type plan struct {
	agents  int
	jobs    []*jobPlan
	session time.Duration
	faults  []faultKind // the faults of this seed; a kind may occur twice
	phase   time.Duration
	pace    time.Duration // longest pause between two faults
	spoil   float64       // share of requests that are lost, or lose their reply
	slow    float64       // share of late replies
	drop    float64       // share of lost watch events
	echo    float64       // share of duplicate watch events
	clocks  *clockPlan    // nil if all clocks agree

	edited   []*jobPlan   // the jobs that the faults edit
	requests *requestPlan // nil if no runs are requested
	holds    *holdPlan    // nil if no job is held

	everyday *everydayPlan // nil in other fleets

	hours     bool          // periods are minutes, hours and days
	crons     []string      // the choices of an edit, in a fleet of hours
	reconcile time.Duration // when everything is compared at the latest
}

// clockPlan decides how far clocks are off. It has its own random stream, so that a seed's other
// faults don't depend on it.
type clockPlan struct {
	random *rand.Rand
	most   time.Duration // the maximum clock error
	wrong  bool          // some errors are larger, and the jobs don't allow that
}

// newClockPlan draws whether clocks are off, and how far.
func newClockPlan(seed uint64) *clockPlan {
	random := rand.New(rand.NewPCG(seed, 0x14))
	if !chance(random, 30) {
		return nil
	}
	return &clockPlan{random: random, most: pick(random, time.Second, 3*time.Second, 5*time.Second), wrong: chance(random, 40)}
}

// skew draws a clock error, and whether it's more than jobs allow.
func (c *clockPlan) skew() (off time.Duration, wrong bool) {
	off = time.Duration(c.random.Int64N(int64(2*c.most)+1)) - c.most
	switch {
	case chance(c.random, 25):
		return 0, false
	case c.wrong && chance(c.random, 20):
		far := c.most + 5*time.Second + time.Duration(c.random.Int64N(int64(20*time.Second)))
		return pick(c.random, far, -far), true
	}
	return off, false
}

// jobPlan is a job and the behavior of its handlers.
type jobPlan struct {
	job     coreagent.Job
	period  time.Duration // 0 if it's only triggered
	longest time.Duration
	// shortest is the shortest handler of an everyday fleet; 0 in others, where most handlers are
	// short.
	shortest time.Duration
	deadline time.Duration // of its listener, if it has one
	deaf     bool          // handlers ignore their context
	clumsy   bool          // handlers fail and panic
}

// fate is the end of a handler that wasn't interrupted.
type fate int

const (
	succeeds fate = iota
	fails
	panics
)

// handling draws the length and the fate of one handler call. Most are short.
func (j *jobPlan) handling(random *rand.Rand) (time.Duration, fate) {
	switch {
	case j.shortest > 0 && j.shortest == j.longest:
		return j.longest, succeeds
	case j.shortest > 0:
		return j.shortest + time.Duration(random.Int64N(int64(j.longest-j.shortest)+1)), succeeds
	}
	length := time.Duration(random.Int64N(int64(j.longest) + 1))
	if random.IntN(3) > 0 {
		length /= 10
	}
	if !j.clumsy {
		return length, succeeds
	}
	switch random.IntN(20) {
	case 0, 1, 2:
		return length, fails
	case 3:
		return length, panics
	}
	return length, succeeds
}

var crons = map[time.Duration]string{
	2 * time.Second: "0/2 * * * * ?", 5 * time.Second: "0/5 * * * * ?", 10 * time.Second: "0/10 * * * * ?",
	20 * time.Second: "0/20 * * * * ?", 30 * time.Second: "0/30 * * * * ?",
}

func pick[T any](random *rand.Rand, list ...T) T { return list[random.IntN(len(list))] }

func chance(random *rand.Rand, percent int) bool { return random.IntN(100) < percent }

// newPlan draws a plan. Small fleets with one job and few kinds of fault find most bugs; the rest
// is for the rare ones.
func newPlan(seed uint64) (*plan, *rand.Rand) {
	random := rand.New(rand.NewPCG(seed, 0x51))
	p := &plan{
		agents: 2 + random.IntN(4), reconcile: reconcile, session: pick(random, 6*time.Second, 10*time.Second),
		phase: time.Duration(60+random.IntN(90)) * time.Second, pace: pick(random, 6*time.Second, 12*time.Second, 25*time.Second),
	}
	crowd := chance(random, 2)
	switch {
	case crowd:
		p.agents = 12 + random.IntN(39)
		p.phase = 45 * time.Second
	case chance(random, 15):
		p.agents = 6 + random.IntN(3)
	}
	jobs := 1
	if !crowd && chance(random, 20) {
		jobs = 2 + random.IntN(2)
	}
	for n := range jobs {
		p.jobs = append(p.jobs, newJobPlan(random, fmt.Sprintf("job%d", n), crowd))
	}
	for range 1 + random.IntN(4) {
		p.faults = append(p.faults, pick(random, allFaults...))
	}
	for _, kind := range p.faults {
		switch kind {
		case replyLost, requestLost:
			p.spoil = pick(random, 0.002, 0.01, 0.03)
		case slowReplies:
			p.slow = pick(random, 0.01, 0.1)
		case watchLost:
			p.drop, p.echo = pick(random, 0.02, 0.1, 0.3), pick(random, 0, 0.1)
		}
	}
	if turns := rand.New(rand.NewPCG(seed, 0x15)); !crowd && chance(turns, 15) {
		p.jobs = append(p.jobs, newTurnsPlan(turns))
	}
	if p.clocks = newClockPlan(seed); p.clocks != nil && p.clocks.wrong {
		for _, j := range p.jobs {
			j.job.MaxTimeDiff, j.job.ErrorHandler = p.clocks.most+time.Second, coreagent.Throw
		}
	}
	p.edited = p.jobs
	if p.requests = newRequestPlan(seed); p.requests != nil && !crowd && (p.clocks == nil || !p.clocks.wrong) {
		p.jobs = append(slices.Clone(p.jobs), p.requests.job)
	} else {
		p.requests = nil
	}
	if j := newMetPlan(seed); j != nil && !crowd && p.clocks == nil {
		p.jobs = append(slices.Clone(p.jobs), j)
	}
	if !crowd {
		p.holds = newHoldPlan(seed, time.Second)
	}
	return p, random
}

// newTurnsPlan draws an extra job with a rotating shard. It has its own random stream, so the other
// jobs don't depend on it.
func newTurnsPlan(random *rand.Rand) *jobPlan {
	j := &jobPlan{period: pick(random, 5*time.Second, 10*time.Second), clumsy: chance(random, 20)}
	j.longest = pick(random, 50*time.Millisecond, j.period/3)
	j.job = coreagent.Job{
		Name: "turns", Shards: 1, Strategy: coreagent.Balance, Failover: chance(random, 50),
		Schedule: coreagent.Schedule{Cron: crons[j.period], Zone: "GMT", SkipMisfires: !chance(random, 80)}, ReconcileInterval: time.Minute,
	}
	return j
}

func newJobPlan(random *rand.Rand, name string, crowd bool) *jobPlan {
	j := &jobPlan{
		period: pick(random, 5*time.Second, 10*time.Second, 10*time.Second, 20*time.Second),
		clumsy: chance(random, 20), deaf: chance(random, 5),
	}
	j.longest = j.period / 3
	switch {
	case crowd:
		j.period, j.longest = 20*time.Second, 2*time.Second
	case chance(random, 10):
		j.longest = j.period * 2 // handlers that overrun their period
	case chance(random, 20):
		j.longest = 50 * time.Millisecond
	}
	j.job = coreagent.Job{
		Name: name, Shards: 1 + random.IntN(10), Failover: chance(random, 50),
		Schedule:          coreagent.Schedule{Cron: crons[j.period], Zone: "GMT", SkipMisfires: !chance(random, 80)},
		Strategy:          coreagent.Strategy{Name: pick(random, "", "", "", "ODEVITY", "ROUND_ROBIN")},
		ReconcileInterval: time.Minute,
	}
	switch {
	case chance(random, 5):
		j.job.Unmonitored, j.job.Failover = true, false
	case chance(random, 5):
		j.job.Schedule.Cron, j.period = "", 0
	}
	if crowd {
		j.job.Shards = pick(random, 5, 60, 120)
	}
	j.job.EagerFailover = j.job.Failover && chance(random, 50)
	return j
}
