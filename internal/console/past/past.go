package past

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/members"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

const (
	// Around is how far before and after the time what happened is listed. It's also how far
	// the clocks of agents, the console and ZooKeeper may differ.
	Around = 5 * time.Minute
	// Lookback is how far before the time the audit is searched, and MadeUpWithin how far after
	// it the runs that make up for it.
	Lookback     = 30 * 24 * time.Hour
	MadeUpWithin = time.Hour
	// mostAround is how many things that happened are listed.
	mostAround = 60
	// Grace is how late a run of a fire time may begin.
	Grace = 10 * time.Second
	// early is how much too early it may seem to have begun.
	early = 500 * time.Millisecond
	// markedAfter is how much later than its execution a running marker may seem to be made, because clocks differ.
	markedAfter = 2 * time.Second
	// mostLate is how late rows may be stored.
	mostLate = 10 * time.Minute
)

// Verdict is the answer in a word.
type Verdict string

// The verdicts.
const (
	Ran     Verdict = "ran"
	Failed  Verdict = "failed"
	Lost    Verdict = "lost"
	Running Verdict = "running"
	// Cancelled: its run was cancelled, and no shard failed.
	Cancelled Verdict = "cancelled"
	Missed    Verdict = "missed"
	// Partial: some of its shards ran.
	Partial Verdict = "partial"
	// MadeUp: another run made up for it, of a later fire time or a retry.
	MadeUp Verdict = "made_up"
	// NoRecord: no run is on record, but there may have been one.
	NoRecord Verdict = "no_record"
	NotDue   Verdict = "not_due"
	// NotYet: the job, as it is, was made later.
	NotYet  Verdict = "not_yet"
	Unknown Verdict = "unknown"
)

// Input is the evidence.
type Input struct {
	Job statistics.Job
	// Servers are the addresses of the job's servers, Live the ids of the instances that live
	// now, and Unrecorded the ids of instances that may not record their runs.
	Servers, Live, Unrecorded []string
	// Registered is since when each instance in Live is registered.
	Registered map[string]time.Time
	// Behind is how much the clock of an agent is behind.
	Behind time.Duration
	// Shards are the shards as the registry shows them now, with their running markers.
	Shards []statistics.Shard
	// At is the time asked for, Now when it's asked.
	At, Now time.Time
	// Runs are the runs that were on between Around before the time and Until; HasRuns
	// is set if they could be read, HasMore if there are more around the time.
	Runs             []rdb.Run
	Until            time.Time
	HasRuns, HasMore bool
	// Fired has the newest fire times of the shards that agents have recorded in the registry.
	Fired statistics.Fired
	// Obstacles are the findings that held the job up, as far as the console saw them then.
	Obstacles []Obstacle
	// Before and After are whether runs of the job are on record that ended before the time,
	// and began after it: then a run at the time would be on record as well.
	Before, After bool
	// Beyond are the last run that began before the time, the run after that one, and the newest run.
	Beyond []rdb.Run
	// Versions are the saved configurations, if the configuration was written since.
	Versions []settings.ConfigVersion
	// Events are those of the job's instances, the newest first, and they are all there
	// were since EventsSince, but for the Gaps. It's zero if the console doesn't know.
	Events      []members.Event
	EventsSince time.Time
	Gaps        []members.Gap
	// Records are the audit of the job from RecordsSince until now, the newest
	// first; HasRecords says that the reader may see them.
	Records      []settings.Record
	RecordsSince time.Time
	HasRecords   bool
}

// skew is how far the clocks of agents, the console and ZooKeeper may differ.
func (in *Input) skew() time.Duration { return Around + in.Behind }

func (in *Input) minutes() int { return int((in.skew() + time.Minute - 1) / time.Minute) }

// mayBeOfNow reports whether a run that is older than the job's configuration by the clock of an agent that
// is behind may have begun since.
func (in *Input) mayBeOfNow(run *rdb.Run) bool {
	return in.Behind > 0 && in.At.Before(in.Job.Created) && !run.Start.Add(in.skew()).Before(in.Job.Created)
}

