package statistics

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// maxRule bounds a cron expression, and the other rules of a schedule, in characters. No
// valid one is longer, but for excluded days that go on for a decade.
const maxRule = 4000

// job draws the row of the list from a snapshot.
func (s *snapshot) job() Job {
	j := Job{
		Name:          s.tree.Name(),
		Instances:     len(s.instances),
		Servers:       len(s.servers),
		Leader:        jobtree.Shown(s.leader),
		ConfigVersion: s.version,
		Generation:    s.generation().String(),
	}
	for _, server := range s.servers {
		if !s.enabled(server) {
			j.DisabledServers++
		}
	}
	for _, item := range s.items {
		if item.disabled {
			j.DisabledItems++
		}
	}
	j.Class, j.Type = s.kind()
	j.Class, j.Type = jobtree.Shown(j.Class), jobtree.Shown(j.Type)
	if c := s.config; c != nil {
		rule := func(text string) string { return jobtree.Clip(text, maxRule) }
		j.Cron, j.TimeZone, j.Description = rule(c.Cron), jobtree.Shown(c.TimeZone), jobtree.Shown(c.Description)
		j.Title = jobtree.Shown(c.Props[jobconfig.PropTitle])
		j.ClockChange = jobtree.Shown(c.Props[quartz.ClockChangeProp])
		j.FireRules = FireRules{
			From: rule(c.Props[quartz.FromProp]), Until: rule(c.Props[quartz.UntilProp]),
			Exclude: rule(c.Props[quartz.ExcludeProp]), Jitter: rule(c.Props[quartz.JitterProp]),
			Zone: jobtree.Shown(c.Props[quartz.ZoneProp]),
		}
		j.Shards, j.Failover, j.OneOff, j.Label = jobtree.ShardCount(c.Shards), c.Failover, c.OneOff(), jobtree.Shown(c.Label)
		if _, err := jobconfig.ParseItemParameters(c.ItemParameters); err != nil {
			j.ConfigError = jobtree.Shown(err.Error())
		}
	}
	if s.configErr != nil {
		j.ConfigError = jobtree.Shown(s.configErr.Error())
	}
	j.Status, j.Reason = s.status(j)
	s.countShards(&j)
	j.ReadySince, j.Created = s.readySince(), s.created
	j.Requested = s.requested
	if s.held.What != "" {
		j.Held = s.held.Shown()
	}
	return j
}

// countShards counts the shards by what becomes of them. Who set a marker is read
// for one job only; in a list it counts as the owner's.
func (s *snapshot) countShards(j *Job) {
	there := 0
	for _, item := range s.items {
		if s.config != nil && item.item >= s.config.Shards {
			continue
		}
		there++
		switch {
		case s.lost(item):
			j.LostShards++
		case item.running:
			j.RunningShards++
		}
		if !s.liveInstances[item.instance] {
			j.UnassignedShards++
		}
	}
	j.UnassignedShards += max(0, j.Shards-there)
}

// lost reports whether a shard's run ended with its instance and nobody has begun
// it again.
func (s *snapshot) lost(item itemNode) bool {
	runner := item.runningOn
	if runner == "" {
		runner = item.instance
	}
	switch {
	case item.running && s.liveInstances[runner]:
		return false
	case item.running, s.offered[item.item]:
		return true
	}
	return item.failover != "" && !s.liveInstances[item.failover]
}

// readySince is the latest of when the configuration was written, the leader
// elected, the first of the enabled servers was enabled and the job was released: what
// came while it was held is not made up for.
func (s *snapshot) readySince() time.Time {
	var enabled time.Time
	for _, server := range s.servers {
		if s.enabled(server) && (enabled.IsZero() || server.since.Before(enabled)) {
			enabled = server.since
		}
	}
	if s.configErr != nil || s.leader == "" || enabled.IsZero() {
		return time.Time{}
	}
	since := enabled
	for _, t := range []time.Time{s.changed, s.leads, s.released} {
		if t.After(since) {
			since = t
		}
	}
	return since
}

// kind guesses class and type. Type-based jobs have the type where others have
// their class; 2.1.x keeps both in the configuration.
func (s *snapshot) kind() (class, kind string) {
	if c := s.config; c != nil && c.Generation == jobconfig.Generation2x {
		return c.JobClass, c.JobType
	}
	switch s.class {
	case jobconfig.TypeScript, jobconfig.TypeHTTP:
		return "", s.class
	}
	if s.config != nil {
		if _, ok := s.config.Props[jobconfig.PropStreaming]; ok {
			return s.class, jobconfig.TypeDataflow
		}
	}
	return s.class, jobconfig.TypeSimple
}

// at is how a reason names a node.
func (s *snapshot) at(path string) string { return s.tree.Below(path) }

// status applies the rules in their order.
func (s *snapshot) status(j Job) (Status, string) {
	if s.configErr != nil {
		return StatusBroken, "config: " + j.ConfigError
	}
	if len(s.instances) == 0 {
		return StatusCrashed, s.at(s.tree.Instances()) + " has no children: no process has registered for this job, or all have left"
	}
	if j.Servers > 0 && j.DisabledServers == j.Servers {
		return StatusDisabled, fmt.Sprintf("no server is enabled: %s", s.notEnabled())
	}
	assigned := 0
	for _, item := range s.items {
		if item.instance == "" {
			continue
		}
		assigned++
		if !s.liveInstances[item.instance] {
			return StatusShardingFlag, fmt.Sprintf("%s is %s, which is not live", s.at(s.tree.ItemInstance(item.item)), jobtree.Shown(item.instance))
		}
	}
	if assigned == 0 {
		return StatusShardingFlag, s.at(s.tree.Sharding()) + " has no shard with an instance: nothing is assigned yet"
	}
	var remarks []string
	if j.Servers == 0 {
		remarks = append(remarks, s.at(s.tree.Servers())+" has no children although "+s.at(s.tree.Instances())+" has; restart the agents")
	}
	if j.DisabledServers > 0 {
		remarks = append(remarks, "not every server is enabled: "+s.notEnabled())
	}
	if j.DisabledItems > 0 {
		remarks = append(remarks, fmt.Sprintf("%d of %d shards are disabled", j.DisabledItems, j.Shards))
	}
	if len(remarks) == 0 {
		return StatusOK, fmt.Sprintf("%d shards are assigned to live instances", assigned)
	}
	return StatusOK, strings.Join(remarks, "; ")
}

