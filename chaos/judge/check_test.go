package judge

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/chaos/ledger"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/tracing"
)

var start = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// at is a moment of the fixture's campaign, in seconds.
func at(seconds float64) time.Time {
	return start.Add(time.Duration(seconds * float64(time.Second)))
}

// Processes of the fixture: one per agent, from the beginning to the end.
const pidA, pidB = 101, 102

// fixture is a campaign of four minutes in which two agents did everything
// right: A runs the even shards, B the odd ones.
func fixture() *History {
	h := &History{
		Namespace: "chaos", Begin: start, Healed: at(150), Quiet: at(170), End: at(240), SessionTimeout: 5 * time.Second,
		Jobs: []ledger.Job{
			{Name: "ten", Period: 10, Shards: 2, Monitor: true, Misfire: true, Longest: 100},
			{Name: "loose", Period: 10, Shards: 2, Longest: 100},
			{Name: "asked", Shards: 1, Monitor: true, Misfire: true},
		},
		Settings: make(map[string][]Setting),
		Lives:    []Life{{Process: "a", PID: pidA, Span: Span{From: at(-5)}}, {Process: "b", PID: pidB, Span: Span{From: at(-5)}}},
		States:   []State{{pidA, at(-4), "connected"}, {pidB, at(-4), "connected"}},
	}
	for _, job := range h.Jobs {
		h.Settings[job.Name] = []Setting{{From: start, Period: job.Period, Shards: job.Shards}}
		for second := 10; job.Period > 0 && second < 240; second += job.Period {
			for item := range job.Shards {
				e := execution(job.Name, item, float64(second))
				h.Executions = append(h.Executions, e)
				record(h, e)
			}
		}
	}
	for _, s := range []float64{210, 235} {
		h.Snapshots = append(h.Snapshots, snapshot(h, at(s)))
	}
	h.Answers = []Answer{{Span: Span{at(236), at(236.1)}, Request: ListRequest, Status: 200, Body: `[
		{"jobName":"ten","instanceCount":2,"shardingTotalCount":2},
		{"jobName":"loose","instanceCount":2,"shardingTotalCount":2},
		{"jobName":"asked","instanceCount":2,"shardingTotalCount":1}]`}}
	for second := 0.0; second < 240; second += 2 {
		h.Samples = append(h.Samples, Sample{Process: "a", PID: pidA, At: at(second), Resident: 50 << 20, Descriptors: 20, Goroutines: 100, Heap: 10 << 20})
	}
	return h
}

// execution is one that was right on time and took 100 ms.
func execution(job string, item int, fire float64) *Execution {
	e := &Execution{
		Job: job, Item: item, Process: "a", PID: pidA, Source: string(tracing.SourceNormal),
		Fire: at(fire), Token: 7, Begin: at(fire + 0.01), End: at(fire + 0.11), Outcome: ledger.Done,
	}
	if item%2 == 1 {
		e.Process, e.PID = "b", pidB
	}
	return e
}

func record(h *History, e *Execution) {
	id := fmt.Sprintf("%s/%d/%d", e.Job, e.Item, e.Begin.UnixMilli())
	h.Recorded = append(h.Recorded,
		Recorded{ID: id, PID: e.PID, At: e.Begin}, Recorded{ID: id, PID: e.PID, At: e.End, Complete: true, Success: true})
	h.Rows = append(h.Rows, Row{ID: id, Job: e.Job, Item: e.Item, Complete: true, Success: true})
}

func snapshot(h *History, when time.Time) Snapshot {
	s := Snapshot{At: when}
	for _, job := range h.Jobs {
		paths := paths(job.Name)
		a, b := fmt.Sprintf("127.0.1.1@-@%d", pidA), fmt.Sprintf("127.0.1.2@-@%d", pidB)
		s.Nodes = append(s.Nodes, Node{Path: paths.Instance(a)}, Node{Path: paths.Instance(b)})
		for item := range job.Shards {
			s.Nodes = append(s.Nodes, Node{Path: paths.Item(item)}, Node{Path: paths.ItemInstance(item), Data: []string{a, b}[item%2]})
		}
	}
	return s
}

func paths(job string) jobtree.Job {
	ns, err := jobtree.NewNamespace("chaos")
	if err != nil {
		panic(err)
	}
	return ns.Job(job)
}

// add adds executions that also reach the history of traces.
func add(h *History, list ...*Execution) {
	for _, e := range list {
		h.Executions = append(h.Executions, e)
		record(h, e)
	}
}

