package judge_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/judge"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// at returns a time in a handmade history, in seconds.
func at(seconds float64) time.Time {
	return time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(seconds * float64(time.Second)))
}

// The handmade history has two processes, two shards and a fire time each ten seconds. The fleet is
// healed at 60 and quiet from 100 to 200.
const (
	handPeriod = 10
	handEnd    = 200
)

func goodHistory() *judge.History {
	h := judge.NewHistory()
	h.Begin, h.Healed, h.Quiet, h.End, h.SessionTimeout = at(0), at(60), at(100), at(handEnd), 6*time.Second
	h.Jobs["job"] = &judge.JobHistory{
		Name: "job", Longest: 3 * time.Second, Items: map[int][]judge.Span{0: {{From: at(-20)}}, 1: {{From: at(-20)}}},
		Settings: []judge.Settings{{From: at(-20), Period: handPeriod * time.Second, Items: 2, Monitor: true, Misfire: true, Failover: true}},
	}
	for t := float64(handPeriod); t < handEnd; t += handPeriod {
		ran(h, 0, "a", tracing.SourceNormal, t, t, t+1)
		ran(h, 1, "b", tracing.SourceNormal, t, t, t+2)
	}
	h.Changes = []*judge.Change{{Job: "job", At: at(120), Instance: "10.0.0.3@-@3", Joined: true, Settled: at(120.5)}}
	for _, t := range []float64{105, 195} {
		h.Snapshots = append(h.Snapshots, judge.Snapshot{Job: "job", At: at(t), Nodes: []judge.Node{
			{Path: "/instances/" + instance("a"), Owner: 1}, {Path: "/instances/" + instance("b"), Owner: 2},
			{Path: "/servers/10.0.0.1", Data: "ENABLED"}, {Path: "/servers/10.0.0.2", Data: "ENABLED"}, {Path: "/servers/10.0.0.9", Data: "DISABLED"},
			{Path: "/sharding/0"}, {Path: "/sharding/0/instance", Data: instance("a")},
			{Path: "/sharding/1"}, {Path: "/sharding/1/instance", Data: instance("b")},
			{Path: "/leader/election/instance", Data: instance("b"), Owner: 2},
		}})
	}
	h.Disabled["job/servers/10.0.0.9"] = true
	return h
}

func instance(process string) string {
	n := strconv.Itoa(int(process[0]-'a') + 1)
	return "10.0.0." + n + "@-@" + n
}

// ran adds a completed run, with a marker that its session removed.
func ran(h *judge.History, shard int, process string, source tracing.Source, scheduled, start, end float64) *judge.Run {
	session := int64(process[0]-'a') + 1
	r := &judge.Run{
		Job: "job", Item: shard, Process: process, Instance: instance(process), Source: source,
		Scheduled: at(scheduled), Start: at(start), End: at(end), Outcome: judge.Completed, Token: 100 + session,
	}
	h.Runs = append(h.Runs, r)
	h.Markers = append(h.Markers, &judge.Marker{Job: "job", Item: shard, Instance: r.Instance, Session: session, From: at(start), To: at(end), RemovedBy: session})
	return r
}

// without removes the runs of a shard for a fire time.
func without(h *judge.History, shard int, scheduled float64) {
	h.Runs = slices.DeleteFunc(h.Runs, func(r *judge.Run) bool { return r.Item == shard && r.Scheduled.Equal(at(scheduled)) })
}

// broken ends a run together with its process, so its marker stays.
func broken(h *judge.History, shard int, scheduled float64) {
	for i, r := range h.Runs {
		if r.Item == shard && r.Scheduled.Equal(at(scheduled)) {
			r.Outcome = judge.Died
			h.Markers[i].RemovedBy, h.Markers[i].Offered = 99, true
		}
	}
}

// late adds a marker without a run: its request was delayed until its process had given up, and the
// next session removed the marker.
func late(h *judge.History, shard int, when float64) {
	h.Markers = append(h.Markers, &judge.Marker{Job: "job", Item: shard, Instance: instance("a"), Session: 1, From: at(when), To: at(when), RemovedBy: 1, Offered: true})
}

