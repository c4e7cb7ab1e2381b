package scheduler

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// noon is the time of both clocks below.
var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

func ago(d time.Duration) time.Time { return noon.Add(-d) }

// planCase is a decision about job settlement, which fires every hour. Its cursor is at noon,
// everything is stored, and nothing is under way, unless change changes that.
type planCase struct {
	name   string
	change func(o *observation, m *memory)
	// want has the actions, then the changes kept for the store, then the next wake time, except
	// the next fire time an hour from noon.
	want []string
}

func planned(t *testing.T, change func(o *observation, m *memory)) (observation, memory) {
	t.Helper()
	job, app := cloud.NewJob("settlement", "shop", 2), cloud.NewApp("shop")
	job.Cron, job.Misfire, job.Props = "0 0 * * * ?", false, map[string]string{}
	schedule, err := job.Schedule(time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	d := cloud.Definition{Job: job, UID: "1", Created: ago(24 * time.Hour), Changed: ago(24 * time.Hour)}
	d.Status.LastFire, d.Status.Schedule = noon, schedule.Fingerprint()
	d.Status.SetCondition(cloud.Condition{Type: cloud.ConditionAccepted, OK: true, Reason: "Accepted"})
	d.Status.SetCondition(cloud.Condition{Type: cloud.ConditionFires, OK: true, Reason: "Fires"})
	o := observation{
		name: job.Name, jobView: jobView{defined: true, definition: d, app: &app}, parsed: parsed{schedule: schedule},
		now: noon, tick: noon, recorded: true, notifies: true,
	}
	m := memory{}.of("1")
	if change != nil {
		change(&o, &m)
	}
	return o, m
}

func testPlans(t *testing.T, cases []planCase) {
	t.Helper()
	t.Parallel()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o, m := planned(t, c.change)
			given := func() string { return fmt.Sprintf("%+v %+v %+v", o, o.app, m) }
			before := given()
			if got := decided(plan(o, m), m); !slices.Equal(got, c.want) {
				t.Errorf("decided\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(c.want, "\n  "))
			}
			if after := given(); after != before {
				t.Errorf("the plan changed what it was given:\n%s\nwas\n%s", after, before)
			}
		})
	}
}

func decided(d decision, before memory) (lines []string) {
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	for _, a := range d.actions {
		line := string(a.do)
		switch a.do {
		case doLaunch:
			line += fmt.Sprintf(" %s %s", a.launch.Name, a.launch.Origin)
		case doEnd:
			line += fmt.Sprintf(" %s/%d by %s: %s", a.run, a.shard, a.way, a.why)
		case doResume, doForget:
			line += " " + a.run
		case doDaemon:
			line += fmt.Sprintf(" %s of %q: %d", a.daemon.Name, a.daemon.Owner, a.daemon.Count)
		case doNotify, doLogFailed:
			line += " " + a.failed.Name
		case doChange:
			line += fmt.Sprintf(" %d", len(a.changes))
		case doLogDecided:
			line += " " + string(a.decided.Do)
		}
		if a.inTurn {
			line += ", in turn"
		}
		add("%s", line)
	}
	for _, c := range d.backlog.changes[min(len(before.backlog.changes), len(d.backlog.changes)):] {
		add("keep %s", shown(c))
	}
	for _, c := range d.backlog.passing {
		add("passing %s", shown(c))
	}
	if d.backlog.durable > before.backlog.durable {
		add("nothing before that is stored")
	}
	if after := d.wake.Sub(noon); !d.wake.IsZero() && after != time.Hour {
		add("again after %s", after)
	}
	if d.over {
		add("over")
	}
	return lines
}

func shown(c change) string {
	switch c := c.(type) {
	case cloud.Action:
		return string(c.Do)
	case condition:
		return fmt.Sprintf("%s %t %s: %s", c.Type, c.OK, c.Reason, c.Message)
	case lastRun:
		return fmt.Sprintf("last run %s %s", c.Name, c.State)
	}
	return "?"
}

// run returns a run of the job that fired some time before noon.
func run(name string, state cloud.RunState, fired time.Duration, change ...func(*cloud.RunStatus)) cloud.RunStatus {
	r := cloud.RunStatus{Name: name, JobName: "settlement", Owner: "1", Origin: cloud.OriginCron, State: state}
	r.Fire, r.Created = ago(fired), ago(fired)
	if state.Ended() {
		r.Ended = ago(fired).Add(time.Second)
	}
	for _, ch := range change {
		ch(&r)
	}
	return r
}

