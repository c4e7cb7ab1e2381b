package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/reshard"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// control is the state of the control goroutine between steps.
type control struct {
	known     bool              // the registry has the job, or may have it
	returned  bool              // the session was lost: own shards may have missed what was interrupted
	noted     bool              // with it, its era was noted
	founded   bool              // this instance wrote the first configuration
	givesWay  bool              // just founded: the other jobs of the agent are founded first
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
	lookedAt time.Time // when it was looked for what they have missed
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
	rereadDue bool         // guarded by Job.mu
	auditDue  bool         // guarded by Job.mu
	rotating  []string     // watched for a job whose shard rotates
	share     share
	lead      leadership
}

// step brings the job in line with the tree once, and announces what holds it up.
func (j *Job) step(ctx context.Context) error {
	if j.Host.Client.State() != zk.Connected {
		return nil // The transition to CONNECTED kicks.
	}
	session := j.Host.Client.Session()
	// A step that goes on under the next session would take the expiry of its
	// instance node for an operator's command to shut down.
	ctx = zk.UnderSession(ctx, session)
	if j.isLeaving() {
		return nil
	}
	err := j.follow(ctx, session)
	if j.Life.Err() != nil || j.isLeaving() {
		return err
	}
	if failed := j.Obstacles.Announce(ctx, session.ID, j.id); failed != nil {
		err = cmp.Or(err, fmt.Errorf("announce why the job isn't run: %w", failed))
	}
	return err
}

// follow brings the job in line with the tree.
func (j *Job) follow(ctx context.Context, session zk.Session) error {
	registers := j.needsRegistration(session.Epoch)
	if err := j.Misfires.Record(ctx, registers); err != nil {
		return fmt.Errorf("record what ended without a session: %w", err)
	}
	if registers {
		if err := j.prepareRegistration(ctx, session); err != nil {
			return err
		}
		if err := j.register(ctx, session); err != nil || j.Life.Err() != nil {
			return err // Refused for good, or removed while it was away: there is nothing to serve.
		}
		if j.control.givesWay {
			return nil
		}
	}
	j.accept(ctx)
	events := j.Cache.Events()
	if err := j.refresh(ctx); err != nil {
		return fmt.Errorf("refresh: %w", err)
	}
	if j.control.born == 0 {
		j.control.born = j.Cache.Get(j.Tree.Instances()).Stat.Pzxid
	}
	if removed, err := j.removedByOperator(ctx); removed || err != nil {
		return err
	}
	j.readConfig()
	if err := j.readAssignments(ctx); err != nil {
		return fmt.Errorf("read assignments: %w", err)
	}
	if err := j.trackRotation(ctx); err != nil {
		return fmt.Errorf("watch the next instance: %w", err)
	}
	if err := j.noteEnabled(ctx); err != nil {
		return fmt.Errorf("account for the time in which a shard was disabled: %w", err)
	}
	if err := j.Requested.Notice(ctx); err != nil {
		return fmt.Errorf("look for requested runs and a hold: %w", err)
	}
	if err := j.Requested.Publish(ctx, session); err != nil {
		return fmt.Errorf("say which parameters the job takes: %w", err)
	}
	v := j.buildView(session.Epoch, events)
	j.publish(v)
	j.Requested.Follow(v, j.control.assigned)
	j.worker.NoteMissed(v, j.overlooked(v))
	return j.duties(ctx, v)
}

// refresh reads what watches marked dirty. Those of shards wait until the shards
// have been assigned: before, they would be read for nothing, a thousand at a
// time while the leader writes, and after it most are not ours any more.
func (j *Job) refresh(ctx context.Context) error {
	if err := j.Cache.RefreshIf(ctx, j.Cache.NotOfShard); err != nil {
		return err
	}
	c := &j.control
	if _, busy := j.Cache.Flagged(); busy || c.assigned != nil && c.seen != j.Cache.FlagChanges() {
		// What they say comes with the assignments, but for the switches: fire times
		// count from the moment on in which a shard is enabled, however long the
		// resharding waits for a run.
		return j.Cache.RefreshIf(ctx, j.Tree.IsItemDisabled)
	}
	return j.Cache.Refresh(ctx)
}

// duties does what the view demands of this instance.
func (j *Job) duties(ctx context.Context, v *view.View) error {
	if !j.Cache.Get(j.Tree.Server(j.Host.IP)).Exists {
		// Java 3.0.5 deletes at its start the servers that have no instance yet.
		if err := j.announceServer(ctx); err != nil {
			return fmt.Errorf("register server again: %w", err)
		}
	}
	if err := j.takeTrigger(ctx); err != nil {
		return fmt.Errorf("trigger: %w", err)
	}
	if err := j.returnClaims(ctx); err != nil {
		return fmt.Errorf("offer claimed shards again: %w", err)
	}
	previous := slices.Concat(j.control.instances, j.control.departing)
	j.control.departing = nil
	j.control.instances = j.Cache.Instances()
	if err := j.handleCrashes(ctx, v, previous); err != nil {
		return fmt.Errorf("failover: %w", err)
	}
	if err := j.elect(ctx, v); err != nil {
		return fmt.Errorf("elect: %w", err)
	}
	if err := j.leadDuties(ctx, v); err != nil {
		return fmt.Errorf("lead: %w", err)
	}
	if err := j.claimShare(ctx, v); err != nil {
		return fmt.Errorf("claim a share of the shards: %w", err)
	}
	if err := j.takeFailover(ctx, v); err != nil {
		return fmt.Errorf("take failover: %w", err)
	}
	if v.Settled && v.Enabled && !v.Hold.Schedule() {
		if err := j.catchUp(ctx, v); err != nil {
			return fmt.Errorf("catch up: %w", err)
		}
		if err := j.heedLateNews(ctx); err != nil {
			return fmt.Errorf("look for what was missed before an edit was known: %w", err)
		}
	}
	if v.Settled && v.Enabled && v.Broken == nil && v.Config.Misfire && !v.Hold.Schedule() && slices.ContainsFunc(v.Shards, view.Shard.MisfireDue) {
		j.worker.Misfire()
	}
	return nil
}

// removedByOperator notices that our instance node was deleted while our
// session lives: ElasticJob's command to shut the job down on this instance.
// Losing the session is something else and does not come here.
func (j *Job) removedByOperator(ctx context.Context) (bool, error) {
	if slices.Contains(j.Cache.Children(j.Tree.Instances()), j.id) {
		return false, nil
	}
	stat, exists, err := j.Host.Client.Exists(ctx, j.Tree.Instance(j.id))
	if err != nil {
		return false, fmt.Errorf("look for the own instance: %w", err)
	}
	if exists && j.Host.Ours(stat.EphemeralOwner) {
		return false, nil // The list is older than the node; an event is on its way.
	}
	j.Log.InfoContext(ctx, "job shut down on this instance by an operator; it serves again after a restart", "instance", j.id)
	if err := errors.Join(j.resign(ctx), j.Requested.EndStewardship(ctx)); err != nil {
		return true, err
	}
	idle, _ := j.worker.Close()
	d := j.depart(nil)
	j.close(host.ErrShutdown)
	j.Host.Tasks.Go(func() { d.LeaveWhen(idle) })
	return true, nil
}
