package control

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/obstacle"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/reshard"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/sharding"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/recipe"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// leadership is what a leader remembers between steps; it starts empty with
// each term, because what happened before the term is unknown.
type leadership struct {
	leading     bool
	tracked     []string
	tidyMarkers bool // a setting was switched off: markers of it have to go
	knowsClaims bool // claims of takers that died before this term were released
	absent      absentees
	era         int64 // transaction of the configuration whose era is noted
	orphans     orphans
	// unassigned shards, as reported last.
	unassigned int
}

// elect competes for the leadership if nobody leads and this instance may, and
// resigns when the own server is disabled.
func (c *Controller) elect(ctx context.Context, v *view.View) error {
	leader := c.Cache.Get(c.Tree.LeaderInstance())
	switch {
	case leader.Exists && !v.Enabled && string(leader.Data) == c.Self.ID():
		return c.resignDisabled(ctx, v)
	case leader.Exists || !v.Enabled:
		return nil
	}
	err := c.Nodes.Hold(ctx, c.Tree.ElectionLatch(), func(ctx context.Context, place *recipe.Place) error {
		// Conditional on our own instance: a removed job must not appear again.
		_, err := c.Nodes.Commit(ctx, place, [][]zk.Op{{zk.CheckOp(c.Tree.Instance(c.Self.ID()), zk.AnyVersion),
			zk.CreateOp(c.Tree.LeaderInstance(), []byte(c.Self.ID()), zk.Ephemeral)}})
		if errors.Is(err, zk.ErrNodeExists) {
			c.Cache.Suspect() // Elected while we waited, or the watch event was lost.
		}
		return zk.Ignore(zk.Ignore(err, zk.ErrNodeExists), zk.ErrNoNode)
	})
	if err != nil {
		return err
	}
	if c.job.Leaving() {
		// It began to leave meanwhile and has given up a leadership that it did
		// not have yet.
		return c.resign(ctx)
	}
	return c.Cache.Refresh(ctx)
}

// resignDisabled resigns because the own server was disabled. That
// calls for a resharding, which has to be announced first: a Java agent may
// have seen the server's change already, as a follower, and does not look back
// when it is elected.
func (c *Controller) resignDisabled(ctx context.Context, v *view.View) error {
	if v.Config != nil && !v.Config.StaticSharding {
		if err := c.announceResharding(ctx); err != nil {
			return err
		}
	}
	if err := c.resign(ctx); err != nil {
		return err
	}
	return c.Cache.Refresh(ctx) // Or the rest of the step would still lead.
}

// resign deletes the leader node if it is this instance's.
func (c *Controller) resign(ctx context.Context) error {
	return c.Nodes.DeleteIfData(ctx, c.Tree.LeaderInstance(), c.Self.ID())
}

// leads reports whether this instance leads under its present session.
func (c *Controller) leads() bool {
	leader := c.Cache.Get(c.Tree.LeaderInstance())
	return leader.Exists && string(leader.Data) == c.Self.ID() && leader.Stat.EphemeralOwner == c.Host.Client.Session().ID
}