func node(h *judge.History, n judge.Node) {
	for i := range h.Snapshots {
		h.Snapshots[i].Nodes = append(h.Snapshots[i].Nodes, n)
	}
}

func unnode(h *judge.History, path string) {
	for i := range h.Snapshots {
		h.Snapshots[i].Nodes = slices.DeleteFunc(h.Snapshots[i].Nodes, func(n judge.Node) bool { return n.Path == path })
	}
}

// meets gives the job a listener that is called once per run and waits 8 s.
func meets(h *judge.History) {
	job := h.Jobs["job"]
	job.Meeting = 8 * time.Second
	for fire := h.Quiet; fire.Before(h.End); fire = fire.Add(handPeriod * time.Second) {
		job.Started, job.Ended = append(job.Started, fire), append(job.Ended, fire)
	}
}

var good = map[string]func(h *judge.History){
	"a trigger that was taken at the moment of a fire time": func(h *judge.History) {
		h.Jobs["job"].Triggers = []time.Time{at(29.5)}
		ran(h, 0, "a", tracing.SourceNormal, 30, 33, 34)
	},
	"as it is": func(*judge.History) {},
	"a process that ended a trigger's run in an outage takes the offer of it": func(h *judge.History) {
		triggeredWithoutSchedule(h)
		ran(h, 0, "a", tracing.SourceFailover, 36.5, 36.5, 37).Token = 150
		renewed(h, 42)
	},
	"a run that died is failed over once": func(h *judge.History) {
		broken(h, 0, 30)
		ran(h, 0, "b", tracing.SourceFailover, 30, 36.5, 37).Token = 150
		renewed(h, 37)
	},
	"an owner runs a shard that it has claimed for its next fire time, and leaves before the handler is called": func(h *judge.History) {
		broken(h, 0, 30)
		without(h, 0, 40)
		h.Jobs["job"].Owners = map[int][]judge.Owner{0: {{Instance: instance("a"), From: at(-20)}}}
		h.Markers = append(h.Markers, &judge.Marker{Job: "job", Item: 0, Instance: instance("a"), Session: 1, From: at(39.9), To: at(41), RemovedBy: 1, Claimed: true})
		ran(h, 0, "b", tracing.SourceFailover, 40, 46.5, 47).Token = 150
		renewed(h, 47)
	},
	"a trigger that was marked and not run is failed over after an unrecorded run for a fire time": func(h *judge.History) {
		markedForATrigger(h)
		ran(h, 0, "b", tracing.SourceFailover, 33.05, 45, 46).Token = 150
		renewed(h, 46)
	},
	"a missed fire time is made up for": func(h *judge.History) {
		without(h, 0, 30)
		ran(h, 0, "a", tracing.SourceMisfire, 30, 34, 35)
	},
	"what was missed waits while a trigger's run meets the others": func(h *judge.History) {
		meets(h)
		h.Jobs["job"].Triggers = []time.Time{at(31)}
		h.Disturb(judge.Span{From: at(29), To: at(31.5)})
		without(h, 0, 30)
		ran(h, 0, "a", tracing.SourceNormal, 31.5, 31.5, 32)
	},
	"what was missed waits at its start for an instance that makes up for it as a misfire": func(h *judge.History) {
		meets(h)
		h.Disturb(judge.Span{From: at(29), To: at(32)})
		without(h, 0, 30)
		without(h, 1, 30)
		ran(h, 1, "b", tracing.SourceMisfire, 30, 32, 33)
	},
	"several missed fire times count as one": func(h *judge.History) {
		without(h, 0, 30)
		without(h, 0, 40)
		ran(h, 0, "a", tracing.SourceMisfire, 40, 44, 45)
	},
	"a disturbed fleet may let the next fire time serve for the last": func(h *judge.History) {
		without(h, 0, 30)
		h.Disturb(judge.Span{From: at(29), To: at(39.5)})
	},
	"a paused process is overtaken under a higher token": func(h *judge.History) {
		h.Runs[4].End = at(36) // shard 0 for 30 on a
		h.Excuse("a", judge.Span{From: at(30.5), To: at(36)})
		h.Markers[4].RemovedBy, h.Markers[4].Offered = 99, true
		ran(h, 0, "b", tracing.SourceFailover, 30, 35, 37).Token = 150
		renewed(h, 37)
	},
	"a marker that comes late is taken away and offered at once": func(h *judge.History) {
		without(h, 0, 30)
		late(h, 0, 36)
		ran(h, 0, "b", tracing.SourceFailover, 36, 36, 37).Token = 150
		renewed(h, 37)
	},
	"a trigger runs a shard beside its schedule": func(h *judge.History) {
		h.Jobs["job"].Triggers = []time.Time{at(44)}
		ran(h, 0, "a", tracing.SourceNormal, 44.1, 44.1, 45)
	},
	"a clock that is ahead runs its fire times before the others": func(h *judge.History) {
		h.Skew = 5 * time.Second
		for _, list := range []func(i int) (*time.Time, *time.Time){
			func(i int) (*time.Time, *time.Time) { return &h.Runs[i].Start, &h.Runs[i].End },
			func(i int) (*time.Time, *time.Time) { return &h.Markers[i].From, &h.Markers[i].To },
		} {
			for i, r := range h.Runs {
				if r.Process == "a" {
					from, to := list(i)
					r.Local, *from, *to = r.Scheduled, r.Scheduled.Add(-5*time.Second), r.Scheduled.Add(-4*time.Second)
				}
			}
		}
	},
	"a fire time is refused because of the clock": func(h *judge.History) {
		without(h, 0, 30)
		h.Refuse(judge.Refusal{Job: "job", Process: "a", At: at(30)})
	},
	"misfire is switched off": func(h *judge.History) {
		h.Skew = time.Millisecond
		job := h.Jobs["job"]
		off := job.Settings[0]
		off.From, off.Misfire = at(45), false
		job.Settings = append(job.Settings, off)
		without(h, 0, 60)
	},
}

