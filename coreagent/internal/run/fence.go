package run

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/firerecord"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/firetime"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// An owner whose watch events are late, or lost, takes a shard for its own that
// was assigned anew, or made up for by somebody else. That the shard has an
// owner is all that ElasticJob's tree can tell a transaction, as a new owner's
// node looks like the old one's, version and all. The shard's fire record tells
// more: its version grows whenever the shard changes hands or a fire time is
// completed. A run is marked only on the condition that the record is the one
// by which it was decided.

// guarded reports whether the records of a batch's shards guard its run. A shard that
// rotates is guarded by [batch.rotationGuard].
func guarded(b *batch) bool {
	return (b.failover != nil || b.view.Rotation == nil) && firerecord.Kept(b.view.Config)
}

// checkRecords leaves out the shards that were run meanwhile, by their records,
// and notes those for the batch. What this instance does not know it reads. An
// shard whose record names another owner, under an assignment other than the
// view's, is stale. One without a record has had no owner of our kind.
func (b *batch) checkRecords(ctx context.Context) error {
	w := b.worker
	if !guarded(b) {
		return nil
	}
	var unknown []int
	records, known := make([]firerecord.Record, len(b.shards)), make([]bool, len(b.shards))
	for k, s := range b.shards {
		if records[k], known[k] = w.Misfires.Known(s.Number); !known[k] || b.failover != nil {
			unknown = append(unknown, k)
		}
	}
	if err := nodes.Each(ctx, len(unknown), func(ctx context.Context, i int) error {
		k := unknown[i]
		n := b.shards[k].Number
		last, ok, err := w.Records.Last(ctx, n)
		if !ok || err != nil {
			return err
		}
		if last.Owner != b.view.ID && b.failover == nil {
			owner, stat, err := w.Host.Client.Get(ctx, w.Tree.ItemInstance(n))
			if errors.Is(err, zk.ErrNoNode) || err == nil && (string(owner) != b.view.ID || max(stat.Mzxid, b.view.Born) != b.shards[k].Token) {
				return errStale
			}
			if err != nil {
				return err
			}
		}
		records[k], known[k] = last, true
		w.Misfires.Know(n, last)
		return nil
	}); err != nil {
		return err
	}
	b.decided.records = nil
	done := make([]bool, len(b.shards))
	shards := slices.Clone(b.shards) // The view has the same ones.
	for k, s := range shards {
		done[k] = b.ranFor(records[k]) || known[k] && b.failover != nil && b.failover.begun && b.due().Trigger && !records[k].Begun.Known()
		if known[k] {
			b.decided.records.Set(s.Number, records[k])
			// A shard that went round was numbered by its runs. Whoever owns it
			// afterwards may have been assigned it before.
			shards[k].Least = records[k].Written
		}
	}
	b.shards = shards
	if !slices.Contains(done, true) {
		return nil
	}
	if b.failover != nil {
		if err := b.giveUpClaims(ctx, done); err != nil {
			return err
		}
	}
	b.retain(func(k int) bool { return !done[k] })
	return nil
}

// ranFor reports whether a record says that the fire time of a batch was kept,
// or made up for.
func (b *batch) ranFor(last firerecord.Record) bool {
	w := b.worker
	if b.view.Schedule == nil || last.Completed.IsZero() || !firetime.Believable(last.Completed, w.Host.Time()) {
		return false
	}
	if b.kind == misfired {
		_, open := w.Misfires.NewestMissed(b.view.Settings, last, b.decided.since)
		return !open
	}
	return firetime.Settled(last.FireRecord, b.due())
}

// recordGuard makes the transaction that marks a shard depend on the shard's record,
// and has it record which run begins. The survivors of a crash go by that.
func (b *batch) recordGuard(n int) []zk.Op {
	w := b.worker
	last, known := b.decided.records.Of(n)
	if !known {
		return nil
	}
	if begun := b.beginsRecord(n); begun != last.FireRecord {
		return []zk.Op{zk.SetOp(w.Tree.FireRecord(n), begun.Encode(), last.Version)}
	}
	return []zk.Op{zk.CheckOp(w.Tree.FireRecord(n), last.Version)}
}

// beginsRecord is the record of a shard once the batch has marked it.
func (b *batch) beginsRecord(n int) jobtree.FireRecord {
	record, _ := b.decided.records.Of(n)
	last := record.FireRecord
	if b.view.Rotation != nil || !b.view.Config.Failover {
		return last // Only failover asks; see beginsTurn.
	}
	if last.Begun = b.due(); b.failover == nil {
		last.Owner = b.view.ID
	}
	return last
}

// recordsBegun notes that the records say which run has begun.
func (b *batch) recordsBegun() {
	b.turnBegun()
	for _, n := range b.numbers() {
		last, known := b.decided.records.Of(n)
		if begun := b.beginsRecord(n); known && begun != last.FireRecord {
			if past := last.Begun; b.fires() && past.Known() && !past.Trigger && past.At.Before(b.at) && last.Completed.Before(past.At) {
				b.decided.superseded = firetime.Later(b.decided.superseded, past.At)
			}
			last.FireRecord = begun
			last.Version++
			b.decided.records.Set(n, last)
			b.worker.Misfires.Know(n, last)
		}
	}
}

// recordVersion is the version to write a record over.
func (b *batch) recordVersion(n int) int32 {
	if last, known := b.decided.records.Of(n); known {
		return last.Version
	}
	if r := b.view.Rotation; r != nil && r.Record.Exists {
		// Otherwise a transaction that is repeated because its reply was lost would
		// remove the marker of whoever has the shard by then.
		return r.Record.Version
	}
	return zk.AnyVersion
}

// completedBy is the record of a shard after a batch has run it for its fire time.
func (b *batch) completedBy(n int) jobtree.FireRecord {
	w := b.worker
	record, _ := b.decided.records.Of(n)
	last := record.FireRecord
	if b.view.Rotation != nil {
		last = b.view.Rotation.Last
	}
	last = firetime.Sound(last, w.Host.Time())
	last.Owner = b.view.ID
	if b.fires() {
		return firetime.Complete(last, b.at)
	}
	last.Begun = jobtree.Due{}
	return last
}

// recordsWritten notes that the records of a batch were written over.
func (b *batch) recordsWritten(completed bool) {
	if b.failover != nil {
		return // They are their owners'.
	}
	for _, n := range b.numbers() {
		last, known := b.decided.records.Of(n)
		switch {
		case !known:
			continue
		case completed && !b.handlers.interrupted[n]:
			last.FireRecord = b.completedBy(n)
		case last.Begun.Known():
			last.Begun = jobtree.Due{}
		default:
			continue
		}
		last.Version++
		b.worker.Misfires.Know(n, last)
	}
}

// refusedByRecord reports whether a transaction was refused because of a record.
func (w *Worker) refusedByRecord(err error) bool {
	refused := (*zk.MultiError)(nil)
	return errors.As(err, &refused) && strings.HasPrefix(refused.Op.Path, w.Tree.FireRecords()+"/")
}
