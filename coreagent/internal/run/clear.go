package run

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/firerecord"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/firetime"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// clear ends a run in the tree, with the second of the two requests of a fire. One transaction removes the markers and, if the run was made,
// records its fire time for the shards whose handlers returned. It's repeated until the server has
// answered or the session is lost, because a leftover marker would block every later resharding.
func (b *batch) clear(completed bool) error {
	w := b.worker
	config := b.view.Config
	b.ended = completed
	if !config.MonitorExecution && b.failover == nil && !view.Rotates(config) && !b.isMakeup() {
		return nil
	}
	completed = completed && (firerecord.Enabled(config) && b.fires() || view.Rotates(config))
	again := false
	return w.untilAnswered(b.view.Epoch, func(ctx context.Context) (err error) {
		defer func() { b.ledger.Cleared.Store(err == nil) }()
		if again { // The transaction may have been applied although its reply was lost.
			if held, err := b.holdsMarkers(ctx); err != nil {
				return err
			} else if !held {
				return b.clearOneByOne(ctx, completed)
			}
		}
		again = true
		return b.attemptClear(ctx, completed)
	})
}

// holdsMarkers reports whether the batch's markers still exist. A marker that was removed may have
// been created again by another instance, and its version wouldn't show that.
func (b *batch) holdsMarkers(ctx context.Context) (bool, error) {
	var missing atomic.Bool
	err := nodes.Each(ctx, len(b.shards), func(ctx context.Context, i int) error {
		markers := b.runMarkers(b.shards[i].Number)
		if len(markers) == 0 {
			return nil
		}
		_, own, err := b.Nodes.HasData(ctx, markers[0], b.view.ID)
		if err == nil && !own {
			missing.Store(true)
		}
		return err
	})
	return !missing.Load(), err
}

// untilAnswered repeats fn until the server has answered or the session of an epoch is lost. In the
// latter case, the registration under the next session clears the markers.
func (w *Worker) untilAnswered(epoch uint64, fn func(ctx context.Context) error) error {
	for {
		if !w.sessionAlive(epoch) {
			return nil
		}
		_, changed := w.Latest.Get() // Before fn, because the connection may return just as fn fails.
		ctx, cancel := context.WithTimeout(w.Host.Life, nodes.StepTimeout)
		err := fn(ctx)
		cancel()
		if err == nil || w.Host.Life.Err() != nil || !zk.Retriable(err) {
			return err
		}
		_ = nodes.AwaitChange(w.Host.Life, changed, nodes.RetryLast) // The end of Life also ends fn.
	}
}

// sessionAlive reports whether the session of an epoch is still alive, as far as we know.
func (w *Worker) sessionAlive(epoch uint64) bool {
	return w.Host.Client.Session().Epoch == epoch && w.Host.Client.State() != zk.Lost
}

func (b *batch) attemptClear(ctx context.Context, completed bool) error {
	w := b.worker
	for ensured := false; ; {
		err := b.clearTogether(ctx, completed)
		if err == nil {
			b.recordsWritten(completed)
			return nil
		}
		b.Misfires.Forget(b.numbers())
		if b.failover == nil && w.refusedByRecord(err) && errors.Is(err, zk.ErrBadVersion) {
			return b.clearOneByOne(ctx, completed) // Another instance got the shard, or an operator enabled it.
		}
		if errors.Is(err, zk.ErrBadVersion) && !b.overwritten(err) || b.reassigned(err) {
			continue // The shard changed hands while it ran as a failover.
		}
		if again, err := b.lostTurn(ctx, err); err != nil {
			return err
		} else if again {
			continue
		}
		if errors.Is(err, zk.ErrNoNode) && completed && b.failover == nil && !ensured {
			ensured = true
			if err := b.Records.Ensure(ctx, b.numbers()); err != nil && !errors.Is(err, zk.ErrNoNode) {
				return err
			}
			continue
		}
		if zk.Retriable(err) {
			return err
		}
		if b.overwritten(err) {
			b.Log.WarnContext(ctx, "kept a running marker that another instance wrote, because it may be running the shard", "shards", b.numbers())
		}
		// An operator, a repair or this instance removed a marker, and the watch event was lost.
		// The other shards of the batch have ended all the same.
		b.Cache.Suspect()
		return b.clearOneByOne(ctx, completed)
	}
}

// clearOneByOne is clearTogether when we don't know which nodes are left.
func (b *batch) clearOneByOne(ctx context.Context, completed bool) error {
	return nodes.Each(ctx, len(b.shards), func(ctx context.Context, i int) error {
		n, due := b.shards[i].Number, b.due()
		if !completed || b.handlers.interrupted[n] {
			due = jobtree.Due{}
		}
		_, err := b.Misfires.ClearShard(ctx, b.view.ID, n, b.runMarkers(n), due, b.failover != nil)
		return err
	})
}

