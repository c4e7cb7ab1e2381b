package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/chaos/ledger"
	"github.com/elasticjob-go/elasticjob/internal/judge"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// at returns a time in the fixture's campaign, in seconds.
func at(seconds float64) time.Time {
	return time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC).Add(time.Duration(seconds * float64(time.Second)))
}

func span(from, to float64) judge.Span { return judge.Span{From: at(from), To: at(to)} }

// fixture is a campaign of four minutes in which two agents did everything right: a runs the even
// shards, b the odd ones.
func fixture() *evidence {
	e := newEvidence(options{})
	h := e.History
	h.Begin, h.Healed, h.Quiet, h.End = at(0), at(150), at(170), at(240)
	e.Lives = []life{{Agent: "a", PID: 101, Span: judge.Span{From: at(-5)}}, {Agent: "b", PID: 102, Span: judge.Span{From: at(-5)}}}
	h.Connect("a (101)", at(-4))
	h.Connect("b (102)", at(-4))
	h.Machine.Answers = []judge.Answer{{Span: span(236, 236.1), Request: judge.ListRequest, Status: 200, Body: `[
		{"jobName":"ten","instanceCount":2,"shardingTotalCount":2},
		{"jobName":"loose","instanceCount":2,"shardingTotalCount":2},
		{"jobName":"asked","instanceCount":2,"shardingTotalCount":1}]`}}
	for _, job := range []ledger.Job{
		{Name: "ten", Period: 10, Shards: 2, Monitor: true, Misfire: true, Longest: 100},
		{Name: "loose", Period: 10, Shards: 2, Longest: 100},
		{Name: "asked", Shards: 1, Monitor: true, Misfire: true},
	} {
		h.Jobs[job.Name] = judged(job, at(0))
		for second := 10; job.Period > 0 && second < 240; second += job.Period {
			for item := range job.Shards {
				e.ran(runFor(job.Name, item, float64(second)))
			}
		}
		a, b := "127.0.1.1@-@101", "127.0.1.2@-@102"
		nodes := []judge.Node{
			{Path: "/instances/" + a, Owner: 1}, {Path: "/instances/" + b, Owner: 2}, {Path: "/leader/election/instance", Data: a},
			{Path: "/servers/127.0.1.1"}, {Path: "/servers/127.0.1.2"},
		}
		for item := range job.Shards {
			nodes = append(nodes, judge.Node{Path: fmt.Sprintf("/sharding/%d/instance", item), Data: []string{a, b}[item%2]})
		}
		for _, seconds := range []float64{210, 235} {
			h.Snapshots = append(h.Snapshots, judge.Snapshot{Job: job.Name, At: at(seconds), Nodes: slices.Clone(nodes)})
		}
	}
	return &e
}

// runFor is a run that is on time and takes 100 ms.
func runFor(job string, item int, fire float64) *judge.Run {
	process := []string{"a (101)", "b (102)"}[item%2]
	return &judge.Run{
		Job: job, Item: item, Process: process, Instance: process, Source: tracing.SourceNormal,
		Scheduled: at(fire), Token: 7, Start: at(fire + 0.01), End: at(fire + 0.11), Outcome: judge.Completed,
	}
}

// ran adds a run that is also in the database.
func (e *evidence) ran(r *judge.Run) {
	h, id := e.History, idOf(r)
	h.Add(r)
	h.Machine.Recorded = append(h.Machine.Recorded,
		judge.Recorded{ID: id, Process: r.Process, At: r.Start}, judge.Recorded{ID: id, Process: r.Process, At: r.End, Complete: true, Success: true})
	h.Machine.Rows = append(h.Machine.Rows, judge.Row{ID: id, Job: r.Job, Item: r.Item, Complete: true, Success: true})
}

func idOf(r *judge.Run) string { return fmt.Sprint(r.Job, r.Item, r.Start.UnixMilli()) }

// again adds a run of shard 1 of job ten, by a process and with a token.
func (e *evidence) again(source tracing.Source, process string, token int64, fire, start float64) {
	r := runFor("ten", 1, fire)
	r.Source, r.Process, r.Instance, r.Token, r.Start, r.End = source, process, process, token, at(start), at(start+0.1)
	e.ran(r)
}

// of returns the run of shard 1 of job ten for a fire time.
func (e *evidence) of(fire float64) *judge.Run {
	runs := e.History.Runs
	return runs[slices.IndexFunc(runs, func(r *judge.Run) bool { return r.Job == "ten" && r.Item == 1 && r.Scheduled.Equal(at(fire)) })]
}

func (e *evidence) without(fire float64) {
	r := e.of(fire)
	e.History.Runs = slices.DeleteFunc(e.History.Runs, func(other *judge.Run) bool { return other == r })
}

// renewed gives shard 1 of job ten a newer token for all later runs.
func (e *evidence) renewed(after float64) {
	for _, r := range e.History.Runs {
		if r.Job == "ten" && r.Item == 1 && r.Start.After(at(after)) {
			r.Token = 9
		}
	}
}

