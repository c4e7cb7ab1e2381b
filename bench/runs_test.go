package main

import (
	"math"
	"testing"
	"time"
)

// TestSince: the last shard of a run counts, one that starts early counts as such, and a
// run of which a report is missing was not managed.
func TestSince(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
	after := func(ms ...int) (list []time.Time) {
		for _, n := range ms {
			list = append(list, noon.Add(time.Duration(n)*time.Millisecond))
		}
		return list
	}
	for name, c := range map[string]struct {
		reports []time.Time
		want    float64
	}{
		"last":    {after(7, 3), 7},
		"early":   {after(-2, -5), -2},
		"missing": {after(7), math.Inf(1)},
		"none":    {nil, math.Inf(1)},
	} {
		got := since(map[string]time.Time{"a": noon}, map[string][]time.Time{"a": c.reports, "b": after(1, 1)}, 2)
		if len(got) != 1 || got[0] != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestAgentReportsRequestedRuns apart from those of the schedule.
func TestAgentReportsRequestedRuns(t *testing.T) {
	t.Parallel()
	p := &process{changed: make(chan struct{})}
	for _, line := range []string{"R 1000000 0193a5b0", "S 2000000 0 3", "K 3000000 0193a5b0", "STATS 1 2"} {
		p.accept(line)
	}
	want := []requestStamp{{'R', time.UnixMicro(1000000), "0193a5b0"}, {'K', time.UnixMicro(3000000), "0193a5b0"}}
	if len(p.asked) != 2 || p.asked[0] != want[0] || p.asked[1] != want[1] || len(p.stamps) != 1 || len(p.answers) != 1 {
		t.Errorf("%+v, %+v, %q", p.asked, p.stamps, p.answers)
	}
}
