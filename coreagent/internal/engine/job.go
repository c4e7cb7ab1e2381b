package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/barrier"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/control"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/departure"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/failover"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/firerecord"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/misfire"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/obstacle"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/requested"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/reshard"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/run"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/schedule"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/timers"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/usercode"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// phase is the state of a job. Each transition has one function:
//
//	joining ──enter──▶ serving
//	joining, serving ──breakDown──▶ broken ──rejoin──▶ joining
//	joining, serving, broken ──Stop──▶ leaving
//	every phase ──close──▶ departed
type phase int

const (
	joining phase = iota // not yet registered in any session, or not yet again after a panic
	serving
	broken   // out of service after a panic, until it joins again
	leaving  // starts no new runs; deregisters when the current run has ended
	departed // not in the tree any more
)

// Job is one job served by this process. Its methods may be called from any
// goroutine.
type Job struct {
	*run.Parts
	worker     *run.Worker
	controller *control.Controller
	end        context.CancelCauseFunc

	retry    *timers.Timer // asks for a control step; all failures share it, and the earliest time wins
	recovery *timers.Timer // ends the pause of a broken job

	mu    sync.Mutex
	phase phase
	epoch uint64 // session epoch of the registration, 0 before the first
	// registeredIn is the session in which a registration may have written nodes, even if we got no
	// answer; 0 before the first attempt.
	registeredIn int64
	startErr     error         // why the registration was finally refused
	started      chan struct{} // closed when the first registration has succeeded or was refused
	kicked       bool
	controlling  bool
	underWay     *stepUnderWay // the control step, nil if there is none
	failures     int           // control steps that failed in a row
	failure      error         // of the last control step
	fault        fault
	refusal      *control.ConflictError // why the job isn't served
}

// New returns a job that registers in the background after the first Kick. Started returns the outcome.
func New(h *host.Host, def host.Definition) *Job {
	tree, log := h.Tree.Job(def.Config.Name), h.Log.With("job", def.Config.Name)
	p := &run.Parts{
		Host: h, Def: def, Nodes: nodes.New(h.Client, tree, log), Tree: tree, Log: log,
		Latest: view.NewLatest(), Calls: usercode.NewCalls(log), Errors: def.Plugins.Errors.ForJob(def.Config.Name),
	}
	p.Self = view.NewIdentity(jobtree.NewInstanceID(h.IP, h.Suffix))
	j := &Job{Parts: p, started: make(chan struct{})}
	p.Life, j.end = context.WithCancelCause(h.Life)
	p.Cache = view.NewTree(p.Nodes, h.IP, h.Debug, h.Time, func() { j.Guard("watch", j.Kick) })
	p.Obstacles = obstacle.New(p.Nodes, j.Kick)
	p.Records = firerecord.New(p.Nodes, h.Time)
	p.Barriers = barrier.New(p.Nodes, log)
	j.worker = run.NewWorker(p, j)
	j.controller = control.New(p, j.worker, j)
	p.Failover = failover.New(p.Nodes, p.Records, j.worker, log)
	p.Resharding = reshard.New(p.Nodes, p.Records, p.Failover, p.Cache, j.controller.Assign, log)
	p.Requested = requested.New(p.Life, h, p.Cache, p.Nodes, p.Resharding, j.worker, def.Schema, log, j.Kick)
	p.Fires = schedule.New(h.Timers, log, j.guarded("cron timer", j.worker.OnFire), j.guarded("clock", j.worker.Rearm))
	p.Misfires = misfire.New(misfire.NewLedger(misfire.Sources{
		Nodes: p.Nodes, Records: p.Records, Failover: p.Failover, Tree: p.Cache, Log: log, Now: h.Time, ID: p.Self.ID,
	}), p.Fires, j.Kick)
	if h.Debug.Schedule() {
		j.Obstacles.Set(obstacle.Debug, jobtree.Obstacle{Code: jobtree.ObstacleDebug, Text: "the process was started with Debug: it runs no fire times on its own"})
	}
	j.retry = timers.NewTimer(j.guarded("retry timer", func(time.Time) { j.Kick() }))
	j.recovery = timers.NewTimer(j.guarded("rejoin timer", j.rejoin))
	return j
}

func (j *Job) Name() string { return j.Tree.Name() }

// Started waits for the first registration. It waits out temporary problems, such as an unreachable
// server. An error is final and means that the job was refused.
func (j *Job) Started(ctx context.Context) error {
	select {
	case <-j.started:
		j.mu.Lock()
		defer j.mu.Unlock()
		return j.startErr
	case <-ctx.Done():
		j.mu.Lock()
		defer j.mu.Unlock()
		if j.failure != nil {
			return fmt.Errorf("%w: %w", context.Cause(ctx), j.failure)
		}
		return fmt.Errorf("register: %w", context.Cause(ctx))
	}
}