// leadDuties announces and starts reshardings, and repairs what dead instances
// left behind. Only the leader does either.
func (c *Controller) leadDuties(ctx context.Context, v *view.View) error {
	lead := &c.lead
	if !c.leads() {
		if lead.leading {
			c.endTerm()
		}
		return nil
	}
	lead.leading = true
	if v.Config == nil {
		return nil
	}
	available, err := c.available(ctx)
	if err != nil {
		return err
	}
	if lead.tidyMarkers { // Not before the shards are watched.
		tidied, err := c.tidyMarkers(ctx)
		if err != nil {
			return err
		}
		lead.tidyMarkers = !tidied
	}
	if err := c.keepEra(ctx); err != nil {
		return err
	}
	if v.Config.Failover && !lead.knowsClaims { // Before a resharding judges the missed fire times.
		shards := jobtree.ItemNumbers(c.Cache.Children(c.Tree.Sharding()))
		if err := c.Resharding.ReleaseClaims(ctx, shards, c.Cache.Instances()); err != nil {
			return fmt.Errorf("release claims of instances that have left: %w", err)
		}
		lead.knowsClaims = true
	}
	c.observeUnassigned(available)
	_, busy := c.Cache.Flagged()
	if !busy {
		reason := c.reshardReason(v, available)
		if reason != "" && c.Resharding.JustEnded() {
			// The shards were assigned a moment ago by what the server said. If
			// the watched nodes demand it again they may be wrong: an event was
			// lost. Compare them first; what is found changed arrives as a kick.
			// They are not those of shards: what a shard's owner is was read.
			c.Cache.SuspectIf(c.Cache.NotOfShard)
			before := c.Cache.Events()
			if err := c.Cache.Refresh(ctx); err != nil || before != c.Cache.Events() {
				return err
			}
		}
		if reason != "" {
			c.Log.DebugContext(ctx, "resharding announced", "reason", reason)
			if err := c.announceResharding(ctx); err != nil {
				return err
			}
			busy = true
		}
	}
	if busy && len(available) > 0 {
		c.startReshard(v.Epoch)
	}
	if err := c.sweepTriggers(ctx, v); err != nil {
		return fmt.Errorf("look for triggers of instances that have left: %w", err)
	}
	return c.sweepServers(ctx, v)
}

// announceResharding sets the flag that every agent, Java's included, obeys.
func (c *Controller) announceResharding(ctx context.Context) error {
	for {
		err := c.Host.Client.Multi(ctx,
			zk.CheckOp(c.Tree.LeaderInstance(), zk.AnyVersion),
			zk.CreateOp(c.Tree.Necessary(), nil, zk.Persistent))
		refused := (*zk.MultiError)(nil)
		if !errors.As(err, &refused) || refused.Index != 1 || !errors.Is(err, zk.ErrNoNode) {
			return zk.Ignore(err, zk.ErrNodeExists)
		}
		if err := c.Nodes.Ensure(ctx, c.Nodes.Flags()); err != nil {
			return err
		}
	}
}

// available lists the instances that may get shards, descending: those whose
// node names a server that is enabled. The leader watches what it depends on.
func (c *Controller) available(ctx context.Context) ([]string, error) {
	lead := &c.lead
	for {
		var want, ids []string
		status := func(ip string) ([]byte, bool) {
			server := c.Tree.Server(ip)
			if !slices.Contains(want, server) {
				want = append(want, server)
			}
			node := c.Cache.Get(server)
			return node.Data, node.Exists
		}
		for _, id := range c.Cache.Instances() {
			info := jobtree.InstanceInfo{ID: id, ServerIP: c.Host.IP}
			var standing jobtree.Standing
			if id == c.Self.ID() {
				standing = info.Standing(jobconfig.Generation3x, status)
			} else {
				node := c.Tree.Instance(id)
				want = append(want, node)
				info, standing, _ = jobtree.JudgeInstance(id, c.Cache.Get(node).Data, jobconfig.Generation3x, status)
			}
			if standing == jobtree.Serves {
				ids = append(ids, info.ID)
			}
		}
		want = append(want, c.Tree.Sharding())
		changed := false
		for _, path := range want {
			if slices.Contains(lead.tracked, path) {
				continue
			}
			changed = true
			if path == c.Tree.Sharding() {
				c.Cache.WatchChildren(path)
			} else {
				c.Cache.Watch(path)
			}
		}
		c.untrack(want)
		if !changed {
			sharding.SortInstances(ids)
			return ids, nil
		}
		if err := c.Cache.Refresh(ctx); err != nil {
			return nil, err
		}
	}
}

// untrack stops watching what only a leader needs, but for what it keeps. The
// own server stays: every instance watches it.
func (c *Controller) untrack(keep []string) {
	lead := &c.lead
	for _, path := range lead.tracked {
		if !slices.Contains(keep, path) && path != c.Tree.Server(c.Host.IP) {
			c.Cache.Forget(path)
		}
	}
	lead.tracked = keep
}

