package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
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

// TestFlowBecame: what waited is counted from when it was to be requested, and what is
// missing or started twice is counted.
func TestFlowBecame(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
	f := flow{began: noon, moments: map[string]time.Time{"a": noon, "b": noon.Add(10 * time.Millisecond), "c": noon.Add(20 * time.Millisecond)}}
	out := f.became(map[string][]time.Time{
		"a": {noon.Add(4 * time.Millisecond)}, "b": {noon.Add(15 * time.Millisecond), noon.Add(90 * time.Millisecond)},
		"warm": {noon.Add(-time.Second), noon.Add(time.Hour)},
	})
	slices.Sort(out.waits)
	if !slices.Equal(out.waits, []float64{4, 80, math.Inf(1)}) || out.last != 90*time.Millisecond || out.missing != 1 || out.twice != 1 {
		t.Errorf("%+v", out)
	}
}

// TestBesideFigures: fires that did not happen are missing, and without any there is no
// figure.
func TestBesideFigures(t *testing.T) {
	t.Parallel()
	c := lateCase{jobs: 2}
	list, err := besideFigures(c, [][]float64{{1, 2, 3, 4, 5, 6, 7, 8}, {1, 2, 3, 4, 5, 90}}, flow{refused: 1}, flowed{missing: 2})
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[string]float64)
	for _, f := range list {
		got[f.name] = f.value()
	}
	if got["runs-beside-late-p99"] != 90 || got["runs-beside-late-p99-without"] != 8 || got["runs-beside-fires-missing"] != 2 || got["runs-beside-runs-missing"] != 3 {
		t.Error(got)
	}
	if _, err := besideFigures(c, [][]float64{{1}, nil}, flow{}, flowed{}); err == nil || !strings.Contains(err.Error(), "8 fires without and with requested runs 1 and 0 happened") {
		t.Errorf("error %v", err)
	}
}

// TestWaitingFigures: pings are no requests, and less heap than before is none.
func TestWaitingFigures(t *testing.T) {
	t.Parallel()
	before := idled{heap: [2]float64{3e6, 3e6}, requests: 20}
	after := idled{heap: [2]float64{5.5e6, 2.9e6}, requests: 24 + waitingWindow.Seconds(), cpu: waitingWindow / 1000}
	want := map[string]float64{"runs-waiting-steward-heap": 2.5, "runs-waiting-other-heap": 0, "runs-waiting-requests": 1, "runs-waiting-cpu": 0.1}
	for _, f := range waitingFigures(before, after) {
		if got := f.value(); math.Abs(got-want[f.name]) > 1e-9 {
			t.Errorf("%s: %v, want %v", f.name, got, want[f.name])
		}
	}
}

// TestAskedOfRun: the first report of a kind about a run counts.
func TestAskedOfRun(t *testing.T) {
	t.Parallel()
	p := &process{changed: make(chan struct{})}
	for _, line := range []string{"R 1000000 a", "R 2000000 b", "K 3000000 b", "R 4000000 b"} {
		p.accept(line)
	}
	if at := p.askedLocked('R', "b"); !at.Equal(time.UnixMicro(2000000)) {
		t.Error(at)
	}
	if at := p.askedLocked('K', "a"); !at.IsZero() {
		t.Error(at)
	}
}

// TestLinesHaveKeysOfTheirOwn: lines are counted by their keys in the table.
func TestLinesHaveKeysOfTheirOwn(t *testing.T) {
	t.Parallel()
	seen := make(map[string]bool)
	for n := range 1000 {
		line := logLine(n)
		key := fmt.Sprint(line.ExecutionID, line.Seq)
		if seen[key] || line.Seq < 1 || len(line.ExecutionID) > 40 {
			t.Fatalf("line %d: %+v", n, line)
		}
		seen[key] = true
	}
}
