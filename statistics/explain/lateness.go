package explain

import (
	"cmp"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/statistics"
)

const (
	// grace is the time that a run has to start after its fire time.
	grace = 10 * time.Second
	// tolerance is how much a run may seem to start before its fire time, because clocks differ.
	tolerance = time.Second
	// LateRows is how late the row of a run may be stored, for example while the database is
	// locked.
	LateRows = 10 * time.Minute
)

// schedule has the values that decide when a job is late.
type schedule struct {
	// version and changed identify the configuration. zone is the zone of the agents.
	version     int32
	changed     time.Time
	zone        string
	ready, last time.Time
	exact       bool      // last is a fire time; otherwise it's the start of a run
	until       time.Time // the end of the last run, if misfire is off
	able        time.Time // fire times before it never count as passed; zero if unknown
}

// plan has the fire times that a job should run next or has missed.
type plan struct {
	of    schedule
	fire  time.Time // the next fire time without a run; zero if there is none
	after time.Time // if there's no run by then, the job is late
	// dropped is the first fire time that passed during the last run; zero if there is none.
	dropped time.Time
	// passed is the first fire time after the last recorded run that passed before the first live
	// instance registered, although the job was enabled; zero if there is none.
	passed time.Time
}

// lateness describes whether a fire time passed without a run.
type lateness struct {
	due time.Time // the first fire time without a run, if it has passed
	// missed is set if there's no run and we would know of one. proven is set if the registry's
	// records show it.
	missed, proven bool
	items          []int // the shards that didn't run, if others did
	// unproven is set if no run is recorded but there may have been one.
	unproven bool
}

// through returns the time up to which no enabled shard has missed a fire time, by the registry's
// records; zero if they don't prove it.
func (d *Digest) through(j *statistics.Job) (oldest time.Time) {
	if d.Fired == nil || !recorded(j) {
		return oldest
	}
	off := switchedOff(j)
	for n := range j.Shards {
		at := d.Fired.Shards[n].Through
		if slices.Contains(off, n) {
			continue
		}
		if at.IsZero() {
			return at
		}
		if oldest.IsZero() || at.Before(oldest) {
			oldest = at
		}
	}
	return oldest
}

// completedSince reports whether an enabled shard has completed a run of that fire time or a later
// one, by the registry's records.
func (d *Digest) completedSince(j *statistics.Job, at time.Time) bool {
	off := switchedOff(j)
	for n := range j.Shards {
		if !slices.Contains(off, n) && !d.Fired.Shards[n].Completed.Before(at) {
			return true
		}
	}
	return false
}

// behind returns the enabled shards without a run of that fire time or a later one, by the registry's
// records; nil if no shard has run since.
func (d *Digest) behind(j *statistics.Job, due time.Time) (items []int) {
	off, others := switchedOff(j), false
	for n := range j.Shards {
		switch {
		case slices.Contains(off, n):
		case d.Fired.Shards[n].Through.Before(due):
			items = append(items, n)
		default:
			others = true
		}
	}
	if !others {
		return nil
	}
	return items
}

// recorded reports whether the registry's records show all missed fire times. They don't if the job
// keeps no records, or if a Java agent serves it or may have left a moment ago.
func recorded(j *statistics.Job) bool {
	return j.Recorded && j.JavaInstances == 0 && j.UnassignedShards == 0
}

// Planned returns the digest with the time from which the job is late. A digest without a plan is
// never late. If the schedule hasn't changed, it returns d, and otherwise a copy, because d may be
// shared.
func (d *Digest) Planned(j *statistics.Job) *Digest {
	of := scheduleOf(j, d)
	next := of
	if through := d.through(j); through.After(of.last) {
		next.last, next.exact = through, true
	}
	if of == d.plan.of && next == d.upcoming().of {
		return d
	}
	planned := *d
	planned.plan, planned.next = planOf(of, j), nil
	if next != of {
		p := planOf(next, j)
		planned.next = &p
	}
	return &planned
}

