package statistics

import (
	"cmp"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// Status tells how a job is, the first that applies.
type Status string

const (
	// StatusBroken means that the configuration cannot be used: unreadable, or
	// without name or shards. Agents refuse to run the job.
	StatusBroken Status = "BROKEN"
	// StatusCrashed means that no instance is registered: crashed, shut down
	// or never started.
	StatusCrashed Status = "CRASHED"
	// StatusDisabled means that every server of the job is disabled.
	StatusDisabled Status = "DISABLED"
	// StatusShardingFlag means that no shard is assigned, or that one is
	// assigned to an instance which is not live; the next run shards first.
	StatusShardingFlag Status = "SHARDING_FLAG"
	// StatusOK means none of the others, running or idle.
	StatusOK Status = "OK"
	// StatusReading means that nothing but the name is known yet: see
	// [Reader.Jobs].
	StatusReading Status = "READING"
)

// ShardStatus tells how a shard is, the first that applies.
type ShardStatus string

const (
	// ShardDisabled means that an operator switched the shard off.
	ShardDisabled ShardStatus = "DISABLED"
	// ShardRunning means that a live instance runs the shard.
	ShardRunning ShardStatus = "RUNNING"
	// ShardShardingFlag means that the shard is assigned to nobody, or to an
	// instance that is not live.
	ShardShardingFlag ShardStatus = "SHARDING_FLAG"
	// ShardBlocked means that the shard has an owner and won't run at the next fire time. Reason
	// is the first finding of [Reader.Explain] that holds it up.
	ShardBlocked ShardStatus = "BLOCKED"
	// ShardPending means that the shard waits for the next run.
	ShardPending ShardStatus = "PENDING"
)

// Job is one row of the list of jobs.
type Job struct {
	Name string
	// Class is the job class agents agreed on; empty for SCRIPT and HTTP.
	Class string
	// Type is one of the types of package jobconfig, as far as the tree tells.
	// Nothing in the tree tells a dataflow job without streaming from a simple
	// one.
	Type     string
	Cron     string
	TimeZone string
	// AgentZone is the time zone of the job's agents, by which a job without a zone fires. It's
	// empty if the job has a zone, if an agent hasn't announced its zone (Java agents don't),
	// or if agents differ.
	AgentZone string
	// ClockChange is the job's property cron.clock.change: what becomes of fire
	// times when the clock in the job's zone is changed. Empty means Quartz's rule.
	ClockChange string
	// FireRules are the job's other properties that say which times of Cron are fire times.
	FireRules FireRules
	// Title is the property job.title, empty if the job has none.
	Title string
	// Description is the text of the configuration, as lists show it: at most 300 characters.
	Description string
	// Shards is the number of shards by the configuration.
	Shards int
	// Status, and Reason in one sentence that names node and value.
	Status Status
	Reason string
	// Instances is the number of live instances.
	Instances int
	// Servers counts the servers that ever registered, DisabledServers those
	// that agents do not take for enabled.
	Servers, DisabledServers int
	// DisabledItems counts shards switched off one by one.
	DisabledItems int
	// Leader is the id of the elected instance; empty if there is none.
	Leader string
	// StaticSharding is set if a leader never reassigns the shards.
	StaticSharding bool
	// OneOff tells that the job has no schedule.
	OneOff bool
	// Failover and Misfire tell whether these are on.
	Failover, Misfire bool
	// OneInstance is set if failover is on, and only one instance may run shards.
	OneInstance bool
	// ConfigError says what is wrong with the configuration, also where the
	// job is not broken by it; empty if nothing is.
	ConfigError string
	// ConfigVersion is the version of the configuration's node, for
	// conditional updates.
	ConfigVersion int32
	// Generation is "3.x", or "2.x" for a job of ElasticJob 2.1.
	Generation string
	// Label is the text of the configuration by which jobs are grouped.
	Label string
	// RunningShards counts the shards with a running marker whose owner is live,
	// LostShards those whose run an instance began that has left since, and
	// UnassignedShards those without a live owner, those missing included.
	RunningShards, LostShards, UnassignedShards int
	// Owners are the first few live instances that have shards which are on, and OwnersSince is
	// when each of them registered.
	Owners      []string
	OwnersSince []time.Time
	// JavaShards are the shards of live Java agents, if the job has other instances, too.
	JavaShards []int
	// ReadySince is the time from which the job could run by its schedule, as far as
	// the tree shows: its configuration, an enabled server and an instance, if there's
	// one, are unchanged since then, and it wasn't released later. ZooKeeper's clock
	// gives the time. It's zero without a configuration or an enabled server.
	ReadySince time.Time
	// AbleSince is ReadySince without the instances, and without the servers of Java agents, which write
	// theirs at each start.
	AbleSince time.Time
	// Created is when the job's configuration came into being, and Changed when it was
	// written last, by ZooKeeper's clock; zero if it cannot be read.
	Created, Changed time.Time
	// Findings are the obstacles that [Reader.Explain] finds, the most serious first, one per
	// code and effect. CodeHeld and CodeConfigForbidden are always among them.
	Findings []Finding
	// NextFire is the next fire time by the schedule when the job was read; see
	// [Explanation].
	NextFire time.Time
	// JavaInstances is the number of instances that are Java agents.
	JavaInstances int
	// Recorded is set if agents of this repository record the completed fire times of each
	// shard in the registry; see [Reader.Fired].
	Recorded bool
	// Monitored is set if agents mark each shard of the job that runs, by monitorExecution.
	Monitored bool
	// Requested tells that runs of the job can be in the registry: somebody has requested
	// one since the job was made.
	Requested bool
	// Held is what stands still until somebody releases the job; its What is empty for
	// nothing. Java's agents do not know it.
	Held jobrun.Hold
	// JudgedUntil is the time at which Findings change although the registry doesn't, such as
	// after the last fire time; zero for never. A watching Reader judges again then.
	JudgedUntil time.Time
}

// FireRules are the job's properties schedule.from, schedule.until, schedule.exclude,
// schedule.jitter and schedule.zone as they are stored, empty where there is none.
type FireRules struct{ From, Until, Exclude, Jitter, Zone string }

// Zone names the zone of Cron: the property schedule.zone, or else TimeZone, or else
// AgentZone. Empty means that each agent uses its own, which is unknown.
func (j *Job) Zone() string { return cmp.Or(j.FireRules.Zone, j.TimeZone, j.AgentZone) }

// ScheduleHeld reports whether fire times pass because the schedule is held. Java agents don't
// know of a hold and fire.
func (j *Job) ScheduleHeld() bool {
	return j.Held.What.Schedule() && (j.JavaInstances == 0 || j.JavaInstances < j.Instances)
}

// ScheduleProps are the job's properties that say which times of Cron are fire times, by
// their keys; nil if it has none. A job without a zone has the zone of its agents.
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

// Server is one row of the list of servers.
type Server struct {
	IP string
	// Jobs counts the jobs that know the server, DisabledJobs those in which it
	// is disabled or its node is missing.
	Jobs, DisabledJobs int
	// Instances counts distinct instance ids: a process serving five jobs
	// counts once.
	Instances int
	// JobNames and InstanceIDs are what Jobs and Instances count, sorted.
	JobNames, InstanceIDs []string
}

// JobServer is one server of a job.
type JobServer struct {
	IP string
	// Enabled tells what agents take Data for.
	Enabled bool
	Data    string
	// Instances are the ids of its live instances, sorted.
	Instances []string
}

// Instance is one live instance of a job.
type Instance struct {
	ID, IP string
	Leader bool
	// Since is when the instance registered, by the server's clock.
	Since time.Time
	// Enabled tells whether its server is enabled.
	Enabled bool
	// Agent is what its agent has announced; the zero value for agents of Java's.
	Agent Agent
}

// Agent is what an agent of this repository announces of itself when it registers. Agents of
// older versions leave fields at their zero values.
type Agent struct {
	// Ours is false for agents of Java's.
	Ours bool
	// Version is the version of this library in the program, such as "v1.2.3" or "dev".
	Version string
	// Started is when the agent started, by its own clock.
	Started time.Time
	// Ahead is how much the agent's clock was ahead of ZooKeeper's when it registered; negative if it
	// was behind. It's zero for less than a minute.
	Ahead time.Duration
	// Zone is the time zone of the process, such as "Europe/Berlin".
	Zone string
	// NoRecorder is set if the agent records no runs.
	NoRecorder bool
	// Debug is what the process doesn't begin on its own.
	Debug jobrun.Held
	// MaxParallel is how many handlers run at once in the process; 0 for no limit.
	MaxParallel int
}

// Shard is one shard of a job.
type Shard struct {
	Item      int
	Parameter string
	// Instance is the id the shard is assigned to, live or not; empty if none.
	Instance string
	// IP is that instance's address.
	IP     string
	Status ShardStatus
	Reason string
	// RunningOn is the id in the running marker; it may name an instance that is
	// offline, which Reason then says. RunningSince is the age of the marker.
	RunningOn    string
	RunningSince time.Time
	// Failover is the id of the instance that took the shard over.
	Failover string
	// Disabled and Misfire are the markers of these names.
	Disabled, Misfire bool
	// Lost tells that an instance began a run of the shard, or had taken it over,
	// and has left, and nobody has begun it again: it waits for failover, or for
	// its next fire.
	Lost bool
}

// JobDetail is everything about one job.
type JobDetail struct {
	Job
	// Config is nil if the configuration cannot be read; RawConfig is the
	// stored text in any case. It may hold passwords.
	Config    *jobconfig.Config
	RawConfig []byte
	Shards    []Shard
	// Servers and Instances are sorted by address and id. They hide the
	// numbers of the same names in Job.
	Servers   []JobServer
	Instances []Instance
	// ReshardingNeeded tells that the flag for the leader is set, Resharding
	// that the leader is at it.
	ReshardingNeeded, Resharding bool
}
