package scheduler

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
)

// takeDaemon takes the run of a DAEMON job out of its own runs: no plan and no history is
// about it. One of a job that is a DAEMON no more is among the others, which are ended.
func takeDaemon(d cloud.Definition, own, others []cloud.RunStatus) (rest, ending []cloud.RunStatus, daemon *cloud.RunStatus) {
	for _, r := range own {
		switch {
		case r.Origin != cloud.OriginDaemon:
			rest = append(rest, r)
		case d.Job.Type == cloud.TypeDaemon:
			daemon = &r
		default:
			others = append(others, r)
		}
	}
	return rest, others, daemon
}

// noDaemon says that a job is to have no processes any more.
func noDaemon(namespace, job, owner string) cloud.Daemon {
	return cloud.Daemon{Name: cloud.Slug(job), Job: cloud.Job{Name: job, Type: cloud.TypeDaemon, Namespace: namespace}, Owner: owner}
}

// keepDaemon brings the processes of a DAEMON to what its job says.
func (t *term) keepDaemon(e *entry, s cloud.Situation, run *cloud.RunStatus) {
	if s.App == nil || s.Refused != "" {
		return // Nobody stops processes because a document cannot be read.
	}
	d := cloud.Daemon{Name: cloud.Slug(e.name), Job: s.Definition.Job.Clone(), App: s.App.Clone(), Owner: s.Definition.UID, Count: s.Definition.Job.Processes()}
	if s.Off() {
		d.Count = 0
	}
	wanted := digest(d)
	if e.daemon == wanted && (run != nil && !run.State.Ended()) != (d.Count > 0) {
		// The engine has said yes, and reports something else: the report may be late, or
		// somebody has meddled.
		if left := time.Until(e.daemonAsked.Add(repeatAfter)); left > 0 {
			t.wake(e, time.Now().Add(left))
			return
		}
		e.daemon = ""
	}
	t.daemon(e, d, wanted)
}

// stopDaemon stops the processes of a DAEMON that was deleted before the engine has reported
// its run. One that was reported is ended with the runs of deleted jobs.
func (t *term) stopDaemon(e *entry, runs []cloud.RunStatus) {
	reported := slices.ContainsFunc(runs, func(r cloud.RunStatus) bool { return r.Origin == cloud.OriginDaemon })
	if e.daemon != "" && !reported && !e.calling && !time.Now().Before(e.blocked) {
		d := noDaemon(e.namespace, e.name, "")
		t.daemon(e, d, digest(d))
	}
}

func (t *term) daemon(e *entry, d cloud.Daemon, wanted string) {
	if e.daemon == wanted {
		return
	}
	e.calling, e.daemonAsked = true, time.Now()
	uid := e.uid
	t.call(&t.others, e, 0, "daemon", func(ctx context.Context) error { return t.Engine.Daemon(ctx, d) }, func(err error) {
		e.calling = false
		switch {
		case e.uid != uid || errors.Is(err, errNotLeading):
		case errors.Is(err, cloud.ErrRefused), errors.Is(err, cloud.ErrUnsupported):
			e.blocked, e.refused = time.Now().Add(refusedPause), digest(d.Job, &d.App)
			reason := cloud.ReasonRefused
			if errors.Is(err, cloud.ErrForbidden) {
				reason = cloud.ReasonForbidden
			}
			t.condition(e, cloud.Condition{Type: cloud.ConditionFires, Reason: reason, Message: err.Error()})
			t.Logger.ErrorContext(t.ctx, "cloud: the engine refused the processes of a DAEMON job; it is asked again in a minute, or when the job changes", "job", e.name, "error", err)
		case err != nil:
			t.postponeCalls(e, "daemon", err)
		default:
			e.daemon, e.failures, e.refused = wanted, 0, ""
		}
	})
}

// judgeDaemon keeps up what the status says about the processes of a DAEMON: they are healthy
// as long as the engine has nothing to say of their run.
func (t *term) judgeDaemon(e *entry, s *cloud.Situation, run *cloud.RunStatus) {
	if run == nil || run.State.Ended() || run.State == cloud.RunWaiting && run.Message == "" {
		return
	}
	c := cloud.Condition{Type: cloud.ConditionHealthy, OK: run.Message == "", Reason: cloud.ReasonProcesses, Message: run.Message}
	if old, said := s.Definition.Status.Condition(c.Type); !said || old.OK != c.OK || old.Reason != c.Reason || old.Message != c.Message {
		t.condition(e, c)
		s.Definition.Status.SetCondition(c)
	}
}