// OnTransition notifies the job of a change of the session. It never blocks.
func (j *Job) OnTransition(t zk.Transition) {
	j.Guard("session", func() { j.onTransition(t) })
}

func (j *Job) onTransition(t zk.Transition) {
	switch t.State {
	case zk.Lost, zk.Closed:
		j.worker.Cancel(host.ErrSessionLost)
		j.Latest.Signal()
	case zk.Suspended:
		j.Latest.Signal()
	case zk.Connected:
		if !t.NewEpoch {
			j.Cache.Suspect()
			j.Requested.Suspect()
		}
		j.Latest.Signal() // Callers that wait to ask again shouldn't have to wait for the next view.
		j.Kick()
	}
}

func (j *Job) Leaving() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.phase == leaving
}

func (j *Job) ID() string { return j.Self.ID() }

// Stop stops serving the job. It starts nothing new. The current run may finish until ctx ends and
// is then cancelled with [ErrStopping]. As soon as nothing is running any more, the instance leaves
// the tree, so others get its shards at once. If no server confirms that before ctx ends, the agent
// keeps trying in the background. If a cancelled run doesn't return, Stop leaves it behind and
// names it in the error.
func (j *Job) Stop(ctx context.Context) error {
	j.mu.Lock()
	if j.phase == departed {
		j.mu.Unlock()
		return nil
	}
	j.phase = leaving
	idle, stays := j.worker.Close()
	j.mu.Unlock()
	if v, _ := j.Latest.Get(); v != nil && v.Config != nil && v.Config.Failover {
		stays = true
	}
	j.Fires.Stop()
	d := j.depart(j.endControl(ctx))
	j.controller.StopAudit()

	// The others shouldn't wait for a draining instance, so it resigns as leader and leaves at
	// once. With failover the instance must stay while shards run, or the others would think it
	// crashed and run the shards a second time.
	first := departure.Instance
	if stays {
		first = departure.Roles
	}
	err := d.Leave(ctx, first)
	select {
	case <-idle:
	case <-ctx.Done():
	}
	if ctx.Err() != nil {
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), usercode.Grace)
		defer cancel()
		ctx = grace
		j.worker.Cancel(host.ErrStopping)
		err = errors.Join(err, j.awaitCancelled(ctx, idle))
	}
	err = errors.Join(err, d.Leave(ctx, departure.Instance))
	j.close(host.ErrStopping)
	return err
}

// CalledFrom reports whether ctx belongs to user code of this job, such as its handler.
func (j *Job) CalledFrom(ctx context.Context) bool { return j.Calls.Called(ctx) }

// awaitCancelled waits for a cancelled run to return, as long as grace lasts.
func (j *Job) awaitCancelled(grace context.Context, idle <-chan struct{}) error {
	select {
	case <-idle:
		return nil
	case <-grace.Done():
		if calls := j.Calls.Running(); calls != "" {
			return fmt.Errorf("job %s: still running %v after it was cancelled: %s; the handler ignores its context", j.Name(), usercode.Grace, calls)
		}
		return fmt.Errorf("job %s: no server answered in time to clear up after the last run", j.Name())
	}
}

func (j *Job) close(cause error) {
	j.mu.Lock()
	if j.phase == departed {
		j.mu.Unlock()
		return
	}
	j.phase = departed
	j.worker.Close()
	j.worker.Drain()
	select {
	case <-j.started:
	default:
		j.startErr = cause
		close(j.started)
	}
	j.mu.Unlock()
	for _, t := range []*timers.Timer{j.retry, j.recovery} {
		j.Host.Timers.Stop(t)
	}
	j.controller.StopAudit()
	j.Fires.Stop()
	j.Cache.Close()
	j.Obstacles.Close()
	j.Requested.Close()
	j.end(cause)
	j.Errors.Close(context.Background())
}

// TriggerAll has every living instance of the job run its shards once.
func (j *Job) TriggerAll(ctx context.Context) error { return j.controller.TriggerAll(ctx) }

// ConflictWith returns the [ConflictError] that a job of this name but another class would get now.
func (j *Job) ConflictWith(ctx context.Context, class string) error {
	return j.controller.ConflictWith(ctx, class)
}

// depart returns the departure of the job; see [departure.Departures.Of].
func (j *Job) depart(returned []int) *departure.Departure {
	j.mu.Lock()
	id, session := j.Self.ID(), j.registeredIn
	j.mu.Unlock()
	return j.Host.Departures.Of(j, j.Nodes, j.Failover, id, session, returned)
}

// The remaining methods implement [departure.Job].

func (j *Job) Busy() bool { return j.worker.Busy() }

func (j *Job) Outdated() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.epoch > 0 && j.epoch != j.Host.Client.Session().Epoch
}

// Hindered excludes a broken job, because its node stays until it joins again.
func (j *Job) Hindered() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.Obstacles.Written() && j.phase != broken
}

func (j *Job) Record(ctx context.Context) error { return j.Misfires.Record(ctx, true) }
