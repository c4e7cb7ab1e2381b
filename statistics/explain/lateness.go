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
	// grace is how long after a fire time a run may start at least.
	grace = 10 * time.Second
	// tolerance is how much earlier than its fire time a run may seem to have started, by
	// clocks that differ.
	tolerance = time.Second
	// LateRows is how late the row of a run may be stored, for example while the database is locked.
	LateRows = 10 * time.Minute
)

// schedule has the values on which a job's lateness depends.
type schedule struct {
	cron, zone  string
	rules       quartz.Rules
	ready, last time.Time
	exact       bool      // last is a fire time, not when a run began
	until       time.Time // the end of that run, if misfire is off
	able        time.Time // no fire time before it counts for passed; zero if that's unknown
}

// plan is the first fire time without a run.
type plan struct {
	of    schedule
	fire  time.Time // zero for none
	after time.Time // when the job is late
	// dropped is the first fire time that passed during the last run; zero for none.
	dropped time.Time
	// passed is the first fire time after the last run on record that passed before the first of today's instances
	// came, although the job was switched on; zero for none.
	passed time.Time
}

// lateness is whether a fire time has passed without a run.
type lateness struct {
	due time.Time // the first fire time without a run, if it has passed
	// missed: no run of it is on record, and it would be if there had been one. If it's proven, the
	// registry's records show that there was none.
	missed, proven bool
	// unproven: no run of it is on record, and there may have been one.
	unproven bool
}

// through is the time up to which each shard that is on has missed no fire time by the registry's
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

// recorded reports whether the registry's records prove which fire times a job missed: not if it keeps
// none, or if a Java agent runs it too or may have left a moment ago.
func recorded(j *statistics.Job) bool {
	return j.Recorded && j.JavaInstances == 0 && j.UnassignedShards == 0
}

// Planned returns the digest with the time at which the job is late; without it, a job is
// never late. It returns d itself if the schedule hasn't changed, and otherwise a copy,
// because many may use d.
func (d *Digest) Planned(j *statistics.Job) *Digest {
	of := scheduleOf(j, d)
	next := of
	if through := d.through(j); through.After(of.last) {
		next.last, next.exact = through, true
	}
	if of == d.plan.of && next == d.next.of {
		return d
	}
	planned := *d
	planned.plan = planOf(of, j)
	if planned.next = planned.plan; next != of {
		planned.next = planOf(next, j)
	}
	return &planned
}

func scheduleOf(j *statistics.Job, d *Digest) schedule {
	of := schedule{j.Cron, j.TimeZone, quartz.RulesOf(j.Name, j.ScheduleProps()), j.ReadySince, d.LastFire, d.Exact, time.Time{}, j.AbleSince}
	if d.LastStart.After(of.able) && !of.able.IsZero() {
		of.able = d.LastStart
	}
	if !makesUp(j) && len(d.ran) > 0 && d.ran[0].from.Equal(d.LastFire) {
		of.until = d.ran[0].until
	}
	return of
}

// planOf computes when a job is late by a schedule.
func planOf(of schedule, j *statistics.Job) plan {
	p := plan{of: of}
	if j.Cron == "" || of.ready.IsZero() {
		return p
	}
	expression, err := of.rules.Parse(j.Cron)
	if err != nil {
		return p
	}
	zone, err := of.rules.Location(j.TimeZone)
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
		zones = everyZone // Each agent uses its own zone, which is unknown here.
	}
	if since := of.since(); len(zones) == 1 && !of.able.IsZero() && since.Before(of.ready) {
		if fire, ok := expression.Next(since, zone); ok && !fire.After(of.ready.Add(tolerance)) {
			p.passed = fire
		}
	}
	for _, zone := range zones {
		fires := expression.NextN(after, zone, 2)
		if len(fires) > 0 && fires[0].Before(of.until) {
			if len(zones) == 1 {
				p.dropped = fires[0]
			}
			fires = expression.NextN(of.until, zone, 2)
		}
		if len(fires) == 0 {
			return plan{of: of, passed: p.passed}
		}
		wait := grace
		if len(fires) == 2 {
			wait = max(wait, fires[1].Sub(fires[0])/20)
		}
		if fires[0].After(p.fire) {
			p.fire, p.after = fires[0], fires[0].Add(wait)
		}
	}
	return p
}

