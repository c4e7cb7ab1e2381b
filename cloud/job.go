package cloud

import (
	"maps"
	"strconv"
	"strings"
	"time"
)

// JobType is the execution type of a job.
type JobType string

const (
	// TypeTransient jobs launch a run per fire time.
	TypeTransient JobType = "TRANSIENT"
	// TypeDaemon jobs have a process per shard that fires by itself.
	TypeDaemon JobType = "DAEMON"
)

// The properties of a job that this package knows. Others are passed to the program.
const (
	PropOverlap       = "cloud.overlap"        // an [Overlap]
	PropPendingMax    = "cloud.pending.max"    // limit for pending fire times and for pending requests, 100 by default
	PropFailoverMax   = "cloud.failover.max"   // further attempts at a shard, 3 by default
	PropFailoverNever = "cloud.failover.never" // exit codes that aren't retried, "64,65,78" by default
	PropTimeout       = "cloud.timeout"        // time limit of a run; none by default
	PropStartDeadline = "cloud.start.deadline" // time limit for a task to start, 10m by default
	PropParallelism   = "cloud.parallelism"    // shards that run at a time; all by default
	PropQueue         = "cloud.queue"          // the queue of Kueue
	PropPriority      = "cloud.priority"       // the priority class of the processes
	PropFirePriority  = "cloud.fire.priority"  // launch order of jobs with the same fire time, 0 by default
	PropCPULimit      = "cloud.cpu.limit"      // "true" limits the CPU too
	PropReadyPort     = "cloud.ready.port"     // port with /readyz of a DAEMON job's processes; none by default
	PropDaemon        = "cloud.daemon"         // [DaemonRegistry]: processes share the shards by a ZooKeeper
	PropProcesses     = "cloud.processes"      // the number of those processes; one per shard by default
)

// notifiers are the error handler types that run in the scheduler, with the prefix of their properties.
var notifiers = map[string]string{"EMAIL": "email.", "WECHAT": "wechat.", "DINGTALK": "dingtalk.", webhook: "webhook."}

// webhook is a notifier that ElasticJob-Lite doesn't have.
const webhook = "WEBHOOK"

// Overlap decides about a fire time while a run of the job is active.
type Overlap string

// The kinds of overlap. Without the property a job with misfire has OverlapQueueAll, and one
// without OverlapQueueOne, like upstream's actual behaviour.
const (
	OverlapQueueOne Overlap = "queue-one" // one may be pending, further ones are merged into it
	OverlapQueueAll Overlap = "queue-all" // all become pending, up to a limit
	OverlapSkip     Overlap = "skip"      // it's skipped
	OverlapAllow    Overlap = "allow"     // it runs at the same time
)

