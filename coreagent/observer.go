package coreagent

import (
	"context"
	"errors"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/internal/usererror"
	"github.com/elasticjob-go/elasticjob/internal/wake"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// Observer is notified of the agent's actions, so that they can be counted. Package coreagentprom
// has one for Prometheus.
//
// One goroutine of the agent calls it, with one observation after the other in order. A slow
// observer delays no run. If it panics, that is logged and it's called again for the next
// observation. At most 65,536 observations wait; further ones are lost and logged.
type Observer interface {
	Observe(Observation)
}

// Observation is one of [JobServed], [JobRefused], [Fired], [FireSuppressed], [RunStarted],
// [RunEnded], [RunMoved], [RunsWaiting], [ItemsUnassigned], [Resharded], [Requested] and
// [SessionChanged]. Later versions may have more; an [Observer] must ignore unknown ones.
type Observation interface{ observation() }

// JobServed means that the agent starts or stops serving a job.
type JobServed struct {
	Job string
	// Ended means that it stops.
	Ended bool
}

// JobRefused reports a job that was added to the agent and isn't served; see [Agent.Refused].
type JobRefused struct {
	Job string
	// Err is the reason, nil if the job is now served after all.
	Err error
}

// Fired means that a fire time came while the job was not disabled on this server. A run may not
// follow, because the instance may have no shards, or still be busy with the previous run.
type Fired struct{ Job string }

// FireSuppressed means that a fire time passed without a run, because the job is held.
type FireSuppressed struct{ Job string }

// RunMoved means that a requested run changed its state. The agent that changed it reports it,
// once. If a console ended the run, the agent that manages the queue reports it.
type RunMoved struct {
	Job, ID string
	// State is a run's state, or [StateLost].
	State   RunState
	Attempt int
	// Waited is how late a run's first attempt started; zero otherwise.
	Waited time.Duration
	// Took is the time from the start to the end of an ended run.
	Took time.Duration
}

// RunsWaiting reports changes of the number of waiting requested runs of a job. Only one agent of
// the fleet reports it; when it no longer does, it reports 0.
type RunsWaiting struct {
	Job string
	// Scheduled runs wait for their time. Queued runs wait for anything else, such as a free shard
	// or the release of the job.
	Scheduled, Queued int
	// Oldest is when the first of the queued ones was due, zero without one.
	Oldest time.Time
}

// RunStarted means that this instance starts a run of at least one shard.
type RunStarted struct {
	Job   string
	Items int
}

// RunResult is the result of this instance's part of a run, in the words of the metrics.
type RunResult string

const (
	// RunSucceeded: every shard succeeded.
	RunSucceeded RunResult = "success"
	// RunFailed: at least one shard failed, or a listener stopped the run.
	RunFailed RunResult = "failure"
	// RunCancelled: shards failed after the run's context had ended, because the session was lost,
	// the agent stopped or an operator shut the job down.
	RunCancelled RunResult = "cancelled"
)

// RunEnded means that a run has ended; a [RunStarted] came before.
type RunEnded struct {
	Job    string
	Result RunResult
	// Source is what made the shards run.
	Source tracing.Source
	// Scheduled means that the run was for a fire time of the schedule, not for a trigger, a
	// misfire or a failover.
	Scheduled bool
	// Items counts the shards that this instance ran, Failed the failed ones.
	Items, Failed int
	// Late is the time from the fire time to the start of the shards. It's negative if the clock was set back.
	Late time.Duration
	// Took is the time from the run's start to the end of its last shard.
	Took time.Duration
	// At is when it ended.
	At time.Time
}

// ItemsUnassigned reports changes of the number of shards without a living and enabled owner, which
// therefore don't run. Only the job's leader reports it; when it stops leading, it reports 0.
type ItemsUnassigned struct {
	Job   string
	Items int
}

// Resharded means that this instance, as the job's leader, assigned the shards again, or failed
// with Err and tries again.
type Resharded struct {
	Job  string
	Took time.Duration
	Err  error
}

// Requested reports a request to ZooKeeper.
type Requested struct {
	// Operation is one of get, exists, children, create, set, delete, multi and sync.
	Operation string
	Took      time.Duration
	// Unanswered means that there was no answer, because the connection broke, the session ended,
	// or it took too long. A refusal is an answer.
	Unanswered bool
}

// SessionState is the state of the agent's session with ZooKeeper.
type SessionState string

const (
	SessionConnected SessionState = "connected"
	// SessionSuspended: the connection is broken, no new run starts.
	SessionSuspended SessionState = "suspended"
	// SessionLost: others may own the shards now; runs have been cancelled.
	SessionLost SessionState = "lost"
	// SessionClosed: the agent has stopped.
	SessionClosed SessionState = "closed"
)

// SessionChanged reports a new state of the session.
type SessionChanged struct{ State SessionState }

func (JobServed) observation()       {}
func (JobRefused) observation()      {}
func (Fired) observation()           {}
func (FireSuppressed) observation()  {}
func (RunMoved) observation()        {}
func (RunsWaiting) observation()     {}
func (RunStarted) observation()      {}
func (RunEnded) observation()        {}
func (ItemsUnassigned) observation() {}
func (Resharded) observation()       {}
func (Requested) observation()       {}
func (SessionChanged) observation()  {}

// observing passes observations from the engine to the user's observer. The engine only stores
// them, under a lock that is never held for long; the user's code runs on its own goroutine.
type observing struct {
	to  Observer
	log *slog.Logger

	wake chan struct{}
	done chan struct{} // closed when the goroutine has ended

	mu      sync.Mutex
	queue   []host.Observation
	dropped int
	closed  bool
}

// maxObservations limits the queue to some megabytes.
const maxObservations = 1 << 16

// newObserving returns nil if there is no observer.
func newObserving(to Observer, log *slog.Logger) *observing {
	if to == nil {
		return nil
	}
	return &observing{to: to, log: log, wake: make(chan struct{}, 1), done: make(chan struct{})}
}

func (o *observing) hook() func(host.Observation) {
	if o == nil {
		return nil
	}
	return o.add
}

func (o *observing) requests() func(op string, took time.Duration, err error) {
	if o == nil {
		return nil
	}
	return func(op string, took time.Duration, err error) {
		o.add(host.Observation{Event: host.Asked, Operation: op, Took: took, Err: err})
	}
}

// add stores an observation. It never blocks.
func (o *observing) add(what host.Observation) {
	if o == nil {
		return
	}
	o.mu.Lock()
	if o.closed || len(o.queue) >= maxObservations {
		o.dropped++
		o.mu.Unlock()
		return
	}
	o.queue = append(o.queue, what)
	o.mu.Unlock()
	wake.Up(o.wake)
}

func (o *observing) start() {
	if o != nil {
		go o.work()
	}
}

func (o *observing) work() {
	defer close(o.done)
	var batch []host.Observation
	for {
		o.mu.Lock()
		batch, o.queue = o.queue, batch[:0]
		dropped, closed := o.dropped, o.closed
		if !closed {
			o.dropped = 0
		}
		o.mu.Unlock()
		if dropped > 0 && !closed {
			o.log.Warn("the observer is too slow; observations are lost", "lost", dropped)
		}
		for _, what := range batch {
			o.hand(what)
		}
		clear(batch) // errors may be large
		if len(batch) == 0 {
			if closed {
				return
			}
			<-o.wake
		}
	}
}

// hand calls the user's code for one observation.
func (o *observing) hand(what host.Observation) {
	defer func() {
		if value := recover(); value != nil {
			o.log.Error("the observer panicked", "panic", usererror.PanicText(value), "stack", string(debug.Stack()))
		}
	}()
	if observation := observationOf(what); observation != nil {
		o.to.Observe(observation)
	}
}

// close passes on the waiting observations and ends. When ctx ends, it leaves behind an observer
// that doesn't return.
func (o *observing) close(ctx context.Context) {
	if o == nil {
		return
	}
	o.mu.Lock()
	o.closed = true
	o.mu.Unlock()
	wake.Up(o.wake)
	select {
	case <-o.done:
	case <-ctx.Done():
		o.log.WarnContext(ctx, "the observer did not return in time; no longer waiting for it")
	}
}

func observationOf(what host.Observation) Observation {
	switch what.Event {
	case host.JobCame, host.JobWent:
		return JobServed{Job: what.Job, Ended: what.Event == host.JobWent}
	case host.Refused:
		return JobRefused{Job: what.Job, Err: jobError("start", what.Job, what.Err)}
	case host.Fired:
		return Fired{Job: what.Job}
	case host.Suppressed:
		return FireSuppressed{Job: what.Job}
	case host.RunMoved:
		return RunMoved{Job: what.Job, ID: what.Move.ID, State: what.Move.State, Attempt: what.Move.Attempt, Waited: what.Move.Waited, Took: what.Move.Took}
	case host.RunsWait:
		waiting := RunsWaiting{Job: what.Job, Scheduled: what.Waiting.Scheduled, Queued: what.Waiting.Queued}
		if what.Waiting.Oldest != 0 {
			waiting.Oldest = time.UnixMilli(what.Waiting.Oldest)
		}
		return waiting
	case host.RunBegan:
		return RunStarted{Job: what.Job, Items: what.Items}
	case host.RunEnded:
		result := RunSucceeded
		switch {
		case what.Cancelled:
			result = RunCancelled
		case what.Failed > 0:
			result = RunFailed
		}
		return RunEnded{
			Job: what.Job, Result: result, Source: what.Source, Scheduled: what.Regular,
			Items: what.Items, Failed: what.Failed, Late: what.Late, Took: what.Took, At: what.At,
		}
	case host.Unassigned:
		return ItemsUnassigned{Job: what.Job, Items: what.Items}
	case host.Resharded:
		return Resharded{Job: what.Job, Took: what.Took, Err: what.Err}
	case host.Asked:
		return Requested{Operation: what.Operation, Took: what.Took, Unanswered: unanswered(what.Err)}
	case host.SessionBecame:
		return SessionChanged{State: sessionState(what.State)}
	}
	return nil
}

func unanswered(err error) bool {
	return errors.Is(err, zk.ErrUnavailable) || errors.Is(err, zk.ErrSessionLost) || errors.Is(err, zk.ErrClosed)
}

func sessionState(s zk.State) SessionState {
	switch s {
	case zk.Connected:
		return SessionConnected
	case zk.Suspended:
		return SessionSuspended
	case zk.Lost:
		return SessionLost
	default:
		return SessionClosed
	}
}
