package cloudfake

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// Engine is an engine with tasks in a map. A task starts at once. It ends after the time for its
// job or, without one, when a test ends it.
type Engine struct {
	double[cloud.TaskEvent]

	lasts   func(cloud.Run) time.Duration
	runs    map[string]*run
	daemons map[string]cloud.Daemon
	uid     int
	created []string
}

// run is a run of the engine, with the newest task of each shard.
type run struct {
	spec   cloud.Run
	status cloud.RunStatus
	tasks  map[int]cloud.Task
	// stopped is true if a daemon's processes must not be restarted.
	stopped bool
}

// NewEngine returns an engine. lasts returns how long the tasks of a run take; if it's nil or
// returns 0, until [Engine.Finish].
func NewEngine(lasts func(cloud.Run) time.Duration) *Engine {
	return &Engine{lasts: lasts, runs: make(map[string]*run), daemons: make(map[string]cloud.Daemon)}
}

// callRun is call for an existing run, by its name or reference.
func (e *Engine) callRun(ctx context.Context, verb, name string, apply func(*run) error) error {
	name = name[strings.LastIndexByte(name, '/')+1:]
	return e.call(ctx, verb, name, func() error {
		if r := e.runs[name]; r != nil {
			return apply(r)
		}
		return fmt.Errorf("%s run %s: %w", verb, name, cloud.ErrNotFound)
	})
}

func (e *Engine) with(name string, change func(*run)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if r := e.runs[name]; r != nil {
		change(r)
	}
}

func (e *Engine) Launch(ctx context.Context, r cloud.Run) (created bool, err error) {
	err = e.call(ctx, "launch", r.Name, func() error {
		if old, exists := e.runs[r.Name]; exists {
			if old.spec.Job.Name != r.Job.Name || old.spec.Owner != r.Owner {
				return fmt.Errorf("launch %s: a run of job %q has that name: %w", r.Name, old.spec.Job.Name, cloud.ErrForeign)
			}
			return nil
		}
		created = true
		e.begin(r)
		return nil
	})
	return created && err == nil, err
}

func (e *Engine) begin(spec cloud.Run) {
	now := time.Now()
	r := &run{spec: spec, status: cloud.StatusOf(spec, now), tasks: make(map[int]cloud.Task)}
	e.runs[spec.Name] = r
	e.created = append(e.created, spec.Name)
	e.publishRun(r)
	for _, shard := range spec.AllShards() {
		e.attempt(r, shard, 1)
	}
	if e.lasts != nil && spec.Origin != cloud.OriginDaemon {
		if d := e.lasts(spec); d > 0 {
			time.AfterFunc(d, func() { e.FinishAll(spec.Name) })
		}
	}
}

func (e *Engine) attempt(r *run, shard, attempt int) {
	e.uid++
	first := r.tasks[shard]
	t := cloud.Task{
		TaskRef: cloud.TaskRef{Run: r.spec.Name, Shard: shard, UID: fmt.Sprintf("uid-%d", e.uid), Attempt: attempt},
		State:   tracing.StateRunning, Node: "node", Host: r.spec.Name, IP: "10.0.0.1", Created: time.Now(), Started: time.Now(),
		FirstUID: first.FirstUID, FirstNode: first.FirstNode,
	}
	if t.FirstUID == "" && attempt > 1 {
		t.FirstUID, t.FirstNode = first.UID, first.Node
	}
	e.set(r, t)
}

func (e *Engine) set(r *run, t cloud.Task) {
	if cloud.Ended(t.State) && t.Ended.IsZero() {
		t.Ended = time.Now()
	}
	r.tasks[t.Shard] = t
	if r.status.Started.IsZero() && !t.Started.IsZero() {
		r.status.Started, r.status.State = t.Started, cloud.RunRunning
	}
	e.publishRun(r)
	e.publish(cloud.TaskEvent{Event: cloud.EventChanged, Run: r.status, Task: t})
	e.settle(r)
}

// settle ends a run if all its tasks have ended.
func (e *Engine) settle(r *run) {
	if r.status.State.Ended() || r.status.State == cloud.RunSuspended || len(r.tasks) < r.spec.TaskCount() {
		return
	}
	state := cloud.RunSucceeded
	for _, t := range r.tasks {
		switch {
		case !cloud.Ended(t.State):
			return
		case t.State == tracing.StateKilled && state == cloud.RunSucceeded:
			state = cloud.RunKilled
		case cloud.Failure(t.State):
			state = cloud.RunFailed
		}
	}
	r.status.State, r.status.Ended = state, time.Now()
	e.publishRun(r)
}