// of gives a run to another job.
func of(owner string) func(*cloud.RunStatus) { return func(r *cloud.RunStatus) { r.Owner = owner } }

// process is the run of a DAEMON job.
func process(r *cloud.RunStatus) { r.Name, r.Origin = "settlement-daemon", cloud.OriginDaemon }

// deleted removes the job from the store.
func deleted(o *observation, m *memory) {
	o.definition, o.defined, o.app = cloud.Definition{}, false, nil
	*m = m.of("")
}

var nextRun = cloud.RunName("settlement", noon.Add(time.Hour))

// TestPlanFollowsFireTimes: [cloud.Plan]'s actions are carried out up to the first that takes time
// or must be stored.
func TestPlanFollowsFireTimes(t *testing.T) {
	due := func(o *observation) { o.now = noon.Add(time.Hour) }
	launchNoon := "launch " + cloud.RunName("settlement", noon)
	testPlans(t, []planCase{
		{"nothing is due", nil, nil},
		{"a fire time came", func(o *observation, _ *memory) { due(o) }, []string{"launch " + nextRun + " cron, in turn"}},
		{"its name is in use by someone else", func(o *observation, m *memory) {
			due(o)
			m.collided[nextRun] = true
		}, []string{"launch " + cloud.CollisionName(nextRun) + " cron, in turn"}},
		{"it was launched and not reported", func(o *observation, m *memory) {
			due(o)
			m.launched[nextRun] = launched{status: run(nextRun, cloud.RunWaiting, -time.Hour)}
		}, nil},
		{"a run is active", func(o *observation, _ *memory) {
			due(o)
			o.runs = []cloud.RunStatus{run("r", cloud.RunRunning, time.Minute)}
		}, []string{"log decided postpone", "change 1", "keep postpone", "nothing before that is stored"}},
		{"it's pending already", func(o *observation, _ *memory) {
			due(o)
			o.definition.Status.Pending = []time.Time{o.now}
			o.runs = []cloud.RunStatus{run("r", cloud.RunRunning, time.Minute)}
		}, []string{"log decided advance", "keep advance", "again after 5s"}},
		{"a request waits behind a durable change", func(o *observation, m *memory) {
			o.definition.Status.Pending = []time.Time{ago(time.Hour)}
			o.definition.Status.Requests = []cloud.Request{{Key: "k", Asked: noon}}
			done := run(cloud.RunName("settlement", ago(time.Hour)), cloud.RunSucceeded, time.Hour)
			o.runs, m.progress[done.Name] = []cloud.RunStatus{done}, noticed
		}, []string{"log decided forget", "change 1", "keep forget", "nothing before that is stored"}},
		{"a run vanished", func(o *observation, m *memory) {
			o.definition.Status.Pending = []time.Time{noon}
			m.progress["r"] = working
		}, []string{launchNoon + " pending, in turn"}},
		{"a run vanished before it was reported", func(o *observation, m *memory) {
			o.definition.Status.Pending = []time.Time{noon}
			m.launched["r"] = launched{status: run("r", cloud.RunWaiting, time.Minute), list: 3}
			o.lists = 4
		}, []string{launchNoon + " pending, in turn"}},
		{"a run wasn't reported yet", func(o *observation, m *memory) {
			o.definition.Status.Pending = []time.Time{noon}
			m.launched["r"] = launched{status: run("r", cloud.RunWaiting, time.Minute), list: 4}
			o.lists = 4
		}, nil},
		{"the job was never seen", func(o *observation, _ *memory) {
			o.definition.Status.LastFire, o.definition.Status.Schedule = time.Time{}, ""
			o.definition.Created, o.definition.Changed = ago(time.Minute), ago(time.Minute)
		}, []string{"log decided begin", launchNoon + " cron, in turn", "change 1", "keep begin"}},
	})
}