// remove takes out what ran for a fire time.
func remove(h *History, job string, item int, fire float64) {
	h.Executions = slices.DeleteFunc(h.Executions, func(e *Execution) bool {
		return e.Job == job && e.Item == item && e.Fire.Equal(at(fire))
	})
}

// change returns an execution with something changed.
func change(e *Execution, f func(*Execution)) *Execution {
	f(e)
	return e
}

func from(source tracing.Source, begin float64) func(*Execution) {
	return func(e *Execution) {
		e.Source, e.Begin, e.End = string(source), at(begin), at(begin+0.1)
	}
}

// stands adds a node to the last two snapshots.
func stands(h *History, path, data string) {
	for i := range h.Snapshots {
		h.Snapshots[i].Nodes = append(h.Snapshots[i].Nodes, Node{Path: path, Data: data, Created: 99, At: at(100)})
	}
}

func TestACleanCampaignPasses(t *testing.T) {
	t.Parallel()
	for _, v := range Check(fixture()) {
		t.Error(v)
	}
}

// plantedViolations are what each rule finds, by what is wrong.
var plantedViolations = map[string]struct {
	plant func(h *History)
	rule  string
	text  string
}{
	"two at once": {func(h *History) {
		add(h, change(execution("ten", 0, 50), func(e *Execution) { e.PID, e.Process, e.Token, e.Begin = pidB, "b", 9, at(50.05) }))
	}, "overlap", "runs twice at once"},
	"two at once beside one whose process died long after": {func(h *History) {
		h.Lives = append(h.Lives, Life{Process: "c", PID: 103, Span: Span{at(1), at(65)}, Killed: true})
		h.Executions = append(h.Executions, change(execution("ten", 0, 45), func(e *Execution) { e.PID, e.Process, e.End, e.Outcome = 103, "c", time.Time{}, "" }))
	}, "overlap", "never ended"},
	"a token falls": {func(h *History) {
		add(h, change(execution("ten", 0, 50), func(e *Execution) {
			e.Token, e.Fire, e.Begin, e.End = 6, at(54.5), at(54.5), at(54.6)
		}))
		h.Commands = append(h.Commands, Command{Kind: Trigger, Job: "ten", Span: Span{at(54), at(54.1)}, Status: 200})
	}, "token", "does not rise"},
	"two owners with one token": {func(h *History) {
		add(h, change(execution("ten", 0, 50), func(e *Execution) {
			e.PID, e.Process, e.Fire, e.Begin, e.End = pidB, "b", at(54.5), at(54.5), at(54.6)
		}))
		h.Commands = append(h.Commands, Command{Kind: Trigger, Job: "ten", Span: Span{at(54), at(54.1)}, Status: 200})
	}, "token", "does not rise"},
	"a handler whose context has ended": {func(h *History) { h.Executions[4].Ended = true }, "ended", "has ended"},
	"the same fire time again": {func(h *History) {
		add(h, change(execution("ten", 0, 50), func(e *Execution) { e.Begin, e.End = at(54), at(54.1) }))
	}, "twice", "although that was settled"},
	"the same fire time again, after the job was switched off and on": {func(h *History) {
		h.Settings["ten"] = append(h.Settings["ten"], Setting{From: at(56), Period: 10, Shards: 2, Closed: true})
		h.Settings["ten"] = append(h.Settings["ten"], Setting{From: at(57), Period: 10, Shards: 2})
		add(h, change(execution("ten", 0, 50), from(tracing.SourceMisfire, 58)))
	}, "twice", "although that was settled"},
	"an earlier fire time after a later one": {func(h *History) {
		remove(h, "ten", 0, 50)
		add(h, change(execution("ten", 0, 50), func(e *Execution) { e.Begin, e.End = at(64), at(64.1) }))
	}, "twice", "although that was settled"},
	"made up for and not missed": {func(h *History) {
		add(h, change(execution("ten", 0, 50), from(tracing.SourceMisfire, 53)))
	}, "twice", "although that was settled"},
	"made up for after a later one": {func(h *History) {
		remove(h, "ten", 0, 50)
		add(h, change(execution("ten", 0, 50), from(tracing.SourceMisfire, 63)))
	}, "twice", "although that was settled"},
	"failed over and not interrupted": {func(h *History) {
		add(h, change(execution("ten", 0, 50), from(tracing.SourceFailover, 53)))
	}, "failover", "nothing was interrupted"},
	"an interrupted run is made up for and then failed over (W73)": {func(h *History) {
		interrupted(h, 50)
		add(h, change(execution("ten", 1, 50), from(tracing.SourceMisfire, 56)))
		add(h, change(execution("ten", 1, 50), from(tracing.SourceFailover, 57)))
	}, "twice", "although that was settled"},
	"what a process finished during an outage runs again there (W80)": {func(h *History) {
		outage(h, "", 50.05, 62)
		add(h, change(execution("ten", 1, 50), from(tracing.SourceMisfire, 62.5)))
	}, "twice", "although that was settled"},
	"what a process finished while it was cut off runs again elsewhere, long after it is back": {func(h *History) {
		outage(h, "b", 50.05, 60)
		add(h, change(execution("ten", 1, 66), onA(tracing.SourceFailover, 66)))
	}, "twice", "although that was settled"},
	"failed over twice after one interruption": {func(h *History) {
		interrupted(h, 50)
		add(h, change(execution("ten", 1, 56), from(tracing.SourceFailover, 56)))
		add(h, change(execution("ten", 1, 58), from(tracing.SourceFailover, 58)))
	}, "failover", "twice after one interruption"},
	"a failover is for the moment of the takeover (W101)": {func(h *History) {
		interrupted(h, 50)
		add(h, change(execution("ten", 1, 56), from(tracing.SourceFailover, 56)))
	}, "failover", "was interrupted"},
	"run by a trigger that nobody gave": {func(h *History) {
		add(h, change(execution("asked", 0, 50.3), func(*Execution) {}))
	}, "trigger", "triggered 0 times"},
	"lost in an undisturbed time": {func(h *History) { remove(h, "ten", 1, 100) }, "lost", "the next run is"},
	"lost before a disturbance": {func(h *History) {
		remove(h, "ten", 1, 100)
		h.Faults = append(h.Faults, Fault{Kind: "agent-kill", Span: Span{at(100.5), at(101)}})
		h.Executions = slices.DeleteFunc(h.Executions, func(e *Execution) bool { return e.Job == "ten" && e.Fire.After(at(100)) && e.Item == 1 })
	}, "lost", "no run came after it"},
	"lost without the promise, nothing disturbed": {func(h *History) { remove(h, "loose", 1, 100) }, "lost", "did not run although nothing"},
	"nothing is pending after an edit": {func(h *History) {
		h.Settings["ten"] = append(h.Settings["ten"], Setting{From: at(95), Period: 5, Shards: 2})
		h.Settings["ten"] = append(h.Settings["ten"], Setting{From: at(96), Period: 10, Shards: 2})
		remove(h, "ten", 0, 90)
		add(h, change(execution("ten", 0, 90), from(tracing.SourceMisfire, 125)))
	}, "unowed", "came after it"},
	"nothing is pending after the job was disabled": {func(h *History) {
		h.Settings["ten"] = append(h.Settings["ten"], Setting{From: at(88), Period: 10, Shards: 2, Closed: true, Disabled: true})
		h.Settings["ten"] = append(h.Settings["ten"], Setting{From: at(92), Period: 10, Shards: 2})
		remove(h, "ten", 0, 90)
		add(h, change(execution("ten", 0, 90), from(tracing.SourceMisfire, 125)))
	}, "unowed", "came after it"},
	"a shard that stops": {func(h *History) {
		h.Executions = slices.DeleteFunc(h.Executions, func(e *Execution) bool { return e.Job == "ten" && e.Item == 0 && e.Fire.After(at(180)) })
	}, "dead", "does not run for"},
	"a disabled shard that runs": {func(h *History) {
		h.Settings["ten"] = append(h.Settings["ten"], Setting{From: at(140), Period: 10, Shards: 2, Off: []int{1}})
	}, "dead", "a disabled shard runs"},
	"a row is missing":        {func(h *History) { h.Rows = h.Rows[1:] }, "row", "has no row"},
	"a row that does not end": {func(h *History) { h.Rows[3].Complete = false }, "row", "goes on"},
	"a row that says failure": {func(h *History) { h.Rows[3].Success = false }, "row", "says success"},
	"a row of nobody":         {func(h *History) { h.Rows = append(h.Rows, Row{ID: "x", Job: "ten"}) }, "row", "of no execution"},
	"an execution that nobody recorded": {func(h *History) {
		h.Executions = append(h.Executions, change(execution("asked", 0, 50), func(*Execution) {}))
		h.Commands = append(h.Commands, Command{Kind: Trigger, Job: "asked", Span: Span{at(49), at(49.1)}, Status: 200})
	}, "row", "recorded"},
	"a running marker":           {func(h *History) { stands(h, paths("ten").ItemRunning(1), "b") }, "tree", "left behind"},
	"a misfire marker":           {func(h *History) { stands(h, paths("ten").ItemMisfire(0), "") }, "tree", "left behind"},
	"a failover marker":          {func(h *History) { stands(h, paths("ten").ItemFailover(0), "") }, "tree", "left behind"},
	"a shard waits for failover": {func(h *History) { stands(h, paths("ten").FailoverItem(0), "") }, "tree", "left behind"},
	"a resharding that waits":    {func(h *History) { stands(h, paths("ten").Necessary(), "") }, "tree", "left behind"},
	"an assignment that goes on": {func(h *History) { stands(h, paths("ten").Processing(), "") }, "tree", "left behind"},
	"a trigger":                  {func(h *History) { stands(h, paths("asked").Trigger("x@-@1"), "") }, "tree", "left behind"},
	"a latch":                    {func(h *History) { stands(h, paths("ten").ElectionLatch()+"/x", "") }, "tree", "left behind"},
	"a shard too many":           {func(h *History) { stands(h, paths("ten").Item(2), "") }, "tree", "the configuration says 2"},
	"an instance of nobody":      {func(h *History) { stands(h, paths("ten").Instance("127.0.1.9@-@999"), "") }, "tree", "no process of the fleet"},
	"a shard without an owner": {func(h *History) {
		last := &h.Snapshots[1]
		last.Nodes = slices.DeleteFunc(last.Nodes, func(n Node) bool { return n.Path == paths("ten").ItemInstance(0) })
	}, "tree", "has no owner"},
	"a shard whose owner has left": {func(h *History) {
		for i, n := range h.Snapshots[1].Nodes {
			if n.Path == paths("ten").ItemInstance(0) {
				h.Snapshots[1].Nodes[i].Data = "127.0.1.1@-@1"
			}
		}
	}, "tree", "which has left"},
	"the history has a run as running": {func(h *History) { ran(h, "running") }, "history", `has it as "running"`},
	"the history has no run":           {func(h *History) { ran(h, "") }, "history", `has it as ""`},
	"the history has a run that the registry doesn't have": {func(h *History) {
		h.Runs = append(h.Runs, RunRow{"x", "asked", "running"})
	}, "history", "the registry doesn't have it"},
	"memory grows":      {func(h *History) { grow(h, func(s *Sample, n float64) { s.Resident += n * (1 << 20) }) }, "growth", "resident"},
	"the heap grows":    {func(h *History) { grow(h, func(s *Sample, n float64) { s.Heap += n * (1 << 20) }) }, "growth", "heap"},
	"goroutines grow":   {func(h *History) { grow(h, func(s *Sample, n float64) { s.Goroutines += n }) }, "growth", "goroutines"},
	"descriptors grow":  {func(h *History) { grow(h, func(s *Sample, n float64) { s.Descriptors += n }) }, "growth", "descriptors"},
	"the console fails": {func(h *History) { answered(h, 500) }, "console", "is answered 500"},
	"the console says 503 for nothing": {func(h *History) {
		answered(h, 503)
		answered(h, 503)
	}, "console", "nothing is away"},
	"the console is silent": {func(h *History) { answered(h, 0) }, "console", "has no answer"},
	"the console's list is wrong": {func(h *History) {
		h.Answers[0].Body = strings.Replace(h.Answers[0].Body, `"instanceCount":2`, `"instanceCount":3`, 1)
	}, "console", "3 instances"},
}

