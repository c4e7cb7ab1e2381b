package lead

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/firerecord"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/obstacle"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/reshard"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/run"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/usercode"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/lazymap"
	"github.com/elasticjob-go/elasticjob/internal/sharding"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/recipe"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

type Job interface {
	run.Job
	// Leaving reports whether the job is stopping.
	Leaving() bool
}

// Facts are the facts for a leader's decisions in one step.
type Facts struct {
	View      *view.View
	Owners    []string           // of each shard, "" if there is none; nil before they were read
	Assigned  reshard.Assignment // the same as read
	Instances []string           // live instances, descending
	ConfigAt  int64              // transaction of the configuration in the view
	EraNoted  bool               // the transaction that founded the job wrote its era
}

// Leader performs the leader's duties for one job while this instance leads. Only the control
// goroutine may call it.
type Leader struct {
	*run.Parts
	job        Job
	strategies *usercode.Strategies
	facts      Facts // of the current step
	term       term
	// tidyDue is set if a setting was switched off, so its markers must be removed.
	tidyDue bool
	again   atomic.Bool // the assignment must be read again
}

// term is the memory of a leader between steps. It starts empty with each term, because the past is
// unknown.
type term struct {
	leading     bool
	tracked     []string // nodes that are watched only while leading
	knowsClaims bool     // claims of instances that died before this term were released
	absent      absentees
	era         int64 // transaction of the configuration with the noted era
	orphans     orphans
	unassigned  int // shards, as reported last
}

// New returns a leader outside a term.
func New(p *run.Parts, job Job) *Leader {
	return &Leader{Parts: p, job: job, strategies: usercode.NewStrategies(p.Life, p.Def.Plugins.Strategies)}
}

// Founded records that this instance has founded the job, so there are no other servers and no
// triggers.
func (l *Leader) Founded() {
	l.term.absent.at = time.Now()
	l.term.orphans = orphans{looked: true, at: time.Now(), instances: []string{l.Self.ID()}}
}

// SwitchedOff records that a setting was switched off, so that its markers are removed.
func (l *Leader) SwitchedOff() { l.tidyDue = true }

// Tracks reports whether a node is watched because this instance leads.
func (l *Leader) Tracks(path string) bool { return slices.Contains(l.term.tracked, path) }

// AskAgain requests another read of the assignment.
func (l *Leader) AskAgain() { l.again.Store(true) }

// Asked reports and clears the request of AskAgain.
func (l *Leader) Asked() bool { return l.again.Swap(false) }

// Step competes for leadership if no instance leads, and performs the leader's duties.
func (l *Leader) Step(ctx context.Context, f Facts) error {
	l.facts = f
	if err := l.elect(ctx, f.View); err != nil {
		return fmt.Errorf("elect: %w", err)
	}
	if err := l.leadDuties(ctx, f.View); err != nil {
		return fmt.Errorf("lead: %w", err)
	}
	return nil
}

// elect competes for leadership if no instance leads and this one may. It resigns if our server is
// disabled.
func (l *Leader) elect(ctx context.Context, v *view.View) error {
	leader := l.Cache.Get(l.Tree.LeaderInstance())
	switch {
	case leader.Exists && !v.Enabled && string(leader.Data) == l.Self.ID():
		return l.resignDisabled(ctx, v)
	case leader.Exists || !v.Enabled:
		return nil
	}
	err := l.Nodes.Hold(ctx, l.Tree.ElectionLatch(), func(ctx context.Context, place *recipe.Place) error {
		// Check our own instance, because a removed job must not be created again.
		_, err := l.Nodes.Commit(ctx, place, [][]zk.Op{{zk.CheckOp(l.Tree.Instance(l.Self.ID()), zk.AnyVersion),
			zk.CreateOp(l.Tree.LeaderInstance(), []byte(l.Self.ID()), zk.Ephemeral)}})
		if errors.Is(err, zk.ErrNodeExists) {
			l.Cache.Suspect() // Another instance was elected while we waited, or the watch event was lost.
		}
		return zk.Ignore(err, zk.ErrNodeExists, zk.ErrNoNode)
	})
	if err != nil {
		return err
	}
	if l.job.Leaving() {
		// The job began to stop in the meantime and gave up a leadership that it didn't have yet.
		return l.Resign(ctx)
	}
	return l.Cache.Refresh(ctx)
}

