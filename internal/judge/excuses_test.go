package judge_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/judge"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// excuses has a correct history for each excuse that would be a violation without it.
var excuses = map[judge.Excuse]func(h *judge.History){
	judge.Unmonitored: func(h *judge.History) { // nothing holds the shard without a marker
		h.Jobs["job"].Settings[0].Monitor = false
		ran(h, 0, "b", tracing.SourceNormal, 30, 30.25, 32)
	},
	judge.Unaware: good["a paused process is overtaken under a higher token"],
	judge.Overtaken: func(h *judge.History) {
		overtaken(h)
	},
	judge.Deaf: func(h *judge.History) {
		h.Jobs["job"].Deaf = true
		h.Runs[4].Cancel, h.Runs[4].End = at(30.5), at(36)
		h.Markers[4].RemovedBy, h.Markers[4].Offered = 99, true
		failedOver(h, 35, 37)
	},
	judge.EventsLost: func(h *judge.History) {
		h.Blind = true
		for i, r := range h.Runs {
			if r.Item == 1 && r.Start.After(at(100)) { // it has a lower token
				r.Process, r.Instance, r.Token = "a", instance("a"), 101
				h.Markers[i].Instance, h.Markers[i].Session, h.Markers[i].RemovedBy = r.Instance, 1, 1
			}
		}
	},
	judge.Unrecorded: func(h *judge.History) { // the process dies before it can write
		h.Markers[4].RemovedBy, h.Markers[4].Offered = 99, true
		failedOver(h, 36.5, 37)
	},
	judge.Marked: func(h *judge.History) { overtaken(h) },
	judge.CutShort: func(h *judge.History) { // its agent has cancelled it and must give the shard away
		h.Connect("a", at(-20))
		h.Jobs["job"].Deaf = true
		h.Runs[4].Cancel = at(30.5)
		h.Markers[4].RemovedBy, h.Markers[4].Offered = 99, true
		failedOver(h, 36.5, 37)
	},
	judge.NeverBegun: func(h *judge.History) { // the marker was for the trigger
		h.Jobs["job"].Triggers = []time.Time{at(10)} // taken late, because replies were lost
		h.Markers = append(h.Markers, &judge.Marker{Job: "job", Item: 0, Instance: instance("a"), Session: 1, From: at(33.1), To: at(35), RemovedBy: 99, Offered: true})
		failedOver(h, 36.5, 37)
	},
	judge.Triggered: good["a trigger that was taken at the moment of a fire time"],
	judge.TwoTriggers: func(h *judge.History) { // the shard moves to another instance that also has the trigger
		h.Jobs["job"].Triggers = []time.Time{at(33)}
		ran(h, 0, "a", tracing.SourceNormal, 33, 33, 34)
		ran(h, 0, "b", tracing.SourceNormal, 34.5, 34.5, 35).Token = 150
		renewed(h, 35)
	},
	judge.Skewed: func(h *judge.History) { // the clock of the process that dies is ahead
		h.Skew = 5 * time.Second
		broken(h, 0, 30)
		h.Runs[4].Local, h.Runs[4].Start, h.Runs[4].End = at(30), at(25), at(26)
		h.Markers[4].From, h.Markers[4].To = at(25), at(26.5)
		failedOver(h, 27, 28)
	},
	judge.JustEdited: func(h *judge.History) { // the agent didn't know yet that misfire was off
		off := h.Jobs["job"].Settings[0]
		off.From, off.Misfire = at(45), false
		h.Jobs["job"].Settings = append(h.Jobs["job"].Settings, off)
		without(h, 0, 40)
		ran(h, 0, "a", tracing.SourceMisfire, 40, 46, 47)
	},
	judge.Overrun: func(h *judge.History) {
		h.Jobs["job"].Longest = 20 * time.Second
		without(h, 0, 30)
	},
	judge.Busy: good["a disturbed fleet may let the next fire time serve for the last"],
	judge.Late: func(h *judge.History) {
		without(h, 0, 30)
		h.Runs[5].Start = at(40.5) // shard 0 for 40
	},
	judge.NewOwner: func(h *judge.History) {
		without(h, 0, 30)
		h.Jobs["job"].Owners = map[int][]judge.Owner{0: {{Instance: instance("b"), From: at(-20)}, {Instance: instance("a"), From: at(39)}}}
	},
	judge.Refused: good["a fire time is refused because of the clock"],
	judge.CrowdedOut: func(h *judge.History) { // the other shard has its place until the timeout has passed
		h.Parallel = 1
		h.Jobs["job"].Settings[0].Timeout = time.Second
		without(h, 0, 30)
	},
	judge.NoMisfire: func(h *judge.History) { // the shard moves between two clocks
		h.Skew = time.Millisecond
		s := h.Jobs["job"].Settings
		s[0].Period, s[0].Misfire = 3*handPeriod*time.Second, false
		h.Runs = slices.DeleteFunc(h.Runs, func(r *judge.Run) bool {
			return !r.Scheduled.Equal(r.Scheduled.Truncate(s[0].Period)) || r.Item == 0 && r.Scheduled.Equal(at(120))
		})
	},
	judge.ClockSet: func(h *judge.History) {
		h.Jobs["job"].MaxSkew = 3 * time.Second
		h.Runs[4].Local = h.Runs[4].Start.Add(5 * time.Second)
		h.Astray = []judge.WrongClock{{Span: judge.Span{From: h.Runs[4].Start.Add(-time.Second / 2)}}}
	},
	judge.NoServer: func(h *judge.History) { // the job keeps its owners
		for _, server := range []string{"/servers/10.0.0.1", "/servers/10.0.0.2"} {
			unnode(h, server)
			node(h, judge.Node{Path: server, Data: "DISABLED"})
		}
		unnode(h, "/sharding/1/instance")
		node(h, judge.Node{Path: "/sharding/1/instance", Data: "10.0.0.7@-@7"})
		node(h, judge.Node{Path: "/leader/sharding/necessary"})
	},
	judge.SlowHandler: func(h *judge.History) { // no marker shows when it has ended
		h.Jobs["job"].Settings[0].Monitor = false
		h.Changes[0].Settled = at(126)
	},
	judge.Pending: func(h *judge.History) { // it's made up for when the shard is enabled
		h.Jobs["job"].Settings[0].Off = []int{1}
		h.Runs = slices.DeleteFunc(h.Runs, func(r *judge.Run) bool { return r.Item == 1 })
		node(h, judge.Node{Path: "/sharding/1/misfire"})
	},
	judge.Unscheduled: func(h *judge.History) {
		triggeredWithoutSchedule(h).Outcome = judge.Died
		ran(h, 0, "b", tracing.SourceFailover, 36.5, 36.5, 37).Token = 150
		renewed(h, 42)
	},
	judge.Retimed: func(h *judge.History) { // 30 is no longer a fire time when it's failed over
		job := h.Jobs["job"]
		edited, restored := job.Settings[0], job.Settings[0]
		edited.From, edited.Turns, edited.Period, restored.From = at(33), true, 12*time.Second, at(35)
		job.Settings = append(job.Settings, edited, restored)
		run, marker := h.Runs[4], h.Markers[4]
		run.End, run.Outcome = at(30.5), judge.Died
		marker.To, marker.RemovedBy, marker.Offered = at(34), 99, true
		ran(h, 0, "b", tracing.SourceFailover, 24, 34.5, 34.8).Token = 150
		renewed(h, 34.8)
	},
	judge.Added: func(h *judge.History) { // the leader can't assign it before 45
		job := h.Jobs["job"]
		for _, t := range []float64{10, 20, 30, 40} {
			without(h, 1, t)
		}
		job.Items[1] = []judge.Span{{From: at(5)}}
		job.Owners = map[int][]judge.Owner{1: {{Instance: instance("b"), From: at(45)}}}
	},
	judge.Obeying: func(h *judge.History) {
		h.Pace = judge.OnMachine
		h.Runs[4].Cancel, h.Runs[4].End, h.Runs[4].Outcome = at(30.5), at(31), judge.Cancelled
		h.Markers[4].To, h.Markers[4].RemovedBy, h.Markers[4].Offered = at(30.8), 99, true
		failedOver(h, 30.8, 32)
	},
	judge.Unwatched: func(h *judge.History) { // its process died between the marker and the handler
		h.Unwatched = true
		h.Disturb(judge.Span{From: at(29), To: at(36)})
		without(h, 0, 30)
		failedOver(h, 36.5, 37)
	},
	judge.Stranger: func(h *judge.History) { node(h, judge.Node{Path: "/instances/junk", Owner: 5}) },
}

