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

// failedSeeds are fleets that have failed once, of both kinds. They are replayed as they
// were: what came to the simulation later has no part in them.
var (
	failedSeeds      = []uint64{320089, 325714, 323206, 323804, 325510, 310003, 369, 20000079, 40001902, 50000257, 60001585, 70002498, 170000690, 170003433, 183000022, 300100977, 340100638, 700000001, 700000007, 730000074}
	failedFleetSeeds = []uint64{400010402, 410030166, 420010353, 420010801, 450000898, 460010196, 470090610, 480040985, 490050283, 490140831, 490160899, 490140493, 490170110, 510090699}
	failedHoursSeeds = []uint64{95000038, 171000267, 172000985, 173000098, 173000142, 175000512, 176000144, 176000160, 176000565, 180000077, 180000505, 182000126, 184000530, 186000873, 190003042, 190003702, 300200077, 310300187, 330300066, 330500051, 370500061, 400025004, 450005075, 450035199, 490095147, 17954652200157, 577000377, 602000164, 616000462}
)

// Fleets that have failed with all of that, of seconds and of hours.
var (
	laterFleetSeeds = []uint64{727000063, 17958800100158, 17958852000571, 17958852001436, 17958852001887}
	laterHoursSeeds = []uint64{184311290500008, 184311290500036, 17959439100020112, 654000041, 655000019, 656000045, 656000091, 17957635300192}
)

// replayed reports whether a fleet has failed before holds, timeouts, and requested runs
// over hours came to the simulation.
func replayed(seed uint64) bool {
	return slices.Contains(failedSeeds, seed) || slices.Contains(failedFleetSeeds, seed) || slices.Contains(failedHoursSeeds, seed)
}

// TestV45V46V47SeedsThatFailed replays fleets that have failed once. What failed
// there has a test of its own by that number here, in coreagent or in engine.
func TestV45V46V47SeedsThatFailed(t *testing.T) {
	t.Parallel()
	for _, seed := range failedSeeds {
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

// TestV45MisfireOffMayMissOneFireTime: without misfire, or without the records
// it goes by, a shard that changes hands between two clocks may miss one fire
// time, and no more.
func TestV45MisfireOffMayMissOneFireTime(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		misfire, monitor bool
		missed           int
		fails            bool
	}{{false, true, 1, false}, {false, true, 2, true}, {true, false, 1, false}, {true, false, 2, true}, {true, true, 1, true}} {
		h := goodHistory()
		settings := h.Jobs["job"].Settings
		settings[0].Period, settings[0].Misfire, settings[0].Monitor = 3*handPeriod*time.Second, c.misfire, c.monitor
		h.Runs = slices.DeleteFunc(h.Runs, func(r *fleetsim.Run) bool {
			return !r.Scheduled.Equal(r.Scheduled.Truncate(settings[0].Period)) || r.Item == 0 && slices.Contains([]time.Time{at(120), at(150)}[:c.missed], r.Scheduled)
		})
		found := slices.DeleteFunc(fleetsim.Check(h), func(v fleetsim.Violation) bool { return v.Invariant != "I5" })
		if len(found) > 0 != c.fails {
			t.Errorf("%+v: %v", c, found)
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

// TestV47TokenOfAnOvertakenRun: a run that was marked before its process was
// paused, or its session taken away, takes its first step after another one has
// overtaken it, and with a lower token. One that was marked after that may not.
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
			h.Excuse("a", fleetsim.Span{From: at(29.95), To: at(37.5)})
		}
		ran(h, 0, "b", tracing.SourceFailover, 35, 35, 37).Token = 150
		for _, r := range h.Runs {
			if r.Item == 0 && r.Start.After(at(38)) {
				r.Token = 160
			}
		}
		found := slices.DeleteFunc(fleetsim.Check(h), func(v fleetsim.Violation) bool { return v.Invariant != "I1" })
		if len(found) > 0 != c.fails {
			t.Errorf("%s: %v", name, found)
		}
	}
}