// endTerm forgets what only a leader needs.
func (c *Controller) endTerm() {
	c.untrack(nil)
	c.tellUnassigned(0) // From now on it is another's to tell.
	c.lead = leadership{tidyMarkers: c.lead.tidyMarkers}
	c.Resharding.Forget()
}

// reshardReason says why the shards must be assigned anew, "" if they need not.
// It judges by facts, so that a flag that a dying leader did not set, or a
// watch that was lost, costs nothing.
func (c *Controller) reshardReason(v *view.View, available []string) string {
	if c.assigned == nil {
		return ""
	}
	return sharding.State{
		Shards: v.Config.Shards, Strategy: v.Config.StrategyType, Static: v.Config.StaticSharding,
		Existing: len(jobtree.ItemNumbers(c.Cache.Children(c.Tree.Sharding()))), Owners: c.assigned, Instances: available,
		NextLeft: c.Cache.StuckRotation(v.Config), Basis: c.Resharding.Basis(),
		Wanted: func() (map[string][]int, error) { // A new leader asks it once: an instance may have come just before the term.
			strategy, err := c.strategies.ByName(v.Config.StrategyType)
			if err != nil {
				return nil, err
			}
			return strategy.Assign(available, c.Tree.Name(), v.Config.Shards)
		},
	}.Reason()
}

// tidyMarkers removes the markers of settings that were switched off: failover
// markers with failover, running markers with monitorExecution, markers of missed fire
// times with misfire. A shard that waited for a taker has missed its fire time then.
//
// Each transaction checks the configuration that says so. Without that a setting that
// was switched on again a moment later would find its markers removed, and a run that
// has just been marked would not be seen by the next leader. It reports false if the
// configuration has changed meanwhile: the next step goes by the new one.
func (c *Controller) tidyMarkers(ctx context.Context) (bool, error) {
	config := c.Config
	shards := jobtree.ItemNumbers(c.Cache.Children(c.Tree.Sharding()))
	withdrawn := make([]bool, len(shards))
	var outdated atomic.Bool
	unedited := zk.CheckOp(c.Tree.Config(), c.ConfigVersion)
	removed := func(err error) (bool, error) {
		if errors.Is(err, zk.ErrBadVersion) {
			outdated.Store(true)
			return false, nil
		}
		return err == nil, zk.Ignore(err, zk.ErrNoNode)
	}
	remove := func(ctx context.Context, path string) (bool, error) {
		return removed(c.Host.Client.Multi(ctx, unedited, zk.DeleteOp(path, zk.AnyVersion)))
	}
	err := nodes.Each(ctx, len(shards), func(ctx context.Context, i int) (err error) {
		var paths []string
		if !config.Failover {
			paths = append(paths, c.Tree.ItemFailover(shards[i]))
			if _, err := removed(c.Failover.DropClaim(ctx, shards[i], unedited)); err != nil {
				return err
			}
			if withdrawn[i], err = remove(ctx, c.Tree.FailoverItem(shards[i])); err != nil {
				return err
			}
		}
		if !config.MonitorExecution {
			paths = append(paths, c.Tree.ItemRunning(shards[i]))
		}
		if !config.Misfire {
			paths = append(paths, c.Tree.ItemMisfire(shards[i]))
		}
		var errs []error
		for _, path := range paths {
			_, err := remove(ctx, path)
			errs = append(errs, err)
		}
		return errors.Join(errs...)
	})
	if err != nil {
		return false, err
	}
	var waited []int
	for i, n := range shards {
		if withdrawn[i] {
			waited = append(waited, n)
		}
	}
	return !outdated.Load(), c.Misfires.Withdrawn(ctx, c.Settings, waited)
}

