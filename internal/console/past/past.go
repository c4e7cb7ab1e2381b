package past

import (
	"cmp"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/members"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

const (
	// Around is how far before and after the time what happened is listed.
	Around = 5 * time.Minute
	// Lookback is how far before the time the audit is searched.
	Lookback = 30 * 24 * time.Hour
	// mostAround is how many things that happened are listed.
	mostAround = 60
	// Grace is how late a run of a fire time may begin.
	Grace = 10 * time.Second
	// early is how much too early it may seem to have begun, by clocks that differ.
	early = 2 * time.Second
	// mostSteps bounds the fire times that are looked through.
	mostSteps = 5000
)

// Verdict is the answer in a word.
type Verdict string

// The verdicts.
const (
	Ran     Verdict = "ran"
	Failed  Verdict = "failed"
	Lost    Verdict = "lost"
	Running Verdict = "running"
	Missed  Verdict = "missed"
	// Partial: some of its shards ran.
	Partial Verdict = "partial"
	// NoRecord: no run is on record, but there may have been one.
	NoRecord Verdict = "no_record"
	NotDue   Verdict = "not_due"
	// NotYet: the job did not exist then.
	NotYet  Verdict = "not_yet"
	Unknown Verdict = "unknown"
)

// Input is what is known.
type Input struct {
	Job statistics.Job
	// Live are the ids of the instances that live now.
	Live []string
	At   time.Time
	// Runs are those that were on between Around before and after the time; HasRuns
	// says that they could be read.
	Runs    []rdb.Run
	HasRuns bool
	// Before and After are whether runs of the job are on record that ended before the time,
	// and began after it: then a run at the time would be on record as well.
	Before, After bool
	// Events are those of the job's instances, the newest first, and they are all there
	// were since EventsSince; zero: nobody remembers.
	Events      []members.Event
	EventsSince time.Time
	// Records are the audit of the job from Lookback before the time until now, the newest
	// first; HasRecords says that the reader may see them.
	Records    []settings.Record
	HasRecords bool
}

// Past is the explanation.
type Past struct {
	At      time.Time
	Verdict Verdict
	Heading string
	// Fire is the fire time that it is about, zero for none; Run is the run of it, or
	// the run that was on if there was no fire, nil for none.
	Fire time.Time
	Run  *rdb.Run
	// Reasons are why it did not run, as far as is known; Unknown is what is not.
	Reasons, Unknown []string
	Around           []Moment
}

// Moment is something that happened.
type Moment struct {
	At   time.Time
	Kind string // "run", "end", "action" or the kind of a members.Event
	// Run, Event and Record are what it is about; one of them.
	Run    *rdb.Run
	Event  *members.Event
	Record *settings.Record
}

// Explain explains. A run that names its fire time decides, even if today's schedule has no such
// time.
func Explain(l i18n.Lang, in Input) Past {
	p := Past{At: in.At, Around: around(in)}
	fire, due, known := fireOf(in.Job, in.At)
	if run := runNamed(in.Runs, in.At); run != nil {
		fire, due, known = run.ScheduledAt, true, true
	}
	p.Fire = fire
	at := stamp(in.At)
	switch {
	case !in.HasRuns:
		p.Verdict, p.Heading = Unknown, l.PastUnreadable(at)
	case in.At.Before(in.Job.Created) && runOf(in.Runs, fire) == nil && runAt(in.Runs, in.At) == nil:
		p.Verdict, p.Heading, p.Fire = NotYet, l.PastNotYet(at, stamp(in.Job.Created)), time.Time{}
	case due:
		p.of(l, in, fire)
	default:
		p.without(l, in, fire, known)
	}
	p.Unknown = unknown(l, in, known)
	return p
}

// within returns the length of a requested time: a minute, or a second if it has seconds.
func within(at time.Time) time.Duration {
	if at.Second() == 0 {
		return time.Minute
	}
	return time.Second
}

// runNamed returns the run that names a fire time within the requested time.
func runNamed(runs []rdb.Run, at time.Time) *rdb.Run {
	for i, r := range runs {
		if !r.ScheduledAt.IsZero() && !r.ScheduledAt.Before(at) && r.ScheduledAt.Before(at.Add(within(at))) {
			return &runs[i]
		}
	}
	return nil
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

// of says what became of a fire time.
func (p *Past) of(l i18n.Lang, in Input, fire time.Time) {
	if p.Run = runOf(in.Runs, fire); p.Run == nil {
		p.missed(l, in, fire)
		return
	}
	switch p.Run.State {
	case rdb.RunFailed:
		p.Verdict, p.Heading = Failed, l.PastFailed(stamp(fire), p.Run.Failed, p.Run.Shards)
	case rdb.RunLost:
		p.Verdict, p.Heading = Lost, l.PastLost(stamp(fire), p.Run.Lost, p.Run.Shards)
	case rdb.RunRunning:
		p.Verdict, p.Heading = Running, l.PastRunning(stamp(fire))
	default:
		p.Verdict, p.Heading = Ran, l.PastRan(stamp(fire))
	}
	if edited(in.Records, fire) != nil || p.Run.Shards >= in.Job.Shards {
		return // How many shards the job had is not on record, or all of them ran.
	}
	if p.Verdict == Ran {
		p.Verdict, p.Heading = Partial, l.PastPartial(stamp(fire), p.Run.Shards, in.Job.Shards)
	}
	for _, stop := range stopsAt(in.Records, in.Job.Name, fire) {
		if stop.kind == stopShard {
			p.Reasons = append(p.Reasons, stop.words(l))
		}
	}
	if len(p.Reasons) == 0 {
		p.Reasons = []string{l.PastNoReasonShards()}
	}
}

// missed explains a fire time without a run. The job didn't run if an action on record stopped
// it, or if its other runs are on record.
func (p *Past) missed(l i18n.Lang, in Input, fire time.Time) {
	p.Reasons = reasons(l, in, fire)
	switch {
	case len(p.Reasons) > 0:
		p.Verdict, p.Heading = Missed, l.PastMissed(stamp(fire))
	case edited(in.Records, fire) != nil:
		p.Verdict, p.Heading, p.Reasons = Unknown, l.PastNoRecord(stamp(fire)), []string{l.PastEditedSince()}
	case fire.Before(in.Job.ReadySince):
		p.Verdict, p.Heading, p.Reasons = Unknown, l.PastUnserved(stamp(fire)), []string{l.PastReadySince(stamp(in.Job.ReadySince))}
	case !in.Before || !in.After:
		p.Verdict, p.Heading, p.Reasons = NoRecord, l.PastNoRecord(stamp(fire)), []string{l.PastNotCovered()}
	default:
		p.Verdict, p.Heading, p.Reasons = Missed, l.PastMissed(stamp(fire)), []string{l.PastNoReason()}
	}
}

// without says what was on at a time that is no fire time.
func (p *Past) without(l i18n.Lang, in Input, fire time.Time, known bool) {
	p.Verdict = NotDue
	switch p.Run = runAt(in.Runs, in.At); {
	case p.Run != nil:
		p.Heading = l.PastOn(stamp(in.At), stamp(cmp.Or(p.Run.ScheduledAt, p.Run.Start)))
	case in.Job.Cron == "":
		p.Heading = l.PastNoSchedule(stamp(in.At))
	case !known:
		p.Verdict, p.Heading = Unknown, l.PastNoCron(stamp(in.At))
	case edited(in.Records, in.At) != nil:
		p.Verdict, p.Heading, p.Reasons = Unknown, l.PastNoRecord(stamp(in.At)), []string{l.PastEditedSince()}
	case fire.IsZero():
		p.Heading = l.PastNotDue(stamp(in.At))
	default:
		p.Heading = l.PastNotDueSince(stamp(in.At), stamp(fire))
	}
}

// fireOf is the fire time that an instant is about: one within its minute, or within
// its second if it names one; else the last one before, of which due is false. Known
// says that the schedule can be read.
func fireOf(j statistics.Job, at time.Time) (fire time.Time, due, known bool) {
	rules := quartz.RulesOf(j.Name, j.ScheduleProps())
	expr, err := rules.Parse(j.Cron)
	if err != nil {
		return fire, false, false
	}
	zone, err := rules.Location(j.TimeZone)
	if err != nil {
		return fire, false, false
	}
	if next, ok := expr.Next(at.Add(-time.Nanosecond), zone); ok && next.Before(at.Add(within(at))) {
		return next, true, true
	}
	for _, back := range []time.Duration{time.Minute, time.Hour, 24 * time.Hour, 32 * 24 * time.Hour, 367 * 24 * time.Hour} {
		last, from := time.Time{}, at.Add(-back)
		for range mostSteps {
			next, ok := expr.Next(from, zone)
			if !ok || next.After(at) {
				break
			}
			last, from = next, next
		}
		if !last.IsZero() {
			return last, false, true
		}
	}
	return fire, false, true
}

// runOf is the run of a fire time: the one that says so, else the one that began then.
func runOf(runs []rdb.Run, fire time.Time) *rdb.Run {
	for i, r := range runs {
		if r.ScheduledAt.Equal(fire) {
			return &runs[i]
		}
	}
	for i, r := range runs {
		if late := r.Start.Sub(fire); r.ScheduledAt.IsZero() && late >= -early && late <= Grace {
			return &runs[i]
		}
	}
	return nil
}

// runAt is a run that was on at an instant.
func runAt(runs []rdb.Run, at time.Time) *rdb.Run {
	for i, r := range runs {
		if !r.Start.After(at) && (r.State == rdb.RunRunning || !r.End.Before(at)) {
			return &runs[i]
		}
	}
	return nil
}

// reasons are why a fire time had no run, as far as it is on record.
func reasons(l i18n.Lang, in Input, fire time.Time) (list []string) {
	live, ok := liveAt(in, fire)
	for _, stop := range stopsAt(in.Records, in.Job.Name, fire) {
		if stop.kind != stopShard && (stop.kind != stopEnd || !ok || live == 0) {
			list = append(list, stop.words(l))
		}
	}
	if ok && live == 0 {
		list = append(list, l.PastNobody())
	}
	if before := runAt(in.Runs, fire.Add(-time.Millisecond)); before != nil {
		list = append(list, l.PastBusy(stamp(cmp.Or(before.ScheduledAt, before.Start))))
	}
	for _, e := range slices.Backward(in.Events) {
		if e.Kind == members.Left && e.At.Sub(fire).Abs() <= time.Minute {
			list = append(list, l.PastLeft(e.Instance, stamp(e.At)))
		}
	}
	return list
}

// liveAt is how many instances lived at an instant, if that is known: those that live
// now, and what came and left since.
func liveAt(in Input, at time.Time) (n int, ok bool) {
	if in.EventsSince.IsZero() || at.Before(in.EventsSince) {
		return 0, false
	}
	live := make(map[string]bool)
	for _, id := range in.Live {
		live[id] = true
	}
	for _, e := range in.Events { // the newest first: taken back one by one
		if !e.At.After(at) {
			break
		}
		switch e.Kind {
		case members.Joined:
			delete(live, e.Instance)
		case members.Left:
			live[e.Instance] = true
		}
	}
	return len(live), true
}

// unknown is what is not on record.
func unknown(l i18n.Lang, in Input, known bool) (list []string) {
	if known {
		list = append(list, l.PastScheduleNow())
	}
	if r := edited(in.Records, in.At); r != nil {
		list = append(list, l.PastScheduleChanged(stamp(r.At), cmp.Or(r.User, "–")))
	}
	switch {
	case in.EventsSince.IsZero():
		list = append(list, l.PastNoEvents())
	case in.At.Before(in.EventsSince):
		list = append(list, l.PastEventsSince(stamp(in.EventsSince)))
	}
	if !in.HasRecords {
		list = append(list, l.PastNoRecords())
	}
	if slices.ContainsFunc(in.Runs, func(r rdb.Run) bool { return r.Grouped }) {
		list = append(list, l.PastGrouped())
	}
	return list
}

// around is what happened about then, oldest first.
func around(in Input) (list []Moment) {
	near := func(t time.Time) bool { return !t.IsZero() && t.Sub(in.At).Abs() <= Around }
	for i := range in.Runs {
		r := &in.Runs[i]
		if near(r.Start) {
			list = append(list, Moment{At: r.Start, Kind: "run", Run: r})
		}
		if near(r.End) {
			list = append(list, Moment{At: r.End, Kind: "end", Run: r})
		}
	}
	for i := range in.Events {
		if near(in.Events[i].At) {
			list = append(list, Moment{At: in.Events[i].At, Kind: string(in.Events[i].Kind), Event: &in.Events[i]})
		}
	}
	for i := range in.Records {
		if near(in.Records[i].At) {
			list = append(list, Moment{At: in.Records[i].At, Kind: "action", Record: &in.Records[i]})
		}
	}
	// Of too many the nearest stay.
	slices.SortStableFunc(list, func(a, b Moment) int { return cmp.Compare(a.At.Sub(in.At).Abs(), b.At.Sub(in.At).Abs()) })
	list = list[:min(len(list), mostAround)]
	slices.SortStableFunc(list, func(a, b Moment) int { return a.At.Compare(b.At) })
	return list
}
