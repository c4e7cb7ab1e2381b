package scheduler

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/tracing"
)

const (
	// flushDelay is how long a status stays in memory before it is written.
	flushDelay = 5 * time.Second
	// callTimeout bounds each call of the engine and the store.
	callTimeout = 10 * time.Second
	// notifyTimeout bounds each notification, with all its attempts.
	notifyTimeout = 2 * time.Minute
	// mostNotices is how many notifications may be under way or wait for their turn with
	// who sends them; more wait here.
	mostNotices = 256
	// reportDelay is how long after the end of a run its tasks are read: an engine may report
	// their ends a moment later.
	reportDelay = 2 * time.Second
	// retryMin and retryMax bound the pauses after an error that may pass.
	retryMin = 100 * time.Millisecond
	retryMax = 5 * time.Second
	// refusedPause is how long nothing is tried after a refusal, unless the job changes.
	refusedPause = time.Minute
	// mostRetryAfter bounds what a server may ask for.
	mostRetryAfter = 5 * time.Minute
	// repeatAfter is when an end or a resumption is asked for again that nothing came of.
	repeatAfter = 30 * time.Second
	// longestSleep bounds how long the loop trusts the monotonic clock; the wall clock may
	// be set.
	longestSleep = time.Second
	// reconcileEvery is how often everything may be read anew because somebody asks.
	reconcileEvery = 10 * time.Second
	// clockSet is from which difference on the wall clock counts as set.
	clockSet = 500 * time.Millisecond
	// mostUnwritten is how many changes of a status may wait for the store before the job
	// stands still.
	mostUnwritten = 1000
)

// Config is what a scheduler needs.
type Config struct {
	// Engine, Store and Leadership are required.
	Engine     cloud.Engine
	Store      cloud.Store
	Leadership cloud.Leadership
	// Recorder takes the rows of the history. Defaults to tracing.Discard.
	Recorder tracing.Recorder
	// Recorded reports whether the rows recorded so far are safe; no run is forgotten
	// before. Defaults to yes.
	Recorded func() bool
	// Notify is called when a run has failed of a job that asks for it ([cloud.Job.Notifies]),
	// with the last attempt at each shard that failed, in the order of the shards. It is
	// called from a goroutine of its own and at least once per run: after its end, whatever
	// it returns, the run counts as one that somebody was notified of. Its context ends
	// after two minutes. Defaults to nobody.
	Notify func(ctx context.Context, job cloud.Job, run cloud.RunStatus, failed []cloud.Task) error
	// Zone is that of jobs that name none. Defaults to UTC.
	Zone *time.Location
	// Grace is how late a fire time may be launched. Defaults to cloud.DefaultGrace, at most
	// cloud.MaxGrace.
	Grace time.Duration
	// Resync is how often the watches begin anew, because one may fall silent without an
	// error. Defaults to 10 minutes.
	Resync time.Duration
	// Launches and Others are how many calls may be under way: launches, and all others.
	// Default to 32 and 8, at most 1,000.
	Launches, Others int
	// Logger defaults to slog.Default().
	Logger *slog.Logger
	// Metrics hears what happens. Defaults to nobody.
	Metrics Metrics
	// Now is the wall clock. Defaults to time.Now.
	Now func() time.Time
}

// Metrics hears what a scheduler does. Its methods must not block.
type Metrics interface {
	// Fired is called for each action on fire times and requests: launch, postpone, miss,
	// merge or forget, with their number. lag is how late a launch is.
	Fired(do cloud.Do, count int, lag time.Duration)
	// Called is called after each call of the engine and the store, with its verb, and of
	// Notify.
	Called(verb string, took time.Duration, err error)
	// Led is called when the process begins and ends to lead.
	Led(leads bool)
	// Recorded is called with the number of rows that were recorded.
	Recorded(rows int)
}

type noMetrics struct{}

func (noMetrics) Fired(cloud.Do, int, time.Duration)  {}
func (noMetrics) Called(string, time.Duration, error) {}
func (noMetrics) Led(bool)                            {}
func (noMetrics) Recorded(int)                        {}

// Scheduler is one process's part in scheduling. Make it with New; Run may be called once.
type Scheduler struct {
	Config
	mirror *mirror
	leads  atomic.Bool
	// anew has the watches of the engine and the store begin anew.
	anew struct {
		mu            sync.Mutex
		engine, store context.CancelFunc
		last          time.Time
	}
}

