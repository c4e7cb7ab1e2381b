package explain

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/lazymap"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// Outcome is the result of the last attempt at a shard.
type Outcome string

const (
	Goes      Outcome = "running"
	Succeeded Outcome = "success"
	Failed    Outcome = "failed"
	Lost      Outcome = "lost"      // its instance was lost, and no other attempt succeeded
	Cancelled Outcome = "cancelled" // its run was cancelled, which is neither a failure nor a success
)

// Run is a run of a job from its history.
type Run struct {
	// ScheduledAt is the fire time; zero if the run has none or none was recorded.
	ScheduledAt time.Time
	// Start is when the first shard started, and End when the last shard ended; End is zero while a
	// shard runs.
	Start, End time.Time
	// Trigger is the reason for the run; empty if it wasn't recorded, as by Java agents.
	Trigger tracing.Trigger
	// Together is set if the executions have no run id. They count as one run because they started
	// in the same second.
	Together bool
	// Unfinished is set for a requested run that isn't over. Its lost shards run again.
	Unfinished bool
	// Shards are the shards that took part, in ascending order.
	Shards []ShardRun
	// Cause is the text of the first failure that no later attempt repaired, and CauseItem is its
	// shard.
	Cause     string
	CauseItem int
}

// ShardRun is a shard's part in a run.
type ShardRun struct {
	Item    int
	Outcome Outcome
	// IP and Instance belong to the last attempt. If a job has no fire records in the registry, it
	// can only be late if rows with its owners' ids show that they record their runs.
	IP, Instance string
}

// goes reports whether a shard still runs.
func (r *Run) goes() bool {
	return slices.ContainsFunc(r.Shards, func(s ShardRun) bool { return s.Outcome == Goes })
}

// goesOn reports whether a requested run isn't over and none of its shards has failed.
func (r *Run) goesOn() bool {
	return r.Unfinished && !slices.ContainsFunc(r.Shards, func(s ShardRun) bool { return s.Outcome == Failed })
}

// cancelled reports whether all of the run was cancelled.
func (r *Run) cancelled() bool {
	return len(r.Shards) > 0 && !slices.ContainsFunc(r.Shards, func(s ShardRun) bool { return s.Outcome != Cancelled })
}

// scheduled reports whether the run may have a fire time. Without a trigger we can't know, so it
// returns true.
func (r *Run) scheduled() bool {
	return !r.ScheduledAt.IsZero() || r.Trigger == "" || r.Trigger == tracing.TriggerSchedule || r.Trigger == tracing.TriggerMisfire
}

// Digest sums up the newest runs of a job in little memory. The zero value is for a job without
// recorded runs. A digest is immutable.
type Digest struct {
	// LastStart is the start of the newest run. Running is the number of shards that run now.
	LastStart time.Time
	Running   int
	// LastFire is the newest fire time of a run. If no fire time was recorded, it's the start of
	// the newest run, and Exact is false.
	LastFire time.Time
	Exact    bool
	// Shards is the number of shards in the last run that ended. Failed and Lost are its shards by
	// the result of their last attempt.
	Shards       int
	Failed, Lost []int
	// Runs is the number of failed runs in a row, up to the last one. AtLeast is set if there may
	// be more. FailingSince is the start of the first of them; zero if unknown.
	Runs         int
	AtLeast      bool
	FailingSince time.Time
	// Recent is the number of runs that were looked at, and Failures the number of failures among
	// the last 10 of them. UnstableSince is the start of the first failure.
	Failures, Recent int
	UnstableSince    time.Time
	// Cause is the first line of the failure, and may contain secrets. Failures with the same text
	// have the same Fingerprint.
	Cause, Fingerprint string
	// EndedStart and EndedAt are the start and end of the last run that ended. Where is the address
	// at which it failed.
	EndedStart, EndedAt time.Time
	endedFire           time.Time // its fire time; zero if none was recorded
	Where               string
	// Fired has the fire times recorded in the registry; nil if they weren't read. firedRunning is set
	// if they were read during a run: agents record its fire time only at its end.
	Fired        *statistics.Fired
	firedRunning bool

	// Crashes is how many times the job lost an instance in the last minutes, and CrashesSince is
	// the time of the first loss. An instance may come back and be lost again, so there may be
	// fewer instances than losses. From [ManyCrashes] on, the job is Unstable.
	Crashes      int
	CrashesSince time.Time

	// No instance served the job from servedUntil to servedFrom. servedFrom is zero if that's still
	// so. Both are zero if no such time is known.
	servedUntil, servedFrom time.Time

	// off has the shards that were seen disabled; the time is when they were seen enabled again, or zero.
	off map[int]time.Time

	ran  []ranAt // the last scheduled runs that ended, the newest first
	goes []onRun // all runs that are still on
	// busy maps a shard to the end of a run that was still on at the fire time of a newer run.
	busy map[int]time.Time
	last lastFired
	open openRun
	// quiet is when we first saw no running shard in the registry while open was still on; zero if
	// we didn't.
	quiet time.Time
	// missing maps a shard that took no part in the newest scheduled run to the first fire time without it.
	missing map[int]time.Time
	// oldest is the start of the oldest failed run that was read, if all newer runs failed, too.
	oldest time.Time
	plan   plan
	next   *plan // also uses the registry's records; nil if it's like plan

	recorders []recorder
}

