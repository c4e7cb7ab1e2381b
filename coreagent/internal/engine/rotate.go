package engine

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/firerecord"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/firetime"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/sharding"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/recipe"
	"github.com/elasticjob-go/elasticjob/jobconfig"
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

// clockSkew is more than the clocks of instances differ.
const clockSkew = time.Minute

// rotates reports whether the job's only shard rotates.
func rotates(c *jobconfig.Config) bool {
	return c != nil && sharding.Rotates(c.Shards, c.StrategyType)
}

// rotation is what a view says about a shard that rotates.
type rotation struct {
	next      stamp              // of the node that names the next address
	owner     int64              // transaction that assigned the shard
	record    stamp              // of the shard's fire record
	last      jobtree.FireRecord // what it says
	successor string             // address to name when this instance has run; "" to leave the node
	ours      bool               // every instance keeps records: the record tells all
	named     time.Time          // when next came into being
}

// stamp is how a watched node was seen.
type stamp struct {
	exists  bool
	czxid   int64
	version int32
}

// trackRotation watches what the choice of the next instance depends on, or
// stops watching it.
func (j *Job) trackRotation(ctx context.Context) error {
	c := &j.control
	var want []string
	switch {
	case rotates(c.config):
		want = []string{
			j.tree.NextInstanceIP(), j.tree.FireRecord(0), j.tree.ItemInstance(0),
			j.tree.ItemDisabled(0), j.tree.ItemFailover(0), j.tree.ItemMisfire(0),
		}
		for _, id := range j.cache.instances() {
			if server := j.tree.Server(jobtree.InstanceIP(id)); !slices.Contains(want, server) {
				want = append(want, server)
			}
		}
		j.cache.WatchChildren(j.tree.Agents())
	case c.rotating == nil:
		return nil
	case !c.config.Failover:
		j.cache.Forget(j.tree.Agents())
	}
	for _, path := range want {
		j.cache.Watch(path)
	}
	for _, path := range c.rotating {
		if !slices.Contains(want, path) && !slices.Contains(c.lead.tracked, path) && path != j.tree.Server(j.env.IP) &&
			!(slices.Contains(c.mine, 0) && path != j.tree.NextInstanceIP() && path != j.tree.FireRecord(0)) {
			j.cache.Forget(path)
		}
	}
	c.rotating = want
	return j.cache.Refresh(ctx)
}

// rotated completes a settled view of a job whose shard rotates: the shard is
// this instance's, or somebody else's, or nobody's yet.
func (j *Job) rotated(v *view) {
	next := j.cache.Get(j.tree.NextInstanceIP())
	owner := j.cache.Get(j.tree.ItemInstance(0))
	record := j.cache.Get(j.tree.FireRecord(0))
	r := &rotation{
		next:   stamp{next.Exists, next.Stat.Czxid, next.Stat.Version},
		owner:  owner.Stat.Czxid,
		record: stamp{record.Exists, record.Stat.Czxid, record.Stat.Version},
		ours:   j.cache.onlyAgents(),
	}
	if last, ok := jobtree.DecodeFireRecord(record.Data); ok {
		r.last = last
	}
	r.named = j.control.turnNamed(next, j.env.now())
	v.rotation, v.shards = r, nil
	mine := string(owner.Data) == v.id
	if ip := string(next.Data); next.Exists && ip != "" {
		holders := j.cache.holders(ip)
		switch {
		case len(holders) > 0:
			mine = holders[int(next.Stat.Czxid%int64(len(holders)))] == v.id
		case next.Stat.Czxid > owner.Stat.Czxid:
			v.settled, v.waiting = false, "the instance that is to run next has left"
			return
		}
	}
	if !mine {
		return
	}
	if r.successor = j.cache.successor(); r.successor == j.env.IP && (!next.Exists || string(next.Data) == j.env.IP) {
		r.successor = "" // Alone: nothing to tell.
	}
	v.shards = []shard{{
		number: 0, token: max(v.born, owner.Stat.Czxid, next.Stat.Czxid, record.Stat.Mzxid), version: zk.AnyVersion,
		disabled: j.cache.Get(j.tree.ItemDisabled(0)).Exists, enabled: j.control.on[0],
		taken:    j.cache.Get(j.tree.ItemFailover(0)).Exists,
		misfired: j.cache.Get(j.tree.ItemMisfire(0)).Exists,
	}}
}