// excusesOfHours are excuses that only fleets of hours need.
var excusesOfHours = map[judge.Excuse]func(h *judge.History){
	judge.Astray: func(h *judge.History) { // the record of a clock that was hours ahead doesn't count
		ran(h, 0, "b", tracing.SourceNormal, hour(5), hour(9.5), hour(9.5)+10).Token = 150
		renewed(h, hour(9.6))
		h.Astray = []judge.WrongClock{{Span: judge.Span{From: at(hour(4.5)), To: at(hour(9.4))}}}
	},
	judge.Moving: func(h *judge.History) { // the shard has no owner at the fire time
		h.Jobs["job"].Settings[0].Misfire = false
		lost(h, 5)
		h.Jobs["job"].Members = []time.Time{at(hour(5) - 10)}
	},
	judge.Away: func(h *judge.History) { // no process remembers the fire time
		sixHourly(h)
		lost(h, 6)
		down(h, 5.5, 8)
	},
	judge.Closed: func(h *judge.History) { // no instance had to run it
		lost(h, 5, 6)
		change(h, 4.5, func(s *judge.Settings) { s.Closed = []string{"10.0.0.1", "10.0.0.2"} })
		change(h, 6.5, func(s *judge.Settings) { s.Closed = nil })
	},
	judge.Switched: func(h *judge.History) { // nothing counts as missed from before a server was enabled
		missedAtFive(h)
		h.Jobs["job"].Switches = []time.Time{at(hour(5.19))}
	},
	judge.Unseen: func(h *judge.History) { // the first of two edits may have changed the schedule
		missedAtFive(h)
		h.Jobs["job"].Writes = []time.Time{at(-20), at(hour(5.195)), at(hour(5.195) + 1)}
	},
	judge.Working: func(h *judge.History) { // the fire time passes during a run
		h.Jobs["job"].Settings[0].Misfire = false
		lost(h, 5)
		h.Runs[3].End = at(hour(5) + 30)
	},
}