// resignDisabled resigns because our server was disabled. It first announces a resharding, because
// a Java agent may have seen the server's change already as a follower, and doesn't look back when
// it is elected.
func (l *Leader) resignDisabled(ctx context.Context, v *view.View) error {
	if v.Config != nil && !v.Config.StaticSharding {
		if err := l.AnnounceResharding(ctx); err != nil {
			return err
		}
	}
	if err := l.Resign(ctx); err != nil {
		return err
	}
	return l.Cache.Refresh(ctx) // Otherwise the rest of the step would still lead.
}

// Resign deletes the leader node if it belongs to this instance.
func (l *Leader) Resign(ctx context.Context) error {
	return l.Nodes.DeleteIfData(ctx, l.Tree.LeaderInstance(), l.Self.ID())
}

// Leads reports whether this instance leads under its current session.
func (l *Leader) Leads() bool {
	leader := l.Cache.Get(l.Tree.LeaderInstance())
	return leader.Exists && string(leader.Data) == l.Self.ID() && leader.Stat.EphemeralOwner == l.Host.Client.Session().ID
}

// leadDuties announces and starts reshardings, and cleans up after dead instances. It does nothing
// unless this instance leads.
func (l *Leader) leadDuties(ctx context.Context, v *view.View) error {
	if !l.Leads() {
		if l.term.leading {
			l.EndTerm()
		}
		return nil
	}
	l.term.leading = true
	if v.Config == nil {
		return nil
	}
	available, err := l.available(ctx)
	if err != nil {
		return err
	}
	if l.tidyDue { // not before the shards are watched
		tidied, err := l.tidyMarkers(ctx)
		if err != nil {
			return err
		}
		l.tidyDue = !tidied
	}
	if err := l.keepEra(ctx); err != nil {
		return err
	}
	if v.Config.Failover && !l.term.knowsClaims { // before a resharding checks the missed fire times
		shards := jobtree.ItemNumbers(l.Cache.Children(l.Tree.Sharding()))
		if err := l.Resharding.ReleaseClaims(ctx, shards, l.Cache.Instances()); err != nil {
			return fmt.Errorf("release claims of departed instances: %w", err)
		}
		l.term.knowsClaims = true
	}
	l.observeUnassigned(available)
	_, busy := l.Cache.Flagged()
	if !busy {
		reason := l.reshardReason(v, available)
		if reason != "" && l.Resharding.JustEnded() {
			// The server's answers have just led to an assignment. If the watched nodes call for
			// another one, an event may be lost, so compare them first. Changes arrive as a kick.
			// The nodes of shards needn't be compared, because their owners were read.
			l.Cache.SuspectIf(l.Cache.NotOfShard)
			before := l.Cache.Events()
			if err := l.Cache.Refresh(ctx); err != nil || before != l.Cache.Events() {
				return err
			}
		}
		if reason != "" {
			l.Log.DebugContext(ctx, "resharding announced", "reason", reason)
			if err := l.AnnounceResharding(ctx); err != nil {
				return err
			}
			busy = true
		}
	}
	if busy && len(available) > 0 {
		l.startReshard(v.Epoch)
	}
	if err := l.sweepTriggers(ctx, v); err != nil {
		return fmt.Errorf("look for triggers of departed instances: %w", err)
	}
	return l.sweepServers(ctx, v)
}

// AnnounceResharding sets the flag that all agents obey, including Java's.
func (l *Leader) AnnounceResharding(ctx context.Context) error {
	led := zk.CheckOp(l.Tree.LeaderInstance(), zk.AnyVersion)
	return zk.Ignore(l.Nodes.CreateIf(ctx, led, l.Tree.Necessary(), nil, zk.Persistent), zk.ErrNodeExists)
}

// available returns the instances that may get shards because their server is enabled, descending.
// The leader watches the nodes involved.
func (l *Leader) available(ctx context.Context) ([]string, error) {
	for {
		var want, ids []string
		status := func(ip string) ([]byte, bool) {
			server := l.Tree.Server(ip)
			if !slices.Contains(want, server) {
				want = append(want, server)
			}
			node := l.Cache.Get(server)
			return node.Data, node.Exists
		}
		for _, id := range l.Cache.Instances() {
			info := jobtree.InstanceInfo{ID: id, ServerIP: l.Host.IP}
			var standing jobtree.Standing
			if id == l.Self.ID() {
				standing = info.Standing(jobconfig.Generation3x, status)
			} else {
				node := l.Tree.Instance(id)
				want = append(want, node)
				info, standing, _ = jobtree.JudgeInstance(id, l.Cache.Get(node).Data, jobconfig.Generation3x, status)
			}
			if standing == jobtree.Serves {
				ids = append(ids, info.ID)
			}
		}
		want = append(want, l.Tree.Sharding())
		changed := false
		for _, path := range want {
			if slices.Contains(l.term.tracked, path) {
				continue
			}
			changed = true
			if path == l.Tree.Sharding() {
				l.Cache.WatchChildren(path)
			} else {
				l.Cache.Watch(path)
			}
		}
		l.untrack(want)
		if !changed {
			sharding.SortInstances(ids)
			return ids, nil
		}
		if err := l.Cache.Refresh(ctx); err != nil {
			return nil, err
		}
	}
}