// TestPlantedViolationsAreFound plants each kind, one at a time. Some break other
// rules too; that nothing else is one says the clean campaign.
func TestPlantedViolationsAreFound(t *testing.T) {
	t.Parallel()
	for name, test := range plantedViolations {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := fixture()
			test.plant(h)
			list := Check(h)
			if !slices.ContainsFunc(list, func(v Violation) bool { return v.Rule == test.rule && strings.Contains(v.Text, test.text) }) {
				t.Errorf("no violation of %q with %q among %v", test.rule, test.text, list)
			}
		})
	}
}

// ran has a run succeed that the database has in a state, or not at all.
func ran(h *History, state string) {
	stands(h, paths("asked").RunsEnded(at(100), "x"), `{"v":1,"id":"x","state":"succeeded","ended":1}`)
	if state != "" {
		h.Runs = append(h.Runs, RunRow{"x", "asked", state})
	}
}

func grow(h *History, by func(s *Sample, n float64)) {
	for i := range h.Samples {
		by(&h.Samples[i], float64(i))
	}
}

func answered(h *History, status int) {
	h.Answers = append([]Answer{{Span: Span{at(50), at(50.1)}, Request: "GET /api/servers", Status: status}}, h.Answers...)
}

// interrupted has the process of shard 1 die at work for a fire time.
func interrupted(h *History, fire float64) {
	h.Lives = append(h.Lives, Life{Process: "c", PID: 103, Span: Span{at(1), at(fire + 0.05)}, Killed: true})
	for _, e := range h.Executions {
		if e.Job == "ten" && e.Item == 1 && e.Fire.Equal(at(fire)) {
			e.Process, e.PID, e.End, e.Outcome = "c", 103, time.Time{}, ""
		}
	}
}