// furtherExcused are more correct histories, each with the excuse that it needs.
var furtherExcused = map[string]struct {
	excuse judge.Excuse
	hours  bool
	edit   func(h *judge.History)
}{
	"a shard is enabled milliseconds before a fire time": {judge.JustEdited, false, func(h *judge.History) {
		h.Jobs["job"].Settings[0].Off = []int{1}
		h.Runs = slices.DeleteFunc(h.Runs, func(r *judge.Run) bool { return r.Item == 1 && !r.Scheduled.After(at(40)) })
		edited(h, 39.996, func(s *judge.Settings) { s.Off = nil })
	}},
	"a clock that was hours ahead showed a fire time while the shard was disabled": {judge.Astray, true, func(h *judge.History) {
		lost(h, 5)
		change(h, 2.9, func(s *judge.Settings) { s.Off = []int{0} })
		change(h, 2.95, func(s *judge.Settings) { s.Off = nil })
		h.Astray = []judge.WrongClock{{Span: judge.Span{From: at(hour(2.5)), To: at(hour(3.1))}, Ahead: 2 * time.Hour}}
	}},
	"a run is recorded after another instance has marked the shard to make up for it": {judge.Marked, true, func(h *judge.History) {
		h.Connect("a", at(-20))
		h.Disconnect("a", at(hour(5)+5))
		h.Connect("a", at(hour(5.2)+1))
		h.Losses["a"] = []time.Time{at(hour(5) + 45)}
		assigned(h, 5.2)
		for i, r := range h.Runs {
			if r.Start.After(at(hour(5.5))) {
				r.Process, r.Instance, r.Token = "b", instance("b"), 150
				h.Markers[i].Instance, h.Markers[i].Session, h.Markers[i].RemovedBy = r.Instance, 2, 2
			}
		}
		h.Markers[4].To, h.Markers[4].RemovedBy, h.Markers[4].Offered = at(hour(5.2)), 99, false
		ran(h, 0, "b", tracing.SourceMisfire, hour(5), hour(5.2)+55, hour(5.2)+65).Token = 150
		h.Markers[len(h.Markers)-1].From = at(hour(5.2))
	}},
}