// upcoming returns the plan by the records in the registry and the recorded runs.
func (d *Digest) upcoming() *plan { return cmp.Or(d.next, &d.plan) }

func scheduleOf(j *statistics.Job, d *Digest) schedule {
	of := schedule{
		version: j.ConfigVersion, changed: j.Changed, zone: j.AgentZone,
		ready: j.ReadySince, last: d.LastFire, exact: d.Exact, able: j.AbleSince,
	}
	if d.LastStart.After(of.able) && !of.able.IsZero() {
		of.able = d.LastStart
	}
	if !makesUp(j) && len(d.ran) > 0 && d.ran[0].from.Equal(d.LastFire) {
		of.until = d.ran[0].until
	}
	return of
}

// planOf computes the plan for a schedule.
func planOf(of schedule, j *statistics.Job) plan {
	p := plan{of: of}
	if j.Cron == "" || of.ready.IsZero() {
		return p
	}
	rules := quartz.RulesOf(j.Name, j.ScheduleProps())
	expression, err := rules.Parse(j.Cron)
	if err != nil {
		return p
	}
	zone, err := rules.Location(j.TimeZone)
	if err != nil {
		return p
	}
	after := of.last
	if !of.exact {
		after = after.Add(tolerance)
	}
	if of.ready.After(after) {
		after = of.ready.Add(tolerance)
	}
	zones := []*time.Location{zone}
	if j.Zone() == "" && !firesAt(expression, of.last, zone) {
		zones = everyZone // Each agent uses its own zone, which we don't know.
	}
	if since := of.since(); len(zones) == 1 && !of.able.IsZero() && since.Before(of.ready) {
		if fire, ok := expression.Next(since, zone); ok && !fire.After(of.ready.Add(tolerance)) {
			p.passed = fire
		}
	}
	for _, zone := range zones {
		fire, ok := expression.Next(after, zone)
		if ok && fire.Before(of.until) {
			if len(zones) == 1 {
				p.dropped = fire
			}
			fire, ok = expression.Next(of.until, zone)
		}
		if !ok {
			return plan{of: of, passed: p.passed}
		}
		if fire.After(p.fire) {
			p.fire, p.after = fire, fire.Add(grace)
		}
	}
	return p
}

// since returns the time after which each fire time should have a recorded run. The last run covers
// the earlier ones.
func (of *schedule) since() time.Time {
	since := of.able.Add(tolerance)
	for _, at := range []time.Time{of.last, of.until} {
		if at.After(since) {
			since = at
		}
	}
	return since
}

// firesAt reports whether the time, which may be the start of a run, is at a fire time or shortly
// after one.
func firesAt(expression *quartz.Expression, at time.Time, zone *time.Location) bool {
	if at.IsZero() {
		return false
	}
	next, ok := expression.Next(at.Add(-2*tolerance), zone)
	return ok && !next.After(at.Add(tolerance))
}

// everyZone has all UTC offsets in use: the full hours, and the others.
var everyZone = func() (zones []*time.Location) {
	quarters := []int{-38, -14, -10, 14, 18, 22, 23, 26, 35, 38, 42, 51, 55}
	for hours := -12; hours <= 14; hours++ {
		quarters = append(quarters, 4*hours)
	}
	for _, n := range quarters {
		zones = append(zones, time.FixedZone("", n*15*60))
	}
	return zones
}()

// makesUp reports whether the job makes up for fire times that pass during a run. Without
// monitorExecution, agents don't notice them.
func makesUp(j *statistics.Job) bool { return j.Misfire && j.Recorded }

// coveredSince returns the time since which no fire time passed without a run, for a job that isn't
// late.
func (d *Digest) coveredSince(j *statistics.Job) time.Time {
	since := j.ReadySince
	for _, at := range []time.Time{d.LastFire, d.through(j)} {
		if at.After(since) {
			since = at
		}
	}
	return since
}

