package cloud

import (
	"maps"
	"strconv"
	"strings"
	"time"
)

// JobType says what keeps the processes of a job.
type JobType string

// The types of jobs, in upstream's words.
const (
	// TypeTransient jobs launch a run per fire time.
	TypeTransient JobType = "TRANSIENT"
	// TypeDaemon jobs have a process per shard that fires for itself.
	TypeDaemon JobType = "DAEMON"
)

// The properties of a job that this package knows. Others are kept and handed to the
// program.
const (
	PropOverlap       = "cloud.overlap"        // an [Overlap]
	PropPendingMax    = "cloud.pending.max"    // fire times and requests that may be pending, 100 by default
	PropFailoverMax   = "cloud.failover.max"   // further attempts at a shard, 3 by default
	PropFailoverNever = "cloud.failover.never" // exit codes after which no attempt follows, "64,65,78" by default
	PropTimeout       = "cloud.timeout"        // how long a run may take; no bound by default
	PropStartDeadline = "cloud.start.deadline" // how long a task may fail to start, 10m by default
	PropParallelism   = "cloud.parallelism"    // shards that run at a time; all by default
	PropQueue         = "cloud.queue"          // the queue of Kueue
	PropPriority      = "cloud.priority"       // the priority class of the processes
	PropFirePriority  = "cloud.fire.priority"  // who is launched first of one instant, 0 by default
	PropCPULimit      = "cloud.cpu.limit"      // "true" bounds the CPU too
	PropReadyPort     = "cloud.ready.port"     // where the processes of a DAEMON job serve /readyz; nowhere by default
	PropDaemon        = "cloud.daemon"         // [DaemonRegistry]: processes that share the shards by a ZooKeeper
	PropProcesses     = "cloud.processes"      // how many of those there are; one per shard by default
)

// notifiers are the types of error handlers that run in the scheduler, with the beginning of
// the names of the properties that each of them reads.
var notifiers = map[string]string{"EMAIL": "email.", "WECHAT": "wechat.", "DINGTALK": "dingtalk.", webhook: "webhook."}

// webhook is the notifier that ElasticJob-Lite has not.
const webhook = "WEBHOOK"

// Overlap says what becomes of a fire time that comes while a run of the job goes on.
type Overlap string

// The ways to overlap. Without the property, a job with misfire has OverlapQueueAll and
// one without OverlapQueueOne, as upstream really behaves.
const (
	OverlapQueueOne Overlap = "queue-one" // one may be pending, further ones are merged into it
	OverlapQueueAll Overlap = "queue-all" // each becomes pending, up to a bound
	OverlapSkip     Overlap = "skip"      // it is skipped
	OverlapAllow    Overlap = "allow"     // it runs beside the other
)

// Job is the configuration of a job. Its JSON has upstream's field names; TimeZone,
// StartTime, EndTime and ClockChange are ours.
type Job struct {
	// Name is 1 to 100 characters, unique, and never changes.
	Name    string `json:"jobName"`
	AppName string `json:"appName"`
	// Type is TRANSIENT or DAEMON. It changes only while the job is disabled.
	Type JobType `json:"jobExecutionType"`
	// Cron is a Quartz expression. A TRANSIENT job without one runs on request only.
	Cron string `json:"cron,omitempty"`
	// TimeZone is a name such as Europe/Berlin, or an offset such as GMT+08:00; empty is
	// the scheduler's.
	TimeZone string `json:"timeZone,omitempty"`
	// StartTime and EndTime bound the fire times; as of RFC 3339, empty for no bound.
	StartTime string `json:"startTime,omitempty"`
	EndTime   string `json:"endTime,omitempty"`
	// ClockChange is quartz (the default) or once.
	ClockChange string `json:"clockChange,omitempty"`
	// Shards is 1 to [MaxShards].
	Shards int `json:"shardingTotalCount"`
	// ShardParameters is "0=a,1=b".
	ShardParameters string `json:"shardingItemParameters,omitempty"`
	Parameter       string `json:"jobParameter,omitempty"`
	// CPU and MemoryMB are needed by each shard.
	CPU      float64 `json:"cpuCount"`
	MemoryMB float64 `json:"memoryMB"`
	// Misfire makes up for each fire time that was missed.
	Misfire bool `json:"misfire"`
	// Failover tries a shard again whose process failed or was lost.
	Failover bool `json:"failover"`
	// Disabled stops the job. Upstream keeps an operator's switch beside the document; a
	// store that does so writes it there.
	Disabled    bool              `json:"disabled"`
	Description string            `json:"description,omitempty"`
	Props       map[string]string `json:"props,omitempty"`
	// These are for the agents of a job with a registry; see [Job.Registry]. For other jobs only
	// ErrorHandlerType has an effect: see [Job.Notifies].
	MonitorExecution bool   `json:"monitorExecution"`
	MaxTimeDiff      int    `json:"maxTimeDiffSeconds"`
	ReconcileMinutes int    `json:"reconcileIntervalMinutes"`
	StrategyType     string `json:"jobShardingStrategyType,omitempty"`
	ExecutorType     string `json:"jobExecutorServiceHandlerType,omitempty"`
	ErrorHandlerType string `json:"jobErrorHandlerType,omitempty"`
	Overwrite        bool   `json:"overwrite"`
	// Compat are further fields of upstream's generations, kept for the way back. [Job.Unused] has
	// the fields without an effect here.
	Compat map[string]string `json:"compat,omitempty"`
	// Namespace is the one of a cluster that has the job, where several are served; empty
	// elsewhere. Its application and its runs are in the same one. It is no part of the
	// document, and never changes.
	Namespace string `json:"-"`
}

