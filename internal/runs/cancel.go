package runs

import (
	"context"
	"fmt"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// Cancel ends a run: at once if it waits, or when its handlers have returned. It returns the new
// state: Cancelled, Running if handlers are still at work, or with jobrun.ErrRunEnded another end
// that came first.
func (s Store) Cancel(ctx context.Context, id string, by jobtree.RunCancel) (jobrun.State, error) {
	by.Reason = clip(by.Reason, maxReason)
	for again := false; ; again = true {
		var state jobrun.State
		status, err := s.Get(ctx, id)
		if err == nil {
			if again && status.State == jobrun.Cancelled {
				return jobrun.Cancelled, nil // by an unanswered try, or by another caller
			}
			state, err = s.cancelAt(ctx, status, by)
		}
		switch {
		case Refused(err):
			err = nil
		case !zk.Retriable(err):
			return state, err
		}
		if err := s.pause(ctx, err); err != nil {
			return "", err
		}
	}
}

// cancelAt cancels a run as read.
func (s Store) cancelAt(ctx context.Context, status Status, by jobtree.RunCancel) (after jobrun.State, err error) {
	now := s.Now()
	by.At = now.UnixMilli()
	var ops []zk.Op
	after = jobrun.Cancelled
	switch {
	case status.State.Ended():
		return status.State, &refusal{jobrun.ErrRunEnded, fmt.Sprintf("run %s of job %q has ended already: %s", status.ID, s.Tree.Name(), status.State)}
	case status.record == nil:
		ops, err = s.Drop(status.path, status.version, *status.request, CancelledOutcome(*status.request, by, now))
	case status.Cancelled != nil:
		return jobrun.Running, nil
	default:
		next := Cancel(*status.record, by, now)
		if ops, err = s.Write(status.path, status.version, next); next.Record != nil {
			after = jobrun.Running
		}
	}
	if err != nil {
		return "", err
	}
	return after, s.Commit(ctx, append(ops, s.SignalCancel(status.ID))...) // The steward records an end.
}

// Start makes a scheduled run begin now. The error is jobrun.ErrNotScheduled if it isn't scheduled.
func (s Store) Start(ctx context.Context, id string) error {
	for {
		status, err := s.Get(ctx, id)
		if err != nil {
			return err
		}
		if status.State != jobrun.Scheduled {
			return &refusal{jobrun.ErrNotScheduled, fmt.Sprintf("run %s of job %q isn't waiting for its time: %s", id, s.Tree.Name(), status.State)}
		}
		now := s.Now()
		request := *status.request
		if request.Expires > 0 {
			request.Expires += now.UnixMilli() - request.Due
		}
		request.Due = now.UnixMilli()
		data, err := request.Encode()
		if err != nil {
			return err
		}
		name := jobtree.RunName(time.UnixMilli(request.Due), id)
		err = s.Client.Multi(ctx, zk.DeleteOp(status.path, status.version),
			zk.CreateOp(s.Tree.RunsQueued(name), data, zk.Persistent), s.SignalQueue(name))
		if err == nil || !Refused(err) {
			return err
		}
		if err := s.pause(ctx, nil); err != nil {
			return err
		}
	}
}