// observeUnassigned tells, when it changes, how many shards have no owner that
// could run them.
func (c *Controller) observeUnassigned(available []string) {
	if c.Host.Observe == nil || c.assigned == nil {
		return
	}
	present := make(map[string]bool, len(available))
	for _, id := range available {
		present[id] = true
	}
	count := 0
	for _, owner := range c.assigned {
		if !present[owner] {
			count++
		}
	}
	c.tellUnassigned(count)
}

func (c *Controller) tellUnassigned(count int) {
	if lead := &c.lead; lead.unassigned != count {
		lead.unassigned = count
		c.Host.Report(c.Tree.Name(), host.Observation{Event: host.Unassigned, Items: count})
	}
}

// The nodes of servers are persistent, because they hold what an operator has
// said. In a cluster where each new pod has a new address they would pile up
// for ever. The leader removes those that say nothing, ENABLED, and have had
// no instance at two audits in a row. A disabled server stays disabled until
// an operator says otherwise.

// absentees are the servers without an instance at the last audit, and the
// transaction that wrote their node last: Java's agents write it when they
// start, a moment before their instance.
type absentees struct {
	at      time.Time
	written map[string]int64
	left    time.Time // when the nodes of agents that left were looked at
}

const (
	// rememberLeft is how long the registry remembers an orderly departure, or crowdedLeft if
	// there are more than manyLeft. lookLeft is how often the leader looks for older ones.
	rememberLeft = 24 * time.Hour
	crowdedLeft  = 5 * time.Minute
	manyLeft     = 20
	lookLeft     = time.Hour
)

// sweepLeft removes the nodes of agents that left long ago.
func (c *Controller) sweepLeft(ctx context.Context) error {
	last, old := &c.lead.absent, rememberLeft
	ids, err := c.Nodes.Children(ctx, c.Tree.AllLeft())
	switch {
	case err != nil:
		return zk.Ignore(err, zk.ErrNoNode)
	case len(ids) > manyLeft:
		old = crowdedLeft
	case time.Since(last.left) < lookLeft:
		return nil
	}
	last.left = time.Now()
	return nodes.Each(ctx, len(ids), func(ctx context.Context, i int) error {
		stat, exists, err := c.Host.Client.Exists(ctx, c.Tree.Left(ids[i]))
		if err != nil || !exists || c.Host.Time().Sub(stat.Mtime) < old {
			return err
		}
		return zk.Ignore(c.Host.Client.Delete(ctx, c.Tree.Left(ids[i]), zk.AnyVersion), zk.ErrNoNode)
	})
}

// sweepServers removes the nodes of servers that are offline. It has effect once
// per audit at most.
func (c *Controller) sweepServers(ctx context.Context, v *view.View) error {
	last := &c.lead.absent
	interval := v.Config.ReconcileInterval()
	if interval <= 0 || time.Since(last.at) < interval*8/10 {
		return nil
	}
	if err := c.sweepLeft(ctx); err != nil {
		return err
	}
	servers, err := c.Nodes.Children(ctx, c.Tree.Servers())
	if err != nil {
		return zk.Ignore(err, zk.ErrNoNode)
	}
	present := c.Cache.PresentServers()
	var offline []string
	for _, ip := range servers {
		if !present[ip] {
			offline = append(offline, ip)
		}
	}
	written := make([]int64, len(offline))
	removed := make([]bool, len(offline))
	if err := nodes.Each(ctx, len(offline), func(ctx context.Context, i int) error {
		status, stat, err := c.Host.Client.Get(ctx, c.Tree.Server(offline[i]))
		if err != nil || string(status) != jobtree.ServerEnabled {
			return zk.Ignore(err, zk.ErrNoNode)
		}
		written[i] = stat.Mzxid
		if last.written[offline[i]] != stat.Mzxid {
			return nil
		}
		err = c.Host.Client.Delete(ctx, c.Tree.Server(offline[i]), stat.Version)
		if err == nil || errors.Is(err, zk.ErrNoNode) {
			removed[i] = true
			return nil
		}
		return zk.Ignore(err, zk.ErrBadVersion) // Somebody starts there, or has disabled it.
	}); err != nil {
		return err
	}
	next := absentees{at: time.Now(), written: make(map[string]int64), left: last.left}
	count := 0
	for i, ip := range offline {
		if removed[i] {
			count++
		} else if written[i] > 0 {
			next.written[ip] = written[i]
		}
	}
	*last = next
	if count > 0 {
		c.Log.InfoContext(ctx, "servers removed that have had no instance for long", "servers", count)
	}
	return nil
}