// recordOps returns the operations on the record of a shard at the end of its run, and on an offer
// that the run settles.
func (b *batch) recordOps(ctx context.Context, n int, completed bool) ([]zk.Op, error) {
	record := b.Tree.FireRecord(n)
	last, _ := b.decided.records.Of(n)
	switch {
	case completed && b.failover == nil:
		// Also after a trigger if the shard rotates, because the record's version shows that the
		// shard went on.
		ops := []zk.Op{zk.SetOp(record, b.completedBy(n).Encode(), b.recordVersion(n))}
		if !b.fires() {
			return ops, nil
		}
		withdraw, err := b.Misfires.WithdrawOps(ctx, n, b.due())
		return append(ops, withdraw...), err
	case completed:
		settle, done, err := b.Misfires.SettleOps(ctx, n, b.due(), true)
		b.ledger.Beaten.Store(done)
		return settle, err
	case b.failover == nil && last.Begun.Known():
		ended := last.FireRecord
		ended.Begun = jobtree.Due{} // The run of a trigger, or a run that was stopped before its shard was done.
		return []zk.Op{zk.SetOp(record, ended.Encode(), b.recordVersion(n))}, nil
	}
	return nil, nil
}

// overwritten reports whether a transaction was refused because another instance has overwritten a
// running marker.
func (b *batch) overwritten(err error) bool {
	refused := zk.RefusedPath(err)
	return errors.Is(err, zk.ErrBadVersion) && slices.ContainsFunc(b.shards, func(s view.Shard) bool {
		return refused == b.Tree.ItemRunning(s.Number)
	})
}

// runMarkers returns the nodes that mark a shard as run by this instance, in the order in which
// ElasticJob removes them.
func (b *batch) runMarkers(n int) []string {
	var markers []string
	if b.marked {
		markers = append(markers, b.Tree.ItemRunning(n))
	}
	if b.failover != nil {
		markers = append(markers, b.Tree.ItemFailover(n), b.Tree.ItemFailovering(n))
	}
	return markers
}

// settles reports whether no fire time was missed since the fire time of the batch. Without a
// schedule we can't know why a misfire marker was left (Java leaves one when a trigger arrives
// during a run), so a single run clears it.
func (b *batch) settles() bool {
	schedule, zone := b.Fires.Current()
	if schedule == nil {
		schedule, zone = b.view.Schedule, b.view.Zone // The current one can't be used.
	}
	if schedule == nil {
		return b.kind == misfired
	}
	var since time.Time
	if b.failover == nil { // A failover shard may belong to another instance, and then that instance's server counts.
		since = b.Cache.EnabledSince()
	}
	// A run that gets ready next to a failover already counts its fire time as missed.
	_, open := firetime.Missed(schedule, zone, b.Fires.Come(), b.at, since)
	return !open
}

func (b *batch) clearTogether(ctx context.Context, completed bool) error {
	w := b.worker
	// A misfire marker is removed only once its fire time was made up for, because an interrupted
	// run has still missed it. It also stays if another fire time was missed since, possibly under
	// an edited schedule.
	settled := (b.isMakeup() || completed && (b.kind == fireTime || b.failover != nil)) && b.settles()
	var removed []int
	ops := make([]zk.Op, 0, 3*len(b.shards))
	for _, s := range b.shards {
		for k, path := range b.runMarkers(s.Number) {
			version := zk.AnyVersion
			if b.marked && k == 0 {
				version = nodes.AsCreated
			}
			ops = append(ops, zk.DeleteOp(path, version))
		}
		if b.failover != nil && b.marked {
			renew, err := b.Failover.RenewOps(ctx, s.Number)
			if err != nil {
				return err
			}
			ops = append(ops, renew...)
		}
		completed := completed && !b.handlers.interrupted[s.Number]
		settled := settled || b.Cache.Get(b.Tree.ItemDisabled(s.Number)).Exists
		if settled && !b.handlers.interrupted[s.Number] && (b.kind == misfired || b.Cache.Get(b.Tree.ItemMisfire(s.Number)).Exists) {
			ops = append(ops, zk.DeleteOp(b.Tree.ItemMisfire(s.Number), zk.AnyVersion))
			removed = append(removed, s.Number)
		}
		record, err := b.recordOps(ctx, s.Number, completed)
		if err != nil {
			return err
		}
		ops = append(ops, record...)
	}
	if completed && !slices.Contains(slices.Collect(maps.Values(b.handlers.interrupted)), true) {
		ops = append(ops, b.nameSuccessor()...)
	}
	for _, chunk := range nodes.Chunks(nodes.Singly(ops)) {
		if err := b.Host.Client.MultiBatched(ctx, chunk...); err != nil {
			return err
		}
	}
	if b.failover != nil && len(removed) > 0 && !b.settles() {
		w.NoteMissed(b.view.Epoch, removed) // A run that got ready in between may have found the old markers.
	}
	return nil
}
