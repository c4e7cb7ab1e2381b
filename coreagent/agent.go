package coreagent

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/engine"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/errorhandler"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/snapshot"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/tracing"
)

type agentState int

const (
	created agentState = iota
	started
	stopped
)

// Agent serves jobs from this process. It's safe for concurrent use.
type Agent struct {
	cfg  Config
	log  *slog.Logger
	tree jobtree.Namespace
	done chan struct{}

	plugins   host.Plugins // by the names that any job's stored configuration can have
	observing *observing   // nil without an observer
	awaiter   runs.Awaiter

	// lifecycle is held during Start and Stop, so that they can't interleave. leaving ends a Start that
	// is still waiting when Stop is called. draining ends with the earliest context passed to Stop.
	lifecycle chan struct{}
	leaving   context.Context
	leave     context.CancelCauseFunc
	draining  context.Context
	endDrain  context.CancelCauseFunc
	stopErr   error

	mu    sync.Mutex
	state agentState
	jobs  map[string]*served
	order []*served
	env   *host.Host
	dumps *snapshot.Server // nil if the service is off
}

// closeTimeout limits the last steps of a stop after all jobs have ended: answers of the dump service,
// and messages of error handlers. They get at least a second, so that the last failure isn't always lost.
const (
	closeTimeout    = 5 * time.Second
	closeTimeoutMin = time.Second
)

// closing returns the context for the last steps of a stop. It ends with draining, but not before
// the minimum time.
func closing(draining context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(draining), closeTimeout)
	least := time.AfterFunc(closeTimeoutMin, func() { context.AfterFunc(draining, cancel) })
	return ctx, func() { least.Stop(); cancel() }
}

type served struct {
	def host.Definition
	job *engine.Job // nil before the agent starts
	// leaving is set while the job is being removed.
	leaving bool
}

// New returns an agent that isn't started. The error lists every problem of cfg. New doesn't connect.
func New(cfg Config) (*Agent, error) {
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("coreagent config: %w", err)
	}
	cfg = cfg.withDefaults()
	if cfg.Address == "" {
		var err error
		if cfg.Address, err = hostAddress(addressWish{nic: cfg.Interface, pattern: cfg.AddressPattern}); err != nil {
			return nil, fmt.Errorf("coreagent config: %w", err)
		}
	}
	tree, err := jobtree.NewNamespace(cfg.Namespace)
	if err != nil {
		return nil, fmt.Errorf("coreagent config: Namespace: %w", err)
	}
	plugins, handlers, err := cfg.plugins()
	if err != nil {
		return nil, fmt.Errorf("coreagent config: %w", err)
	}
	plugins.Errors = errorhandler.NewSet(errorhandler.Options{Log: cfg.Logger}).With(handlers)
	leaving, leave := context.WithCancelCause(context.Background())
	draining, endDrain := context.WithCancelCause(context.Background())
	return &Agent{
		lifecycle: make(chan struct{}, 1), leaving: leaving, leave: leave, draining: draining, endDrain: endDrain,
		cfg: cfg, log: cfg.Logger, tree: tree,
		plugins:   plugins,
		observing: newObserving(cfg.Observer, cfg.Logger),
		jobs:      make(map[string]*served), done: make(chan struct{}),
	}, nil
}

// Add adds a job. h must be nil for a job with a [Job.Type]. If the job is wrong or its name is
// taken, the error names each field and nothing is written. After [Agent.Start] the job registers
// in the background; Start waits for the jobs added before it.
//
// If a job can't be served, because its name belongs to another class in the registry, [Agent.Refused]
// and the [Observer] report it, and an error is logged. The agent tries again about every minute.
func (a *Agent) Add(job Job, h Handler) error {
	def, err := a.define(job, h)
	if err == nil {
		err = a.add(def)
	}
	return jobError("add", job.Name, err)
}

// define checks a job and returns it for the engine.
func (a *Agent) define(job Job, h Handler) (def host.Definition, err error) {
	if h, err = a.cfg.handler(job, h); err != nil {
		return def, err
	}
	plugins, err := a.jobPlugins(job)
	if err != nil {
		return def, err
	}
	config, err := job.config(h)
	if err == nil {
		err = checkReferences(config, plugins)
	}
	if err != nil {
		return def, err
	}
	def = host.Definition{
		Config: config, Class: job.class(h), Timeout: job.Timeout, EagerFailover: job.EagerFailover, Plugins: plugins,
	}
	def.Schema, def.Handler, err = job.schema(h)
	return def, err
}

