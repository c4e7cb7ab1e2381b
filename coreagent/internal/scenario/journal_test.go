package scenario_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
)

// run is one call of a handler.
type run struct {
	agent      string
	shard      coreagent.Shard
	start, end time.Time // end is zero while it runs
	cause      error     // of the context, when the body returned
	err        error
}

// journal collects what bodies did.
type journal struct {
	mu   sync.Mutex
	list []*run
}

func (j *journal) handler(agent string, body func(ctx context.Context, s *coreagent.Shard) error) coreagent.Handler {
	return coreagent.HandlerFunc(func(ctx context.Context, s *coreagent.Shard) error {
		r := &run{agent: agent, shard: *s, start: time.Now()}
		j.mu.Lock()
		j.list = append(j.list, r)
		j.mu.Unlock()
		var err error
		defer func() {
			j.mu.Lock()
			defer j.mu.Unlock()
			r.end, r.cause, r.err = time.Now(), context.Cause(ctx), err
		}()
		if body != nil {
			err = body(ctx, s)
		}
		return err
	})
}

// of returns the runs of an item by now; item -1 means all.
func (j *journal) of(job string, item int) []run {
	j.mu.Lock()
	defer j.mu.Unlock()
	var list []run
	for _, r := range j.list {
		if r.shard.Job == job && (item < 0 || r.shard.Item == item) {
			list = append(list, *r)
		}
	}
	return list
}

// count is how many runs there are, without copying thousands of them ever
// again while the bodies wait for the journal.
func (j *journal) count(job string, item int) int {
	j.mu.Lock()
	defer j.mu.Unlock()
	n := 0
	for _, r := range j.list {
		if r.shard.Job == job && (item < 0 || r.shard.Item == item) {
			n++
		}
	}
	return n
}

// forget empties the journal.
func (j *journal) forget() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.list = nil
}

// all returns all runs by now.
func (j *journal) all() []run {
	j.mu.Lock()
	defer j.mu.Unlock()
	list := make([]run, len(j.list))
	for i, r := range j.list {
		list[i] = *r
	}
	return list
}

// between returns the runs of a job that started in [from, to).
func (j *journal) between(job string, from, to time.Time) []run {
	return slices.DeleteFunc(j.of(job, -1), func(r run) bool { return r.start.Before(from) || !r.start.Before(to) })
}

// completions counts the runs of each item that were begun in [from, to) and
// ended well.
func (j *journal) completions(job string, items int, from, to time.Time) []int {
	counts := make([]int, items)
	for _, r := range j.between(job, from, to) {
		if !r.end.IsZero() && r.err == nil {
			counts[r.shard.Item]++
		}
	}
	return counts
}

// starts counts the runs of each item that were begun in [from, to).
func (j *journal) starts(job string, items int, from, to time.Time) []int {
	counts := make([]int, items)
	for _, r := range j.between(job, from, to) {
		counts[r.shard.Item]++
	}
	return counts
}

// overlaps returns the pairs of runs of one item at the same time.
func (j *journal) overlaps(job string, items int) []string {
	var found []string
	for item := range items {
		runs := j.of(job, item)
		slices.SortFunc(runs, func(a, b run) int { return a.start.Compare(b.start) })
		for i := 1; i < len(runs); i++ {
			if runs[i-1].end.IsZero() || runs[i].start.Before(runs[i-1].end) {
				found = append(found, story(runs[i-1:i+1]))
			}
		}
	}
	return found
}

// story describes runs, for whoever reads a failure.
func story(runs []run) string {
	var s strings.Builder
	for _, r := range runs {
		fmt.Fprintf(&s, "\n    item %d on %s %s scheduled %s: %s to %s, %v", r.shard.Item, r.agent, r.shard.Source,
			r.shard.ScheduledAt.Format(time.TimeOnly), r.start.Format("15:04:05.000"), r.end.Format("15:04:05.000"), r.err)
	}
	return s.String()
}

// runsFrom returns the runs of an item but the first n; item -1 means all. A test
// that expects more than there are fails by itself: an index out of range would end
// the tests of the whole package.
func (b *bed) runsFrom(job string, item, n int) []run {
	b.Helper()
	runs := b.runs.of(job, item)
	if len(runs) < n {
		b.Fatalf("item %d of %s has run %d times, want at least %d:%s", item, job, len(runs), n, story(runs))
	}
	return runs[n:]
}

// nthRun returns a run of an item, counted from 0.
func (b *bed) nthRun(job string, item, n int) run {
	b.Helper()
	b.runsFrom(job, item, n+1)
	return b.runs.of(job, item)[n]
}

// times is n times the same number.
func times(n, value int) []int { return slices.Repeat([]int{value}, n) }

// gate is a body that waits until it is opened or its context ends.
type gate chan struct{}

func (g gate) body(ctx context.Context, _ *coreagent.Shard) error {
	select {
	case <-g:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