// Job is the configuration of a job. Its JSON has upstream's field names; TimeZone, StartTime,
// EndTime and ClockChange are ours.
type Job struct {
	// Name is unique, has 1 to 100 characters and never changes.
	Name    string `json:"jobName"`
	AppName string `json:"appName"`
	// Type is TRANSIENT or DAEMON. It may only change while the job is disabled.
	Type JobType `json:"jobExecutionType"`
	// Cron is a Quartz expression. A TRANSIENT job without one only runs on request.
	Cron string `json:"cron,omitempty"`
	// TimeZone is a name such as Europe/Berlin or an offset such as GMT+08:00, empty for the scheduler's zone.
	TimeZone string `json:"timeZone,omitempty"`
	// StartTime and EndTime limit the fire times, in the form of RFC 3339; empty for no limit.
	StartTime string `json:"startTime,omitempty"`
	EndTime   string `json:"endTime,omitempty"`
	// ClockChange is quartz (the default) or once.
	ClockChange string `json:"clockChange,omitempty"`
	// Shards is 1 to [MaxShards].
	Shards int `json:"shardingTotalCount"`
	// ShardParameters is "0=a,1=b".
	ShardParameters string `json:"shardingItemParameters,omitempty"`
	Parameter       string `json:"jobParameter,omitempty"`
	// CPU and MemoryMB are for each shard.
	CPU      float64 `json:"cpuCount"`
	MemoryMB float64 `json:"memoryMB"`
	// Misfire makes up for every missed fire time.
	Misfire bool `json:"misfire"`
	// Failover retries a shard if its process failed or was lost.
	Failover bool `json:"failover"`
	// Disabled stops the job. Upstream stores an operator's switch outside the document, and so
	// does a store for upstream's format.
	Disabled    bool              `json:"disabled"`
	Description string            `json:"description,omitempty"`
	Props       map[string]string `json:"props,omitempty"`
	// These are for agents of a job with a registry; see [Job.Registry]. For other jobs only
	// ErrorHandlerType has an effect; see [Job.Notifies].
	MonitorExecution bool   `json:"monitorExecution"`
	MaxTimeDiff      int    `json:"maxTimeDiffSeconds"`
	ReconcileMinutes int    `json:"reconcileIntervalMinutes"`
	StrategyType     string `json:"jobShardingStrategyType,omitempty"`
	ExecutorType     string `json:"jobExecutorServiceHandlerType,omitempty"`
	ErrorHandlerType string `json:"jobErrorHandlerType,omitempty"`
	Overwrite        bool   `json:"overwrite"`
	// Compat has further fields of upstream's generations, kept for exports. [Job.Unused] returns
	// the fields without an effect.
	Compat map[string]string `json:"compat,omitempty"`
	// Namespace is the job's namespace if a cluster serves several, else empty. Its application and
	// runs are in the same namespace. It isn't part of the document and never changes.
	Namespace string `json:"-"`
}

// NewJob returns a TRANSIENT job with upstream's defaults. Unmarshal JSON into it to keep them for
// absent fields.
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

// Notifies reports whether the scheduler sends a notification for each failed run, because the
// error handler is EMAIL, WECHAT, DINGTALK or WEBHOOK. For a job with a registry it's false,
// because the agents have the error handler and the scheduler sees no failed run.
func (j Job) Notifies() bool { return notifiers[j.ErrorHandlerType] != "" && !j.Registry() }

// ProgramProps returns the properties for the program. It leaves out the properties of the
// scheduler's notifiers, because they contain secrets that the program doesn't need.
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

// Overlap returns the job's property, or a default that depends on Misfire.
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

// PendingMax is the limit for pending fire times, and separately for pending requests.
func (j Job) PendingMax() int { return j.number(PropPendingMax) }

// FailoverMax is the number of attempts at a shard after the first: 0 without Failover.
func (j Job) FailoverMax() int {
	if !j.Failover {
		return 0
	}
	return j.number(PropFailoverMax)
}

// FailoverNever returns the exit codes that aren't retried.
func (j Job) FailoverNever() []int {
	codes, err := exitCodes(j.Props[PropFailoverNever])
	if err != nil || len(codes) == 0 {
		return []int{exitUsage, exitDataError, exitConfig}
	}
	return codes
}

// Exit codes of sysexits.h that we don't retry by default, because a retry won't fix them: wrong
// usage, wrong data (as for an agent's SCRIPT job) and wrong configuration.
const (
	exitUsage     = 64
	exitDataError = 65
	exitConfig    = 78
)

// Parallelism is the number of a run's shards that may run at a time.
func (j Job) Parallelism() int {
	if n := j.number(PropParallelism); n > 0 && n < j.Shards {
		return n
	}
	return j.Shards
}

// FirePriority orders jobs with the same fire time, greatest first.
func (j Job) FirePriority() int { return j.number(PropFirePriority) }

// ReadyPort is the port for readiness checks of a DAEMON job's process; 0 is none.
func (j Job) ReadyPort() int { return j.number(PropReadyPort) }

// Timeout is the time limit of a run; 0 is none.
func (j Job) Timeout() time.Duration { return j.duration(PropTimeout, 0) }

// StartDeadline is the time limit for a task to start.
func (j Job) StartDeadline() time.Duration { return j.duration(PropStartDeadline, 10*time.Minute) }

// number returns the property's value, or its default if the value is absent or invalid.
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
