package steward

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
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
	if served, err := s.served(ctx, f); err != nil || !served {
		return false, false, err // It waits until a server is enabled, and expires.
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

// served reports whether any instance is on an enabled server. It asks ZooKeeper only if the server of
// this instance is disabled.
func (s *Steward) served(ctx context.Context, f Fleet) (bool, error) {
	if f.Enabled {
		return true, nil
	}
	for _, id := range f.Instances {
		data, _, err := s.store.Client.Get(ctx, s.store.Tree.Server(jobtree.InstanceIP(id)))
		switch {
		case errors.Is(err, zk.ErrNoNode):
		case err != nil:
			return false, err
		case jobtree.ServerIsEnabled(data, f.Config.Generation):
			return true, nil
		}
	}
	return false, nil
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

// mostTogether is how many nodes one request to ZooKeeper reads.
const mostTogether = 50

// readRung reads the new request in the queue if the bell names it; otherwise it returns no names,
// and the queue must be listed. The queue was empty, and adding a request rings the bell in the
// same transaction, so there can't be another. That's only true of an empty queue, because cancels
// don't ring the bell.
func (s *Steward) readRung(ctx context.Context, f Fleet, data []byte, bell rung) (names []string, known map[string]waiting, err error) {
	known = make(map[string]waiting)
	if s.listed == nil || len(s.listed) > 0 || s.rung.czxid != bell.czxid || s.rung.version+1 != bell.version {
		return nil, known, nil
	}
	queue, name := runs.ParseSignal(string(data))
	if !queue || name == "" {
		return nil, known, nil
	}
	w, there, err := s.readOnly(ctx, f, s.store.Tree.RunsQueued(name))
	if err != nil || !there { // It was claimed or cancelled, or the bell is wrong.
		return nil, known, err
	}
	w.data, known[name] = nil, w
	return []string{name}, known, nil
}

// seen was read together with a request, by the same ZooKeeper request.
type seen struct {
	behind string // the path of the request
	off    []bool // the disabled shards
	idle   bool   // there are no records
}

// readOnly reads the only request of the queue. Because this step most likely opens it, the same
// ZooKeeper request also reads which shards are disabled and whether there are records.
func (s *Steward) readOnly(ctx context.Context, f Fleet, path string) (w waiting, there bool, err error) {
	if f.Settings.Assign != jobrun.AssignEach || f.Config.Shards > mostTogether-2 {
		return s.read(ctx, path)
	}
	list := []zk.Reading{{Path: path, Once: true}, {Path: s.store.Tree.RunsActive(), Children: true, Once: true}}
	for n := range f.Config.Shards {
		list = append(list, zk.Reading{Path: s.store.Tree.ItemDisabled(n), Once: true})
	}
	read, err := s.store.Client.Many().ReadAll(ctx, list)
	if errors.Is(err, zk.ErrUnsupported) {
		return s.read(ctx, path)
	}
	if err != nil {
		return waiting{}, false, err
	}
	off, err := disabledOf(read[2:])
	if err != nil {
		return waiting{}, false, err
	}
	s.seen = seen{path, off, read[1].Err == nil && len(read[1].Children) == 0}
	return s.decode(ctx, path, read[0].Data, read[0].Stat, read[0].Err)
}

// disabledOf returns which shards are disabled, from the results of reading their markers in order.
func disabledOf(read []zk.Read) (off []bool, err error) {
	off = make([]bool, len(read))
	for n, r := range read {
		if err := zk.Ignore(r.Err, zk.ErrNoNode); err != nil {
			return nil, err
		}
		off[n] = r.Err == nil
	}
	return off, nil
}

// disabled returns the disabled shards. It reads them after the request at a path, so it sees a
// shard that was disabled before the request.
func (s *Steward) disabled(ctx context.Context, request string, wanted []int) (disabled []int, err error) {
	off := make([]bool, len(wanted))
	if s.seen.behind == request {
		for i, n := range wanted {
			off[i] = n < len(s.seen.off) && s.seen.off[n] // A shard that the job doesn't have fails.
		}
	} else if off, err = s.readDisabled(ctx, wanted); err != nil {
		return nil, err
	}
	for i, n := range wanted {
		if off[i] {
			disabled = append(disabled, n)
		}
	}
	return disabled, nil
}

// readDisabled reads which shards are disabled, in few requests if ZooKeeper is 3.6 or newer.
func (s *Steward) readDisabled(ctx context.Context, wanted []int) ([]bool, error) {
	list := make([]zk.Reading, len(wanted))
	for i, n := range wanted {
		list[i] = zk.Reading{Path: s.store.Tree.ItemDisabled(n), Once: true}
	}
	read, err := s.store.Client.Many().ReadAll(ctx, list)
	if err == nil {
		return disabledOf(read)
	}
	if !errors.Is(err, zk.ErrUnsupported) {
		return nil, err
	}
	off := make([]bool, len(wanted))
	err = nodes.Each(ctx, len(wanted), func(ctx context.Context, i int) (err error) {
		_, off[i], err = s.store.Client.Exists(ctx, list[i].Path)
		return err
	})
	return off, err
}
