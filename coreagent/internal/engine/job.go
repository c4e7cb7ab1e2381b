package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/barrier"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/departure"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/errorhandler"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/failover"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/firerecord"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/misfire"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/obstacle"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/requested"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/reshard"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/schedule"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/timers"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/usercode"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// Back-off between failed control steps, doubled each time with full jitter.
const (
	retryFirst = 100 * time.Millisecond
	retryLast  = 5 * time.Second
	// refusedPause is how long a refused job waits at most before it looks again.
	refusedPause = time.Minute
)

const (
	// startParallel is how many jobs of an agent join at the same time. Without a
	// limit the start of ten thousand jobs would hold a hundred thousand waiting
	// requests in memory and be no faster.
	startParallel = 32

	// controlParallel is how many are brought in line with the tree at the same
	// time. It is more because nothing runs until they are: a server that has just
	// been started is slow to answer each request, and no slower with more of them.
	controlParallel = 128
)

// stepTimeout bounds one control step.
const stepTimeout = nodes.StepTimeout

type phase int

const (
	joining phase = iota // not yet registered in any session
	serving
	broken   // out of service after a panic, until it joins anew
	leaving  // no new runs; deregisters when the current one has ended
	departed // not in the tree any more
)

// Job is one job served by this process. Its methods may be called from any
// goroutine.
type Job struct {
	env   *host.Host
	tree  jobtree.Job
	nodes *nodes.Nodes // those below tree
	cache *view.Tree
	def   host.Definition
	log   *slog.Logger
	life  context.Context
	end   context.CancelCauseFunc

	retry    *timers.Timer // asks for a control step; whoever fails shares it, the earliest time counts
	audit    *timers.Timer // the slow, jittered repair of what a lost watch would hide
	recovery *timers.Timer // ends the pause of a broken job

	mu    sync.Mutex
	phase phase
	id    string // instance id
	epoch uint64 // session epoch of the registration, 0 before the first
	// registeredIn is the session whose nodes a registration may have written, with or
	// without an answer; 0 before the first attempt.
	registeredIn int64
	view         *view.View
	ownShards    []int // own shards by the last settled view
	coming       []int // own shards as read while no view is settled, nil otherwise
	viewChanged  chan struct{}
	startErr     error         // why the registration was refused for good
	started      chan struct{} // closed when the first registration succeeded or was refused
	kicked       bool
	controlling  bool
	underWay     *stepUnderWay // the control step, nil if there is none
	failures     int           // control steps that failed in a row
	failure      error         // of the last one
	fault        fault
	queue        queue

	schedule   *schedule.Schedule
	calls      *usercode.Calls
	strategies *usercode.Strategies
	barriers   *barrier.Barriers
	failover   *failover.Failover
	records    *firerecord.Records
	misfires   *misfire.Misfires
	resharding *reshard.Resharding
	requested  *requested.Activity
	refusal    *ConflictError // why the job isn't served
	obstacles  *obstacle.Obstacles
	failedRuns int        // runs for fire times and triggers that failed in a row
	suppressed suppressed // fire times that passed while the job was held
	errors     *errorhandler.JobHandler

	control control // only the control goroutine touches it
}

// New returns a job that is not started yet.
func New(env *host.Host, def host.Definition) *Job {
	j := &Job{
		env: env, tree: env.Tree.Job(def.Config.Name), def: def,
		log:         env.Log.With("job", def.Config.Name),
		id:          jobtree.NewInstanceID(env.IP, env.Suffix),
		errors:      env.Errors.ForJob(def.Config.Name),
		viewChanged: make(chan struct{}), started: make(chan struct{}),
	}
	j.nodes = nodes.New(env.Client, j.tree, j.log)
	j.obstacles = obstacle.New(j.nodes, j.kick)
	j.cache = view.NewTree(j.nodes, env.IP, env.Debug, env.Time, func() { j.guard("watch", j.kick) })
	j.records = firerecord.New(j.nodes, env.Time)
	j.barriers = barrier.New(j.nodes, j.log)
	j.failover = failover.New(j.nodes, j.records, j, j.log)
	j.resharding = reshard.New(j.nodes, j.records, j.failover, resharded{j}, j.log)
	j.life, j.end = context.WithCancelCause(env.Life)
	if env.Debug.Schedule() {
		j.obstacles.Set(obstacle.Debug, jobtree.Obstacle{Code: jobtree.ObstacleDebug, Text: "the process was started with Debug: it runs no fire times on its own"})
	}
	j.requested = requested.New(j.life, env, j.cache, j.nodes, j.resharding, claiming{j}, def.Schema, j.log, j.kick)
	j.schedule = schedule.New(env.Timers, j.log, j.guarded("cron timer", (*Job).onCron), j.guarded("clock", (*Job).rearm))
	j.misfires = misfire.New(misfire.NewLedger(misfire.Sources{
		Nodes: j.nodes, Records: j.records, Failover: j.failover, Tree: j.cache, Log: j.log, Now: env.Time, ID: j.ID,
	}), j.schedule, j.kick)
	j.calls, j.strategies = usercode.NewCalls(j.log), usercode.NewStrategies(j.life, env.Strategies)
	j.retry = timers.NewTimer(j.guarded("retry timer", func(j *Job, _ time.Time) { j.kick() }))
	j.audit = timers.NewTimer(j.guarded("audit timer", (*Job).onAudit))
	j.recovery = timers.NewTimer(j.guarded("rejoin timer", (*Job).rejoin))
	return j
}