// turn is the node that names the next address, and when this instance saw it
// first.
type turn struct {
	czxid int64
	seen  time.Time
}

// turnNamed returns when the node came into being that names the next address: by
// the own clock if that saw it earlier than ZooKeeper's says.
func (c *control) turnNamed(next recipe.Node, now time.Time) time.Time {
	if !next.Exists {
		return time.Time{}
	}
	if c.turn.czxid != next.Stat.Czxid {
		c.turn = turn{next.Stat.Czxid, now}
	}
	if next.Stat.Ctime.Before(c.turn.seen) {
		return next.Stat.Ctime
	}
	return c.turn.seen
}

// javasLook is how long after a fire time an agent of Java's has looked whose turn
// it is. Theirs were measured to be at most 135 ms late.
const javasLook = time.Second

// awaitJavasLook keeps the next address from being named before Java's agents have
// looked: one that reads its own address too early runs the same fire time again.
// It waits for half of the time to the next fire time at most.
func (b *batch) awaitJavasLook() {
	j := b.job
	r := b.view.rotation
	if r == nil || r.ours || r.successor == "" || b.failover != nil || !b.regular {
		return
	}
	until := b.at.Add(javasLook)
	if next, ok := b.view.schedule.Next(b.at, b.view.zone); ok && next.Sub(b.at) < 2*javasLook {
		until = b.at.Add(next.Sub(b.at) / 2)
	}
	pause := time.NewTimer(until.Sub(j.env.now()))
	defer pause.Stop()
	select {
	case <-pause.C:
	case <-b.ctx.Done():
	}
}

// hadItsTurn reports whether the shard has run for a request already, on an
// instance that was faster and named this one as the next.
func (j *Job) hadItsTurn(v *view, r request) bool {
	if v.rotation == nil || r.failover != nil {
		return false
	}
	if r.regular {
		if !v.rotation.ours && v.rotation.next.exists && !v.rotation.named.Before(r.at) {
			return true // Whoever has run for it named the next one.
		}
		// A record from the future was made before the clock was set back.
		return firetime.Done(v.rotation.last, r.at) && v.rotation.last.Completed.Before(j.env.now().Add(clockSkew))
	}
	return r.placed != 0 && v.rotation.next.exists && v.rotation.next.czxid > r.placed
}

// catchUp runs a fire time that nobody kept: it came while one instance had
// passed the shard on, and the next one did not know yet.
func (j *Job) catchUp(ctx context.Context, v *view) error {
	r := v.rotation
	if r == nil || !r.ours || !r.record.exists || !v.config.Misfire || !firerecord.Kept(v.config) || v.schedule == nil || len(v.shards) == 0 || !v.shards[0].runnable() {
		return nil
	}
	now := j.env.now()
	last := firetime.Sound(r.last, now)
	if _, missed := firetime.Missed(v.schedule, v.zone, now, last.Through); !missed {
		return nil
	}
	era, err := j.era(ctx)
	if err != nil {
		return err
	}
	served, err := r.servedSince(ctx, j)
	if err != nil {
		return err
	}
	since := firetime.Later(firetime.Later(served, era.Since), j.windowSince(now))
	at, missed := firetime.Missed(v.schedule, v.zone, now, last.Through, since)
	if !missed {
		return j.accountFor(ctx, 0, since) // Otherwise each step would ask again.
	}
	j.enqueue(func(q *queue) {
		if !q.looping {
			q.fire = at
		}
	})
	return nil
}

// servedSince returns since when an operator has had the shard run.
func (r *rotation) servedSince(ctx context.Context, j *Job) (time.Time, error) {
	owner := string(j.cache.Get(j.tree.ItemInstance(0)).Data)
	return j.records.TurnsServedSince(ctx, owner, r.last.Owner, j.cache.instances())
}

// waitedSince is servedSince for a fire time that waited here.
func (r *rotation) waitedSince(ctx context.Context, j *Job) (time.Time, error) {
	if !r.ours {
		return r.servedSince(ctx, j)
	}
	owner := string(j.cache.Get(j.tree.ItemInstance(0)).Data)
	return j.records.TurnWaitedSince(ctx, owner, r.last.Owner, j.cache.instances())
}