// TestPlanTakesTurns: the next action waits for the current call, for a durable change, and for the
// pause after an error.
func TestPlanTakesTurns(t *testing.T) {
	dueWith := func(change func(o *observation, m *memory)) func(o *observation, m *memory) {
		return func(o *observation, m *memory) {
			o.now = noon.Add(time.Hour)
			change(o, m)
		}
	}
	launches := []string{"launch " + nextRun + " cron, in turn"}
	testPlans(t, []planCase{
		{"a call is under way", dueWith(func(_ *observation, m *memory) { m.turn.begin() }), nil},
		{"a call failed", dueWith(func(_ *observation, m *memory) { m.turn.waitUntil(noon.Add(time.Second)) }),
			[]string{"again after 1s"}},
		{"its pause is over", dueWith(func(_ *observation, m *memory) { m.turn.waitUntil(noon) }), launches},
		{"a durable change is being written", dueWith(func(_ *observation, m *memory) {
			m.backlog.add(durable, noon, condition{})
			m.backlog.begin()
		}), nil},
		{"the store takes nothing for long", dueWith(func(_ *observation, m *memory) {
			m.backlog.add(later, noon, slices.Repeat([]change{condition{}}, mostUnwritten+1)...)
			m.backlog.begin()
		}), nil},
		{"the engine has refused it", dueWith(func(o *observation, m *memory) {
			m.refused = digest(o.definition.Job, o.app)
			m.turn.waitUntil(noon.Add(refusedPause))
		}), []string{"again after 1m0s"}},
		{"the engine has refused another version, and a call is under way", dueWith(func(_ *observation, m *memory) {
			m.refused = "another"
			m.turn.begin()
		}), nil},
		{"the engine has refused another version", dueWith(func(_ *observation, m *memory) {
			m.refused = "another"
			m.turn.waitUntil(noon.Add(refusedPause))
		}), launches},
	})
}

// TestPlanWritesTheStatus: the backlog is written when it's due, one write at a time.
func TestPlanWritesTheStatus(t *testing.T) {
	off := func(o *observation) {
		o.definition.Job.Disabled = true
		o.definition.Status.SetCondition(cloud.Condition{
			Type: cloud.ConditionFires, Reason: cloud.ReasonDisabled, Message: "the job is disabled",
		})
	}
	testPlans(t, []planCase{
		{"not yet", func(_ *observation, m *memory) { m.backlog.add(later, ago(time.Second), condition{}) },
			[]string{"again after 4s"}},
		{"it's time", func(_ *observation, m *memory) { m.backlog.add(later, ago(flushDelay), condition{}) },
			[]string{"change 1"}},
		{"it's about an earlier job", func(_ *observation, m *memory) {
			m.backlog.add(atOnce, noon, condition{})
			m.uid = "0"
		}, nil},
		{"a write is under way", func(_ *observation, m *memory) {
			m.backlog.add(atOnce, noon, condition{})
			m.backlog.begin()
		}, nil},
		{"a fire time passes while the job is off", func(o *observation, _ *memory) {
			off(o)
			o.now = noon.Add(time.Hour)
		}, []string{"log decided advance", "passing advance"}},
		{"the job goes on", func(o *observation, m *memory) {
			m.backlog.add(whenEnabled, noon, cloud.Action{Do: cloud.DoAdvance, Cursor: noon, Schedule: o.schedule.Fingerprint()})
		}, []string{"keep advance", "again after 5s"}},
	})
}

// TestPlanEndsRunsOfOthers: runs of a deleted job end, and are forgotten once they're in the history.
func TestPlanEndsRunsOfOthers(t *testing.T) {
	gone := func(runs ...cloud.RunStatus) func(o *observation, m *memory) {
		return func(o *observation, m *memory) {
			deleted(o, m)
			o.runs = runs
		}
	}
	long := cloud.HistoryAtLeast + time.Second
	end := `end r/-1 by kill: job "settlement" was deleted`
	testPlans(t, []planCase{
		{"its job was deleted", gone(run("r", cloud.RunRunning, time.Minute)), []string{end, "again after 1m0s"}},
		{"its job was made again", func(o *observation, _ *memory) {
			o.runs = []cloud.RunStatus{run("r", cloud.RunRunning, time.Minute, of("0"))}
		}, []string{end, "again after 1m0s"}},
		{"a call of the job is under way", func(o *observation, m *memory) {
			gone(run("r", cloud.RunRunning, time.Minute))(o, m)
			m.turn.begin()
		}, []string{end, "again after 1m0s"}},
		{"it was asked to a moment ago", func(o *observation, m *memory) {
			gone(run("r", cloud.RunRunning, time.Minute))(o, m)
			m.asked["r"] = asked{doEnd, ago(repeatAfter - 1)}
		}, []string{"again after 1m0s"}},
		{"nothing came of it", func(o *observation, m *memory) {
			gone(run("r", cloud.RunRunning, time.Minute))(o, m)
			m.asked["r"] = asked{doEnd, ago(repeatAfter)}
		}, []string{end, "again after 1m0s"}},
		{"it ended long ago", gone(run("r", cloud.RunKilled, long)), []string{"forget r", "again after 1m0s"}},
		{"it ended a moment ago", gone(run("r", cloud.RunKilled, time.Minute)), []string{"again after 1m0s"}},
		{"its rows aren't safe", func(o *observation, m *memory) {
			gone(run("r", cloud.RunKilled, long))(o, m)
			o.recorded = false
		}, []string{"again after 1m0s"}},
		{"nothing is left", deleted, []string{"over"}},
		{"a call is left", func(o *observation, m *memory) {
			deleted(o, m)
			m.turn.begin()
		}, nil},
		{"a write is left", func(o *observation, m *memory) {
			deleted(o, m)
			m.backlog.begin()
		}, nil},
		{"the document can't be read", func(o *observation, _ *memory) {
			o.unreadable = errors.New("cpuCount: want a number")
			o.runs = []cloud.RunStatus{run("r", cloud.RunRunning, time.Minute, of("0"))}
		}, nil},
		{"the runs of the namespace can't be read", func(o *observation, _ *memory) {
			o.halted = cloud.ErrForbidden
			o.now = noon.Add(time.Hour)
			o.runs = []cloud.RunStatus{run("r", cloud.RunRunning, time.Minute, of("0"))}
		}, []string{"keep " + shown(condition(unreadCondition(cloud.ErrForbidden, noon))), "again after 5s"}},
	})
}

