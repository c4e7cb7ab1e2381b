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
	cause      error     // of the context when the handler returned
	err        error
}

// journal collects the handlers' runs.
type journal struct {
	mu   sync.Mutex
	list []*run
}

func (j *journal) handler(agent string, handle func(ctx context.Context, s *coreagent.Shard) error) coreagent.Handler {
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
		if handle != nil {
			err = handle(ctx, s)
		}
		return err
	})
}

// of returns the runs of a shard so far; shard -1 means all.
func (j *journal) of(job string, shard int) []run {
	j.mu.Lock()
	defer j.mu.Unlock()
	var list []run
	for _, r := range j.list {
		if r.shard.Job == job && (shard < 0 || r.shard.Item == shard) {
			list = append(list, *r)
		}
	}
	return list
}

// count returns the number of runs. Copying thousands of them each time would make the handlers
// wait for the journal.
func (j *journal) count(job string, shard int) int {
	j.mu.Lock()
	defer j.mu.Unlock()
	n := 0
	for _, r := range j.list {
		if r.shard.Job == job && (shard < 0 || r.shard.Item == shard) {
			n++
		}
	}
	return n
}

func (j *journal) forget() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.list = nil
}

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

// completions counts the successful runs of each shard that began in [from, to).
func (j *journal) completions(job string, shards int, from, to time.Time) []int {
	counts := make([]int, shards)
	for _, r := range j.between(job, from, to) {
		if !r.end.IsZero() && r.err == nil {
			counts[r.shard.Item]++
		}
	}
	return counts
}

// starts counts the runs of each shard that began in [from, to).
func (j *journal) starts(job string, shards int, from, to time.Time) []int {
	counts := make([]int, shards)
	for _, r := range j.between(job, from, to) {
		counts[r.shard.Item]++
	}
	return counts
}

// overlaps returns the pairs of overlapping runs of one shard.
func (j *journal) overlaps(job string, shards int) []string {
	var found []string
	for shard := range shards {
		runs := j.of(job, shard)
		slices.SortFunc(runs, func(a, b run) int { return a.start.Compare(b.start) })
		for i := 1; i < len(runs); i++ {
			if runs[i-1].end.IsZero() || runs[i].start.Before(runs[i-1].end) {
				found = append(found, story(runs[i-1:i+1]))
			}
		}
	}
	return found
}

// story describes runs for a failure message.
func story(runs []run) string {
	var s strings.Builder
	for _, r := range runs {
		fmt.Fprintf(&s, "\n    shard %d on %s %s scheduled %s: %s to %s, %v", r.shard.Item, r.agent, r.shard.Source,
			r.shard.ScheduledAt.Format(time.TimeOnly), r.start.Format("15:04:05.000"), r.end.Format("15:04:05.000"), r.err)
	}
	return s.String()
}

// runsFrom returns the runs of a shard except for the first n; shard -1 means all. If there are
// fewer, only this test fails. Otherwise an index out of range would end the tests of the whole
// package.
func (b *fixture) runsFrom(job string, shard, n int) []run {
	b.Helper()
	runs := b.runs.of(job, shard)
	if len(runs) < n {
		b.Fatalf("shard %d of %s has run %d times, want at least %d:%s", shard, job, len(runs), n, story(runs))
	}
	return runs[n:]
}

// nthRun returns a run of a shard, counted from 0.
func (b *fixture) nthRun(job string, shard, n int) run {
	b.Helper()
	b.runsFrom(job, shard, n+1)
	return b.runs.of(job, shard)[n]
}

// times returns a slice with n times the same value.
func times(n, value int) []int { return slices.Repeat([]int{value}, n) }

// gate is a handler that waits until the gate opens or its context ends.
type gate chan struct{}

func (g gate) handle(ctx context.Context, _ *coreagent.Shard) error {
	select {
	case <-g:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