// Name returns the job's name.
func (j *Job) Name() string { return j.tree.Name() }

// Start registers the job in the background and returns at once; Started tells
// the outcome.
func (j *Job) Start() { j.kick() }

// Started waits for the first registration. Passing conditions, such as an
// unreachable server, are waited out; an error is final: the job was refused.
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

// OnTransition tells the job about the session; it never blocks.
func (j *Job) OnTransition(t zk.Transition) {
	j.guard("session", func() { j.onTransition(t) })
}

func (j *Job) onTransition(t zk.Transition) {
	switch t.State {
	case zk.Lost, zk.Closed:
		j.cancelRun(host.ErrSessionLost)
		j.publishChange()
	case zk.Suspended:
		j.publishChange()
	case zk.Connected:
		if !t.NewEpoch {
			j.cache.Suspect()
			j.requested.Suspect()
		}
		j.publishChange() // Who waits to ask again need not wait for the next view.
		j.kick()
	}
}

// kick asks for a control step. It may be called from anywhere, also from the
// client's goroutine: it only stores and starts a goroutine if there is none.
func (j *Job) kick() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.kicked = true
	if j.controlling || j.phase == departed || j.phase == broken || j.life.Err() != nil {
		return
	}
	j.controlling = true
	limit := controlParallel
	if j.phase == joining {
		limit = startParallel
	}
	j.env.Admission.Enter(limit, func() {
		j.env.Tasks.Go(func() { j.env.Admission.Do(j.runControl) })
	})
}

func (j *Job) runControl() {
	if !j.guard("control", j.workControl) {
		j.mu.Lock()
		j.controlling = false
		j.mu.Unlock()
	}
}

func (j *Job) workControl() {
	for {
		j.mu.Lock()
		if !j.kicked || j.phase == departed || j.phase == broken || j.life.Err() != nil {
			j.controlling = false
			j.mu.Unlock()
			return
		}
		j.kicked = false
		j.mu.Unlock()
		j.settleStep(j.takeStep())
		if j.control.givesWay {
			j.control.givesWay = false
			j.mu.Lock()
			j.controlling = false
			j.mu.Unlock()
			j.kick() // Queues behind those that wait already.
			return
		}
	}
}

// settleStep schedules another try after a failed step.
func (j *Job) settleStep(err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if err == nil || j.life.Err() != nil || j.phase == leaving {
		j.failures, j.failure = 0, nil
		j.kicked = j.obstacles.Set(obstacle.Control, jobtree.Obstacle{}) || j.kicked
		return
	}
	j.failures++
	j.failure = err
	if found := obstacleOf(obstacle.Control, err); found.Code != "" && j.failures >= failedSteps {
		j.obstacles.Set(obstacle.Control, found) // The next step announces it.
	}
	if _, outdated := errors.AsType[*zk.MultiError](err); outdated {
		j.cache.Suspect() // What was read says otherwise: the event of a change may be lost.
	}
	pause := min(retryLast, retryFirst<<min(j.failures-1, 10))
	_, refused := errors.AsType[*ConflictError](err)
	if refused {
		pause = refusedPause
	}
	pause = pause/2 + rand.N(pause/2+1)
	j.env.Timers.Within(j.retry, pause)
	if refused {
		return // It was logged as such.
	}
	// A lost session is reported by the session itself; everything else is
	// worth a line, once per doubling.
	if errors.Is(err, zk.ErrSessionLost) || errors.Is(err, zk.ErrUnavailable) && j.env.Client.State() != zk.Connected {
		return
	}
	if j.failures&(j.failures-1) == 0 {
		j.log.Warn("job control step failed; trying again", "err", err, "attempt", j.failures, "pause", pause)
	}
}

// snapshot returns the present view, which is nil before the first, and a
// channel that is closed when the view or the session changes.
func (j *Job) snapshot() (*view.View, <-chan struct{}) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.view, j.viewChanged
}

