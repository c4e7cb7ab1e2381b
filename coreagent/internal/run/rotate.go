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
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// A job with one shard and the strategy SINGLE_SHARDING_BALANCE rotates: who
// has run the shard names the next instance's address in an ephemeral node, and
// at the next fire time the shard is that instance's, whoever it is assigned to.
//
//	assigned ──run──▶ next = b ──run on b──▶ next = c ──run on c──▶ …
//	   ▲                                                             │
//	   └──────── resharding, or next vanished with its writer ◀──────┘
//
// The node is that of ElasticJob 3.0.5, whose agents take part. What it leaves
// open is settled here, for agents of ours:
//
//   - One fire time runs once: it is recorded with the markers, and the marking
//     transaction depends on the record that was seen.
//   - Of several instances with the address one is meant, chosen by the
//     transaction that wrote the node.
//   - A node that names an address without an available instance counts for
//     nothing once the job was resharded, which the leader then does.
//   - Java's agents look a little late whose turn it is. While one takes part, the
//     next address is named only when they have looked, and a name that comes after
//     a fire time is for the next one.
//   - The token of a run grows with each of these transactions; where executions
//     are monitored, it is that of the running marker.

// javasLook is how long after a fire time an agent of Java's has looked whose turn
// it is. Theirs were measured to be at most 135 ms late.
const javasLook = time.Second

// awaitJavasLook keeps the next address from being named before Java's agents have
// looked: one that reads its own address too early runs the same fire time again.
// It waits for half of the time to the next fire time at most.
func (b *batch) awaitJavasLook() {
	w := b.worker
	r := b.view.Rotation
	if r == nil || r.Ours || r.Successor == "" || b.failover != nil || b.kind != fireTime {
		return
	}
	until := b.at.Add(javasLook)
	if next, ok := b.view.Schedule.Next(b.at, b.view.Zone); ok && next.Sub(b.at) < 2*javasLook {
		until = b.at.Add(next.Sub(b.at) / 2)
	}
	pause := time.NewTimer(until.Sub(w.Host.Time()))
	defer pause.Stop()
	select {
	case <-pause.C:
	case <-b.ctx.Done():
	}
}

// hadItsTurn reports whether the shard has run for a request already, on an
// instance that was faster and named this one as the next.
func (w *Worker) hadItsTurn(v *view.View, r request) bool {
	if v.Rotation == nil || r.failover != nil {
		return false
	}
	if r.kind == fireTime {
		if !v.Rotation.Ours && v.Rotation.Next.Exists && !v.Rotation.Named.Before(r.at) {
			return true // Whoever has run for it named the next one.
		}
		// A record from the future was made before the clock was set back.
		return firetime.Done(v.Rotation.Last, r.at) && v.Rotation.Last.Completed.Before(w.Host.Time().Add(misfire.ClockSkew))
	}
	return r.placed != 0 && v.Rotation.Next.Exists && v.Rotation.Next.Czxid > r.placed
}

// rotationGuard makes a marking transaction depend on what the view says about
// a shard that rotates, and has it record that a trigger begins, or doesn't any more.
func (b *batch) rotationGuard() []zk.Op {
	w := b.worker
	r := b.view.Rotation
	switch {
	case r == nil || b.failover != nil || !r.Record.Exists:
		return nil
	case b.beginsTurn() != r.Last:
		return []zk.Op{zk.SetOp(w.Tree.FireRecord(0), b.beginsTurn().Encode(), r.Record.Version)}
	}
	return []zk.Op{zk.CheckOp(w.Tree.FireRecord(0), r.Record.Version)}
}

// beginsTurn is the record of a shard that rotates once the batch has marked it. Every instance
// watches the record, so it names only the runs that survivors of a crash can't infer from it. They
// take any other run for the first fire time after the completed one, or for a later one.
func (b *batch) beginsTurn() jobtree.FireRecord {
	last := b.view.Rotation.Last
	if b.kind == claimed || !b.view.Config.Failover || !firerecord.Kept(b.view.Config) {
		return last
	}
	if last.Begun = (jobtree.Due{}); b.due().Trigger || b.skipsFireTime(last) {
		last.Begun, last.Owner = b.due(), b.view.ID
	}
	return last
}

// skipsFireTime reports whether a fire time passed without a run before the batch's own one, because
// the schedule was held, for example. A survivor with a slow clock would take the run for that one.
func (b *batch) skipsFireTime(last jobtree.FireRecord) bool {
	if b.view.Schedule == nil || !b.fires() {
		return false
	}
	if last.Completed.IsZero() {
		return !last.Through.IsZero() // All that came before the job's first run.
	}
	next, ok := b.view.Schedule.Next(last.Completed, b.view.Zone)
	return ok && next.Before(b.at)
}

// turnBegun notes the record that the batch has written with its marker.
func (b *batch) turnBegun() {
	r := b.view.Rotation
	if len(b.rotationGuard()) == 0 || b.beginsTurn() == r.Last {
		return
	}
	begun, view := *r, *b.view
	begun.Last = b.beginsTurn()
	begun.Record.Version++
	view.Rotation = &begun
	b.view = &view
}

// numberTurn makes the token of a marked run larger than that of the run before,
// also if that one was interrupted: then it has left no other trace.
func (b *batch) numberTurn() error {
	w := b.worker
	if b.view.Rotation == nil || b.failover != nil || len(b.shards) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(b.ctx, nodes.StepTimeout)
	defer cancel()
	stat, marked, err := w.Host.Client.Exists(ctx, w.Tree.ItemRunning(0))
	if err == nil && !marked {
		err = errStale // Somebody has removed the marker.
	}
	if err != nil {
		return errors.Join(err, b.unmark(ctx))
	}
	turn := b.shards[0]
	turn.Token = max(turn.Token, stat.Czxid)
	b.shards = []view.Shard{turn}
	return nil
}

// passOn names the next instance in the transaction that clears the markers.
func (b *batch) passOn() []zk.Op {
	w := b.worker
	r := b.view.Rotation
	if r == nil || b.failover != nil || r.Successor == "" {
		return nil
	}
	var ops []zk.Op
	if r.Next.Exists {
		ops = append(ops, zk.DeleteOp(w.Tree.NextInstanceIP(), zk.AnyVersion))
	}
	return append(ops, zk.CreateOp(w.Tree.NextInstanceIP(), []byte(r.Successor), zk.Ephemeral))
}

// verifyRotation reports whether the shard is still this instance's to run.
func (b *batch) verifyRotation(ctx context.Context) (bool, error) {
	w := b.worker
	r := b.view.Rotation
	next, exists, err := w.Host.Client.Exists(ctx, w.Tree.NextInstanceIP())
	if err != nil || exists != r.Next.Exists || exists && next.Czxid != r.Next.Czxid {
		return false, err
	}
	owner, _, err := w.Host.Client.Exists(ctx, w.Tree.ItemInstance(0))
	return err == nil && owner.Czxid == r.Owner, err
}

// lostTurn reports whether a transaction was refused because the node that
// names the next address came or went, and corrects what the batch knows.
func (b *batch) lostTurn(ctx context.Context, refusal error) (bool, error) {
	w := b.worker
	refused := (*zk.MultiError)(nil)
	if !errors.As(refusal, &refused) || refused.Op.Path != w.Tree.NextInstanceIP() {
		return false, nil
	}
	_, exists, err := w.Host.Client.Exists(ctx, w.Tree.NextInstanceIP())
	if err != nil {
		return false, err
	}
	corrected, view := *b.view.Rotation, *b.view
	corrected.Next.Exists = exists
	view.Rotation = &corrected
	b.view = &view
	return true, nil
}