// dropped returns a fire time that passed during the last run, or that some shards missed because
// they were busy; items are these shards. The job doesn't make up for it. It's zero if there is none.
func (d *Digest) dropped(j *statistics.Job) (at time.Time, items []int) {
	if makesUp(j) || j.Cron == "" || len(d.ran) == 0 || !d.ran[0].from.After(j.Changed) || d.plan.of != scheduleOf(j, d) {
		return at, nil
	}
	if !d.plan.dropped.IsZero() || len(d.ran) == 1 {
		return d.plan.dropped, nil
	}
	off, last := switchedOff(j), d.ran[0]
	for n, until := range d.busy {
		if until.After(last.from) && n < j.Shards && !slices.Contains(last.items, n) && !slices.Contains(off, n) && !d.wasOff(n, last.from) {
			at, items = last.from, append(items, n)
		}
	}
	slices.Sort(items)
	return at, items
}

// overrun returns a fire time that passed during the oldest run that's still on; zero if there is
// none.
func (d *Digest) overrun(j *statistics.Job, now time.Time) time.Time {
	switch {
	case d.open.start.IsZero() || j.Cron == "" || j.ScheduleHeld() || d.plan.of != scheduleOf(j, d):
	case d.Exact && d.LastFire.After(d.open.start.Add(tolerance)) && !d.LastFire.After(now):
		return d.LastFire // Other shards ran then.
	case d.plan.fire.After(d.open.start) && now.After(d.plan.fire.Add(tolerance)):
		return d.plan.fire
	}
	return time.Time{}
}

// lateAfter returns the time from which the job is late by a plan. If a run was on at the fire
// time, the next one has a moment to start after its end.
func (d *Digest) lateAfter(p *plan) time.Time {
	if over := d.EndedAt.Add(grace); d.EndedAt.After(p.fire) && over.After(p.after) {
		return over
	}
	return p.after
}

// lateness finds out whether a fire time passed without a run. The answer is no while the schedule
// is held or if every shard is disabled.
func (e Evidence) lateness() (l lateness) {
	j, d, now := e.Job, e.Runs, e.Now
	after, next := d.lateAfter(&d.plan), d.lateAfter(d.upcoming())
	if d.plan.fire.IsZero() || !now.After(after) || j.ScheduleHeld() || j.Shards > 0 && j.DisabledItems >= j.Shards || d.plan.of != scheduleOf(j, d) {
		return l
	}
	l.due = d.plan.fire
	switch proven := d.Fired != nil && !d.firedRunning && !d.Fired.At.Before(after) && recorded(j); {
	case proven && d.through(j).Before(l.due):
		l.missed, l.proven, l.items = true, true, d.behind(j, l.due)
	case proven && d.upcoming().fire.After(l.due) && now.After(next) && !d.Fired.At.Before(next):
		l.due, l.missed, l.proven = d.upcoming().fire, true, true // It ran for a while, but no run was recorded.
		l.items = d.behind(j, l.due)
	case proven && !d.completedSince(j, l.due):
		return lateness{} // No shard had to run then, for example because all were disabled.
	case proven, d.LastStart.IsZero(), unfinished(j, d):
		l.unproven = true
	default:
		// There may be no row because the database accepts none, or because the owners record none.
		l.unproven = !e.Newest.IsZero() && l.due.After(e.Newest) || !d.record(j) || now.Sub(l.due) < LateRows && !e.wroteSince(j.Owners, l.due)
		l.missed = e.Known && !l.unproven
	}
	return l
}

// early returns the newest fire time that every enabled shard has completed although it's not due
// yet, because the clock of an agent is or was ahead; zero if there is none. No agent runs these fire
// times again.
func (d *Digest) early(j *statistics.Job, now time.Time) time.Time {
	at, off := d.through(j), switchedOff(j)
	if last := &d.last; last.at.After(at) {
		all := true
		for n := range j.Shards {
			all = all && (slices.Contains(off, n) || slices.Contains(last.items, n))
		}
		if all {
			at = last.at
		}
	}
	if !at.After(now) {
		return time.Time{}
	}
	return at
}