func (a *Agent) add(def host.Definition) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.state == stopped {
		return ErrAgentClosed
	}
	name := def.Config.Name
	if _, taken := a.jobs[name]; taken {
		return ErrDuplicateJob
	}
	s := &served{def: def}
	a.jobs[name] = s
	a.order = append(a.order, s)
	a.observing.add(host.Observation{Event: host.JobCame, Job: name})
	if a.state == started {
		s.job = engine.New(a.env, def)
		s.job.Kick()
	}
	return nil
}

// HandleFunc is [Agent.Add] for a function. It panics if the job is wrong or its name is taken, because
// that is a programming error, as with http.HandleFunc. Use Add for jobs that are only known at run time.
func (a *Agent) HandleFunc(job Job, fn func(ctx context.Context, s *Shard) error) {
	if err := a.Add(job, HandlerFunc(fn)); err != nil {
		panic("coreagent: " + err.Error())
	}
}

// Start connects to ZooKeeper and registers the jobs. It waits for ZooKeeper until ctx ends, so
// give it a deadline if the service should rather fail. It returns when every job added so far is
// registered or refused, or with an error when ctx ends or [Agent.Stop] is called
// ([ErrAgentClosed]). After an error the agent is stopped.
//
// A job is refused if its name belongs to another class ([ErrJobConflict]). The agent still serves the
// others; see [Agent.Refused]. Start fails if every job is refused or, with [Config.Strict], if any is.
//
// A job with a broken stored configuration doesn't fail Start: it's logged, and fires once the configuration
// is repaired. A job that [Agent.Remove] removes before it's registered doesn't fail Start either.
func (a *Agent) Start(ctx context.Context) error {
	done, err := a.turn(ctx)
	if err != nil {
		return fmt.Errorf("start agent: %w", err)
	}
	defer done()
	a.mu.Lock()
	state := a.state
	a.mu.Unlock()
	switch state {
	case started:
		return nil
	case stopped:
		return ErrAgentClosed
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(a.leaving, func() { cancel(ErrAgentClosed) })()
	connection := a.cfg.client()
	connection.Observe = a.observing.requests()
	if connection.OpenToAll() {
		a.log.WarnContext(ctx, "registry access", "note", zk.OpenWarning)
	}
	client, err := zk.Connect(ctx, connection)
	if err != nil {
		return fmt.Errorf("start agent: %w", err)
	}
	hostname, err := os.Hostname()
	if err != nil {
		hostname = "unknown" // like ElasticJob
	}
	env := &host.Host{
		Client: client, Tree: a.tree, IP: a.cfg.Address, Suffix: a.cfg.InstanceSuffix,
		Now: a.cfg.Now, Hostname: hostname, Recorder: a.cfg.Tracing, History: a.history(), Log: a.log,
		MaxParallel: a.cfg.MaxParallel, ScriptEnv: a.cfg.ScriptEnv, Debug: a.cfg.hold(), Observe: a.observing.hook(), Tracer: a.cfg.tracer(), Plant: host.PlantOf(ctx),
	}
	return a.serve(ctx, env)
}

// serve starts the jobs in the environment of a connection, and waits for them.
func (a *Agent) serve(ctx context.Context, env *host.Host) error {
	client := env.Client
	a.observing.start()
	env.Open()
	client.Subscribe(a.onTransition)
	a.observing.add(host.Observation{Event: host.SessionBecame, State: client.State()})
	env.Survey(ctx)
	defer env.Surveyed()

	a.mu.Lock()
	a.env, a.state = env, started
	jobs := slices.Clone(a.order)
	for _, s := range jobs {
		s.job = engine.New(env, s.def)
		s.job.Kick()
	}
	a.mu.Unlock()

	var errs, refused []error
	for _, s := range jobs {
		err := jobError("start", s.job.Name(), s.job.Started(ctx))
		switch {
		case err == nil, a.removed(s):
		case errors.Is(err, ErrJobConflict):
			refused = append(refused, err)
		default:
			errs = append(errs, err)
		}
	}
	if len(refused) > 0 && (a.cfg.Strict || len(refused) == len(jobs)) {
		errs = append(errs, refused...)
	}
	if len(errs) > 0 {
		drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), a.cfg.DrainTimeout)
		defer cancel()
		defer a.boundDrain(drain)()
		return errors.Join(append(errs, a.stop(ctx))...)
	}
	a.openDumps(ctx)
	a.log.InfoContext(ctx, "agent started", "namespace", a.tree.String(), "address", a.cfg.Address, "jobs", len(jobs))
	return nil
}

