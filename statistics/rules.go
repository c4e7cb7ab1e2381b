package statistics

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/internal/sharding"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// maxRule bounds the length of a cron expression and of the other schedule properties, in
// characters. Valid ones are shorter, except for lists of excluded days over a decade.
const maxRule = 4000

func (r *Reader) jobRow(e *evidence) Job {
	d := r.diagnosis(e)
	d.judge()
	return d.row()
}

// row returns the job's row with one finding per code and effect.
func (d *diagnosis) row() Job {
	j := d.evidence.row()
	for _, item := range d.items {
		if runner, running := d.runner(item); d.idle[item.number] && running && d.live[runner] {
			j.RunningShards--
		}
	}
	for _, f := range d.out.Findings {
		j.OneInstance = j.OneInstance || f.Code == CodeOneInstance
		known := slices.ContainsFunc(j.Findings, func(g Finding) bool { return g.Code == f.Code && g.Effect == f.Effect })
		if !known && (f.Effect.HoldsUp() || f.Code == CodeHeld || f.Code == CodeConfigForbidden) {
			j.Findings = append(j.Findings, f)
		}
	}
	j.ReadySince, j.AbleSince = d.readySince()
	j.NextFire, j.JudgedUntil = d.out.NextFire, d.until
	return j
}

// row returns the job's row without findings.
func (e *evidence) row() Job {
	j := Job{
		Name:          e.job.Name(),
		Instances:     len(e.instances),
		Servers:       len(e.servers),
		Leader:        e.leader.data,
		ConfigVersion: e.config.stat.Version,
		Generation:    e.generation().String(),
	}
	for _, server := range e.servers {
		if !e.enabled(server) {
			j.DisabledServers++
		}
	}
	for _, item := range e.items {
		if item.disabled.exists && !e.beyond(item) {
			j.DisabledItems++
		}
	}
	j.Class, j.Type = e.kind()
	j.Class, j.Type = jobtree.Shown(j.Class), jobtree.Shown(j.Type)
	if c := e.decoded; c != nil {
		rule := func(text string) string { return jobtree.Clip(text, maxRule) }
		j.Cron, j.TimeZone, j.Description = rule(c.Cron), jobtree.Shown(c.TimeZone), jobtree.Shown(c.Description)
		j.Title = jobtree.Shown(c.Props[jobconfig.PropTitle])
		j.ClockChange = jobtree.Shown(c.Props[quartz.ClockChangeProp])
		j.FireRules = FireRules{
			From: rule(c.Props[quartz.FromProp]), Until: rule(c.Props[quartz.UntilProp]),
			Exclude: rule(c.Props[quartz.ExcludeProp]), Jitter: rule(c.Props[quartz.JitterProp]),
			Zone: jobtree.Shown(c.Props[quartz.ZoneProp]),
		}
		j.AgentZone = e.zoneOfAgents()
		j.Monitored, j.Recorded, j.StaticSharding = c.MonitorExecution, c.MonitorExecution && c.Cron != "", c.StaticSharding
		j.Shards, j.Failover, j.Misfire = jobtree.ShardCount(c.Shards), c.Failover, c.Misfire
		j.OneOff, j.Label = c.OneOff(), jobtree.Shown(c.Label)
		if _, err := jobconfig.ParseItemParameters(c.ItemParameters); err != nil {
			j.ConfigError = jobtree.Shown(err.Error())
		}
	}
	if e.configErr != nil {
		j.ConfigError = jobtree.Shown(e.configErr.Error())
	}
	j.Status, j.Reason = e.status(j)
	e.countShards(&j)
	j.Created, j.Changed = e.config.began(), e.config.stat.Mtime
	j.JavaInstances = len(e.javaAgents())
	j.Requested = e.done.exists
	if e.held.exists {
		j.Held = jobtree.DecodeHold([]byte(e.held.data)).Shown()
	}
	return j
}

const mostOwners = 3