// recorder is an instance that recorded a run. at is the start of that run.
type recorder struct {
	id string
	at time.Time
}

// Writers has the newest run that each instance has recorded, of any job. An instance may serve
// many jobs. If it has written newer rows of other jobs, its rows of this job can't be late either.
type Writers struct{ at map[string]time.Time }

// Note adds the instances that recorded the digest's runs.
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

func (d *Digest) noteRecorder(r recorder) {
	known := slices.ContainsFunc(d.recorders, func(other recorder) bool { return other.id == r.id })
	if r.id != "" && !known && len(d.recorders) < mostRecorders {
		d.recorders = append(d.recorders, r)
	}
}

// After returns the digest with the facts from an earlier digest that still apply. before may be
// nil.
func (d *Digest) After(before *Digest) *Digest {
	if before == nil {
		return d
	}
	after := *d
	after.Fired, after.firedRunning, after.recorders = before.Fired, before.firedRunning, slices.Clone(d.recorders)
	for _, r := range before.recorders {
		after.noteRecorder(r)
	}
	if d.open.start.Equal(before.open.start) {
		after.quiet = before.quiet
	}
	if d.AtLeast && before.Bad() && !d.oldest.After(before.EndedStart) { // All runs between the two failed.
		after.FailingSince = before.FailingSince
	}
	after.noteMissing(before)
	return &after
}

// noteMissing finds since when shards have been missing. If they are in none of the runs that were read, an
// earlier digest may know.
func (d *Digest) noteMissing(before *Digest) {
	d.missing = nil
	shards := slices.Collect(maps.Keys(before.missing))
	for _, ran := range [][]ranAt{d.ran, before.ran} {
		for _, at := range ran {
			shards = append(shards, at.items...)
		}
	}
	for _, n := range shards {
		if _, known := d.missing[n]; known || len(d.ran) == 0 {
			continue
		}
		with := slices.IndexFunc(d.ran, func(at ranAt) bool { return slices.Contains(at.items, n) })
		switch first, known := before.missing[n]; {
		case with == 0:
		case with > 0:
			lazymap.Put(&d.missing, n, d.ran[with-1].from)
		case known:
			lazymap.Put(&d.missing, n, first)
		default:
			lazymap.Put(&d.missing, n, d.ran[len(d.ran)-1].from)
		}
	}
}

// onRun is a run that's still on.
type onRun struct {
	from time.Time // the fire time, or else the start
	took []int     // the shards that take part in it
	// busy are the shards that still run, and the other shards of their instances. An instance runs
	// nothing else of the job until they end.
	busy []int
}