// Obstacle is a finding of the registry that held a job up, or the shards in Items.
type Obstacle struct {
	From, Until time.Time // when it was seen first and last
	Sentence    string    // in the reader's language
	Items       []int
	Whole       bool // it's about the whole job
	// NoneDue: no run was due while it applied, so none of its fire times was made up for later.
	NoneDue bool
	// Unrecorded: the job may have run then, and its runs weren't on record.
	Unrecorded bool
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
	// Reasons are the known reasons why it didn't run, Unknown the gaps in the evidence.
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

// Explain explains. A run that names its fire time decides, even if the schedule has no such time.
func Explain(l i18n.Lang, in Input) Past {
	in.Records = slices.DeleteFunc(slices.Clone(in.Records), func(r settings.Record) bool { return !concerns(&in, &r) })
	p := Past{At: in.At, Around: around(in)}
	s := scheduleAt(l, &in)
	in.Runs = slices.SortedFunc(slices.Values(in.Runs), func(a, b rdb.Run) int { return a.Start.Compare(b.Start) })
	var run *rdb.Run
	if s.due {
		run = runOf(in.Runs, s.fire, s.next)
	}
	if run == nil || !run.ScheduledAt.Equal(s.fire) {
		named := runNamed(in.Runs, in.At)
		if named != nil && !s.has(named.ScheduledAt) && (s.unsure == "" || named.ScheduledAt.Equal(in.At)) {
			run, s.fire, s.due, s.unsure = named, named.ScheduledAt, true, ""
		}
	}
	p.Fire = s.fire
	switch {
	case !in.HasRuns:
		p.Verdict, p.Heading = Unknown, l.PastUnreadable(stamp(in.At))
	case run != nil && s.due && !in.mayBeOfNow(run):
		p.of(l, &in, s, run)
	case in.At.Before(in.Job.Created):
		p.beforeCreation(l, &in, run)
	case s.unsure != "":
		p.Verdict, p.Heading, p.Fire = Unknown, l.PastNoRecord(stamp(in.At)), time.Time{}
		stops, _ := stopsAt(l, &in, in.At)
		p.Reasons = append([]string{s.unsure}, words(l, causes(stops, 0, nil, false))...)
		p.Reasons = append(p.Reasons, seen(l, &in, in.At, 0)...)
		near := func(r rdb.Run) bool { return unnamed(r) && r.Start.Sub(in.At).Abs() <= within(in.At) }
		if i := slices.IndexFunc(in.Runs, near); i >= 0 {
			p.Run = &in.Runs[i]
			p.Reasons = append(p.Reasons, l.PastBegan(stamp(p.Run.Start)))
		}
	case s.due && tooEarly(&in, s.fire):
		if p.Verdict = Unknown; s.fire.After(in.Now) {
			p.Verdict = NotDue
		}
		p.Heading = l.PastTooEarly(stamp(s.fire))
	case s.due:
		p.missed(l, &in, s)
	default:
		p.without(l, &in, s)
	}
	p.Unknown = p.unknown(l, &in, s)
	return p
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

// beforeCreation explains a time before the configuration was created. The job may have been removed and made
// again since.
func (p *Past) beforeCreation(l i18n.Lang, in *Input, run *rdb.Run) {
	at, created := stamp(in.At), stamp(in.Job.Created)
	p.Verdict, p.Heading, p.Fire = NotYet, l.PastNotYet(at, created), time.Time{}
	switch removal := removalOf(in); {
	case removal != nil:
		p.Verdict, p.Heading = Unknown, l.PastCreatedAgain(at, created)
		p.Reasons = []string{l.PastRemoved(stamp(removal.At), cmp.Or(removal.User, "–"))}
	case in.ranBeforeCreation():
		p.Verdict, p.Heading = Unknown, l.PastCreatedAgain(at, created)
		p.Reasons = []string{l.PastRanBefore()}
	}
	if run != nil {
		p.Run = run
		p.Reasons = append(p.Reasons, l.PastClockBegan(stamp(run.Start), in.Behind.String()))
	}
}

// ranBeforeCreation reports whether a run is on record that is older than the configuration.
func (in *Input) ranBeforeCreation() bool {
	older := func(at time.Time) bool { return at.Add(in.Behind).Before(in.Job.Created) }
	return in.Before && older(in.At) || slices.ContainsFunc(in.Runs, func(r rdb.Run) bool { return !r.Start.IsZero() && older(r.Start) })
}

// of explains a fire time that has a run.
func (p *Past) of(l i18n.Lang, in *Input, s schedule, run *rdb.Run) {
	p.Run = run
	fire := stamp(s.fire)
	stops, _ := stopsAt(l, in, s.fire)
	if by := triggerNear(in, run.Start, Grace); run.Grouped && by != nil {
		p.Verdict, p.Heading = NoRecord, l.PastNoRecord(fire)
		p.Reasons = append(words(l, stops), l.PastBegan(stamp(run.Start)), by.words(l))
		return
	}
	missing := s.shards - run.Shards
	_, lost := departures(l, in, s.fire)
	lost = append(lost, unwatched(l, in, s.fire)...)
	stops = slices.DeleteFunc(stops, func(a action) bool {
		n, err := strconv.Atoi(a.of)
		return a.kind != onShard || err == nil && ranIn(run, n)
	})
	again, waits := retryOf(in.Runs, run), in.waits(l, s.fire)
	switch {
	case again != nil && goodAfter(in.Runs, run) && run.State == rdb.RunCancelled:
		p.Verdict, p.Heading, p.Run, missing = MadeUp, l.PastCancelledRetried(fire, run.Cancelled, run.Shards, stamp(lastStart(again))), again, 0
	case again != nil && goodAfter(in.Runs, run):
		n := run.Failed + run.Lost
		p.Verdict, p.Heading, p.Run, missing = MadeUp, l.PastRetried(fire, n, run.Shards, stamp(lastStart(again))), again, 0
	case run.State == rdb.RunFailed:
		p.Verdict, p.Heading = Failed, l.PastFailed(fire, run.Failed, run.Shards)
	case run.State == rdb.RunLost:
		p.Verdict, p.Heading = Lost, l.PastLost(fire, run.Lost, run.Shards)
	case run.State == rdb.RunCancelled:
		p.Verdict, p.Heading = Cancelled, l.PastCancelled(fire, run.Cancelled, run.Shards)
	case in.unended(run) && in.Job.Monitored && in.Job.RunningShards > 0:
		p.Verdict, p.Heading = Unknown, l.PastUnendedSince(fire)
	case in.unended(run) && in.Job.Monitored:
		p.Verdict, p.Heading = Unknown, l.PastUnended(fire)
	case run.State == rdb.RunRunning && !in.Job.Monitored:
		p.Verdict, p.Heading = Running, l.PastRunningByHistory(fire)
	case run.State == rdb.RunRunning:
		p.Verdict, p.Heading = Running, l.PastRunning(fire)
	case s.shards == 0 || missing > 0 && (run.Truncated || len(waits) > 0 || editedNear(in) || !in.sureOf(stops, missing, s.fire) && len(gaps(l, in, s.fire))+len(lost)+len(restarted(l, in, s, run)) > 0):
		p.Verdict, p.Heading = Ran, l.PastRanSome(fire, run.Shards)
	case missing > 0:
		p.Verdict, p.Heading = Partial, l.PastPartial(fire, run.Shards, s.shards)
	default:
		p.Verdict, p.Heading = Ran, l.PastRan(fire)
	}
	if again != nil && p.Verdict != MadeUp && !(in.Job.Monitored && in.unended(again)) {
		sentence := l.PastRetriedInVain
		if again.State == rdb.RunRunning {
			sentence = l.PastRetrying
		}
		p.Reasons = append(p.Reasons, sentence(stamp(lastStart(again))))
	}
	if cause := notStarted(run); cause != "" {
		p.Reasons = append(p.Reasons, l.PastNotStarted(stamp(run.Start), cause))
	} else if slices.Contains([]tracing.Trigger{tracing.TriggerMisfire, tracing.TriggerManual, tracing.TriggerAPI}, run.Trigger) {
		p.Reasons = append(p.Reasons, l.PastMadeUp(stamp(run.Start)))
	} else if run.Start.Sub(s.fire) > Grace {
		p.Reasons = append(p.Reasons, l.PastLate(stamp(run.Start)))
	}
	if missing <= 0 {
		return
	}
	reasons := slices.Concat(words(l, stops), in.busyShards(l, s, run), waits)
	unexplained := func(n int) bool {
		return !ranIn(run, n) && !slices.ContainsFunc(stops, func(a action) bool { return a.of == strconv.Itoa(n) })
	}
	for _, o := range in.Obstacles {
		if o.applied(s.fire) && !o.Whole && slices.ContainsFunc(o.Items, unexplained) {
			reasons = append(reasons, l.PastSeen(stamp(o.From), stamp(o.Until), o.Sentence))
		}
	}
	if len(reasons) == 0 {
		reasons = outage(l, in, s.fire)
	}
	switch {
	case len(reasons) > 0:
	case p.Verdict == Partial:
		reasons = []string{l.PastNoReasonShards()}
	default:
		reasons = lost
	}
	p.Reasons = append(p.Reasons, reasons...)
}

// notStarted returns why no handler of a run was called; empty if one was.
func notStarted(run *rdb.Run) (cause string) {
	for _, e := range run.Executions {
		why, not := strings.CutPrefix(e.FailureCause, tracing.CauseNotStarted)
		if !not {
			return ""
		}
		cause = cmp.Or(cause, strings.TrimRight(why, ". "))
	}
	return cause
}

// busyShards names the shards that took no part in a run because an earlier run of them was on.
func (in *Input) busyShards(l i18n.Lang, s schedule, run *rdb.Run) (reasons []string) {
	for n := range s.shards {
		at := slices.IndexFunc(in.Runs, func(r rdb.Run) bool {
			return !ranIn(run, n) && r.ID != run.ID && slices.ContainsFunc(r.Executions, func(e tracing.Execution) bool {
				return e.Item == n && e.StartTime.Before(s.fire) && (e.CompleteTime.After(s.fire) || in.goesOn(&r, e))
			})
		})
		if at >= 0 {
			reasons = append(reasons, l.PastBusyShard(n, stamp(cmp.Or(in.Runs[at].ScheduledAt, in.Runs[at].Start))))
		}
	}
	return reasons
}

// sureOf reports whether so many shards were switched off well before a fire time.
func (in *Input) sureOf(stops []action, shards int, fire time.Time) bool {
	return len(stops) >= shards && !slices.ContainsFunc(stops, func(a action) bool { return fire.Sub(a.record.At) <= in.skew() })
}

// departures are the instances that weren't there at a fire time, as far as they left about then. The
// loss of an instance may be noticed only after the fire time. The rows of a run that it had begun went
// with it.
func departures(l i18n.Lang, in *Input, fire time.Time) (left, lost []string) {
	for _, e := range slices.Backward(in.Events) {
		late := e.At.After(fire)
		if e.Kind != members.Left || e.At.Sub(fire).Abs() > members.Notice || late && e.Exit != members.Lost {
			continue
		}
		since := e.At
		if late {
			if since = joined(in, e); since.After(fire) {
				continue
			}
		}
		back := slices.ContainsFunc(in.Events, func(j members.Event) bool {
			if j.Kind != members.Joined || j.IP() != e.IP() || j.At.After(fire) || j.At.Before(since) {
				return false
			}
			return !late || j.Instance != e.Instance && e.At.Sub(j.At) <= members.Notice && !lostAfter(in, j, fire)
		})
		switch {
		case back:
		case late:
			lost = append(lost, l.PastLossNoticed(e.Instance, stamp(e.At)))
		default:
			left = append(left, l.PastLeft(e.Instance, stamp(e.At)))
		}
	}
	return left, lost
}

// unwatched is the doubt that the loss of an instance that lived at a fire time isn't known; nil if it would be.
func unwatched(l i18n.Lang, in *Input, fire time.Time) []string {
	if in.EventsSince.IsZero() || fire.Before(in.EventsSince) || slices.ContainsFunc(in.Gaps, func(g members.Gap) bool {
		return !g.From.After(fire.Add(members.Notice)) && (g.Until.IsZero() || !g.Until.Before(fire))
	}) {
		return []string{l.PastLossUnknown()}
	}
	return nil
}

// joined is when the instance of an event joined last before it; zero if that isn't known.
func joined(in *Input, e members.Event) (at time.Time) {
	for _, j := range in.Events {
		if j.Kind == members.Joined && j.Instance == e.Instance && !j.At.After(e.At) && j.At.After(at) {
			at = j.At
		}
	}
	return at
}

// lostAfter reports whether an instance was lost about a fire time, which may be noticed only afterwards.
func lostAfter(in *Input, j members.Event, fire time.Time) bool {
	return slices.ContainsFunc(in.Events, func(e members.Event) bool {
		return e.Kind == members.Left && e.Exit == members.Lost && e.Instance == j.Instance && e.At.After(fire) && e.At.Sub(fire) <= members.Notice
	})
}

// noneDue reports whether no run was due at a fire time because the job was switched off or held. Any other fire
// time that passes without a run is made up for together with later ones.
func noneDue(in *Input, stops []action, fire time.Time, shards int) bool {
	return slices.ContainsFunc(stops, func(a action) bool { return a.kind != onInstances }) ||
		slices.ContainsFunc(in.Obstacles, func(o Obstacle) bool { return o.NoneDue && o.holdsAll(fire, shards) })
}

// ranIn reports whether a run has a row of a shard.
func ranIn(run *rdb.Run, item int) bool {
	return slices.ContainsFunc(run.Executions, func(e tracing.Execution) bool { return e.Item == item })
}

// missed explains a fire time without a run. The job didn't run if its other runs are on record.
func (p *Past) missed(l i18n.Lang, in *Input, s schedule) {
	fire := s.fire
	live, known := liveAt(in, fire)
	stops, doubts := stopsAt(l, in, fire)
	stops = causes(stops, s.shards, live, known)
	facts := append(words(l, stops), obstacles(l, in, fire)...)
	if len(facts) == 0 {
		facts = seen(l, in, fire, s.shards)
	}
	if known && len(live) == 0 && !cameOrLeft(in, fire) {
		facts = append(facts, l.PastNobody())
	}
	later := madeUp(in, fire)
	if noneDue(in, stops, fire, s.shards) {
		later = nil
	}
	before := in.runAt(fire.Add(-time.Millisecond))
	if before != nil && !in.unended(before) {
		facts = append(facts, l.PastBusy(stamp(cmp.Or(before.ScheduledAt, before.Start))))
	}
	left, lost := departures(l, in, fire)
	facts = append(facts, left...)
	if len(facts) == 0 {
		lost = append(lost, unwatched(l, in, fire)...)
		// It may have ended later than the console saw it last.
		doubts = append(doubts, seen(l, in, fire.Add(-Grace), s.shards)...)
	}
	open := gaps(l, in, fire)
	if len(facts) == 0 && len(open) == 0 {
		open = restarted(l, in, s, nil)
	}
	if before != nil && in.unended(before) {
		open = append(open, l.PastMayBeBusy(stamp(cmp.Or(before.ScheduledAt, before.Start))))
	}
	if in.mayRunNow(fire) {
		open = append(open, l.PastMayRun())
	}
	open = append(open, in.waits(l, fire)...)
	open = append(open, in.unrecorded(l, fire)...)
	if run := s.stray(in.Runs); run != nil {
		open = append(open, l.PastBegan(stamp(run.Start)))
	}
	if r := backfillOf(in, fire); r != nil {
		open = append(open, l.PastBackfilled(stamp(r.At), cmp.Or(r.User, "–")))
	}
	p.Reasons = slices.Concat(facts, doubts)
	if len(facts) == 0 {
		p.Reasons = append(p.Reasons, outage(l, in, fire)...)
	}
	ready := in.Job.ReadySince
	switch {
	case len(facts) == 0 && fire.Before(ready) && len(live) == 0:
		p.Verdict, p.Heading, p.Reasons = Unknown, l.PastUnserved(stamp(fire)), []string{l.PastReadySince(stamp(ready))}
	case len(open) > 0:
		p.Verdict, p.Heading, p.Reasons = NoRecord, l.PastNoRecord(stamp(fire)), append(p.Reasons, open...)
	case later != nil && later.Failed+later.Lost > 0 && !goodAfter(in.Runs, later):
		p.Verdict, p.Heading, p.Run = Failed, l.PastMadeUpInVain(stamp(fire), stamp(later.Start), later.Failed+later.Lost, later.Shards), later
		p.Reasons = append(p.Reasons, lost...)
	case later != nil:
		p.Verdict, p.Heading, p.Run = MadeUp, l.PastMadeUpBy(stamp(fire), stamp(later.Start)), later
		p.Reasons = append(p.Reasons, lost...)
	case len(lost) > 0:
		p.Verdict, p.Heading, p.Reasons = NoRecord, l.PastNoRecord(stamp(fire)), append(p.Reasons, lost...)
	default:
		p.Verdict, p.Heading = Missed, l.PastMissed(stamp(fire))
		if len(facts) == 0 { // Rows may have been deleted.
			p.Heading = l.PastMissedByRecord(stamp(fire))
		}
		if len(facts) == 0 && fire.Before(ready) {
			p.Reasons = append(p.Reasons, l.PastReadySince(stamp(ready)))
		}
		if len(p.Reasons) == 0 {
			p.Reasons = []string{l.PastNoReason()}
		}
	}
}

// mayRunNow reports whether the running shards that the registry shows may be the run of a fire time: it has
// marked its shards, and waits for a place or a listener before it records anything.
func (in *Input) mayRunNow(fire time.Time) bool {
	return in.Job.Monitored && in.Job.RunningShards > 0 && slices.ContainsFunc(in.Shards, func(s statistics.Shard) bool {
		return s.RunningOn != "" && !s.RunningSince.Before(fire.Add(-markedAfter)) && !in.wentOn(s.Item, s.RunningSince.Add(markedAfter), fire)
	})
}

// unrecorded is the doubt that the runs around a fire time weren't recorded, as the console saw then.
func (in *Input) unrecorded(l i18n.Lang, fire time.Time) (list []string) {
	for _, o := range in.Obstacles {
		if o.Unrecorded && !fire.Before(o.From.Add(-Grace)) && !fire.After(o.Until) {
			return []string{l.PastNotRecorded(stamp(o.From), stamp(o.Until))}
		}
	}
	return nil
}

// wentOn reports whether the record shows that a shard has gone on since a mark or an announcement, which so isn't
// about the run of a fire time: an execution goes on, one began since, or a later fire time ran. A run of an earlier
// fire time may have begun after this one.
func (in *Input) wentOn(item int, since, fire time.Time) bool {
	return slices.ContainsFunc(slices.Concat(in.Runs, in.Beyond), func(r rdb.Run) bool {
		later := r.ScheduledAt.After(fire) || r.ScheduledAt.IsZero() && !r.Start.Before(fire.Add(-early))
		return slices.ContainsFunc(r.Executions, func(e tracing.Execution) bool {
			return e.Item == item && (later || e.Running() || e.StartTime.After(since))
		})
	})
}

// waits are the announcements of agents that have marked shards and wait, since a fire time, for a place or a
// listener. They may wait with the run of that time, of which nothing is on record until a handler is called.
func (in *Input) waits(l i18n.Lang, fire time.Time) (list []string) {
	for _, f := range in.Job.Findings {
		if f.Obstacle != string(jobtree.ObstacleNoPlace) && f.Obstacle != string(jobtree.ObstacleListenerHangs) || f.Since.Before(fire.Add(-early)) {
			continue
		}
		if slices.ContainsFunc(f.Items, func(n int) bool { return !in.wentOn(n, f.Since, fire) }) {
			list = append(list, l.PastMayWait(f.Instance, f.Value))
		}
	}
	return list
}

// without explains a time that is no fire time.
func (p *Past) without(l i18n.Lang, in *Input, s schedule) {
	p.Verdict = NotDue
	switch p.Run = in.runAt(in.At); {
	case p.Run != nil && in.Behind > 0 && p.Run.Start.Add(in.Behind).After(in.At):
		p.Heading = l.PastNotDue(stamp(in.At))
		p.Reasons = append(p.Reasons, l.PastClockBegan(stamp(p.Run.Start), in.Behind.String()))
	case p.Run != nil && in.unended(p.Run) && in.Job.Monitored:
		p.Heading = l.PastNotDue(stamp(in.At))
		p.Reasons = append(p.Reasons, l.PastMayBeBusy(stamp(cmp.Or(p.Run.ScheduledAt, p.Run.Start))))
	case p.Run != nil:
		p.Heading = l.PastOn(stamp(in.At), stamp(cmp.Or(p.Run.ScheduledAt, p.Run.Start)))
	case s.none:
		p.Heading = l.PastNoSchedule(stamp(in.At))
	case s.fire.IsZero():
		p.Heading = l.PastNotDue(stamp(in.At))
	default:
		p.Heading = l.PastNotDueSince(stamp(in.At), stamp(s.fire))
	}
	if s.refused != "" {
		p.Reasons = append(p.Reasons, s.refused)
	}
	if editedNear(in) {
		p.Reasons = append(p.Reasons, l.PastClocks(in.minutes()))
	}
	by := triggerNear(in, in.At, within(in.At))
	if by == nil {
		return
	}
	p.Reasons = append(p.Reasons, by.words(l))
	began := func(r rdb.Run) bool { return r.ScheduledAt.IsZero() && r.Start.Sub(by.record.At).Abs() <= Grace }
	if in.runAt(by.record.At) != nil && !slices.ContainsFunc(in.Runs, began) {
		p.Reasons = append(p.Reasons, l.PastTriggerDropped())
	}
}

// unended reports whether the end of a run isn't on record although no running shard in the registry is known to
// be of this run: it may have ended long ago, because rows may be late.
func (in *Input) unended(run *rdb.Run) bool {
	on := func(e tracing.Execution) bool { return in.goesOn(run, e) }
	return run.State == rdb.RunRunning && !slices.ContainsFunc(run.Executions, on)
}

// goesOn reports whether the registry shows that an execution without an end goes on. A marker that's younger than
// the execution is of a later run, because agents mark a shard before they run it.
func (in *Input) goesOn(run *rdb.Run, e tracing.Execution) bool {
	completed := in.Fired.Shards[e.Item].Completed
	if !e.Running() || in.Job.RunningShards == 0 || !run.ScheduledAt.IsZero() && !completed.Before(run.ScheduledAt) {
		return false
	}
	younger := func(n tracing.Execution) bool { return n.Item == e.Item && n.StartTime.After(e.StartTime) }
	return slices.ContainsFunc(in.Shards, func(s statistics.Shard) bool {
		return s.Item == e.Item && s.RunningOn != "" && !s.Lost && !s.RunningSince.After(e.StartTime.Add(markedAfter))
	}) && !slices.ContainsFunc(slices.Concat(in.Runs, in.Beyond), func(r rdb.Run) bool {
		return slices.ContainsFunc(r.Executions, younger)
	})
}

// gaps are the reasons why a run of a fire time needn't be on record.
func gaps(l i18n.Lang, in *Input, fire time.Time) (list []string) {
	idle := in.idleSince(fire)
	if !idle && (!in.Before || !in.After) {
		list = append(list, l.PastNotCovered())
	}
	if in.HasMore {
		list = append(list, l.PastMoreRuns())
	}
	if !idle && in.Now.Sub(fire) < mostLate {
		list = append(list, l.PastLateRows())
	}
	if in.Behind > 0 && in.Now.Sub(fire) < in.Behind+Grace {
		list = append(list, l.PastBehind(in.Behind.String()))
	}
	for _, id := range in.Unrecorded {
		list = append(list, l.PastUnrecorded(id))
	}
	return list
}

// idleSince reports whether the registry proves that no shard has completed a fire time since.
// Agents record the newest fire time of each shard; Java agents don't.
func (in *Input) idleSince(fire time.Time) bool {
	if !in.Job.Recorded || in.Job.JavaInstances > 0 || in.Job.RunningShards > 0 || in.Job.Shards == 0 || !in.Fired.At.After(fire.Add(Grace)) {
		return false
	}
	for n := range in.Job.Shards {
		record, known := in.Fired.Shards[n]
		if !known || !record.Completed.Before(fire) {
			return false
		}
	}
	return true
}

// obstacles are the reasons that agents have announced since before a fire time.
func obstacles(l i18n.Lang, in *Input, fire time.Time) (list []string) {
	for _, f := range in.Job.Findings {
		if f.Code == statistics.CodeAgentObstacle && f.Effect.HoldsUp() && !f.Since.IsZero() && f.Since.Before(fire) {
			list = append(list, l.PastObstacle(f.Instance, stamp(f.Since), f.Value))
		}
	}
	return list
}

// applied reports whether the obstacle was seen before a fire time and after it. A schedule ends at its last fire
// time, which is still due.
func (o *Obstacle) applied(fire time.Time) bool { return o.From.Before(fire) && !o.Until.Before(fire) }

// holdsAll reports whether the obstacle kept all shards from running at a fire time.
func (o *Obstacle) holdsAll(fire time.Time, shards int) bool {
	return o.applied(fire) && (o.Whole || shards > 0 && len(o.Items) >= shards)
}

// seen are the obstacles of the whole job, or of all its shards, that were seen at a fire time.
func seen(l i18n.Lang, in *Input, fire time.Time, shards int) (list []string) {
	for _, o := range in.Obstacles {
		if o.holdsAll(fire, shards) {
			list = append(list, l.PastSeen(stamp(o.From), stamp(o.Until), o.Sentence))
		}
	}
	return list
}

// causes are the stops that explain why a whole fire time was missed: one shard of several doesn't,
// nor does a stop of instances if one lived afterwards.
func causes(stops []action, shards int, live map[string]bool, known bool) []action {
	off := 0
	for _, a := range stops {
		if a.kind == onShard {
			off++
		}
	}
	return slices.DeleteFunc(stops, func(a action) bool {
		switch a.kind {
		case onShard:
			return shards == 0 || off < shards
		case onInstances:
			for id := range live {
				if known && (a.of == "" || jobtree.InstanceIP(id) == a.of) {
					return true
				}
			}
		}
		return false
	})
}

func words(l i18n.Lang, actions []action) (list []string) {
	for _, a := range actions {
		list = append(list, a.words(l))
	}
	return list
}

// liveAt returns the instances that lived at an instant, if that's known: it takes back each event
// since then.
func liveAt(in *Input, at time.Time) (live map[string]bool, known bool) {
	live = make(map[string]bool)
	if _, blind := in.gapAt(at); in.EventsSince.IsZero() || at.Before(in.EventsSince) || blind {
		return live, false
	}
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
	return live, true
}

// gapAt returns the gap in which instances weren't seen at an instant, or within seconds of it.
func (in *Input) gapAt(at time.Time) (gap members.Gap, blind bool) {
	i := slices.IndexFunc(in.Gaps, func(g members.Gap) bool {
		return !g.From.Add(-Grace).After(at) && (g.Until.IsZero() || !g.Until.Add(Grace).Before(at))
	})
	if i < 0 {
		return gap, false
	}
	return in.Gaps[i], true
}

// outage is the possible reason that ZooKeeper couldn't be reached at a fire time; nil if it could.
func outage(l i18n.Lang, in *Input, fire time.Time) []string {
	switch gap, blind := in.gapAt(fire); {
	case !blind || !gap.Unreachable:
		return nil
	case gap.Until.IsZero():
		return []string{l.PastOutageSince(stamp(gap.From))}
	default:
		return []string{l.PastOutage(stamp(gap.From), stamp(gap.Until))}
	}
}

// cameOrLeft reports whether an instance came or left within minutes of an instant.
func cameOrLeft(in *Input, at time.Time) bool {
	return slices.ContainsFunc(in.Events, func(e members.Event) bool {
		return (e.Kind == members.Joined || e.Kind == members.Left) && e.At.Sub(at).Abs() <= in.skew()
	})
}

// unknown returns the gaps in the evidence.
func (p *Past) unknown(l i18n.Lang, in *Input, s schedule) (list []string) {
	if s.assumed != "" {
		list = append(list, l.PastAgentZone(s.assumed))
	}
	if in.Behind > 0 && p.Run != nil && p.Verdict != NotYet {
		list = append(list, l.PastClockBehind(in.Behind.String()))
	}
	if id := in.stranger(p.Run); id != "" {
		list = append(list, l.PastElsewhere(id))
	}
	switch {
	case in.EventsSince.IsZero():
		list = append(list, l.PastNoEvents())
	case in.At.Before(in.EventsSince):
		list = append(list, l.PastEventsSince(stamp(in.EventsSince)))
	default:
		if gap, blind := in.gapAt(in.At); blind && gap.Until.IsZero() {
			list = append(list, l.PastGapSince(stamp(gap.From)))
		} else if blind {
			list = append(list, l.PastGap(stamp(gap.From), stamp(gap.Until)))
		}
	}
	switch {
	case !in.HasRecords:
		list = append(list, l.PastNoRecords())
	case !in.RecordsSince.IsZero() && (p.Verdict == Missed || p.Verdict == Partial):
		list = append(list, l.PastRecordsSince(stamp(in.RecordsSince)))
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
