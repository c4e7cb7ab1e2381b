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

// If watch events are late or lost, an owner may still believe that it owns a shard that was
// assigned again or made up for elsewhere. In ElasticJob's tree a transaction can only check that
// the shard has an owner, because a new owner's node looks like the old one's, including the
// version. The shard's fire record shows more: its version grows whenever the shard changes hands
// or a fire time is completed. So a run is marked only if the record hasn't changed since the
// decision.

// guarded reports whether the records of a batch's shards guard its run. A rotating shard is
// guarded by [batch.rotationGuard].
func guarded(b *batch) bool {
	return (b.failover != nil || b.view.Rotation == nil) && firerecord.Enabled(b.view.Config)
}

// checkRecords drops the shards that, by their records, have already run, and keeps the records of
// the others for the batch. It reads the records that this instance doesn't know. A shard is stale
// if its record names another owner and its assignment differs from the view's. A shard without a
// record never had an owner of our kind.
func (b *batch) checkRecords(ctx context.Context) error {
	if !guarded(b) {
		return nil
	}
	var unknown []int
	records, known := make([]firerecord.Record, len(b.shards)), make([]bool, len(b.shards))
	for k, s := range b.shards {
		if records[k], known[k] = b.Misfires.Known(s.Number); !known[k] || b.failover != nil {
			unknown = append(unknown, k)
		}
	}
	if err := nodes.Each(ctx, len(unknown), func(ctx context.Context, i int) error {
		k := unknown[i]
		n := b.shards[k].Number
		last, ok, err := b.Records.Last(ctx, n)
		if !ok || err != nil {
			return err
		}
		if last.Owner != b.view.ID && b.failover == nil {
			owner, stat, err := b.Host.Client.Get(ctx, b.Tree.ItemInstance(n))
			if errors.Is(err, zk.ErrNoNode) || err == nil && (string(owner) != b.view.ID || max(stat.Mzxid, b.view.Born) != b.shards[k].Token) {
				return errStale
			}
			if err != nil {
				return err
			}
		}
		records[k], known[k] = last, true
		b.Misfires.Know(n, last)
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
			// Runs have numbered a rotating shard. Its next owner may have an older assignment.
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

// ranFor reports whether a record shows that the fire time of a batch was run or made up for.
func (b *batch) ranFor(last firerecord.Record) bool {
	if b.view.Schedule == nil || last.Completed.IsZero() || !firetime.Believable(last.Completed, b.Host.Time()) {
		return false
	}
	if b.kind == misfired {
		_, open := b.Misfires.NewestMissed(b.view.Settings, last, b.decided.since)
		return !open
	}
	return firetime.Settled(last.FireRecord, b.due())
}

// recordGuard makes the transaction that marks a shard depend on the shard's record, and records
// the run that begins. The survivors of a crash read that.
func (b *batch) recordGuard(n int) []zk.Op {
	last, known := b.decided.records.Of(n)
	if !known {
		return nil
	}
	if begun := b.beginsRecord(n); begun != last.FireRecord {
		return []zk.Op{zk.SetOp(b.Tree.FireRecord(n), begun.Encode(), last.Version)}
	}
	return []zk.Op{zk.CheckOp(b.Tree.FireRecord(n), last.Version)}
}

// beginsRecord returns the record of a shard after the batch has marked it.
func (b *batch) beginsRecord(n int) jobtree.FireRecord {
	record, _ := b.decided.records.Of(n)
	last := record.FireRecord
	if b.view.Rotation != nil || !b.view.Config.Failover {
		return last // Only failover needs it; see beginsTurn.
	}
	if last.Begun = b.due(); b.failover == nil {
		last.Owner = b.view.ID
	}
	return last
}

// recordsBegun remembers that the records name the run that has begun.
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
			b.Misfires.Know(n, last)
		}
	}
}

// recordVersion returns the expected version for the next write of a record.
func (b *batch) recordVersion(n int) int32 {
	if last, known := b.decided.records.Of(n); known {
		return last.Version
	}
	if r := b.view.Rotation; r != nil && r.Record.Exists {
		// Otherwise, a transaction that is repeated because its reply was lost would remove the
		// marker of the shard's next owner.
		return r.Record.Version
	}
	return zk.AnyVersion
}

// completedBy returns the record of a shard after a batch has run it for its fire time.
func (b *batch) completedBy(n int) jobtree.FireRecord {
	record, _ := b.decided.records.Of(n)
	last := record.FireRecord
	if b.view.Rotation != nil {
		last = b.view.Rotation.Last
	}
	last = firetime.Sound(last, b.Host.Time())
	last.Owner = b.view.ID
	if b.fires() {
		return firetime.Complete(last, b.at)
	}
	last.Begun = jobtree.Due{}
	return last
}

func (b *batch) recordsWritten(completed bool) {
	if b.failover != nil {
		return // They belong to the shards' owners.
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
		b.Misfires.Know(n, last)
	}
}

func (w *Worker) refusedByRecord(err error) bool {
	return strings.HasPrefix(zk.RefusedPath(err), w.Tree.FireRecords()+"/")
}
