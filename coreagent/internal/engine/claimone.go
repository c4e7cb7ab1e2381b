package engine

import (
	"context"
	"errors"
	"hash/fnv"
	"io"
	"slices"
	"sync"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/obstacle"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/rethrow"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// claimsAtOnce is how many shards claim a request each side by side.
const claimsAtOnce = 16

// claimQueued claims requests of the queue for shards of this instance that are free,
// one for each, and runs them beside whatever else runs.
func (r *requested) claimQueued(ctx context.Context, v *view.View, session zk.Session, outdated func() bool) error {
	j := r.j
	var free []view.Shard
	j.mu.Lock()
	for _, s := range v.Shards {
		if s.Runnable() && j.queue.held[s.Number] == nil {
			free = append(free, s)
		}
	}
	j.mu.Unlock()
	if len(free) == 0 {
		r.standInLine(nil)
		return nil
	}
	o, err := r.claimable(ctx, v, len(free))
	if err != nil {
		return err
	}
	var noPlace []int
	defer func() { r.standInLine(noPlace) }()
	if len(o.names) == 0 {
		return nil
	}
	defer func() { r.steward.Left(o.left...) }()
	atOnce := claimsAtOnce
	if j.env.Places != nil {
		atOnce = 1 // A failed claim would wake the shards that had no place.
	}
	return rethrow.Each(ctx, atOnce, len(free), func(ctx context.Context, i int) (err error) {
		s := free[i]
		if o.none() || r.runsElsewhere(s.Number) || (&batch{job: j, view: v}).touched(s.Number) {
			return nil
		}
		hold := &takenShard{Shard: s, reserved: j.reserve(s.Number)}
		if hold.reserved == nil {
			return nil
		}
		started := false
		if j.env.Places.Reserve(j) { // Or other processes may claim it.
			started, err = r.claimNext(ctx, v, session, s, o, outdated)
			if !started {
				j.env.Places.Leave(j)
			}
		} else if !v.Hold.Requests() {
			noPlace = append(noPlace, s.Number) // One shard claims after the other.
		}
		if !started {
			j.unreserve(hold)
		}
		return err
	})
}

// standInLine notes that requests wait because there's no place for their handlers, by the shards
// that could run them; none if no request waits for that.
func (r *requested) standInLine(shards []int) {
	j := r.j
	j.mu.Lock()
	over := r.inLine
	waits := over != nil
	if len(shards) == 0 {
		r.inLine = nil
	}
	j.mu.Unlock()
	switch {
	case len(shards) > 0 && !waits:
		over = j.standInLine(shards...)
		j.mu.Lock()
		r.inLine = over
		j.mu.Unlock()
	case len(shards) == 0 && waits:
		over()
	}
}

// offers are the requests of the queue in the order in which they are to be claimed.
type offers struct {
	known func(name string) (jobtree.RunRequest, int32, bool)

	mu    sync.Mutex
	names []string
	left  []string // those that are in the queue no more
}

// next takes the first of them; false if none is left.
func (o *offers) next() (name string, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.names) == 0 {
		return "", false
	}
	name, o.names = o.names[0], o.names[1:]
	return name, true
}

func (o *offers) none() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.names) == 0
}

// again offers a request to the next shard.
func (o *offers) again(name string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.names = slices.Insert(slices.Clone(o.names), 0, name)
}

func (o *offers) taken(name string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.left = append(o.left, name)
}

// claimable are the requests of the queue. Who moves requests has read them a moment ago,
// and knows them for certain if nobody else claims any.
func (r *requested) claimable(ctx context.Context, v *view.View, free int) (*offers, error) {
	j := r.j
	o := &offers{known: r.steward.Queued}
	slow := j.obstacles.Hinders(obstacle.Place) // The requests that waited may have been cancelled.
	names, current := r.steward.Queue()
	if alone := len(v.Shards) == v.Config.Shards; names == nil || slow || !current && !alone {
		var err error
		if names, err = j.nodes.Children(ctx, j.tree.RunsQueue()); err != nil {
			return o, zk.Ignore(err, zk.ErrNoNode)
		}
	}
	slices.Sort(names)
	o.names = names
	if fleet := r.instances(); len(v.Shards) < v.Config.Shards {
		o.names = preferred(names, slices.Index(fleet, v.ID), len(fleet), free)
	}
	return o, nil
}

// preferred puts first, of the requests that instances with so many free shards can claim at
// this moment, those that fall to one of them by their names. Instances that look at the
// same queue would want the same requests otherwise, and all of them but one would have
// written in vain. No request waits for its instance: whoever has more free shards than
// requests takes the next ones, the oldest first.
func preferred(names []string, self, instances, free int) []string {
	if self < 0 || instances < 2 {
		return names
	}
	near := names[:min(len(names), instances*free)]
	own, others := make([]string, 0, len(names)), make([]string, 0, len(near))
	for _, name := range near {
		sum := fnv.New32a()
		_, _ = io.WriteString(sum, name)                // It never fails.
		if int(sum.Sum32()%uint32(instances)) == self { //nolint:gosec // both are small
			own = append(own, name)
		} else {
			others = append(others, name)
		}
	}
	return append(append(own, others...), names[len(near):]...)
}