func (a *Agent) removed(s *served) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return s.leaving
}

func (a *Agent) onTransition(t zk.Transition) {
	a.observing.add(host.Observation{Event: host.SessionBecame, State: t.State})
	a.mu.Lock()
	jobs := make([]*engine.Job, 0, len(a.order))
	for _, s := range a.order {
		if s.job != nil {
			jobs = append(jobs, s.job)
		}
	}
	a.mu.Unlock()
	for _, job := range jobs {
		job.OnTransition(t)
	}
}

// Stop drains the agent. No new run starts. Running shards may finish until ctx ends, and are then
// cancelled with [ErrStopping]. Each job leaves the registry as soon as it can, so that its shards fail
// over at once. A Start that is still waiting ends. The error names handlers that ignored their context.
//
// Stop may be called again, even while another call is draining: the earliest end of a context ends
// the drain, and every call returns the same result at most some seconds later. A handler or
// listener that calls Stop gets [ErrOwnCall].
func (a *Agent) Stop(ctx context.Context) error {
	a.mu.Lock()
	own := slices.ContainsFunc(a.order, func(s *served) bool { return s.job != nil && s.job.CalledFrom(ctx) })
	a.mu.Unlock()
	if own {
		return fmt.Errorf("stop agent: %w", ErrOwnCall)
	}
	a.leave(ErrAgentClosed)
	defer a.boundDrain(ctx)()
	a.lifecycle <- struct{}{} // A waiting Start ends with leave, and another Stop with the drain.
	defer func() { <-a.lifecycle }()
	return a.stop(ctx)
}

// boundDrain ends the drain when ctx ends, unless release is called first. If ctx has already
// ended, so has the drain when boundDrain returns.
func (a *Agent) boundDrain(ctx context.Context) (release func() bool) {
	if ctx.Err() != nil {
		a.endDrain(context.Cause(ctx))
	}
	return context.AfterFunc(ctx, func() { a.endDrain(context.Cause(ctx)) })
}

// turn waits until no other call starts or stops the agent, or ctx ends.
func (a *Agent) turn(ctx context.Context) (leave func(), err error) {
	leave = func() { <-a.lifecycle }
	select {
	case a.lifecycle <- struct{}{}:
		return leave, nil
	default:
	}
	select {
	case a.lifecycle <- struct{}{}:
		return leave, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("another call is still starting or stopping it: %w", context.Cause(ctx))
	}
}

func (a *Agent) stop(ctx context.Context) error {
	a.mu.Lock()
	state, jobs, env, dumps := a.state, slices.Clone(a.order), a.env, a.dumps
	a.state = stopped
	a.mu.Unlock()
	if state == stopped {
		return a.stopErr
	}
	if state == started {
		errs := make([]error, len(jobs)+1)
		var wg sync.WaitGroup
		for i, s := range jobs {
			wg.Go(func() { errs[i] = s.job.Stop(a.draining) })
		}
		wg.Wait()
		closing, cancel := closing(a.draining)
		defer cancel()
		if dumps != nil {
			errs = append(errs, dumps.Close(closing))
		}
		// At the latest, the end of the session removes the rest now.
		errs[len(jobs)] = env.Client.Close()
		env.Close()
		a.stopErr = errors.Join(append(errs, a.plugins.Errors.Close(closing))...)
		a.observing.close(closing)
		a.closeTracing(closing)
		a.log.InfoContext(ctx, "agent stopped", "namespace", a.tree.String())
	} else {
		a.closeTracing(ctx)
	}
	close(a.done)
	return a.stopErr
}

// closeTracing doesn't fail the stop, because the jobs have ended well.
func (a *Agent) closeTracing(ctx context.Context) {
	if r, ok := a.cfg.Tracing.(tracing.AgentRecorder); ok {
		if err := r.AgentStopped(ctx); err != nil {
			a.log.ErrorContext(ctx, "the history of runs has a gap, because its recorder could not write everything "+
				"before the agent ended", "err", err)
		}
	}
}

