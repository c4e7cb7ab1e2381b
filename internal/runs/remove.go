package runs

import (
	"context"
	"slices"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/rethrow"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// Ended is a run that has ended. Request is only set if it was read before the end.
type Ended struct {
	Outcome jobtree.RunOutcome
	Request jobtree.RunRequest
}

// open reads the runs that haven't ended. It leaves out foreign nodes.
func (s Store) open(ctx context.Context) ([]Status, error) {
	paths, err := s.waitingPaths(ctx) // First, because runs move on from there.
	if err != nil {
		return nil, err
	}
	waiting, err := s.all(ctx, paths)
	if err != nil {
		return nil, err
	}
	active, err := s.Active(ctx)
	return slices.DeleteFunc(append(waiting, active...), func(run Status) bool { return !plainID(run.ID) }), err
}

// OpenPaths lists the nodes of the runs that haven't ended.
func (s Store) OpenPaths(ctx context.Context) ([]string, error) {
	open, err := s.open(ctx)
	paths := make([]string, len(open))
	for i, run := range open {
		paths[i] = run.path
	}
	return paths, err
}

// EndAll cancels all runs of a job that is being removed. That includes active runs, because no
// agent can record their ends any more. It returns the ids of the cancelled runs and all ends in
// the registry.
func (s Store) EndAll(ctx context.Context, by jobtree.RunCancel) (cancelled []string, ends []Ended, err error) {
	by.Reason = clip(by.Reason, maxReason)
	open, err := s.open(ctx)
	if err == nil && len(open) > 0 {
		_, err = s.Client.Create(ctx, s.Tree.RunsDone(), nil, zk.Persistent) // It's only missing in a damaged tree.
		err = zk.Ignore(err, zk.ErrNodeExists)
	}
	if err != nil {
		return nil, nil, err
	}
	done := make([]bool, len(open))
	err = rethrow.Each(ctx, cancelsAtOnce, len(open), func(ctx context.Context, i int) (err error) {
		done[i], err = s.endForGood(ctx, open[i], by)
		return err
	})
	requests := make(map[string]jobtree.RunRequest, len(open))
	for i, run := range open {
		requests[run.ID] = *run.request
		if done[i] {
			cancelled = append(cancelled, run.ID)
		}
	}
	if err != nil {
		return cancelled, nil, err
	}
	ends, err = s.ends(ctx)
	for i, end := range ends {
		ends[i].Request = requests[end.Outcome.ID]
	}
	return cancelled, ends, err
}

// maxEndTries bounds the tries for a run that keeps changing.
const maxEndTries = 20

// endForGood cancels a run without waiting for its handlers.
func (s Store) endForGood(ctx context.Context, run Status, by jobtree.RunCancel) (bool, error) {
	for n := 1; ; n++ {
		err := s.cutOff(ctx, run, by)
		switch {
		case err == nil:
			return true, nil
		case n == maxEndTries:
			return false, err
		}
		if err := s.again(ctx, err); err != nil {
			return false, err
		}
		id := run.ID
		var found bool
		if run, found, err = s.read(ctx, run.path); err == nil && !found { // It has moved on.
			run, found, err = s.find(ctx, id)
		}
		if err != nil || !found {
			return false, err
		}
		if run.State.Ended() {
			return run.State == jobrun.Cancelled, nil // perhaps by an unanswered try
		}
	}
}

// cutOff records the end of a waiting or active run. Claimed shards count as cancelled. It must
// also work for damaged nodes, otherwise they'd prevent the job's removal.
func (s Store) cutOff(ctx context.Context, run Status, by jobtree.RunCancel) error {
	now := s.Now()
	by.At = now.UnixMilli()
	outcome := CancelledOutcome(*run.request, by, now)
	var ops []zk.Op
	if run.record != nil {
		record := copyOf(*run.record)
		for n := range record.Claims {
			record.Cut = record.Cut.With(n)
		}
		record.Claims = nil
		outcome = *Cancel(record, by, now).Outcome
		lives, err := s.Children(ctx, run.path)
		if err != nil {
			return err
		}
		for _, life := range lives {
			ops = append(ops, zk.DeleteOp(run.path+"/"+life, zk.AnyVersion))
		}
	}
	more, err := s.Drop(run.path, run.version, *run.request, outcome)
	if err != nil {
		return err
	}
	return s.Commit(ctx, append(ops, more...)...)
}

func (s Store) ends(ctx context.Context) ([]Ended, error) {
	paths, err := s.below(ctx, s.Tree.RunsDone())
	if err != nil {
		return nil, err
	}
	return gather(ctx, len(paths), func(ctx context.Context, i int) (Ended, bool, error) {
		data, _, err := s.get(ctx, paths[i])
		o, unreadable := jobtree.DecodeRunOutcome(data)
		return Ended{Outcome: o}, unreadable == nil && o.ID != "", err
	})
}