// ErrNoInstances says that no living instance could take a trigger.
var ErrNoInstances = errors.New("no instance of the job is alive")

// TriggerAll has every living instance of the job run its shards once,
// by the nodes that ElasticJob's one-off bootstrap and consoles write. Triggers
// that nobody took are replaced.
func (c *Controller) TriggerAll(ctx context.Context) error {
	ids, err := c.Nodes.Children(ctx, c.Tree.Instances())
	if err != nil && !errors.Is(err, zk.ErrNoNode) {
		return err
	}
	if len(ids) == 0 {
		return ErrNoInstances
	}
	if err := c.Host.Client.DeleteAll(ctx, c.Tree.Triggers()); err != nil {
		return err
	}
	ops := []zk.Op{zk.CreateOp(c.Tree.Triggers(), nil, zk.Persistent)}
	for _, id := range ids {
		ops = append(ops, zk.CreateOp(c.Tree.Trigger(id), nil, zk.Persistent))
	}
	err = c.Host.Client.Multi(ctx, ops...)
	if errors.Is(err, zk.ErrNodeExists) {
		return nil // Somebody wrote the same trigger at this moment.
	}
	return err
}

// takeTrigger consumes the operator's trigger. As in ElasticJob it
// is dropped when shards of this instance are running.
func (c *Controller) takeTrigger(ctx context.Context) error {
	trigger := c.Cache.Get(c.Tree.Trigger(c.Self.ID()))
	if !trigger.Exists {
		return nil
	}
	if config := c.Cache.Get(c.Tree.Config()); config.Exists && config.Stat.Mzxid != c.configAt {
		// Both were read after the view was built. What was configured before
		// the trigger counts for it, and the next step, which that event has
		// called for, knows it.
		return nil
	}
	err := c.Host.Client.Delete(ctx, c.Tree.Trigger(c.Self.ID()), zk.AnyVersion)
	if errors.Is(err, zk.ErrNoNode) {
		return nil // Seen twice, taken once.
	}
	if err != nil {
		return err
	}
	c.worker.Trigger(trigger.Stat.Czxid)
	return nil
}

// orphans are what a leader remembers of triggers that stand for
// instances that are not there.
type orphans struct {
	looked    bool                // in this term
	at        time.Time           // when it was looked for them last
	instances []string            // who was there then
	since     map[string]orphaned // by instance
}

type orphaned struct {
	placed int64 // transaction
	since  time.Time
}

// sweepTriggers removes the triggers that stand for instances that
// have been absent for a session timeout, which is what one gets that reconnects:
// nobody else takes them, and an instance of the same name would run much later.
// The leader looks when its term begins, when instances change, and at the pace of
// the reconciler.
func (c *Controller) sweepTriggers(ctx context.Context, v *view.View) error {
	o := &c.lead.orphans
	interval := v.Config.ReconcileInterval()
	idle := o.looked && len(o.since) == 0 && slices.Equal(o.instances, c.instances)
	if idle && (interval == 0 || time.Since(o.at) < interval*8/10) {
		return nil
	}
	ids, err := c.Nodes.Children(ctx, c.Tree.Triggers())
	if err := zk.Ignore(err, zk.ErrNoNode); err != nil {
		return err
	}
	patience := c.Host.Client.Session().Timeout
	waiting := make(map[string]orphaned)
	for _, id := range ids {
		if slices.Contains(c.instances, id) {
			continue
		}
		trigger, placed, err := c.Host.Client.Exists(ctx, c.Tree.Trigger(id))
		if err != nil {
			return err
		}
		if !placed {
			continue
		}
		known := o.since[id]
		if known.placed != trigger.Czxid {
			known = orphaned{trigger.Czxid, time.Now()}
		}
		if time.Since(known.since) < patience {
			waiting[id] = known
			continue
		}
		if _, there, err := c.Host.Client.Exists(ctx, c.Tree.Instance(id)); err != nil || there {
			return err // An event is on its way.
		}
		if err := c.Host.Client.Delete(ctx, c.Tree.Trigger(id), trigger.Version); zk.Ignore(zk.Ignore(err, zk.ErrNoNode), zk.ErrBadVersion) != nil {
			return err
		}
		c.Log.InfoContext(ctx, "a trigger was dropped: the instance has left", "instance", id)
	}
	*o = orphans{looked: true, at: time.Now(), instances: slices.Clone(c.instances), since: waiting}
	if len(waiting) > 0 {
		c.job.Retry(patience)
	}
	return nil
}