// since is the time after which a fire time must have a run on record: the last run covers those before.
func (of *schedule) since() time.Time {
	since := of.able.Add(tolerance)
	for _, at := range []time.Time{of.last, of.until} {
		if at.After(since) {
			since = at
		}
	}
	return since
}

// firesAt reports whether an instant is a fire time in a zone, or one just before a run's
// start is.
func firesAt(expression *quartz.Expression, at time.Time, zone *time.Location) bool {
	if at.IsZero() {
		return false
	}
	next, ok := expression.Next(at.Add(-2*tolerance), zone)
	return ok && !next.After(at.Add(tolerance))
}

// everyZone are the offsets of the clocks of the world: all full hours, and those between them that
// are in use.
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

// coveredSince returns the time since which no fire time has passed without a run, of a job that
// isn't late.
func (d *Digest) coveredSince(j *statistics.Job) time.Time {
	since := j.ReadySince
	for _, at := range []time.Time{d.LastFire, d.through(j)} {
		if at.After(since) {
			since = at
		}
	}
	return since
}

// dropped returns a fire time that passed during the last run, or that only some shards ran because
// the others were busy. It's lost because the job doesn't make up for it. It returns zero if none was.
func (d *Digest) dropped(j *statistics.Job) time.Time {
	if makesUp(j) || j.Cron == "" || len(d.ran) == 0 || !d.ran[0].from.After(j.Changed) || d.plan.of != scheduleOf(j, d) {
		return time.Time{}
	}
	if !d.plan.dropped.IsZero() || len(d.ran) == 1 {
		return d.plan.dropped
	}
	off, last := switchedOff(j), d.ran[0]
	for n, until := range d.busy {
		if until.After(last.from) && n < j.Shards && !slices.Contains(last.items, n) && !slices.Contains(off, n) {
			return last.from
		}
	}
	return time.Time{}
}

// overrun returns a fire time that passed while the oldest run that goes on was on; zero if none
// has.
func (d *Digest) overrun(j *statistics.Job, now time.Time) time.Time {
	switch {
	case d.open.start.IsZero() || j.Cron == "" || j.ScheduleHeld() || d.plan.of != scheduleOf(j, d):
	case d.Exact && d.LastFire.After(d.open.start.Add(tolerance)):
		return d.LastFire // Other shards ran then.
	case d.plan.fire.After(d.open.start) && now.After(d.plan.fire.Add(tolerance)):
		return d.plan.fire
	}
	return time.Time{}
}

// lateAfter is when the job is late by a plan: a run that went on over the fire time gives the next one time to begin.
func (d *Digest) lateAfter(p *plan) time.Time {
	if over := d.EndedAt.Add(grace); d.EndedAt.After(p.fire) && over.After(p.after) {
		return over
	}
	return p.after
}

// lateness returns whether a fire time has passed without a run. None has if every shard is
// switched off, or if the schedule is held.
func (e Evidence) lateness() (l lateness) {
	j, d, now := e.Job, e.Runs, e.Now
	after, next := d.lateAfter(&d.plan), d.lateAfter(&d.next)
	if d.plan.fire.IsZero() || !now.After(after) || j.ScheduleHeld() || j.Shards > 0 && j.DisabledItems >= j.Shards || d.plan.of != scheduleOf(j, d) {
		return l
	}
	l.due = d.plan.fire
	switch proven := d.Fired != nil && !d.Fired.At.Before(after) && recorded(j); {
	case proven && d.through(j).Before(l.due):
		l.missed, l.proven = true, true
	case proven && d.next.fire.After(l.due) && now.After(next) && !d.Fired.At.Before(next):
		l.due, l.missed, l.proven = d.next.fire, true, true // It ran for a while without a run on record.
	case proven, d.LastStart.IsZero(), unfinished(j, d):
		l.unproven = true
	default:
		// The row may be missing because the database takes none, or because the owners write none.
		l.unproven = !e.Newest.IsZero() && l.due.After(e.Newest) || !d.record(j) || now.Sub(l.due) < LateRows && !e.wroteSince(j.Owners, l.due)
		l.missed = e.Known && !l.unproven
	}
	return l
}