// nextFire returns the next fire time that runs. next is the next one by the schedule.
func (e Evidence) nextFire(next time.Time) time.Time {
	d := e.Runs
	if until := d.early(e.Job, e.Now); !until.Before(next) && d.upcoming().fire.After(until) {
		return d.upcoming().fire.In(next.Location())
	}
	return next
}

// passed returns the first fire time after the last recorded run, if it was before the first live
// instance registered. We don't know whether another instance served the job then. It's zero if
// there is none, or if a run may still make up for it.
func (e Evidence) passed() time.Time {
	j, d := e.Job, e.Runs
	if !e.Known || j.ScheduleHeld() || d.plan.of != scheduleOf(j, d) || !e.Now.After(j.ReadySince.Add(grace)) {
		return time.Time{}
	}
	return d.upcoming().passed // The registry may show a run that isn't on record any more.
}

// runs reports whether a run is on. With monitorExecution only the registry counts, because the row
// of an end may be late.
func (e Evidence) runs() bool {
	return e.Job.RunningShards > 0 || e.Known && e.Runs.Running > 0 && !e.Job.Monitored
}

// mayRun returns a fire time that passed during a run that only the history shows as running; zero
// if there is none. The row of its end may be late, unless its instances have recorded newer runs.
func (e Evidence) mayRun() time.Time {
	d := e.Runs
	if e.Job.RunningShards > 0 || !e.runs() || e.wroteSince(d.open.by, d.overrun(e.Job, e.Now)) {
		return time.Time{}
	}
	return d.overrun(e.Job, e.Now)
}

// unended reports whether a run has had no recorded end for some seconds although no shard runs in
// the registry.
func (e Evidence) unended() bool {
	return e.Known && unfinished(e.Job, e.Runs) && e.Now.After(cmp.Or(e.Runs.quiet, e.Runs.open.start).Add(grace))
}

// unrecorded reports whether shards of the last run only seem lost: by the registry's records, they ran
// to their end.
func (d *Digest) unrecorded(j *statistics.Job) bool {
	return len(d.Failed) == 0 && len(d.Lost) > 0 && d.Fired != nil && !d.endedFire.IsZero() && j.Recorded &&
		!slices.ContainsFunc(d.Lost, func(n int) bool { return d.Fired.Shards[n].Completed.Before(d.endedFire) })
}

// lost returns the passed fire time if it's lost, because no instance served the job and the job
// doesn't make up for it.
func (e Evidence) lost() time.Time {
	due := e.passed()
	if due.IsZero() || makesUp(e.Job) || !e.Runs.unserved(due) {
		return time.Time{}
	}
	return due
}

// wroteSince reports whether each of the instances has recorded a run, of any job, that started
// after the time. Then its older rows can't be late.
func (e Evidence) wroteSince(ids []string, at time.Time) bool {
	return !slices.ContainsFunc(ids, func(id string) bool {
		return !e.Writers.newest(id).After(at) && !slices.ContainsFunc(e.Runs.recorders, func(r recorder) bool { return r.id == id && r.at.After(at) })
	})
}

// unfollowed reports whether the finding means that an agent can't follow changes of the job.
func unfollowed(f *statistics.Finding) bool {
	return f.Obstacle == string(jobtree.ObstacleForbidden) || f.Obstacle == string(jobtree.ObstacleControl)
}