// markedForATrigger marks shard 0 for a trigger, but its handler isn't called. Then it runs for 40,
// which isn't recorded either.
func markedForATrigger(h *judge.History) {
	h.Jobs["job"].Triggers = []time.Time{at(33)}
	h.Markers[6].RemovedBy = 99
	h.Markers = append(h.Markers, &judge.Marker{Job: "job", Item: 0, Instance: instance("a"), Session: 1, From: at(33.1), To: at(35), RemovedBy: 99, Offered: true})
}

// Allowed behavior is not a violation.
func TestCheckerAcceptsGoodHistories(t *testing.T) {
	t.Parallel()
	for name, change := range good {
		h := goodHistory()
		change(h)
		breaks(t, name, "", h)
	}
}

// breaks checks that a history breaks a rule, or none if rule is empty.
func breaks(t *testing.T, name, rule string, h *judge.History) {
	t.Helper()
	found := judge.Check(h)
	switch {
	case rule == "" && len(found) > 0:
		t.Errorf("%s: %v\n%s", name, found[0], judge.Timeline(h, found[0]))
	case rule != "" && !slices.ContainsFunc(found, func(v judge.Violation) bool { return v.Rule == rule }):
		t.Errorf("%s: want %s, got %v", name, rule, found)
	}
}

// planted are violations, by the invariant that finds them.
var planted = map[string]func(h *judge.History){
	"I1 two processes at once": func(h *judge.History) {
		ran(h, 0, "b", tracing.SourceNormal, 30.25, 30.25, 32)
	},
	"I1 one process twice at once": func(h *judge.History) {
		ran(h, 0, "a", tracing.SourceNormal, 30.25, 30.25, 32)
	},
	"I1 a run that never ended": func(h *judge.History) {
		h.Runs[4].End, h.Runs[4].Outcome = time.Time{}, ""
	},
	"I1 overtaken by a lower token": func(h *judge.History) {
		h.Runs[4].End = at(36)
		h.Excuse("a", judge.Span{From: at(30.5), To: at(36)})
		ran(h, 0, "b", tracing.SourceFailover, 35, 35, 37).Token = 50
	},
	"I1 the same token on another process": func(h *judge.History) {
		ran(h, 0, "b", tracing.SourceFailover, 35, 35, 36).Token = h.Runs[4].Token
	},
	"I1 a token that falls on one process": func(h *judge.History) {
		h.Jobs["job"].Triggers = []time.Time{at(34)}
		ran(h, 0, "a", tracing.SourceNormal, 34.5, 34.5, 35).Token = 100
	},
	"ended a handler whose context has ended": func(h *judge.History) { h.Runs[4].Ended = true },
	"I2 a fire time without a run":            func(h *judge.History) { without(h, 0, 30) },
	"I2 a run that waits without a misfire run": func(h *judge.History) {
		meets(h)
		h.Disturb(judge.Span{From: at(29), To: at(30.5)})
		without(h, 0, 30)
	},
	"I2 eaten by a manual run": func(h *judge.History) {
		without(h, 0, 30)
		h.Jobs["job"].Triggers = []time.Time{at(33)}
		ran(h, 0, "a", tracing.SourceNormal, 33, 33, 34)
	},
	"I2 an interrupted run without a failover": func(h *judge.History) { broken(h, 0, 30) },
	"I3 finished and run again by another": func(h *judge.History) {
		ran(h, 0, "b", tracing.SourceNormal, 30, 33, 34).Token = 150
	},
	"I3 made up for and then failed over (W73)": func(h *judge.History) {
		broken(h, 0, 30)
		ran(h, 0, "b", tracing.SourceMisfire, 30, 36, 37).Token = 150
		ran(h, 0, "b", tracing.SourceFailover, 30, 37.5, 38).Token = 151
	},
	"I3 failed over and then made up for": func(h *judge.History) {
		broken(h, 0, 30)
		ran(h, 0, "b", tracing.SourceFailover, 36, 36, 37).Token = 150
		ran(h, 0, "b", tracing.SourceMisfire, 30, 37.5, 38).Token = 151
	},
	"I3 again on the process that has finished it and couldn't record it (W80)": func(h *judge.History) {
		h.Markers[4].RemovedBy = 99
		ran(h, 0, "a", tracing.SourceMisfire, 30, 33, 34)
	},
	"I3 again elsewhere, although its process could have recorded it": func(h *judge.History) {
		h.Connect("a", at(-20))
		h.Markers[4].RemovedBy, h.Markers[4].Offered = 99, true
		ran(h, 0, "b", tracing.SourceFailover, 30, 36.5, 37).Token = 150
	},
	"I3 the same fire time again": func(h *judge.History) { ran(h, 0, "a", tracing.SourceNormal, 30, 34, 35) },
	"I3 again after the job was switched off and on": func(h *judge.History) {
		edited(h, 36, func(s *judge.Settings) { s.Servers = 2 })
		edited(h, 37, func(s *judge.Settings) { s.Servers = 0 })
		ran(h, 0, "a", tracing.SourceMisfire, 30, 38, 39)
	},
	"I3 an earlier fire time after a later one": func(h *judge.History) {
		without(h, 0, 30)
		ran(h, 0, "a", tracing.SourceNormal, 30, 44, 45)
	},
	"I3 made up for after a later one": func(h *judge.History) {
		without(h, 0, 30)
		ran(h, 0, "a", tracing.SourceMisfire, 30, 43, 44)
	},
	"I4 failed over before its fire time (W79)": func(h *judge.History) {
		without(h, 0, 40)
		late(h, 0, 39.8)
		ran(h, 0, "b", tracing.SourceFailover, 39.8, 39.8, 41).Token = 150
	},
	"I22 a failover is for the moment of the takeover (W101)": func(h *judge.History) {
		broken(h, 0, 30)
		ran(h, 0, "b", tracing.SourceFailover, 36.5, 36.5, 37).Token = 150
	},
	"I22 a failover is for a moment before the trigger": func(h *judge.History) {
		markedForATrigger(h)
		ran(h, 0, "b", tracing.SourceFailover, 32.9, 45, 46).Token = 150
	},
	"I22 a failover is for a moment after the trigger was marked": func(h *judge.History) {
		markedForATrigger(h)
		ran(h, 0, "b", tracing.SourceFailover, 33.2, 45, 46).Token = 150
	},
	"I22 a failover is for an earlier fire time, and a trigger was marked": func(h *judge.History) {
		markedForATrigger(h)
		ran(h, 0, "b", tracing.SourceFailover, 30, 45, 46).Token = 150
	},
	"I4 a trigger that was marked is failed over twice": func(h *judge.History) {
		markedForATrigger(h)
		ran(h, 0, "b", tracing.SourceFailover, 33.05, 45, 46).Token = 150
		ran(h, 0, "b", tracing.SourceFailover, 33.05, 47, 48).Token = 151
	},
	"I4 failed over without an interruption": func(h *judge.History) {
		ran(h, 0, "b", tracing.SourceFailover, 35, 35, 36).Token = 150
	},
	"I4 failed over twice after one interruption": func(h *judge.History) {
		broken(h, 0, 30)
		ran(h, 0, "b", tracing.SourceFailover, 35, 35, 36).Token = 150
		ran(h, 0, "c", tracing.SourceFailover, 37, 37, 38).Token = 151
	},
	"I4 failed over twice after a marker that came late": func(h *judge.History) {
		late(h, 0, 36)
		ran(h, 0, "b", tracing.SourceFailover, 36, 36, 37).Token = 150
		ran(h, 0, "c", tracing.SourceFailover, 38, 38, 39).Token = 151
	},
	"I5 a shard that is dead for good": func(h *judge.History) {
		h.Runs = slices.DeleteFunc(h.Runs, func(r *judge.Run) bool { return r.Item == 0 && r.Start.After(at(130)) })
	},
	"I5 a disabled shard runs": func(h *judge.History) { h.Jobs["job"].Settings[0].Off = []int{1} },
	"I5 a fire time passes without the promise of I2": func(h *judge.History) {
		h.Jobs["job"].Settings[0].Monitor = false
		without(h, 0, 30)
	},
	"I6 a shard without an owner": func(h *judge.History) { unnode(h, "/sharding/1/instance") },
	"I6 an owner who has left": func(h *judge.History) {
		unnode(h, "/sharding/1/instance")
		node(h, judge.Node{Path: "/sharding/1/instance", Data: "10.0.0.7@-@7"})
	},
	"I6 a resharding that never comes": func(h *judge.History) {
		node(h, judge.Node{Path: "/leader/sharding/necessary"})
	},
	"I6 a shard too many": func(h *judge.History) { node(h, judge.Node{Path: "/sharding/2"}) },
	"I6 no leader":        func(h *judge.History) { unnode(h, "/leader/election/instance") },
	"I7 slow to converge": func(h *judge.History) { h.Changes[0].Settled = at(125) },
	"I7 never converges":  func(h *judge.History) { h.Changes[0].Settled = time.Time{} },
	"I3 made up for although it was run": func(h *judge.History) {
		ran(h, 0, "a", tracing.SourceMisfire, 30, 33, 34)
	},
	"I3 made up for twice": func(h *judge.History) {
		without(h, 0, 30)
		ran(h, 0, "a", tracing.SourceMisfire, 30, 33, 34)
		ran(h, 0, "a", tracing.SourceMisfire, 30, 35, 36)
	},
	"I8 made up for with misfire off": func(h *judge.History) {
		h.Jobs["job"].Settings[0].Misfire = false
		ran(h, 0, "a", tracing.SourceMisfire, 34, 34, 35)
	},
	"I8 two runs for one trigger": func(h *judge.History) {
		h.Jobs["job"].Triggers = []time.Time{at(33)}
		ran(h, 0, "a", tracing.SourceNormal, 33, 33, 34)
		ran(h, 0, "a", tracing.SourceNormal, 35, 35, 36)
	},
	"I8 run by a trigger that was never placed": func(h *judge.History) { ran(h, 0, "a", tracing.SourceNormal, 34.1, 34.1, 35) },
	"I8 made up for although an edit of the schedule came after it": func(h *judge.History) {
		edited(h, 32, func(s *judge.Settings) { s.Period = 5 * time.Second })
		edited(h, 33, func(s *judge.Settings) { s.Period = handPeriod * time.Second })
		without(h, 0, 30)
		ran(h, 0, "a", tracing.SourceMisfire, 30, 36, 37)
	},
	"I8 made up for although the job was disabled": func(h *judge.History) {
		edited(h, 28, func(s *judge.Settings) { s.Servers, s.Shut = 2, true })
		edited(h, 32, func(s *judge.Settings) { s.Servers, s.Shut = 0, false })
		without(h, 0, 30)
		ran(h, 0, "a", tracing.SourceMisfire, 30, 36, 37)
	},
	"clock a run by one that is off by too much": func(h *judge.History) {
		h.Jobs["job"].MaxSkew = 3 * time.Second
		h.Runs[4].Local = h.Runs[4].Start.Add(5 * time.Second)
	},
	"clock a run by one that was set long before": func(h *judge.History) {
		h.Jobs["job"].MaxSkew = 3 * time.Second
		h.Runs[4].Local = h.Runs[4].Start.Add(5 * time.Second)
		h.Astray = []judge.WrongClock{{Span: judge.Span{From: h.Runs[4].Start.Add(-3 * time.Second)}}}
	},
	"I2 refused a minute later": func(h *judge.History) {
		without(h, 0, 30)
		h.Refuse(judge.Refusal{Job: "job", Process: "a", At: at(95)})
	},
	"I3 run again by a slower clock": func(h *judge.History) {
		h.Skew = 5 * time.Second
		r := ran(h, 0, "b", tracing.SourceNormal, 30, 33, 34)
		r.Token, r.Local = 150, at(30)
	},
	"I13 a running marker of the dead": func(h *judge.History) {
		node(h, judge.Node{Path: "/sharding/1/running", Data: "10.0.0.7@-@7"})
	},
	"I13 a running marker of a living process": func(h *judge.History) {
		node(h, judge.Node{Path: "/sharding/1/running", Data: instance("b")})
	},
	"I13 a trigger that is not taken":    func(h *judge.History) { node(h, judge.Node{Path: "/trigger/x@-@1"}) },
	"I13 a note of a shard that started": func(h *judge.History) { node(h, judge.Node{Path: "/guarantee/started/0"}) },
	"I13 an assignment that goes on":     func(h *judge.History) { node(h, judge.Node{Path: "/leader/sharding/processing"}) },
	"I13 an instance of no process": func(h *judge.History) {
		h.Jobs["job"].Lives = []*judge.Life{{Instance: instance("a"), Span: judge.Span{From: at(-20)}}}
	},
	"I13 a failover offer that is not taken": func(h *judge.History) {
		node(h, judge.Node{Path: "/leader/failover/items/1"})
	},
	"I13 a claim that stays": func(h *judge.History) {
		node(h, judge.Node{Path: "/sharding/1/failovering", Data: instance("b")})
	},
	"I13 a misfire marker that stays": func(h *judge.History) { node(h, judge.Node{Path: "/sharding/1/misfire"}) },
	"I13 a latch that stays": func(h *judge.History) {
		node(h, judge.Node{Path: "/leader/election/latch/_c_1-latch-0000000001"})
	},
	"I13 a server node that no longer exists": func(h *judge.History) { unnode(h, "/servers/10.0.0.1") },
	"I13 a disabled marker that vanished": func(h *judge.History) {
		unnode(h, "/servers/10.0.0.9")
		node(h, judge.Node{Path: "/servers/10.0.0.9", Data: "ENABLED"})
	},
	"I23 instances that never meet again (W77)": func(h *judge.History) { h.Jobs["job"].Meeting = 8 * time.Second },
	"traffic next to none": func(h *judge.History) {
		h.Runs = slices.DeleteFunc(h.Runs, func(r *judge.Run) bool { return r.Start.After(at(100)) })
	},
}

