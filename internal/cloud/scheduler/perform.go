package scheduler

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/sleep"
)

// errNotLeading is the result of a call that began after the leadership ended.
var errNotLeading = errors.New("lost leadership")

func (t *term) observe(e *entry) observation {
	o := observation{
		name: e.name, jobView: t.mirror.view(e.name), now: t.Now(), tick: time.Now(),
		recorded: t.Recorded(), notifies: t.Notify != nil,
	}
	job := o.definition.Job
	if of := digest(job); of != e.parsed.digest {
		schedule, err := job.Schedule(t.Zone)
		err = cmp.Or(job.Validate(), err)
		if most := t.Engine.Capabilities().MaxShards; err == nil && most > 0 && job.Shards > most {
			err = fmt.Errorf("shardingTotalCount: %d is more than the engine's maximum of %d", job.Shards, most)
		}
		e.parsed = parsed{of, schedule, err}
	}
	o.parsed = e.parsed
	if o.invalid == nil && o.appErr != nil {
		o.invalid = fmt.Errorf("application %q: %w", job.AppName, o.appErr)
	}
	return o
}

// perform starts an action. finish gets the result of a call.
func (t *term) perform(e *entry, a action) {
	p, priority := &t.others, 0
	switch a.do {
	case doLogDecided:
		t.logDecided(e.name, a.decided)
		return
	case doLogFailed:
		r := a.failed
		t.Logger.WarnContext(t.ctx, "cloud: a run failed", "job", r.JobName, "run", r.Name, "message", r.Message)
		return
	case doLaunch:
		p, priority = &t.launches, a.launch.Job.FirePriority()
	case doChange:
		p = &t.writes
	case doNotify:
		p = &t.notices
	case doForget:
		priority = -1
	}
	p.add(request{priority: priority, name: e.name, do: func() {
		written, err := t.call(p.timeout, e.name, a)
		finish := func() {
			p.busy--
			t.again[e.name] = true
			t.finish(e, a, written, err)
		}
		select {
		case t.results <- finish:
		case <-t.ctx.Done():
		}
	}})
}

// call makes a call if this process still leads, because a frozen process may have lost leadership
// before anything could stop it.
func (t *term) call(most time.Duration, job string, a action) (written cloud.Definition, err error) {
	if t.ctx.Err() != nil {
		return written, errNotLeading
	}
	ctx, cancel := context.WithTimeout(t.ctx, most)
	defer cancel()
	began := time.Now()
	switch a.do {
	case doLaunch:
		_, err = t.Engine.Launch(ctx, a.launch)
	case doEnd:
		err = t.Engine.End(ctx, a.run, a.shard, cloud.Ending{Way: a.way, By: "scheduler", Reason: a.why})
	case doResume:
		err = t.Engine.Resume(ctx, a.run)
	case doDaemon:
		err = t.Engine.Daemon(ctx, a.daemon)
	case doForget:
		err = t.Engine.Forget(ctx, a.run)
	case doNotify:
		_ = sleep.For(ctx, reportDelay)
		_, tasks, _ := t.FindRun(a.failed.Ref())
		err = t.Notify(ctx, a.job, a.failed, failedShards(tasks))
	case doChange:
		written, err = t.Store.Change(ctx, job, func(d *cloud.Definition) error {
			if d.UID != a.uid {
				return fmt.Errorf("job %q was deleted and created again: %w", job, cloud.ErrNotFound)
			}
			for _, c := range a.changes {
				c.Apply(&d.Status)
			}
			return nil
		})
	}
	t.Metrics.Called(string(a.do), time.Since(began), err)
	return written, err
}

func failedShards(tasks []cloud.Task) []cloud.Task {
	slices.SortFunc(tasks, func(a, b cloud.Task) int { return cmp.Or(a.Shard-b.Shard, b.Attempt-a.Attempt) })
	tasks = slices.CompactFunc(tasks, func(a, b cloud.Task) bool { return a.Shard == b.Shard })
	return slices.DeleteFunc(tasks, func(task cloud.Task) bool { return !cloud.Failure(task.State) })
}

// finish records the result of a call in the job's memory. The term then looks at the job again.
func (t *term) finish(e *entry, a action, written cloud.Definition, err error) {
	switch {
	case errors.Is(err, errNotLeading), a.do == doNotify && t.ctx.Err() != nil: // The next leader does it.
	case a.do == doChange:
		t.finishChange(e, a, written, err)
	case a.do == doNotify:
		t.finishNotify(e, a, err)
	case a.inTurn:
		t.finishTurn(e, a, err)
	case err != nil && !errors.Is(err, cloud.ErrNotFound):
		t.wake(e, time.Now().Add(repeatAfter))
		t.logRetry(e, a, repeatAfter, err)
	}
}

