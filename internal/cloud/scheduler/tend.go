package scheduler

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
)

// lookAgain is how often runs are looked at that may be forgotten some time.
const lookAgain = time.Minute

// judgeEnds takes notice of runs that have ended: the newest one is the last run of the
// status, and somebody is notified of failures that no leader has noticed before. A run that
// this term has seen at work is one of those whenever it ended: several may end at a time, and
// their ends be reported in another order.
func (t *term) judgeEnds(e *entry, s *cloud.Situation) {
	for _, r := range slices.SortedFunc(slices.Values(s.Runs), byEnd) {
		judged, seen := e.judged[r.Name]
		if !r.State.Ended() || judged {
			e.judged[r.Name] = judged
			continue
		}
		e.judged[r.Name] = true
		end := &runEnd{last: cloud.LastRun{Name: r.Name, State: r.State, Ended: r.Ended}}
		last := newer(end.last, s.Definition.Status.LastRun)
		if !seen && !last {
			continue
		}
		if last {
			s.Definition.Status.LastRun = end.last
			t.condition(e, cloud.Condition{Type: cloud.ConditionHealthy, OK: r.State != cloud.RunFailed, Reason: cloud.ReasonLastRun, Message: r.Message, Since: r.Ended})
		}
		e.ends = append(e.ends, end)
		if r.State == cloud.RunFailed {
			t.notifyOf(e, s.Definition.Job.Clone(), r, end)
		}
	}
	e.settleEnds()
}

// byEnd is the order of runs by their ends, and of those that ended together by their names.
func byEnd(a, b cloud.RunStatus) int {
	return cmp.Or(a.Ended.Compare(b.Ended), strings.Compare(a.Name, b.Name))
}

// notifyOf tells of a failed run, if its job asks for that. The run's end stays open until it
// has been done, or was given up: a leader that comes in between finds it not noticed, and tells
// of it again.
func (t *term) notifyOf(e *entry, job cloud.Job, r cloud.RunStatus, end *runEnd) {
	t.Logger.WarnContext(t.ctx, "cloud: a run failed", "job", r.JobName, "run", r.Name, "message", r.Message)
	if t.Notify == nil || !job.Notifies() {
		return
	}
	end.open = true
	uid := e.uid
	t.call(&t.notices, e, 0, "notify", func(ctx context.Context) error {
		sleep(ctx, reportDelay)
		return t.Notify(ctx, job, r, failedShards(t.mirror.tasksOf(r.Ref())))
	}, func(err error) {
		if t.ctx.Err() != nil {
			return // The next leader does it.
		}
		if err != nil {
			t.Logger.ErrorContext(t.ctx, "cloud: nobody was notified of a failed run", "job", r.JobName, "run", r.Name, "handler", job.ErrorHandlerType, "error", err)
		}
		if end.open = false; e.uid != uid {
			return // The job was made again.
		}
		if e.settleEnds(); len(e.unwritten) > 0 {
			e.writeAt = time.Now() // Until it is written, another leader would notify again.
		}
	})
}

// failedShards are the last attempts at the shards that failed.
func failedShards(tasks []cloud.Task) []cloud.Task {
	slices.SortFunc(tasks, func(a, b cloud.Task) int { return cmp.Or(a.Shard-b.Shard, b.Attempt-a.Attempt) })
	tasks = slices.CompactFunc(tasks, func(a, b cloud.Task) bool { return a.Shard == b.Shard })
	return slices.DeleteFunc(tasks, func(task cloud.Task) bool { return !cloud.Failure(task.State) })
}

// judgeConditions keeps up what the status says about whether the job fires. elsewhere is
// another namespace that has the application.
func (t *term) judgeConditions(e *entry, s *cloud.Situation, elsewhere string) {
	accepted := cloud.Condition{Type: cloud.ConditionAccepted, OK: true, Reason: "Accepted"}
	fires := cloud.Condition{Type: cloud.ConditionFires, OK: true, Reason: "Fires"}
	switch job := s.Definition.Job; {
	case s.Refused != "":
		accepted.OK, accepted.Reason, accepted.Message = false, cloud.ReasonInvalid, s.Refused
		fires.OK, fires.Reason, fires.Message = false, cloud.ReasonInvalid, "the job is not accepted"
	case s.App == nil:
		accepted.OK, accepted.Reason, accepted.Message = false, cloud.ReasonAppMissing, fmt.Sprintf("there is no application %q; register it", job.AppName)
		fires.OK, fires.Reason, fires.Message = false, cloud.ReasonAppMissing, "the job is not accepted"
		if elsewhere != "" {
			accepted.Message = fmt.Sprintf("application %q is in namespace %s, and the job in %s; a job uses an application of its own namespace", job.AppName, elsewhere, job.Namespace)
		}
	case job.Disabled:
		fires.OK, fires.Reason, fires.Message = false, cloud.ReasonDisabled, "the job is disabled"
	case s.App.Disabled:
		fires.OK, fires.Reason, fires.Message = false, cloud.ReasonDisabled, fmt.Sprintf("the application %q is disabled", job.AppName)
	case e.refused != "":
		fires.Type = "" // What the engine refused is said already.
	}
	if len(e.collided) > 0 && fires.OK {
		fires.Type = ""
	}
	for _, c := range []cloud.Condition{accepted, fires} {
		if old, said := s.Definition.Status.Condition(c.Type); c.Type != "" && (!said || old.OK != c.OK || old.Reason != c.Reason || old.Message != c.Message) {
			t.condition(e, c)
			s.Definition.Status.SetCondition(c)
		}
	}
}