func (e *Engine) publishRun(r *run) {
	e.publish(cloud.TaskEvent{Event: cloud.EventChanged, Run: r.status})
}

// Finish ends the task of a shard. A failed one is retried if its job has failover.
func (e *Engine) Finish(name string, shard int, state cloud.State, message string) {
	e.with(name, func(r *run) { e.finish(r, shard, state, message) })
}

func (e *Engine) FinishAll(name string) {
	e.with(name, func(r *run) {
		if r.status.State != cloud.RunSuspended {
			e.finishEach(r, tracing.StateFinished, "")
		}
	})
}

func (e *Engine) finishEach(r *run, state cloud.State, message string) {
	for _, shard := range slices.Sorted(maps.Keys(r.tasks)) {
		e.finish(r, shard, state, message)
	}
}

func (e *Engine) finish(r *run, shard int, state cloud.State, message string) {
	t, known := r.tasks[shard]
	if !known || cloud.Ended(t.State) {
		return
	}
	again := cloud.Failure(state) && state != tracing.StateError && t.Attempt <= r.spec.Job.FailoverMax() || r.spec.Origin == cloud.OriginDaemon && !r.stopped
	if again {
		t.State, t.Message, t.Ended = state, message, time.Now()
		e.publish(cloud.TaskEvent{Event: cloud.EventChanged, Run: r.status, Task: t})
		e.attempt(r, shard, t.Attempt+1)
		return
	}
	t.State, t.Message = state, message
	e.set(r, t)
}

// SetTask changes the newest task of a shard, for states that no other method sets.
func (e *Engine) SetTask(name string, shard int, change func(*cloud.Task)) {
	e.with(name, func(r *run) {
		t := r.tasks[shard]
		change(&t)
		e.set(r, t)
	})
}

func (e *Engine) End(ctx context.Context, name string, shard int, how cloud.Ending) error {
	return e.callRun(ctx, "end", name, func(r *run) error {
		switch {
		case r.status.State.Ended():
			return nil
		case r.spec.Origin == cloud.OriginDaemon && shard < 0:
			return fmt.Errorf("end run %s: its job is a DAEMON; disable the job, or end single shards, which restart: %w", r.spec.Name, cloud.ErrRefused)
		case how.Way == cloud.EndSuspend:
			r.status.State = cloud.RunSuspended
		}
		message := strings.TrimSpace("ended by " + how.By + " " + how.Reason)
		state := tracing.StateKilled
		if how.Way == cloud.EndError {
			state = tracing.StateError
		}
		if shard < 0 {
			e.finishEach(r, state, message)
		} else {
			e.finish(r, shard, state, message)
		}
		if how.Way != cloud.EndSuspend && r.status.State == cloud.RunSuspended {
			r.status.State, r.status.Ended = cloud.RunKilled, time.Now()
		}
		e.publishRun(r)
		return nil
	})
}

func (e *Engine) Resume(ctx context.Context, name string) error {
	return e.callRun(ctx, "resume", name, func(r *run) error {
		if r.status.State != cloud.RunSuspended {
			return nil
		}
		r.status.State = cloud.RunRunning
		for _, shard := range slices.Sorted(maps.Keys(r.tasks)) {
			if t := r.tasks[shard]; t.State == tracing.StateKilled {
				e.attempt(r, shard, t.Attempt+1)
			}
		}
		e.publishRun(r)
		return nil
	})
}

func (e *Engine) Watch(ctx context.Context, report func(cloud.TaskEvent)) error {
	return e.watch(ctx, e.present, report)
}

func (e *Engine) present() []cloud.TaskEvent {
	events := []cloud.TaskEvent{{Event: cloud.EventReset}}
	for _, name := range slices.Sorted(maps.Keys(e.runs)) {
		r := e.runs[name]
		events = append(events, cloud.TaskEvent{Event: cloud.EventChanged, Run: r.status})
		for _, shard := range slices.Sorted(maps.Keys(r.tasks)) {
			events = append(events, cloud.TaskEvent{Event: cloud.EventChanged, Run: r.status, Task: r.tasks[shard]})
		}
	}
	return append(events, cloud.TaskEvent{Event: cloud.EventSynced})
}