// rotationGuard makes a marking transaction depend on what the view says about
// a shard that rotates, and has it record that a trigger begins, or doesn't any more.
func (b *batch) rotationGuard() []zk.Op {
	j := b.job
	r := b.view.rotation
	switch {
	case r == nil || b.failover != nil || !r.record.exists:
		return nil
	case b.beginsTurn() != r.last:
		return []zk.Op{zk.SetOp(j.tree.FireRecord(0), b.beginsTurn().Encode(), r.record.version)}
	}
	return []zk.Op{zk.CheckOp(j.tree.FireRecord(0), r.record.version)}
}

// beginsTurn is the record of a shard that rotates once the batch has marked it. Every
// instance watches the record, so only triggers are named there, because they are rare.
// The survivors of a crash take everything else for a fire time.
func (b *batch) beginsTurn() jobtree.FireRecord {
	last := b.view.rotation.last
	if b.claims || !b.view.config.Failover || !firerecord.Kept(b.view.config) {
		return last
	}
	if last.Begun = (jobtree.Due{}); b.due().Trigger {
		last.Begun, last.Owner = b.due(), b.view.id
	}
	return last
}

// turnBegun notes the record that the batch has written with its marker.
func (b *batch) turnBegun() {
	r := b.view.rotation
	if len(b.rotationGuard()) == 0 || b.beginsTurn() == r.last {
		return
	}
	begun, view := *r, *b.view
	begun.last = b.beginsTurn()
	begun.record.version++
	view.rotation = &begun
	b.view = &view
}

// numberTurn makes the token of a marked run larger than that of the run before,
// also if that one was interrupted: then it has left no other trace.
func (b *batch) numberTurn() error {
	j := b.job
	if b.view.rotation == nil || b.failover != nil || len(b.shards) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(b.ctx, stepTimeout)
	defer cancel()
	stat, marked, err := j.env.Client.Exists(ctx, j.tree.ItemRunning(0))
	if err == nil && !marked {
		err = errStale // Somebody has removed the marker.
	}
	if err != nil {
		return errors.Join(err, b.unmark(ctx))
	}
	turn := b.shards[0]
	turn.token = max(turn.token, stat.Czxid)
	b.shards = []shard{turn}
	return nil
}

// passOn names the next instance in the transaction that clears the markers.
func (b *batch) passOn() []zk.Op {
	j := b.job
	r := b.view.rotation
	if r == nil || b.failover != nil || r.successor == "" {
		return nil
	}
	var ops []zk.Op
	if r.next.exists {
		ops = append(ops, zk.DeleteOp(j.tree.NextInstanceIP(), zk.AnyVersion))
	}
	return append(ops, zk.CreateOp(j.tree.NextInstanceIP(), []byte(r.successor), zk.Ephemeral))
}

// verifyRotation reports whether the shard is still this instance's to run.
func (b *batch) verifyRotation(ctx context.Context) (bool, error) {
	j := b.job
	r := b.view.rotation
	next, exists, err := j.env.Client.Exists(ctx, j.tree.NextInstanceIP())
	if err != nil || exists != r.next.exists || exists && next.Czxid != r.next.czxid {
		return false, err
	}
	owner, _, err := j.env.Client.Exists(ctx, j.tree.ItemInstance(0))
	return err == nil && owner.Czxid == r.owner, err
}

// lostTurn reports whether a transaction was refused because the node that
// names the next address came or went, and corrects what the batch knows.
func (b *batch) lostTurn(ctx context.Context, refusal error) (bool, error) {
	j := b.job
	refused := (*zk.MultiError)(nil)
	if !errors.As(refusal, &refused) || refused.Op.Path != j.tree.NextInstanceIP() {
		return false, nil
	}
	_, exists, err := j.env.Client.Exists(ctx, j.tree.NextInstanceIP())
	if err != nil {
		return false, err
	}
	corrected, view := *b.view.rotation, *b.view
	corrected.next.exists = exists
	view.rotation = &corrected
	b.view = &view
	return true, nil
}
