package judge_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/judge"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// hour returns a time in a handmade history of hours.
func hour(h float64) float64 { return h * 3600 }

const handHours = 30

// hourly is a history without violations: two processes serve one shard each hour, and a owns it.
func hourly() *judge.History {
	h := judge.NewHistory()
	h.Begin, h.Healed, h.Quiet, h.End, h.SessionTimeout = at(0), at(hour(20)), at(hour(20.5)), at(hour(handHours)), time.Minute
	h.Jobs["job"] = &judge.JobHistory{
		Name: "job", Longest: time.Minute, Items: map[int][]judge.Span{0: {{From: at(-20)}}},
		Settings: []judge.Settings{{From: at(-20), Period: time.Hour, Items: 1, Monitor: true, Misfire: true, Schedule: schedule("0 0 * * * ?")}},
		Owners:   map[int][]judge.Owner{0: {{Instance: instance("a"), From: at(-20)}}},
		Misfires: make(map[int][]judge.Span),
		Writes:   []time.Time{at(-20)},
	}
	for n, process := range []string{"a", "b"} {
		h.Jobs["job"].Lives = append(h.Jobs["job"].Lives, &judge.Life{
			Instance: instance(process), Address: "10.0.0." + string(rune('1'+n)), Process: process, Span: judge.Span{From: at(-20)},
		})
		h.Live(process, at(-20), true)
	}
	for n := 1.0; n < handHours; n++ {
		ran(h, 0, "a", tracing.SourceNormal, hour(n), hour(n), hour(n)+10)
	}
	return h
}

func schedule(cron string) *judge.Schedule {
	s, err := judge.NewSchedule("", cron, "GMT", nil)
	if err != nil {
		panic(err) // a constant
	}
	return s
}

func change(h *judge.History, when float64, edit func(*judge.Settings)) {
	edited(h, hour(when), edit)
	h.Disturb(judge.Span{From: at(hour(when)), To: at(hour(when) + 5)})
}

func lost(h *judge.History, hours ...float64) {
	for _, n := range hours {
		without(h, 0, hour(n))
	}
	h.Markers = slices.DeleteFunc(h.Markers, func(m *judge.Marker) bool {
		return !slices.ContainsFunc(h.Runs, func(r *judge.Run) bool { return r.Start.Equal(m.From) })
	})
}

// down removes all instances between two hours.
func down(h *judge.History, from, to float64) {
	for _, life := range h.Jobs["job"].Lives {
		next := *life
		life.To = at(hour(from))
		h.Processes[life.Process].To = life.To
		next.From, next.Process = at(hour(to)), next.Process+"'"
		h.Jobs["job"].Lives = append(h.Jobs["job"].Lives, &next)
		h.Live(next.Process, next.From, true)
	}
}

// sixHourly makes the job run at 6, 12 and 18.
func sixHourly(h *judge.History) {
	h.Jobs["job"].Settings[0].Schedule = schedule("0 0 6/6 * * ?")
	h.Runs = slices.DeleteFunc(h.Runs, func(r *judge.Run) bool { return r.Scheduled.Hour()%6 != 0 || r.Scheduled.Hour() == 0 })
}

// afterAnother makes a second shard run after the first one, on a machine that runs parallel shards
// at once, or all if 0.
func afterAnother(h *judge.History, parallel int) {
	h.Parallel = parallel
	job := h.Jobs["job"]
	job.Settings[0].Items = 2
	job.Items[1], job.Owners[1] = job.Items[0], job.Owners[0]
	for n := 1.0; n < handHours; n++ {
		ran(h, 1, "a", tracing.SourceNormal, hour(n), hour(n)+10, hour(n)+20)
	}
}

func madeUp(h *judge.History, scheduled, start float64) {
	ran(h, 0, "a", tracing.SourceMisfire, hour(scheduled), hour(start), hour(start)+10)
}

// assigned gives the shard to b after a disturbance that begins at six.
func assigned(h *judge.History, when float64) {
	h.Disturb(judge.Span{From: at(hour(5.9)), To: at(hour(when))})
	job := h.Jobs["job"]
	job.Owners[0] = append(job.Owners[0], judge.Owner{Instance: instance("b"), From: at(hour(when))})
}