func (e *Engine) Logs(ctx context.Context, task cloud.TaskRef, _ cloud.LogOptions) (io.ReadCloser, error) {
	var text string
	err := e.call(ctx, "logs", task.Run, func() error {
		r := e.runs[task.Run]
		if r == nil || r.tasks[task.Shard].UID != task.UID {
			return fmt.Errorf("log of shard %d of run %s: %w", task.Shard, task.Run, cloud.ErrNotFound)
		}
		text = fmt.Sprintf("shard %d of %s\n", task.Shard, task.Run)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return io.NopCloser(strings.NewReader(text)), nil
}

func (e *Engine) Forget(ctx context.Context, name string) error {
	return e.callRun(ctx, "forget", name, func(r *run) error {
		if !r.status.State.Ended() {
			return fmt.Errorf("forget run %s: it has not ended; end it first: %w", r.spec.Name, cloud.ErrRefused)
		}
		e.remove(r)
		return nil
	})
}

func (e *Engine) remove(r *run) {
	delete(e.runs, r.spec.Name)
	for _, shard := range slices.Sorted(maps.Keys(r.tasks)) {
		e.publish(cloud.TaskEvent{Event: cloud.EventRemoved, Run: r.status, Task: r.tasks[shard]})
	}
	e.publish(cloud.TaskEvent{Event: cloud.EventRemoved, Run: r.status})
}

// Explain returns no reasons for an active run.
func (e *Engine) Explain(ctx context.Context, name string) (reasons []cloud.Reason, err error) {
	err = e.callRun(ctx, "explain", name, func(r *run) error {
		if r.status.State == cloud.RunSuspended {
			reasons = []cloud.Reason{{Code: "Suspended", Text: "the run is suspended", Count: len(r.tasks)}}
		}
		return nil
	})
	return reasons, err
}

func (e *Engine) Capabilities() cloud.Capabilities {
	return cloud.Capabilities{Engine: "fake", Version: "1", Suspend: true, Daemons: true, Logs: true, MaxShards: 10_000}
}

// Vanish deletes a run in any state, as an operator could.
func (e *Engine) Vanish(name string) { e.with(name, e.remove) }

func (e *Engine) Created() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.created)
}

func (e *Engine) Runs() []cloud.RunStatus {
	e.mu.Lock()
	defer e.mu.Unlock()
	var runs []cloud.RunStatus
	for _, name := range slices.Sorted(maps.Keys(e.runs)) {
		runs = append(runs, e.runs[name].status)
	}
	return runs
}

// Daemon starts or stops the run of a DAEMON job. A process that ends is restarted at once.
func (e *Engine) Daemon(ctx context.Context, d cloud.Daemon) error {
	return e.call(ctx, "daemon", d.Name, func() error {
		name := cloud.DaemonRunName(d.Job.Name)
		r := e.runs[name]
		if r != nil && d.Count == 0 && d.Owner != "" && d.Owner != r.spec.Owner {
			return nil // They belong to another job.
		}
		e.daemons[d.Name] = d
		switch {
		case r == nil:
		case !r.status.State.Ended() && (d.Count != len(r.tasks) || d.Owner != r.spec.Owner):
			e.stop(r)
		case !r.status.State.Ended():
			r.spec.Job, r.spec.App = d.Job, d.App
			return nil
		}
		if d.Count > 0 {
			if r != nil {
				e.remove(r)
			}
			e.begin(cloud.Run{Name: name, Job: d.Job, App: d.App, Owner: d.Owner, Origin: cloud.OriginDaemon})
		}
		return nil
	})
}

func (e *Engine) stop(r *run) {
	r.stopped = true
	e.finishEach(r, tracing.StateKilled, "stopped")
	if !r.status.State.Ended() {
		r.status.State, r.status.Ended = cloud.RunKilled, time.Now()
		e.publishRun(r)
	}
}

// DaemonOf returns the last requested state; false if there is none.
func (e *Engine) DaemonOf(name string) (cloud.Daemon, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	d, asked := e.daemons[name]
	return d, asked
}

func (e *Engine) SetRun(name string, change func(*cloud.RunStatus)) {
	e.with(name, func(r *run) {
		change(&r.status)
		e.publishRun(r)
	})
}

const tokens = "process-"

// Token is the token that a shard reports its runs with. It works for any job.
func Token(job string, shard int) string { return fmt.Sprintf("%s%d:%s", tokens, shard, job) }

func (e *Engine) Reporter(ctx context.Context, token string) (job string, shard int, err error) {
	err = e.inject(ctx, "reporter", "", func() error {
		text, ours := strings.CutPrefix(token, tokens)
		number, name, named := strings.Cut(text, ":")
		n, wrong := strconv.Atoi(number)
		if !ours || !named || wrong != nil {
			return fmt.Errorf("an invalid token: %w", cloud.ErrRefused)
		}
		job, shard = name, n
		return nil
	})
	return job, shard, err
}