func edited(h *judge.History, when float64, edit func(s *judge.Settings)) {
	job := h.Jobs["job"]
	s := job.Settings[len(job.Settings)-1]
	s.From = at(when)
	edit(&s)
	job.Settings = append(job.Settings, s)
}

// Each invariant has histories that break it.
func TestCheckerFindsPlantedViolations(t *testing.T) {
	t.Parallel()
	for name, change := range planted {
		h := goodHistory()
		change(h)
		rule, _, _ := strings.Cut(name, " ")
		breaks(t, name, rule, h)
	}
}

// A report shows faults and runs in order.
func TestTimelineShowsTheRun(t *testing.T) {
	t.Parallel()
	h := goodHistory()
	ran(h, 0, "b", tracing.SourceNormal, 30.25, 30.25, 32)
	h.Note(at(29), "", "fault", "b is partitioned")
	found := judge.Check(h)
	if len(found) == 0 {
		t.Fatal("the planted violation was not found")
	}
	text := judge.Timeline(h, found[0])
	fault, run := strings.Index(text, "b is partitioned"), strings.Index(text, "▶ shard 0 NORMAL_TRIGGER for 01 00:00:30.250")
	if fault < 0 || run < fault {
		t.Errorf("the timeline does not tell of the fault and then of the run:\n%s", text)
	}
}

