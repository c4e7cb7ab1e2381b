package scheduler

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/cloudfake"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// fixture is a store, an engine and an election, with schedulers, in a bubble.
type fixture struct {
	testing.TB
	store    *cloudfake.Store
	engine   *cloudfake.Engine
	election *election
	rows     *rows
	// offset is how far the schedulers' wall clock is ahead.
	mu     sync.Mutex
	offset time.Duration
	start  time.Time
	wg     sync.WaitGroup
	alive  []context.CancelFunc
}

// rows keeps the recorded rows by id, like a sink.
type rows struct {
	mu         sync.Mutex
	statuses   map[string]tracing.Status
	executions map[string]tracing.Execution
	calls      int
}

func (r *rows) RecordStatus(s tracing.Status) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.statuses[s.ID] = s
	r.calls++
}

func (r *rows) RecordExecution(e tracing.Execution) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if old, known := r.executions[e.ID]; !known || old.Running() {
		r.executions[e.ID] = e
	}
	r.calls++
}

func (r *rows) states() map[tracing.State]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	counts := make(map[tracing.State]int)
	for _, s := range r.statuses {
		counts[s.State]++
	}
	return counts
}

// inBubble runs a test in virtual time, which begins at a whole minute.
func inBubble(t *testing.T, lasts time.Duration, test func(f *fixture)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &fixture{
			TB: t, store: cloudfake.NewStore(), engine: cloudfake.NewEngine(func(cloud.Run) time.Duration { return lasts }), election: newElection(),
			rows: &rows{statuses: make(map[string]tracing.Status), executions: make(map[string]tracing.Execution)}, start: time.Now(),
		}
		if _, err := f.store.CreateApp(t.Context(), cloud.NewApp("shop")); err != nil {
			t.Fatal(err)
		}
		defer f.stop()
		test(f)
	})
}

func (f *fixture) stop() {
	for _, cancel := range f.alive {
		cancel()
	}
	f.wg.Wait()
}

// begin starts a scheduler and returns a function that kills it.
func (f *fixture) begin(change ...func(*Config)) (kill context.CancelFunc) {
	f.Helper()
	c := Config{
		Engine: f.engine, Store: f.store, Leadership: f.election.member(), Recorder: f.rows, Logger: slog.New(slog.NewTextHandler(f.Output(), nil)),
		Now: func() time.Time {
			f.mu.Lock()
			defer f.mu.Unlock()
			return time.Now().Add(f.offset)
		},
	}
	for _, ch := range change {
		ch(&c)
	}
	s, err := New(c)
	if err != nil {
		f.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	f.alive = append(f.alive, cancel)
	f.wg.Go(func() {
		if err := s.Run(ctx); err != nil && ctx.Err() == nil {
			f.Error(err)
		}
	})
	synctest.Wait()
	return cancel
}

func (f *fixture) setClock(ahead time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.offset = ahead
}

func (f *fixture) job(name, cron string, change ...func(*cloud.Job)) {
	f.Helper()
	j := cloud.NewJob(name, "shop", 1)
	j.Cron, j.Misfire, j.Props = cron, false, map[string]string{}
	for _, c := range change {
		c(&j)
	}
	if _, err := f.store.Create(f.Context(), j); err != nil {
		f.Fatal(err)
	}
}

func (f *fixture) change(job string, change func(*cloud.Definition)) {
	f.Helper()
	if _, err := f.store.Change(f.Context(), job, func(d *cloud.Definition) error { change(d); return nil }); err != nil {
		f.Fatal(err)
	}
}

func (f *fixture) status(job string) cloud.Status {
	d, _ := f.store.Definition(job)
	return d.Status
}

// passes lets time pass, and then waits until all goroutines are idle.
func (f *fixture) passes(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// fired lists the fire times of a job's runs, in seconds after the start.
func (f *fixture) fired(job string) []int {
	var seconds []int
	for _, name := range f.engine.Created() {
		if at, ok := cloud.FireOf(name); ok && (name == cloud.RunName(job, at) || name == cloud.CollisionName(cloud.RunName(job, at))) {
			seconds = append(seconds, int(at.Sub(f.start)/time.Second))
		}
	}
	return seconds
}

func (f *fixture) want(job string, seconds ...int) {
	f.Helper()
	if got := f.fired(job); !slices.Equal(got, seconds) {
		f.Errorf("%s fired at %v, want %v", job, got, seconds)
	}
}

// every lists the multiples of a step between two seconds, inclusive.
func every(step, from, to int) []int {
	var seconds []int
	for s := from; s <= to; s += step {
		seconds = append(seconds, s)
	}
	return seconds
}
