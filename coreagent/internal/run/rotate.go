package run

import (
	"context"
	"errors"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/firerecord"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/firetime"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/misfire"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/sleep"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// A job with one shard and the strategy SINGLE_SHARDING_BALANCE rotates. The instance that has run
// the shard names the next instance's address in an ephemeral node. At the next fire time the shard
// belongs to that instance, no matter to which one it's assigned.
//
//	assigned ──run──▶ next = b ──run on b──▶ next = c ──run on c──▶ …
//	   ▲                                                             │
//	   └──────── resharding, or next vanished with its writer ◀──────┘
//
// The node is the one of ElasticJob 3.0.5, whose agents take part. Our agents settle the questions
// it leaves open:
//
//   - One fire time runs once, because it's recorded with the markers and the marking transaction
//     depends on the record that was read.
//   - If several instances have the address, the transaction that wrote the node selects one of
//     them.
//   - If a node names an address without an available instance, the leader reshards the job, and
//     then the node no longer counts.
//   - Java's agents check a little late whether it's their turn. While one of them takes part, we
//     name the next address only after they have checked. If it's named after a fire time, it
//     counts for the next one.
//   - The token of a run grows with each of these transactions. If executions are monitored, it's
//     the token of the running marker.

// javaCheckDelay is how long after a fire time Java's agents have checked whether it's their turn. In
// our measurements they took up to 135 ms.
const javaCheckDelay = time.Second

// awaitJavaAgents delays naming the next address until Java's agents have checked. An agent that
// reads its own address too early would run the same fire time again. It waits for at most half the
// time to the next fire time.
func (b *batch) awaitJavaAgents() {
	r := b.view.Rotation
	if r == nil || r.Ours || r.Successor == "" || b.failover != nil || b.kind != fireTime {
		return
	}
	until := b.at.Add(javaCheckDelay)
	if next, ok := b.view.Schedule.Next(b.at, b.view.Zone); ok && next.Sub(b.at) < 2*javaCheckDelay {
		until = b.at.Add(next.Sub(b.at) / 2)
	}
	_ = sleep.For(b.ctx, until.Sub(b.Host.Time())) // An interrupted run also names the next address.
}

// alreadyRan reports whether a faster instance has already run the shard for a request and named
// this one as the next.
func (w *Worker) alreadyRan(v *view.View, r request) bool {
	if v.Rotation == nil || r.failover != nil {
		return false
	}
	if r.kind == fireTime {
		if !v.Rotation.Ours && v.Rotation.Next.Exists && !v.Rotation.Named.Before(r.at) {
			return true // The instance that ran it has named the next one.
		}
		// A record from the future was written before the clock was set back.
		return firetime.Done(v.Rotation.Last, r.at) && v.Rotation.Last.Completed.Before(w.Host.Time().Add(misfire.ClockSkew))
	}
	return r.placed != 0 && v.Rotation.Next.Exists && v.Rotation.Next.Czxid > r.placed
}

// rotationGuard makes a marking transaction depend on the view of a rotating shard, and records
// that a trigger begins or has ended.
func (b *batch) rotationGuard() []zk.Op {
	r := b.view.Rotation
	switch {
	case r == nil || b.failover != nil || !r.Record.Exists:
		return nil
	case b.beginsTurn() != r.Last:
		return []zk.Op{zk.SetOp(b.Tree.FireRecord(0), b.beginsTurn().Encode(), r.Record.Version)}
	}
	return []zk.Op{zk.CheckOp(b.Tree.FireRecord(0), r.Record.Version)}
}

// beginsTurn returns the record of a rotating shard after the batch has marked it. Every instance
// watches the record, so it names only runs that survivors of a crash can't infer from it. They
// take any other run for the first fire time after the completed one, or for a later one.
func (b *batch) beginsTurn() jobtree.FireRecord {
	last := b.view.Rotation.Last
	if b.kind == claimed || !b.view.Config.Failover || !firerecord.Enabled(b.view.Config) {
		return last
	}
	if last.Begun = (jobtree.Due{}); b.due().Trigger || b.skipsFireTime(last) {
		last.Begun, last.Owner = b.due(), b.view.ID
	}
	return last
}

// skipsFireTime reports whether a fire time before the batch's own passed without a run, for
// example because the schedule was held. A survivor with a slow clock would take the run for that
// fire time.
func (b *batch) skipsFireTime(last jobtree.FireRecord) bool {
	if b.view.Schedule == nil || !b.fires() {
		return false
	}
	if last.Completed.IsZero() {
		return !last.Through.IsZero() // It covers all fire times before the job's first run.
	}
	next, ok := b.view.Schedule.Next(last.Completed, b.view.Zone)
	return ok && next.Before(b.at)
}

// turnBegun remembers the record that the batch has written with its marker.
func (b *batch) turnBegun() {
	r := b.view.Rotation
	if len(b.rotationGuard()) == 0 || b.beginsTurn() == r.Last {
		return
	}
	begun := *r
	begun.Last = b.beginsTurn()
	begun.Record.Version++
	b.setRotation(begun)
}

// setRotation corrects the batch's view. It needs the lock because other goroutines may look at the
// batch.
func (b *batch) setRotation(r view.Rotation) {
	corrected := *b.view
	corrected.Rotation = &r
	b.worker.mu.Lock()
	defer b.worker.mu.Unlock()
	b.view = &corrected
}

// raiseToken makes the token of a marked run larger than the previous run's token, even if the
// previous run was interrupted and left no other trace.
func (b *batch) raiseToken() error {
	if b.view.Rotation == nil || b.failover != nil || len(b.shards) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(b.ctx, nodes.StepTimeout)
	defer cancel()
	stat, marked, err := b.Host.Client.Exists(ctx, b.Tree.ItemRunning(0))
	if err == nil && !marked {
		err = errStale // The marker was removed.
	}
	if err != nil {
		return errors.Join(err, b.unmark(ctx))
	}
	turn := b.shards[0]
	turn.Token = max(turn.Token, stat.Czxid)
	b.shards = []view.Shard{turn}
	return nil
}

func (b *batch) nameSuccessor() []zk.Op {
	r := b.view.Rotation
	if r == nil || b.failover != nil || r.Successor == "" {
		return nil
	}
	var ops []zk.Op
	if r.Next.Exists {
		ops = append(ops, zk.DeleteOp(b.Tree.NextInstanceIP(), zk.AnyVersion))
	}
	return append(ops, zk.CreateOp(b.Tree.NextInstanceIP(), []byte(r.Successor), zk.Ephemeral))
}

func (b *batch) verifyRotation(ctx context.Context) (bool, error) {
	r := b.view.Rotation
	next, exists, err := b.Host.Client.Exists(ctx, b.Tree.NextInstanceIP())
	if err != nil || exists != r.Next.Exists || exists && next.Czxid != r.Next.Czxid {
		return false, err
	}
	owner, _, err := b.Host.Client.Exists(ctx, b.Tree.ItemInstance(0))
	return err == nil && owner.Czxid == r.Owner, err
}

// lostTurn reports whether a transaction was refused because the node with the next address came or
// went. It also updates the batch's view.
func (b *batch) lostTurn(ctx context.Context, refusal error) (bool, error) {
	if zk.RefusedPath(refusal) != b.Tree.NextInstanceIP() {
		return false, nil
	}
	_, exists, err := b.Host.Client.Exists(ctx, b.Tree.NextInstanceIP())
	if err != nil {
		return false, err
	}
	corrected := *b.view.Rotation
	corrected.Next.Exists = exists
	b.setRotation(corrected)
	return true, nil
}
