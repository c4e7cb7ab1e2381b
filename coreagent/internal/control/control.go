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

// Controller brings one job in line with the tree. Only the control goroutine may call it, except
// methods with another rule in their comment.
type Controller struct {
	*run.Parts
	worker *run.Worker
	leader *lead.Leader
	job    lead.Job
	audit  *timers.Timer // slowly rereads the tree, with jitter, in case a watch was lost

	mu       sync.Mutex
	auditDue bool // guarded by mu

	known     bool              // the registry has the job, or may have it
	returned  bool              // the session was lost, so own shards may have been interrupted
	noted     bool              // with it, its era was noted
	founded   bool              // this instance wrote the first configuration
	untouched bool              // the founding transaction has assigned, and the flags were not read since
	inherited map[int]time.Time // newest fire time completed by the previous owner of an own shard
	turn      view.Turn         // of a job that rotates
	off       map[int]bool      // own shards that are disabled, as last seen
	on        map[int]time.Time // own shards that were disabled: when each was enabled again
	held      view.Tenures      // of own shards
	view.Settings
	configAt int64              // transaction of the config that was read
	assigned []string           // owner of each shard, "" for none; nil before it was read
	latest   reshard.Assignment // the same as it was read
	seen     uint64             // changes of the resharding flags when assigned was read
	mine     []int
	arrived  []int     // shards that came here in this step
	lookedAt time.Time // when missed fire times of these shards were looked for
	// born is the newest transaction among the instances when this one first saw
	// itself there. What was assigned to its id before that was assigned to
	// another process.
	born      int64
	gained    map[int]bool // own shards whose fire records were not looked at yet
	unclaimed bool         // an edit has switched records on, or ended a rotation: those of own shards are another's, or not there
	rotated   bool         // an edit has ended a rotation: records name who ran a shard last
	instances []string     // live instances of the previous step, descending
	departing []string     // instances that were shut down and still run something
	doubts    []int        // failover shards to be offered again: their claim was not answered, or is not wanted
	rotating  []string     // watched for a job whose shard rotates
	share     share
}

// New returns the controller of a job.
func New(p *run.Parts, worker *run.Worker, job lead.Job) *Controller {
	c := &Controller{Parts: p, worker: worker, job: job, leader: lead.New(p, job)}
	c.audit = timers.NewTimer(func(time.Time) { job.Guard("audit timer", c.onAudit) })
	return c
}

// Reset forgets the configuration, so that it is read and followed again.
func (c *Controller) Reset() { c.Config, c.configAt, c.Broken = nil, 0, nil }

// Doubts are failover shards whose claim was not answered, or isn't wanted.
func (c *Controller) Doubts() []int { return c.doubts }

// StopAudit ends the audits until the next registration. It may be called from any goroutine.
func (c *Controller) StopAudit() { c.Host.Timers.Stop(c.audit) }

// Follow makes a control step: it reads what has changed, publishes a view and does what the view
// demands. Removed is set if an operator has shut the job down on this instance.
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
		return false, fmt.Errorf("account for the time in which a shard was disabled: %w", err)
	}
	if err := c.Requested.Notice(ctx); err != nil {
		return false, fmt.Errorf("look for requested runs and a hold: %w", err)
	}
	if err := c.Requested.Publish(ctx, session); err != nil {
		return false, fmt.Errorf("say which parameters the job takes: %w", err)
	}
	v := c.buildView(session.Epoch, events)
	c.publish(v)
	c.Requested.Follow(v, c.assigned)
	c.worker.NoteMissed(v.Epoch, c.overlooked(v))
	return false, c.duties(ctx, v)
}

// refresh reads what watches marked dirty. Those of shards wait until the shards
// have been assigned: before, they would be read for nothing, a thousand at a
// time while the leader writes, and after it most are not ours any more.
func (c *Controller) refresh(ctx context.Context) error {
	if err := c.Cache.RefreshIf(ctx, c.Cache.NotOfShard); err != nil {
		return err
	}
	if _, busy := c.Cache.Flagged(); busy || c.assigned != nil && c.seen != c.Cache.FlagChanges() {
		// What they say comes with the assignments, but for the switches: fire times
		// count from the moment on in which a shard is enabled, however long the
		// resharding waits for a run.
		return c.Cache.RefreshIf(ctx, c.Tree.IsItemDisabled)
	}
	return c.Cache.Refresh(ctx)
}

// duties does what the view demands of this instance.
func (c *Controller) duties(ctx context.Context, v *view.View) error {
	if !c.Cache.Get(c.Tree.Server(c.Host.IP)).Exists {
		// Java 3.0.5 deletes at its start the servers that have no instance yet.
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
		if err := c.heedLateNews(ctx); err != nil {
			return fmt.Errorf("look for what was missed before an edit was known: %w", err)
		}
	}
	if v.Settled && v.Enabled && v.Broken == nil && v.Config.Misfire && !v.Hold.Schedule() && slices.ContainsFunc(v.Shards, view.Shard.MisfireDue) {
		c.worker.Misfire()
	}
	return nil
}

// Resharded is the job as resharding knows it.
func (c *Controller) Resharded() reshard.Job { return c.leader }

// facts are the facts by which a leader judges.
func (c *Controller) facts(v *view.View) lead.Facts {
	f := lead.Facts{View: v, Owners: c.assigned, Assigned: c.latest, Instances: c.instances, ConfigAt: c.configAt}
	f.EraNoted = c.noted && c.wroteConfig(c.Cache.Get(c.Tree.Config()))
	if f.Assigned.Owners == nil && c.founded {
		// Assigned by the transaction that founded the job, with the flags' parent; no flag has been
		// set before the one that is now.
		f.Assigned = reshard.Assignment{Owners: c.assigned, At: reshard.FlagHistory{Czxid: c.Cache.OwnServer().Stat.Czxid}}
	}
	return f
}

// removedByOperator notices that our instance node was deleted while our
// session lives: ElasticJob's command to shut the job down on this instance.
// Losing the session is something else and does not come here.
func (c *Controller) removedByOperator(ctx context.Context) (bool, error) {
	if slices.Contains(c.Cache.Children(c.Tree.Instances()), c.Self.ID()) {
		return false, nil
	}
	stat, exists, err := c.Host.Client.Exists(ctx, c.Tree.Instance(c.Self.ID()))
	if err != nil {
		return false, fmt.Errorf("look for the own instance: %w", err)
	}
	if exists && c.Host.Ours(stat.EphemeralOwner) {
		return false, nil // The list is older than the node; an event is on its way.
	}
	c.Log.InfoContext(ctx, "job shut down on this instance by an operator; it serves again after a restart", "instance", c.Self.ID())
	if err := errors.Join(c.leader.Resign(ctx), c.Requested.EndStewardship(ctx)); err != nil {
		return true, err
	}
	return true, nil
}

// publish replaces the view.
func (c *Controller) publish(v *view.View) {
	var coming []int
	for _, n := range c.mine {
		if !v.Settled && !c.Cache.Get(c.Tree.ItemDisabled(n)).Exists {
			coming = append(coming, n)
		}
	}
	c.Latest.Publish(v, coming)
}

// onAudit compares everything watched with the server, jittered, at the pace
// of the job's reconcile interval.
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

// scheduleAudit sets the timer of the next audit by a configuration; nil, where none
// could be served yet, goes by what the code declares.
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