func (e *evidence) countShards(j *Job) {
	there, live := 0, e.live()
	mixed := len(e.javaAgents()) < len(e.instanceIDs)
	for _, item := range e.items {
		lost := e.lost(item, live)
		if item.running.exists && !item.nameless() && !lost {
			j.RunningShards++ // The leader also waits for shards beyond the count, from before an edit.
		}
		if e.beyond(item) {
			continue
		}
		if there++; lost {
			j.LostShards++
		}
		owner := item.instance.data
		if mixed && !item.disabled.exists && e.javas(owner) {
			j.JavaShards = append(j.JavaShards, item.number)
		}
		switch {
		case !live[owner]:
			j.UnassignedShards++
		case e.decoded != nil && sharding.Rotates(e.decoded.Shards, e.decoded.StrategyType): // The instances take turns.
		case !item.disabled.exists && len(j.Owners) < mostOwners && !slices.Contains(j.Owners, owner):
			j.Owners = append(j.Owners, owner)
			j.OwnersSince = append(j.OwnersSince, e.instances[slices.Index(e.instanceIDs, owner)].began())
		}
	}
	j.UnassignedShards += max(0, j.Shards-there)
}

func (e *evidence) live() map[string]bool {
	ids := make(map[string]bool, len(e.instanceIDs))
	for _, id := range e.instanceIDs {
		ids[id] = true
	}
	return ids
}

// runner returns the instance in a shard's running marker. Up to 3.0.1, ElasticJob left the marker
// empty, so we return the owner then.
func (e *evidence) runner(item itemEvidence) (string, bool) {
	if !item.running.exists {
		return "", false
	}
	if item.nameless() {
		return "", true
	}
	return cmp.Or(item.running.data, item.instance.data), true
}

// nameless reports whether the shard's running marker names no instance and belongs to no session.
// No agent makes such a marker: the releases that leave it empty make it ephemeral.
func (i itemEvidence) nameless() bool {
	return i.running.exists && i.running.data == "" && !i.running.ephemeral()
}

// lost reports whether the shard's instance was lost during its run and no other instance has run
// it since.
func (e *evidence) lost(item itemEvidence, live map[string]bool) bool {
	runner, running := e.runner(item)
	switch {
	case running && (live[runner] || item.running.ephemeral()):
		return false // The process is alive, because an ephemeral marker ends with its session.
	case running, e.takesOffers() && slices.ContainsFunc(e.offers, func(n itemNode) bool { return n.item == item.number }):
		return true
	}
	return item.failover.exists && !live[item.failover.data]
}

// takesOffers reports whether an instance may take shards that are offered for failover. If not, an
// offer doesn't mean that a run was interrupted.
func (e *evidence) takesOffers() bool {
	c := e.decoded
	return c != nil && c.Failover && c.MonitorExecution && len(e.instanceIDs) > 0
}