func (t *term) finishChange(e *entry, a action, written cloud.Definition, err error) {
	b := &e.backlog
	switch {
	case e.uid != a.uid:
		b.done()
	case err == nil:
		b.written(len(a.changes))
		t.mirror.wrote(written)
	case errors.Is(err, cloud.ErrNotFound):
		*b = backlog{passing: b.passing}
	default:
		if wait := b.failed(time.Now(), err); b.failures == 1 {
			t.Logger.WarnContext(t.ctx, "cloud: could not write the status of a job, retrying", "job", e.name,
				"error", err, "pause", wait)
		}
	}
}

func (t *term) finishNotify(e *entry, a action, err error) {
	if err != nil {
		t.Logger.ErrorContext(t.ctx, "cloud: could not notify anyone of a failed run", "job", e.name, "run", a.failed.Name,
			"handler", a.job.ErrorHandlerType, "error", err)
	}
	for i := range e.ends {
		if e.uid == a.uid && e.ends[i].last.Name == a.failed.Name {
			e.ends[i].notice = sent
		}
	}
}

func (t *term) finishTurn(e *entry, a action, err error) {
	aboutRun := a.do == doEnd || a.do == doResume
	switch {
	case e.uid != a.uid:
		e.turn.done()
	case err == nil, aboutRun && errors.Is(err, cloud.ErrNotFound):
		e.turn.done()
		t.succeeded(e, a)
	case a.do == doLaunch && errors.Is(err, cloud.ErrForeign) && !e.collided[a.decided.Run]:
		e.turn.done()
		e.collided[a.decided.Run] = true
		ours := cloud.CollisionName(a.launch.Name)
		t.condition(e, true, cloud.ReasonNameCollision,
			fmt.Sprintf("another owner has a run named %s, so ours is named %s", a.launch.Name, ours))
	case !aboutRun && (errors.Is(err, cloud.ErrRefused) || errors.Is(err, cloud.ErrUnsupported)),
		a.do == doLaunch && errors.Is(err, cloud.ErrForeign):
		t.refused(e, a, err)
	default:
		delete(e.asked, a.run)
		if wait := e.turn.failed(time.Now(), err); e.turn.failures == 1 {
			t.logRetry(e, a, wait, err)
		}
	}
}

// succeeded handles a successful call in turn.
func (t *term) succeeded(e *entry, a action) {
	switch a.do {
	case doLaunch:
		e.refused = ""
		now, run := t.Now(), a.launch
		status := cloud.StatusOf(run, now)
		if known, list := t.mirror.knows(status.Ref()); !known {
			e.launched[run.Name] = launched{status: status, list: list}
		}
		e.backlog.add(later, time.Now(), a.decided)
		t.Metrics.Fired(cloud.DoLaunch, 1, max(0, now.Sub(run.Fire)))
		t.Logger.InfoContext(t.ctx, "cloud: launched a run", "job", e.name, "run", run.Name, "fire", run.Fire,
			"origin", run.Origin)
	case doDaemon:
		e.refused, e.daemon = "", digest(a.daemon)
	}
}

// refused stops calls for a while, unless the job or its application changes.
func (t *term) refused(e *entry, a action, err error) {
	e.refused = digest(a.launch.Job, &a.launch.App)
	if a.do == doDaemon {
		e.refused = digest(a.daemon.Job, &a.daemon.App)
	}
	e.turn.done()
	e.turn.waitUntil(time.Now().Add(refusedPause))
	t.condition(e, false, reasonOf(err), err.Error())
	t.Logger.ErrorContext(t.ctx, "cloud: the engine refused a call, retrying in a minute or when the job "+
		"changes", "job", e.name, "call", a.do, "run", a.launch.Name, "error", err)
}

func (t *term) condition(e *entry, ok bool, reason, message string) {
	e.backlog.add(later, time.Now(), condition{
		Type: cloud.ConditionFires, OK: ok, Reason: reason, Message: message, Since: t.Now(),
	})
}

func (t *term) logRetry(e *entry, a action, wait time.Duration, err error) {
	t.Logger.WarnContext(t.ctx, "cloud: a call to the engine failed, retrying", "job", e.name, "call", a.do,
		"run", cmp.Or(a.run, a.launch.Name), "error", err, "pause", wait)
}

// logDecided logs and counts a decision about fire times.
func (t *term) logDecided(job string, a cloud.Action) {
	switch a.Do {
	case cloud.DoPostpone, cloud.DoMiss, cloud.DoMerge, cloud.DoForget: // The others aren't about fire times.
		t.Metrics.Fired(a.Do, a.Count+len(a.Times)+len(a.Keys), 0)
	}
	if a.Do == cloud.DoMiss {
		t.Logger.WarnContext(t.ctx, "cloud: missed fire times without a make-up run", "job", job,
			"count", a.Count, "first", a.First, "last", a.Last, "reason", a.Why)
		return
	}
	t.Logger.DebugContext(t.ctx, "cloud: decision about fire times", "job", job, "action", a.String())
}
