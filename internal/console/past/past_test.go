package past_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/members"
	"github.com/elasticjob-go/elasticjob/internal/console/past"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

var noon = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

// The instances of the situations.
const first, second, third = "10.0.0.1@-@7", "10.0.0.2@-@9", "10.0.0.2@-@10"

// fact adds one piece of evidence. Times are relative to noon.
type fact func(*past.Input)

// rows are the executions of a run, one per letter of outcomes: its shard succeeded (+), failed (-),
// was lost (!) or cancelled (x), still runs (~), or has no row (.).
func rows(outcomes string, start time.Duration, with func(*tracing.Execution)) fact {
	return func(in *past.Input) {
		var list []tracing.Execution
		for _, r := range in.Runs {
			list = append(list, r.Executions...)
		}
		for item, outcome := range outcomes {
			e := tracing.Execution{ID: fmt.Sprint(len(list), item), JobName: "mail", Item: item, IP: "10.0.0.1", TaskID: taskOf(first), StartTime: noon.Add(start)}
			switch outcome {
			case '.':
				continue
			case '+':
				e.Success, e.CompleteTime = true, e.StartTime.Add(time.Second)
			case '-':
				e.FailureCause, e.CompleteTime = "refused", e.StartTime.Add(time.Second)
			case 'x':
				e.FailureCause, e.CompleteTime = tracing.CauseCancelled+": EOF", e.StartTime.Add(time.Second)
			case '!':
				e.Lost = true
			}
			with(&e)
			list = append(list, e)
		}
		in.Runs = rdb.GroupRuns(list)
	}
}

func taskOf(instance string) string { return "mail@-@0,1,2,3@-@READY@-@" + instance }

// beyond are a run long before noon and a run long after it.
func beyond(of string) (runs []rdb.Run) {
	for _, start := range []time.Duration{-20 * time.Hour, 80 * time.Minute} {
		var in past.Input
		rows("++++++", start, func(e *tracing.Execution) { e.RunID, e.TaskID = fmt.Sprint(start), taskOf(of) })(&in)
		runs = append(runs, in.Runs...)
	}
	return runs
}

// ran is a scheduled run of one of our agents, which began a moment after its fire time.
func ran(outcomes string, fire time.Duration) fact {
	return made(tracing.TriggerSchedule, outcomes, fire, fire+200*time.Millisecond)
}

// made is a run for a fire time that began at another time.
func made(by tracing.Trigger, outcomes string, fire, start time.Duration) fact {
	return rows(outcomes, start, func(e *tracing.Execution) {
		e.RunID, e.Trigger, e.ScheduledAt = fmt.Sprint(by, fire), by, noon.Add(fire)
		if by == tracing.TriggerSchedule {
			e.RunID = fmt.Sprint("fire", fire)
		}
	})
}

// retried is an attempt of the retry of noon's run, which is a run of its own.
func retried(outcomes string, start time.Duration) fact {
	return rows(outcomes, start, func(e *tracing.Execution) {
		e.RunID, e.Trigger, e.ScheduledAt, e.Attempt = "retry", tracing.TriggerRetry, noon, 2+int(start/(20*time.Second))
	})
}

// requested is a run without a fire time.
func requested(by tracing.Trigger, outcomes string, start, took time.Duration) fact {
	return rows(outcomes, start, func(e *tracing.Execution) {
		e.RunID, e.Trigger, e.CompleteTime = fmt.Sprint(by, start), by, e.StartTime.Add(took)
	})
}

// java is a run of Java's agents. Its rows name neither the run nor the fire time.
func java(outcomes string, start time.Duration, source tracing.Source) fact {
	return rows(outcomes, start, func(e *tracing.Execution) { e.Source = source })
}

// took prolongs the run that began last.
func took(d time.Duration) fact {
	return func(in *past.Input) {
		in.Runs[0].End = in.Runs[0].Start.Add(d)
		for i := range in.Runs[0].Executions {
			in.Runs[0].Executions[i].CompleteTime = in.Runs[0].End
		}
	}
}

// did is an action on the job in the audit; more replaces the target and the detail.
func did(at time.Duration, action string, more ...string) fact {
	r := settings.Record{At: noon.Add(at), User: "ann", Action: action, Target: "mail", Outcome: "done"}
	for i, field := range []*string{&r.Target, &r.Detail, &r.Outcome} {
		if i < len(more) && more[i] != "" {
			*field = more[i]
		}
	}
	return func(in *past.Input) { in.Records = append([]settings.Record{r}, in.Records...) }
}

// noted is an obstacle of the whole job, or of shards, that the console saw.
func noted(from, until time.Duration, sentence string, items ...int) fact {
	return func(in *past.Input) {
		in.Obstacles = append(in.Obstacles, past.Obstacle{From: noon.Add(from), Until: noon.Add(until), Sentence: sentence, Items: items, Whole: items == nil})
	}
}

// noneDue marks the obstacle that was noted last as one during which no run is due.
func noneDue(in *past.Input) { in.Obstacles[len(in.Obstacles)-1].NoneDue = true }

// unwatched is a console that remembers no instances.
func unwatched(in *past.Input) { in.EventsSince = time.Time{} }

// saw is an instance that came or left.
func saw(at time.Duration, kind members.Kind, id string, exit ...members.Exit) fact {
	e := members.Event{At: noon.Add(at), Kind: kind, Job: "mail", Instance: id}
	if len(exit) > 0 {
		e.Exit = exit[0]
	}
	return func(in *past.Input) { in.Events = append([]members.Event{e}, in.Events...) }
}

// saved is a version of the configuration that a user saved here; kept is a version that was there
// before, from an unknown time on.
func saved(at time.Duration, version int, cron string, shards int) fact {
	return func(in *past.Input) {
		in.Versions = append(in.Versions, settings.ConfigVersion{At: noon.Add(at), User: "ann", Revision: fmt.Sprintf("%d-a1", version),
			Document: fmt.Sprintf("jobName: mail\ncron: %s\ntimeZone: GMT+0\nshardingTotalCount: %d\n", cron, shards)})
	}
}

func kept(version int, cron string, shards int) fact {
	return func(in *past.Input) {
		saved(hour, version, cron, shards)(in)
		in.Versions[len(in.Versions)-1].User = ""
	}
}

// registered is since when the first instance is registered, and the runs that lie further away are by an instance.
func registered(since time.Duration, of string) fact {
	return func(in *past.Input) {
		in.Registered = map[string]time.Time{first: noon.Add(since)}
		in.Beyond = beyond(of)
	}
}

func at(d time.Duration) fact { return func(in *past.Input) { in.At = noon.Add(d) } }

// asked is a question that is asked so soon that no later runs are on record.
func asked(d time.Duration) fact {
	return func(in *past.Input) { in.Now, in.After = noon.Add(d), false }
}

// behind is how much the clock of an agent is behind.
func behind(d time.Duration) fact { return func(in *past.Input) { in.Behind = d } }

// away is a time in which the console couldn't reach ZooKeeper; until is 0 if it still can't.
func away(from, until time.Duration) fact {
	return func(in *past.Input) {
		g := members.Gap{From: noon.Add(from), Until: noon.Add(until), Unreachable: true}
		if until == 0 {
			g.Until = time.Time{}
		}
		in.Gaps = append(in.Gaps, g)
	}
}

// now changes the job as it is now.
func now(change func(*statistics.Job)) fact { return func(in *past.Input) { change(&in.Job) } }

// marked has so many shards that run now, by the registry, since long before noon. No later run is on record.
func marked(shards int) fact { return markedSince(-hour, shards) }

// markedSince has so many shards that run now, with markers from then.
func markedSince(since time.Duration, shards int) fact {
	return func(in *past.Input) {
		in.Job.Monitored, in.Job.RunningShards, in.Beyond = true, shards, in.Beyond[:1]
		for n := range shards {
			in.Shards = append(in.Shards, statistics.Shard{Item: n, RunningOn: first, RunningSince: noon.Add(since)})
		}
	}
}

// fired has the newest completed fire time of so many shards, as the registry shows it now, of a job
// without a run on record since.
func fired(newest time.Duration, shards int) fact {
	return func(in *past.Input) {
		in.After, in.Job.Recorded = false, true
		in.Fired = statistics.Fired{At: in.Now, Shards: make(map[int]statistics.FiredShard)}
		for n := range shards {
			in.Fired.Shards[n] = statistics.FiredShard{Completed: noon.Add(newest), Through: noon.Add(newest)}
		}
	}
}

// hindered has an agent that announces since then that it can't run the job.
func hindered(since time.Duration) fact {
	return now(func(j *statistics.Job) {
		j.Findings = []statistics.Finding{{
			Code: statistics.CodeAgentObstacle, Effect: statistics.EffectJob, Instance: "10.0.0.1@-@7", Since: noon.Add(since), Value: "no executor TURBO",
		}}
	})
}

// waiting has an agent that announces since then that shards of a run wait.
func waiting(since time.Duration, obstacle string, items ...int) fact {
	return now(func(j *statistics.Job) {
		j.Findings = []statistics.Finding{{
			Code: statistics.CodeAgentObstacle, Effect: statistics.EffectShards, Items: items, Obstacle: obstacle, Instance: first,
			Since: noon.Add(since), Value: "listener L hasn't returned",
		}}
	})
}

// nothingSince leaves out the run that's on record long after noon.
func nothingSince(in *past.Input) { in.Beyond = in.Beyond[:1] }

// changed is when the configuration was written last, to which version.
func changed(at time.Duration, version int32) fact {
	return now(func(j *statistics.Job) {
		j.Changed, j.ReadySince, j.ConfigVersion = noon.Add(at), noon.Add(at), version
	})
}

func schedule(cron, zone, agents string) fact {
	return now(func(j *statistics.Job) { j.Cron, j.TimeZone, j.AgentZone = cron, zone, agents })
}

func rules(r statistics.FireRules) fact { return now(func(j *statistics.Job) { j.FireRules = r }) }

const hour, day, long = time.Hour, 24 * time.Hour, 30 * 24 * time.Hour