// readySince returns the latest of these times: the configuration was written, the first instance
// that may run shards had registered and its server was enabled, and the job was released, because
// we don't make up for fire times while a job is held. A server without such an instance only counts
// if there is none. The leader doesn't matter: a job without a leader should still count as late, and
// a new leader doesn't excuse earlier fire times. For able, see [Job].AbleSince.
func (d *diagnosis) readySince() (ready, able time.Time) {
	var enabled, serving, came time.Time
	java := len(d.javaAgents()) > 0
	first := func(of *time.Time, t time.Time) {
		if of.IsZero() || t.Before(*of) {
			*of = t
		}
	}
	for i, server := range d.servers {
		if !d.enabled(server) {
			continue
		}
		first(&enabled, server.stat.Mtime)
		if at, serves := d.serving[d.serverIPs[i]]; serves {
			if first(&serving, server.stat.Mtime); !java {
				at = later(at, server.stat.Mtime)
			}
			first(&came, at)
		}
	}
	enabled = cmp.Or(serving, enabled)
	if d.configErr != nil || enabled.IsZero() {
		return ready, able
	}
	if able = d.config.stat.Mtime; !java {
		able = later(able, enabled)
	}
	able = later(able, jobtree.DecodeReleased([]byte(d.done.data)).Last)
	return later(later(able, enabled), came), able
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// kind guesses the job's class and type. In 3.x the root node has the class, or the type of a job
// without a class. In 2.1.x both are in the configuration.
func (e *evidence) kind() (class, kind string) {
	if c := e.decoded; c != nil && c.Generation == jobconfig.Generation2x {
		return c.JobClass, c.JobType
	}
	class = e.root.data
	switch class {
	case jobconfig.TypeScript, jobconfig.TypeHTTP:
		return "", class
	}
	if e.decoded != nil {
		if _, ok := e.decoded.Props[jobconfig.PropStreaming]; ok {
			return class, jobconfig.TypeDataflow
		}
	}
	return class, jobconfig.TypeSimple
}

// at returns a node's path as reasons show it.
func (e *evidence) at(path string) string { return e.job.Below(path) }

// status returns the first status that applies, and the reason.
func (e *evidence) status(j Job) (Status, string) {
	if e.configErr != nil {
		return StatusBroken, "config: " + j.ConfigError
	}
	if len(e.instances) == 0 {
		return StatusCrashed, e.at(e.job.Instances()) + " has no children: no process has registered for this job, or all have left"
	}
	if j.Servers > 0 && j.DisabledServers == j.Servers {
		return StatusDisabled, fmt.Sprintf("no server is enabled: %s", e.notEnabled())
	}
	assigned, toGhosts, live, ghosts := 0, 0, e.live(), e.ghosts()
	for _, item := range e.items {
		owner := item.instance.data
		if owner == "" {
			continue
		}
		assigned++
		if ghosts[owner] {
			toGhosts++
		}
		if !live[owner] {
			return StatusShardingFlag, fmt.Sprintf("%s is %s, which is not live", e.at(e.job.ItemInstance(item.number)), owner)
		}
	}
	if assigned == 0 {
		return StatusShardingFlag, e.at(e.job.Sharding()) + " has no shard with an instance: nothing is assigned yet"
	}
	var remarks []string
	if j.Servers == 0 {
		remarks = append(remarks, e.at(e.job.Servers())+" has no children although "+e.at(e.job.Instances())+" has; restart the agents")
	}
	if j.DisabledServers > 0 {
		remarks = append(remarks, "not every server is enabled: "+e.notEnabled())
	}
	if j.DisabledItems > 0 {
		remarks = append(remarks, fmt.Sprintf("%d of %d shards are disabled", j.DisabledItems, j.Shards))
	}
	if toGhosts > 0 {
		remarks = append(remarks, fmt.Sprintf("%d of %d shards are assigned to instances that no session holds", toGhosts, assigned))
	}
	if len(remarks) == 0 {
		return StatusOK, fmt.Sprintf("%d shards are assigned to live instances", assigned)
	}
	return StatusOK, strings.Join(remarks, "; ")
}

// notEnabled returns the first few servers that aren't enabled, with their data.
func (e *evidence) notEnabled() string {
	const most = 3
	var list []string
	for i, server := range e.servers {
		if !e.enabled(server) {
			list = append(list, fmt.Sprintf("%s is %q", e.at(e.job.Server(e.serverIPs[i])), jobtree.Shown(server.data)))
		}
	}
	if len(list) > most {
		list = append(list[:most], fmt.Sprintf("%d more", len(list)-most))
	}
	return strings.Join(list, ", ")
}

func (r *Reader) detail(e *evidence) JobDetail {
	judged := r.diagnosis(e)
	judged.judge()
	d := JobDetail{
		Job: judged.row(), Config: e.decoded, RawConfig: []byte(e.config.data),
		ReshardingNeeded: e.necessary.exists, Resharding: e.processing.exists,
		Shards: judged.shards(),
	}
	enabled := make(map[string]bool, len(e.servers))
	for i, server := range e.servers {
		ip := e.serverIPs[i]
		enabled[ip] = e.enabled(server)
		row := JobServer{IP: ip, Enabled: enabled[ip], Data: jobtree.Shown(server.data)}
		for _, id := range e.instanceIDs {
			if e.addressOf(id) == ip {
				row.Instances = append(row.Instances, id)
			}
		}
		d.Servers = append(d.Servers, row)
	}
	for i, id := range e.instanceIDs {
		ip := e.addressOf(id)
		d.Instances = append(d.Instances, Instance{
			ID: id, IP: ip, Leader: id == e.leader.data,
			Since: e.instances[i].began(), Enabled: enabled[ip], Agent: e.agent(id),
		})
	}
	return d
}

func (e *evidence) agent(id string) Agent {
	a := e.agents[id]
	return Agent{
		Ours: !e.javas(id), Version: a.Version, Started: a.Started, Ahead: e.ahead(id), Zone: a.Zone, NoRecorder: a.NoRecorder, Debug: a.Debug, MaxParallel: a.MaxParallel, TakesRuns: a.TakesRuns,
	}
}

// shards returns the shards. If something holds up a pending shard, it's reported as blocked, with
// the reason.
func (d *diagnosis) shards() []Shard {
	shards := d.evidence.shards()
	wanted := len(shards)
	if d.decoded != nil && d.configErr == nil {
		wanted = jobtree.ShardCount(d.decoded.Shards)
	}
	runs := make(map[string]int) // the last shard that each instance runs
	for _, item := range d.items {
		if runner, running := d.runner(item); running && !d.idle[item.number] {
			runs[runner] = item.number
		}
	}
	bare := d.decoded != nil && slices.Contains(d.assigned(), "")
	apart := len(d.zonesApart()) > 1
	for i := range min(len(shards), wanted) {
		shard := &shards[i]
		if shard.Status != ShardPending && !(shard.Status == ShardRunning && d.idle[shard.Item]) {
			continue
		}
		for _, f := range d.out.Findings { // A finding about the shard itself is the best reason.
			its := len(f.Items) == 0 || slices.Contains(f.Items, shard.Item)
			if f.Effect == EffectShards && !its || !f.Effect.HoldsUp() || shard.Status == ShardBlocked && !its {
				continue
			}
			shard.Status, shard.Reason = ShardBlocked, f.Sentence
			if its {
				break
			}
		}
		if shard.Status == ShardPending {
			shard.Reason = d.waitsFor(shard, runs, bare, apart)
		}
	}
	return shards
}

// waitsFor returns the reason of a pending shard that isn't blocked. bare is set if some shard has
// no owner, and apart if the agents fire by different time zones. An instance runs no other shard
// of the job while one of its shards runs.
func (d *diagnosis) waitsFor(shard *Shard, runs map[string]int, bare, apart bool) string {
	item, busy := runs[shard.Instance]
	switch {
	case d.decoded == nil, shard.Item >= d.decoded.Shards:
		return shard.Reason
	case bare && !d.javas(shard.Instance):
		return shard.Instance + " runs it at the next fire, or waits until each shard has an owner"
	case sharding.Rotates(d.decoded.Shards, d.decoded.StrategyType):
		return "the instances take turns: the next fire decides which of them runs it"
	case apart:
		return shard.Instance + " should run it at the next fire in its own time zone"
	case d.decoded.Cron == "":
		return shard.Instance + " should run it when the job is triggered"
	case busy:
		return fmt.Sprintf("%s has it, and is running shard %d", shard.Instance, item)
	case !d.decoded.MonitorExecution:
		return shard.Instance + " has it; nothing shows whether it runs, because monitorExecution is off"
	case shard.Misfire && d.decoded.Misfire && !d.javas(shard.Instance) && d.meeting[shard.Instance] != "":
		return shard.Instance + " should make up for it when " + d.meeting[shard.Instance]
	case shard.Misfire && d.decoded.Misfire && !d.javas(shard.Instance):
		return shard.Instance + " should make up for it when it is free, because a fire time isn't completed"
	}
	return shard.Reason
}

// shards returns the existing shards and the configured ones. If the configured number is out of
// bounds, only the existing shards are returned, because they must fit into memory.
func (e *evidence) shards() []Shard {
	total := 0
	parameters := map[int]string{}
	if e.decoded != nil {
		total = jobtree.ShardCount(e.decoded.Shards)
		if parsed, err := jobconfig.ParseItemParameters(e.decoded.ItemParameters); err == nil {
			parameters = parsed
		}
	}
	live := e.live()
	shards := make([]Shard, 0, max(total, len(e.items)))
	absent := func(upTo int) {
		for n := len(shards); n < upTo; n++ {
			shards = append(shards, Shard{
				Item: n, Status: ShardShardingFlag,
				Reason: e.at(e.job.Item(n)) + " does not exist yet",
			})
		}
	}
	for _, item := range e.items {
		absent(min(item.number, total))
		shards = append(shards, e.shard(item, live))
	}
	absent(total)
	running := make(map[string]int)
	for i := range shards {
		if shards[i].Parameter = parameters[shards[i].Item]; shards[i].Status == ShardRunning {
			running[shards[i].RunningOn]++
		}
	}
	for i := range shards {
		if s := &shards[i]; s.Status == ShardRunning && running[s.RunningOn] > 1 {
			s.Reason += "; it removes the markers of a run when all shards that it runs have ended"
		}
	}
	return shards
}

// shard returns a shard with the first status that applies.
func (e *evidence) shard(item itemEvidence, live map[string]bool) Shard {
	owner := item.instance.data
	runner, running := e.runner(item)
	// With failover, the marker isn't ephemeral and may outlive its instance.
	connected := running && !live[runner] && item.running.ephemeral()
	runs := running && live[runner] || connected
	shard := Shard{
		Item: item.number, Instance: owner, IP: jobtree.Shown(e.addressOf(owner)),
		RunningOn: runner, RunningSince: item.running.began(),
		Failover: item.failover.data, Disabled: item.disabled.exists, Misfire: item.misfire.exists, Lost: e.lost(item, live),
	}
	stale := ""
	switch {
	case item.nameless():
		stale = fmt.Sprintf("; %s names no instance, so no agent made it", e.at(e.job.ItemRunning(item.number)))
	case running && !runs:
		stale = fmt.Sprintf("; %s is left behind by %q, which is not live", e.at(e.job.ItemRunning(item.number)), runner)
	}
	switch {
	case shard.Disabled:
		shard.Status, shard.Reason = ShardDisabled, e.at(e.job.ItemDisabled(item.number))+" exists"
	case runs:
		shard.Status, shard.Reason = ShardRunning, fmt.Sprintf("%s is %s", e.at(e.job.ItemRunning(item.number)), runner)
		if connected {
			shard.Reason += ", which has left the registry but is still connected"
		}
	case owner == "":
		shard.Status, shard.Reason = ShardShardingFlag, e.at(e.job.ItemInstance(item.number))+" is absent or empty"
	case !live[owner]:
		shard.Status = ShardShardingFlag
		shard.Reason = fmt.Sprintf("%s is %s, which is not live", e.at(e.job.ItemInstance(item.number)), owner)
	default:
		shard.Status, shard.Reason = ShardPending, fmt.Sprintf("%s should run it at the next fire", owner)
	}
	shard.Reason += stale
	if e.decoded != nil && e.configErr == nil && item.number >= e.decoded.Shards {
		if shard.Status == ShardPending {
			shard.Reason = owner + " has it" + stale
		}
		shard.Reason += fmt.Sprintf("; the shard is beyond shardingTotalCount %d and goes at the next sharding", e.decoded.Shards)
	}
	return shard
}
