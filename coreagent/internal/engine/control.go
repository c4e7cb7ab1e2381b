package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/firerecord"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/internal/sharding"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/recipe"
)

// view is what the tree said when it was last read, as far as a run needs it.
// It is immutable.
type view struct {
	epoch    uint64
	id       string // instance id
	born     int64  // see control
	events   uint64 // watch events seen before the tree was read
	config   *jobtree.Config
	schedule *quartz.Expression // nil for one-off jobs
	zone     *time.Location
	// configVersion and configWritten are those of the node of config.
	configVersion int32
	configWritten time.Time
	broken        error // why the stored configuration cannot be served
	stuck         error // why the leader cannot shard
	enabled       bool  // the own server is ENABLED
	leader        string
	settled       bool      // the items are assigned and no resharding is announced
	waiting       string    // what an unsettled view waits for
	items         []item    // those assigned to this instance
	rotation      *rotation // of a job whose item goes round, nil for others
}

// item is one assigned shard.
type item struct {
	number   int
	token    int64     // transaction that assigned it, or born: grows with each change of owner
	least    int64     // a run's fencing token is at least this
	since    time.Time // when this instance came to know of that transaction
	disabled bool
	taken    bool // another instance runs it as a failover
	misfired bool // a fire time was missed and is to be made up for
	// fired is the newest fire time that was completed before the item came here.
	fired time.Time
	// claimed is the session epoch in which a failover item was claimed.
	claimed uint64
	// reserved is set if the item was marked running by the claim itself: it
	// holds the item until a batch does.
	reserved *batch
}

// runnable reports whether a regular run includes the item.
func (i item) runnable() bool { return !i.disabled && !i.taken }

// owing are the numbers of a view's items that are to run at each fire time.
func (v *view) owing() []int {
	var items []int
	if v != nil {
		for _, i := range v.items {
			if !i.disabled {
				items = append(items, i.number)
			}
		}
	}
	return items
}

// switchedOff reports whether an operator does not want an item to run here.
func (v *view) switchedOff(n int) bool {
	return v != nil && (!v.enabled || slices.ContainsFunc(v.items, func(i item) bool { return i.number == n && i.disabled }))
}

// owesMisfire reports whether a missed fire time can be made up for now.
func (i item) owesMisfire() bool { return i.runnable() && i.misfired }

// control is the state of the control goroutine between steps.
type control struct {
	known     bool              // the registry has the job, or may have it
	returned  bool              // the session was lost: own items may owe what was interrupted
	begun     bool              // own items were looked at once
	noted     bool              // with it, its era was noted
	founded   bool              // this instance wrote the first configuration
	givesWay  bool              // just founded: the other jobs of the agent are founded first
	untouched bool              // the founding transaction has dealt, and the flags were not read since
	inherited map[int]time.Time // newest fire time completed by the previous owner of an own item
	turn      turn              // of a job that rotates
	heeded    news              // what was looked at for missed fire times
	off       map[int]bool      // own items that are disabled, as last seen
	held      map[int]holding   // of own items: under which token, since when
	config    *jobtree.Config
	configAt  int64 // transaction of the config that was read

	configVersion int32     // of its node
	configWritten time.Time // by the server's clock
	schedule      *quartz.Expression
	zone          *time.Location
	broken        error
	assigned      []string   // owner of each item, "" for none; nil before it was read
	latest        assignment // the same as it was read
	seen          uint64     // changes of the resharding flags when assigned was read
	mine          []int
	arrived       []int     // items that came here in this step
	lookedAt      time.Time // when it was looked for what they owe
	// born is the newest transaction among the instances when this one first saw
	// itself there. What was assigned to its id before that was assigned to
	// another process.
	born      int64
	gained    map[int]bool // own items whose fire records were not looked at yet
	unclaimed bool         // an edit has switched records on: those of own items are another's, or not there
	instances []string     // live instances of the previous step, descending
	departing []string     // instances that were shut down and still run something
	doubts    []int        // failover items to be offered again: their claim was not answered, or is not wanted
	rereadDue bool         // guarded by Job.mu
	auditDue  bool         // guarded by Job.mu
	rotating  []string     // watched for a job whose item goes round
	share     share
	lead      leadership
	reshard   reshardTask
}