// TestPlanKeepsDaemons: the engine gets the job's processes, and another request if it reports something else.
func TestPlanKeepsDaemons(t *testing.T) {
	healthy := cloud.Condition{Type: cloud.ConditionHealthy, OK: true, Reason: cloud.ReasonProcesses}
	daemonWith := func(state cloud.RunState, change func(o *observation, m *memory)) func(o *observation, m *memory) {
		return func(o *observation, m *memory) {
			o.definition.Job.Type = cloud.TypeDaemon
			o.definition.Status.SetCondition(healthy)
			if state != "" {
				o.runs = []cloud.RunStatus{run("", state, time.Minute, process)}
			}
			d := cloud.Daemon{Name: "settlement", Job: o.definition.Job, App: *o.app, Owner: "1", Count: 2}
			m.daemon, m.daemonAt = digest(d), ago(time.Second)
			change(o, m)
		}
	}
	bring, stop := `daemon settlement of "1": 2, in turn`, `daemon settlement of "1": 0`
	testPlans(t, []planCase{
		{"they're new", daemonWith("", func(_ *observation, m *memory) { m.daemon = "" }), []string{bring}},
		{"they're as they should be", daemonWith(cloud.RunRunning, func(*observation, *memory) {}), nil},
		{"the job was changed", daemonWith(cloud.RunRunning, func(o *observation, _ *memory) {
			o.definition.Job.Shards = 3
		}), []string{`daemon settlement of "1": 3, in turn`}},
		{"the application is off", daemonWith(cloud.RunRunning, func(o *observation, _ *memory) {
			o.app.Disabled = true
		}), []string{
			stop + ", in turn", `keep Fires false Disabled: the application "shop" is disabled`, "again after 5s",
		}},
		{"they aren't reported yet", daemonWith("", func(*observation, *memory) {}), []string{"again after 29s"}},
		{"they vanished", daemonWith(cloud.RunKilled, func(_ *observation, m *memory) {
			m.daemonAt = ago(repeatAfter)
		}), []string{bring}},
		{"the application can't be read", daemonWith(cloud.RunRunning, func(o *observation, _ *memory) {
			o.invalid = errors.New("no")
		}), []string{
			"keep Accepted false Invalid: no", "keep Fires false Invalid: the job is not accepted", "again after 5s",
		}},
		{"the engine has a message", daemonWith(cloud.RunWaiting, func(o *observation, _ *memory) {
			o.runs[0].Message = "no node"
		}), []string{"keep Healthy false Processes: no node", "again after 5s"}},
		{"the job is no longer a DAEMON job", daemonWith(cloud.RunRunning, func(o *observation, _ *memory) {
			o.definition.Job.Type = cloud.TypeTransient
		}), []string{stop, "again after 1m0s"}},
		{"the job was deleted", daemonWith(cloud.RunRunning, deleted), []string{stop, "again after 1m0s"}},
		{"the job was deleted before they were reported", daemonWith("", deleted),
			[]string{`daemon settlement of "": 0, in turn`}},
		{"the job was deleted during a call", daemonWith("", func(o *observation, m *memory) {
			deleted(o, m)
			m.turn.begin()
		}), nil},
		{"they wait", daemonWith(cloud.RunWaiting, func(o *observation, _ *memory) {
			o.definition.Status.SetCondition(cloud.Condition{Type: cloud.ConditionHealthy, Reason: cloud.ReasonProcesses})
		}), nil},
		{"they were stopped", daemonWith("", func(o *observation, m *memory) {
			deleted(o, m)
			m.daemon = digest(noDaemon("", "settlement", ""))
		}), []string{"over"}},
	})
}