// passed returns the first fire time without a run on record since the last run, if it passed before the first of
// today's instances came: whether another one served the job then isn't known. It returns zero for none, and while
// a run may yet make up for it.
func (e Evidence) passed() time.Time {
	j, d := e.Job, e.Runs
	if !e.Known || j.ScheduleHeld() || d.plan.of != scheduleOf(j, d) || !e.Now.After(j.ReadySince.Add(grace)) {
		return time.Time{}
	}
	return d.plan.passed
}

// runs reports whether a run is on. With monitorExecution the registry shows it: the row of an end may be late.
func (e Evidence) runs() bool {
	return e.Job.RunningShards > 0 || e.Known && e.Runs.Running > 0 && !e.Job.Monitored
}

// mayRun returns a fire time that has passed since a run began of which only the history shows that it's on; zero for
// none. The row of its end may be late, unless its instances have recorded runs that began after that fire time.
func (e Evidence) mayRun() time.Time {
	d := e.Runs
	if e.Job.RunningShards > 0 || !e.runs() || e.wroteSince(d.open.by, d.overrun(e.Job, e.Now)) {
		return time.Time{}
	}
	return d.overrun(e.Job, e.Now)
}

// unended reports whether the end of a run isn't on record for a while although the registry shows no running shard.
func (e Evidence) unended() bool {
	return e.Known && unfinished(e.Job, e.Runs) && e.Now.After(cmp.Or(e.Runs.quiet, e.Runs.open.start).Add(grace))
}

// lost returns the fire time of passed if it's lost: no instance served the job then, and none makes up for it.
func (e Evidence) lost() time.Time {
	due := e.passed()
	if due.IsZero() || makesUp(e.Job) || !e.Runs.unserved(due) {
		return time.Time{}
	}
	return due
}

// wroteSince reports whether each of some instances has recorded a run, of any job, that began since a time: then its
// rows aren't late.
func (e Evidence) wroteSince(ids []string, at time.Time) bool {
	return !slices.ContainsFunc(ids, func(id string) bool {
		return !e.Writers.newest(id).After(at) && !slices.ContainsFunc(e.Runs.recorders, func(r recorder) bool { return r.id == id && r.at.After(at) })
	})
}

// unfollowed reports whether a finding is that an agent can't follow the job.
func unfollowed(f *statistics.Finding) bool {
	return f.Obstacle == string(jobtree.ObstacleForbidden) || f.Obstacle == string(jobtree.ObstacleControl)
}

// WantsFired reports whether the records in the registry should be read: a fire time has
// passed without a run on record, a shard takes no part in the runs on record, or none is on record.
func (d *Digest) WantsFired(j *statistics.Job, now time.Time) bool {
	switch {
	case !j.Recorded || d.plan.fire.IsZero():
		return false
	case d.Fired == nil && d.LastStart.IsZero():
		return true
	case now.After(d.lateAfter(&d.plan)):
		// The job may run again without a row.
		return d.Fired == nil || d.Fired.At.Before(d.lateAfter(&d.plan)) || now.After(d.next.after) && d.Fired.At.Before(now.Add(-grace))
	}
	return (d.Fired == nil || d.Fired.At.Before(d.EndedAt)) && len(d.silent(j, true, now).items) > 0
}

// switchedOff are the shards that are switched off.
func switchedOff(j *statistics.Job) []int {
	for _, f := range j.Findings {
		if f.Code == statistics.CodeItemDisabled {
			return f.Items
		}
	}
	return nil
}

// silence are the shards that took no part in the last scheduled runs although they are on.
type silence struct {
	items []int
	// unproven are shards that may have run: their owners may not record their runs.
	unproven []int
	runs     int
	since    time.Time // the fire time of the first of the runs
}

