package scheduler

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
)

// step looks at a job and begins what there is to do.
func (t *term) step(e *entry) {
	v := t.mirror.view(e.name)
	if v.err != nil {
		return // Nobody knows whose its runs are: they go on, and none is begun.
	}
	d, own, others := e.follow(v)
	if v.halted != nil {
		t.halt(e, d, v.halted)
		return
	}
	own, others, daemon := takeDaemon(d, own, others)
	t.endOthers(e, others)
	if !v.defined {
		t.stopDaemon(e, v.runs)
		if len(v.runs) == 0 && e.idle() {
			t.forget(e)
		}
		return
	}
	s := t.situation(e, v, d, own)
	t.judgeEnds(e, &s)
	t.judgeConditions(e, &s, v.elsewhere)
	t.judgeDaemon(e, &s, daemon)
	t.write(e, s.Off())
	if t.heldUp(e, s) {
		return
	}
	if d.Job.Type == cloud.TypeDaemon {
		t.keepDaemon(e, s, daemon)
		t.trim(e, s)
		return
	}
	t.endStuck(e, v, s)
	t.carryOut(e, s)
	t.trim(e, s)
}

// halt says of a job that its runs cannot be read. They go on, and none is begun.
func (t *term) halt(e *entry, d cloud.Definition, err error) {
	c := unreadCondition(err, time.Time{})
	if old, said := d.Status.Condition(c.Type); !said || old.OK || old.Reason != c.Reason || old.Message != c.Message {
		t.condition(e, c)
	}
	t.write(e, true)
}

// situation is what the plan of a job depends on.
func (t *term) situation(e *entry, v jobView, d cloud.Definition, own []cloud.RunStatus) cloud.Situation {
	s := cloud.Situation{Definition: d, App: v.app, Now: t.Now(), Grace: t.Grace, Runs: own}
	if read := digest(d.Job); read != e.read {
		e.read = read
		e.schedule, e.scheduleErr = d.Job.Schedule(t.Zone)
		if err := d.Job.Validate(); err != nil {
			e.scheduleErr = err
		}
		if most := t.Engine.Capabilities().MaxShards; e.scheduleErr == nil && most > 0 && d.Job.Shards > most {
			e.scheduleErr = fmt.Errorf("shardingTotalCount: %d is more than the %d that the engine runs", d.Job.Shards, most)
		}
	}
	s.Schedule = e.schedule
	switch {
	case e.scheduleErr != nil:
		s.Refused = e.scheduleErr.Error()
	case v.appErr != nil:
		s.Refused = fmt.Sprintf("application %q: %v", d.Job.AppName, v.appErr)
	}
	return s
}

// digest tells apart what a call was made for.
func digest(values ...any) string {
	h := sha256.New()
	encoder := json.NewEncoder(h)
	for _, v := range values {
		if err := encoder.Encode(v); err != nil {
			fmt.Fprintf(h, "%+v", v) // A number that JSON has no word for.
		}
	}
	return string(h.Sum(nil))
}

// heldUp reports whether nothing may be begun for the job, and then makes sure that it is
// looked at again.
func (t *term) heldUp(e *entry, s cloud.Situation) bool {
	if e.calling || e.durable > 0 || len(e.unwritten) > mostUnwritten {
		return true // Its end looks again.
	}
	if e.refused != "" && e.refused != digest(s.Definition.Job, s.App) {
		e.refused, e.blocked, e.failures = "", time.Time{}, 0
	}
	if time.Now().Before(e.blocked) {
		t.wake(e, e.blocked)
		return true
	}
	return false
}

