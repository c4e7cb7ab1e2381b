package engine

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// A run that ends while ZooKeeper is away, or after its session was lost, can't be
// recorded. Its process remembers it, and records it before it registers again: until
// then our old instance node keeps the others from deciding what we have lost or missed.
//
//	handler returns ──▶ clear: session lost ──▶ remember ──▶ next session: record ▸ register
//	one returns ──▶ session lost, others run ──▶ keepInMind ──▶ the same

// memory is a run of a shard that isn't recorded yet.
type memory struct {
	due jobtree.Due
	by  *batch
}

// remember keeps in mind what the batch has completed, because its session was lost.
func (b *batch) remember() {
	j := b.job
	j.mu.Lock()
	defer j.mu.Unlock()
	b.keepInMind(slices.DeleteFunc(b.numbers(), func(n int) bool { return b.interrupted[n] || slices.Contains(b.kept, n) }), b.due())
}

// keepInMind remembers that the batch has completed shards for due, with Job.mu held.
func (b *batch) keepInMind(shards []int, due jobtree.Due) {
	q := &b.job.queue
	for _, n := range shards {
		if q.remembered == nil {
			q.remembered = make(map[int]memory)
		}
		if !q.remembered[n].due.At.After(due.At) {
			q.remembered[n] = memory{due, b}
		}
	}
}

// isOver notes that a shard came to its end. If the session is lost before the batch has
// ended, the shard has to be recorded before the others of the batch return.
func (b *batch) isOver(n int) {
	b.job.mu.Lock()
	defer b.job.mu.Unlock()
	b.over, b.overFor = append(b.over, n), b.due()
}

// recordRemembered records what this process remembers, and on demand removes the markers
// of those runs. Once the instance is registered again, its markers are those of new runs.
func (j *Job) recordRemembered(ctx context.Context, markers bool) error {
	j.mu.Lock()
	remembered := maps.Clone(j.queue.remembered)
	j.mu.Unlock()
	shards := slices.Sorted(maps.Keys(remembered))
	return nodes.Each(ctx, len(shards), func(ctx context.Context, i int) error {
		n := shards[i]
		done, err := j.recordRun(ctx, n, remembered[n].due, markers)
		if err != nil {
			return err
		}
		j.mu.Lock()
		defer j.mu.Unlock()
		if by := remembered[n].by; done && !by.cleared {
			by.beaten = true
		}
		if j.queue.remembered[n] == remembered[n] {
			delete(j.queue.remembered, n)
		}
		return nil
	})
}

// recordRun records that a shard was run for what it was due for. done is set if another
// run of it has been recorded already.
func (j *Job) recordRun(ctx context.Context, n int, due jobtree.Due, markers bool) (done bool, err error) {
	for {
		var ops []zk.Op
		if markers {
			if ops, err = j.ownMarkerOps(ctx, n); err != nil {
				return false, err
			}
		}
		settle, done, err := j.settleOps(ctx, n, due, false)
		if err != nil {
			return false, err
		}
		if ops = append(ops, settle...); len(ops) == 0 {
			return done, nil
		}
		err = j.env.Client.Multi(ctx, ops...)
		if !errors.Is(err, zk.ErrNoNode) && !errors.Is(err, zk.ErrBadVersion) {
			j.log.DebugContext(ctx, "recorded a run that ended without a session", "shard", n, "scheduled", due.At, "err", err)
			return done, err
		}
	}
}

// ownMarkerOps remove the markers of a shard that name this instance.
func (j *Job) ownMarkerOps(ctx context.Context, n int) ([]zk.Op, error) {
	var ops []zk.Op
	for k, path := range []string{j.tree.ItemRunning(n), j.tree.ItemFailover(n), j.tree.ItemFailovering(n)} {
		data, stat, err := j.env.Client.Get(ctx, path)
		if errors.Is(err, zk.ErrNoNode) || err == nil && string(data) != j.id {
			continue
		}
		if err != nil {
			return nil, err
		}
		ops = append(ops, zk.DeleteOp(path, stat.Version))
		if k == 2 { // The next owner's token must be newer than that of the claim.
			renew, err := j.failover.RenewOps(ctx, n)
			if err != nil {
				return nil, err
			}
			ops = append(ops, renew...)
		}
	}
	return ops, nil
}