// TestW88PastSituations: the answers about noon are true for a job that's due each ten minutes and
// has four shards. An answer may be unknown, but not false. Each row has the verdict, the texts that
// the answer contains and the texts that it mustn't contain, separated by bars.
func TestW88PastSituations(t *testing.T) {
	t.Parallel()
	const (
		disable, enable = "POST /api/jobs/:job/disable", "POST /api/jobs/:job/enable"
		hold, release   = "POST /jobs/:job/hold", "POST /jobs/:job/release"
		bulk            = "POST /api/bulk"
		why             = "is not known|nothing on record"
		daily, yearly   = "0 0 3 * * ?", "0 7 3 1 1 ?"
		tenth           = "0 0/10 * * * ?"
	)
	misfire, normal := tracing.SourceMisfire, tracing.SourceNormal
	newYork := statistics.FireRules{Zone: "America/New_York"}
	for _, s := range []struct {
		name    string
		facts   []fact
		verdict past.Verdict
		says    string
		not     string
	}{
		// A run on record decides.
		{"every shard succeeded", []fact{ran("++++", 0)}, past.Ran, "all its shards succeeded", "did not run"},
		{"two shards failed", []fact{ran("+--+", 0)}, past.Failed, "2 of 4 shards of its run failed", ""},
		{"a shard was lost", []fact{ran("+!++", 0)}, past.Lost, "1 of 4 shards", ""},
		{"it still runs", []fact{ran("+~++", 0)}, past.Running, "goes on", ""},
		{"a shard failed, then a retry of the run succeeded", []fact{ran("+-++", 0), rows(".+..", 30*time.Second, func(e *tracing.Execution) {
			e.RunID, e.Trigger, e.Attempt, e.ScheduledAt = "fire0s", tracing.TriggerRetry, 2, noon
		})}, past.Ran, "all its shards succeeded", "failed"},
		{"a shard was lost, then failed over", []fact{ran("+!++", 0), rows(".+..", 30*time.Second, func(e *tracing.Execution) {
			e.RunID, e.Trigger, e.IP, e.Attempt, e.ScheduledAt = "fire0s", tracing.TriggerFailover, "10.0.0.2", 1, noon
		})}, past.Ran, "all its shards succeeded", "lost"},
		{"it's not due by the schedule, but a run has that fire time", []fact{now(func(j *statistics.Job) { j.Cron = "0 7 3 * * ?" }), ran("++++", 0)}, past.Ran, "", "not due"},
		{"nothing on record explains it", nil, past.Missed, why, ""},
		{"W88 the clock of an agent is behind", []fact{func(in *past.Input) { in.Behind, in.Now = 5*time.Minute, noon.Add(4*time.Minute) }}, past.NoRecord, "5m0s behind", "did not run"},
		{"W88 the clock of an agent is behind, long ago", []fact{func(in *past.Input) { in.Behind = 5 * time.Minute }}, past.Missed, why, "behind"},
		{"W88 a clock is behind, and a run seems older than the job", []fact{behind(10 * time.Minute), now(func(j *statistics.Job) { j.Created, j.Changed = noon.Add(5*time.Minute), noon.Add(5*time.Minute) }), ran("++++", 0)}, past.NotYet, "created later|A run began at 2026-11-23 12:00:00 UTC, by the clock of an agent that may be 10m0s behind", "all its shards"},
		{"W88 a clock is behind, and the run is older than the job all the same", []fact{behind(10 * time.Minute), now(func(j *statistics.Job) { j.Created, j.Changed = noon.Add(hour), noon.Add(hour) }), ran("++++", 0)}, past.Ran, "10m0s behind", "by the clock of an agent that may"},
		{"W88 a clock is behind, and it ran", []fact{behind(10 * time.Minute), ran("++++", 0)}, past.Ran, "all its shards|they may have been later", ""},
		{"W88 a clock is behind, and a run may not have begun by then", []fact{behind(10 * time.Minute), ran("++++", 0), took(9 * time.Minute), at(7 * time.Minute)}, past.NotDue, "not due at|may be 10m0s behind", "was running"},
		{"W88 a clock is behind, and it was disabled minutes later by the console's", []fact{behind(10 * time.Minute), did(6*time.Minute, disable)}, past.Missed, "within 15 minutes", "disabled since"},
		{"W88 a clock is behind, and an instance came minutes later", []fact{behind(10 * time.Minute), saw(7*time.Minute, members.Joined, first)}, past.Missed, "within 15 minutes", "No instance lived"},
		{"W88 a clock is behind, and the schedule was saved minutes later", []fact{behind(10 * time.Minute), changed(7*time.Minute, 4), saved(7*time.Minute, 4, yearly, 4), saved(-day, 3, tenth, 4)}, past.Unknown, "changed", "did not run|not due"},
		{"W88 a program held it and released it since", []fact{noted(-hour, hour, "The job is held by billing.")}, past.Missed, "From 2026-11-23 11:00:00 UTC until 2026-11-23 13:00:00 UTC, as far as the console knows: The job is held by billing.", "nothing on record"},
		{"W88 a hold that ended before", []fact{noted(-hour, -time.Minute, "held")}, past.Missed, why, "held"},
		{"W88 a hold that ended a moment after it was seen last", []fact{noted(-hour, -time.Second, "held")}, past.Missed, "until 2026-11-23 11:59:59 UTC, as far as the console knows: held", "nothing on record"},
		{"W88 the schedule ended at noon, its last fire time", []fact{noted(0, hour, "no fire time left"), noneDue}, past.Missed, why, "no fire time left"},
		{"W88 a hold that began since", []fact{noted(time.Second, hour, "held")}, past.Missed, why, "held"},
		{"W88 an obstacle of one shard doesn't explain all", []fact{noted(-hour, hour, "off", 2)}, past.Missed, why, "off"},
		{"W88 an obstacle of the shard that is missing", []fact{noted(-hour, hour, "Shard 2: off.", 2), ran("++.+", 0)}, past.Partial, "Shard 2: off.", "nothing on record"},
		{"W88 an obstacle of a shard that ran", []fact{noted(-hour, hour, "Shard 2: off.", 2), ran("+.++", 0)}, past.Partial, "isn't known", "Shard 2: off."},
		{"W88 an obstacle, but it ran", []fact{noted(-hour, hour, "held"), ran("++++", 0)}, past.Ran, "all its shards", "held"},
		{"W88 asked for a fire time without a run, and the next one ran", []fact{schedule("0/10 * * * * ?", "GMT+0", ""), did(-hour, disable), did(5*time.Second, enable), ran("++++", 10*time.Second)}, past.Missed, "12:00:00 UTC|disabled since", "and ran"},
		{"W88 asked for a minute, of which one fire time has no run", []fact{schedule("5/10 * * * * ?", "GMT+0", ""), ran("++++", 5*time.Second), ran("++++", 25*time.Second), ran("++++", 35*time.Second), ran("++++", 45*time.Second), ran("++++", 55*time.Second)}, past.Missed, "12:00:15 UTC", "and ran"},
		{"W88 asked for a minute, of which all fire times ran", []fact{schedule("5/30 * * * * ?", "GMT+0", ""), ran("++++", 5*time.Second), ran("++++", 35*time.Second)}, past.Ran, "12:00:05 UTC", "did not run"},
		{"W88 asked for a minute with a run of another schedule", []fact{schedule("0 * * * * ?", "GMT+0", ""), ran("++++", 7*time.Second)}, past.Ran, "12:00:07 UTC", "did not run"},
		{"a run of another fire time", []fact{ran("++++", -10*time.Minute)}, past.Missed, "did not run", ""},
		{"failed, and run again by hand", []fact{ran("--++", 0), requested(tracing.TriggerManual, "++++", 5*time.Minute, time.Second)}, past.Failed, "2 of 4", ""},

		// Made up for later.
		{"made up for after the run before", []fact{ran("++++", -10*time.Minute), took(17 * time.Minute), made(tracing.TriggerMisfire, "++++", 0, 7*time.Minute)}, past.Ran, "makes up for the fire time began at 2026-11-23 12:07:00 UTC", "did not run"},
		{"made up for by the run of a later missed fire time", []fact{ran("++++", -10*time.Minute), took(25 * time.Minute), made(tracing.TriggerMisfire, "++++", 10*time.Minute, 15*time.Minute)}, past.MadeUp, "made up for at 2026-11-23 12:15:00 UTC", "did not run"},
		{"a later misfire, but noon had its run", []fact{ran("-+++", 0), made(tracing.TriggerMisfire, "++++", 10*time.Minute, 15*time.Minute)}, past.Failed, "1 of 4", "made up"},
		{"a misfire for which a run came between", []fact{ran("++++", 10*time.Minute), made(tracing.TriggerMisfire, "++++", 20*time.Minute, 25*time.Minute)}, past.Missed, "did not run", "made up"},
		{"made up for by Java", []fact{java("++++", -10*time.Minute, normal), took(17 * time.Minute), java("++++", 7*time.Minute, misfire)}, past.MadeUp, "made up for at 2026-11-23 12:07:00 UTC", "did not run"},
		{"W88 made up for, and the console saw an obstacle", []fact{noted(-hour, hour, "No process serves the job."), made(tracing.TriggerMisfire, "++++", 10*time.Minute, 15*time.Minute)}, past.MadeUp, "made up for at 2026-11-23 12:15:00 UTC|No process serves", "did not run|nothing on record"},
		{"W88 made up for, and the console remembers nothing", []fact{unwatched, made(tracing.TriggerMisfire, "++++", 10*time.Minute, 15*time.Minute)}, past.MadeUp, "made up for at 2026-11-23 12:15:00 UTC", "did not run"},
		{"W88 made up for, and an agent announces an obstacle", []fact{hindered(-hour), made(tracing.TriggerMisfire, "++++", 10*time.Minute, 15*time.Minute)}, past.MadeUp, "made up for at 2026-11-23 12:15:00 UTC|TURBO", "did not run"},
		{"W88 made up for after no instance lived", []fact{saw(-hour, members.Left, first), saw(14*time.Minute, members.Joined, first), made(tracing.TriggerMisfire, "++++", 10*time.Minute, 15*time.Minute)}, past.MadeUp, "made up for at|No instance lived", "did not run"},
		{"W88 made up for after the instance was lost", []fact{saw(20*time.Second, members.Left, second, members.Lost), made(tracing.TriggerMisfire, "++++", 10*time.Minute, 15*time.Minute)}, past.MadeUp, "made up for at 2026-11-23 12:15:00 UTC|The loss of " + second, "did not run"},
		{"W88 a later fire time is made up for, and it was held by a program at noon", []fact{noted(-hour, 5*time.Minute, "held"), noneDue, made(tracing.TriggerMisfire, "++++", 10*time.Minute, 15*time.Minute)}, past.Missed, "did not run|held", "made up"},
		{"W88 a later fire time is made up for, and it was disabled at noon", []fact{did(-hour, disable), did(6*time.Minute, enable), made(tracing.TriggerMisfire, "++++", 10*time.Minute, 15*time.Minute)}, past.Missed, "disabled since", "made up"},
		{"a backfill was requested since", []fact{did(hour, "POST /api/jobs/:job/backfill", "", "from=2026-11-23T11:00:00Z to=2026-11-23T13:00:00Z params_bytes=0 order=backfill")}, past.NoRecord, "A backfill of that time was requested at 2026-11-23 13:00:00 UTC, by ann", "did not run"},
		{"a backfill of another time", []fact{did(hour, "POST /api/jobs/:job/backfill", "", "from=2026-11-23T12:10:00Z to=2026-11-23T13:00:00Z params_bytes=0 order=backfill")}, past.Missed, "did not run", "backfill"},
		{"a backfill of the next hour", []fact{made(tracing.TriggerAPI, "++++", 0, hour)}, past.Ran, "makes up for the fire time began at 2026-11-23 13:00:00 UTC", ""},
		{"half of the shards were made up for", []fact{made(tracing.TriggerMisfire, "++..", 0, 7*time.Minute)}, past.Partial, "2 of 4", "all its shards"},
		{"failed, and a backfill succeeded", []fact{ran("----", 0), made(tracing.TriggerAPI, "++++", 0, hour)}, past.MadeUp, "4 of 4 shards failed at first|2026-11-23 13:00:00 UTC succeeded", "all its shards"},
		{"W89 failed, and its retry succeeded", []fact{ran("+-++", 0), retried(".+..", 15*time.Second)}, past.MadeUp, "1 of 4 shards failed at first, and the retry at 2026-11-23 12:00:15 UTC succeeded", "all its shards|in part"},
		{"W89 lost, and its retry succeeded", []fact{ran("+!++", 0), retried(".+..", 15*time.Second)}, past.MadeUp, "the retry at 2026-11-23 12:00:15 UTC succeeded", "was lost"},
		{"W89 failed, and its second retry succeeded", []fact{ran("+-++", 0), retried(".-..", 15*time.Second), retried(".+..", 40*time.Second)}, past.MadeUp, "the retry at 2026-11-23 12:00:40 UTC succeeded", "all its shards"},
		{"W89 failed, and its retry failed", []fact{ran("+--+", 0), retried(".-+.", 15*time.Second)}, past.Failed, "2 of 4 shards of its run failed|The retry at 2026-11-23 12:00:15 UTC did not succeed", "made up"},
		{"W89 failed, and its retry had only one of the shards", []fact{ran("+--+", 0), retried(".+..", 15*time.Second)}, past.Failed, "2 of 4 shards of its run failed|did not succeed in all", "at first"},
		{"W89 failed, and its retry is on", []fact{ran("+-++", 0), retried(".~..", 15*time.Second)}, past.Failed, "1 of 4 shards of its run failed|The retry of 2026-11-23 12:00:15 UTC goes on", "did not succeed"},

		{"W29 cancelled", []fact{ran("+xx+", 0)}, past.Cancelled, "2 of 4 shards were cancelled", "failed|succeeded"},
		{"W29 cancelled, and a shard failed", []fact{ran("+x-+", 0)}, past.Failed, "1 of 4 shards of its run failed", "cancelled"},
		{"W29 cancelled, and a backfill succeeded", []fact{ran("+x++", 0), made(tracing.TriggerAPI, "++++", 0, hour)}, past.MadeUp, "1 of 4 shards was cancelled at first, and the run at 2026-11-23 13:00:00 UTC succeeded", "failed|all its shards"},
		{"W29 cancelled, and a backfill failed", []fact{ran("+x++", 0), made(tracing.TriggerAPI, "+-++", 0, hour)}, past.Cancelled, "1 of 4 shards was cancelled|did not succeed in all", "at first"},

		// Asked too early.
		{"W88 asked for the minute that goes on, whose fire time is to come", []fact{schedule("50 * * * * ?", "GMT+0", ""), asked(12 * time.Second)}, past.NotDue, "due at 2026-11-23 12:00:50 UTC|too early", "on record|did not run|minutes ago"},
		{"W88 asked for the minute that goes on, whose run may still begin", []fact{schedule("50 * * * * ?", "GMT+0", ""), asked(55 * time.Second)}, past.Unknown, "12:00:50 UTC|too early", "on record|did not run"},
		{"W88 asked for the minute that goes on, whose run has begun", []fact{schedule("50 * * * * ?", "GMT+0", ""), asked(55 * time.Second), ran("~~~~", 50*time.Second)}, past.Running, "goes on", "too early"},
		{"W88 asked for the minute that goes on, some of its fire times are to come", []fact{schedule("5/20 * * * * ?", "GMT+0", ""), asked(40 * time.Second), ran("++++", 5*time.Second), ran("++++", 25*time.Second)}, past.Ran, "12:00:05 UTC", "too early|12:00:45"},
		{"W88 asked for the minute that goes on, one of its fire times has passed without a run", []fact{schedule("5/20 * * * * ?", "GMT+0", ""), asked(40 * time.Second), ran("++++", 5*time.Second)}, past.NoRecord, "12:00:25 UTC", "too early|12:00:45"},
		{"W88 no zone is known, and every zone's fire time is to come", []fact{schedule("50 * * * * ?", "", ""), asked(12 * time.Second)}, past.NotDue, "too early", "did not run"},

		// Rows of Java's agents.
		{"Java, in its second", []fact{java("++++", 300*time.Millisecond, normal)}, past.Ran, "grouped", "did not run"},
		{"Java waited some seconds for a thread", []fact{java("++++", 4*time.Second, normal)}, past.Ran, "grouped", "did not run"},
		{"Java, its shards in different seconds", []fact{java("++..", 100*time.Millisecond, normal), java("..++", 2*time.Second, normal)}, past.Ran, "", "in part|did not run"},
		{"Java, one of its seconds failed", []fact{java("++..", 100*time.Millisecond, normal), java("..+-", 2*time.Second, normal)}, past.Failed, "1 of 4", "all its shards"},
		{"Java began 40 seconds later", []fact{java("++++", 40*time.Second, normal)}, past.NoRecord, "12:00:40", "did not run|not due"},
		{"Java, triggered in that second", []fact{did(0, "POST /api/jobs/:job/trigger"), java("++++", time.Second, normal)}, past.NoRecord, "triggered", "did not run"},
		{"Java, disabled and triggered", []fact{did(-hour, disable), did(0, "POST /api/jobs/:job/trigger"), java("++++", time.Second, normal)}, past.NoRecord, "disabled since", "and ran"},

		{"Java, a shard was lost and failed over", []fact{java("+!++", 0, normal), java(".+", 40*time.Second, tracing.SourceFailover)}, past.Ran, "all its shards", "lost"},
		{"Java, and a trigger minutes later", []fact{did(3*time.Minute, "POST /api/jobs/:job/trigger"), java("++++", 0, normal), java("++++", 3*time.Minute, normal)}, past.Ran, "all its shards", ""},
		{"Java, each minute, and the next fire time ran", []fact{schedule("0 * * * * ?", "GMT+0", ""), java("++++", time.Minute, normal)}, past.Missed, "did not run", "12:01:00"},

		// Runs that aren't the schedule's.
		{"triggered at noon, while held", []fact{did(-hour, hold, "", "what=schedule order=hold"), requested(tracing.TriggerManual, "++++", 0, time.Second)}, past.Missed, "held since", "and ran"},
		{"triggered at noon, and it ran", []fact{requested(tracing.TriggerManual, "----", 0, time.Second), ran("++++", 0)}, past.Ran, "all its shards succeeded", "failed"},
		{"requested by a program at noon, and nothing else", []fact{requested(tracing.TriggerAPI, "++++", 100*time.Millisecond, time.Second)}, past.Missed, "did not run", "and ran"},

		// Zones.
		{"due in its zone", []fact{schedule(daily, "", ""), rules(newYork), at(-4 * hour)}, past.Missed, "did not run", ""},
		{"not due in its zone", []fact{schedule(daily, "", ""), rules(newYork), at(-9 * hour), changed(-2*day, 3)}, past.NotDue, "2026-11-22 08:00:00 UTC", ""},
		{"due in the zone of its agents", []fact{schedule(daily, "", "America/New_York"), at(-4 * hour)}, past.Missed, "did not run", ""},
		{"not due in the zone of its agents", []fact{schedule(daily, "", "America/New_York"), at(-9 * hour)}, past.NotDue, "", "did not run"},
		{"no zone is known, due in some", []fact{schedule(daily, "", ""), at(-9 * hour)}, past.Unknown, "time zone", "did not run|not due"},
		{"no zone is known, due in one of half an hour", []fact{schedule("0 30 17 * * ?", "", "")}, past.Unknown, "time zone", "not due"},
		{"no zone is known, due in none", []fact{schedule("0 7 * * * ?", "", "")}, past.NotDue, "", "last fire time"},
		{"no zone is known, due in every one", []fact{schedule("0 * * * * ?", "", "")}, past.Missed, "did not run", ""},
		{"no zone is known, but a run has that fire time", []fact{schedule(daily, "", ""), ran("++++", 0)}, past.Ran, "", ""},
		{"no zone is known, Java ran", []fact{schedule(daily, "", ""), java("++++", 0, normal)}, past.Unknown, "A run began at 2026-11-23 12:00:00 UTC", "not due|did not run"},
		{"a zone that isn't one", []fact{rules(statistics.FireRules{Zone: "Mars/Olympus"})}, past.Unknown, "cannot be read", "not due|did not run"},
		{"a time that the clock skipped", []fact{schedule("0 30 2 * * ?", "", ""), rules(newYork), func(in *past.Input) {
			in.At = time.Date(2026, 3, 8, 7, 30, 0, 0, time.UTC)
			in.Job.Changed, in.Job.Created, in.Job.ReadySince = in.At.Add(-long), in.At.Add(-long), in.At.Add(-long)
		}}, past.NotDue, "", "did not run"},

		// Rules of the schedule.
		{"an excluded day", []fact{rules(statistics.FireRules{Exclude: "2026-11-23"})}, past.NotDue, "2026-11-22 23:50:00 UTC|2026-11-23 is excluded (schedule.exclude: 2026-11-23)", "did not run"},
		{"W88 an excluded day, at a time that is none of the schedule", []fact{rules(statistics.FireRules{Exclude: "MON"}), at(7 * time.Minute)}, past.NotDue, "was not due", "excluded"},
		{"W88 an excluded day of its zone", []fact{schedule("0 0 22 * * ?", "", ""), rules(statistics.FireRules{Exclude: "SUN", Zone: "America/New_York"}), at(-9 * hour)}, past.NotDue, "2026-11-22 is excluded", "did not run"},
		{"W88 it was excluded by the schedule of then", []fact{changed(hour, 4), saved(hour, 4, tenth, 4), saved(-day, 3, tenth+"\nprops:\n  schedule.exclude: MON", 4)}, past.NotDue, "2026-11-23 is excluded (schedule.exclude: MON)", "did not run"},
		{"before the schedule begins", []fact{rules(statistics.FireRules{From: "2026-11-23T13:00:00Z"})}, past.NotDue, "begins at 2026-11-23T13:00:00Z (schedule.from)", "did not run"},
		{"after the schedule ended", []fact{rules(statistics.FireRules{Until: "2026-11-23T11:55:00Z"})}, past.NotDue, "11:50:00|ended at 2026-11-23T11:55:00Z (schedule.until)", "did not run"},
		{"W88 a trigger while it ran", []fact{ran("++++", -10*time.Minute), took(8 * time.Minute), at(-5 * time.Minute), did(-5*time.Minute, "POST /api/jobs/:job/trigger")}, past.NotDue, "triggered at 2026-11-23 11:55:00 UTC, by ann|drops a trigger", ""},
		{"W88 a trigger that ran", []fact{requested(tracing.TriggerManual, "++++", -5*time.Minute, 8*time.Second), at(-5 * time.Minute), did(-5*time.Minute, "POST /api/jobs/:job/trigger")}, past.NotDue, "triggered at", "drops"},
		{"W88 a trigger, and nothing ran", []fact{at(-5 * time.Minute), did(-5*time.Minute, "POST /api/jobs/:job/trigger")}, past.NotDue, "triggered at", "drops"},
		{"no schedule", []fact{now(func(j *statistics.Job) { j.Cron, j.OneOff = "", true })}, past.NotDue, "no schedule", ""},
		{"no schedule any more", []fact{now(func(j *statistics.Job) { j.Cron, j.OneOff = "", true }), changed(hour, 9)}, past.Unknown, "changed since", "no schedule|not due"},
		{"no configuration that can be read", []fact{now(func(j *statistics.Job) { j.Cron, j.Shards = "", 0 })}, past.Unknown, "cannot be read", "no schedule|not due"},
		{"no configuration any more", []fact{now(func(j *statistics.Job) { *j = statistics.Job{Name: "mail"} })}, past.Unknown, "cannot be read", "no schedule|not due|0001"},
		{"a schedule of junk", []fact{now(func(j *statistics.Job) { j.Cron = "x" })}, past.Unknown, "cannot be read", ""},
		{"between two fire times", []fact{at(7 * time.Minute), ran("++++", 0)}, past.NotDue, "last fire time before was 2026-11-23 12:00:00 UTC", ""},
		{"W88 after a dense schedule ended, a month ago", []fact{schedule("0/10 * * * * ?", "GMT+0", ""), rules(statistics.FireRules{Until: "2026-10-31T23:59:59Z"}), now(func(j *statistics.Job) {
			j.Created, j.Changed = noon.Add(-3*long), noon.Add(-3*long)
		})}, past.NotDue, "the last fire time before was 2026-10-31 23:59:50 UTC", ""},
		{"W88 an excluded day of a dense schedule", []fact{schedule("0/10 * * * * ?", "GMT+0", ""), rules(statistics.FireRules{Exclude: "2026-11-23"}), changed(-2*day, 3)}, past.NotDue, "the last fire time before was 2026-11-22 23:59:50 UTC", ""},
		{"W88 the fire time before is older than the job", []fact{schedule(yearly, "GMT+0", ""), changed(-hour, 0), now(func(j *statistics.Job) { j.Created = noon.Add(-hour) })}, past.NotDue, "was not due", "last fire time"},
		{"W88 the fire time before is older than the schedule", []fact{schedule(yearly, "GMT+0", ""), changed(-hour, 4), saved(-hour, 4, yearly, 4), saved(-day, 3, tenth, 4)}, past.NotDue, "was not due", "last fire time"},
		{"W88 the fire time before is older than an edit of the shards", []fact{schedule(daily, "GMT+0", ""), changed(-hour, 4), saved(-hour, 4, daily, 4), saved(-day, 3, daily, 6)}, past.NotDue, "the last fire time before was 2026-11-23 03:00:00 UTC", ""},
		{"between two, while one runs", []fact{at(7 * time.Minute), ran("++++", 0), took(9 * time.Minute)}, past.NotDue, "its run of 2026-11-23 12:00:00 UTC was running", ""},

		// Actions that stop it, and their opposites.
		{"disabled", []fact{did(-hour, disable)}, past.Missed, "disabled since 2026-11-23 11:00:00 UTC, by ann", "is not known"},
		{"disabled, and enabled by DELETE", []fact{did(-2*hour, disable), did(-hour, "DELETE /api/jobs/:job/disable")}, past.Missed, why, "disabled since"},
		{"disabled only later", []fact{did(hour, disable)}, past.Missed, why, "disabled since"},
		{"to disable it was refused", []fact{did(-hour, disable, "", "", "not_found")}, past.Missed, why, "disabled since"},
		{"whether it was disabled isn't known", []fact{did(-hour, disable, "", "", settings.OutcomeBegun)}, past.Missed, "2026-11-23 11:00:00 UTC", "was disabled since"},
		{"disabled and held, then enabled", []fact{did(-3*hour, disable), did(-2*hour, hold, "", "what=all order=hold"), did(-hour, enable)}, past.Missed, "held since 2026-11-23 10:00:00 UTC", "disabled since"},
		{"held and released", []fact{did(-2*hour, hold, "", "what=schedule order=hold"), did(-hour, release)}, past.Missed, why, "held since"},
		{"only its requests were held", []fact{did(-hour, hold, "", "what=requests order=hold")}, past.Missed, why, "held since"},
		{"held in bulk", []fact{did(-hour, bulk, "invoices, mail", "what=schedule order=hold affected=1 skipped=0 order=bulk hold preview=false done=2 refused=0")}, past.Missed, "held since", ""},
		{"only its requests were held in bulk", []fact{did(-hour, bulk, "invoices, mail", "what=requests order=hold affected=1 skipped=0 order=bulk hold preview=false done=2 refused=0")}, past.Missed, why, "held since"},
		{"a bulk action was only tried out", []fact{did(-hour, bulk, "invoices, mail", "order=bulk disable preview=true done=2 refused=0")}, past.Missed, why, "disabled since"},
		{"a bulk action was refused for some", []fact{did(-hour, bulk, "invoices, mail", "order=bulk disable preview=false done=1 refused=1")}, past.Missed, "2026-11-23 11:00:00 UTC", "was disabled since"},
		{"a bulk action was begun, and its end isn't known", []fact{did(-hour, bulk, "", "", settings.OutcomeBegun)}, past.Missed, "2026-11-23 11:00:00 UTC", "was disabled since"},
		{"a bulk action on others", []fact{did(-hour, bulk, "mail.archive, old mail", "order=bulk disable preview=false done=2 refused=0")}, past.Missed, why, "disabled since"},
		{"a bulk action was taken back", []fact{did(-2*hour, bulk, "mail", "order=bulk disable preview=false done=1 refused=0"), did(-hour, "POST /jobs/bulk/:id/undo", "mail", "order=undo disable done=1 refused=0 change=c")}, past.Missed, why, "disabled since"},
		{"a reason that looks like an order", []fact{did(-hour, enable, "", "reason=order=bulk disable order=enable")}, past.Missed, why, "disabled since"},
		{"held after the run began", []fact{did(5*time.Second, hold, "", "what=schedule order=hold"), ran("++++", 0)}, past.Ran, "all its shards", "held since"},
		{"held before, but it ran: another clock", []fact{did(-time.Minute, hold, "", "what=schedule order=hold"), ran("++++", 0)}, past.Ran, "all its shards", "held since"},
		{"held a minute after, and no run: another clock", []fact{did(time.Minute, hold, "", "what=schedule order=hold")}, past.Missed, "clocks", "was held since"},
		{"released a minute before, and no run: another clock", []fact{did(-hour, hold, "", "what=schedule order=hold"), did(-time.Minute, release)}, past.Missed, "clocks", "was held since"},

		// Servers and shards.
		{"a server was off in the job", []fact{did(-hour, "POST /api/servers/:ip/jobs/:job/disable", "mail on 10.0.0.1")}, past.Missed, "10.0.0.1 was switched off", ""},
		{"a server was off in every job", []fact{did(-hour, "POST /api/servers/:ip/disable", "server 10.0.0.1")}, past.Missed, "10.0.0.1 was switched off", ""},
		{"off in every job, and on in this one", []fact{did(-2*hour, "POST /api/servers/:ip/disable", "server 10.0.0.1"), did(-hour, "DELETE /api/servers/:ip/jobs/:job/disable", "mail on 10.0.0.1")}, past.Missed, why, "switched off"},
		{"off in this job, and the job enabled", []fact{did(-2*hour, "POST /api/servers/:ip/jobs/:job/disable", "mail on 10.0.0.1"), did(-hour, enable)}, past.Missed, why, "switched off"},
		{"a server that isn't the job's", []fact{did(-hour, "POST /api/servers/:ip/disable", "server 10.9.9.9")}, past.Missed, why, "switched off"},
		{"the server of another job", []fact{did(-hour, "POST /api/servers/:ip/jobs/:job/disable", "invoices on 10.0.0.1")}, past.Missed, why, "switched off"},
		{"a shard was off", []fact{did(-hour, "POST /api/jobs/:job/sharding/:item/disable", "shard 3 of mail"), ran("+++.", 0)}, past.Partial, "3 of 4 shards|Shard 3 was switched off", "isn't known"},
		{"shards were off, by a page", []fact{did(-hour, "POST /jobs/:job/shards/disable", "", "order=disable shards shards=0,3 affected=2 skipped=0 refused=0"), ran(".++.", 0)}, past.Partial, "2 of 4 shards|Shard 0 was|Shard 3 was", "isn't known"},
		{"W88 a shard was off, and rows may be minutes late", []fact{did(-hour, "POST /api/jobs/:job/sharding/:item/disable", "shard 3 of mail"), func(in *past.Input) { in.Now = noon.Add(2 * time.Minute) }, ran("+++.", 0)}, past.Partial, "3 of 4 shards|Shard 3 was switched off", "isn't known"},
		{"W88 a shard was off a moment before, and rows may be minutes late", []fact{did(-time.Minute, "POST /api/jobs/:job/sharding/:item/disable", "shard 3 of mail"), func(in *past.Input) { in.Now = noon.Add(2 * time.Minute) }, ran("+++.", 0)}, past.Ran, "3 shards|Shard 3 was switched off", "in part|all its shards"},
		{"W88 a shard was off, and another row may be late", []fact{did(-hour, "POST /api/jobs/:job/sharding/:item/disable", "shard 3 of mail"), func(in *past.Input) { in.Now = noon.Add(2 * time.Minute) }, ran("++..", 0)}, past.Ran, "2 shards|Shard 3 was switched off", "in part|all its shards"},
		{"W88 a shard was off, and an edit was near", []fact{did(-hour, "POST /api/jobs/:job/sharding/:item/disable", "shard 3 of mail"), changed(-time.Minute, 4), ran("+++.", 0)}, past.Ran, "3 shards|Shard 3 was switched off", "in part|all its shards"},
		{"W88 a shard was off, and the console saw another one off", []fact{did(-hour, "POST /api/jobs/:job/sharding/:item/disable", "shard 3 of mail"), noted(-hour, hour, "Shard 2: off.", 2), ran("++..", 0)}, past.Partial, "Shard 3 was switched off|Shard 2: off.", "nothing on record"},
		{"W88 the audit and the console know the same", []fact{did(-hour, "POST /api/jobs/:job/sharding/:item/disable", "shard 3 of mail"), noted(-hour, hour, "Shard 3: off.", 3), ran("+++.", 0)}, past.Partial, "Shard 3 was switched off", "Shard 3: off."},
		{"W88 a shard was off that the console saw, and rows may be late", []fact{noted(-hour, hour, "Shard 3: off.", 3), func(in *past.Input) { in.Now = noon.Add(2 * time.Minute) }, ran("+++.", 0)}, past.Ran, "3 shards|Shard 3: off.", "in part|all its shards"},
		{"one shard was still in an earlier run", []fact{ran("+...", -10*time.Minute), func(in *past.Input) { in.Runs[0].Executions[0].CompleteTime = noon.Add(5 * time.Minute) }, ran(".+++", 0)}, past.Partial, "3 of 4 shards|Shard 0 was still in the run of 2026-11-23 11:50:00 UTC", "nothing on record"},
		{"a shard was off and on again", []fact{did(-2*hour, "POST /api/jobs/:job/sharding/:item/disable", "shard 3 of mail"), did(-hour, "POST /api/jobs/:job/sharding/:item/enable", "shard 3 of mail"), ran("+++.", 0)}, past.Partial, "3 of 4 shards|nothing on record", "switched off"},
		{"a shard was off that ran", []fact{did(-hour, "POST /api/jobs/:job/sharding/:item/disable", "shard 1 of mail"), ran("+++.", 0)}, past.Partial, "3 of 4 shards|nothing on record", "Shard 1 was"},
		{"a cloud job of that name was disabled", []fact{did(-hour, "POST /api/cloud/jobs/:job/disable")}, past.Missed, why, "disabled since"},
		{"disabled, then a server of it enabled", []fact{did(-2*hour, disable), did(-hour, "POST /api/servers/:ip/jobs/:job/enable", "mail on 10.0.0.1")}, past.Missed, "2026-11-23 10:00:00 UTC", "disabled since"},
		{"it was enabled at a time", []fact{did(-2*hour, disable), did(-hour, "enable at a time", "", "due=x affected=1 skipped=0")}, past.Missed, why, "disabled since"},
		{"shards were off, and switched back by an undo", []fact{did(-2*hour, "POST /jobs/:job/shards/disable", "", "order=disable shards shards=3 affected=1"), did(-hour, "POST /jobs/bulk/:id/undo", "", "order=enable shards shards=3 affected=1"), ran("+++.", 0)}, past.Partial, "3 of 4", "switched off"},
		{"a shard was off, and all was missed", []fact{did(-hour, "POST /api/jobs/:job/sharding/:item/disable", "shard 3 of mail")}, past.Missed, why, ""},
		{"every shard was off", []fact{did(-hour, "POST /jobs/:job/shards/disable", "", "order=disable shards shards=0,1,2,3 affected=4")}, past.Missed, "Shard 0 was|Shard 3 was", "is not known"},

		// Instances.
		{"the only instance was elsewhere", []fact{saw(hour, members.Joined, first)}, past.Missed, "No instance lived", ""},
		{"it left and came back", []fact{saw(-hour, members.Left, first), saw(hour, members.Joined, first)}, past.Missed, "No instance lived", ""},
		{"it left in the minute before noon", []fact{saw(-20*time.Second, members.Left, second)}, past.Missed, second + " left at", "No instance lived"},
		{"W88 it was lost, which was noticed after noon", []fact{saw(20*time.Second, members.Left, second, members.Lost)}, past.NoRecord, "The loss of " + second + " was noticed at 2026-11-23 12:00:20 UTC", "left at|did not run"},
		{"W88 it stopped after noon", []fact{saw(20*time.Second, members.Left, second, members.Stopped)}, past.Missed, "did not run", second},
		{"W88 it left before noon and was there again", []fact{saw(-20*time.Second, members.Left, second), saw(-19*time.Second, members.Joined, second)}, past.Missed, "did not run", second},
		{"W88 its process was started again before noon, and its loss was noticed later", []fact{saw(-10*time.Second, members.Joined, third), saw(20*time.Second, members.Left, second, members.Lost)}, past.Missed, "did not run", second},
		{"W88 it began and its process exited, again and again", []fact{saw(-30*time.Second, members.Joined, second), saw(-5*time.Second, members.Left, second, members.Lost), saw(-10*time.Second, members.Joined, third), saw(7*time.Second, members.Left, third, members.Lost), saw(2*time.Second, members.Joined, second), saw(20*time.Second, members.Left, second, members.Lost)},
			past.NoRecord, "The loss of " + third + " was noticed at 2026-11-23 12:00:07 UTC|may not be on record", "did not run|The loss of " + second},
		{"W88 the process that was started again exited at noon, too", []fact{saw(-40*time.Second, members.Joined, second), saw(-10*time.Second, members.Joined, third), saw(7*time.Second, members.Left, third, members.Lost), saw(20*time.Second, members.Left, second, members.Lost)},
			past.NoRecord, "The loss of " + third + "|The loss of " + second, "did not run"},
		{"W88 two shards ran, and the owner of the others exited", []fact{ran("++..", 0), saw(7*time.Second, members.Left, second, members.Lost)}, past.Ran, "2 shards|isn't known|The loss of " + second, "in part|nothing on record"},
		{"W88 it came after noon and was lost", []fact{saw(5*time.Second, members.Joined, second), saw(20*time.Second, members.Left, second, members.Lost)}, past.Missed, "did not run", "The loss of"},
		{"W88 whether an instance was lost isn't remembered", []fact{unwatched}, past.NoRecord, "isn't remembered|may not be on record", "did not run"},
		{"W88 whether an instance was lost isn't remembered, but it was disabled", []fact{unwatched, did(-hour, disable)}, past.Missed, "did not run|disabled since", ""},
		{"it came a minute after noon: another clock", []fact{saw(time.Minute, members.Joined, first)}, past.Missed, "clocks", "No instance lived"},
		{"its instances were shut down", []fact{did(-hour, "PUT /api/jobs/:job/shutdown"), func(in *past.Input) { in.EventsSince = time.Time{} }}, past.Missed, "instances were stopped", ""},
		{"shut down, and started again", []fact{did(-hour, "PUT /api/jobs/:job/shutdown"), saw(-59*time.Minute, members.Left, first), saw(-30*time.Minute, members.Joined, first)}, past.Missed, why, "were stopped"},
		{"W88 shut down, started again, and left", []fact{did(-hour, "PUT /api/jobs/:job/shutdown"), saw(-59*time.Minute, members.Left, second), saw(-30*time.Minute, members.Joined, first), saw(-20*time.Second, members.Left, first, members.Lost)}, past.Missed, first + " left at", "were stopped"},
		{"W88 shut down on a server, started again there, and left", []fact{did(-hour, "POST /api/servers/:ip/jobs/:job/shutdown", "mail on 10.0.0.1"), saw(-59*time.Minute, members.Left, first), saw(-30*time.Minute, members.Joined, first), saw(-20*time.Second, members.Left, first, members.Lost)}, past.Missed, first + " left at", "were stopped"},
		{"F3 the end of the run before isn't on record", []fact{ran("~~~~", -10*time.Minute)}, past.NoRecord, "may have been running then", "was still running"},
		{"F3 the run before goes on by the registry", []fact{ran("~~~~", -10*time.Minute), marked(4)}, past.Missed, "was still running", "may have been running"},
		{"F3 the end of its run isn't on record", []fact{ran("~~~~", 0), marked(0)}, past.Unknown, "end of that run isn't on record", "goes on"},
		{"F3 its run goes on by the registry", []fact{ran("~~~~", 0), marked(4)}, past.Running, "goes on", "isn't on record"},
		{"W90 a shard beyond the count goes on", []fact{ran("++~", 0), now(func(j *statistics.Job) { j.Shards = 2 }), marked(3)}, past.Running, "goes on", "isn't on record"},
		{"W90 its end isn't on record, and a later run goes on", []fact{ran("~~~~", 0), markedSince(20*time.Second, 4)}, past.Unknown, "end of that run isn't on record. The shards that run now may be of a later run", "goes on|no running shard"},
		{"W90 its end isn't on record, and its shards have begun a later run", []fact{ran("~~~~", 0), ran("~~~~", 10*time.Minute), marked(4)}, past.Unknown, "may be of a later run", "goes on|no running shard"},
		{"W90 its end isn't on record, and its shards have completed that fire time", []fact{ran("~~~~", 0), marked(4), fired(0, 4)}, past.Unknown, "may be of a later run", "goes on|no running shard"},
		{"W90 the end of its retry isn't on record", []fact{ran("+-++", 0), retried(".~..", 15*time.Second), marked(0)}, past.Failed, "1 of 4 shards of its run failed", "goes on|did not succeed"},
		{"W90 one shard of its run goes on", []fact{ran("~~~~", 0), markedSince(20*time.Second, 4), marked(1)}, past.Running, "goes on", "isn't on record"},
		{"W90 the end of the run before isn't on record, and a later run goes on", []fact{ran("~~~~", -10*time.Minute), markedSince(20*time.Second, 4)}, past.NoRecord, "may have been running then", "was still running"},
		{"without monitorExecution, only the history has its run", []fact{ran("~~~~", 0), now(func(j *statistics.Job) { j.Monitored = false })}, past.Running, "the history has no end of that run", "that run goes on"},
		{"W88 the run that made up for it failed", []fact{rows("-+", 11*time.Minute, func(e *tracing.Execution) {
			e.RunID, e.Trigger, e.ScheduledAt = "x", tracing.TriggerMisfire, noon.Add(10*time.Minute)
		})}, past.Failed, "in the run that made up for it at 2026-11-23 12:11:00 UTC, 1 of 2 shards failed", "did not run"},
		{"W88 a make-up run of a clock that is ahead", []fact{func(in *past.Input) { in.Now = noon.Add(20 * time.Minute) }, rows("++++", 21*time.Minute, func(e *tracing.Execution) {
			e.RunID, e.Trigger, e.ScheduledAt = "x", tracing.TriggerMisfire, noon.Add(20*time.Minute+50*time.Second)
		})}, past.Missed, "did not run", "made up for"},
		{"W88 nothing on record says why", nil, past.Missed, "By the record, the job was due at 2026-11-23 12:00:00 UTC and did not run", ""},
		{"W88 it was disabled", []fact{did(-hour, disable)}, past.Missed, "The job was due at 2026-11-23 12:00:00 UTC and did not run", "By the record"},
		{"W88 the shards were marked by an earlier run", []fact{marked(4), nothingSince, fired(-10*time.Minute, 4)}, past.NoRecord, "There may have been one", "may be the run of that time"},
		{"W88 no handler of its make-up run was called", []fact{rows("-", time.Minute, func(e *tracing.Execution) {
			e.RunID, e.Trigger, e.ScheduledAt, e.FailureCause = "x", tracing.TriggerMisfire, noon, "not started: the agent is stopping"
		})}, past.Failed, "No handler of its run was called|2026-11-23 12:01:00 UTC, because of: the agent is stopping", "made up for"},
		{"W88 no handler of a later make-up run was called", []fact{rows("-", 11*time.Minute, func(e *tracing.Execution) {
			e.RunID, e.Trigger, e.ScheduledAt, e.FailureCause = "x", tracing.TriggerMisfire, noon.Add(10*time.Minute), "not started: the agent is stopping"
		})}, past.Missed, "did not run", "made up for"},
		{"a run has marked its shards and waits for a place", []fact{markedSince(0, 4), nothingSince}, past.NoRecord, "may be the run of that time", "did not run"},
		{"W86 a run has marked its shards and waits for a listener", []fact{fired(-10*time.Minute, 4), nothingSince, waiting(30*time.Second, "LISTENER_HANGS", 0, 1, 2, 3)}, past.NoRecord, "the run of that time that waits on " + first + ": listener L", "did not run"},
		{"W89 a run has marked its shards and waits for a place", []fact{fired(-10*time.Minute, 4), nothingSince, waiting(10*time.Second, "NO_PLACE", 2)}, past.NoRecord, "the run of that time that waits", "did not run"},
		{"W89 one waits since the run of an earlier fire time ended", []fact{made(tracing.TriggerMisfire, "++++", -20*time.Minute, 20*time.Millisecond), waiting(10*time.Second, "NO_PLACE", 2), nothingSince}, past.NoRecord, "the run of that time that waits", "did not run"},
		{"W89 a run has marked its shards since that of an earlier fire time ended", []fact{made(tracing.TriggerMisfire, "++++", -20*time.Minute, 20*time.Millisecond), markedSince(0, 4), nothingSince}, past.NoRecord, "may be the run of that time", "did not run"},
		{"W86 it waited since before", []fact{fired(-10*time.Minute, 4), waiting(-time.Second, "LISTENER_HANGS", 0, 1, 2, 3)}, past.Missed, "from 2026-11-23 11:59:59 UTC on: listener L", "that waits"},
		{"W86 a later run waits, and the job ran since", []fact{ran("++++", 10*time.Minute), waiting(20*time.Minute, "NO_PLACE", 2)}, past.Missed, "did not run", "that waits"},
		{"W86 one shard of a run waits", []fact{ran("++.+", 0), nothingSince, waiting(30*time.Second, "LISTENER_HANGS", 2)}, past.Ran, "3 shards are on record|that waits on", "in part|isn't known: nothing"},
		{"W88 the process of the run before was killed, and it was failed over later", []fact{rows("!", -10*time.Minute, func(e *tracing.Execution) {
			e.RunID, e.Trigger, e.ScheduledAt = "x", tracing.TriggerSchedule, noon.Add(-10*time.Minute)
		}), rows("+", time.Minute, func(e *tracing.Execution) {
			e.RunID, e.Trigger, e.ScheduledAt, e.Attempt, e.TaskID = "x", tracing.TriggerFailover, noon.Add(-10*time.Minute), 1, taskOf(second)
		})}, past.NoRecord, "started in between", "still running"},
		{"W88 the run before waited for its retry", []fact{rows("-", -10*time.Minute, func(e *tracing.Execution) {
			e.RunID, e.Trigger, e.ScheduledAt = "x", tracing.TriggerSchedule, noon.Add(-10*time.Minute)
		}), rows("+", time.Minute, func(e *tracing.Execution) {
			e.RunID, e.Trigger, e.ScheduledAt, e.Attempt = "x", tracing.TriggerRetry, noon.Add(-10*time.Minute), 2
		})}, past.Missed, "11:50:00 UTC was still running", ""},
		{"W88 the process of the run before was lost meanwhile", []fact{rows("~", -10*time.Minute, func(e *tracing.Execution) {
			e.RunID, e.Trigger, e.ScheduledAt = "x", tracing.TriggerSchedule, noon.Add(-10*time.Minute)
		}), saw(-time.Minute, members.Left, first, members.Lost), marked(1)}, past.Missed, "left at", "still running"},
		{"F3 between two fire times, and the end of a run isn't on record", []fact{at(time.Minute), ran("~~~~", 0), marked(0)}, past.NotDue, "may have been running then", "was running"},
		{"the run before was still running", []fact{ran("++++", -10*time.Minute), took(15 * time.Minute)}, past.Missed, "was still running", ""},
		{"served only since, for all that's known", []fact{now(func(j *statistics.Job) { j.ReadySince = noon.Add(hour) }), func(in *past.Input) { in.EventsSince = time.Time{} }}, past.Unknown, "13:00:00", "did not run"},
		{"an instance lived, but the server is enabled only since", []fact{now(func(j *statistics.Job) { j.ReadySince = noon.Add(hour) })}, past.Missed, "as they are now since 2026-11-23 13:00:00 UTC", "nothing on record"},

		{"served only since, and disabled before", []fact{now(func(j *statistics.Job) { j.ReadySince = noon.Add(hour) }), did(-hour, disable)}, past.Missed, "disabled since", ""},

		// The configuration changed since.
		{"another schedule since, and the one of noon is kept", []fact{changed(hour, 4), schedule(yearly, "GMT+0", ""), saved(hour, 4, yearly, 4), saved(-day, 3, tenth, 4)}, past.Missed, "did not run", "not due"},
		{"due now, and not by the schedule of noon", []fact{changed(hour, 4), saved(hour, 4, tenth, 4), saved(-day, 3, "0 7 3 * * ?", 4)}, past.NotDue, "2026-11-23 03:07:00 UTC", "did not run"},
		{"another schedule since, and none is kept", []fact{changed(hour, 4), saved(hour, 4, tenth, 4)}, past.Unknown, "changed", "not due|did not run"},
		{"another schedule since, the first edit of all", []fact{changed(hour, 1), schedule(yearly, "GMT+0", ""), saved(hour, 1, yearly, 4), kept(0, tenth, 4)}, past.Missed, "did not run", ""},
		{"another schedule since, and from when on the one before isn't known", []fact{changed(hour, 4), saved(hour, 4, tenth, 4), kept(3, "0 7 3 * * ?", 4), saved(-day, 2, "0 7 3 * * ?", 4)}, past.Unknown, "changed", "not due|did not run"},
		{"two edits since", []fact{changed(2*hour, 5), saved(2*hour, 5, yearly, 4), saved(hour, 4, "x", 4), saved(-day, 3, tenth, 4)}, past.Missed, "did not run", "changed"},
		{"changed since by something else, too", []fact{changed(hour, 5), saved(hour, 4, tenth, 4), saved(-day, 3, tenth, 4)}, past.Unknown, "changed", "did not run|not due"},
		{"changed since, nobody knows how, and not due now", []fact{changed(hour, 5), at(7 * time.Minute)}, past.Unknown, "changed", "not due"},
		{"W88 changed a minute before", []fact{changed(-time.Minute, 4)}, past.Missed, "did not run|clocks", "changed since"},
		{"W88 changed a minute before, and held", []fact{changed(-time.Minute, 4), did(-40*time.Second, hold, "", "what=schedule order=hold")}, past.Missed, "held since", "changed since"},
		{"W88 changed a minute before, and not due since", []fact{changed(-time.Minute, 4), schedule(daily, "GMT+0", "")}, past.NotDue, "clocks", "did not run|changed since"},
		{"W88 saved a minute before", []fact{changed(hour, 5), saved(hour, 5, yearly, 4), saved(-time.Minute, 4, tenth, 4), saved(-day, 3, yearly, 4)}, past.Missed, "did not run|clocks", "changed since"},
		{"W88 shards added a minute before, and some ran", []fact{changed(-time.Minute, 4), ran("++..", 0)}, past.Ran, "2 shards", "in part|all its shards"},
		{"W88 changed seconds before, and disabled", []fact{changed(-3*time.Second, 4), did(-hour, disable)}, past.Unknown, "a moment before|disabled since", "changed since|did not run"},
		{"W88 changed since, nobody knows how, and held", []fact{changed(hour, 5), did(-hour, hold, "", "what=schedule order=hold")}, past.Unknown, "changed since|held since", "did not run"},
		{"saved a minute after: another clock", []fact{changed(time.Minute, 4), saved(time.Minute, 4, yearly, 4), saved(-day, 3, tenth, 4)}, past.Unknown, "changed", "did not run"},
		{"a version of junk", []fact{changed(hour, 4), saved(hour, 4, tenth, 4), saved(-day, 3, "[", 4)}, past.Unknown, "", "did not run|not due"},
		{"versions of a job of that name before", []fact{changed(hour, 1), saved(hour, 1, tenth, 4), func(in *past.Input) {
			kept(0, tenth, 4)(in)
			in.Versions[1].Revision = "0-99"
		}}, past.Unknown, "changed", "did not run|not due"},
		{"shards added since", []fact{changed(hour, 4), now(func(j *statistics.Job) { j.Shards = 6 }), saved(hour, 4, tenth, 6), saved(-day, 3, tenth, 4), ran("++++", 0)}, past.Ran, "all its shards", "in part"},
		{"shards removed since, and one took no part", []fact{changed(hour, 4), saved(hour, 4, tenth, 4), saved(-day, 3, tenth, 6), ran("+++++", 0)}, past.Partial, "5 of 6 shards", "all its shards"},
		{"shards changed since, and to which number isn't known", []fact{changed(hour, 9), ran("++++", 0)}, past.Ran, "4 shards", "all its shards|in part"},
		{"made only later", []fact{now(func(j *statistics.Job) { j.Created, j.Changed = noon.Add(hour), noon.Add(hour) }), func(in *past.Input) { in.Before = false }}, past.NotYet, "created later, at 2026-11-23 13:00:00 UTC", "did not exist|did not run"},
		{"removed and made again since", []fact{now(func(j *statistics.Job) { j.Created, j.Changed = noon.Add(hour), noon.Add(hour) }), did(30*time.Minute, "DELETE /api/jobs/config/:job")}, past.Unknown, "created later, at 2026-11-23 13:00:00 UTC, and a job of this name existed before|removed at 2026-11-23 12:30:00 UTC, by ann", "did not exist|not due|Nothing is known"},
		{"W88 removed by a page, and made again since", []fact{now(func(j *statistics.Job) { j.Created, j.Changed = noon.Add(hour), noon.Add(hour) }), did(30*time.Minute, "POST /jobs/:job/remove"), func(in *past.Input) { in.Before = false }}, past.Unknown, "removed at 2026-11-23 12:30:00 UTC, by ann", "did not exist|not due|Nothing is known"},
		{"W88 removed in bulk, and made again since", []fact{now(func(j *statistics.Job) { j.Created, j.Changed = noon.Add(hour), noon.Add(hour) }), did(30*time.Minute, bulk, "invoices, mail", "order=bulk remove preview=false done=2 refused=0")}, past.Unknown, "removed at 2026-11-23 12:30:00 UTC, by ann", "Nothing is known"},
		{"W88 to remove it was refused", []fact{now(func(j *statistics.Job) { j.Created, j.Changed = noon.Add(hour), noon.Add(hour) }), did(30*time.Minute, "POST /jobs/:job/remove", "", "", "refused"), func(in *past.Input) { in.Before = false }}, past.NotYet, "created later", "removed"},
		{"W88 made only later, and runs are on record from before", []fact{now(func(j *statistics.Job) { j.Created, j.Changed = noon.Add(hour), noon.Add(hour) })}, past.Unknown, "existed before|its node was deleted", "did not exist|not due|Nothing is known"},
		{"W88 made only later, and a run is on record from after noon", []fact{now(func(j *statistics.Job) { j.Created, j.Changed = noon.Add(hour), noon.Add(hour) }), func(in *past.Input) { in.Before = false }, ran("++++", 10*time.Minute)}, past.Unknown, "existed before", "Nothing is known"},
		{"removed and made again, and it had run", []fact{now(func(j *statistics.Job) { j.Created, j.Changed = noon.Add(hour), noon.Add(hour) }), ran("++++", 0)}, past.Ran, "", "did not exist|all its shards"},

		// The history isn't complete.
		{"the history is away", []fact{func(in *past.Input) { in.HasRuns = false }}, past.Unknown, "history cannot be read", "did not run"},
		{"nothing is on record since, and the registry proves it", []fact{fired(-10*time.Minute, 4)}, past.Missed, "did not run", "may have been"},
		{"nothing is on record since, and the registry has later runs", []fact{fired(10*time.Minute, 4)}, past.NoRecord, "may have been", "did not run"},
		{"nothing is on record since, and a shard has no record", []fact{fired(-10*time.Minute, 3)}, past.NoRecord, "may have been", "did not run"},
		{"nothing is on record since, and Java took part", []fact{fired(-10*time.Minute, 4), now(func(j *statistics.Job) { j.JavaInstances = 1 })}, past.NoRecord, "may have been", "did not run"},
		{"an agent has announced since before why it can't run it", []fact{fired(-10*time.Minute, 4), hindered(-hour)}, past.Missed, "10.0.0.1@-@7 announced that it couldn't run the job from 2026-11-23 11:00:00 UTC on: no executor TURBO.", why},
		{"an agent has announced it only since", []fact{fired(-10*time.Minute, 4), hindered(hour)}, past.Missed, why, "TURBO"},
		{"pruned", []fact{func(in *past.Input) { in.Before = false }}, past.NoRecord, "No run of", "did not run"},
		{"nothing recorded since", []fact{func(in *past.Input) { in.After = false }}, past.NoRecord, "No run of", "did not run"},
		{"rows are minutes late", []fact{func(in *past.Input) { in.Now = noon.Add(2 * time.Minute) }}, past.NoRecord, "No run of", "did not run"},
		{"rows of some shards are minutes late", []fact{func(in *past.Input) { in.Now = noon.Add(2 * time.Minute) }, ran("++..", 0)}, past.Ran, "2 shards", "in part|all its shards"},
		{"rows of some shards, and nothing since", []fact{func(in *past.Input) { in.After = false }, ran("++..", 0)}, past.Ran, "2 shards", "in part|all its shards"},
		{"more runs than were read", []fact{func(in *past.Input) { in.HasMore = true }}, past.NoRecord, "No run of", "did not run"},
		{"an instance records nothing", []fact{func(in *past.Input) { in.Unrecorded = []string{first} }}, past.NoRecord, first, "did not run"},
		{"an instance records nothing, its shards have no rows", []fact{func(in *past.Input) { in.Unrecorded = []string{first} }, ran("++..", 0)}, past.Ran, "2 shards", "in part|all its shards"},
		{"a run with more rows than were read", []fact{ran("++..", 0), func(in *past.Input) { in.Runs[0].Truncated = true }}, past.Ran, "2 shards", "in part|all its shards"},
		{"the audit isn't the reader's", []fact{func(in *past.Input) { in.HasRecords = false }}, past.Missed, "admins only", ""},
		{"W90 whether it ran was unknown then", []fact{noted(-time.Minute, time.Minute, "…", 9), func(in *past.Input) { in.Obstacles[0].Unrecorded = true }}, past.NoRecord, "not all of its runs were on record", "did not run|unknown whether"},
		{"instances weren't watched then", []fact{func(in *past.Input) { in.EventsSince = noon.Add(hour) }, saw(2*hour, members.Joined, first)}, past.NoRecord, "remembered since", "No instance lived"},

		{"W88 a process that records nothing served it, and was restarted", []fact{registered(hour, first), saw(-20*time.Second, members.Left, first), saw(-18*time.Second, members.Joined, first), saw(hour, members.Left, first), saw(hour+time.Second, members.Joined, first)}, past.NoRecord, "started in between may have recorded nothing", "did not run"},
		{"W88 a process was restarted, and its rows may be lost", []fact{registered(14*time.Minute, first), saw(14*time.Minute, members.Left, first), saw(14*time.Minute, members.Joined, first), made(tracing.TriggerMisfire, "++++", 10*time.Minute, 15*time.Minute)}, past.NoRecord, "started in between", "made up|did not run"},
		{"W88 it was restarted since, and had recorded a run by then", []fact{registered(hour, first), ran("++++", -10*time.Minute), ran("++++", 10*time.Minute), saw(hour, members.Left, first), saw(hour, members.Joined, first)}, past.Missed, why, "may have recorded"},
		{"W88 another instance recorded the runs before", []fact{func(in *past.Input) { in.Beyond[0] = beyond(second)[0] }}, past.NoRecord, "shard 0", "did not run"},
		{"W88 the console remembers nothing, and the instance stayed", []fact{unwatched, registered(-day, first)}, past.NoRecord, "not remembered", "may have recorded nothing"},
		{"W88 the console remembers nothing, and the instance was restarted since", []fact{unwatched, registered(hour, first)}, past.NoRecord, "started in between", "did not run"},
		{"W88 the console was away before, and the instance was restarted since", []fact{registered(hour, first), away(-hour, -30*time.Minute), saw(hour, members.Left, first), saw(hour, members.Joined, first)}, past.NoRecord, "started in between", "did not run"},
		{"W88 a shard has no row, and its process was restarted", []fact{registered(hour, first), ran("++.+", 0), saw(hour, members.Left, first), saw(hour, members.Joined, first), saw(-hour, members.Joined, first)}, past.Ran, "3 shards", "in part"},
		{"W88 a shard has no row, and its process stayed", []fact{ran("++.+", 0)}, past.Partial, "3 of 4 shards", "all its shards"},
		{"W88 restarted in between, and it was disabled", []fact{registered(hour, second), did(-hour, disable)}, past.Missed, "disabled since", "may have recorded"},
		{"W88 it ran late", []fact{made(tracing.TriggerSchedule, "++++", 0, 7*time.Minute)}, past.Ran, "all its shards succeeded|Its first shard began only at 2026-11-23 12:07:00 UTC.", "made up"},
		{"W88 it ran in time", []fact{made(tracing.TriggerSchedule, "++++", 0, 9*time.Second)}, past.Ran, "all its shards succeeded", "began only"},
		{"W88 the configuration that no agent could run was corrected since", []fact{changed(hour, 9), noted(-hour, hour, "no executor TURBO")}, past.Unknown, "changed since|as far as the console knows: no executor TURBO", "did not run"},
		{"W88 edited in that minute, in which another fire time ran", []fact{schedule("0/20 * * * * ?", "GMT+0", ""), changed(time.Second, 9), did(-time.Minute, hold, "", "what=schedule order=hold"), did(2*time.Second, release), ran("++++", 20*time.Second)}, past.Unknown, "changed|held since", "and ran|Nothing on record names"},
		{"W88 edited in that minute, and it ran at that time", []fact{schedule("0/20 * * * * ?", "GMT+0", ""), changed(time.Second, 9), ran("++++", 0)}, past.Ran, "12:00:00 UTC", "changed"},
		{"W88 it ran in another namespace", []fact{rows("++++", 0, func(e *tracing.Execution) {
			e.RunID, e.Trigger, e.ScheduledAt, e.TaskID = "fire0s", tracing.TriggerSchedule, noon, taskOf(third)
		})}, past.Ran, "The run is of " + third + ", which isn't known to have served this job here", ""},
		{"W88 it ran on an instance that left since", []fact{saw(-hour, members.Joined, third), saw(hour, members.Left, third), rows("++++", 0, func(e *tracing.Execution) {
			e.RunID, e.Trigger, e.ScheduledAt, e.TaskID = "fire0s", tracing.TriggerSchedule, noon, taskOf(third)
		})}, past.Ran, "all its shards succeeded", "another namespace"},
		{"W88 the console was away before and since", []fact{away(-hour, -30*time.Minute), away(30*time.Minute, hour)}, past.Missed, why, "ZooKeeper"},
		{"W88 the console couldn't reach ZooKeeper then", []fact{away(-time.Minute, time.Minute)}, past.NoRecord, "could not reach ZooKeeper for a time between 2026-11-23 11:59:00 UTC and 2026-11-23 12:01:00 UTC|Instances were not seen between", "nothing on record"},
		{"W88 it can't reach ZooKeeper since before", []fact{away(-time.Minute, 0), asked(15 * time.Minute)}, past.NoRecord, "can't reach ZooKeeper since 2026-11-23 11:59:00 UTC", "did not run"},
		{"W88 it couldn't reach ZooKeeper, and the job was disabled", []fact{away(-time.Minute, time.Minute), did(-hour, disable)}, past.Missed, "disabled since", "could not reach"},
		{"W88 it couldn't reach ZooKeeper, and some shards ran", []fact{away(-time.Minute, time.Minute), ran("++..", 0)}, past.Ran, "could not reach ZooKeeper", "in part"},
		{"W88 an instance left before a gap, and the one that came is seen since", []fact{saw(-hour, members.Left, first), away(30*time.Minute, hour), saw(hour, members.Joined, first)}, past.Missed, "No instance lived", "Instances were not seen"},
		{"W88 which instances lived in a gap isn't known", []fact{saw(-hour, members.Left, first), away(-30*time.Minute, hour), saw(hour, members.Joined, first)}, past.NoRecord, "Instances were not seen", "No instance lived"},

		// Junk, and clocks that differ.
		{"two agents two minutes apart", []fact{ran("++..", 0), rows("..++", -2*time.Minute, func(e *tracing.Execution) {
			e.RunID, e.Trigger, e.ScheduledAt = "fire0s", tracing.TriggerSchedule, noon
		})}, past.Ran, "all its shards", "in part"},
		{"a run that ends before it begins", []fact{ran("++++", 0), took(-hour)}, past.Ran, "all its shards", ""},
		{"a run of the year 1", []fact{rows("++++", 0, func(e *tracing.Execution) { e.RunID, e.StartTime, e.ScheduledAt = "x", time.Time{}, time.Time{} })}, past.Missed, "did not run", "and ran"},
		{"records of junk", []fact{did(-hour, ""), did(-hour, "POST /jobs/:job/shards/disable", "", "shards=x,-1,999999999999999999999"), did(-hour, bulk, ", ,", "order=bulk ")}, past.Missed, why, "switched off|disabled since"},
		{"a job without shards", []fact{now(func(j *statistics.Job) { j.Shards = 0 }), ran("++++", 0)}, past.Ran, "", "in part"},
	} {
		in := past.Input{
			Job: statistics.Job{Name: "mail", Cron: "0 0/10 * * * ?", TimeZone: "GMT+0", Shards: 4, ConfigVersion: 3,
				Created: noon.Add(-long), Changed: noon.Add(-day), ReadySince: noon.Add(-day)},
			Servers: []string{"10.0.0.1"}, Live: []string{first}, At: noon, Now: noon.Add(day), Until: noon.Add(hour), HasRuns: true, Before: true, After: true,
			EventsSince: noon.Add(-2 * day), HasRecords: true, Beyond: beyond(first), Registered: map[string]time.Time{first: noon.Add(-day)},
		}
		for _, f := range s.facts {
			f(&in)
		}
		p := past.Explain(i18n.English, in)
		text := strings.Join(append(append([]string{p.Heading}, p.Reasons...), p.Unknown...), "\n")
		wrong := p.Verdict != s.verdict
		for part := range strings.SplitSeq(s.says, "|") {
			wrong = wrong || !strings.Contains(text, part)
		}
		for part := range strings.SplitSeq(s.not, "|") {
			wrong = wrong || part != "" && strings.Contains(text, part)
		}
		if wrong {
			t.Errorf("%s: %s, want %s with %q without %q:\n%s", s.name, p.Verdict, s.verdict, s.says, s.not, text)
		}
	}
}