// carryOut plans, and does what there is to do until something takes time.
func (t *term) carryOut(e *entry, s cloud.Situation) {
	for range 1000 {
		actions, wake := cloud.Plan(s)
		changed, settles := false, !ending(e, s)
		for _, a := range actions {
			switch a.Do {
			case cloud.DoLaunch:
				t.launch(e, s, a)
				return
			case cloud.DoEnd, cloud.DoResume:
				if recently(e.askedFor(a.Do), cloud.RunRef(s.Definition.Job.Namespace, a.Run)) {
					t.wake(e, time.Now().Add(repeatAfter))
					settles = false
					continue
				}
				t.endOrResume(e, s, a)
				return
			case cloud.DoSettled:
				if !settles {
					t.wake(e, time.Now().Add(repeatAfter))
					continue
				}
			}
			if s.Off() && a.Do == cloud.DoAdvance {
				e.passing = &a
			} else {
				e.remember(a.Apply)
			}
			a.Apply(&s.Definition.Status)
			t.noticed(e, s, a)
			changed = true
			switch {
			case a.Durable():
				e.durable = len(e.unwritten)
				e.writeAt = time.Now()
				t.write(e, false)
				return
			case a.Do == cloud.DoBegin:
				e.writeAt = time.Now() // Soon, and what there is to launch does not wait for it.
			}
		}
		if !changed {
			if !wake.IsZero() {
				t.wake(e, time.Now().Add(lagOf(wake, s.Now)))
			}
			break
		}
	}
	t.write(e, s.Off())
}

// askedFor is when runs were asked to end, or to go on. That one was to end does not keep it
// from going on a moment later.
func (e *entry) askedFor(what cloud.Do) map[string]time.Time {
	if what == cloud.DoResume {
		return e.resumed
	}
	return e.asked
}

// ending reports whether a run was asked to end a moment ago and goes on as far as is known.
// One that was to be suspended is resumed when that is seen: nothing is settled before.
func ending(e *entry, s cloud.Situation) bool {
	return slices.ContainsFunc(s.Runs, func(r cloud.RunStatus) bool {
		at, asked := e.asked[r.Ref()]
		return asked && !r.State.Ended() && r.State != cloud.RunSuspended && time.Since(at) < repeatAfter
	})
}

// noticed says in log and metrics what a plan has decided.
func (t *term) noticed(e *entry, s cloud.Situation, a cloud.Action) {
	count := a.Count + len(a.Times) + len(a.Keys)
	switch a.Do {
	case cloud.DoPostpone, cloud.DoMiss, cloud.DoMerge, cloud.DoForget: // The others are about no fire time.
		t.Metrics.Fired(a.Do, count, 0)
	}
	if a.Do == cloud.DoMiss {
		t.Logger.WarnContext(t.ctx, "cloud: fire times were missed and nobody makes up for them", "job", e.name, "count", a.Count, "first", a.First, "last", a.Last, "reason", a.Why)
		return
	}
	t.Logger.DebugContext(t.ctx, "cloud: decided", "job", e.name, "action", a.String(), "cursor", s.Definition.Status.LastFire)
}

// launch begins a run.
func (t *term) launch(e *entry, s cloud.Situation, a cloud.Action) {
	run := cloud.Run{Name: a.Run, Job: s.Definition.Job.Clone(), App: s.App.Clone(), Owner: s.Definition.UID, Fire: a.Fire, Origin: a.Origin}
	if r := a.Request; r != nil {
		run.Shards, run.Parameters, run.By = r.Shards, r.Parameters, r.By
	}
	if e.collided[a.Run] {
		run.Name = cloud.CollisionName(a.Run)
	}
	e.calling = true
	launch := func(ctx context.Context) error {
		_, err := t.Engine.Launch(ctx, run)
		return err
	}
	t.call(&t.fires, e, run.Job.FirePriority(), "launch", launch, func(err error) {
		e.calling = false
		if e.uid != run.Owner {
			return
		}
		if err != nil {
			t.launchFailed(e, run, a, err)
			return
		}
		now := t.Now()
		e.failures, e.blocked, e.refused = 0, time.Time{}, ""
		status := cloud.StatusOf(run, now)
		if known, listing := t.mirror.knows(status.Ref()); !known {
			e.launched[run.Name] = launched{status: status, listing: listing}
		}
		e.remember(a.Apply)
		t.Metrics.Fired(cloud.DoLaunch, 1, lagOf(now, a.Fire))
		t.Logger.InfoContext(t.ctx, "cloud: launched a run", "job", e.name, "run", run.Name, "fire", a.Fire, "origin", a.Origin)
	})
}