// startReshard begins a resharding unless one is under way.
func (c *Controller) startReshard(epoch uint64) {
	known := c.latest
	if known.Owners == nil && c.founded {
		// Assigned by the transaction that founded the job, with the flags' parent;
		// no flag has been set before the one that is now.
		known = reshard.Assignment{Owners: c.assigned, At: reshard.FlagHistory{Czxid: c.Cache.Get(c.Tree.Server(c.Host.IP)).Stat.Czxid}}
	}
	if !c.Resharding.Begin() {
		return
	}
	c.Host.Tasks.Go(func() {
		if !c.job.Guard("resharding", func() { c.workReshard(epoch, known) }) {
			c.Resharding.Abort()
		}
	})
}

func (c *Controller) workReshard(epoch uint64, known reshard.Assignment) {
	o := c.Resharding.Run(c.Life, epoch, known, func(o reshard.Outcome) {
		if o.Assigned || o.Err != nil && c.Life.Err() == nil {
			c.Host.Report(c.Tree.Name(), host.Observation{Event: host.Resharded, Took: o.Took, Err: o.Err})
		}
	})
	switch {
	case o.Err == nil:
		c.Obstacles.Clear(obstacle.Assign)
		// Look again: the instances may have changed meanwhile, and the
		// events of our own writes may have been lost.
		c.mu.Lock()
		c.rereadDue = true
		c.mu.Unlock()
		if !o.Assigned { // There was nothing to do, which the watches may not know for a while.
			c.job.Retry(nodes.RetryFirst)
			return
		}
		c.job.Kick()
	case o.Passing:
		c.job.Retry(nodes.RetryFirst)
	default:
		if !o.Repeated {
			c.Log.Error("resharding failed; the job does not run until it succeeds", "err", o.Err)
		}
		c.job.Hinder(obstacle.Assign, o.Err)
		c.job.Retry(nodes.RetryLast)
	}
}

// resharded is a job as resharding knows it.
type resharded struct{ c *Controller }

// Resharded is the job as resharding knows it.
func (c *Controller) Resharded() reshard.Job { return resharded{c} }

// Strategy implements [reshard.Job].
func (r resharded) Strategy(name string) (reshard.Strategy, error) {
	return r.c.strategies.ByName(name)
}

// Now implements [reshard.Job].
func (r resharded) Now() time.Time { return r.c.Host.Time() }

// LedSince implements [reshard.Job].
func (r resharded) LedSince() time.Time { return r.c.Cache.Get(r.c.Tree.LeaderInstance()).Stat.Ctime }

// Held implements [reshard.Job].
func (r resharded) Held() bool { return r.c.Cache.Held().Schedule() }

// FlagChanges implements [reshard.Job].
func (r resharded) FlagChanges() uint64 { return r.c.Cache.FlagChanges() }

// Suspect implements [reshard.Job].
func (r resharded) Suspect(shards bool) {
	if shards {
		r.c.Cache.Suspect()
	} else {
		r.c.Cache.SuspectIf(r.c.Cache.NotOfShard)
	}
}