// Allowed behavior is not a violation.
func TestHoursCheckerAcceptsGoodHistories(t *testing.T) {
	t.Parallel()
	for name, edit := range map[string]func(h *judge.History){
		"as it is": func(*judge.History) {},
		"a process with few processors runs one shard after the other": func(h *judge.History) { afterAnother(h, 1) },
		"a shard that waits for its place is disabled": func(h *judge.History) {
			afterAnother(h, 1)
			for i, r := range h.Runs {
				switch m := h.Markers[i]; {
				case !r.Scheduled.Equal(at(hour(5))):
				case r.Item == 0:
					r.End, m.To = at(hour(5)+40), at(hour(5)+40)
				default:
					m.From, r.Start, r.End, m.To = at(hour(5)), at(hour(5)+40), at(hour(5)+50), at(hour(5)+50)
				}
			}
			change(h, 5+3.0/3600, func(s *judge.Settings) { s.Off = []int{1} })
			change(h, 5.5, func(s *judge.Settings) { s.Off = nil })
		},
		"the schedule is edited while a run that makes up for a fire time waits for its place": func(h *judge.History) {
			lost(h, 5)
			h.Disturb(judge.Span{From: at(hour(4.9)), To: at(hour(5.1))})
			madeUp(h, 5, 5.1)
			r, m := h.Runs[len(h.Runs)-1], h.Markers[len(h.Markers)-1]
			r.Start, r.End, m.To = at(hour(5.1)+40), at(hour(5.1)+50), at(hour(5.1)+50)
			change(h, 5.1+20.0/3600, func(s *judge.Settings) { s.Schedule = schedule("0 0 0/1 * * ?") })
		},
		"the event of a switch was lost, so it counts from the next audit": func(h *judge.History) {
			h.Blind = true
			change(h, 5.9, func(s *judge.Settings) { s.Closed = []string{"10.0.0.1", "10.0.0.2"} })
			change(h, 6.5, func(s *judge.Settings) { s.Closed = nil })
		},
		"a fire time is made up for after a fault of minutes": func(h *judge.History) {
			lost(h, 5)
			h.Disturb(judge.Span{From: at(hour(4.9)), To: at(hour(5.2))})
			madeUp(h, 5, 5.2)
		},
		"several missed ones count as one": func(h *judge.History) {
			lost(h, 5, 6, 7)
			h.Disturb(judge.Span{From: at(hour(4.9)), To: at(hour(7.2))})
			madeUp(h, 7, 7.2)
		},
		"nothing is missed from before an edit": func(h *judge.History) {
			lost(h, 5)
			h.Disturb(judge.Span{From: at(hour(4.9)), To: at(hour(5.2))})
			change(h, 5.21, func(s *judge.Settings) { s.Schedule = schedule("0 0 0/1 * * ?") })
		},
		"nothing is missed from the time of a switch that was off": func(h *judge.History) {
			lost(h, 5, 6)
			h.Disturb(judge.Span{From: at(hour(4.9)), To: at(hour(6.5))})
			change(h, 4.5, func(s *judge.Settings) { s.Misfire = false })
			change(h, 6.5, func(s *judge.Settings) { s.Misfire = true })
		},
		"nothing is missed while every server is disabled": func(h *judge.History) {
			lost(h, 5, 6)
			change(h, 4.5, func(s *judge.Settings) { s.Closed = []string{"10.0.0.1", "10.0.0.2"} })
			change(h, 6.5, func(s *judge.Settings) { s.Closed = nil })
		},
		"a clock that is ahead showed the fire time while every server was disabled": func(h *judge.History) {
			h.Skew = 20 * time.Second
			lost(h, 5)
			change(h, 4.5, func(s *judge.Settings) { s.Closed = []string{"10.0.0.1"} })
			job, joined := h.Jobs["job"], at(hour(5)-1)
			job.Lives[1].From, job.Owners[0] = joined, append(job.Owners[0], judge.Owner{Instance: instance("b"), From: joined})
			for i, r := range h.Runs {
				if r.Start.After(joined) {
					r.Process, r.Instance, r.Token = "b", instance("b"), 200
					h.Markers[i].Instance, h.Markers[i].Session, h.Markers[i].RemovedBy = r.Instance, 2, 2
				}
			}
		},
		"the process of the only server that is enabled is started again over a fire time": func(h *judge.History) {
			lost(h, 5)
			change(h, 4.5, func(s *judge.Settings) { s.Closed = []string{"10.0.0.2"} })
			job := h.Jobs["job"]
			life, next := job.Lives[0], *job.Lives[0]
			life.To, next.From, next.Process = at(hour(5)-20), at(hour(5)+100), "a'"
			h.Processes["a"].To = life.To
			job.Lives = append(job.Lives, &next)
			h.Live("a'", next.From, true)
			h.Disturb(judge.Span{From: life.To, To: next.From})
			ran(h, 0, "a", tracing.SourceNormal, hour(5), hour(5)+100, hour(5)+110)
		},
		"nothing is missed while the shard is disabled": func(h *judge.History) {
			lost(h, 5, 6)
			change(h, 4.5, func(s *judge.Settings) { s.Off = []int{0} })
			change(h, 6.5, func(s *judge.Settings) { s.Off = nil })
		},
		"a fleet that was away makes up for what is newer than the window": func(h *judge.History) {
			lost(h, 5, 6)
			down(h, 4.5, 6.5)
			madeUp(h, 6, 6.5)
		},
		"a shard that moves is made up for what is newer than the window": func(h *judge.History) {
			sixHourly(h)
			lost(h, 6)
			assigned(h, 7.5)
		},
		"and not for what is older": func(h *judge.History) {
			sixHourly(h)
			lost(h, 6)
			down(h, 5.5, 8)
		},
	} {
		h := hourly()
		edit(h)
		breaks(t, name, "", h)
	}
}