// launchFailed decides what follows an error of the engine.
func (t *term) launchFailed(e *entry, run cloud.Run, a cloud.Action, err error) {
	switch {
	case errors.Is(err, errNotLeading):
	case errors.Is(err, cloud.ErrForeign) && !e.collided[a.Run]:
		e.collided[a.Run] = true
		t.condition(e, cloud.Condition{Type: cloud.ConditionFires, OK: true, Reason: cloud.ReasonNameCollision,
			Message: fmt.Sprintf("somebody else has a run named %s; ours is named %s", run.Name, cloud.CollisionName(a.Run))})
	case errors.Is(err, cloud.ErrRefused), errors.Is(err, cloud.ErrForeign), errors.Is(err, cloud.ErrUnsupported):
		e.blocked, e.refused = time.Now().Add(refusedPause), digest(run.Job, &run.App)
		reason := cloud.ReasonRefused
		if errors.Is(err, cloud.ErrForbidden) {
			reason = cloud.ReasonForbidden
		}
		t.condition(e, cloud.Condition{Type: cloud.ConditionFires, Reason: reason, Message: err.Error()})
		t.Logger.ErrorContext(t.ctx, "cloud: the engine refused a run; it is asked again in a minute, or when the job changes", "job", e.name, "run", run.Name, "error", err)
	default:
		t.postponeCalls(e, "launch", err)
	}
}

// postponeCalls makes the next call of the job wait.
func (t *term) postponeCalls(e *entry, verb string, err error) {
	wait := pause(e.failures, err)
	e.failures++
	e.blocked = time.Now().Add(wait)
	if e.failures == 1 {
		t.Logger.WarnContext(t.ctx, "cloud: a call of the engine failed and is tried again", "job", e.name, "call", verb, "error", err, "pause", wait)
	}
}

// endOrResume carries out what a switch of the job demands of a run.
func (t *term) endOrResume(e *entry, s cloud.Situation, a cloud.Action) {
	e.calling = true
	run := cloud.RunRef(s.Definition.Job.Namespace, a.Run)
	verb, do := "end", func(ctx context.Context) error { return t.Engine.End(ctx, run, -1, endingOf(a.Way, a.Why)) }
	if a.Do == cloud.DoResume {
		verb, do = "resume", func(ctx context.Context) error { return t.Engine.Resume(ctx, run) }
	}
	t.call(&t.others, e, 0, verb, do, func(err error) {
		e.calling = false
		if err != nil && !errors.Is(err, cloud.ErrNotFound) && !errors.Is(err, errNotLeading) {
			delete(e.askedFor(a.Do), run)
			t.postponeCalls(e, verb, err)
			return
		}
		e.failures = 0
		if a.Do == cloud.DoResume {
			delete(e.asked, run) // Nobody waits for its end any more.
		} else {
			delete(e.resumed, run)
		}
	})
}

// write begins to write the status, if it is time to, or has itself asked again. A job that
// is off is written as well: only the cursor that passes is not.
func (t *term) write(e *entry, off bool) {
	if !off && e.passing != nil {
		passing := *e.passing
		e.passing = nil
		e.remember(passing.Apply)
	}
	if len(e.unwritten) == 0 || e.writing {
		return
	}
	if wait := time.Until(e.writeAt); wait > 0 {
		t.wake(e, e.writeAt)
		return
	}
	e.writing, e.writeAt = true, time.Time{} // What comes meanwhile says itself when it is to be written.
	uid, changes := e.uid, slices.Clone(e.unwritten)
	var written cloud.Definition
	change := func(ctx context.Context) (err error) {
		written, err = t.Store.Change(ctx, e.name, func(d *cloud.Definition) error {
			if d.UID != uid {
				return fmt.Errorf("job %q was made again: %w", e.name, cloud.ErrNotFound)
			}
			for _, c := range changes {
				c(&d.Status)
			}
			return nil
		})
		return err
	}
	t.call(&t.writes, e, 0, "change", change, func(err error) {
		e.writing = false
		switch {
		case e.uid != uid || errors.Is(err, errNotLeading):
		case errors.Is(err, cloud.ErrNotFound):
			e.unwritten, e.durable, e.writeAt = nil, 0, time.Time{}
		case err != nil:
			wait := pause(e.writeFailures, err)
			if e.writeFailures++; e.writeFailures == 1 {
				t.Logger.WarnContext(t.ctx, "cloud: the status of a job was not written and is tried again", "job", e.name, "error", err, "pause", wait)
			}
			e.writeAt = time.Now().Add(wait)
		default:
			e.unwritten, e.durable, e.writeFailures = slices.Delete(e.unwritten, 0, len(changes)), max(0, e.durable-len(changes)), 0
			t.mirror.wrote(written)
		}
	})
}