// publish replaces the view.
func (j *Job) publish(v *view.View) {
	var coming []int
	for _, n := range j.control.mine {
		if !v.Settled && !j.cache.Get(j.tree.ItemDisabled(n)).Exists {
			coming = append(coming, n)
		}
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.view = v; v.Settled {
		j.ownShards = v.EnabledShards()
	}
	j.coming = coming
	j.signalView()
}

func (j *Job) publishChange() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.signalView()
}

func (j *Job) signalView() {
	close(j.viewChanged)
	j.viewChanged = make(chan struct{})
}

func (j *Job) isLeaving() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.phase == leaving
}

// Cached returns a node of the job as this process has it in memory; known is
// false for a node that is not kept.
func (j *Job) Cached(path string) (data []byte, exists, known bool) {
	return j.cache.Cached(path)
}

// ID returns the instance id under which the job is registered.
func (j *Job) ID() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.id
}

// Stop takes the job out: nothing new is started, the run in progress may
// finish until ctx ends and is then cancelled with [ErrStopping], and the
// instance leaves the tree as soon as nothing of it runs, so that others get
// its shards at once. If no server confirms that before ctx ends, the agent goes on in
// the background. A cancelled run that doesn't return is left behind and named in the
// error.
func (j *Job) Stop(ctx context.Context) error {
	j.mu.Lock()
	if j.phase == departed {
		j.mu.Unlock()
		return nil
	}
	j.phase = leaving
	idle := j.queue.idleChannel()
	stays := j.queue.outlivesItsInstance() || j.view != nil && j.view.Config != nil && j.view.Config.Failover
	j.signalView()
	j.mu.Unlock()
	j.schedule.Stop()
	d := j.depart(j.endControl(ctx))
	j.env.Timers.Stop(j.audit)

	// The others shouldn't wait for an instance that drains, so leadership goes at once,
	// and so does the instance. With failover the instance stays while shards run, or
	// the others would take it for crashed and run them a second time.
	first := departure.Instance
	if stays {
		first = departure.Offices
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
		j.cancelRun(host.ErrStopping)
		err = errors.Join(err, j.awaitCancelled(ctx, idle))
	}
	err = errors.Join(err, d.Leave(ctx, departure.Instance))
	j.close(host.ErrStopping)
	return err
}

// CalledFrom reports whether ctx belongs to user code of this job, such as its handler.
func (j *Job) CalledFrom(ctx context.Context) bool { return j.calls.Called(ctx) }

// awaitCancelled waits for a cancelled run to return, as long as grace lasts.
func (j *Job) awaitCancelled(grace context.Context, idle <-chan struct{}) error {
	select {
	case <-idle:
		return nil
	case <-grace.Done():
		if calls := j.calls.Running(); calls != "" {
			return fmt.Errorf("job %s: still running %v after it was cancelled: %s; the handler ignores its context", j.Name(), usercode.Grace, calls)
		}
		return fmt.Errorf("job %s: no server answered in time to clear up after the last run", j.Name())
	}
}

// close ends everything of the job in this process.
func (j *Job) close(cause error) {
	j.mu.Lock()
	if j.phase == departed {
		j.mu.Unlock()
		return
	}
	j.phase = departed
	j.queue.clear()
	j.signalView()
	select {
	case <-j.started:
	default:
		j.startErr = cause
		close(j.started)
	}
	j.mu.Unlock()
	for _, t := range []*timers.Timer{j.retry, j.audit, j.recovery} {
		j.env.Timers.Stop(t)
	}
	j.schedule.Stop()
	j.cache.Close()
	j.obstacles.Close()
	j.requested.Close()
	j.end(cause)
	j.errors.Close(context.Background())
}

// onAudit compares everything watched with the server, jittered, at the pace
// of the job's reconcile interval.
func (j *Job) onAudit(time.Time) {
	j.mu.Lock()
	v := j.view
	j.control.auditDue = true
	j.mu.Unlock()
	j.cache.Suspect()
	j.requested.Suspect()
	j.kick()
	if v == nil {
		j.scheduleAudit(nil)
	} else {
		j.scheduleAudit(v.Config)
	}
}

// scheduleAudit sets the timer of the next audit by a configuration; nil, where none
// could be served yet, goes by what the code declares.
func (j *Job) scheduleAudit(config *jobconfig.Config) {
	if config == nil {
		config = j.def.Config
	}
	interval := config.ReconcileInterval()
	if interval == 0 {
		j.env.Timers.Stop(j.audit)
		return
	}
	j.env.Timers.After(j.audit, interval*9/10+rand.N(interval/5))
}
