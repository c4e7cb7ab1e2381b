package cloud

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/tracing"
)

// State is what is known of a task: the values of ElasticJob's status trail.
type State = tracing.State

// Ended reports whether a task in this state never changes again. A task that is
// unreachable may be heard of again.
func Ended(s State) bool {
	switch s {
	case "", tracing.StateStaging, tracing.StateRunning, tracing.StateUnreachable:
		return false
	}
	return true
}

// Failure reports whether a task that comes into this state counts as failed in the
// statistics. One that somebody has ended on purpose does not.
func Failure(s State) bool {
	switch s {
	case "", tracing.StateStaging, tracing.StateRunning, tracing.StateFinished, tracing.StateKilled:
		return false
	}
	return true
}

// Origin says why there is a run.
type Origin string

// The origins. What Kubernetes' label says of a run is one of these words.
const (
	OriginCron    Origin = "cron"    // its fire time came
	OriginPending Origin = "pending" // its fire time came earlier, while it could not run
	OriginManual  Origin = "manual"  // somebody asked
	// OriginDaemon is the one run of a DAEMON job: a process per shard that is started
	// again when it has ended. It goes on until [Engine.Daemon] stops it.
	OriginDaemon Origin = "daemon"
)

// Run is what an engine is asked to run: one task per shard.
type Run struct {
	// Name is of RunName or ManualRunName, never anything else.
	Name string
	// Job and App are the configuration at the time of the launch.
	Job Job
	App App
	// Owner is the Definition.UID of the job.
	Owner string
	// Fire is the fire time; of a manual run, when it was asked for.
	Fire   time.Time
	Origin Origin
	// Shards are those to run, in ascending order; nil for all.
	Shards []int
	// Parameters of a manual run: one JSON object of at most [MaxParameters] bytes.
	Parameters json.RawMessage
	// By is who asked for a manual run.
	By string
}

// TaskCount is how many shards run.
func (r Run) TaskCount() int {
	if r.Shards != nil {
		return len(r.Shards)
	}
	return r.Job.Shards
}

// RunState is what is known of a run.
type RunState string

// The states of runs.
const (
	RunWaiting   RunState = "waiting" // no task has begun
	RunRunning   RunState = "running"
	RunSuspended RunState = "suspended"
	RunSucceeded RunState = "succeeded"
	RunFailed    RunState = "failed"
	RunKilled    RunState = "killed"
)

// Ended reports whether the run never changes again.
func (s RunState) Ended() bool {
	return s == RunSucceeded || s == RunFailed || s == RunKilled
}

// RunStatus is what an engine says of a run that it has. It is complete: a scheduler
// that has just begun to lead knows no more of a run than this.
type RunStatus struct {
	Name, JobName, AppName string
	// Namespace is that of the job, as in [Job.Namespace].
	Namespace string
	// Owner is Run.Owner.
	Owner  string
	Fire   time.Time
	Origin Origin
	// Shards is the total of the job, Count how many of them run.
	Shards, Count int
	State         RunState
	// Message says why it waits or how it ended, "" for nothing to say.
	Message string
	// Created is when it was launched. Started is zero before its first task has begun,
	// Ended before its end.
	Created, Started, Ended time.Time
}

// StatusOf is what is to be said of a run that was launched at a time.
func StatusOf(r Run, created time.Time) RunStatus {
	return RunStatus{
		Name: r.Name, JobName: r.Job.Name, AppName: r.App.Name, Owner: r.Owner, Fire: r.Fire, Origin: r.Origin,
		Shards: r.Job.Shards, Count: r.TaskCount(), State: RunWaiting, Created: created, Namespace: r.Job.Namespace,
	}
}

// Ref is [RunRef] of the run.
func (r RunStatus) Ref() string { return RunRef(r.Namespace, r.Name) }

// RunRef is what an engine is asked about a run by: its name, with the namespace before it
// where several are served. A job that was deleted in one namespace and made in another has
// runs of one name in both.
func RunRef(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + "/" + name
}

// The execution types of a task.
const (
	// TaskReady is the first attempt at a shard.
	TaskReady = "READY"
	// TaskFailover is a further one.
	TaskFailover = "FAILOVER"
)

