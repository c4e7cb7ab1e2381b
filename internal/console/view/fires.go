package view

import (
	"sync"
	"time"
	"weak"

	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/statistics"
)

const (
	// FireStep is how long a bucket of [Fires] is, FireSteps how many there are: a day.
	FireStep  = 15 * time.Minute
	FireSteps = 96
	// fastest is up to how many fires of a day are counted one by one.
	fastest = 24 * 60
	// fireBudget is how many fires are computed at most for one answer.
	fireBudget = 40_000
	// mostSchedules is how many schedules are remembered.
	mostSchedules = 50_000
)

// Fires is when the jobs fire within a day.
type Fires struct {
	From time.Time // of the first bucket
	// Counts are the fires per bucket of the jobs that don't fire in every bucket. Steady is
	// the number of the others.
	Counts [FireSteps]int
	Steady int
	// Total counts the fires of all jobs. The fires of the fastest jobs are estimated by their rate.
	Total int
	// Uncounted is how many jobs are not counted yet.
	Uncounted int
}

// FirePlan computes when jobs fire, and remembers it by their schedule until the next
// quarter of an hour. The zero value is ready. It is safe for concurrent use.
type FirePlan struct {
	mu    sync.Mutex
	from  time.Time
	known map[fireKey]*daily
	// last is what was answered, about the list with this first job and so many.
	last Fires
	list weak.Pointer[statistics.Job]
	size int
}

// fireKey is what the fires of a job depend on.
type fireKey struct {
	cron, zone string
	rules      quartz.Rules
}

// daily is the fires of one schedule.
type daily struct {
	counts [FireSteps]uint16
	total  int
	steady bool // it fires in every bucket
}

// Of are the fires of jobs from the quarter of an hour on in which now is. Jobs that
// are disabled, held, down or without a schedule fire never. One call computes a bounded
// number of fires; what is left is computed by the next ones.
func (p *FirePlan) Of(jobs []statistics.Job, now time.Time) Fires {
	p.mu.Lock()
	defer p.mu.Unlock()
	from := now.UTC().Truncate(FireStep)
	list := weak.Pointer[statistics.Job]{}
	if len(jobs) > 0 {
		list = weak.Make(&jobs[0])
	}
	if p.from.Equal(from) && p.list == list && p.size == len(jobs) && p.last.Uncounted == 0 {
		return p.last // A list does not change.
	}
	if !p.from.Equal(from) || len(p.known) > mostSchedules {
		p.from, p.known = from, make(map[fireKey]*daily)
	}
	f := Fires{From: from}
	budget := fireBudget
	for i := range jobs {
		j := &jobs[i]
		if j.Cron == "" || j.Status == statistics.StatusCrashed || j.ScheduleHeld() || j.Servers > 0 && j.DisabledServers == j.Servers {
			continue
		}
		key := fireKey{j.Cron, j.TimeZone, quartz.RulesOf(j.Name, j.ScheduleProps())}
		day, known := p.known[key]
		switch {
		case !known && budget <= 0:
			f.Uncounted++
			continue
		case !known:
			var spent int
			day, spent = dailyOf(key, from)
			budget -= spent
			p.known[key] = day
		}
		if day == nil {
			continue // unreadable
		}
		f.Total += day.total
		if day.steady {
			f.Steady++
			continue
		}
		for i, n := range day.counts {
			f.Counts[i] += int(n)
		}
	}
	p.last, p.list, p.size = f, list, len(jobs)
	return f
}

// dailyOf enumerates the fires of a schedule; nil if it cannot be read.
func dailyOf(key fireKey, from time.Time) (day *daily, spent int) {
	const overhead = 20 // of reading the expression, in fires
	expr, err := key.rules.Parse(key.cron)
	if err != nil {
		return nil, overhead
	}
	zone, err := key.rules.Location(key.zone)
	if err != nil {
		return nil, overhead
	}
	day = &daily{}
	defer func() {
		day.steady = true
		for _, n := range day.counts {
			day.total += int(n)
			day.steady = day.steady && n > 0
		}
	}()
	at := from.Add(-time.Nanosecond)
	for spent = 0; spent < fastest; spent++ {
		next, ok := expr.Next(at, zone)
		if !ok || !next.Before(from.Add(FireSteps*FireStep)) {
			return day, spent + overhead
		}
		day.counts[next.Sub(from)/FireStep]++
		at = next
	}
	// Too many to count them all. Each further bucket in which the schedule fires has as many as the
	// fullest one of the same quarter of an hour that was counted, or of any quarter.
	const quarters = int(time.Hour / FireStep)
	done := int(at.Sub(from) / FireStep) // whole buckets; there is one, at a fire a second
	for i := done; i < FireSteps; i++ {
		begin := from.Add(time.Duration(i) * FireStep)
		if next, ok := expr.Next(begin.Add(-time.Nanosecond), zone); !ok || !next.Before(begin.Add(FireStep)) {
			continue
		}
		for n, count := range day.counts[:done] {
			if done < quarters || n%quarters == i%quarters {
				day.counts[i] = max(day.counts[i], count)
			}
		}
	}
	return day, spent + overhead
}