// step brings the job in line with the tree once.
func (j *Job) step(ctx context.Context) error {
	if j.env.Client.State() != zk.Connected {
		return nil // The transition to CONNECTED kicks.
	}
	session := j.env.Client.Session()
	// A step that goes on under the next session would take the expiry of its
	// instance node for an operator's order to shut down.
	ctx = zk.UnderSession(ctx, session)
	if j.isLeaving() {
		return nil
	}
	if j.needsRegistration(session.Epoch) {
		if err := j.register(ctx, session); err != nil || j.life.Err() != nil {
			return err // Refused for good, or removed while it was away: there is nothing to serve.
		}
		if j.control.givesWay {
			return nil
		}
	}
	events := j.cache.Events()
	if err := j.refresh(ctx); err != nil {
		return fmt.Errorf("refresh: %w", err)
	}
	if j.control.born == 0 {
		j.control.born = j.cache.Get(j.tree.Instances()).Stat.Pzxid
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
	v := j.buildView(session.Epoch, events)
	j.publish(v)
	j.markMisfired(v, j.overlooked(v))
	return j.duties(ctx, v)
}

// refresh reads what watches marked dirty. Those of items wait until the items
// have been dealt out: before, they would be read for nothing, a thousand at a
// time while the leader writes, and after it most are not ours any more.
func (j *Job) refresh(ctx context.Context) error {
	if err := j.cache.RefreshIf(ctx, j.notOfItem); err != nil {
		return err
	}
	c := &j.control
	if _, busy := j.resharding(); busy || c.assigned != nil && c.seen != j.flagChanges() {
		return nil // What they say comes with the assignments.
	}
	return j.cache.Refresh(ctx)
}

// notOfItem reports whether a node is another than one of an item.
func (j *Job) notOfItem(path string) bool { return !strings.HasPrefix(path, j.tree.Sharding()+"/") }

// duties does what the view demands of this instance.
func (j *Job) duties(ctx context.Context, v *view) error {
	if !j.cache.Get(j.tree.Server(j.env.IP)).Exists {
		// Java 3.0.5 deletes at its start the servers that have no instance yet.
		if err := j.announceServer(ctx); err != nil {
			return fmt.Errorf("register server again: %w", err)
		}
	}
	if err := j.takeTrigger(ctx); err != nil {
		return fmt.Errorf("trigger: %w", err)
	}
	if err := j.returnClaims(ctx); err != nil {
		return fmt.Errorf("offer claimed items again: %w", err)
	}
	previous := slices.Concat(j.control.instances, j.control.departing)
	j.control.departing = nil
	j.control.instances = j.instanceIDs()
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
		return fmt.Errorf("claim a share of the items: %w", err)
	}
	if err := j.takeFailover(ctx, v); err != nil {
		return fmt.Errorf("take failover: %w", err)
	}
	if v.settled && v.enabled {
		if err := j.catchUp(ctx, v); err != nil {
			return fmt.Errorf("catch up: %w", err)
		}
		if err := j.heedLateNews(ctx); err != nil {
			return fmt.Errorf("look for what was missed before an edit was known: %w", err)
		}
	}
	if v.settled && v.enabled && v.broken == nil && v.config.Misfire && slices.ContainsFunc(v.items, item.owesMisfire) {
		j.onMisfire()
	}
	return nil
}

// instanceIDs are the live instances, descending as ElasticJob sorts them.
func (j *Job) instanceIDs() []string {
	ids := slices.Clone(j.nodes.Seen(j.cache, j.tree.Instances()))
	sharding.SortInstances(ids)
	return ids
}

// removedByOperator notices that our instance node was deleted while our
// session lives: ElasticJob's order to shut the job down on this instance.
// Losing the session is something else and does not come here.
func (j *Job) removedByOperator(ctx context.Context) (bool, error) {
	if slices.Contains(j.nodes.Seen(j.cache, j.tree.Instances()), j.id) {
		return false, nil
	}
	stat, exists, err := j.env.Client.Exists(ctx, j.tree.Instance(j.id))
	if err != nil {
		return false, fmt.Errorf("look for the own instance: %w", err)
	}
	if exists && j.env.ours(stat.EphemeralOwner) {
		return false, nil // The list is older than the node; an event is on its way.
	}
	j.log.Info("job shut down on this instance by an operator; it serves again after a restart", "instance", j.id)
	if err := j.resign(ctx); err != nil {
		return true, err
	}
	j.mu.Lock()
	idle := j.queue.idleChannel()
	j.mu.Unlock()
	j.close(ErrShutdown)
	j.env.tasks.Go(func() { j.departWhen(idle) })
	return true, nil
}