// TestFurtherExcusesAreNecessary: an excuse covers more than one kind of history.
func TestFurtherExcusesAreNecessary(t *testing.T) {
	t.Parallel()
	for name, further := range furtherExcused {
		h := goodHistory()
		if further.hours {
			h = hourly()
		}
		further.edit(h)
		if found := judge.Check(h); len(found) > 0 {
			t.Errorf("%s: %v\n%s", name, found, judge.Timeline(h, found[0]))
		}
		if found := judge.Check(h, further.excuse); len(found) == 0 {
			t.Errorf("%s: %q is not necessary", name, further.excuse)
		}
	}
}

// failedOver makes b fail shard 0 over for 30. From then on the shard runs under newer tokens.
func failedOver(h *judge.History, start, end float64) {
	ran(h, 0, "b", tracing.SourceFailover, 30, start, end).Token = 150
	renewed(h, end)
}

// triggeredWithoutSchedule removes the job's schedule for half a minute, in which shard 0 runs for
// a trigger. Its end isn't recorded.
func triggeredWithoutSchedule(h *judge.History) *judge.Run {
	job := h.Jobs["job"]
	without, after := job.Settings[0], job.Settings[0]
	without.From, without.Period, after.From = at(25), 0, at(55)
	job.Settings = append(job.Settings, without, after)
	h.Runs = slices.DeleteFunc(h.Runs, func(r *judge.Run) bool { return r.Start.After(at(25)) && r.Start.Before(at(55)) })
	job.Triggers = []time.Time{at(30)}
	r := ran(h, 0, "a", tracing.SourceNormal, 30, 30, 36)
	marker := h.Markers[len(h.Markers)-1]
	marker.RemovedBy, marker.Offered = 99, true
	return r
}

// renewed assigns shard 0 again.
func renewed(h *judge.History, after float64) {
	for _, r := range h.Runs {
		if r.Item == 0 && r.Start.After(at(after)) {
			r.Token = 160
		}
	}
}

// overtaken suspends the process of shard 0 between its marker and the first step of its handler,
// while another one runs the shard.
func overtaken(h *judge.History) {
	first, marker := h.Runs[4], h.Markers[4]
	first.Called, first.Start, first.End = at(30), at(37.5), at(38)
	marker.From, marker.To, marker.RemovedBy, marker.Offered = at(29.9), at(35), 99, true
	h.Excuse("a", judge.Span{From: at(29.95), To: at(37.5)})
	failedOver(h, 35, 37)
	first.Token = 101
	renewed(h, 38)
}

func missedAtFive(h *judge.History) {
	lost(h, 5)
	h.Disturb(judge.Span{From: at(hour(4.9)), To: at(hour(5.2))})
}

// Without an excuse, the judge reports a correct history as a violation.
func TestExcusesAreNecessary(t *testing.T) {
	t.Parallel()
	for _, excuse := range judge.Excuses() {
		var h *judge.History
		check := judge.Check
		switch edit, of := excuses[excuse], excusesOfHours[excuse]; {
		case edit != nil:
			h = goodHistory()
			edit(h)
		case of != nil:
			h, check = hourly(), judge.Check
			of(h)
		default:
			t.Errorf("%s: no history shows that it is necessary", excuse)
			continue
		}
		if found := check(h); len(found) > 0 {
			t.Errorf("%s: is not enough: %v\n%s", excuse, found, judge.Timeline(h, found[0]))
		}
		if found := check(h, excuse); len(found) == 0 {
			t.Errorf("%s: is not necessary", excuse)
		}
	}
}

// The package documentation gives the reason of each excuse.
func TestExcusesAreListed(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(text), "\n// # Excuses\n")
	list, _, _ = strings.Cut(list, "\n// # ")
	for _, excuse := range judge.Excuses() {
		if n := strings.Count(list, "\n//   - "+string(excuse)+": "); n != 1 {
			t.Errorf("%s is listed %d times in doc.go", excuse, n)
		}
	}
	if listed := strings.Count(list, "\n//   - "); listed != len(judge.Excuses()) {
		t.Errorf("doc.go lists %d excuses, there are %d", listed, len(judge.Excuses()))
	}
}
