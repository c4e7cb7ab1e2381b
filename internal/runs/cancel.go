package runs

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/rethrow"
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
		if err == nil {
			return state, nil
		}
		if err := s.again(ctx, err); err != nil {
			return state, err
		}
	}
}

func (s Store) cancelAt(ctx context.Context, status Status, by jobtree.RunCancel) (after jobrun.State, err error) {
	now := s.Now()
	by.At = now.UnixMilli()
	var ops []zk.Op
	after = jobrun.Cancelled
	switch {
	case status.State.Ended():
		return status.State, refuse(jobrun.ErrRunEnded, "run %s of job %q has ended already: %s", status.ID, s.Tree.Name(), status.State)
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
	if err == nil {
		err = s.Commit(ctx, append(ops, s.SignalCancel(status.ID))...) // The steward records an end.
	}
	if err != nil {
		return "", err
	}
	return after, nil
}

// Start makes a scheduled run begin now. The error is jobrun.ErrNotScheduled if it isn't scheduled.
func (s Store) Start(ctx context.Context, id string) error {
	for {
		status, err := s.Get(ctx, id)
		if err != nil {
			return err
		}
		if status.State != jobrun.Scheduled {
			return refuse(jobrun.ErrNotScheduled, "run %s of job %q isn't waiting for its time: %s", id, s.Tree.Name(), status.State)
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

const cancelsAtOnce = 8

// waitingPaths lists the nodes of waiting runs, sorted by time.
func (s Store) waitingPaths(ctx context.Context) ([]string, error) {
	buckets, err := s.below(ctx, s.Tree.RunsDue())
	if err != nil {
		return nil, err
	}
	folders := []string{s.Tree.RunsQueue()}
	for b := range jobtree.RunBuckets {
		if path := s.Tree.RunsBucket(b); slices.Contains(buckets, path) {
			folders = append(folders, path)
		}
	}
	waiting, err := s.below(ctx, folders...)
	if err != nil {
		return nil, err
	}
	waiting = slices.DeleteFunc(waiting, func(path string) bool {
		_, _, ours := jobtree.ParseRunName(base(path))
		return !ours
	})
	slices.SortFunc(waiting, func(a, b string) int { return strings.Compare(base(a), base(b)) })
	return waiting, nil
}

func waitingState(due, now time.Time) jobrun.State {
	if due.After(now) {
		return jobrun.Scheduled
	}
	return jobrun.Queued
}

// wanted reports whether a waiting run is in one of the states. No states means all.
func wanted(states []jobrun.State, due, now time.Time) bool {
	return len(states) == 0 || slices.Contains(states, waitingState(due, now))
}

// waitingIn lists the nodes of waiting runs in one of the states. Their names are enough.
func (s Store) waitingIn(ctx context.Context, states []jobrun.State) ([]string, error) {
	paths, err := s.waitingPaths(ctx)
	now := s.Now()
	return slices.DeleteFunc(paths, func(path string) bool {
		due, _, _ := jobtree.ParseRunName(base(path))
		return !wanted(states, due, now)
	}), err
}

// Begun returns the runs that wait again after a first attempt, among the first most waiting runs.
func (s Store) Begun(ctx context.Context, most int) (list []jobtree.RunRequest, err error) {
	paths, err := s.waitingPaths(ctx)
	if err != nil {
		return nil, err
	}
	waiting, err := s.all(ctx, paths[:min(most, len(paths))])
	for _, w := range waiting {
		if w.request != nil && w.request.Began != 0 {
			list = append(list, *w.request)
		}
	}
	return list, err
}

// CountWaiting counts the waiting runs in one of the states, without reading them.
func (s Store) CountWaiting(ctx context.Context, states []jobrun.State) (int, error) {
	paths, err := s.waitingIn(ctx, states)
	return len(paths), err
}

// CancelWaiting cancels the first waiting runs in one of the states. A run that begins in the
// meantime isn't cancelled, because each cancel checks the version read before. If there's an
// error, the result has the runs cancelled before it.
func (s Store) CancelWaiting(ctx context.Context, w jobrun.Waiting, by jobtree.RunCancel) (result jobrun.CancelledRuns, err error) {
	by.Reason = clip(by.Reason, maxReason)
	paths, err := s.waitingIn(ctx, w.States)
	if err != nil {
		return result, err
	}
	first := paths[:min(max(w.Most, 0), len(paths))]
	result.Left = len(paths) - len(first)
	var mu sync.Mutex
	err = rethrow.Each(ctx, cancelsAtOnce, len(first), func(ctx context.Context, i int) error {
		_, id, _ := jobtree.ParseRunName(base(first[i]))
		status, found, err := s.read(ctx, first[i])
		if err == nil && !found { // It has moved, perhaps to the queue.
			status, found, err = s.find(ctx, id)
		}
		done := false
		if err == nil && found {
			done, err = s.cancelIfWaits(ctx, status, w.States, by)
		}
		if done {
			mu.Lock()
			defer mu.Unlock()
			result.IDs = append(result.IDs, id)
		}
		return err
	})
	return result, err
}

// find is Get, but reports an unknown run without an error.
func (s Store) find(ctx context.Context, id string) (Status, bool, error) {
	status, err := s.Get(ctx, id)
	if errors.Is(err, jobrun.ErrUnknownRun) {
		return Status{}, false, nil
	}
	return status, err == nil, err
}

// cancelIfWaits cancels a run as read. If it has changed since, it's read again, and cancelled only
// if it still waits.
func (s Store) cancelIfWaits(ctx context.Context, status Status, states []jobrun.State, by jobtree.RunCancel) (bool, error) {
	for again := false; ; again = true {
		switch {
		case again && status.State == jobrun.Cancelled:
			return true, nil // by an unanswered try, or by another caller
		case status.record != nil, status.State.Ended(), !wanted(states, status.Due, s.Now()):
			return false, nil
		}
		_, err := s.cancelAt(ctx, status, by)
		if err == nil {
			return true, nil
		}
		if err := s.again(ctx, err); err != nil {
			return false, err
		}
		var found bool
		if status, found, err = s.find(ctx, status.ID); err != nil || !found {
			return false, err
		}
	}
}