// Without misfire, or without its records, a shard that moves between two clocks may miss one fire
// time, but no more.
func TestV45MisfireOffMayMissOneFireTime(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		misfire, monitor bool
		missed           int
		fails            bool
	}{{false, true, 1, false}, {false, true, 2, true}, {true, false, 1, false}, {true, false, 2, true}, {true, true, 1, true}} {
		h := goodHistory()
		settings := h.Jobs["job"].Settings
		h.Skew = time.Millisecond
		settings[0].Period, settings[0].Misfire, settings[0].Monitor = 3*handPeriod*time.Second, c.misfire, c.monitor
		h.Runs = slices.DeleteFunc(h.Runs, func(r *judge.Run) bool {
			return !r.Scheduled.Equal(r.Scheduled.Truncate(settings[0].Period)) || r.Item == 0 && slices.Contains([]time.Time{at(120), at(150)}[:c.missed], r.Scheduled)
		})
		found := slices.DeleteFunc(judge.Check(h), func(v judge.Violation) bool { return v.Rule != "I5" })
		if len(found) > 0 != c.fails {
			t.Errorf("%+v: %v", c, found)
		}
	}
}

// If no instance was there, the next fire time covers the missed ones, as after a fault.
func TestV46NoInstanceForAWhile(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		deserted []judge.Span
		fails    bool
	}{
		"an instance was there":     {nil, true},
		"no instance was there":     {[]judge.Span{{From: at(29), To: at(39)}}, false},
		"no instance was there yet": {[]judge.Span{{From: at(29), To: at(35)}}, true},
	} {
		h := goodHistory()
		without(h, 0, 30)
		h.Jobs["job"].Deserted = c.deserted
		if found := judge.Check(h); len(found) > 0 != c.fails {
			t.Errorf("%s: %v", name, found)
		}
	}
}

// A run that was marked before its process was paused or lost its session may take its first step
// after another run has overtaken it, with a lower token. A run that was marked later may not.
func TestV47TokenOfAnOvertakenRun(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		marked, called float64
		unaware, fails bool
	}{
		"called before it was paused":         {29.9, 30, true, false},
		"called without its session":          {29.9, 35.5, true, false},
		"marked after the other one had come": {35.5, 35.6, true, true},
		"it knew":                             {29.9, 35.5, false, true},
	} {
		h := goodHistory()
		first, marker := h.Runs[4], h.Markers[4] // shard 0 for 30 on a
		first.Called, first.Start, first.End = at(c.called), at(37.5), at(38)
		marker.From, marker.To, marker.RemovedBy, marker.Offered = at(c.marked), at(max(35, c.marked)), 99, true
		if c.unaware {
			h.Excuse("a", judge.Span{From: at(29.95), To: at(37.5)})
		}
		ran(h, 0, "b", tracing.SourceFailover, 35, 35, 37).Token = 150
		renewed(h, 38)
		found := slices.DeleteFunc(judge.Check(h), func(v judge.Violation) bool { return v.Rule != "I1" })
		if len(found) > 0 != c.fails {
			t.Errorf("%s: %v", name, found)
		}
	}
}