// readConfig decodes the stored configuration when it changed and reschedules.
func (j *Job) readConfig() {
	node := j.cache.Get(j.tree.Config())
	c := &j.control
	if node.Exists && c.configAt == node.Stat.Mzxid {
		return
	}
	c.configAt = node.Stat.Mzxid
	config, schedule, zone, err := j.decode(node)
	if err != nil {
		if c.broken == nil || c.broken.Error() != err.Error() {
			j.log.Error("job configuration in ZooKeeper cannot be served; the job does not fire until it is mended", "path", j.tree.Config(), "err", err)
		}
		if c.broken == nil && c.config == nil {
			j.scheduleAudit(nil) // Its correction may go unseen, too.
		}
		c.broken = err
		j.reschedule(nil, nil)
		return
	}
	for _, problem := range config.OutOfBounds() {
		j.log.Warn("a number of the stored configuration is out of its bounds; the nearest bound counts, or what needs the property fails", "path", j.tree.Config(), "err", problem)
	}
	old, mended := c.config, c.broken != nil
	c.config, c.schedule, c.zone, c.broken = config, schedule, zone, nil
	c.configVersion, c.configWritten = node.Stat.Version, node.Stat.Mtime
	j.allowHeadStart(mayStartAhead(config))
	if mended || old == nil || old.Cron != config.Cron || old.TimeZone != config.TimeZone ||
		old.Props[quartz.ClockChangeProp] != config.Props[quartz.ClockChangeProp] {
		j.reschedule(schedule, zone)
	}
	if old == nil || old.ReconcileMinutes != config.ReconcileMinutes {
		j.scheduleAudit(config)
	}
	if config.Failover {
		j.cache.WatchChildren(j.tree.FailoverItems())
		j.cache.WatchChildren(j.agentsRoot())
		if !config.MonitorExecution && old == nil {
			j.log.Warn("failover has no effect without monitorExecution: nobody can tell which items were running")
		}
	}
	if old != nil && (config.Failover && !old.Failover || config.Misfire && !old.Misfire) {
		j.watchItems(config, c.mine) // Otherwise only when the shards change hands.
	}
	c.unclaimed = c.unclaimed || old != nil && firerecord.Kept(config) && !firerecord.Kept(old)
	if old == nil && c.founded {
		old = j.def.Config
	}
	if old != nil && (old.Failover && !config.Failover || old.MonitorExecution && !config.MonitorExecution || old.Misfire && !config.Misfire) {
		c.lead.tidyMarks = true
	}
}

func (j *Job) decode(node recipe.Node) (*jobtree.Config, *quartz.Expression, *time.Location, error) {
	if !node.Exists {
		return nil, nil, nil, errors.New("JobConfiguration was not found. It maybe has been removed or has not been configured correctly.")
	}
	config, err := j.def.Config, error(nil)
	if !j.wroteConfig(node) {
		config, err = jobtree.DecodeConfig(node.Data)
	}
	if err == nil {
		err = config.Usable()
	}
	if err != nil {
		return nil, nil, nil, err
	}
	zone, err := quartz.ParseTimeZone(config.TimeZone)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("timeZone: %w", err)
	}
	if config.Cron == "" {
		return config, nil, zone, nil
	}
	schedule, err := quartz.ParseWith(config.Cron, config.Props)
	if err == nil && !schedule.Possible() {
		err = fmt.Errorf("%q never fires: there is no such date", config.Cron)
	}
	if err != nil {
		return nil, nil, nil, fmt.Errorf("cron: %w", err)
	}
	return config, schedule, zone, nil
}

// wroteConfig reports whether the stored configuration is the declared one:
// nobody has changed it since the transaction in which this instance founded
// the job, and registered its server.
func (j *Job) wroteConfig(node recipe.Node) bool {
	return j.control.founded && node.Stat.Version == 0 && node.Stat.Czxid == j.cache.Get(j.tree.Server(j.env.IP)).Stat.Czxid
}