// WantsFired reports whether to read the records in the registry: if a fire time passed without a
// recorded run, if a shard is missing in the recorded runs, or if there's no recorded run.
func (d *Digest) WantsFired(j *statistics.Job, now time.Time) bool {
	switch {
	case !j.Recorded || d.plan.fire.IsZero():
		return false
	case d.Fired == nil && d.LastStart.IsZero():
		return true
	case !d.upcoming().passed.IsZero() && now.After(j.ReadySince.Add(grace)) && (d.Fired == nil || d.Fired.At.Before(j.ReadySince.Add(grace))),
		len(d.Lost) > 0 && (d.Fired == nil || d.Fired.At.Before(d.LastStart)):
		return true
	case now.After(d.lateAfter(&d.plan)) && d.firedRunning && d.Fired != nil:
		return j.RunningShards == 0
	case now.After(d.lateAfter(&d.plan)):
		// The job may be running again without rows.
		return d.Fired == nil || d.Fired.At.Before(d.lateAfter(&d.plan)) || now.After(d.upcoming().after) && d.Fired.At.Before(now.Add(-grace))
	}
	return (d.Fired == nil || d.Fired.At.Before(d.EndedAt)) && len(d.silent(j, true, now).items) > 0
}

func switchedOff(j *statistics.Job) []int {
	for _, f := range j.Findings {
		if f.Code == statistics.CodeItemDisabled {
			return f.Items
		}
	}
	return nil
}

// silence has the enabled shards that took no part in the last scheduled runs.
type silence struct {
	items []int
	// unproven are shards that may have run, because their owners may not record their runs.
	unproven []int
	since    time.Time // the first fire time without them
}

// silent finds the silent shards. Runs before the last edit don't count.
func (d *Digest) silent(j *statistics.Job, known bool, now time.Time) (s silence) {
	if !known || d.allRan(j.Shards) {
		return s
	}
	ran := d.lately(now)
	if len(ran) > 0 && d.hasAllOf(j) && ran[len(ran)-1].from.After(j.Changed) {
		s.since = ran[len(ran)-1].from
		took := make(map[int]bool)
		for _, at := range ran {
			for _, n := range at.items {
				took[n] = true
			}
		}
		for _, on := range d.goes {
			shards := on.busy
			if !on.from.Before(s.since) {
				shards = on.took
			}
			for _, n := range shards {
				took[n] = true
			}
		}
		s.find(j, d, now, func(n int) bool { return took[n] || d.wasBusy(j, n, s.since, now) })
	}
	if len(s.items)+len(s.unproven) == 0 {
		s = d.missedLast(j, now)
	}
	for _, n := range s.items { // It may have begun before the runs that were read.
		if first, known := d.missing[n]; known && first.Before(s.since) && first.After(j.Changed) {
			s.since = first
		}
	}
	return s
}

// allRan reports whether each of a few shards took part in the newest scheduled run and at the
// newest fire time, so none is silent. That's the usual case, and it needs no memory.
func (d *Digest) allRan(shards int) bool {
	if shards > fewShards || len(d.ran) == 0 {
		return false
	}
	for n := range shards {
		if !slices.Contains(d.ran[0].items, n) || !d.last.at.IsZero() && !slices.Contains(d.last.items, n) {
			return false
		}
	}
	return true
}

const fewShards = 100

// hasAllOf reports whether every shard that runs in the registry is in a run that was read. If a
// run has been on for a long time, it may be older than the runs that were read.
func (d *Digest) hasAllOf(j *statistics.Job) bool {
	busy := make(map[int]bool)
	for _, on := range d.goes {
		for _, n := range on.busy {
			busy[n] = true
		}
	}
	return j.RunningShards <= len(busy)
}

// Misses reports whether a shard is missing in the last runs or is about to be. Then older runs
// should be read, because the shard may have been busy with one of them.
func (d *Digest) Misses(j *statistics.Job) bool {
	return len(d.silent(j, true, d.LastStart.Add(24*time.Hour)).items) > 0
}