// untrack stops watching the nodes that only a leader needs, except those in keep. Every instance
// watches its own server, so that stays.
func (l *Leader) untrack(keep []string) {
	for _, path := range l.term.tracked {
		if !slices.Contains(keep, path) && path != l.Tree.Server(l.Host.IP) {
			l.Cache.Forget(path)
		}
	}
	l.term.tracked = keep
}

// EndTerm drops the state that only a leader needs.
func (l *Leader) EndTerm() {
	l.untrack(nil)
	l.reportUnassigned(0) // The next leader reports it.
	l.term = term{}
	l.Resharding.Forget()
}

// reshardReason returns why the shards must be assigned again, or "" if they needn't be. It decides
// by facts, so a flag that a dying leader didn't set or a lost watch event does no harm.
func (l *Leader) reshardReason(v *view.View, available []string) string {
	if l.facts.Owners == nil {
		return ""
	}
	return sharding.State{
		Shards: v.Config.Shards, Strategy: v.Config.StrategyType, Static: v.Config.StaticSharding,
		Existing: len(jobtree.ItemNumbers(l.Cache.Children(l.Tree.Sharding()))), Owners: l.facts.Owners, Instances: available,
		NextLeft: l.Cache.StuckRotation(v.Config), Basis: l.Resharding.Basis(),
		Wanted: func() (map[string][]int, error) { // An instance may have come before the term.
			return l.Assign(v.Config.StrategyType, available, v.Config.Shards)
		},
	}.Reason()
}

// tidyMarkers removes the markers of settings that were switched off: failover markers, running
// markers for monitorExecution, misfire markers. A shard that was offered for failover has missed
// its fire time then.
//
// Each transaction checks the configuration. Otherwise, if a setting was switched on again right
// away, we'd remove its new markers, and the next leader couldn't see a run that was just marked.
// It reports false if the configuration has changed since, so the next step uses the new one.
func (l *Leader) tidyMarkers(ctx context.Context) (bool, error) {
	config := l.facts.View.Config
	var outdated atomic.Bool
	unedited := zk.CheckOp(l.Tree.Config(), l.facts.View.ConfigVersion)
	removed := func(err error) (bool, error) {
		if errors.Is(err, zk.ErrBadVersion) {
			outdated.Store(true)
			return false, nil
		}
		return err == nil, zk.Ignore(err, zk.ErrNoNode)
	}
	remove := func(ctx context.Context, path string) (bool, error) {
		return removed(l.Host.Client.Multi(ctx, unedited, zk.DeleteOp(path, zk.AnyVersion)))
	}
	shards := jobtree.ItemNumbers(l.Cache.Children(l.Tree.Sharding()))
	waited, err := nodes.Where(ctx, shards, func(ctx context.Context, n int) (withdrawn bool, err error) {
		var paths []string
		if !config.Failover {
			paths = append(paths, l.Tree.ItemFailover(n))
			if _, err := removed(l.Failover.DropClaim(ctx, n, unedited)); err != nil {
				return false, err
			}
			if withdrawn, err = remove(ctx, l.Tree.FailoverItem(n)); err != nil {
				return false, err
			}
		}
		if !config.MonitorExecution {
			paths = append(paths, l.Tree.ItemRunning(n))
		}
		if !config.Misfire {
			paths = append(paths, l.Tree.ItemMisfire(n))
		}
		for _, path := range paths {
			_, failed := remove(ctx, path)
			err = errors.Join(err, failed)
		}
		return withdrawn, err
	})
	if err != nil {
		return false, err
	}
	return !outdated.Load(), l.Misfires.MarkWithdrawn(ctx, l.facts.View.Settings, waited)
}

// observeUnassigned reports the number of shards without an owner that could run them, when it
// changes.
func (l *Leader) observeUnassigned(available []string) {
	if l.Host.Observe == nil || l.facts.Owners == nil {
		return
	}
	present := make(map[string]bool, len(available))
	for _, id := range available {
		present[id] = true
	}
	count := 0
	for _, owner := range l.facts.Owners {
		if !present[owner] {
			count++
		}
	}
	l.reportUnassigned(count)
}

