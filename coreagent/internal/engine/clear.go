package engine

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/firerecord"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/firetime"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// clear ends a run in the tree: one transaction removes the markers and, if the
// run was made, records its fire time for the shards that came to their end. It is
// repeated until the server has answered or the session is lost: a marker that
// stays would hold up every later resharding.
func (b *batch) clear(completed bool) error {
	j := b.job
	config := b.view.config
	b.ended = completed
	if !config.MonitorExecution && b.failover == nil && !rotates(config) && !b.madeUp() {
		return nil
	}
	completed = completed && (firerecord.Kept(config) && b.fires() || rotates(config))
	again := false
	return j.untilAnswered(b.view.epoch, func(ctx context.Context) (err error) {
		defer func() { b.cleared = err == nil }()
		if again { // The transaction may have been applied although no answer came.
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

// holdsMarkers reports whether what says that the batch runs is in the tree still. A
// marker that was removed may be another's by now, and its version tells nothing of that.
func (b *batch) holdsMarkers(ctx context.Context) (bool, error) {
	var missing atomic.Bool
	err := nodes.Each(ctx, len(b.shards), func(ctx context.Context, i int) error {
		markers := b.runMarkers(b.shards[i].number)
		if len(markers) == 0 {
			return nil
		}
		data, _, err := b.job.env.Client.Get(ctx, markers[0])
		if errors.Is(err, zk.ErrNoNode) || err == nil && string(data) != b.view.id {
			missing.Store(true)
			return nil
		}
		return err
	})
	return !missing.Load(), err
}

// untilAnswered repeats fn until the server has answered, or the session of
// an epoch is lost: registration under the next one clears the markers.
func (j *Job) untilAnswered(epoch uint64, fn func(ctx context.Context) error) error {
	for {
		if !j.keepsSession(epoch) {
			return nil
		}
		_, changed := j.snapshot() // Before: the connection may be there again when fn has failed.
		ctx, cancel := context.WithTimeout(j.env.life, stepTimeout)
		err := fn(ctx)
		cancel()
		if err == nil || j.env.life.Err() != nil || !zk.Retriable(err) {
			return err
		}
		pause := time.NewTimer(retryLast)
		select {
		case <-changed:
		case <-pause.C:
		case <-j.env.life.Done():
		}
		pause.Stop()
	}
}

// keepsSession reports whether the session of an epoch still holds, as far as we know.
func (j *Job) keepsSession(epoch uint64) bool {
	return j.env.Client.Session().Epoch == epoch && j.env.Client.State() != zk.Lost
}

func (b *batch) attemptClear(ctx context.Context, completed bool) error {
	j := b.job
	for ensured := false; ; {
		err := b.clearTogether(ctx, completed)
		if err == nil {
			b.recordsWritten(completed)
			return nil
		}
		j.forgetRecords(b.numbers())
		if b.failover == nil && j.refusedByRecord(err) && errors.Is(err, zk.ErrBadVersion) {
			return b.clearOneByOne(ctx, completed) // Another one has had the shard meanwhile, or an operator has enabled it.
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
			if err := j.records.Ensure(ctx, b.numbers()); err != nil && !errors.Is(err, zk.ErrNoNode) {
				return err
			}
			continue
		}
		if zk.Retriable(err) {
			return err
		}
		if b.overwritten(err) {
			j.log.WarnContext(ctx, "a running marker is another instance's by now, which may run the shard at this moment; it stays", "shards", b.numbers())
		}
		// Somebody removed a marker: an operator, or a repair, or this instance,
		// of which a lost event has notified nobody. The others of the batch came to
		// their end none the less.
		j.cache.Suspect()
		return b.clearOneByOne(ctx, completed)
	}
}

func (b *batch) clearOneByOne(ctx context.Context, completed bool) error {
	return nodes.Each(ctx, len(b.shards), func(ctx context.Context, i int) error {
		return b.clearShard(ctx, b.shards[i].number, completed && !b.interrupted[b.shards[i].number])
	})
}

// clearShard is clearTogether for one shard of which nobody knows what is left.
func (b *batch) clearShard(ctx context.Context, n int, completed bool) error {
	j := b.job
	for {
		ops, err := b.opsToClear(ctx, n, completed)
		if err != nil || len(ops) == 0 {
			return err
		}
		err = j.env.Client.Multi(ctx, ops...)
		if !errors.Is(err, zk.ErrNoNode) && !errors.Is(err, zk.ErrBadVersion) {
			return err
		}
	}
}

func (b *batch) opsToClear(ctx context.Context, n int, completed bool) ([]zk.Op, error) {
	j := b.job
	var ops []zk.Op
	for _, path := range b.runMarkers(n) {
		data, stat, err := j.env.Client.Get(ctx, path)
		if err := zk.Ignore(err, zk.ErrNoNode); err != nil {
			return nil, err
		}
		if err != nil || string(data) != b.view.id {
			continue
		}
		ops = append(ops, zk.DeleteOp(path, stat.Version))
	}
	if b.failover != nil && len(ops) > 0 { // Also if somebody has removed the running marker.
		renew, err := j.failover.RenewOps(ctx, n)
		if err != nil {
			return nil, err
		}
		ops = append(ops, renew...)
	}
	if !completed {
		return ops, nil
	}
	settle, _, err := j.settleOps(ctx, n, b.due(), b.failover != nil)
	return append(ops, settle...), err
}

// settleOps are the operations that record the due of a run of a shard as completed
// and withdraw the offer to fail that run over. The record stays with its owner. done is
// set if another run has completed it already.
//
// Unless the run had claimed the shard itself, another instance may have. A claim
// doesn't name its run, so the record has to: if that instance dies, the others see there that
// the run is completed.
func (j *Job) settleOps(ctx context.Context, n int, due jobtree.Due, claimed bool) (ops []zk.Op, done bool, err error) {
	record, ok, err := j.records.Last(ctx, n)
	if err != nil || !due.Known() {
		return nil, false, err
	}
	if due.Trigger { // No record shows later that it's done, so the offer must go now.
		ops, err = j.failover.WithdrawOps(ctx, n, due)
		if ok && record.Begun.Equal(due) {
			record.Begun = jobtree.Due{}
			ops = append(ops, zk.SetOp(j.tree.FireRecord(n), record.Encode(), record.Version))
		}
		return ops, false, err
	}
	ops, err = j.withdrawOps(ctx, n, due)
	switch done = ok && firetime.Done(record.FireRecord, due.At); {
	case ok && !done:
		settled := firetime.Complete(record.FireRecord, due.At)
		if !claimed {
			settled.Begun = record.Begun
		}
		ops = append(ops, zk.SetOp(j.tree.FireRecord(n), settled.Encode(), record.Version))
	case ok && len(ops) > 0: // A later run may have been interrupted and offered since.
		ops = append(ops, zk.CheckOp(j.tree.FireRecord(n), record.Version))
	}
	return ops, done, err
}

// withdrawOps withdraw the offer of a shard whose fire time is completed. As long as
// nothing is offered, no request is made. If we don't know of an offer yet, its claim
// is refused because of the record.
func (j *Job) withdrawOps(ctx context.Context, n int, due jobtree.Due) ([]zk.Op, error) {
	if !slices.Contains(j.cache.children(j.tree.FailoverItems()), strconv.Itoa(n)) {
		return nil, nil
	}
	return j.failover.WithdrawOps(ctx, n, due)
}

// recordOps are the operations on the record of a shard at the end of its run, and on an
// offer that the run settles.
func (b *batch) recordOps(ctx context.Context, n int, completed bool) ([]zk.Op, error) {
	j := b.job
	record := j.tree.FireRecord(n)
	last, _ := b.records.of(n)
	switch {
	case completed && b.failover == nil:
		// After a trigger, too, if the shard rotates: the record's version shows that the
		// shard went on.
		ops := []zk.Op{zk.SetOp(record, b.completedBy(n).Encode(), b.recordVersion(n))}
		if !b.fires() {
			return ops, nil
		}
		withdraw, err := j.withdrawOps(ctx, n, b.due())
		return append(ops, withdraw...), err
	case completed:
		settle, done, err := j.settleOps(ctx, n, b.due(), true)
		b.beaten = done
		return settle, err
	case b.failover == nil && last.Begun.Known():
		ended := last.FireRecord
		ended.Begun = jobtree.Due{} // A trigger's run, or one that ends in order before its shard is done.
		return []zk.Op{zk.SetOp(record, ended.Encode(), b.recordVersion(n))}, nil
	}
	return nil, nil
}

// madeByUs is the version of a running marker as it was created. Java's agents
// create a marker or write over the one that is there: then it is theirs.
const madeByUs int32 = 0

// overwritten reports whether a transaction was refused because somebody has
// written over a running marker.
func (b *batch) overwritten(err error) bool {
	j := b.job
	refused := (*zk.MultiError)(nil)
	return errors.Is(err, zk.ErrBadVersion) && errors.As(err, &refused) && slices.ContainsFunc(b.shards, func(s shard) bool {
		return refused.Op.Path == j.tree.ItemRunning(s.number)
	})
}

// runMarkers are the nodes that say this instance runs a shard, in the order in
// which ElasticJob removes them.
func (b *batch) runMarkers(n int) []string {
	j := b.job
	var markers []string
	if b.marked {
		markers = append(markers, j.tree.ItemRunning(n))
	}
	if b.failover != nil {
		markers = append(markers, j.tree.ItemFailover(n), j.tree.ItemFailovering(n))
	}
	return markers
}

// settles reports whether no fire time was missed since the one that a batch was run
// for. Of a job without a schedule nothing says for what a marker was left, as Java
// does when a trigger comes during a run: one run is what it is for.
func (b *batch) settles() bool {
	j := b.job
	schedule, zone := j.currentSchedule()
	if schedule == nil {
		schedule, zone = b.view.schedule, b.view.zone // The one there is cannot be served.
	}
	if schedule == nil {
		return b.source == tracing.SourceMisfire
	}
	var since time.Time
	if b.failover == nil { // The shard of a failover may be another's, whose server counts.
		since = j.cache.enabledSince()
	}
	// A run that gets ready beside a failover counts its fire time as missed already.
	_, open := firetime.Missed(schedule, zone, j.come(), b.at, since)
	return !open
}

func (b *batch) clearTogether(ctx context.Context, completed bool) error {
	j := b.job
	// The marker of a missed fire time goes when it was made up for, and not
	// before: an interrupted run still has missed it. It stays as well if another one
	// was missed meanwhile, by the schedule that an edit may have set since.
	settled := (b.madeUp() || completed && (b.regular || b.failover != nil)) && b.settles()
	var removed []int
	ops := make([]zk.Op, 0, 3*len(b.shards))
	for _, s := range b.shards {
		for k, path := range b.runMarkers(s.number) {
			version := zk.AnyVersion
			if b.marked && k == 0 {
				version = madeByUs
			}
			ops = append(ops, zk.DeleteOp(path, version))
		}
		if b.failover != nil && b.marked {
			renew, err := j.failover.RenewOps(ctx, s.number)
			if err != nil {
				return err
			}
			ops = append(ops, renew...)
		}
		completed := completed && !b.interrupted[s.number]
		settled := settled || j.cache.Get(j.tree.ItemDisabled(s.number)).Exists
		if settled && !b.interrupted[s.number] && (b.source == tracing.SourceMisfire || j.cache.Get(j.tree.ItemMisfire(s.number)).Exists) {
			ops = append(ops, zk.DeleteOp(j.tree.ItemMisfire(s.number), zk.AnyVersion))
			removed = append(removed, s.number)
		}
		record, err := b.recordOps(ctx, s.number, completed)
		if err != nil {
			return err
		}
		ops = append(ops, record...)
	}
	if completed && !slices.Contains(slices.Collect(maps.Values(b.interrupted)), true) {
		ops = append(ops, b.passOn()...)
	}
	for _, chunk := range nodes.Chunks(nodes.Singly(ops)) {
		if err := j.env.Client.MultiBatched(ctx, chunk...); err != nil {
			return err
		}
	}
	if b.failover != nil && len(removed) > 0 && !b.settles() {
		j.noteMissedFireTime(b.view, removed) // A run that got ready meanwhile may have found the old markers.
	}
	return nil
}