// Run starts the agent, serves until ctx ends, and stops it with [Config.DrainTimeout] for running
// shards. It returns nil after a clean stop, else the error of [Agent.Start] or [Agent.Stop].
func (a *Agent) Run(ctx context.Context) error {
	if err := a.Start(ctx); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
	case <-a.done:
	}
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), a.cfg.DrainTimeout)
	defer cancel()
	return a.Stop(stop)
}

// Done is closed when the agent has stopped.
func (a *Agent) Done() <-chan struct{} { return a.done }

// Remove removes one job from the agent while it serves the others. No new run of it starts.
// Running shards may finish until ctx ends, and are then cancelled with [ErrStopping]. The instance
// leaves the job's tree, so that others run its shards, and the name is free again. The job's
// stored data stay in ZooKeeper.
//
// If no server confirms before ctx ends that the instance has left, Remove still returns nil, and
// the agent removes the instance in the background as soon as a server answers. You can add the job
// again before that. The error is [ErrUnknownJob], or names a handler that ignored its context; even
// then the job is removed. A handler or listener of the job that calls Remove gets [ErrOwnCall].
func (a *Agent) Remove(ctx context.Context, job string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	s, err := a.find(job)
	if err == nil && s.job != nil && s.job.CalledFrom(ctx) {
		err = ErrOwnCall
	}
	if err != nil {
		return jobError("remove", job, err)
	}
	if s.job != nil {
		s.leaving = true // The name stays taken until the instance has left the tree.
		a.mu.Unlock()
		err = s.job.Stop(ctx)
		a.mu.Lock()
	}
	delete(a.jobs, job)
	a.observing.add(host.Observation{Event: host.JobWent, Job: job})
	a.order = slices.DeleteFunc(a.order, func(other *served) bool { return other == s })
	return jobError("remove", job, err)
}

// Refused returns the added jobs that the agent doesn't serve, with the reason. Today the only one
// is [ErrJobConflict]. A job that is still registering isn't included.
func (a *Agent) Refused() []*JobError {
	a.mu.Lock()
	defer a.mu.Unlock()
	var refused []*JobError
	for _, s := range a.order {
		if s.job == nil || s.leaving {
			continue
		}
		if err, ok := errors.AsType[*JobError](jobError("serve", s.job.Name(), s.job.Refusal())); ok {
			refused = append(refused, err)
		}
	}
	return refused
}

// Replace removes the job with the same name as [Agent.Remove] does, and adds job instead. If job
// is wrong, or its class would be refused, Replace returns the error and the served job continues.
// The error of a handler that ignored its context is returned after the replacement.
func (a *Agent) Replace(ctx context.Context, job Job, h Handler) error {
	def, err := a.define(job, h)
	if err != nil {
		return jobError("replace", job.Name, err)
	}
	a.mu.Lock()
	s, known := a.jobs[job.Name]
	known = known && !s.leaving
	running := known && s.job != nil
	a.mu.Unlock()
	if !known {
		return jobError("replace", job.Name, ErrUnknownJob)
	}
	if running && s.job.Refusal() == nil {
		if err := s.job.ConflictWith(ctx, def.Class); err != nil {
			return jobError("replace", job.Name, err)
		}
	}
	removed := a.Remove(ctx, job.Name)
	if errors.Is(removed, ErrAgentClosed) || errors.Is(removed, ErrUnknownJob) || errors.Is(removed, ErrOwnCall) {
		return removed
	}
	if err := a.add(def); err != nil {
		return jobError("replace", job.Name, errors.Join(err, removed))
	}
	return removed
}

// Trigger makes every living instance of the job, even Java's, run its shards once. That's how
// one-off jobs are started. It returns when the trigger is stored, not when the shards have run.
// The agent must serve the job.
func (a *Agent) Trigger(ctx context.Context, job string) error {
	a.mu.Lock()
	s, err := a.find(job)
	if a.state == created {
		err = ErrNotStarted
	}
	a.mu.Unlock()
	if err != nil {
		return jobError("trigger", job, err)
	}
	return jobError("trigger", job, s.job.TriggerAll(ctx))
}

// find returns a job of the agent that isn't being removed. a.mu must be held.
func (a *Agent) find(job string) (*served, error) {
	s, known := a.jobs[job]
	switch {
	case a.state == stopped:
		return nil, ErrAgentClosed
	case !known || s.leaving:
		return nil, ErrUnknownJob
	}
	return s, nil
}
