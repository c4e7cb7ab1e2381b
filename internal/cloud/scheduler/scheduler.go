package scheduler

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/sleep"
	"github.com/elasticjob-go/elasticjob/tracing"
)

const (
	flushDelay     = 5 * time.Second        // how long a status stays in memory before it's written
	callTimeout    = 10 * time.Second       // of each call of the engine and the store
	notifyTimeout  = 2 * time.Minute        // of each notification, with all its attempts
	mostNotices    = 256                    // notifications under way; Config.Notify makes them wait for their turn
	reportDelay    = 2 * time.Second        // after a run's end its tasks are read, because an engine may report them late
	retryMin       = 100 * time.Millisecond // the shortest pause after a temporary error
	retryMax       = 5 * time.Second        // and the longest
	mostRetryAfter = 5 * time.Minute        // the longest pause that a server may request
	refusedPause   = time.Minute            // the pause after a refusal, unless the job changes
	repeatAfter    = 30 * time.Second       // after this time a call without an effect is repeated
	lookAgain      = time.Minute            // how often we look at runs that may be forgotten later
	resync         = 10 * time.Minute       // how often the watches restart, because a watch may fall silent without an error
	resyncTakes    = 5 * time.Second        // for a watch to restart; after it, its last report counts as old
	longestSleep   = time.Second            // how long the loop trusts the monotonic clock, because the wall clock may be set
	reconcileEvery = 10 * time.Second       // how often Reconcile may read everything again
	clockSet       = 500 * time.Millisecond // a greater difference means that the wall clock was set
	mostOthers     = 8                      // calls under way that aren't launches, of each kind
	mostUnwritten  = 1000                   // changes of a status may wait for the store; then the job waits too
)

type Config struct {
	// Engine, Store and Leadership are required.
	Engine     cloud.Engine
	Store      cloud.Store
	Leadership cloud.Leadership
	// Recorder takes the rows of the history. Defaults to tracing.Discard.
	Recorder tracing.Recorder
	// Recorded reports whether all rows recorded so far are safe. No run is forgotten before that.
	// Defaults to yes.
	Recorded func() bool
	// Notify is called for a failed run of a job that asks for it ([cloud.Job.Notifies]), with the
	// last attempt at each failed shard, by shard. It's called on its own goroutine, at least once
	// per run. When it returns, even with an error, the run counts as notified. Its context ends
	// after two minutes. Defaults to no notifications.
	Notify func(ctx context.Context, job cloud.Job, run cloud.RunStatus, failed []cloud.Task) error
	// Zone is for jobs without a time zone. Defaults to UTC.
	Zone   *time.Location
	Logger *slog.Logger
	// Metrics counts events. Defaults to none.
	Metrics Metrics
	// Now is the wall clock. Defaults to time.Now.
	Now func() time.Time

	launches int // under way at most; tests change it
}

// Metrics counts the events of a scheduler. Its methods must not block.
type Metrics interface {
	// Fired gets the number of fire times and requests of a launch, postpone, miss, merge or
	// forget. lag is how late a launch is.
	Fired(do cloud.Do, count int, lag time.Duration)
	// Called is called after each call of the engine, the store and Notify.
	Called(verb string, took time.Duration, err error)
	// Led is called when the process starts and stops leading.
	Led(leads bool)
	// Recorded gets the number of new rows.
	Recorded(rows int)
}

type noMetrics struct{}

func (noMetrics) Fired(cloud.Do, int, time.Duration)  {}
func (noMetrics) Called(string, time.Duration, error) {}
func (noMetrics) Led(bool)                            {}
func (noMetrics) Recorded(int)                        {}

// Scheduler is one process's part in scheduling. Create it with New. Run may be called once.
type Scheduler struct {
	Config
	*mirror
	leads atomic.Bool
}

// New checks the configuration.
func New(c Config) (*Scheduler, error) {
	if c.Engine == nil || c.Store == nil || c.Leadership == nil {
		return nil, errors.New("scheduler: Engine, Store and Leadership are required")
	}
	c.Recorder, c.Metrics = cmp.Or(c.Recorder, tracing.Discard), cmp.Or(c.Metrics, Metrics(noMetrics{}))
	c.Zone, c.Logger = cmp.Or(c.Zone, time.UTC), cmp.Or(c.Logger, slog.Default())
	c.launches = cmp.Or(c.launches, 32)
	if c.Recorded == nil {
		c.Recorded = func() bool { return true }
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Scheduler{Config: c, mirror: newMirror()}, nil
}

func (s *Scheduler) Leads() bool { return s.leads.Load() }

// Run takes part until ctx ends, and returns when everything it started has ended.
func (s *Scheduler) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	wg.Go(func() {
		s.watch(ctx, "store", &s.store, func(ctx context.Context) error { return s.Store.Watch(ctx, s.onStore) })
	})
	wg.Go(func() {
		s.watch(ctx, "engine", &s.engine, func(ctx context.Context) error { return s.Engine.Watch(ctx, s.onEngine) })
	})
	err := s.Leadership.Run(ctx, s.lead)
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("scheduler: leadership: %w", err)
	}
	return err
}

// watch restarts a watch when it ends, when it's old, and when Reconcile ends it.
func (s *Scheduler) watch(ctx context.Context, what string, r *reading, begin func(context.Context) error) {
	for failures := 0; ctx.Err() == nil; {
		began := time.Now()
		fresh, cancel := context.WithTimeout(ctx, resync)
		s.begins(r, cancel)
		err := begin(fresh)
		planned := fresh.Err() != nil
		cancel()
		if planned {
			s.lost(r, nil)
			failures = 0
			continue
		}
		if time.Since(began) > retryMax {
			failures = 0
		}
		s.lost(r, err)
		wait := pause(failures, err)
		failures++
		s.Logger.WarnContext(ctx, "cloud: a watch ended, restarting it", "watch", what, "error", err, "pause", wait)
		_ = sleep.For(ctx, wait)
	}
}

func (s *Scheduler) lead(ctx context.Context) {
	s.leads.Store(true)
	s.Metrics.Led(true)
	s.Logger.InfoContext(ctx, "cloud: became leader")
	defer func() {
		s.leads.Store(false)
		s.Metrics.Led(false)
		s.Logger.InfoContext(ctx, "cloud: lost leadership", "cause", context.Cause(ctx))
	}()
	newTerm(s, ctx).run()
}

// pause returns the pause after a number of failures: the server's, or a doubling one with jitter.
func pause(failures int, err error) time.Duration {
	var after *cloud.RetryAfterError
	if errors.As(err, &after) && after.After > 0 {
		return min(after.After, mostRetryAfter)
	}
	d := min(retryMin<<min(failures, 10), retryMax)
	return d/2 + rand.N(d/2)
}