// TestPlanNoticesEnds: which ends count, which are notified, and when they're stored.
func TestPlanNoticesEnds(t *testing.T) {
	runs := func(change func(o *observation, m *memory), list ...cloud.RunStatus) func(o *observation, m *memory) {
		return func(o *observation, m *memory) {
			o.definition.Job.ErrorHandlerType = "EMAIL"
			o.definition.Status.SetCondition(cloud.Condition{
				Type: cloud.ConditionHealthy, OK: true, Reason: cloud.ReasonLastRun,
			})
			o.definition.Status.LastRun = cloud.LastRun{Name: "old", Ended: ago(time.Hour)}
			o.runs = list
			if change != nil {
				change(o, m)
			}
		}
	}
	failed, soon := run("r", cloud.RunFailed, time.Minute), "again after 5s"
	healthy, unhealthy := "keep Healthy true LastRun: ", "keep Healthy false LastRun: "
	testPlans(t, []planCase{
		{"it succeeded", runs(nil, run("r", cloud.RunSucceeded, time.Minute)),
			[]string{"keep last run r succeeded", soon}},
		{"it failed", runs(nil, failed), []string{"log failed r", "notify r", unhealthy, soon}},
		{"the job doesn't ask", runs(func(o *observation, _ *memory) { o.definition.Job.ErrorHandlerType = "LOG" }, failed),
			[]string{"log failed r", unhealthy, "keep last run r failed", soon}},
		{"there is no notifier", runs(func(o *observation, _ *memory) { o.notifies = false }, failed),
			[]string{"log failed r", unhealthy, "keep last run r failed", soon}},
		{"it was noticed", runs(func(_ *observation, m *memory) { m.progress["r"] = noticed }, failed), nil},
		{"an earlier leader noticed it", runs(nil, run("r", cloud.RunFailed, 2*time.Hour)), nil},
		{"it ended before the last run, and this term saw it at work", runs(func(_ *observation, m *memory) {
			m.progress["r"] = working
		}, run("r", cloud.RunFailed, 2*time.Hour)), []string{"log failed r", "notify r"}},
		{"it succeeded while someone is notified of an earlier one", runs(func(_ *observation, m *memory) {
			m.ends = []runEnd{{cloud.LastRun{Name: "f", Ended: ago(30 * time.Minute)}, sending}}
		}, run("r", cloud.RunSucceeded, time.Minute)), nil},
		{"a notification was sent", runs(func(_ *observation, m *memory) {
			m.progress["r"], m.progress["s"] = noticed, noticed
			m.ends = []runEnd{
				{cloud.LastRun{Name: "r", State: cloud.RunFailed, Ended: ago(2)}, sent},
				{cloud.LastRun{Name: "s", State: cloud.RunSucceeded, Ended: ago(1)}, unwanted},
			}
		}), []string{"change 2", "keep last run r failed", "keep last run s succeeded"}},
		{"several ended together", runs(nil,
			run("b", cloud.RunSucceeded, time.Minute), run("a", cloud.RunFailed, time.Minute)),
			[]string{"log failed a", "notify a", unhealthy, healthy, soon}},
	})
}

// TestPlanSaysConditions: whether the job is accepted and fires, and why not.
func TestPlanSaysConditions(t *testing.T) {
	missing := "keep Fires false AppMissing: the job is not accepted"
	testPlans(t, []planCase{
		{"the job is invalid", func(o *observation, _ *memory) { o.invalid = errors.New("cron: no") }, []string{
			"keep Accepted false Invalid: cron: no", "keep Fires false Invalid: the job is not accepted", "again after 5s",
		}},
		{"there is no application", func(o *observation, _ *memory) { o.app = nil }, []string{
			`keep Accepted false AppMissing: there is no application "shop"; register it`, missing, "again after 5s",
		}},
		{"the application is in another namespace", func(o *observation, _ *memory) {
			o.app, o.elsewhere = nil, "b"
		}, []string{
			`keep Accepted false AppMissing: application "shop" is in namespace b, and the job in ; ` +
				`a job uses an application of its own namespace`, missing, "again after 5s",
		}},
		{"the job is disabled", func(o *observation, _ *memory) { o.definition.Job.Disabled = true }, []string{
			"keep Fires false Disabled: the job is disabled", "again after 5s",
		}},
		{"it's enabled again", func(o *observation, _ *memory) {
			o.definition.Status.SetCondition(cloud.Condition{Type: cloud.ConditionFires, Reason: cloud.ReasonDisabled})
		}, []string{"keep Fires true Fires: ", "again after 5s"}},
		{"the engine has refused it", func(o *observation, m *memory) {
			o.definition.Status.SetCondition(cloud.Condition{Type: cloud.ConditionFires, Reason: cloud.ReasonRefused})
			m.refused = digest(o.definition.Job, o.app)
		}, nil},
		{"a name of a run is in use", func(o *observation, m *memory) {
			o.definition.Status.SetCondition(cloud.Condition{
				Type: cloud.ConditionFires, OK: true, Reason: cloud.ReasonNameCollision,
			})
			m.collided["r"] = true
		}, nil},
	})
}

