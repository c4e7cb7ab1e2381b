package explain

import (
	"cmp"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// Outcome is how the last attempt at a shard ended.
type Outcome string

// The outcomes.
const (
	Goes      Outcome = "running"
	Succeeded Outcome = "success"
	Failed    Outcome = "failed"
	Lost      Outcome = "lost"      // its instance was lost, and no other run made it good
	Cancelled Outcome = "cancelled" // its run was cancelled, which neither fails nor succeeds
)

// Run is one run of a job, as its history shows it.
type Run struct {
	// ScheduledAt is its fire time; zero if it has none, or if none was recorded.
	ScheduledAt time.Time
	// Start is when its first shard began, End when the last one ended; zero while one goes on.
	Start, End time.Time
	// Trigger is the reason why it was started; "" if none was recorded, as by Java engines.
	Trigger tracing.Trigger
	// Together is set if its executions have no run id, and were put together because they
	// began in the same second.
	Together bool
	// Shards took part in it, in ascending order.
	Shards []ShardRun
	// Cause is the text of the first failure that was not made good, and CauseItem its shard.
	Cause     string
	CauseItem int
}

// ShardRun is a shard in a run.
type ShardRun struct {
	Item    int
	Outcome Outcome
	// IP is where its last attempt ran, and Instance the id of the instance that ran it. A job without
	// fire records in the registry is late only if its owners are known to record their runs, by
	// rows with their ids.
	IP, Instance string
}

// goes reports whether a shard of the run goes on.
func (r *Run) goes() bool {
	return slices.ContainsFunc(r.Shards, func(s ShardRun) bool { return s.Outcome == Goes })
}

// cancelled reports whether nothing of the run came to another end.
func (r *Run) cancelled() bool {
	return len(r.Shards) > 0 && !slices.ContainsFunc(r.Shards, func(s ShardRun) bool { return s.Outcome != Cancelled })
}

// scheduled reports whether the run has a fire time. A run without a trigger may have one.
func (r *Run) scheduled() bool {
	return !r.ScheduledAt.IsZero() || r.Trigger == "" || r.Trigger == tracing.TriggerSchedule || r.Trigger == tracing.TriggerMisfire
}

// Digest sums up the newest runs of a job in little memory. The zero value is for a job
// without a run on record. A digest doesn't change.
type Digest struct {
	// LastStart is when the newest run began, Running how many shards go on.
	LastStart time.Time
	Running   int
	// LastFire is the newest fire time of a run. If it isn't Exact, no fire time was recorded,
	// and LastFire is the start of the newest run.
	LastFire time.Time
	Exact    bool
	// Shards is the number of shards in the last run that ended. Failed and Lost are its
	// shards by the result of their last attempt.
	Shards       int
	Failed, Lost []int
	// Runs is the number of runs in a row that ended so, or at least that number if
	// AtLeast, and FailingSince is the start of the first of them; zero if that isn't known.
	Runs         int
	AtLeast      bool
	FailingSince time.Time
	// Failures is the number of runs that failed among the last Recent runs, at most 10, and
	// UnstableSince is the start of the first of them.
	Failures, Recent int
	UnstableSince    time.Time
	// Cause is the failure's first line, which may hold secrets. Other failures with the same
	// text have the same Fingerprint.
	Cause, Fingerprint string
	// EndedStart and EndedAt are when the last run that ended began and ended, and Where is the
	// address it failed at.
	EndedStart, EndedAt time.Time
	Where               string
	// Fired has the fire times that are recorded in the registry; nil if they weren't read.
	Fired *statistics.Fired

	// Crashes is how many instances of the job were lost in the last minutes, and CrashesSince is when
	// the first of them was. They make the job Unstable from [ManyCrashes] on.
	Crashes      int
	CrashesSince time.Time

	// From servedUntil to servedFrom no instance served the job; the latter is zero while it lasts, and both are if
	// no such time is known.
	servedUntil, servedFrom time.Time

	ran  []ranAt // the last scheduled runs that ended, the newest first
	goes []onRun // all runs that go on
	// busy is until when shards were in a run that was on at the fire time of a newer run.
	busy map[int]time.Time
	last lastFired
	open openRun
	// quiet is when the registry was first seen to have no running shard although open is on; zero if it wasn't.
	quiet time.Time
	// oldest is the start of the oldest run that was read and failed, if all newer ones failed, too.
	oldest time.Time
	plan   plan
	next   plan // by the registry's records, too

	recorders []recorder
}

// recorder is an instance that recorded a run, which began at that time.
type recorder struct {
	id string
	at time.Time
}

// Writers has the newest run that each instance has recorded, of any job. An instance may serve many jobs, so its
// rows of others show that none of this job is late.
type Writers struct{ at map[string]time.Time }

// Note notes the instances that recorded the runs of a digest.
func (w *Writers) Note(d *Digest) {
	if w.at == nil {
		w.at = make(map[string]time.Time)
	}
	for _, r := range d.recorders {
		if r.at.After(w.at[r.id]) {
			w.at[r.id] = r.at
		}
	}
}

func (w *Writers) newest(id string) (at time.Time) {
	if w != nil {
		at = w.at[id]
	}
	return at
}

// mostRecorders is how many of them a digest has.
const mostRecorders = 8

// record reports whether each of the job's owners has recorded a run since it registered.
func (d *Digest) record(j *statistics.Job) bool {
	for i, id := range j.Owners {
		if !slices.ContainsFunc(d.recorders, func(r recorder) bool { return r.id == id && r.at.After(j.OwnersSince[i]) }) {
			return false
		}
	}
	return len(j.Owners) > 0
}

// noteRecorder notes that an instance recorded a run.
func (d *Digest) noteRecorder(r recorder) {
	known := slices.ContainsFunc(d.recorders, func(other recorder) bool { return other.id == r.id })
	if r.id != "" && !known && len(d.recorders) < mostRecorders {
		d.recorders = append(d.recorders, r)
	}
}

// After returns the digest with the parts of an earlier digest of the job that are still worth
// knowing. Nil changes nothing.
func (d *Digest) After(before *Digest) *Digest {
	if before == nil {
		return d
	}
	after := *d
	after.Fired, after.recorders = before.Fired, slices.Clone(d.recorders)
	for _, r := range before.recorders {
		after.noteRecorder(r)
	}
	if d.open.start.Equal(before.open.start) {
		after.quiet = before.quiet
	}
	if d.AtLeast && before.Bad() && !d.oldest.After(before.EndedStart) { // No run between them succeeded.
		after.FailingSince = before.FailingSince
	}
	return &after
}

// onRun is a run that goes on.
type onRun struct {
	from time.Time // its fire time, or when it began
	took []int     // the shards that take part in it
	// busy are the shards that go on, and the other shards of their instances, which run nothing else until then.
	busy []int
}

// on returns what counts of a run that goes on.
func (r *Run) on() onRun {
	on := onRun{from: r.fire(), took: itemsOf(*r)}
	for _, s := range r.Shards {
		if slices.ContainsFunc(r.Shards, func(other ShardRun) bool { return other.Outcome == Goes && other.Instance == s.Instance }) {
			on.busy = append(on.busy, s.Item)
		}
	}
	return on
}

// openRun is the oldest run that goes on.
type openRun struct {
	start time.Time // zero for none
	items []int     // the shards that go on
	by    []string  // the instances that run them
}

// ranAt is a run, or several that may be one, from its fire time until its end.
type ranAt struct {
	from, until time.Time
	together    bool  // without run ids
	items       []int // the shards that took part in it and in none of the newer ones
}

// lastFired is the newest fire time with a run on record that has ended, and the shards that took part.
type lastFired struct {
	at, until time.Time // zero for none
	items     []int
	busy      map[int]time.Time // until when other shards were in a run that was on then
}

const (
	// recentRuns is how many runs Unstable is about, and unstableFrom from how many of them
	// that failed on.
	recentRuns, unstableFrom = 10, 2
	// ranRuns is how many runs a shard must be absent from, and mostRan how many are kept.
	ranRuns, mostRan = 2, 6
)

// Bad reports whether the last run that ended has a shard that failed or was lost.
func (d *Digest) Bad() bool { return len(d.Failed)+len(d.Lost) > 0 }

// With returns the digest with the fire times of the registry. Nil changes nothing.
func (d *Digest) With(fired *statistics.Fired) *Digest {
	if fired == nil {
		return d
	}
	with := *d
	with.Fired = fired
	return &with
}

// ManyCrashes is how many lost instances in a few minutes are more than an accident.
const ManyCrashes = 3

// WithCrashes returns the digest with Crashes set.
func (d *Digest) WithCrashes(n int, since time.Time) *Digest {
	if d.Crashes == n && d.CrashesSince.Equal(since) {
		return d
	}
	with := *d
	with.Crashes, with.CrashesSince = n, since
	return &with
}

// WithUnserved returns the digest with the last time in which no instance served the job; until is zero while it lasts.
func (d *Digest) WithUnserved(from, until time.Time) *Digest {
	if d.servedUntil.Equal(from) && d.servedFrom.Equal(until) {
		return d
	}
	with := *d
	with.servedUntil, with.servedFrom = from, until
	return &with
}

// unserved reports whether no instance served the job at a time.
func (d *Digest) unserved(at time.Time) bool {
	return !d.servedUntil.IsZero() && at.After(d.servedUntil.Add(tolerance)) && (d.servedFrom.IsZero() || at.Before(d.servedFrom))
}

// Seen returns the digest with the time at which the registry was first seen to have no running shard.
func (d *Digest) Seen(j *statistics.Job, now time.Time) *Digest {
	quiet := time.Time{}
	if unfinished(j, d) {
		if quiet = d.quiet; quiet.IsZero() {
			quiet = now
		}
	}
	if quiet.Equal(d.quiet) {
		return d
	}
	seen := *d
	seen.quiet = quiet
	return &seen
}

// unfinished reports whether a run has no end on record although no shard of the job runs, by the registry.
func unfinished(j *statistics.Job, d *Digest) bool {
	return j.Monitored && j.RunningShards == 0 && d.Running > 0
}

// LastRuns is how many runs Failures is about, at most 10.
func (d *Digest) LastRuns() int { return min(d.Recent, recentRuns) }

// bad are those shards.
func (d *Digest) bad() []int { return slices.Sorted(slices.Values(slices.Concat(d.Failed, d.Lost))) }

// Same reports whether two digests sum up the same runs.
func (d *Digest) Same(as *Digest) bool {
	return d.LastStart.Equal(as.LastStart) && d.Running == as.Running && d.open.start.Equal(as.open.start) && d.Shards == as.Shards && d.Runs == as.Runs && d.EndedAt.Equal(as.EndedAt) &&
		d.Fingerprint == as.Fingerprint && d.Failures == as.Failures && slices.Equal(d.Failed, as.Failed) && slices.Equal(d.Lost, as.Lost) &&
		slices.EqualFunc(d.ran, as.ran, func(a, b ranAt) bool { return a.from.Equal(b.from) && slices.Equal(a.items, b.items) })
}

// DigestOf sums up runs of one job, the newest first. Complete is set if the job has no
// others on record.
func DigestOf(runs []Run, complete bool) Digest {
	d, _ := Glance(runs, complete)
	return d
}

// Glance sums up the newest runs, and reports whether they are enough: the last run that
// ended is complete and succeeded, and so did the ones before it. To know since when a job
// fails takes more runs.
func Glance(runs []Run, complete bool) (d Digest, enough bool) {
	if len(runs) == 0 {
		return d, complete
	}
	d.LastStart = runs[0].Start
	for i := range runs {
		r, open := &runs[i], openRun{start: runs[i].Start}
		for _, s := range r.Shards {
			d.noteRecorder(recorder{s.Instance, r.Start})
			if s.Outcome == Goes {
				open.items, open.by = append(open.items, s.Item), append(open.by, s.Instance)
			}
		}
		if len(open.items) > 0 {
			d.open, d.goes = open, append(d.goes, r.on())
			d.Running += len(open.items)
		}
	}
	d.lastFire(runs)
	oldest := &runs[len(runs)-1]
	ended := slices.DeleteFunc(slices.Clone(runs), func(r Run) bool { return r.goes() || r.cancelled() })
	all := ended
	if !complete && len(ended) > 0 && ended[len(ended)-1].Start.Equal(oldest.Start) {
		all = ended[:len(ended)-1] // The oldest may be cut off.
	}
	d.whoRan(all)
	d.whoWasBusy(ended)
	d.lastFired(all)
	d.results(ended)
	d.oldest = d.FailingSince
	if d.AtLeast = d.Runs > 0 && d.Runs == d.Recent && !complete; d.AtLeast {
		d.FailingSince = time.Time{} // It would move from one reading to the next.
	}
	whole := len(ended) > 1 && !oldest.goes()
	return d, complete || d.Failures == 0 && whole
}

// lastFire finds the newest fire time of a run.
func (d *Digest) lastFire(runs []Run) {
	for i := range runs {
		r := &runs[i]
		if !r.scheduled() {
			continue
		}
		at, exact := cmp.Or(r.ScheduledAt, r.Start), !r.ScheduledAt.IsZero()
		if at.After(d.LastFire) {
			d.LastFire, d.Exact = at, exact
		}
	}
}

// whoRan finds the shards that took part in the last scheduled runs. Without run ids, the
// executions of one fire time may look like several runs, so all of these count.
func (d *Digest) whoRan(ended []Run) {
	seen := make(map[int]bool)
	for i := range ended {
		r := &ended[i]
		if !r.scheduled() {
			continue
		}
		last := slices.IndexFunc(d.ran, func(a ranAt) bool { return a.joins(r) })
		if last < 0 {
			if len(d.ran) >= mostRan && !r.Together {
				continue
			}
			last = len(d.ran)
			d.ran = append(d.ran, ranAt{together: r.Together})
		}
		at := &d.ran[last]
		at.from = r.fire()
		if r.End.After(at.until) {
			at.until = r.End
		}
		for _, s := range r.Shards {
			if !seen[s.Item] {
				seen[s.Item] = true
				at.items = append(at.items, s.Item)
			}
		}
	}
}

// whoWasBusy finds the shards of runs that were on at the fire time of a newer one. Without run ids, fire times
// aren't known.
func (d *Digest) whoWasBusy(ended []Run) {
	for i := range ended {
		r := &ended[i]
		if r.Together || !slices.ContainsFunc(d.ran, func(a ranAt) bool { return !a.together && a.from.After(r.fire()) && a.from.Before(r.End) }) {
			continue
		}
		if d.busy == nil {
			d.busy = make(map[int]time.Time)
		}
		for _, s := range r.Shards {
			if r.End.After(d.busy[s.Item]) {
				d.busy[s.Item] = r.End
			}
		}
	}
}

// lastFired finds the shards that took part in the newest fire time that a run names.
func (d *Digest) lastFired(ended []Run) {
	last := &d.last
	for i := range ended {
		r := &ended[i]
		own := r.Trigger == tracing.TriggerSchedule || r.Trigger == tracing.TriggerMisfire
		if own && r.ScheduledAt.After(last.at) {
			*last = lastFired{at: r.ScheduledAt, busy: make(map[int]time.Time)}
		}
	}
	for i := range ended {
		r := &ended[i]
		slack := tolerance
		if r.Together { // Its start is all that's known.
			slack = grace
		}
		of := !last.at.IsZero() && r.fire().After(last.at.Add(-slack))
		if of && r.End.After(last.until) {
			last.until = r.End
		}
		for _, s := range r.Shards {
			switch {
			case of:
				last.items = append(last.items, s.Item)
			case r.End.After(last.at) && r.End.After(last.busy[s.Item]) && last.busy != nil:
				last.busy[s.Item] = r.End
			}
		}
	}
}

// joins reports whether a run may be of the same fire time.
func (a *ranAt) joins(r *Run) bool {
	return r.Together == a.together && (r.fire().Equal(a.from) || a.together && a.from.Sub(r.fire()) < grace)
}

// lately returns the scheduled runs from which a shard must be absent to be silent, and how many
// fire times they are of: the last two, and all that have no run ids. It returns none if all of
// them have just ended, because their last rows may be on their way.
func (d *Digest) lately(now time.Time) (runs []ranAt, fires int) {
	whole := 0
	var last ranAt
	for _, at := range d.ran {
		same := fires > 0 && last.together != at.together && last.from.Sub(at.from) < grace
		switch {
		case same:
		case whole < ranRuns:
			last = at
			if fires++; fires > ranRuns+1 || !now.Before(at.until.Add(grace)) {
				whole++
			}
		case !at.together:
			continue
		}
		runs = append(runs, at)
	}
	if whole == 0 {
		return nil, 0
	}
	return runs, fires
}

// fire is the fire time of a run, or when it began.
func (r *Run) fire() time.Time { return cmp.Or(r.ScheduledAt, r.Start) }

// results notes how the last runs ended.
func (d *Digest) results(ended []Run) {
	inARow := true
	for i := 0; i < len(ended); {
		o, next := outcomeOf(ended, i)
		bad := len(o.failed)+len(o.lost) > 0
		if i == 0 {
			d.Shards, d.EndedStart, d.EndedAt = o.shards, o.start, ended[0].End
		}
		if i == 0 && bad {
			d.Failed, d.Lost, d.Where = o.failed, o.lost, o.where
			d.Cause = Headline(o.cause)
			d.Fingerprint = Fingerprint(o.cause, len(o.failed) == 0)
		}
		if inARow = inARow && bad; inARow {
			d.Runs++
			d.FailingSince = o.start
		}
		if d.Recent++; bad && d.Recent <= recentRuns {
			d.Failures++
			d.UnstableSince = o.start
		}
		if d.Recent >= recentRuns && !inARow {
			break
		}
		i = next
	}
}

// outcome is how a run ended.
type outcome struct {
	start        time.Time
	shards       int
	failed, lost []int
	cause, where string
}

// outcomeOf returns how the run at a place ended, and the place of the run before it. Java
// records a failover as a run of its own: if a run has only shards that the run before it lost
// or failed, it's taken for a failover of that run, because the rows don't name runs.
func outcomeOf(runs []Run, at int) (o outcome, next int) {
	o, next = outcomeAlone(runs[at]), at+1
	for next < len(runs) && runs[next-1].Together && runs[next].Together && len(runs[next-1].Shards) < len(runs[next].Shards) {
		before := outcomeAlone(runs[next])
		bad := slices.Concat(before.failed, before.lost)
		again := itemsOf(runs[next-1])
		if slices.ContainsFunc(again, func(n int) bool { return !slices.Contains(bad, n) }) {
			break
		}
		keep := func(items []int) []int {
			return slices.DeleteFunc(items, func(n int) bool { return slices.Contains(again, n) })
		}
		o.failed = slices.Sorted(slices.Values(slices.Concat(keep(before.failed), o.failed)))
		o.lost = slices.Sorted(slices.Values(slices.Concat(keep(before.lost), o.lost)))
		o.start, o.shards = before.start, before.shards
		if o.cause == "" {
			o.cause, o.where = before.cause, before.where
		}
		next++
	}
	return o, next
}

func outcomeAlone(r Run) outcome {
	o := outcome{start: r.Start, shards: len(r.Shards), cause: r.Cause}
	for _, s := range r.Shards {
		switch s.Outcome {
		case Failed:
			o.failed = append(o.failed, s.Item)
		case Lost:
			o.lost = append(o.lost, s.Item)
		default:
			continue
		}
		if o.where == "" || s.Item == r.CauseItem {
			o.where = s.IP
		}
	}
	return o
}

func itemsOf(r Run) []int {
	var items []int
	for _, s := range r.Shards {
		items = append(items, s.Item)
	}
	return items
}
