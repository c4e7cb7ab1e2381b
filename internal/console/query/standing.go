package query

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
)

// Listing is what a list of jobs says of itself to everybody who asks: made once for a
// list, which does not change, as most of ten thousand jobs stay as they are from one
// request to the next. It is safe for concurrent use.
type Listing struct {
	jobs   []statistics.Job
	byName bool    // they are sorted by name
	order  []int32 // all of them, as they come

	mu    sync.Mutex
	group []int32 // of each job, the place of its schedule in plans; nil: not yet known
	plans []planned
}

// planned is the next fire by a schedule, as it was computed at some time.
type planned struct {
	by   *statistics.Job // one of those that have it
	at   time.Time
	plan *view.Plan
}

// planKey is what the next fire of a job depends on: many jobs have the same.
type planKey struct {
	cron, zone     string
	rules          quartz.Rules
	status         statistics.Status
	disabled, held bool
}

// NewListing is about jobs that do not change any more.
func NewListing(jobs []statistics.Job) *Listing {
	l := &Listing{jobs: jobs, order: make([]int32, len(jobs)), byName: true}
	for i := range jobs {
		l.order[i] = int32(i)
		l.byName = l.byName && (i == 0 || jobs[i-1].Name < jobs[i].Name)
	}
	return l
}

// Plan is the next fire of the job at a place in the list.
func (l *Listing) Plan(i int, now time.Time) *view.Plan {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.planOf(i, now)
}

// Plans is Plan of every job.
func (l *Listing) Plans(now time.Time) []*view.Plan {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := make([]*view.Plan, len(l.jobs))
	for i := range list {
		list[i] = l.planOf(i, now)
	}
	return list
}

// planOf computes what is not known, or was computed for another time, with mu held.
func (l *Listing) planOf(i int, now time.Time) *view.Plan {
	if l.group == nil {
		l.findSchedules()
	}
	p := &l.plans[l.group[i]]
	if p.plan == nil || now.Before(p.at) || len(p.plan.Fires) > 0 && !now.Before(p.plan.Fires[0]) {
		plan := view.PlanOf(*p.by, now, 1)
		p.plan, p.at = &plan, now
	}
	return p.plan
}

// findSchedules finds which jobs have the same, with mu held.
func (l *Listing) findSchedules() {
	places := make(map[planKey]int32)
	l.group = make([]int32, len(l.jobs))
	for i := range l.jobs {
		j := &l.jobs[i]
		key := planKey{j.Cron, j.TimeZone, quartz.RulesOf(j.Name, j.ScheduleProps()), j.Status, j.Servers > 0 && j.DisabledServers == j.Servers, j.ScheduleHeld()}
		place, known := places[key]
		if !known {
			place = int32(len(l.plans))
			places[key] = place
			l.plans = append(l.plans, planned{by: j})
		}
		l.group[i] = place
	}
}

// Standing is how each job of a list is, and how many are so: made once for all who ask
// until a job changes or runs. It does not change.
type Standing struct {
	*Listing
	// In the order of the list.
	Digests  []*explain.Digest
	States   []explain.State
	NeverRan []bool
	// ByStatus are the numbers of jobs by status, ByState by state, with those under
	// [NeverRan] and [Held].
	ByStatus map[statistics.Status]int
	ByState  map[explain.State]int

	worst func() []int32
}

// NewStanding judges jobs by the digest of each; history is the evidence that
// they share.
func NewStanding(l *Listing, digests []*explain.Digest, history explain.Evidence) *Standing {
	n := len(l.jobs)
	s := &Standing{
		Listing: l, Digests: digests, States: make([]explain.State, n), NeverRan: make([]bool, n),
		ByStatus: make(map[statistics.Status]int), ByState: make(map[explain.State]int),
	}
	never, held := 0, 0
	for i := range l.jobs {
		j := &l.jobs[i]
		history.Job, history.Runs = j, digests[i]
		s.States[i], s.NeverRan[i] = explain.StateOf(history), history.NeverRan()
		s.ByStatus[j.Status]++
		s.ByState[s.States[i]]++
		if s.NeverRan[i] {
			never++
		}
		if j.Held.What != "" {
			held++
		}
	}
	if never > 0 {
		s.ByState[NeverRan] = never
	}
	if held > 0 {
		s.ByState[Held] = held
	}
	s.worst = sync.OnceValue(s.byRank)
	return s
}

// DigestOf is the digest of a job; nil if the list does not have it.
func (s *Standing) DigestOf(job string) *explain.Digest {
	compare := func(i int32, name string) int { return cmp.Compare(s.jobs[i].Name, name) }
	if s.byName {
		if at, found := slices.BinarySearchFunc(s.order, job, compare); found {
			return s.Digests[at]
		}
		return nil
	}
	if at := slices.IndexFunc(s.order, func(i int32) bool { return compare(i, job) == 0 }); at >= 0 {
		return s.Digests[at]
	}
	return nil
}

// Worst are the places of all jobs, the worst first and else as in the list. It must not
// be changed.
func (s *Standing) Worst() []int32 { return s.worst() }

func (s *Standing) byRank() []int32 {
	places := make([][]int32, len(explain.States))
	for i, state := range s.States {
		places[state.Rank()] = append(places[state.Rank()], int32(i))
	}
	return slices.Concat(places...)
}