// TestPlanSwitchesRuns: runs end, are suspended and resume according to the job's switch.
func TestPlanSwitchesRuns(t *testing.T) {
	switched := func(disabled bool, way cloud.Way, r cloud.RunStatus, ask ...asked) func(o *observation, m *memory) {
		return func(o *observation, m *memory) {
			o.definition.SetDisabled(!disabled, "", noon)
			o.definition.SetDisabled(disabled, way, noon)
			if disabled {
				o.definition.Status.SetCondition(cloud.Condition{
					Type: cloud.ConditionFires, Reason: cloud.ReasonDisabled, Message: "the job is disabled",
				})
			}
			o.runs = []cloud.RunStatus{r}
			for _, a := range ask {
				m.asked["r"] = a
			}
		}
	}
	running, suspended := run("r", cloud.RunRunning, time.Minute), run("r", cloud.RunSuspended, time.Minute)
	settled := []string{"log decided settled", "change 1", "keep settled", "nothing before that is stored"}
	testPlans(t, []planCase{
		{"off, killed", switched(true, cloud.EndKill, running), []string{"end r/-1 by kill: disabled, in turn"}},
		{"off, suspended", switched(true, cloud.EndSuspend, running), []string{"end r/-1 by suspend: disabled, in turn"}},
		{"off, finishing", switched(true, "", running), nil},
		{"off, asked to end a moment ago", switched(true, cloud.EndKill, running, asked{doEnd, ago(time.Second)}),
			[]string{"again after 30s"}},
		{"off, asked to resume a moment ago", switched(true, cloud.EndKill, running, asked{doResume, ago(time.Second)}),
			[]string{"end r/-1 by kill: disabled, in turn"}},
		{"on, suspended", switched(false, "", suspended), []string{"resume r, in turn"}},
		{"on, asked to suspend a moment ago", switched(false, "", suspended, asked{doEnd, ago(time.Second)}),
			[]string{"resume r, in turn"}},
		{"on, its suspension isn't reported", switched(false, "", running, asked{doEnd, ago(time.Second)}),
			[]string{"again after 30s"}},
		{"on, its resumption isn't reported", switched(false, "", suspended, asked{doResume, ago(time.Second)}),
			[]string{"again after 30s"}},
		{"on, running", switched(false, "", running), settled},
		{"on, resumed a moment ago", switched(false, "", running, asked{doResume, ago(time.Second)}), settled},
	})
}

// TestPlanEndsStuckTasks: a task that can't start ends as an error at its deadline.
func TestPlanEndsStuckTasks(t *testing.T) {
	stuck := func(since time.Duration) func(o *observation, m *memory) {
		return func(o *observation, _ *memory) {
			o.definition.Job.Props[cloud.PropStartDeadline] = "30s"
			o.runs = []cloud.RunStatus{run("r", cloud.RunWaiting, time.Minute)}
			o.stuck = []stuckTask{{cloud.Task{
				TaskRef: cloud.TaskRef{Run: "r", Shard: 1, UID: "u"}, State: tracing.StateStaging, Stuck: ago(since),
				Message: "no image",
			}, "r"}}
		}
	}
	testPlans(t, []planCase{
		{"there is time", stuck(10 * time.Second), []string{"again after 20s"}},
		{"there isn't", stuck(30 * time.Second), []string{"end r/1 by error: it did not start within 30s: no image"}},
		{"it was asked to end", func(o *observation, m *memory) {
			stuck(30*time.Second)(o, m)
			m.asked["u"] = asked{doEnd, ago(time.Second)}
		}, nil},
		{"it's a process of a DAEMON job", func(o *observation, m *memory) {
			stuck(30*time.Second)(o, m)
			o.stuck[0].Run = cloud.DaemonRunName("settlement")
		}, nil},
	})
}