func (l *Leader) reportUnassigned(count int) {
	if l.term.unassigned != count {
		l.term.unassigned = count
		l.Host.Report(l.Tree.Name(), host.Observation{Event: host.Unassigned, Items: count})
	}
}

// Server nodes are persistent, because they hold an operator's choice. If each new pod has a new
// address, they would pile up forever. So the leader removes ENABLED nodes (the default) without an
// instance at two audits in a row. A disabled server stays disabled until an operator enables it.

// absentees are the servers without an instance at the last audit, and the transaction of the last
// write to their nodes. Java's agents write it at their start, just before they create their
// instance.
type absentees struct {
	at      time.Time
	written map[string]int64
	left    time.Time // when the nodes of departed agents were last checked
}

const (
	// rememberLeft is how long the registry remembers an orderly departure, or crowdedLeft if there
	// are more than manyLeft. lookLeft is how often the leader looks for older ones.
	rememberLeft = 24 * time.Hour
	crowdedLeft  = 5 * time.Minute
	manyLeft     = 20
	lookLeft     = time.Hour
)

// sweepLeft removes the nodes of agents that left long ago.
func (l *Leader) sweepLeft(ctx context.Context) error {
	last, old := &l.term.absent, rememberLeft
	ids, err := l.Nodes.Children(ctx, l.Tree.AllLeft())
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
		stat, exists, err := l.Host.Client.Exists(ctx, l.Tree.Left(ids[i]))
		if err != nil || !exists || l.Host.Time().Sub(stat.Mtime) < old {
			return err
		}
		return zk.Ignore(l.Host.Client.Delete(ctx, l.Tree.Left(ids[i]), zk.AnyVersion), zk.ErrNoNode)
	})
}

// sweepServers removes the nodes of offline servers, at most once per audit.
func (l *Leader) sweepServers(ctx context.Context, v *view.View) error {
	last := &l.term.absent
	interval := v.Config.ReconcileInterval()
	if interval <= 0 || time.Since(last.at) < interval*8/10 {
		return nil
	}
	if err := l.sweepLeft(ctx); err != nil {
		return err
	}
	servers, err := l.Nodes.Children(ctx, l.Tree.Servers())
	if err != nil {
		return zk.Ignore(err, zk.ErrNoNode)
	}
	present := l.Cache.PresentServers()
	offline := slices.DeleteFunc(servers, func(ip string) bool { return present[ip] })
	var mu sync.Mutex
	next := absentees{at: time.Now(), left: last.left}
	removed := 0
	if err := nodes.Each(ctx, len(offline), func(ctx context.Context, i int) error {
		ip := offline[i]
		status, stat, err := l.Host.Client.Get(ctx, l.Tree.Server(ip))
		if err != nil || string(status) != jobtree.ServerEnabled {
			return zk.Ignore(err, zk.ErrNoNode)
		}
		again := last.written[ip] == stat.Mzxid
		if again {
			err = zk.Ignore(l.Host.Client.Delete(ctx, l.Tree.Server(ip), stat.Version), zk.ErrNoNode)
		}
		mu.Lock()
		defer mu.Unlock()
		if again && err == nil {
			removed++
			return nil
		}
		lazymap.Put(&next.written, ip, stat.Mzxid)
		return zk.Ignore(err, zk.ErrBadVersion) // An instance is starting there, or an operator has disabled it.
	}); err != nil {
		return err
	}
	*last = next
	if removed > 0 {
		l.Log.InfoContext(ctx, "removed servers without an instance", "servers", removed)
	}
	return nil
}

// orphans is a leader's memory of triggers for missing instances.
type orphans struct {
	looked    bool                // the leader looked for them in this term
	at        time.Time           // when it last looked for them
	instances []string            // the instances at that time
	since     map[string]orphaned // by instance
}

type orphaned struct {
	placed int64 // transaction
	since  time.Time
}

