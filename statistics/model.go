package statistics

import (
	"cmp"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// Status is the status of a job. If several apply, the first one in this order counts.
type Status string

const (
	// StatusBroken means that the configuration can't be used: it's unreadable, or has no name or
	// no shards. Agents refuse to run the job.
	StatusBroken Status = "BROKEN"
	// StatusCrashed means that no instance is registered: all of them crashed or shut down, or none
	// was ever started.
	StatusCrashed Status = "CRASHED"
	// StatusDisabled means that every server of the job is disabled.
	StatusDisabled Status = "DISABLED"
	// StatusShardingFlag means that no shard is assigned, or that a shard is assigned to an
	// instance that isn't live. The next run assigns the shards first.
	StatusShardingFlag Status = "SHARDING_FLAG"
	// StatusOK means that no other status applies. The job may be running or idle.
	StatusOK Status = "OK"
	// StatusReading means that only the name is known so far; see [Reader.Jobs].
	StatusReading Status = "READING"
)

// ShardStatus is the status of a shard. If several apply, the first one in this order counts.
type ShardStatus string

const (
	// ShardDisabled means that an operator disabled the shard.
	ShardDisabled ShardStatus = "DISABLED"
	// ShardRunning means that a live instance has marked the shard as running. If it runs several
	// shards, it removes their markers when all of them have ended.
	ShardRunning ShardStatus = "RUNNING"
	// ShardShardingFlag means that the shard isn't assigned, or that its instance isn't live.
	ShardShardingFlag ShardStatus = "SHARDING_FLAG"
	// ShardBlocked means that the shard has an owner but won't run at the next fire time. Reason is
	// the first finding of [Reader.Explain] that holds it up.
	ShardBlocked ShardStatus = "BLOCKED"
	// ShardPending means that the shard should run at the next fire time.
	ShardPending ShardStatus = "PENDING"
)

// Job is a row in the list of jobs.
type Job struct {
	Name string
	// Class is the job class that the agents registered; empty for SCRIPT and HTTP.
	Class string
	// Type is one of the types of package jobconfig. We guess it from the tree, which can't
	// distinguish a dataflow job without streaming from a simple job.
	Type     string
	Cron     string
	TimeZone string
	// AgentZone is the time zone of the job's agents. A job without a zone of its own fires by it.
	// It's empty if the job has a zone, if an agent hasn't announced its zone (Java agents don't),
	// or if agents differ.
	AgentZone string
	// ClockChange is the job's property cron.clock.change, which decides what happens to fire times
	// when the clock in the job's zone changes. Empty means Quartz's rule.
	ClockChange string
	// FireRules are the job's other properties that select fire times.
	FireRules FireRules
	// Title is the property job.title; empty if the job has none.
	Title string
	// Description is from the configuration, cut off after 300 characters.
	Description string
	// Shards is the configured number of shards.
	Shards int
	// Status comes with a Reason: one sentence that names the node and its value.
	Status Status
	Reason string
	// Instances is the number of live instances.
	Instances int
	// Servers counts the servers that ever registered. Agents don't use the DisabledServers among
	// them.
	Servers, DisabledServers int
	// DisabledItems counts the shards that were disabled one by one.
	DisabledItems int
	// Leader is the id of the elected instance; empty if there is none.
	Leader string
	// StaticSharding is set if leaders never reassign the shards.
	StaticSharding bool
	// OneOff is set if the job has no schedule.
	OneOff bool
	// Failover and Misfire are set if these features are on.
	Failover, Misfire bool
	// OneInstance is set if failover is on but only one instance may run shards.
	OneInstance bool
	// ConfigError is the error in the configuration, even if the job isn't broken by it; empty if
	// there is none.
	ConfigError string
	// ConfigVersion is the version of the configuration's node, for conditional updates.
	ConfigVersion int32
	// Generation is "3.x", or "2.x" for a job of ElasticJob 2.1.
	Generation string
	// Label groups jobs. It comes from the configuration.
	Label string
	// RunningShards counts the shards that have a running marker and a live owner, including shards
	// beyond the configured number that still run since it was reduced; LostShards counts the
	// shards that were running when their instance left, and UnassignedShards the shards without a
	// live owner, including shards that don't exist yet.
	RunningShards, LostShards, UnassignedShards int
	// Owners are the first few live instances that have enabled shards. OwnersSince has the time at
	// which each of them registered.
	Owners      []string
	OwnersSince []time.Time
	// JavaShards are the shards of live Java agents. It's empty if all instances are Java agents.
	JavaShards []int
	// ReadySince is the time, by ZooKeeper's clock, from which the job could run by its schedule:
	// its configuration and an enabled server haven't changed since then, it has had an instance
	// since then if it has one at all, and it wasn't released later. It's zero without a
	// configuration or an enabled server.
	ReadySince time.Time
	// AbleSince is ReadySince without the instances. It also ignores the servers of Java agents,
	// because they rewrite their server's node at each start.
	AbleSince time.Time
	// Created and Changed are the times, by ZooKeeper's clock, at which the job's configuration was
	// created and last written; zero if it can't be read.
	Created, Changed time.Time
	// Findings are the obstacles that [Reader.Explain] finds, the most serious first, one per code
	// and effect. They always include CodeHeld and CodeConfigForbidden.
	Findings []Finding
	// NextFire is the next scheduled fire time when the job was read; see [Explanation].
	NextFire time.Time
	// JavaInstances is the number of instances that are Java agents.
	JavaInstances int
	// Recorded is set if Go agents record the completed fire times of each shard in the registry;
	// see [Reader.Fired].
	Recorded bool
	// Monitored is set if agents mark each running shard of the job (monitorExecution).
	Monitored bool
	// Requested is set if a run of the job was ever requested, so the registry may have requested
	// runs.
	Requested bool
	// Held is the hold on the job, with an empty What if there is none. Java agents ignore holds.
	Held jobrun.Hold
	// JudgedUntil is the time at which Findings change even if the registry doesn't, for example
	// after the last fire time; zero means never. A watching Reader evaluates the job again then.
	JudgedUntil time.Time
}

// FireRules are the job's properties schedule.from, schedule.until, schedule.exclude,
// schedule.jitter and schedule.zone as stored; empty if absent.
type FireRules struct{ From, Until, Exclude, Jitter, Zone string }

// Zone returns the zone of Cron: the property schedule.zone, or else TimeZone, or else AgentZone.
// If it's empty, each agent uses its own zone, which we don't know.
func (j *Job) Zone() string { return cmp.Or(j.FireRules.Zone, j.TimeZone, j.AgentZone) }

// ScheduleHeld reports whether fire times pass without a run because the schedule is held. Java
// agents ignore holds and still fire.
func (j *Job) ScheduleHeld() bool {
	return j.Held.What.Schedule() && (j.JavaInstances == 0 || j.JavaInstances < j.Instances)
}

// ScheduleProps returns the job's properties that select fire times of Cron, by key; nil if there
// are none. A job without a zone gets the zone of its agents.
func (j *Job) ScheduleProps() map[string]string {
	zone := cmp.Or(j.FireRules.Zone, j.AgentZone)
	if j.ClockChange == "" && j.FireRules == (FireRules{}) && zone == "" {
		return nil
	}
	return map[string]string{
		quartz.ClockChangeProp: j.ClockChange, quartz.FromProp: j.FireRules.From, quartz.UntilProp: j.FireRules.Until,
		quartz.ExcludeProp: j.FireRules.Exclude, quartz.JitterProp: j.FireRules.Jitter, quartz.ZoneProp: zone,
	}
}

// Server is a row in the list of servers.
type Server struct {
	IP string
	// Jobs counts the jobs that list the server. In DisabledJobs of them it's disabled, or its node
	// is missing.
	Jobs, DisabledJobs int
	// Instances counts distinct instance ids: a process that serves five jobs counts once.
	Instances int
	// JobNames and InstanceIDs are the jobs and instances that are counted above, sorted.
	JobNames, InstanceIDs []string
}

// JobServer is a server that is registered for a job.
type JobServer struct {
	IP string
	// Enabled is set if agents treat the server as enabled, given its Data.
	Enabled bool
	Data    string
	// Instances are the ids of the server's live instances, sorted.
	Instances []string
}

// Instance is a live instance of a job.
type Instance struct {
	ID, IP string
	Leader bool
	// Since is the time at which the instance registered, by ZooKeeper's clock.
	Since time.Time
	// Enabled is set if the instance's server is enabled.
	Enabled bool
	// Agent is the agent's announcement; the zero value for a Java agent.
	Agent Agent
}

// Agent is the announcement that a Go agent writes when it registers. Older versions leave fields
// at their zero values.
type Agent struct {
	// Ours is true for Go agents and false for Java agents.
	Ours bool
	// Version is the version of this library in the program, such as "v1.2.3" or "dev".
	Version string
	// Started is the time at which the agent started, by its own clock.
	Started time.Time
	// Ahead is how far the agent's clock was ahead of ZooKeeper's when it registered, and negative
	// if it was behind. Differences below a minute count as zero.
	Ahead time.Duration
	// Zone is the time zone of the process, such as "Europe/Berlin".
	Zone string
	// NoRecorder is set if the agent doesn't record its runs.
	NoRecorder bool
	// Debug lists the kinds of runs that the process doesn't start on its own.
	Debug jobrun.Held
	// MaxParallel is the number of handlers that may run at once in the process; 0 means no limit.
	MaxParallel int
	// TakesRuns is set if the agent accepts requested runs. Java agents don't.
	TakesRuns bool
}

// Shard is a shard of a job, with its owner and its markers.
type Shard struct {
	Item      int
	Parameter string
	// Instance is the id of the owner, live or not; empty if the shard isn't assigned.
	Instance string
	// IP is the address of Instance.
	IP     string
	Status ShardStatus
	Reason string
	// RunningOn is the instance id in the running marker, and RunningSince the time at which the
	// marker was created. Reason notes if that instance is offline.
	RunningOn    string
	RunningSince time.Time
	// Failover is the id of the instance that took the shard over.
	Failover string
	// Disabled and Misfire are set if the shard has these markers.
	Disabled, Misfire bool
	// Lost is set if an instance left while it ran the shard, or after it had taken the shard over,
	// and no other instance has started the shard since. The shard waits for failover or for its
	// next fire time.
	Lost bool
}

// JobDetail has all details of a job.
type JobDetail struct {
	Job
	// Config is nil if the configuration can't be read. RawConfig is always the stored text, which
	// may contain passwords.
	Config    *jobconfig.Config
	RawConfig []byte
	Shards    []Shard
	// Servers and Instances are sorted by address and id. They hide the counts of the same names in
	// Job.
	Servers   []JobServer
	Instances []Instance
	// ReshardingNeeded is set if a resharding is announced, and Resharding while the leader assigns
	// the shards.
	ReshardingNeeded, Resharding bool
}
