package judge_test

import (
	"slices"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/judge"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// held holds the schedule between two times, in which no fire time runs.
func held(h *judge.History, from, to float64) {
	job := h.Jobs["job"]
	before := job.Settings[len(job.Settings)-1]
	for _, change := range []struct {
		when float64
		held bool
	}{{from, true}, {to, false}} {
		s := before
		s.From, s.Held, s.HeldOnly = at(change.when), change.held, true
		job.Settings = append(job.Settings, s)
	}
	job.Holds = append(job.Holds, judge.Span{From: at(from), To: at(to)})
	for t := float64(handPeriod); t < handEnd; t += handPeriod {
		if t >= from && t <= to {
			without(h, 0, t)
			without(h, 1, t)
		}
	}
}

// The checker's verdicts on holds of the schedule and on timeouts.
func TestHoldsAndTimeouts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		breaks string
		make   func(h *judge.History)
	}{
		"fire times pass":                                 {"", func(h *judge.History) { held(h, 25, 65) }},
		"a fire time runs as the hold comes":              {"", func(h *judge.History) { held(h, 29, 65); ran(h, 0, "a", tracing.SourceNormal, 30, 30, 31) }},
		"a run waited for the others when the hold came":  {"", func(h *judge.History) { met(h, 8) }},
		"a run waited for longer than its listener waits": {"I21", func(h *judge.History) { met(h, 3) }},
		"a fire time runs":                                {"I21", func(h *judge.History) { held(h, 25, 65); ran(h, 0, "a", tracing.SourceNormal, 40, 40, 41) }},
		"what was interrupted is failed over": {"", func(h *judge.History) {
			held(h, 25, 65)
			late(h, 0, 35)
			ran(h, 0, "a", tracing.SourceFailover, 40, 40, 41)
		}},
		"the release runs what it kept back": {"I21", func(h *judge.History) { held(h, 25, 65); ran(h, 0, "a", tracing.SourceNormal, 50, 66, 67) }},
		"the release makes up":               {"I21", func(h *judge.History) { held(h, 25, 65); ran(h, 0, "a", tracing.SourceMisfire, 50, 66, 67) }},
		"a trigger runs": {"", func(h *judge.History) {
			held(h, 25, 65)
			press(h, 41.5)
			ran(h, 0, "a", tracing.SourceNormal, 41.5, 41.5, 42)
			ran(h, 1, "b", tracing.SourceNormal, 41.5, 41.5, 42)
		}},
		"a trigger runs one shard of two": {"I21", func(h *judge.History) {
			held(h, 25, 65)
			press(h, 41.5)
			ran(h, 0, "a", tracing.SourceNormal, 41.5, 41.5, 42)
		}},
		"a handler has its whole timeout":       {"", func(h *judge.History) { limit(h, 2); h.Runs[0].TimedOut, h.Runs[0].Cancel = at(12), at(12) }},
		"a handler is ended before its timeout": {"I19", func(h *judge.History) { limit(h, 2); h.Runs[0].TimedOut, h.Runs[0].Cancel = at(11), at(11) }},
		"a handler has no end":                  {"I19", func(h *judge.History) { limit(h, 0.5) }},
	} {
		h := goodHistory()
		c.make(h)
		slices.SortStableFunc(h.Markers, func(a, b *judge.Marker) int { return a.From.Compare(b.From) })
		found := judge.Check(h)
		if len(found) == 0 != (c.breaks == "") || len(found) > 0 && found[0].Rule != c.breaks {
			t.Errorf("%s: %v, want %q", name, found, c.breaks)
		}
	}
}

// met makes a job wait some seconds at its start for the others. One of its shards starts after the
// schedule was held.
func met(h *judge.History, seconds int) {
	h.Jobs["job"].Meeting, h.Quiet = time.Duration(seconds)*time.Second, time.Time{} // The judge shouldn't count calls.
	held(h, 31, 65)
	without(h, 0, 30)
	ran(h, 0, "a", tracing.SourceNormal, 30, 38, 39)
}

func press(h *judge.History, when float64) {
	job := h.Jobs["job"]
	job.HeldTriggers, job.Triggers = append(job.HeldTriggers, at(when)), append(job.Triggers, at(when))
}

// limit gives the job a timeout, and the first run a longer duration.
func limit(h *judge.History, seconds float64) {
	h.Jobs["job"].Settings[0].Timeout = time.Duration(seconds * float64(time.Second))
	if seconds > 1 {
		h.Runs[0].End, h.Markers[0].To = at(12), at(12)
	}
}