// sweepTriggers removes triggers for instances that have been gone for a session timeout, the time
// in which an instance can reconnect. No other instance takes them, and an instance with the same
// name would run much later. The leader looks for them when its term begins, when instances change,
// and at the reconcile interval.
func (l *Leader) sweepTriggers(ctx context.Context, v *view.View) error {
	o := &l.term.orphans
	interval := v.Config.ReconcileInterval()
	idle := o.looked && len(o.since) == 0 && slices.Equal(o.instances, l.facts.Instances)
	if idle && (interval == 0 || time.Since(o.at) < interval*8/10) {
		return nil
	}
	ids, err := l.Nodes.Children(ctx, l.Tree.Triggers())
	if err := zk.Ignore(err, zk.ErrNoNode); err != nil {
		return err
	}
	patience := l.Host.Client.Session().Timeout
	waiting := make(map[string]orphaned)
	for _, id := range ids {
		if slices.Contains(l.facts.Instances, id) {
			continue
		}
		trigger, placed, err := l.Host.Client.Exists(ctx, l.Tree.Trigger(id))
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
		if _, there, err := l.Host.Client.Exists(ctx, l.Tree.Instance(id)); err != nil || there {
			return err // Its event will come.
		}
		if err := l.Host.Client.Delete(ctx, l.Tree.Trigger(id), trigger.Version); zk.Ignore(err, zk.ErrNoNode, zk.ErrBadVersion) != nil {
			return err
		}
		l.Log.InfoContext(ctx, "trigger dropped: its instance has left", "instance", id)
	}
	*o = orphans{looked: true, at: time.Now(), instances: slices.Clone(l.facts.Instances), since: waiting}
	if len(waiting) > 0 {
		l.job.Retry(patience)
	}
	return nil
}

func (l *Leader) startReshard(epoch uint64) {
	known := l.facts.Assigned
	if !l.Resharding.Begin() {
		return
	}
	l.Host.Tasks.Go(func() {
		if !l.job.Guard("resharding", func() { l.workReshard(epoch, known) }) {
			l.Resharding.Abort()
		}
	})
}

func (l *Leader) workReshard(epoch uint64, known reshard.Assignment) {
	o := l.Resharding.Run(l.Life, epoch, known, func(o reshard.Outcome) {
		if o.Assigned || o.Err != nil && l.Life.Err() == nil {
			l.Host.Report(l.Tree.Name(), host.Observation{Event: host.Resharded, Took: o.Took, Err: o.Err})
		}
	})
	switch {
	case o.Err == nil:
		l.Obstacles.Clear(obstacle.Assign)
		// Look again, because the instances may have changed since, and the events of our own
		// writes may have been lost.
		l.AskAgain()
		if !o.Assigned { // There was nothing to do, but the watches may not know that yet.
			l.job.Retry(nodes.RetryFirst)
			return
		}
		l.job.Kick()
	case o.Passing:
		l.job.Retry(nodes.RetryFirst)
	default:
		if !o.Repeated {
			l.Log.Error("resharding failed; the job won't run until it succeeds", "err", o.Err)
		}
		l.job.Hinder(obstacle.Assign, o.Err)
		l.job.Retry(nodes.RetryLast)
	}
}

// keepEra updates the era note to match the configuration. A job that has never kept records needs
// no note.
func (l *Leader) keepEra(ctx context.Context) error {
	node := l.Cache.Get(l.Tree.Config())
	if l.term.era == node.Stat.Mzxid || node.Stat.Mzxid != l.facts.ConfigAt || l.facts.View.Config == nil || l.facts.View.Broken != nil {
		return nil // The event of a newer configuration will come, or this one is invalid.
	}
	if l.facts.EraNoted {
		l.term.era = node.Stat.Mzxid
		return nil
	}
	config := l.facts.View.Config
	era, noted, err := l.Misfires.ReadEra(ctx, l.facts.View.Settings)
	if err != nil {
		return err
	}
	unseen := l.term.era == 0 && noted.Era.Version != node.Stat.Version // No leader has noted this edit.
	if noted.Exists && (unseen || noted.Era.Settings != era.Settings) {
		// A leader that saw the edit may have died before it removed the markers.
		if tidied, err := l.tidyMarkers(ctx); err != nil || !tidied {
			return err
		}
	}
	switch {
	case noted.Exists && noted.Era != era:
		_, err = l.Host.Client.Set(ctx, l.Tree.FireRecords(), era.Encode(), noted.Version)
	case !noted.Exists && firerecord.Enabled(config):
		err = l.Nodes.Create(ctx, l.Tree.FireRecords(), era.Encode(), zk.Persistent)
	}
	if errors.Is(err, zk.ErrBadVersion) || errors.Is(err, zk.ErrNodeExists) {
		return nil // Another instance led just now, or created the node, so the next step looks again.
	}
	if err == nil {
		l.term.era = node.Stat.Mzxid
	}
	return zk.Ignore(err, zk.ErrNoNode)
}

// Assign implements [reshard.Assign].
func (l *Leader) Assign(strategy string, instances []string, shards int) (map[string][]int, error) {
	return l.strategies.Assign(strategy, instances, l.Tree.Name(), shards)
}
