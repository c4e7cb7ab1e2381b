package fleetsim_test

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/fleetsim"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// TestV45V46V47SeedsThatFailed replays fleets that have failed once. What failed
// there has a test of its own by that number here, in coreagent or in engine.
func TestV45V46V47SeedsThatFailed(t *testing.T) {
	t.Parallel()
	for _, seed := range []uint64{320089, 325714, 323206, 323804, 325510, 310003} {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			var r *result
			synctest.Test(t, func(t *testing.T) { r = simulate(t, seed) })
			if r.failed() {
				report(t, secondsKind, r)
			}
		})
	}
}

// TestV45MisfireOffMayMissOneFireTime: without misfire an item that changes
// hands between two clocks may miss one fire time, and no more.
func TestV45MisfireOffMayMissOneFireTime(t *testing.T) {
	t.Parallel()
	for missed, fails := range map[int]bool{1: false, 2: true} {
		h := goodHistory()
		settings := h.Jobs["job"].Settings
		settings[0].Period, settings[0].Misfire = 3*handPeriod*time.Second, false
		h.Runs = slices.DeleteFunc(h.Runs, func(r *fleetsim.Run) bool {
			return !r.Scheduled.Equal(r.Scheduled.Truncate(settings[0].Period)) || r.Item == 0 && slices.Contains([]time.Time{at(120), at(150)}[:missed], r.Scheduled)
		})
		found := slices.DeleteFunc(fleetsim.Check(h), func(v fleetsim.Violation) bool { return v.Invariant != "I5" })
		if len(found) > 0 != fails {
			t.Errorf("%d fire times missed: %v", missed, found)
		}
	}
}

// TestV46NobodyServesForAWhile: where no instance was there, the next fire time
// serves for those missed, as after a fault.
func TestV46NobodyServesForAWhile(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		deserted []fleetsim.Span
		fails    bool
	}{
		"somebody was there":   {nil, true},
		"nobody was there":     {[]fleetsim.Span{{From: at(29), To: at(39)}}, false},
		"nobody was there yet": {[]fleetsim.Span{{From: at(29), To: at(35)}}, true},
	} {
		h := goodHistory()
		without(h, 0, 30)
		h.Jobs["job"].Deserted = c.deserted
		if found := fleetsim.Check(h); len(found) > 0 != c.fails {
			t.Errorf("%s: %v", name, found)
		}
	}
}

// TestV47TokenOfAPausedCall: a handler that was called before its process was
// paused takes its first step after another one has overtaken it, under the token
// of the call. One that is called after the overtaker must have a higher one.
func TestV47TokenOfAPausedCall(t *testing.T) {
	t.Parallel()
	for called, fails := range map[float64]bool{30: false, 35.5: true} {
		h := goodHistory()
		first := h.Runs[4] // item 0 for 30 on a
		first.Called, first.Start, first.End = at(called), at(36), at(38)
		h.Excuse("a", fleetsim.Span{From: at(29.9), To: at(36)})
		h.Marks[4].RemovedBy, h.Marks[4].Offered = 99, true
		ran(h, 0, "b", tracing.SourceFailover, 35, 35, 37).Token = 150
		for _, r := range h.Runs {
			if r.Item == 0 && r.Start.After(at(38)) {
				r.Token = 160
			}
		}
		if found := fleetsim.Check(h); len(found) > 0 != fails {
			t.Errorf("called at %v: %v", called, found)
		}
	}
}
