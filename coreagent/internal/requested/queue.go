package requested

import (
	"context"
	"hash/fnv"
	"io"
	"slices"
	"sync"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/rethrow"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// claimsAtOnce is how many shards claim requests in parallel.
const claimsAtOnce = 16

// claimQueued claims queued requests for free shards of this instance, one for each, and runs them
// next to all other runs.
func (a *Activity) claimQueued(ctx context.Context, v *view.View, session zk.Session, outdated func() bool) error {
	free := a.job.Free(v)
	if len(free) == 0 {
		a.waitForPlace(nil)
		return nil
	}
	limited, slow := a.job.Limited()
	o, err := a.claimable(ctx, v, len(free), slow)
	if err != nil {
		return err
	}
	var noPlace []int
	defer func() { a.waitForPlace(noPlace) }()
	if len(o.names) == 0 {
		return nil
	}
	defer func() { a.steward.Left(o.left...) }()
	atOnce := claimsAtOnce
	if limited {
		atOnce = 1 // A failed claim would wake the shards that had no place.
	}
	return rethrow.Each(ctx, atOnce, len(free), func(ctx context.Context, i int) (err error) {
		s := free[i]
		if o.none() || a.runsElsewhere(s.Number) || a.tree.Touched(v, s.Number) {
			return nil
		}
		slot, full := a.job.Slot(v, s) // Other processes may claim it.
		if full && !v.Hold.Requests() {
			noPlace = append(noPlace, s.Number) // Shards claim one at a time.
		}
		if slot == nil {
			return nil
		}
		started, err := a.claimNext(ctx, v, session, s, slot, o, outdated)
		if !started {
			slot.Release()
		}
		return err
	})
}

// waitForPlace records the shards that could run waiting requests but lack a place for their
// handlers. An empty list ends the wait.
func (a *Activity) waitForPlace(shards []int) {
	a.mu.Lock()
	over := a.inLine
	if len(shards) == 0 {
		a.inLine = nil
	}
	a.mu.Unlock()
	switch {
	case len(shards) > 0 && over == nil:
		over = a.job.WaitForPlace(shards)
		a.mu.Lock()
		a.inLine = over
		a.mu.Unlock()
	case len(shards) == 0 && over != nil:
		over()
	}
}

// offers holds queued requests in the order in which to claim them.
type offers struct {
	known func(name string) (jobtree.RunRequest, int32, bool)

	mu    sync.Mutex
	names []string
	left  []string // requests that have left the queue
}

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

// claimable returns the queued requests. The steward's recent list is reliable if no other instance
// claims any, unless they have waited for a place and may have been cancelled since.
func (a *Activity) claimable(ctx context.Context, v *view.View, free int, slow bool) (*offers, error) {
	o := &offers{known: a.steward.Queued}
	names, current := a.steward.Queue()
	if alone := len(v.Shards) == v.Config.Shards; names == nil || slow || !current && !alone {
		var err error
		if names, err = a.nodes.Children(ctx, a.nodes.Tree.RunsQueue()); err != nil {
			return o, zk.Ignore(err, zk.ErrNoNode)
		}
	}
	slices.Sort(names)
	o.names = names
	if fleet := a.instances(); len(v.Shards) < v.Config.Shards {
		o.names = preferred(names, slices.Index(fleet, v.ID), len(fleet), free)
	}
	return o, nil
}

// preferred moves requests to the front that hash to this instance, among the requests that all
// instances with this many free shards could claim now. Otherwise all instances would try to claim
// the same requests, and all but one would write in vain. No request waits for its instance: an
// instance with more free shards than requests takes the next ones, oldest first.
func preferred(names []string, self, instances, free int) []string {
	if self < 0 || instances < 2 {
		return names
	}
	near := names[:min(len(names), instances*free)]
	own, others := make([]string, 0, len(names)), make([]string, 0, len(near))
	for _, name := range near {
		sum := fnv.New32a()
		_, _ = io.WriteString(sum, name)                // it never fails
		if int(sum.Sum32()%uint32(instances)) == self { //nolint:gosec // both are small
			own = append(own, name)
		} else {
			others = append(others, name)
		}
	}
	return append(append(own, others...), names[len(near):]...)
}

// queued returns a queued request and the version of its node, or false if it's missing or can't be
// read.
func (a *Activity) queued(ctx context.Context, o *offers, name string) (wanted jobtree.RunRequest, version int32, ok bool, err error) {
	if wanted, version, ok = o.known(name); ok {
		return wanted, version, true, nil
	}
	data, stat, err := a.nodes.Client.Get(ctx, a.nodes.Tree.RunsQueued(name))
	if err != nil {
		return wanted, 0, false, zk.Ignore(err, zk.ErrNoNode)
	}
	wanted, err = jobtree.DecodeRunRequest(data)
	return wanted, stat.Version, err == nil, nil
}

func (a *Activity) claimNext(ctx context.Context, v *view.View, session zk.Session, s view.Shard, slot Slot, o *offers, outdated func() bool) (started bool, err error) {
	for {
		name, some := o.next()
		if !some {
			return false, nil
		}
		wanted, version, ok, err := a.queued(ctx, o, name)
		if err != nil {
			return false, err
		}
		if !ok || wanted.Assign != jobrun.AssignOne || runs.HeldBack(v.Hold, wanted) ||
			outdated() && runs.HeldBack(jobtree.Hold{What: jobrun.HeldAll}, wanted) {
			continue
		}
		accepted, refusal, err := a.checkParams(ctx, wanted)
		if err != nil {
			return false, err
		}
		if !accepted {
			continue
		}
		c := a.newClaim(v, a.nodes.Tree.RunsActiveShard(s.Number), slot.Cancel)
		c.Shards, c.Refusal = []view.Shard{s}, refusal
		c.Record = runs.Claim(runs.OpenOne(wanted, s.Number, v.Config.Shards, v.ID, a.host.Time()), c.numbers(), c.by(session))
		done, started, err := a.tryClaim(ctx, c, slot, o, name, version)
		if done || err != nil {
			return started, err
		}
	}
}

// tryClaim tries to claim a request for a shard. done is set if the shard can't get another one.
func (a *Activity) tryClaim(ctx context.Context, c *Claim, slot Slot, o *offers, name string, version int32) (done, started bool, err error) {
	begin, err := a.store.Begin(c.path, c.Record)
	if err == nil {
		err = slot.ResolveNames()
	}
	if err != nil {
		return true, false, err
	}
	a.adopt(c)
	queued := a.nodes.Tree.RunsQueued(name)
	err = a.nodes.Client.Multi(ctx, append(append(c.ops(), zk.DeleteOp(queued, version)), begin...)...)
	if err == nil {
		o.taken(name)
		a.history.Opened(c.Record)
		slot.Start(c)
		return true, true, nil
	}
	a.abandon(c)
	switch zk.RefusedPath(err) {
	case "":
		a.doubt()
		return true, false, err
	case queued:
		o.taken(name)
		return false, false, nil // Another instance was faster.
	}
	o.again(name)
	if zk.RefusedPath(err) == c.path {
		return true, false, nil // The shard's record shows that it has a run.
	}
	again, err := a.withoutRefused(ctx, c.view, c.Shards, err)
	if len(again) > 0 && err == nil {
		a.Kick() // The obstacle is gone.
	}
	return true, false, err
}