// notEnabled lists the servers that are not enabled with what they hold, the
// first few of them.
func (s *snapshot) notEnabled() string {
	const most = 3
	var list []string
	for _, server := range s.servers {
		if !s.enabled(server) {
			list = append(list, fmt.Sprintf("%s is %q", s.at(s.tree.Server(server.ip)), jobtree.Shown(string(server.data))))
		}
	}
	if len(list) > most {
		list = append(list[:most], fmt.Sprintf("%d more", len(list)-most))
	}
	return strings.Join(list, ", ")
}

// detail draws everything about the job from a snapshot.
func (s *snapshot) detail() JobDetail {
	d := JobDetail{
		Job: s.job(), Config: s.config, RawConfig: s.raw,
		ReshardingNeeded: s.necessary, Resharding: s.processing,
		Shards: s.shards(),
	}
	enabled := make(map[string]bool, len(s.servers))
	for _, server := range s.servers {
		enabled[server.ip] = s.enabled(server)
		row := JobServer{IP: server.ip, Enabled: enabled[server.ip], Data: jobtree.Shown(string(server.data))}
		for _, instance := range s.instances {
			if instance.ip == server.ip {
				row.Instances = append(row.Instances, instance.id)
			}
		}
		d.Servers = append(d.Servers, row)
	}
	for _, instance := range s.instances {
		d.Instances = append(d.Instances, Instance{
			ID: instance.id, IP: instance.ip, Leader: instance.id == s.leader,
			Since: instance.since, Enabled: enabled[instance.ip],
		})
	}
	return d
}

// shards lists the stored shards, and those the configuration demands. A total
// beyond its bound, which must not fill the memory, demands none.
func (s *snapshot) shards() []Shard {
	total := 0
	parameters := map[int]string{}
	if s.config != nil {
		total = jobtree.ShardCount(s.config.Shards)
		if parsed, err := jobconfig.ParseItemParameters(s.config.ItemParameters); err == nil {
			parameters = parsed
		}
	}
	stored := make(map[int]itemNode, len(s.items))
	var items []int
	for _, item := range s.items {
		stored[item.item] = item
		items = append(items, item.item)
	}
	for item := range total {
		if _, ok := stored[item]; !ok {
			items = append(items, item)
		}
	}
	slices.Sort(items)
	shards := make([]Shard, 0, len(items))
	for _, item := range items {
		node, ok := stored[item]
		if !ok {
			shards = append(shards, Shard{
				Item: item, Parameter: parameters[item], Status: ShardShardingFlag,
				Reason: s.at(s.tree.Item(item)) + " does not exist yet",
			})
			continue
		}
		shard := s.shard(node)
		shard.Parameter = parameters[item]
		shards = append(shards, shard)
	}
	return shards
}

// shard applies the rules for one shard in their order.
func (s *snapshot) shard(node itemNode) Shard {
	owner, runner := jobtree.Shown(node.instance), node.runningOn
	if node.running && runner == "" {
		// ElasticJob up to 3.0.1 leaves the marker empty.
		runner = node.instance
	}
	// The marker is persistent with failover on, so it may outlive its owner.
	live := node.running && s.liveInstances[runner]
	shard := Shard{
		Item: node.item, Instance: owner, IP: jobtree.Shown(s.addressOf(node.instance)),
		RunningOn: jobtree.Shown(runner), RunningSince: node.runningSince,
		Failover: jobtree.Shown(node.failover), Disabled: node.disabled, Misfire: node.misfire, Lost: s.lost(node),
	}
	stale := ""
	if node.running && !live {
		stale = fmt.Sprintf("; %s is left behind by %q, which is not live", s.at(s.tree.ItemRunning(node.item)), shard.RunningOn)
	}
	switch {
	case node.disabled:
		shard.Status, shard.Reason = ShardDisabled, s.at(s.tree.ItemDisabled(node.item))+" exists"
	case live:
		shard.Status, shard.Reason = ShardRunning, fmt.Sprintf("%s is %s", s.at(s.tree.ItemRunning(node.item)), shard.RunningOn)
	case node.instance == "":
		shard.Status, shard.Reason = ShardShardingFlag, s.at(s.tree.ItemInstance(node.item))+" is absent or empty"
	case !s.liveInstances[node.instance]:
		shard.Status = ShardShardingFlag
		shard.Reason = fmt.Sprintf("%s is %s, which is not live", s.at(s.tree.ItemInstance(node.item)), owner)
	default:
		shard.Status, shard.Reason = ShardPending, fmt.Sprintf("%s runs it at the next fire", owner)
	}
	shard.Reason += stale
	if s.config != nil && s.configErr == nil && node.item >= s.config.Shards {
		shard.Reason += fmt.Sprintf("; the shard is beyond shardingTotalCount %d and goes at the next sharding", s.config.Shards)
	}
	return shard
}

// addressOf is the address of an instance, live or not.
func (s *snapshot) addressOf(id string) string {
	for _, instance := range s.instances {
		if instance.id == id {
			return instance.ip
		}
	}
	return jobtree.InstanceIP(id)
}