// outage keeps a process from ZooKeeper, all of them if it is empty, for longer than its
// session.
func outage(h *History, process string, from, to float64) {
	h.Faults = append(h.Faults, Fault{Kind: "cut-off", Target: process, Span: Span{at(from), at(to)}})
	for name, pid := range map[string]int{"a": pidA, "b": pidB} {
		if process == "" || process == name {
			h.States = append(h.States, State{pid, at(from), "suspended"}, State{pid, at(from + 4), "lost"}, State{pid, at(to), "connected"})
		}
	}
}

// onA has agent A run a shard, and everybody under newer tokens afterwards.
func onA(source tracing.Source, begin float64) func(*Execution) {
	return func(e *Execution) {
		from(source, begin)(e)
		e.Process, e.PID, e.Token = "a", pidA, 8
	}
}

// excused are disturbances that no rule takes for a violation.
var excused = map[string]func(h *History){
	"the next owner has marked the shard for its next fire time and is cut off": func(h *History) {
		outage(h, "b", 50.05, 59.5)
		for _, e := range h.Executions {
			if e.Job == "ten" && e.Item == 1 && e.Fire.Equal(at(50)) {
				e.End, e.Outcome = at(58.1), ledger.Cancelled
			}
		}
		outage(h, "b", 59.9, 69)
		remove(h, "ten", 1, 60)
		add(h, change(execution("ten", 1, 60), onA(tracing.SourceFailover, 66)))
		for _, e := range h.Executions {
			if e.Job == "ten" && e.Item == 1 && e.Begin.After(at(67)) {
				e.Token = 9
			}
		}
	},
	"a process that stood still is overtaken": func(h *History) {
		h.Faults = append(h.Faults, Fault{Kind: "agent-pause-long", Target: "b", Frozen: true, Span: Span{at(50.05), at(58)}})
		for _, e := range h.Executions {
			if e.Job == "ten" && e.Item == 1 && e.Fire.Equal(at(50)) {
				e.End, e.Outcome = at(58.1), ledger.Cancelled
			}
		}
		add(h, change(execution("ten", 1, 50), func(e *Execution) {
			from(tracing.SourceFailover, 56)(e)
			e.Process, e.PID, e.Token = "a", pidA, 8
		}))
		for _, e := range h.Executions {
			if e.Job == "ten" && e.Item == 1 && e.Begin.After(at(57)) {
				e.Token = 9
			}
		}
	},
	"a shard was marked for a fire time and its process died before the handler, after another end": func(h *History) {
		h.Lives = append(h.Lives, Life{Process: "c", PID: 103, Span: Span{at(1), at(59.9)}, Killed: true})
		h.Faults = append(h.Faults, Fault{Kind: "zk-leader", Span: Span{at(51), at(52)}}, Fault{Kind: "agent-kill", Target: "c", Span: Span{at(59.9), at(59.9)}})
		h.States = append(h.States, State{103, at(2), "connected"})
		for i, e := range h.Executions {
			if e.Job == "ten" && e.Item == 1 && e.Fire.Equal(at(50)) {
				h.Executions[i].Process, h.Executions[i].PID, h.Executions[i].Token = "c", 103, 8
				record(h, h.Executions[i])
			}
		}
		remove(h, "ten", 1, 60)
		add(h, change(execution("ten", 1, 60), from(tracing.SourceFailover, 65)))
		for _, e := range h.Executions {
			if e.Job == "ten" && e.Item == 1 && e.Begin.After(at(51)) {
				e.Token = 9
			}
		}
	},
	"what a process finished while it was cut off was begun elsewhere before it was back": func(h *History) {
		outage(h, "b", 50.05, 60)
		remove(h, "ten", 1, 60)
		add(h, change(execution("ten", 1, 50), onA(tracing.SourceFailover, 56)))
		add(h, change(execution("ten", 1, 60), onA(tracing.SourceNormal, 60.1)))
		for _, e := range h.Executions {
			if e.Job == "ten" && e.Item == 1 && e.Begin.After(at(65)) {
				e.Token = 9
			}
		}
	},
	"one that was killed runs again": func(h *History) {
		h.Lives = append(h.Lives, Life{Process: "c", PID: 103, Span: Span{at(1), at(50.2)}, Killed: true})
		for _, e := range h.Executions {
			if e.Job == "ten" && e.Item == 1 && e.Fire.Equal(at(50)) {
				e.Process, e.PID = "c", 103
			}
			if e.Job == "ten" && e.Item == 1 && e.Begin.After(at(50.5)) {
				e.Token = 9
			}
		}
		for i := range h.Recorded {
			if h.Recorded[i].ID == fmt.Sprintf("ten/1/%d", at(50.01).UnixMilli()) {
				h.Recorded[i].PID = 103
			}
		}
		for _, e := range h.Executions {
			if e.Job == "ten" && e.Item == 1 && e.Begin.Before(at(50)) {
				e.Token = 6
			}
		}
		add(h, change(execution("ten", 1, 50), func(e *Execution) {
			from(tracing.SourceFailover, 56)(e)
			e.Token = 9
		}))
	},
	"a killed process takes its last traces with it": func(h *History) {
		h.Lives[0].To, h.Lives[0].Killed = at(240), true
		h.Lives = append(h.Lives, Life{Process: "a", PID: pidA, Span: Span{From: at(240.1)}})
		h.Rows = slices.DeleteFunc(h.Rows, func(r Row) bool { return r.ID == fmt.Sprintf("ten/0/%d", at(230.01).UnixMilli()) })
	},
	"missed and made up for": func(h *History) {
		remove(h, "ten", 1, 100)
		h.Faults = append(h.Faults, Fault{Kind: "zk-kill-all", Span: Span{at(99), at(103)}})
		add(h, change(execution("ten", 1, 100), from(tracing.SourceMisfire, 104)))
	},
	"missed, and the next one comes before it is made up for": func(h *History) {
		remove(h, "ten", 1, 100)
		h.Faults = append(h.Faults, Fault{Kind: "zk-kill-all", Span: Span{at(99), at(108)}})
	},
	"a fault of ZooKeeper makes the console say 503": func(h *History) {
		h.Faults = append(h.Faults, Fault{Kind: "zk-kill-all", Span: Span{at(48), at(52)}})
		answered(h, 503)
	},
	"one 503 on a busy machine": func(h *History) { answered(h, 503) },
	"a trigger that somebody gave": func(h *History) {
		h.Commands = append(h.Commands, Command{Kind: Trigger, Job: "asked", Span: Span{at(50), at(50.1)}, Status: 200})
		add(h, execution("asked", 0, 50.3))
	},
}

// TestExcusesHold: what the promises leave open is no violation.
func TestExcusesHold(t *testing.T) {
	t.Parallel()
	for name, plant := range excused {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := fixture()
			plant(h)
			for _, v := range Check(h) {
				t.Errorf("%v\n%s", v, Timeline(h, v, 10*time.Second))
			}
		})
	}
}

// TestTimelineTellsTheShard: what is printed with a violation names what
// happened to its shard, and nothing of others.
func TestTimelineTellsTheShard(t *testing.T) {
	t.Parallel()
	h := fixture()
	h.Faults = append(h.Faults, Fault{Kind: "agent-kill", Target: "a", Span: Span{at(98), at(99)}})
	text := Timeline(h, Violation{Rule: "lost", Job: "ten", Item: 1, At: at(100)}, 15*time.Second)
	for _, want := range []string{"FAULT agent-kill a", "shard 1 begins", "VIOLATION lost"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "shard 0") {
		t.Errorf("another shard is reported:\n%s", text)
	}
}