// plantedHours are violations that take hours, by the invariant that finds them.
var plantedHours = map[string]func(h *judge.History){
	"I2 lost after a fault of minutes": func(h *judge.History) {
		lost(h, 5)
		h.Disturb(judge.Span{From: at(hour(4.9)), To: at(hour(5.2))})
	},
	"I2 lost by a fleet that came back within the window": func(h *judge.History) {
		lost(h, 5, 6)
		down(h, 4.5, 6.5)
	},
	"I2 lost by a shard that moved within the window": func(h *judge.History) {
		sixHourly(h)
		lost(h, 6)
		assigned(h, 6.5)
	},
	"I2 lost by a fleet that was cut off for long": func(h *judge.History) {
		lost(h, 5)
		h.Disturb(judge.Span{From: at(hour(4.9)), To: at(hour(5.9))})
		lost(h, 6)
		h.Disturb(judge.Span{From: at(hour(5.9)), To: at(hour(6.4))})
	},
	"I3 again after hours": func(h *judge.History) {
		ran(h, 0, "b", tracing.SourceNormal, hour(5), hour(9.5), hour(9.5)+10).Token = 150
	},
	"I3 again although the schedule was edited (V35)": func(h *judge.History) {
		change(h, 5.5, func(s *judge.Settings) { s.Schedule = schedule("0 0 0/1 * * ?") })
		ran(h, 0, "b", tracing.SourceNormal, hour(5), hour(5.6), hour(5.6)+10).Token = 150
	},
	"I8 made up for although it was completed (V33)": func(h *judge.History) { madeUp(h, 5, 5.5) },
	"I8 made up for although the schedule is new (V34)": func(h *judge.History) {
		change(h, 5.2, func(s *judge.Settings) { s.Schedule = schedule("0 5 * * * ?") })
		h.Runs = slices.DeleteFunc(h.Runs, func(r *judge.Run) bool { return r.Start.After(at(hour(5.2))) })
		madeUp(h, 5.0+5.0/60, 5.5)
	},
	"I8 made up for although it was disabled (V34)": func(h *judge.History) {
		lost(h, 5, 6)
		change(h, 4.5, func(s *judge.Settings) { s.Off = []int{0} })
		change(h, 6.5, func(s *judge.Settings) { s.Off = nil })
		madeUp(h, 6, 6.6)
	},
	"I8 made up for although every server was disabled (V34)": func(h *judge.History) {
		lost(h, 5, 6)
		change(h, 4.5, func(s *judge.Settings) { s.Closed = []string{"10.0.0.1", "10.0.0.2"} })
		change(h, 6.5, func(s *judge.Settings) { s.Closed = nil })
		madeUp(h, 6, 6.6)
	},
	"I8 runs although every server was disabled, on one that was away (W74)": func(h *judge.History) {
		lost(h, 5, 6)
		change(h, 4.5, func(s *judge.Settings) { s.Closed = []string{"10.0.0.1", "10.0.0.2"} })
		change(h, 6.5, func(s *judge.Settings) { s.Closed = nil })
		ran(h, 0, "a", tracing.SourceNormal, hour(6), hour(6.9), hour(6.9)+10)
	},
	"I8 made up for by a job that rotates although every server was disabled (W99)": func(h *judge.History) {
		h.Jobs["job"].Owners = nil
		lost(h, 5, 6)
		change(h, 4.5, func(s *judge.Settings) { s.Closed = []string{"10.0.0.1", "10.0.0.2"} })
		change(h, 6.5, func(s *judge.Settings) { s.Closed = nil })
		madeUp(h, 6, 6.6)
	},
	"I8 made up for although misfire was off (V34)": func(h *judge.History) {
		lost(h, 5, 6)
		change(h, 4.5, func(s *judge.Settings) { s.Misfire = false })
		change(h, 6.5, func(s *judge.Settings) { s.Misfire = true })
		madeUp(h, 6, 6.6)
	},
	"I8 made up for although the fleet was away for days (V36)": func(h *judge.History) {
		sixHourly(h)
		lost(h, 6)
		down(h, 5.5, 8)
		madeUp(h, 6, 8)
	},
	"I8 runs by a schedule that was edited": func(h *judge.History) {
		change(h, 5.5, func(s *judge.Settings) { s.Schedule = schedule("0 30 * * * ?") })
	},
	"I5 not on time": func(h *judge.History) { h.Jobs["job"].Settings[0].Misfire = false; lost(h, 5) },
	"I5 a shard that could run beside the other waits for it": func(h *judge.History) { afterAnother(h, 2) },
	"I5 a disabled shard runs": func(h *judge.History) {
		change(h, 4.5, func(s *judge.Settings) { s.Off = []int{0} })
	},
	"I13 an agent enables a server": func(h *judge.History) {
		h.Overrule(at(hour(5)), "job", "a", "10.0.0.9")
	},
	"traffic next to none": func(h *judge.History) { h.Runs = h.Runs[:2] },
}

// Each rule has histories that break it.
func TestHoursCheckerFindsPlantedViolations(t *testing.T) {
	t.Parallel()
	for name, edit := range plantedHours {
		h := hourly()
		edit(h)
		rule, _, _ := strings.Cut(name, " ")
		breaks(t, name, rule, h)
	}
}