func (r *Run) on() onRun {
	on := onRun{from: r.fire(), took: itemsOf(*r)}
	for _, s := range r.Shards {
		if slices.ContainsFunc(r.Shards, func(other ShardRun) bool { return other.Outcome == Goes && other.Instance == s.Instance }) {
			on.busy = append(on.busy, s.Item)
		}
	}
	return on
}

// openRun is the oldest run that's still on.
type openRun struct {
	start time.Time // zero if there's no such run
	items []int     // the shards that still run
	by    []string  // the instances that run them
	ended int       // the number of its shards that have ended
}

// ranAt is a run that ended, from its fire time to its end. Without run ids it may be several runs.
type ranAt struct {
	from, until time.Time
	together    bool  // the executions have no run ids
	items       []int // the shards that took part in it, except those in a newer run
}

// lastFired is the newest fire time that has a recorded run. The run has ended.
type lastFired struct {
	at, until time.Time // at is zero if there's no such run
	items     []int
	busy      map[int]time.Time // the end of the run that a missing shard was busy with at that time
}

const (
	// A job is Unstable if unstableFrom of the last recentRuns runs failed.
	recentRuns, unstableFrom = 10, 2
	// A shard is silent if it's missing in the last ranRuns fire times. We keep mostRan runs to
	// find out.
	ranRuns, mostRan = 2, 6
)

// Bad reports whether a shard of the last run that ended failed or was lost.
func (d *Digest) Bad() bool { return len(d.Failed)+len(d.Lost) > 0 }

// With returns the digest with Fired set; running is set if the job was running when that was read. fired
// may be nil.
func (d *Digest) With(fired *statistics.Fired, running bool) *Digest {
	if fired == nil {
		return d
	}
	with := *d
	with.Fired, with.firedRunning = fired, running
	return &with
}

// ManyCrashes is the number of losses of instances within a few minutes that makes a job Unstable.
const ManyCrashes = 3

// WithCrashes returns the digest with Crashes and CrashesSince set.
func (d *Digest) WithCrashes(n int, since time.Time) *Digest {
	if d.Crashes == n && d.CrashesSince.Equal(since) {
		return d
	}
	with := *d
	with.Crashes, with.CrashesSince = n, since
	return &with
}

// WithUnserved returns the digest with the last period in which no instance served the job. until
// is zero if that's still so.
func (d *Digest) WithUnserved(from, until time.Time) *Digest {
	if d.servedUntil.Equal(from) && d.servedFrom.Equal(until) {
		return d
	}
	with := *d
	with.servedUntil, with.servedFrom = from, until
	return &with
}

// WithOff returns the digest with the shards that were seen disabled. The time of a shard is when it was
// seen enabled again; zero if it wasn't. The map must not be changed afterwards.
func (d *Digest) WithOff(off map[int]time.Time) *Digest {
	if maps.Equal(d.off, off) {
		return d
	}
	with := *d
	with.off = off
	return &with
}

// wasOff reports whether a shard was seen disabled at a time or later.
func (d *Digest) wasOff(n int, at time.Time) bool {
	until, off := d.off[n]
	return off && (until.IsZero() || !until.Before(at))
}

// unserved reports whether we know that no instance served the job at the time.
func (d *Digest) unserved(at time.Time) bool {
	return !d.servedUntil.IsZero() && at.After(d.servedUntil.Add(tolerance)) && (d.servedFrom.IsZero() || at.Before(d.servedFrom))
}

// Seen returns the digest with quiet updated to the registry's state at the time now.
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

// unfinished reports whether a run is still on by the history, but no shard of the job runs in the
// registry.
func unfinished(j *statistics.Job, d *Digest) bool {
	return j.Monitored && j.RunningShards == 0 && d.Running > 0
}

// LastRuns returns the number of runs that Failures refers to, at most 10.
func (d *Digest) LastRuns() int { return min(d.Recent, recentRuns) }

func (d *Digest) bad() []int { return slices.Sorted(slices.Values(slices.Concat(d.Failed, d.Lost))) }