// flagsRoot holds the resharding flags, and nothing else. It is watched and not
// they: of an absent node that came and went while its event was lost nothing
// tells that its watch is spent, and all the next dealings would be missed as
// well. This node's version tells.
func (j *Job) flagsRoot() string { return nodes.Parent(j.tree.Necessary()) }

// flagChanges grows whenever a resharding flag changed, also when one came and
// went unseen.
func (j *Job) flagChanges() uint64 { return j.cache.Get(j.flagsRoot()).Seen }

// stillMine reports whether every own item is still assigned to this instance.
func (j *Job) stillMine() bool {
	for _, n := range j.control.mine {
		if string(j.cache.Get(j.tree.ItemInstance(n)).Data) != j.id {
			return false
		}
	}
	return true
}

// resharding reports whether the items are about to be dealt out anew.
func (j *Job) resharding() (why string, is bool) {
	flags := j.cache.Get(j.flagsRoot()).Children
	switch {
	case slices.Contains(flags, path.Base(j.tree.Processing())):
		return "the leader is dealing out the items", true
	case slices.Contains(flags, path.Base(j.tree.Necessary())):
		return "the items have to be dealt out anew by the leader", true
	}
	return "", false
}

// readAssignments reads who owns which item, but only after a resharding: in
// between nothing moves, and own items are watched one by one.
func (j *Job) readAssignments(ctx context.Context) error {
	c := &j.control
	if _, busy := j.resharding(); busy || c.config == nil {
		return nil
	}
	if c.untouched && j.cache.Get(j.flagsRoot()).Stat.Cversion == 0 {
		c.seen = j.flagChanges() // Nobody has dealt since.
	}
	c.untouched = false
	j.mu.Lock()
	again, audit := c.rereadDue, c.auditDue
	c.rereadDue, c.auditDue = false, false
	j.mu.Unlock()
	if c.assigned != nil && c.seen == j.flagChanges() && len(c.assigned) == c.config.Shards && j.stillMine() && !again && !audit && !c.unclaimed {
		return j.refresh(ctx) // What an edit has added is not read yet.
	}
	// Taken before the reading: a flag that comes and goes meanwhile counts as
	// a change, and the next step reads again.
	seen := j.flagChanges()
	c.lookedAt = j.env.now()
	byHand := c.seen == seen && !j.stillMine() // Not by dealing out.
	read, recorded, err := j.readAssignment(ctx, c.config.Shards, audit || byHand || c.unclaimed)
	if err != nil {
		j.mu.Lock()
		c.rereadDue, c.auditDue = c.rereadDue || again, c.auditDue || audit
		j.mu.Unlock()
		if errors.Is(err, errAnnounced) {
			return nil
		}
		return err
	}
	old := make(map[int]bool, len(c.mine))
	for _, n := range c.mine {
		old[n] = true
	}
	if c.mine = nil; c.gained == nil {
		c.gained = make(map[int]bool)
	}
	for n, owner := range read.owners {
		if owner != j.id {
			continue
		}
		c.mine = append(c.mine, n)
		if !old[n] || c.returned || c.unclaimed { // Others may have had it while this instance was away.
			c.gained[n] = true
		}
		delete(old, n)
	}
	j.forgetRecords(slices.Collect(maps.Keys(old)))
	for n := range old {
		delete(c.gained, n)
		delete(c.held, n)
		delete(c.off, n)
		j.cache.Forget(j.tree.ItemInstance(n))
		j.cache.Forget(j.tree.ItemDisabled(n))
		j.cache.Forget(j.tree.ItemFailover(n))
		j.cache.Forget(j.tree.ItemMisfire(n))
	}
	j.watchItems(c.config, c.mine)
	if err := j.cache.Refresh(ctx); err != nil {
		return err
	}
	if !j.stillMine() {
		// An owner was changed by hand before the watch was there, of which no event
		// will tell; or the event of an earlier change was lost.
		j.cache.SuspectIf(func(path string) bool { return !j.notOfItem(path) })
		j.kick()
	}
	if err := j.noteEnabled(ctx); err != nil {
		return fmt.Errorf("account for the time in which a shard was disabled: %w", err)
	}
	switch dealt, err := j.takeOver(ctx, read, recorded); {
	case err != nil:
		return fmt.Errorf("claim fire records: %w", err)
	case dealt:
		// What was read is out of date.
		c.assigned, c.latest = nil, assignment{}
		j.kick()
		return nil
	}
	if !c.begun && !c.founded && c.config.Failover {
		if err := j.clearLeftMarks(ctx, c.mine); err != nil {
			return fmt.Errorf("clear the marks of an earlier process: %w", err)
		}
	}
	c.begun, c.unclaimed = true, false
	c.arrived = slices.Collect(maps.Keys(c.gained))
	c.gained = nil
	if c.returned {
		if err := j.markOwed(ctx, c.mine, false); err != nil {
			return fmt.Errorf("look for interrupted fire times: %w", err)
		}
		c.returned = false
	}
	c.assigned, c.latest, c.seen = read.owners, read, seen
	return nil
}

