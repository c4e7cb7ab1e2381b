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
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// Observer is notified of what the agent does, so that it can be counted. Package
// coreagentprom is one for Prometheus.
//
// It is called by one goroutine of the agent, one observation after the other,
// in the order in which things happened: a slow one delays no run, and one that
// panics is named in the log and called again for the next. What it has not
// taken when 65,536 observations wait is lost, and the log says so.
type Observer interface {
	Observe(Observation)
}

// Observation is one of [JobServed], [JobRefused], [Fired], [FireSuppressed], [RunStarted], [RunEnded],
// [RunMoved], [RunsWaiting], [ItemsUnassigned], [Resharded], [Requested] and [SessionChanged]. There may
// be more in versions to come; an [Observer] lets pass what it does not know.
type Observation interface{ observation() }

// JobServed says that the agent serves a job from now on, or no more.
type JobServed struct {
	Job string
	// Ended says that it serves the job no more.
	Ended bool
}

// JobRefused reports a job that was added to the agent and isn't served; see [Agent.Refused].
type JobRefused struct {
	Job string
	// Err is why, nil if the job is served after all.
	Err error
}

// Fired says that a fire time of the job's schedule came while the job was not
// disabled on this server. Whether a run follows is another matter: the
// instance may have no shards, or still be at the run before.
type Fired struct{ Job string }

// FireSuppressed says that a fire time passed without a run, because the job is held.
type FireSuppressed struct{ Job string }

// RunMoved says that a requested run is in another state. Whoever of the fleet has moved it
// says so, once; what a console has ended, the agent says that looks after the queue.
type RunMoved struct {
	Job, ID string
	// State is one of those of [RunStatus], or [StateLost].
	State   RunState
	Attempt int
	// Waited is how long after its time a run began, of the first attempt; zero otherwise.
	Waited time.Duration
	// Took is the time from its beginning to its end, of a run that has ended.
	Took time.Duration
}

// RunsWaiting says, when it changes, how many requested runs of a job wait. Only one agent
// of the fleet says it; who does so no more says 0.
type RunsWaiting struct {
	Job string
	// Scheduled wait for their time, Queued for whatever else: a shard that is free, or
	// that somebody releases the job.
	Scheduled, Queued int
	// Oldest is when the first of the queued ones was due, zero without one.
	Oldest time.Time
}

// RunStarted says that this instance begins a run of at least one shard.
type RunStarted struct {
	Job   string
	Items int
}

// RunResult is how a run ended.
type RunResult string

// The results of a run.
const (
	// RunSucceeded: every shard did its work.
	RunSucceeded RunResult = "success"
	// RunFailed: at least one shard failed, or a listener stopped the run.
	RunFailed RunResult = "failure"
	// RunCancelled: shards failed after the run's context had ended, because the
	// session was lost, the agent stopped or an operator shut the job down.
	RunCancelled RunResult = "cancelled"
)

// RunEnded says that a run has ended; a [RunStarted] came before.
type RunEnded struct {
	Job    string
	Result RunResult
	// Source is what made the shards run.
	Source tracing.Source
	// Scheduled says that it was a run for a fire time of the schedule, and
	// not one for a trigger, a misfire or a failover.
	Scheduled bool
	// Items are how many this instance ran, Failed how many of them failed.
	Items, Failed int
	// Late is the time from the fire time to the start of the shards. It is
	// negative where the clock was set meanwhile.
	Late time.Duration
	// Took is the time from the run's start to the end of its last shard.
	Took time.Duration
	// At is when it ended.
	At time.Time
}

// ItemsUnassigned says, when it changes, how many shards of the job have no
// owner, or one that has left or is disabled, and so are run by nobody. Only the
// job's leader says it; who stops leading says 0.
type ItemsUnassigned struct {
	Job   string
	Items int
}

// Resharded says that this instance, as the job's leader, has assigned the shards
// out anew. Err is why it could not; it goes on trying.
type Resharded struct {
	Job  string
	Took time.Duration
	Err  error
}

// Requested says that ZooKeeper has been asked something.
type Requested struct {
	// Operation is one of get, exists, children, create, set, delete, multi
	// and sync.
	Operation string
	Took      time.Duration
	// Unanswered says that there is no answer: the connection broke, the session
	// ended, or it took too long. A refusal is an answer.
	Unanswered bool
}

// SessionState is how the agent's session with ZooKeeper is.
type SessionState string

// The states of the session.
const (
	SessionConnected SessionState = "connected"
	// SessionSuspended: the connection is broken, no new run starts.
	SessionSuspended SessionState = "suspended"
	// SessionLost: others may own the shards now; runs have been cancelled.
	SessionLost SessionState = "lost"
	// SessionClosed: the agent has stopped.
	SessionClosed SessionState = "closed"
)

// SessionChanged says how the session is from now on.
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

// observing carries observations from the engine to the user's observer. The
// engine only stores them, under a lock that nobody holds for long; the user's
// code runs in a goroutine of its own.
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

// maxObservations bounds the queue: some megabytes.
const maxObservations = 1 << 16

// newObserving returns nil if there is no observer.
func newObserving(to Observer, log *slog.Logger) *observing {
	if to == nil {
		return nil
	}
	return &observing{to: to, log: log, wake: make(chan struct{}, 1), done: make(chan struct{})}
}

// hook is what the engine calls, nil without an observer.
func (o *observing) hook() func(host.Observation) {
	if o == nil {
		return nil
	}
	return o.add
}

// requests is what the ZooKeeper client calls.
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
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// start begins to hand observations on.
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
		clear(batch) // Errors may be large.
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

// close hands on what waits and ends, or leaves an observer that does not
// return behind when ctx ends.
func (o *observing) close(ctx context.Context) {
	if o == nil {
		return
	}
	o.mu.Lock()
	o.closed = true
	o.mu.Unlock()
	select {
	case o.wake <- struct{}{}:
	default:
	}
	select {
	case <-o.done:
	case <-ctx.Done():
		o.log.WarnContext(ctx, "the observer does not return; it is left behind")
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
		return RunMoved{Job: what.Job, ID: what.Move.ID, State: RunState(what.Move.State), Attempt: what.Move.Attempt, Waited: what.Move.Waited, Took: what.Move.Took}
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