// NewJob returns a TRANSIENT job with upstream's defaults. Unmarshal JSON into it, so
// that absent fields have them.
func NewJob(name, app string, shards int) Job {
	return Job{
		Name: name, AppName: app, Type: TypeTransient, Shards: shards,
		CPU: 1, MemoryMB: 128, MonitorExecution: true,
		MaxTimeDiff: -1, ReconcileMinutes: 10,
	}
}

// Clone returns a deep copy.
func (j Job) Clone() Job {
	j.Props, j.Compat = maps.Clone(j.Props), maps.Clone(j.Compat)
	return j
}

// Notifies reports whether the scheduler notifies somebody of each failed run of the job:
// whether its error handler is EMAIL, WECHAT, DINGTALK or WEBHOOK. Of a job with a registry the
// agents have the error handler, and the scheduler has no run that fails.
func (j Job) Notifies() bool { return notifiers[j.ErrorHandlerType] != "" && !j.Registry() }

// ProgramProps are the properties that the program is given. Where the scheduler notifies
// somebody, those of its notifiers are not among them: they have secrets, and the program has
// no use for them.
func (j Job) ProgramProps() map[string]string {
	if !j.Notifies() {
		return j.Props
	}
	props := maps.Clone(j.Props)
	maps.DeleteFunc(props, func(key, _ string) bool {
		for _, prefix := range notifiers {
			if strings.HasPrefix(key, prefix) {
				return true
			}
		}
		return false
	})
	return props
}

// Overlap is what the job's property says, or else what follows from Misfire.
func (j Job) Overlap() Overlap {
	switch o := Overlap(j.Props[PropOverlap]); {
	case o != "":
		return o
	case j.Misfire:
		return OverlapQueueAll
	default:
		return OverlapQueueOne
	}
}

// PendingMax is how many fire times of the job may be pending; as many requests may be
// beside them.
func (j Job) PendingMax() int { return j.number(PropPendingMax) }

// FailoverMax is how many attempts at a shard may follow the first: 0 without Failover.
func (j Job) FailoverMax() int {
	if !j.Failover {
		return 0
	}
	return j.number(PropFailoverMax)
}

// FailoverNever are the exit codes after which no further attempt follows.
func (j Job) FailoverNever() []int {
	codes, err := exitCodes(j.Props[PropFailoverNever])
	if err != nil || len(codes) == 0 {
		return []int{exitUsage, exitDataError, exitConfig}
	}
	return codes
}

// The exit codes of sysexits.h after which another attempt is useless: for wrong use, wrong
// data (as for a SCRIPT job of an agent) and a wrong configuration.
const (
	exitUsage     = 64
	exitDataError = 65
	exitConfig    = 78
)

// Parallelism is how many shards of a run may work at a time.
func (j Job) Parallelism() int {
	if n := j.number(PropParallelism); n > 0 && n < j.Shards {
		return n
	}
	return j.Shards
}

// FirePriority says which of several jobs with one fire time is launched first: the
// one with the greatest.
func (j Job) FirePriority() int { return j.number(PropFirePriority) }

// ReadyPort is the port on which a process of a DAEMON job answers whether it fires, for
// engines that ask; 0 is none.
func (j Job) ReadyPort() int { return j.number(PropReadyPort) }

// Timeout is how long a run may take; 0 is no bound.
func (j Job) Timeout() time.Duration { return j.duration(PropTimeout, 0) }

// StartDeadline is how long a task may fail to start.
func (j Job) StartDeadline() time.Duration { return j.duration(PropStartDeadline, 10*time.Minute) }

// number is the property's value, or its default if it has none that can be used.
func (j Job) number(prop string) int {
	rule := numericProps[prop]
	if n, err := strconv.Atoi(j.Props[prop]); err == nil && rule.Has(n) {
		return n
	}
	return rule.otherwise
}

func (j Job) duration(prop string, otherwise time.Duration) time.Duration {
	if d, err := time.ParseDuration(j.Props[prop]); err == nil && durationProps[prop].has(d) {
		return d
	}
	return otherwise
}

// exitCodes reads a text such as "64,78".
func exitCodes(text string) ([]int, error) {
	var codes []int
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		code, err := strconv.Atoi(part)
		if err != nil {
			return nil, err
		}
		codes = append(codes, code)
	}
	return codes, nil
}