// Same reports whether two digests sum up the same runs.
func (d *Digest) Same(as *Digest) bool {
	return d.LastStart.Equal(as.LastStart) && d.Running == as.Running && d.open.start.Equal(as.open.start) && d.open.ended == as.open.ended && d.Shards == as.Shards && d.Runs == as.Runs && d.EndedAt.Equal(as.EndedAt) &&
		d.Fingerprint == as.Fingerprint && d.Failures == as.Failures && slices.Equal(d.Failed, as.Failed) && slices.Equal(d.Lost, as.Lost) &&
		slices.EqualFunc(d.ran, as.ran, func(a, b ranAt) bool { return a.from.Equal(b.from) && slices.Equal(a.items, b.items) })
}

// DigestOf sums up runs of a job, the newest first. complete must be set if the job has no other
// recorded runs.
func DigestOf(runs []Run, complete bool) Digest {
	d, _ := Glance(runs, complete)
	return d
}

// Glance is like DigestOf. enough is false if more runs should be read: the last run that ended may
// be incomplete, or one of the runs failed. Finding the start of a series of failures takes more
// runs.
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
			} else {
				open.ended++
			}
		}
		if len(open.items) > 0 {
			d.open, d.goes = open, append(d.goes, r.on())
			d.Running += len(open.items)
		}
	}
	d.lastFire(runs)
	oldest := &runs[len(runs)-1]
	ended := slices.DeleteFunc(slices.Clone(runs), func(r Run) bool { return r.goes() || r.goesOn() || r.cancelled() })
	all := ended
	if !complete && len(ended) > 0 && ended[len(ended)-1].Start.Equal(oldest.Start) {
		all = ended[:len(ended)-1] // The oldest run may be incomplete.
	}
	d.whoRan(all)
	d.whoWasBusy(ended)
	d.lastFired(all)
	d.results(ended)
	d.oldest = d.FailingSince
	if d.AtLeast = d.Runs > 0 && d.Runs == d.Recent && !complete; d.AtLeast {
		d.FailingSince = time.Time{} // It would change from one read to the next.
	}
	whole := len(ended) > 1 && !oldest.goes()
	return d, complete || d.Failures == 0 && whole
}

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
// executions of one fire time may look like several runs, so we keep all of these.
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

// whoWasBusy finds the shards of runs that were on at the fire time of a newer run. It skips runs
// without ids, because we don't know their fire times.
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

// lastFired finds the shards that took part at the newest recorded fire time.
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
		if r.Together { // We only know its start.
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

// joins reports whether a run may have the same fire time.
func (a *ranAt) joins(r *Run) bool {
	return r.Together == a.together && (r.fire().Equal(a.from) || a.together && a.from.Sub(r.fire()) < grace)
}

// lately returns the scheduled runs in which a silent shard must be missing: the last two fire
// times, and all runs without ids. It returns nothing if all of them have just ended, because their
// last rows may not be stored yet.
func (d *Digest) lately(now time.Time) (runs []ranAt) {
	whole, fires := 0, 0
	var last ranAt
	for _, at := range d.ran {
		same := fires > 0 && last.together != at.together && last.from.Sub(at.from) < grace
		switch {
		case same, at.from.After(now): // A clock is ahead, so the other shards can't have run yet.
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
		return nil
	}
	return runs
}

// fire returns the run's fire time, or else its start.
func (r *Run) fire() time.Time { return cmp.Or(r.ScheduledAt, r.Start) }

func (d *Digest) results(ended []Run) {
	inARow := true
	for i := 0; i < len(ended); {
		o, next := outcomeOf(ended, i)
		bad := len(o.failed)+len(o.lost) > 0
		if i == 0 {
			d.Shards, d.EndedStart, d.EndedAt, d.endedFire = o.shards, o.start, ended[0].End, ended[0].ScheduledAt
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

type outcome struct {
	start        time.Time
	shards       int
	failed, lost []int
	cause, where string
}

// outcomeOf returns the result of the run at index at, and the index of the run before it. Java
// agents record a failover as a separate run, and their rows have no run ids. So if a run has only
// shards that failed or were lost in the run before, we treat it as that run's failover.
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