// mortal gives the run for a fire time its own process, which ends some time after it began.
func (e *evidence) mortal(fire, end float64) *judge.Run {
	e.Lives = append(e.Lives, life{Agent: "c", PID: 103, Span: span(1, end), Killed: true})
	e.History.Connect("c (103)", at(2))
	r := e.of(fire)
	e.without(fire)
	for i := range e.History.Machine.Recorded {
		if e.History.Machine.Recorded[i].ID == idOf(r) {
			e.History.Machine.Recorded[i].Process = "c (103)"
		}
	}
	r.Process, r.Instance, r.Token = "c (103)", "c (103)", 8
	e.History.Add(r)
	return r
}

// interrupted kills the process of shard 1 while it works for a fire time.
func (e *evidence) interrupted(fire float64) {
	r := e.mortal(fire, fire+0.05)
	r.End, r.Outcome = time.Time{}, ""
	e.renewed(fire + 1)
}

// outage separates processes from ZooKeeper for longer than their session.
func (e *evidence) outage(from, to float64, agents ...string) {
	target := ""
	if len(agents) == 1 {
		target = agents[0]
	}
	e.Faults = append(e.Faults, disturbance{Kind: "cut-off", Target: target, Span: span(from, to)})
	for _, a := range agents {
		process := map[string]string{"a": "a (101)", "b": "b (102)"}[a]
		e.History.Disconnect(process, at(from))
		e.History.Lose(process, at(from+4))
		e.History.Connect(process, at(to))
	}
}

const a, b = "a (101)", "b (102)"