// TestAround: what happened about then is listed in its order, and not more of it than
// can be read.
func TestAround(t *testing.T) {
	t.Parallel()
	in := past.Input{At: noon, HasRuns: true}
	for i := range 500 {
		at := noon.Add(time.Duration(i-250) * 2 * time.Second)
		in.Runs = append(in.Runs, rdb.Run{Start: at, End: at.Add(time.Second)})
	}
	in.Events = []members.Event{{At: noon, Kind: members.Left}, {At: noon.Add(-time.Hour), Kind: members.Left}}
	p := past.Explain(i18n.English, in)
	left := 0
	for i, m := range p.Around {
		if i > 0 && m.At.Before(p.Around[i-1].At) {
			t.Fatal("not in their order")
		}
		if m.Event != nil {
			left++
		}
	}
	if len(p.Around) > 100 || left != 1 {
		t.Errorf("%d moments, %d of them departures", len(p.Around), left)
	}
}

// TestShutdownOf: the last instances were stopped by the newest shutdown, unless an instance came since, or
// the last instances were on another server.
func TestShutdownOf(t *testing.T) {
	t.Parallel()
	const all, server = "PUT /api/jobs/:job/shutdown", "POST /api/servers/:ip/jobs/:job/shutdown"
	for name, c := range map[string]struct {
		facts []fact
		want  string
	}{
		"of the job":              {[]fact{did(-hour, all), saw(-hour, members.Left, first)}, "ann"},
		"nothing is remembered":   {[]fact{did(-hour, all)}, "ann"},
		"one came since":          {[]fact{did(-hour, all), saw(-30*time.Minute, members.Joined, first), saw(-time.Minute, members.Left, first)}, ""},
		"of its server":           {[]fact{did(-hour, server, "mail on 10.0.0.1"), saw(-hour, members.Left, first)}, "ann on 10.0.0.1"},
		"another one left later":  {[]fact{did(-hour, server, "mail on 10.0.0.1"), saw(-hour, members.Left, first), saw(-time.Minute, members.Left, second)}, ""},
		"refused":                 {[]fact{did(-hour, all, "", "", "no_instances")}, ""},
		"of another job":          {[]fact{did(-hour, all, "invoices")}, ""},
		"whether it was is vague": {[]fact{did(-hour, all, "", "", settings.OutcomeBegun)}, ""},
	} {
		in := past.Input{Job: statistics.Job{Name: "mail"}, Servers: []string{"10.0.0.1"}, At: noon, Now: noon}
		for _, f := range c.facts {
			f(&in)
		}
		got := ""
		if r, on := past.ShutdownOf(in); r != nil {
			got = r.User
			if on != "" {
				got += " on " + on
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