// TestPlanTrims: runs beyond the history are forgotten when everything about them is stored.
func TestPlanTrims(t *testing.T) {
	many := func(change func(o *observation, m *memory)) func(o *observation, m *memory) {
		return func(o *observation, m *memory) {
			for i := range cloud.HistorySucceeded + 1 {
				r := run(fmt.Sprintf("r%d", i), cloud.RunSucceeded, time.Duration(i+1)*time.Hour)
				o.runs = append(o.runs, r)
				m.progress[r.Name] = noticed
			}
			change(o, m)
		}
	}
	again := "again after 1m0s"
	testPlans(t, []planCase{
		{"one is too many", many(func(*observation, *memory) {}), []string{"forget r3", again}},
		{"its rows aren't safe", many(func(o *observation, _ *memory) { o.recorded = false }), []string{again}},
		{"the status is being written", many(func(_ *observation, m *memory) { m.backlog.begin() }), []string{again}},
		{"the status isn't written", many(func(_ *observation, m *memory) { m.backlog.add(later, noon, condition{}) }),
			[]string{"again after 5s"}},
		{"someone is being notified", many(func(_ *observation, m *memory) { m.ends = []runEnd{{notice: sending}} }),
			[]string{again}},
		{"it was asked for", many(func(_ *observation, m *memory) { m.asked["r3"] = asked{doForget, ago(time.Second)} }),
			[]string{again}},
	})
}

// TestCallStates walks the table of [call].
func TestCallStates(t *testing.T) {
	t.Parallel()
	var c call
	later := noon.Add(time.Minute)
	for _, step := range []struct {
		name  string
		do    func()
		state callState
		ready bool // at noon
	}{
		{"at first", func() {}, idle, true},
		{"waitUntil", func() { c.waitUntil(later) }, waiting, false},
		{"begin", func() { c.begin() }, calling, false},
		{"failed", func() { c.failed(noon, errAway) }, waiting, false},
		{"begin again", func() { c.begin() }, calling, false},
		{"waitUntil before the reply", func() { c.waitUntil(later) }, calling, false},
		{"done", func() { c.done() }, waiting, false},
		{"begin for the third time", func() { c.begin() }, calling, false},
		{"done for the second time", func() { c.done() }, idle, true},
	} {
		if step.do(); c.state != step.state || c.ready(noon) != step.ready {
			t.Errorf("after %s: %+v, ready %t", step.name, c, c.ready(noon))
		}
	}
	if c.failures != 0 {
		t.Errorf("%d failures are counted after a success", c.failures)
	}
}

// TestBacklog: changes made during a write stay, and so do durable ones.
func TestBacklog(t *testing.T) {
	t.Parallel()
	var b backlog
	b.add(whenEnabled, noon, lastRun{Name: "passing"})
	b.add(later, noon, lastRun{Name: "a"})
	if b.state != waiting || !b.at.Equal(noon.Add(flushDelay)) || len(b.changes) != 2 {
		t.Errorf("after a change: %+v", b)
	}
	b.begin()
	b.add(durable, noon.Add(time.Second), lastRun{Name: "b"})
	b.written(2)
	if b.state != waiting || b.ready(noon) || !b.ready(noon.Add(time.Second)) || b.durable != 1 || len(b.changes) != 1 {
		t.Errorf("after the write of the first two: %+v", b)
	}
	b.begin()
	b.written(1)
	if b.state != idle || b.durable != 0 || len(b.changes) != 0 {
		t.Errorf("after the last write: %+v", b)
	}
}

// TestRowsAreForgottenWithTheirTasks: recorded rows are remembered as long as the task exists.
func TestRowsAreForgottenWithTheirTasks(t *testing.T) {
	t.Parallel()
	m := newMirror()
	recorded := &rows{statuses: make(map[string]tracing.Status), executions: make(map[string]tracing.Execution)}
	term := &term{
		Scheduler: &Scheduler{Config: Config{Recorder: recorded, Metrics: noMetrics{}, Now: time.Now}, mirror: m},
		rows:      make(map[taskKey]rowState),
	}
	m.lead()
	ended := cloud.Task{
		TaskRef: cloud.TaskRef{Run: "r", UID: "u", Attempt: 1}, State: tracing.StateFinished,
		Created: noon, Started: noon, Ended: noon,
	}
	report := func(event cloud.Event) (remembered, calls int) {
		m.onEngine(cloud.TaskEvent{Event: event, Run: run("r", cloud.RunSucceeded, time.Minute), Task: ended})
		_, news := m.take()
		term.record(news)
		return len(term.rows), recorded.calls
	}
	if remembered, calls := report(cloud.EventChanged); remembered != 1 || calls != 4 {
		t.Errorf("%d tasks are remembered, %d rows were recorded", remembered, calls)
	}
	if remembered, calls := report(cloud.EventRemoved); remembered != 0 || calls != 4 {
		t.Errorf("%d tasks are remembered when it's gone, %d rows were recorded", remembered, calls)
	}
}