// queued is a request of the queue and the version of its node; false if it is not there,
// or cannot be read.
func (r *requested) queued(ctx context.Context, o *offers, name string) (wanted jobtree.RunRequest, version int32, ok bool, err error) {
	if wanted, version, ok = o.known(name); ok {
		return wanted, version, true, nil
	}
	data, stat, err := r.j.env.Client.Get(ctx, r.j.tree.RunsQueued(name))
	if err != nil {
		return wanted, 0, false, zk.Ignore(err, zk.ErrNoNode)
	}
	wanted, err = jobtree.DecodeRunRequest(data)
	return wanted, stat.Version, err == nil, nil
}

// claimNext claims the first of the requests that can be had for a shard.
func (r *requested) claimNext(ctx context.Context, v *view.View, session zk.Session, s view.Shard, o *offers, outdated func() bool) (started bool, err error) {
	for {
		name, some := o.next()
		if !some {
			return false, nil
		}
		wanted, version, ok, err := r.queued(ctx, o, name)
		if err != nil {
			return false, err
		}
		if !ok || wanted.Assign != jobtree.RunOne || runs.HeldBack(v.Hold, wanted) ||
			outdated() && runs.HeldBack(jobtree.Hold{What: jobtree.HoldAll}, wanted) {
			continue
		}
		suits, refusal, err := r.suits(ctx, wanted)
		if err != nil {
			return false, err
		}
		if !suits {
			continue
		}
		c := r.claimOne(v, session, s, wanted)
		c.refusal = refusal
		done, started, err := r.tryClaim(ctx, c, o, name, version)
		if done || err != nil {
			return started, err
		}
	}
}

// tryClaim tries to claim a request for a shard. done says that the shard can have no other.
func (r *requested) tryClaim(ctx context.Context, c *claim, o *offers, name string, version int32) (done, started bool, err error) {
	j, b := r.j, c.batch
	begin, err := r.store.Begin(c.path, c.record)
	if err == nil {
		err = b.equip()
	}
	if err != nil {
		return true, false, err
	}
	r.adopt(c)
	err = j.env.Client.Multi(ctx, append(append(b.claimOps(), zk.DeleteOp(j.tree.RunsQueued(name), version)), begin...)...)
	if err == nil {
		o.taken(name)
		r.history.Opened(c.record)
		r.startClaim(c)
		return true, true, nil
	}
	r.abandon(c)
	refused := (*zk.MultiError)(nil)
	if !errors.As(err, &refused) {
		r.doubt()
		return true, false, err
	}
	if refused.Op.Path == j.tree.RunsQueued(name) {
		o.taken(name)
		return false, false, nil // Somebody else was faster.
	}
	o.again(name)
	if refused.Op.Path == c.path {
		return true, false, nil // The shard has a run; the record says whose.
	}
	again, err := b.withoutRefused(ctx, b.shards, refused, err)
	if len(again) > 0 && err == nil {
		r.kick() // What was in the way is not there any more.
	}
	return true, false, err
}

// claimOne is the claim by which a shard takes a request of the queue.
func (r *requested) claimOne(v *view.View, session zk.Session, s view.Shard, wanted jobtree.RunRequest) *claim {
	j := r.j
	b := &batch{
		job: j, view: v, epoch: v.Epoch, shards: []view.Shard{s}, turn: jobtree.NewTurn(),
		request: request{source: tracing.SourceNormal, beside: true}, hasPlace: j.env.Places != nil,
	}
	b.ctx, b.cancel = context.WithCancelCause(j.env.Life)
	c := r.newClaim(b, j.tree.RunsActiveShard(s.Number))
	c.record = runs.Claim(runs.OpenOne(wanted, s.Number, v.Config.Shards, v.ID, j.env.Time()), b.numbers(), c.by(j, session))
	return c
}

// startClaim runs a claimed shard beside whatever else runs.
func (r *requested) startClaim(c *claim) {
	j := r.j
	j.mu.Lock()
	defer j.mu.Unlock()
	j.queue.held[c.batch.shards[0].Number] = c.batch
	j.queue.begin()
	j.queue.beside++
	go r.runClaim(c)
}

func (r *requested) runClaim(c *claim) {
	j := r.j
	b := c.batch
	j.guard("requested run", func() {
		defer func() {
			if b.hasPlace { // It came to no handler.
				j.env.Places.Leave(j)
			}
			b.cancel(nil)
		}()
		if !b.beginExecution() { // The job has begun to leave.
			b.settleAll(runs.Result{Stopped: true})
			return
		}
		defer b.endExecution()
		if err := b.performClaim(); err != nil && j.env.Life.Err() == nil {
			j.log.Error("requested run failed", "run", c.record.ID, "shard", b.shards[0].Number, "err", err)
		}
	})
	j.mu.Lock()
	delete(j.queue.batches, b) // Of one that has not begun, its settling has put it there.
	j.queue.beside--
	j.queue.settle()
	j.mu.Unlock()
	r.ring()
}