// TaskRef names one attempt at a shard of a run.
type TaskRef struct {
	Run   string
	Shard int
	// UID is what the engine calls it: unique for ever, such as the UID of a pod.
	UID string
	// Attempt counts from 1.
	Attempt int
}

// IgnoredSIGTERM is what the message of a task ends with whose process had to be killed.
const IgnoredSIGTERM = "; it ignored SIGTERM for its grace and was ended by SIGKILL"

// Task is one attempt at a shard: a process.
type Task struct {
	TaskRef
	State State
	// Message is the cause of the state: an exit code with the last lines, why it waits.
	Message string
	// Node is the machine, empty as long as there is none. Host and IP are the process's.
	Node, Host, IP string
	// FirstUID and FirstNode are those of the first attempt at the shard in this run;
	// empty if this is the first.
	FirstUID, FirstNode string
	// Created, Started and Ended are when the task was made, when its process began and
	// when it ended; zero before that.
	Created, Started, Ended time.Time
	// Stuck is since when it cannot start as it is, because of an image that nobody can
	// pull for example; zero if it can.
	Stuck time.Time
	// Changed is when the state came, if it is none of those three.
	Changed time.Time
	// Retry reports that the task ended and another attempt at its shard follows.
	Retry bool
}

// NextAttempts returns the newest tasks of the shards that wait for a further attempt: a task that
// ended and is retried, or a further attempt that has not begun. They're in the order of the shards.
func NextAttempts(r RunStatus, tasks []Task) []Task {
	if r.State.Ended() || r.State == RunSuspended {
		return nil
	}
	newest := make(map[int]Task)
	for _, t := range tasks {
		if t.Attempt >= newest[t.Shard].Attempt {
			newest[t.Shard] = t
		}
	}
	var waiting []Task
	for _, shard := range slices.Sorted(maps.Keys(newest)) {
		if t := newest[shard]; t.Retry || t.Attempt > 1 && t.State == tracing.StateStaging && t.Started.IsZero() {
			waiting = append(waiting, t)
		}
	}
	return waiting
}

// Type is [TaskReady] or [TaskFailover].
func (t Task) Type() string {
	if t.Attempt > 1 {
		return TaskFailover
	}
	return TaskReady
}

// ID is the five-part task id of ElasticJob.
func (t Task) ID(job string) string { return taskID(job, t.Shard, t.Type(), t.Node, t.UID) }

// OriginalID is the id of the first attempt at the shard, "" if this is it.
func (t Task) OriginalID(job string) string {
	if t.FirstUID == "" || t.FirstUID == t.UID {
		return ""
	}
	return taskID(job, t.Shard, TaskReady, t.FirstNode, t.FirstUID)
}

// Event says what a TaskEvent or a StoreEvent is about.
type Event string

// The events of a watch. A watch begins with EventReset, reports the whole present and
// then EventSynced; from there on it reports each change. After a gap it begins anew: what
// was not reported between a reset and the next synced exists no more.
const (
	EventReset   Event = "reset"
	EventSynced  Event = "synced"
	EventChanged Event = "changed" // or new
	EventRemoved Event = "removed"
	// EventUnread says that a namespace cannot be read, and why. It comes before the
	// EventSynced that it counts for: what is reported of the namespace is what was known
	// last, if anything was. When that changes, the watch ends and its caller begins anew.
	EventUnread Event = "unread"
)

// TaskEvent is one report of an engine's watch. With EventChanged and EventRemoved it is
// about the run, or about a task of it if Task.UID is not empty. The run is reported
// before its tasks. An event may be reported twice, and one that another has overtaken may
// be left out: the last one counts.
type TaskEvent struct {
	Event Event
	Run   RunStatus
	Task  Task
	// Namespace and Err are those of EventUnread.
	Namespace string
	Err       error
}

// ownPart is what the name of a run has behind that of its job; "" if it is none of ours.
func ownPart(run string) string {
	at := strings.LastIndexByte(run, '-')
	if at < 1 {
		return ""
	}
	return run[at+1:]
}