// New checks the configuration.
func New(c Config) (*Scheduler, error) {
	switch {
	case c.Engine == nil || c.Store == nil || c.Leadership == nil:
		return nil, errors.New("scheduler: Engine, Store and Leadership are required")
	case c.Grace < 0 || c.Grace > cloud.MaxGrace:
		return nil, fmt.Errorf("scheduler: Grace is %s; want 0 for %s, or at most %s", c.Grace, cloud.DefaultGrace, cloud.MaxGrace)
	case c.Launches < 0 || c.Launches > 1000 || c.Others < 0 || c.Others > 1000:
		return nil, fmt.Errorf("scheduler: Launches is %d and Others %d; want 0 for the default, or at most 1000", c.Launches, c.Others)
	}
	setDefault(&c.Recorder, tracing.Discard)
	setDefault(&c.Metrics, Metrics(noMetrics{}))
	if c.Recorded == nil {
		c.Recorded = func() bool { return true }
	}
	if c.Zone == nil {
		c.Zone = time.UTC
	}
	if c.Grace == 0 {
		c.Grace = cloud.DefaultGrace
	}
	if c.Resync <= 0 {
		c.Resync = 10 * time.Minute
	}
	if c.Launches == 0 {
		c.Launches = 32
	}
	if c.Others == 0 {
		c.Others = 8
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Scheduler{Config: c, mirror: newMirror()}, nil
}

func setDefault[T any](at *T, otherwise T) {
	if any(*at) == nil {
		*at = otherwise
	}
}

// Leads reports whether this process leads.
func (s *Scheduler) Leads() bool { return s.leads.Load() }

// Run takes part until ctx ends, and returns when all that it started has ended.
func (s *Scheduler) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	wg.Go(func() {
		s.watch(ctx, "store", &s.mirror.store, &s.anew.store, func(ctx context.Context) error { return s.Store.Watch(ctx, s.mirror.onStore) })
	})
	wg.Go(func() {
		s.watch(ctx, "engine", &s.mirror.engine, &s.anew.engine, func(ctx context.Context) error { return s.Engine.Watch(ctx, s.mirror.onEngine) })
	})
	err := s.Leadership.Run(ctx, s.lead)
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("scheduler: leadership: %w", err)
	}
	return err
}

// Reconcile has everything that the engine has be read anew, and with all what the store
// has too. A caller that comes too soon gets the time to wait, and nothing is read.
func (s *Scheduler) Reconcile(all bool) (wait time.Duration) {
	s.anew.mu.Lock()
	defer s.anew.mu.Unlock()
	if !s.anew.last.IsZero() {
		if wait = reconcileEvery - time.Since(s.anew.last); wait > 0 {
			return wait
		}
	}
	s.anew.last = time.Now()
	if s.anew.engine != nil {
		s.anew.engine()
	}
	if all && s.anew.store != nil {
		s.anew.store()
	}
	return 0
}

// watch begins a watch anew as often as it ends, when it is old, and when somebody calls
// what anew has. Nobody begins to lead while it does not know the present.
func (s *Scheduler) watch(ctx context.Context, what string, r *reading, anew *context.CancelFunc, begin func(context.Context) error) {
	for failures := 0; ctx.Err() == nil; {
		began := time.Now()
		fresh, cancel := context.WithTimeout(ctx, s.Resync)
		s.anew.mu.Lock()
		*anew = cancel
		s.anew.mu.Unlock()
		err := begin(fresh)
		resync := fresh.Err() != nil
		cancel()
		switch {
		case ctx.Err() != nil:
			s.mirror.lost(r, nil)
			return
		case resync:
			s.mirror.lost(r, nil)
			failures = 0
			continue
		case time.Since(began) > retryMax:
			failures = 0
		}
		s.mirror.lost(r, err)
		wait := pause(failures, err)
		failures++
		s.Logger.WarnContext(ctx, "cloud: a watch ended and begins anew", "watch", what, "error", err, "pause", wait)
		sleep(ctx, wait)
	}
}

func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// lead is a term of leadership.
func (s *Scheduler) lead(ctx context.Context) {
	s.leads.Store(true)
	s.Metrics.Led(true)
	s.Logger.InfoContext(ctx, "cloud: this process leads")
	defer func() {
		s.leads.Store(false)
		s.Metrics.Led(false)
		s.Logger.InfoContext(ctx, "cloud: this process leads no more", "cause", context.Cause(ctx))
	}()
	t := newTerm(s, ctx)
	t.run()
}

// pause is how long to wait after so many failures: what the server asks for, or twice as
// long each time, with jitter.
func pause(failures int, err error) time.Duration {
	var after *cloud.RetryAfterError
	if errors.As(err, &after) && after.After > 0 {
		return min(after.After, mostRetryAfter)
	}
	d := min(retryMin<<min(failures, 10), retryMax)
	return d/2 + rand.N(d/2)
}