// TestResultsOfCalls: the job's memory has the results of calls.
func TestResultsOfCalls(t *testing.T) {
	t.Parallel()
	launch := action{do: doLaunch, inTurn: true, uid: "1", launch: cloud.Run{Name: "r"}, decided: cloud.Action{Run: "r"}}
	end := action{do: doEnd, inTurn: true, uid: "1", run: "r"}
	change := action{do: doChange, uid: "1", changes: []change{condition{}}}
	daemon := action{do: doDaemon, inTurn: true, uid: "1", daemon: cloud.Daemon{Name: "d", Count: 1}}
	notify := action{do: doNotify, uid: "1", failed: cloud.RunStatus{Name: "f"}}
	of := func(uid string, a action) action {
		a.uid = uid
		return a
	}
	const untouched = "turn calling, store calling, 1 changes"
	for _, c := range []struct {
		name string
		a    action
		err  error
		want string
	}{
		{"launched", launch, nil, "turn idle, store calling, 2 changes, launched r"},
		{"the run's name is in use", launch, cloud.ErrForeign, "turn idle, store calling, 2 changes, collided r"},
		{"the launch is refused", launch, cloud.ErrForbidden, "turn waiting, refused, store calling, 2 changes"},
		{"the launch failed", launch, errAway, "turn waiting, 1 failures, store calling, 1 changes"},
		{"another leader launches", launch, errNotLeading, untouched},
		{"the job was made again", of("0", launch), nil, "turn idle, store calling, 1 changes"},
		{"the run ended", end, nil, "turn idle, store calling, 1 changes"},
		{"there is no such run", end, cloud.ErrNotFound, "turn idle, store calling, 1 changes"},
		{"the end failed", end, cloud.ErrRefused, "turn waiting, 1 failures, store calling, 1 changes, forgets asking"},
		{"the processes are there", daemon, nil, "turn idle, store calling, 1 changes, daemon"},
		{"the processes are refused", daemon, cloud.ErrUnsupported, "turn waiting, refused, store calling, 2 changes"},
		{"the status is written", change, nil, "turn calling, store idle, 0 changes"},
		{"the write failed", change, errAway, "turn calling, store waiting, 1 changes"},
		{"the job is gone", change, cloud.ErrNotFound, "turn calling, store idle, 0 changes"},
		{"another job was written", of("0", change), nil, "turn calling, store idle, 1 changes"},
		{"notified", notify, nil, "turn calling, store calling, 1 changes, sent"},
		{"the notification is given up", notify, errAway, "turn calling, store calling, 1 changes, sent"},
		{"an orphan's end failed", action{do: doEnd, uid: "1", run: "o"}, errAway, untouched + ", looks again"},
	} {
		config := Config{Logger: slog.New(slog.DiscardHandler), Metrics: noMetrics{}, Now: time.Now}
		term := &term{Scheduler: &Scheduler{Config: config, mirror: newMirror()}, ctx: t.Context()}
		e := &entry{name: "settlement", memory: memory{}.of("1")}
		e.turn.begin()
		e.backlog.add(later, noon, condition{})
		e.backlog.begin()
		e.asked["r"], e.ends = asked{doEnd, noon}, []runEnd{{cloud.LastRun{Name: "f"}, sending}}
		term.finish(e, c.a, cloud.Definition{}, c.err)
		if got := remembered(e); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
	}
}

func remembered(e *entry) string {
	states := map[callState]string{idle: "idle", waiting: "waiting", calling: "calling"}
	lines := []string{"turn " + states[e.turn.state]}
	add := func(really bool, line string) {
		if really {
			lines = append(lines, line)
		}
	}
	add(e.turn.failures > 0, fmt.Sprintf("%d failures", e.turn.failures))
	add(e.refused != "", "refused")
	add(true, fmt.Sprintf("store %s, %d changes", states[e.backlog.state], len(e.backlog.changes)))
	for run := range e.launched {
		add(true, "launched "+run)
	}
	for run := range e.collided {
		add(true, "collided "+run)
	}
	add(e.daemon != "", "daemon")
	add(len(e.asked) == 0, "forgets asking")
	add(e.ends[0].notice == sent, "sent")
	add(!e.at.IsZero(), "looks again")
	return strings.Join(lines, ", ")
}
