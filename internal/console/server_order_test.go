package console

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
)

// TestWorstFirst: as a stable sort has it.
func TestWorstFirst(t *testing.T) {
	kinds := []explain.State{explain.Healthy, explain.Failing, explain.Down, explain.Disabled}
	rapid.Check(t, func(rt *rapid.T) {
		states := rapid.SliceOf(rapid.SampledFrom(kinds)).Draw(rt, "states")
		want := make([]int, len(states))
		for i := range want {
			want[i] = i
		}
		slices.SortStableFunc(want, func(a, b int) int { return cmp.Compare(states[a].Rank(), states[b].Rank()) })
		got := make([]int, len(states))
		for i, at := range worstFirst(states) {
			got[at] = i
		}
		if !slices.Equal(got, want) {
			rt.Fatalf("%v come in the order %v, want %v", states, got, want)
		}
	})
}

// TestPlace: where it is thought to be, elsewhere, in a list that is not by name, and
// nowhere.
func TestPlace(t *testing.T) {
	list := func(names ...string) (jobs []statistics.Job) {
		for _, name := range names {
			jobs = append(jobs, statistics.Job{Name: name})
		}
		return jobs
	}
	for _, tc := range []struct {
		all  []statistics.Job
		name string
		next int
		want int
	}{
		{list("a", "b", "c"), "b", 1, 1},
		{list("a", "b", "c"), "c", 1, 2},
		{list("a", "b", "c"), "a", 3, 0},
		{list("c", "b", "a"), "a", 0, 2},
		{list("a", "c"), "b", 1, -1},
		{nil, "a", 0, -1},
	} {
		if got := place(tc.all, tc.name, tc.next); got != tc.want {
			t.Errorf("%s from %d of %d jobs: %d, want %d", tc.name, tc.next, len(tc.all), got, tc.want)
		}
	}
}