// condition sets a condition of the status.
func (t *term) condition(e *entry, c cloud.Condition) {
	if c.Since.IsZero() {
		c.Since = t.Now()
	}
	e.remember(func(s *cloud.Status) { s.SetCondition(c) })
}

// endOthers ends and forgets runs of jobs that were deleted, an earlier one of this name
// among them, and processes of a job that is a DAEMON no more.
func (t *term) endOthers(e *entry, runs []cloud.RunStatus) {
	if len(runs) == 0 {
		return
	}
	t.wake(e, time.Now().Add(lookAgain))
	now := t.Now()
	for _, r := range runs {
		if r.State.Ended() {
			if now.Sub(r.Fire) > cloud.HistoryAtLeast && now.Sub(r.Created) > cloud.HistoryAtLeast && t.Recorded() && !recently(e.asked, r.Ref()) {
				t.forgetRun(e, r.Ref())
			}
			continue
		}
		if recently(e.asked, r.Ref()) {
			continue
		}
		verb, end := "end", func(ctx context.Context) error {
			return t.Engine.End(ctx, r.Ref(), -1, endingOf(cloud.EndKill, fmt.Sprintf("job %q was deleted", r.JobName)))
		}
		if r.Origin == cloud.OriginDaemon {
			verb, end = "daemon", func(ctx context.Context) error {
				return t.Engine.Daemon(ctx, noDaemon(r.Namespace, r.JobName, r.Owner))
			}
		}
		t.call(&t.others, e, 0, verb, end, func(err error) { t.lessFailed(e, verb, r.Ref(), err) })
	}
}

// lessFailed notes that something failed which is tried again when it is looked at again.
func (t *term) lessFailed(e *entry, verb, run string, err error) {
	if err == nil || errors.Is(err, cloud.ErrNotFound) || errors.Is(err, errNotLeading) {
		return
	}
	t.wake(e, time.Now().Add(repeatAfter))
	t.Logger.WarnContext(t.ctx, "cloud: a call of the engine failed and is tried again", "job", e.name, "call", verb, "run", run, "error", err, "pause", repeatAfter)
}

// trim forgets old runs, when everything about them is stored and nobody is being notified of one.
func (t *term) trim(e *entry, s cloud.Situation) {
	if len(s.Runs) > cloud.HistorySucceeded {
		t.wake(e, time.Now().Add(lookAgain))
	}
	if len(e.unwritten) > 0 || len(e.ends) > 0 || e.writing || !t.Recorded() {
		return
	}
	for _, run := range cloud.Trim(s.Runs, s.Now) {
		if run = cloud.RunRef(s.Definition.Job.Namespace, run); !recently(e.asked, run) {
			t.forgetRun(e, run)
		}
	}
}

func (t *term) forgetRun(e *entry, run string) {
	t.call(&t.others, e, -1, "forget", func(ctx context.Context) error { return t.Engine.Forget(ctx, run) },
		func(err error) { t.lessFailed(e, "forget", run, err) })
}

// endStuck ends tasks that could not start for too long.
func (t *term) endStuck(e *entry, v jobView, s cloud.Situation) {
	deadline := s.Definition.Job.StartDeadline()
	for _, task := range v.stuck {
		if task.Run == cloud.DaemonRunName(e.name) {
			continue
		}
		left := deadline - s.Now.Sub(task.Stuck)
		if left > 0 {
			t.wake(e, time.Now().Add(left))
			continue
		}
		if recently(e.askedTasks, task.UID) {
			continue
		}
		why := fmt.Sprintf("it could not start within %s: %s", deadline, task.Message)
		t.call(&t.others, e, 0, "end", func(ctx context.Context) error {
			return t.Engine.End(ctx, task.run, task.Shard, endingOf(cloud.EndError, why))
		}, func(err error) { t.lessFailed(e, "end", task.Run, err) })
	}
}