// wasBusy reports whether a shard was in an older run that was still on at the time. If the job
// makes up for the missed fire time, the shard only counts as busy until a moment after the end of
// that run.
func (d *Digest) wasBusy(j *statistics.Job, n int, at, now time.Time) bool {
	until, busy := d.busy[n]
	return busy && until.After(at) && (!makesUp(j) || now.Before(until.Add(grace)))
}

// missedLast finds the shards that took no part at the newest fire time. It waits until no run is
// on and a few seconds have passed. A shard that was busy should make up for it; otherwise the fire
// time is dropped.
func (d *Digest) missedLast(j *statistics.Job, now time.Time) (s silence) {
	last := &d.last
	switch {
	case last.at.IsZero() || !last.at.After(j.Changed) || !last.at.After(j.ReadySince):
		return s
	case j.RunningShards > 0 || d.Running > 0 || j.ScheduleHeld():
		return s
	case now.Before(last.until.Add(grace)):
		return d.missedBefore(j, now)
	}
	s.since = last.at
	took := make(map[int]bool)
	for _, n := range last.items {
		took[n] = true
	}
	s.find(j, d, now, func(n int) bool {
		until, busy := last.busy[n]
		return took[n] || busy && (!makesUp(j) || now.Before(until.Add(grace)))
	})
	return s
}

// missedBefore finds the shards that took no part at the newest fire time for which that's sure, and at none
// since.
func (d *Digest) missedBefore(j *statistics.Job, now time.Time) (s silence) {
	took := make(map[int]bool)
	for _, at := range d.ran {
		for _, n := range at.items {
			took[n] = true
		}
		if at.together || at.from.After(now) || now.Before(at.until.Add(grace)) {
			continue
		}
		if s.since = at.from; s.since.After(j.Changed) && s.since.After(j.ReadySince) {
			s.find(j, d, now, func(n int) bool { return took[n] || d.wasBusy(j, n, s.since, now) })
		}
		break
	}
	return s
}

// find adds the enabled shards that didn't run. The registry's records may show that a shard didn't
// have to run, for example because it was disabled then.
func (s *silence) find(j *statistics.Job, d *Digest, now time.Time, ran func(int) bool) {
	off, last := switchedOff(j), d.lastFireBy(now)
	for n := range min(j.Shards, mostSilent) {
		var record statistics.FiredShard
		if d.Fired != nil {
			record = d.Fired.Shards[n]
		}
		fired := d.Fired != nil && !record.Through.Before(last)
		switch {
		case slices.Contains(off, n) || d.wasOff(n, s.since) || ran(n) || fired && record.Completed.Before(s.since):
		case fired || !recorded(j) && !d.record(j):
			s.unproven = append(s.unproven, n)
		default:
			s.items = append(s.items, n)
		}
	}
}

// lastFireBy returns the newest recorded fire time that has passed. An agent with a clock that is ahead
// records fire times that haven't.
func (d *Digest) lastFireBy(now time.Time) time.Time {
	for _, at := range d.ran {
		if d.LastFire.After(now) && !at.from.After(now) {
			return at.from
		}
	}
	return d.LastFire
}

func (s silence) decision() decision {
	return decision{state: Partial, code: statistics.CodeShardsMissed, items: s.items, silent: s}
}

// mostSilent bounds the shards that are checked.
const mostSilent = 10_000

// ranSince reports whether the shards of an interrupted run have run to their end since. Then an
// offer for failover is left over. It also applies to an agent that can't follow changes of the
// job, because it still runs by the configuration and the assignment that it knows.
func (d *Digest) ranSince(f *statistics.Finding) bool {
	if f.Code != statistics.CodeFailoverOffered && !unfollowed(f) || f.Since.IsZero() || len(f.Items) == 0 || d.Bad() {
		return false
	}
	return !slices.ContainsFunc(f.Items, func(n int) bool {
		return !slices.ContainsFunc(d.ran, func(at ranAt) bool { return at.from.After(f.Since) && slices.Contains(at.items, n) })
	})
}
