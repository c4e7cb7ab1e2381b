package control

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/lead"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/reshard"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/run"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/timers"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// Controller brings one job in line with the tree. Only the control goroutine may call its methods,
// unless their comments allow more.
type Controller struct {
	*run.Parts
	worker *run.Worker
	leader *lead.Leader
	job    lead.Job
	audit  *timers.Timer // slowly rereads the tree, with jitter, in case a watch event was lost

	mu       sync.Mutex
	auditDue bool // guarded by mu

	known     bool              // the registry has the job, or may have it
	returned  bool              // the session was lost, so shards of this instance may have been interrupted
	noted     bool              // the founding transaction wrote the era
	founded   bool              // this instance wrote the first configuration
	untouched bool              // the founding transaction assigned the shards, and the flags have not been read since
	inherited map[int]time.Time // newest fire time completed by the previous owner of each of our shards
	turn      view.Turn         // for a job that rotates
	off       map[int]bool      // our shards that are disabled, as last seen
	on        map[int]time.Time // when each of our disabled shards was enabled again
	held      view.Tenures      // of our shards
	view.Settings
	configAt int64              // transaction of the config last read
	assigned []string           // owner of each shard, "" if there is none; nil before it was read
	latest   reshard.Assignment // the assignment as read
	seen     uint64             // changes of the resharding flags when assigned was read
	mine     []int
	arrived  []int     // shards that came to this instance in this step
	lookedAt time.Time // when missed fire times of these shards were last looked up
	// born is the newest transaction among the instances when this one first appeared there.
	// Everything assigned to its id before that was assigned to another process.
	born      int64
	gained    map[int]bool // our shards with fire records that have not been checked yet
	unclaimed bool         // an edit makes us check our records: it enabled records or ended a rotation
	rotated   bool         // an edit has ended a rotation, so records name the last instance that ran the shard
	instances []string     // live instances of the previous step, descending
	departing []string     // instances that were shut down but still run something
	Doubts    []int        // failover shards to offer again, because their claim wasn't answered or isn't wanted
	rotating  []string     // watched for a job with a rotating shard
	share     share
}

func New(p *run.Parts, worker *run.Worker, job lead.Job) *Controller {
	c := &Controller{Parts: p, worker: worker, job: job, leader: lead.New(p, job)}
	c.audit = timers.NewTimer(func(time.Time) { job.Guard("audit timer", c.onAudit) })
	return c
}

// Reset forgets the configuration, so that the next step reads it again.
func (c *Controller) Reset() { c.Config, c.configAt, c.Broken = nil, 0, nil }

// StopAudit stops the audits until the next registration. It's safe for concurrent use.
func (c *Controller) StopAudit() { c.Host.Timers.Stop(c.audit) }

// Follow makes one control step: it reads the changes, publishes a view and acts on it. removed is
// set if an operator has shut the job down on this instance.
func (c *Controller) Follow(ctx context.Context, session zk.Session) (removed bool, err error) {
	events := c.Cache.Events()
	if err := c.refresh(ctx); err != nil {
		return false, fmt.Errorf("refresh: %w", err)
	}
	if c.born == 0 {
		c.born = c.Cache.Get(c.Tree.Instances()).Stat.Pzxid
	}
	if removed, err := c.removedByOperator(ctx); removed || err != nil {
		return removed, err
	}
	c.readConfig()
	if err := c.readAssignments(ctx); err != nil {
		return false, fmt.Errorf("read assignments: %w", err)
	}
	if err := c.trackRotation(ctx); err != nil {
		return false, fmt.Errorf("watch the next instance: %w", err)
	}
	if err := c.noteEnabled(ctx); err != nil {
		return false, fmt.Errorf("skip the fire times of a disabled shard: %w", err)
	}
	if err := c.Requested.Notice(ctx); err != nil {
		return false, fmt.Errorf("look for requested runs and a hold: %w", err)
	}
	if err := c.Requested.Publish(ctx, session); err != nil {
		return false, fmt.Errorf("publish the job's parameters: %w", err)
	}
	v := c.buildView(session.Epoch, events)
	c.publish(v)
	c.Requested.Follow(v, c.assigned)
	c.worker.NoteMissed(v.Epoch, c.overlooked(v))
	return false, c.duties(ctx, v)
}

// refresh reads the nodes that watches marked dirty. The nodes of shards wait until the shards have
// been assigned. Otherwise we'd read thousands of them while the leader writes, and most would no
// longer be ours afterwards.
func (c *Controller) refresh(ctx context.Context) error {
	if err := c.Cache.RefreshIf(ctx, c.Cache.NotOfShard); err != nil {
		return err
	}
	if _, busy := c.Cache.Flagged(); busy || c.assigned != nil && c.seen != c.Cache.FlagChanges() {
		// The assignments will show their changes, except for the disabled markers: fire times
		// count from the moment a shard is enabled, no matter how long the resharding waits for a
		// run.
		return c.Cache.RefreshIf(ctx, c.Tree.IsItemDisabled)
	}
	return c.Cache.Refresh(ctx)
}

