package health

import (
	"slices"
	"strconv"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// Digest is what the newest runs of a job tell about it. The zero value is that
// of a job without a run on record.
type Digest struct {
	// LastStart is when the newest run began, Running how many of its shards go on.
	LastStart time.Time
	Running   int
	// Shards is how many shards the last run that ended had, Failed and Lost are
	// those of them whose last attempt failed or was lost.
	Shards       int
	Failed, Lost []int
	// Runs is how many runs in a row ended so, all that were looked at if
	// AtLeast, and FailingSince when the first of them began.
	Runs         int
	AtLeast      bool
	FailingSince time.Time
	// Cause is the failure's first line, which may hold secrets; Fingerprint names
	// what it has in common with others.
	Cause, Fingerprint string
	// EndedAt is when the last run ended, and Where the address it failed at.
	EndedAt time.Time
	Where   string

	plan schedule  // what fire and late were computed for
	fire time.Time // the first fire time after the newest run; zero for none
	late time.Time // when the job is late
}

// Bad reports whether the last run that ended has a shard that failed or was lost.
func (d *Digest) Bad() bool { return len(d.Failed)+len(d.Lost) > 0 }

// Same reports whether two digests tell the same of a job's runs.
func (d *Digest) Same(as *Digest) bool {
	return d.LastStart.Equal(as.LastStart) && d.Running == as.Running && d.Shards == as.Shards && d.Runs == as.Runs && d.EndedAt.Equal(as.EndedAt) &&
		d.Fingerprint == as.Fingerprint && slices.Equal(d.Failed, as.Failed) && slices.Equal(d.Lost, as.Lost)
}

// DigestOf draws the digest from executions of one job, in any order. Complete
// says that they are all there are.
func DigestOf(rows []tracing.Execution, complete bool) Digest {
	d, _ := Glance(rows, complete)
	return d
}

// Glance is DigestOf of the newest executions, and reports whether more would tell
// the same: the last run that ended is there as a whole and did well. How long a job
// has been failing takes more.
func Glance(rows []tracing.Execution, complete bool) (d Digest, enough bool) {
	runs := rdb.GroupRuns(rows) // newest first
	if len(runs) == 0 {
		return d, complete
	}
	d = digestOf(slices.Clone(runs), complete)
	ended, oldest := slices.IndexFunc(runs, func(r rdb.Run) bool { return r.Running == 0 }), len(runs)-1
	return d, complete || !d.Bad() && ended >= 0 && ended < oldest && runs[oldest].Running == 0 // which may be cut off
}

func digestOf(runs []rdb.Run, complete bool) (d Digest) {
	d.LastStart = runs[0].Start
	for _, r := range runs {
		d.Running += r.Running
	}
	ended := slices.DeleteFunc(runs, func(r rdb.Run) bool { return r.Running > 0 })
	for i := 0; i < len(ended); {
		o, next := outcomeOf(ended, i)
		if len(o.failed)+len(o.lost) == 0 {
			if i == 0 {
				d.Shards, d.EndedAt = o.shards, ended[0].End
			}
			return d
		}
		if i == 0 {
			d.Shards, d.Failed, d.Lost, d.EndedAt, d.Where = o.shards, o.failed, o.lost, ended[0].End, o.where
			d.Cause = Headline(o.cause)
			d.Fingerprint = Fingerprint(o.cause, len(o.failed) == 0)
		}
		d.Runs++
		d.FailingSince = o.start
		i = next
	}
	d.AtLeast = d.Runs > 0 && !complete
	return d
}

// outcome is how a run ended.
type outcome struct {
	start        time.Time
	shards       int
	failed, lost []int
	cause, where string
}

// outcomeOf is how the run at a place ended, and the place of the one before it. A
// run of Java's whose shards are but shards that the one before it lost or failed
// is a failover of that one: nobody recorded that they belong together.
func outcomeOf(runs []rdb.Run, at int) (o outcome, next int) {
	o, next = outcomeAlone(runs[at]), at+1
	for next < len(runs) && runs[next-1].Grouped && runs[next].Grouped && runs[next-1].Shards < runs[next].Shards {
		before := outcomeAlone(runs[next])
		bad := slices.Concat(before.failed, before.lost)
		again := itemsOf(runs[next-1])
		if !subset(again, bad) {
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

func outcomeAlone(r rdb.Run) outcome {
	o := outcome{start: r.Start, shards: r.Shards, cause: r.Cause}
	for i, e := range r.Executions { // by shard, attempt and start
		if i+1 < len(r.Executions) && r.Executions[i+1].Item == e.Item {
			continue
		}
		switch rdb.StateOf(e) {
		case rdb.RunFailed:
			o.failed = append(o.failed, e.Item)
		case rdb.RunLost:
			o.lost = append(o.lost, e.Item)
		default:
			continue
		}
		if o.where == "" || e.Item == r.CauseItem {
			o.where = e.IP
		}
	}
	return o
}

func itemsOf(r rdb.Run) []int {
	var items []int
	for _, e := range r.Executions {
		items = append(items, e.Item)
	}
	return items
}

func subset(of, all []int) bool {
	for _, n := range of {
		if !slices.Contains(all, n) {
			return false
		}
	}
	return true
}

// RunsText is how many runs failed: "4 runs", "20+ runs".
func (d *Digest) RunsText(l i18n.Lang) string {
	if d.AtLeast {
		return l.HealthRunsAtLeast(d.Runs)
	}
	if d.Runs == 1 {
		return l.HealthRun()
	}
	return l.HealthRuns(d.Runs)
}

// reason is "4 runs · mail 503": the number of runs, and up to three words.
func (d *Digest) reason(l i18n.Lang) string {
	what := l.HealthLost()
	if len(d.Failed) > 0 {
		what = Short(d.Cause)
	}
	if what == "" {
		return d.RunsText(l)
	}
	return l.HealthWhyFailing(d.RunsText(l), what)
}

// sentence says which shards failed and why.
func (d *Digest) sentence(l i18n.Lang) string {
	failed, lost := l.HealthPartFailed(phrase(l, d.Failed)), l.HealthPartLost(phrase(l, d.Lost), len(d.Lost))
	what := failed
	switch {
	case len(d.Failed) == 0:
		what = lost
	case len(d.Lost) > 0:
		what = l.HealthBoth(failed, lost)
	case len(d.Failed) == 1 && d.Where != "":
		what = l.HealthFailedOn(phrase(l, d.Failed), d.Where)
	}
	text := l.HealthLastRun(what)
	if d.Runs > 1 {
		text = l.HealthLastRuns(d.RunsText(l), what)
	}
	if cause := part(d.Cause); cause != "" {
		return l.HealthBecause(text, cause)
	}
	return l.HealthEnds(text)
}

// phrase names shards: "shard 3", "shards 0, 1, 2 and 5 more".
func phrase(l i18n.Lang, items []int) string {
	const most = 5
	var names []string
	for _, n := range items[:min(most, len(items))] {
		names = append(names, strconv.Itoa(n))
	}
	switch {
	case len(items) == 1:
		return l.HealthShard(names[0])
	case len(items) > most:
		return l.HealthShardsMore(l.List(names), len(items)-most)
	}
	return l.HealthShards(l.List(names))
}

// schedule is what a job's lateness depends on.
type schedule struct {
	cron, zone  string
	rules       quartz.Rules
	ready, last time.Time
}

const (
	// grace is how long after a fire time a run may start at least.
	grace = 10 * time.Second
	// startTolerance is how much earlier than its fire time a run may seem to have
	// started, by clocks that differ.
	startTolerance = time.Second
)

// Planned is the digest that also tells when the job is late; without it the digest is
// that of a job that never is. It is d itself while the schedule is as it was, and
// else another: d does not change, so that many may have it.
func (d *Digest) Planned(j *statistics.Job) *Digest {
	plan := scheduleOf(j, d)
	if plan == d.plan {
		return d
	}
	planned := *d
	planned.follow(plan, j)
	return &planned
}

// follow computes when the job is late by a schedule.
func (d *Digest) follow(plan schedule, j *statistics.Job) {
	d.plan, d.fire, d.late = plan, time.Time{}, time.Time{}
	if j.Cron == "" || plan.ready.IsZero() || plan.last.IsZero() {
		return
	}
	expression, err := plan.rules.Parse(j.Cron)
	if err != nil {
		return
	}
	zone, err := plan.rules.Location(j.TimeZone)
	if err != nil {
		return
	}
	// Without a zone each agent uses its own. It is taken for this process's if the
	// last run began at a fire time by that.
	if j.Zone() == "" {
		at, ok := expression.Next(plan.last.Add(-2*startTolerance), zone)
		if !ok || at.After(plan.last.Add(startTolerance)) {
			return
		}
	}
	after := plan.last.Add(startTolerance)
	if plan.ready.After(after) {
		after = plan.ready.Add(startTolerance)
	}
	fires := expression.NextN(after, zone, 2)
	if len(fires) == 0 {
		return
	}
	wait := grace
	if len(fires) == 2 {
		wait = max(wait, fires[1].Sub(fires[0])/20)
	}
	d.fire, d.late = fires[0], fires[0].Add(wait)
}

func scheduleOf(j *statistics.Job, d *Digest) schedule {
	return schedule{j.Cron, j.TimeZone, quartz.RulesOf(j.Name, j.ScheduleProps()), j.ReadySince, d.LastStart}
}

// passed reports whether the job is late: its fire time has passed without a run. It is
// not if that is not known, or nothing of it is to run, or its schedule is held.
func (d *Digest) passed(j *statistics.Job, now time.Time) bool {
	return !d.late.IsZero() && now.After(d.late) && !j.Held.Schedule() && (j.Shards == 0 || j.DisabledItems < j.Shards) && d.plan == scheduleOf(j, d)
}