// watchItems sees to what concerns the instance about items of its own.
func (j *Job) watchItems(config *jobtree.Config, items []int) {
	for _, n := range items {
		j.cache.Watch(j.tree.ItemInstance(n))
		j.cache.WatchFlag(j.tree.ItemDisabled(n))
		if config.Failover {
			j.cache.WatchFlag(j.tree.ItemFailover(n))
		}
		if config.Misfire {
			j.cache.WatchFlag(j.tree.ItemMisfire(n))
		}
	}
}

func (j *Job) buildView(epoch, events uint64) *view {
	c := &j.control
	v := &view{
		epoch: epoch, id: j.id, born: c.born, events: events, config: c.config, schedule: c.schedule, zone: c.zone, broken: c.broken,
		enabled: string(j.cache.Get(j.tree.Server(j.env.IP)).Data) == jobtree.ServerEnabled,
		leader:  string(j.cache.Get(j.tree.LeaderInstance()).Data),
		stuck:   c.reshard.stuck(),

		configVersion: c.configVersion, configWritten: c.configWritten,
	}
	why, busy := j.resharding()
	switch {
	case busy:
		v.waiting = why
		if v.leader != "" {
			v.waiting = strings.TrimSpace(why + " " + v.leader)
		}
		return v
	case c.assigned == nil || c.config == nil || len(c.assigned) != c.config.Shards:
		v.waiting = "the items were not dealt out yet"
		return v
	case c.seen != j.flagChanges():
		// They changed hands while they were read; the event of that has asked
		// for the next step. A trigger seen in this one would find no items.
		v.waiting = "the items were dealt out anew a moment ago"
		return v
	case slices.Contains(c.assigned, ""):
		// A Java leader announces a resharding some time after what calls for
		// it. A run that came in between would find nothing to do and be over.
		v.waiting = "an item has no owner yet"
		return v
	case v.leader == "" && v.enabled && !slices.Contains(c.assigned, j.id):
		// Whoever is elected looks who is there. ElasticJob, too, waits for that
		// before a run: the owners may be those of an earlier start.
		v.waiting = "nobody leads yet, and no item is this instance's"
		return v
	}
	v.settled = true
	if rotates(c.config) {
		j.rotated(v)
		return v
	}
	for _, n := range c.mine {
		owner := j.cache.Get(j.tree.ItemInstance(n))
		if string(owner.Data) != j.id {
			continue
		}
		v.items = append(v.items, item{
			number: n, token: max(owner.Stat.Mzxid, c.born), since: c.hold(n, owner.Stat.Mzxid, j.env.now()),
			disabled: j.cache.Get(j.tree.ItemDisabled(n)).Exists,
			taken:    j.cache.Get(j.tree.ItemFailover(n)).Exists,
			misfired: j.cache.Get(j.tree.ItemMisfire(n)).Exists,
			fired:    c.inherited[n],
		})
	}
	return v
}

// holding says under which token this instance has an item, and since when it
// knows. Whoever else ran the item meanwhile left it with another token.
type holding struct {
	token int64
	since time.Time
}

// hold returns since when, by the own clock, an own item is known to be held
// under a token.
func (c *control) hold(n int, token int64, now time.Time) time.Time {
	if c.held == nil {
		c.held = make(map[int]holding)
	}
	h := c.held[n]
	if h.token != token {
		h = holding{token, now}
		c.held[n] = h
	}
	return h.since
}