// duties does all the work that the view demands of this instance.
func (c *Controller) duties(ctx context.Context, v *view.View) error {
	if !c.Cache.Get(c.Tree.Server(c.Host.IP)).Exists {
		// At its start, Java 3.0.5 deletes servers without instances.
		if err := c.announceServer(ctx); err != nil {
			return fmt.Errorf("register server again: %w", err)
		}
	}
	if err := c.takeTrigger(ctx); err != nil {
		return fmt.Errorf("trigger: %w", err)
	}
	if err := c.returnClaims(ctx); err != nil {
		return fmt.Errorf("offer claimed shards again: %w", err)
	}
	previous := slices.Concat(c.instances, c.departing)
	c.departing = nil
	c.instances = c.Cache.Instances()
	if err := c.handleCrashes(ctx, v, previous); err != nil {
		return fmt.Errorf("failover: %w", err)
	}
	if err := c.leader.Step(ctx, c.facts(v)); err != nil {
		return err
	}
	if err := c.claimShare(ctx, v); err != nil {
		return fmt.Errorf("claim a share of the shards: %w", err)
	}
	if err := c.takeFailover(ctx, v); err != nil {
		return fmt.Errorf("take failover: %w", err)
	}
	if v.Settled && v.Enabled && !v.Hold.Schedule() {
		if err := c.catchUp(ctx, v); err != nil {
			return fmt.Errorf("catch up: %w", err)
		}
		if err := c.markLateMisfires(ctx); err != nil {
			return fmt.Errorf("look for fire times missed before an edit was known: %w", err)
		}
	}
	if v.Settled && v.Enabled && v.Broken == nil && v.Config.Misfire && !v.Hold.Schedule() && slices.ContainsFunc(v.Shards, view.Shard.MisfireDue) {
		c.worker.Misfire()
	}
	return nil
}

// Assign implements [reshard.Assign].
func (c *Controller) Assign(strategy string, instances []string, shards int) (map[string][]int, error) {
	return c.leader.Assign(strategy, instances, shards)
}

func (c *Controller) facts(v *view.View) lead.Facts {
	f := lead.Facts{View: v, Owners: c.assigned, Assigned: c.latest, Instances: c.instances, ConfigAt: c.configAt}
	f.EraNoted = c.noted && c.isDeclaredConfig(c.Cache.Get(c.Tree.Config()))
	if f.Assigned.Owners == nil && c.founded {
		// The transaction that founded the job assigned the shards and created the flags' parent.
		// No earlier flag can exist.
		f.Assigned = reshard.Assignment{Owners: c.assigned, At: reshard.FlagHistory{Czxid: c.Cache.OwnServer().Stat.Czxid}}
	}
	return f
}

// removedByOperator detects that our instance node was deleted although our session is alive:
// ElasticJob's command to shut the job down on this instance. A lost session is handled elsewhere.
func (c *Controller) removedByOperator(ctx context.Context) (bool, error) {
	if slices.Contains(c.Cache.Children(c.Tree.Instances()), c.Self.ID()) {
		return false, nil
	}
	stat, exists, err := c.Host.Client.Exists(ctx, c.Tree.Instance(c.Self.ID()))
	if err != nil {
		return false, fmt.Errorf("look for our instance: %w", err)
	}
	if exists && c.Host.Ours(stat.EphemeralOwner) {
		return false, nil // The list is older than the node. Its event will come.
	}
	c.Log.InfoContext(ctx, "job shut down on this instance by an operator; restart the agent to serve it again", "instance", c.Self.ID())
	if err := errors.Join(c.leader.Resign(ctx), c.Requested.EndStewardship(ctx)); err != nil {
		return true, err
	}
	return true, nil
}

func (c *Controller) publish(v *view.View) {
	var coming []int
	if !v.Settled {
		coming = slices.DeleteFunc(slices.Clone(c.mine), func(n int) bool { return c.Cache.Get(c.Tree.ItemDisabled(n)).Exists })
	}
	c.Latest.Publish(v, coming)
}

// onAudit compares everything watched with the server, at the job's reconcile interval with jitter.
func (c *Controller) onAudit() {
	c.mu.Lock()
	c.auditDue = true
	c.mu.Unlock()
	c.Cache.Suspect()
	c.Requested.Suspect()
	c.job.Kick()
	v, _ := c.Latest.Get()
	if v == nil {
		c.scheduleAudit(nil)
	} else {
		c.scheduleAudit(v.Config)
	}
}

// scheduleAudit sets the timer of the next audit. If config is nil because no valid one was read
// yet, the declared configuration counts.
func (c *Controller) scheduleAudit(config *jobconfig.Config) {
	if config == nil {
		config = c.Def.Config
	}
	interval := config.ReconcileInterval()
	if interval == 0 {
		c.Host.Timers.Stop(c.audit)
		return
	}
	c.Host.Timers.After(c.audit, interval*9/10+rand.N(interval/5))
}