// silent finds them. Runs from before the last edit don't count.
func (d *Digest) silent(j *statistics.Job, known bool, now time.Time) (s silence) {
	if !known {
		return s
	}
	ran, fires := d.lately(now)
	if len(ran) > 0 && d.hasAllOf(j) && ran[len(ran)-1].from.After(j.Changed) {
		s.runs, s.since = fires, ran[len(ran)-1].from
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
		s.find(j, d, func(n int) bool { return took[n] || d.wasBusy(j, n, s.since, now) })
	}
	if len(s.items)+len(s.unproven) == 0 {
		s = d.missedLast(j, now)
	}
	return s
}

// hasAllOf reports whether each shard that runs by the registry is in a run that was read. A run that has been on
// for long may be older than those.
func (d *Digest) hasAllOf(j *statistics.Job) bool {
	busy := make(map[int]bool)
	for _, on := range d.goes {
		for _, n := range on.busy {
			busy[n] = true
		}
	}
	return j.RunningShards <= len(busy)
}

// Misses reports whether a shard is missing in the last runs, or will be in a moment, so that older ones should be
// read: it may have been busy with one of them.
func (d *Digest) Misses(j *statistics.Job) bool {
	return len(d.silent(j, true, d.LastStart.Add(24*time.Hour)).items) > 0
}

// wasBusy reports whether a shard was in another run at a fire time, or at a newer one. If the job makes up for it,
// the shard has a moment to begin.
func (d *Digest) wasBusy(j *statistics.Job, n int, at, now time.Time) bool {
	until, busy := d.busy[n]
	return busy && until.After(at) && (!makesUp(j) || now.Before(until.Add(grace)))
}

// missedLast finds the shards that took no part in the newest fire time, once no run is on and its run has
// ended for a while. A shard that was busy then should make up for it, or the fire time is dropped.
func (d *Digest) missedLast(j *statistics.Job, now time.Time) (s silence) {
	last := &d.last
	switch {
	case last.at.IsZero() || !last.at.After(j.Changed) || !last.at.After(j.ReadySince):
		return s
	case now.Before(last.until.Add(grace)) || j.RunningShards > 0 || d.Running > 0 || j.ScheduleHeld():
		return s
	}
	s.runs, s.since = 1, last.at
	took := make(map[int]bool)
	for _, n := range last.items {
		took[n] = true
	}
	s.find(j, d, func(n int) bool {
		until, busy := last.busy[n]
		return took[n] || busy && (!makesUp(j) || now.Before(until.Add(grace)))
	})
	return s
}

// find adds the shards that are on and did not run. By the registry's records a shard may have had nothing to
// run, for example because it was switched off then.
func (s *silence) find(j *statistics.Job, d *Digest, ran func(int) bool) {
	off := switchedOff(j)
	for n := range min(j.Shards, mostSilent) {
		var record statistics.FiredShard
		if d.Fired != nil {
			record = d.Fired.Shards[n]
		}
		fired := d.Fired != nil && !record.Through.Before(d.LastFire)
		switch {
		case slices.Contains(off, n) || ran(n) || fired && record.Completed.Before(s.since):
		case fired || !recorded(j) && !d.record(j):
			s.unproven = append(s.unproven, n)
		default:
			s.items = append(s.items, n)
		}
	}
}

func (s silence) decision() decision {
	return decision{state: Partial, code: statistics.CodeShardsMissed, items: s.items, silent: s}
}

// mostSilent bounds the shards that are looked at.
const mostSilent = 10_000

// ranSince reports whether the shards that a finding names as interrupted have run to their
// ends since: what waits to be failed over is left over then. An agent that can't follow the job
// goes on by the configuration and the assignment that it knows.
func (d *Digest) ranSince(f *statistics.Finding) bool {
	if f.Code != statistics.CodeFailoverOffered && !unfollowed(f) || f.Since.IsZero() || len(f.Items) == 0 || d.Bad() {
		return false
	}
	return !slices.ContainsFunc(f.Items, func(n int) bool {
		return !slices.ContainsFunc(d.ran, func(at ranAt) bool { return at.from.After(f.Since) && slices.Contains(at.items, n) })
	})
}
