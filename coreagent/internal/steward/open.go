package steward

import (
	"context"
	"fmt"
	"slices"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// Opened is a record created by the steward, of a run in which every shard takes part.
type Opened struct {
	Record  jobtree.RunRecord
	Version int32
	Bell    zk.Stat // after it was rung for the run
}

// Opened returns the run opened by the last step, or nil if there is none.
func (s *Steward) Opened() *Opened { return s.opened }

// open begins the run of a request in which every shard takes part, unless a shard belongs to an
// agent that takes no runs. over reports that the request has left the queue without beginning.
func (s *Steward) open(ctx context.Context, f Fleet, name string) (opened, over bool, err error) {
	w := s.queue[name]
	if f.Outdated() && runs.HeldBack(jobtree.Hold{What: jobrun.HeldAll}, w.request) {
		return false, false, nil // An earlier hold may not be known yet.
	}
	wanted := w.request.Shards
	if len(wanted) == 0 {
		for n := range f.Config.Shards {
			wanted = append(wanted, n)
		}
	}
	for _, n := range wanted {
		if n < len(f.Owners) && f.Owners[n] != "" && !slices.Contains(s.capable, f.Owners[n]) {
			return false, false, nil // It waits, and expires.
		}
	}
	disabled, err := s.disabled(ctx, w.path, wanted)
	if err != nil {
		return false, false, err
	}
	next := runs.Open(w.request, f.Config.Shards, disabled, f.ID, s.store.Now())
	ops, err := s.openOps(w, &next)
	if err != nil {
		return false, false, err
	}
	s.Left(name)
	if next.Outcome != nil {
		err = s.store.Commit(ctx, ops...)
		s.ended(*next.Outcome, w.request, err)
	} else {
		var stats []zk.Stat
		if stats, err = s.store.Client.MultiStats(ctx, ops...); err == nil {
			s.rang(ops, stats)
			s.history.Opened(*next.Record)
			s.opened = &Opened{Record: *next.Record, Bell: stats[len(stats)-1]}
		}
	}
	if err == nil {
		return next.Record != nil, next.Outcome != nil, nil
	}
	s.listed = nil
	if runs.Refused(err) {
		return false, zk.RefusedPath(err) == w.path, nil // The request was cancelled, or another steward handled it.
	}
	return false, false, err
}

// openOps returns the operations that begin a run, or that end it if it can't begin. In the latter
// case, next has its outcome.
func (s *Steward) openOps(w waiting, next *runs.Next) ([]zk.Op, error) {
	if next.Outcome != nil {
		return s.store.Drop(w.path, w.version, w.request, *next.Outcome)
	}
	record, err := s.store.Begin(s.store.Tree.RunsActiveAll(), *next.Record)
	if err != nil {
		return nil, err
	}
	if size := record[0].Size(); size > runs.MaxRecord {
		text := fmt.Sprintf("its record would have %d bytes; at most %d are kept", size, runs.MaxRecord)
		o := runs.OutcomeOf(w.request, jobrun.Failed, text, s.store.Now())
		*next = runs.Next{Outcome: &o, Request: w.request}
		return s.store.Drop(w.path, w.version, w.request, o)
	}
	return append(record, zk.DeleteOp(w.path, w.version), s.store.Signal()), nil // The bell is last.
}