// campaigns are the violations that must be found in evidence, or none.
var campaigns = map[string]struct {
	rule, text string
	plant      func(e *evidence)
}{
	"as it is": {"", "", func(*evidence) {}},
	"two at once, one of which died long after": {"I1", "died", func(e *evidence) {
		r := e.mortal(50, 65)
		r.End, r.Outcome = time.Time{}, ""
	}},
	"an interrupted run is made up for and then failed over (W73)": {"I3", "although that was settled", func(e *evidence) {
		e.interrupted(50)
		e.again(tracing.SourceMisfire, b, 9, 50, 56)
		e.again(tracing.SourceFailover, b, 9, 50, 57)
	}},
	"a run that a process finished during an outage runs again there (W80)": {"I3", "although that was settled", func(e *evidence) {
		e.outage(50.05, 62, "a", "b")
		e.again(tracing.SourceMisfire, b, 7, 50, 62.5)
	}},
	"a run that a process finished while it was cut off runs again elsewhere, long after it is back": {"I3", "although that was settled", func(e *evidence) {
		e.outage(50.05, 60, "b")
		e.again(tracing.SourceFailover, a, 8, 50, 66)
	}},
	"failed over and not interrupted": {"I4", "nothing was interrupted", func(e *evidence) { e.again(tracing.SourceFailover, b, 7, 50, 53) }},
	"failed over twice after one interruption": {"I4", "twice after one interruption", func(e *evidence) {
		e.interrupted(50)
		e.again(tracing.SourceFailover, b, 9, 56, 56)
		e.again(tracing.SourceFailover, b, 9, 58, 58)
	}},
	"a failover is for the moment of the takeover (W101)": {"I22", "was interrupted", func(e *evidence) {
		e.interrupted(50)
		e.again(tracing.SourceFailover, b, 9, 56, 56)
	}},
	"lost in an undisturbed time": {"I2", "the next run is", func(e *evidence) { e.without(100) }},
	"lost before a disturbance": {"I2", "no run came after it", func(e *evidence) {
		e.Faults = append(e.Faults, disturbance{Kind: "agent-kill", Span: span(100.5, 101)})
		e.History.Runs = slices.DeleteFunc(e.History.Runs, func(r *judge.Run) bool { return r.Job == "ten" && r.Item == 1 && r.Start.After(at(100)) })
	}},
	"lost without the promise, nothing disturbed": {"I5", "although nothing disturbs", func(e *evidence) {
		e.History.Runs = slices.DeleteFunc(e.History.Runs, func(r *judge.Run) bool { return r.Job == "loose" && r.Item == 1 && r.Scheduled.Equal(at(100)) })
	}},
	"a trigger runs twice": {"I8", "triggered 1 times", func(e *evidence) {
		e.Commands = append(e.Commands, command{Kind: trigger, Job: "asked", Span: span(50, 50.1), Status: 200})
		e.ran(runFor("asked", 0, 50.3))
		e.ran(runFor("asked", 0, 50.6))
	}},
	"an instance of no process": {"I13", "no process of the fleet", func(e *evidence) {
		e.History.Snapshots[1].Nodes = append(e.History.Snapshots[1].Nodes, judge.Node{Path: "/instances/127.0.1.9@-@999", Owner: 3})
	}},
	"the history has a run as running": {"I24", `has it as "running"`, func(e *evidence) { e.requested("running") }},
	"the history has no run":           {"I24", `has it as ""`, func(e *evidence) { e.requested("") }},
	"the history has a run that the registry doesn't have": {"I24", "the registry doesn't have it", func(e *evidence) {
		e.History.Jobs["asked"].Requests.Database.Runs["y"] = tracing.RunRecord{ID: "y", JobName: "asked", State: "running"}
	}},

	"the next owner has marked the shard for its next fire time and is cut off": {"", "", func(e *evidence) {
		e.outage(50.05, 59.5, "b")
		r := e.of(50)
		r.End, r.Outcome = at(58.1), judge.Cancelled
		e.outage(59.9, 69, "b")
		e.without(60)
		e.again(tracing.SourceFailover, a, 8, 60, 66)
		e.renewed(67)
	}},
	"a process that stood still is overtaken": {"", "", func(e *evidence) {
		e.Faults = append(e.Faults, disturbance{Kind: "agent-pause-long", Target: "b", Frozen: true, Span: span(50.05, 58)})
		r := e.of(50)
		r.End, r.Outcome = at(58.1), judge.Cancelled
		e.again(tracing.SourceFailover, a, 8, 50, 56)
		e.renewed(57)
	}},
	"a process that stood still before its handler is overtaken": {"", "", func(e *evidence) {
		e.Faults = append(e.Faults, disturbance{Kind: "agent-pause-long", Target: "b", Frozen: true, Span: span(50, 58)})
		r := e.of(50)
		r.Start, r.End, r.Outcome, r.Ended = at(58.05), at(58.1), judge.Cancelled, true
		e.again(tracing.SourceFailover, a, 8, 50, 56)
		e.renewed(59)
	}},
	"a shard was marked for a fire time and its process died before the handler, after another end": {"", "", func(e *evidence) {
		e.Faults = append(e.Faults, disturbance{Kind: "zk-leader", Span: span(51, 52)}, disturbance{Kind: "agent-kill", Target: "c", Span: span(59.9, 59.9)})
		e.mortal(50, 59.9)
		e.without(60)
		e.again(tracing.SourceFailover, b, 9, 60, 65)
		e.renewed(51)
	}},
	"a run that a process finished while it was cut off was begun elsewhere before it was back": {"", "", func(e *evidence) {
		e.outage(50.05, 60, "b")
		e.without(60)
		e.again(tracing.SourceFailover, a, 8, 50, 56)
		e.again(tracing.SourceNormal, a, 8, 60, 60.1)
		e.renewed(65)
	}},
	"a run that was killed runs again": {"", "", func(e *evidence) {
		e.mortal(50, 50.2)
		e.renewed(50.5)
		e.again(tracing.SourceFailover, b, 9, 50, 56)
	}},
	"a killed process takes its last traces with it": {"", "", func(e *evidence) {
		killed := e.mortal(230, 239.5)
		e.renewed(231)
		e.History.Machine.Rows = slices.DeleteFunc(e.History.Machine.Rows, func(r judge.Row) bool { return r.ID == idOf(killed) })
	}},
	"missed and made up for": {"", "", func(e *evidence) {
		e.without(100)
		e.Faults = append(e.Faults, disturbance{Kind: "zk-kill-all", Span: span(99, 103)})
		e.again(tracing.SourceMisfire, b, 7, 100, 104)
	}},
	"missed, and the next one comes before it is made up for": {"", "", func(e *evidence) {
		e.without(100)
		e.Faults = append(e.Faults, disturbance{Kind: "zk-kill-all", Span: span(99, 108)})
	}},
	"a fault of ZooKeeper makes the console answer 503": {"", "", func(e *evidence) {
		e.Faults = append(e.Faults, disturbance{Kind: "zk-kill-all", Span: span(48, 52)})
		m := e.History.Machine
		m.Answers = append([]judge.Answer{{Span: span(49, 49.1), Status: 503}, {Span: span(50, 50.1), Status: 503}}, m.Answers...)
	}},
	"a trigger that an operator gave": {"", "", func(e *evidence) {
		e.Commands = append(e.Commands, command{Kind: trigger, Job: "asked", Span: span(50, 50.1), Status: 200})
		e.ran(runFor("asked", 0, 50.3))
	}},
}

// requested adds a successful run with a state in the database, or without a row.
func (e *evidence) requested(state jobrun.State) {
	h := e.History
	h.Snapshots[len(h.Snapshots)-1].Nodes = append(h.Snapshots[len(h.Snapshots)-1].Nodes, judge.Node{
		Path: "/extension/runs/done/0000000000001-x", Data: `{"v":1,"id":"x","state":"succeeded","ended":1}`, Created: at(100),
	})
	if state != "" {
		h.Jobs["asked"].Requests.Database.Runs["x"] = tracing.RunRecord{ID: "x", JobName: "asked", State: state}
	}
}

// The judge should find planted violations in the evidence of campaigns, and nothing else.
func TestEvidenceIsJudged(t *testing.T) {
	t.Parallel()
	for name, c := range campaigns {
		e := fixture()
		c.plant(e)
		found := e.judge()
		switch {
		case c.rule == "" && len(found) > 0:
			t.Errorf("%s: %v\n%s", name, found, judge.Timeline(e.History, found[0]))
		case c.rule != "" && !slices.ContainsFunc(found, func(v judge.Violation) bool { return v.Rule == c.rule && strings.Contains(v.Text, c.text) }):
			t.Errorf("%s: no violation of %s with %q among %v", name, c.rule, c.text, found)
		}
	}
}
