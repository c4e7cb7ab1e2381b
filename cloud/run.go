package cloud

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/tracing"
)

// State is the state of a task, with the values of ElasticJob's status trail.
type State = tracing.State

// Ended reports whether a task in this state never changes again. An unreachable task may come back.
func Ended(s State) bool {
	switch s {
	case "", tracing.StateStaging, tracing.StateRunning, tracing.StateUnreachable:
		return false
	}
	return true
}

// Failure reports whether a task that enters this state counts as failed in the statistics. A task
// ended on purpose doesn't.
func Failure(s State) bool {
	switch s {
	case "", tracing.StateStaging, tracing.StateRunning, tracing.StateFinished, tracing.StateKilled:
		return false
	}
	return true
}

// Origin is why a run exists.
type Origin string

// The origins, also used in a label in Kubernetes.
const (
	OriginCron    Origin = "cron"    // its fire time came
	OriginPending Origin = "pending" // its fire time came earlier, while it could not run
	OriginManual  Origin = "manual"  // on request
	// OriginDaemon is the only run of a DAEMON job: a process per shard that is restarted when it
	// ends, until [Engine.Daemon] stops it.
	OriginDaemon Origin = "daemon"
)

// Run is a request to an engine: one task per shard.
type Run struct {
	// Name comes from RunName or ManualRunName.
	Name string
	// Job and App are the configuration at the time of the launch.
	Job Job
	App App
	// Owner is the Definition.UID of the job.
	Owner string
	// Fire is the fire time, or the time of the request for a manual run.
	Fire   time.Time
	Origin Origin
	// Shards are in ascending order, nil for all.
	Shards []int
	// Parameters of a manual run: one JSON object of at most [MaxParameters] bytes.
	Parameters json.RawMessage
	// By is the requester of a manual run.
	By string
}

// TaskCount is the number of shards that run.
func (r Run) TaskCount() int {
	if r.Shards != nil {
		return len(r.Shards)
	}
	return r.Job.Shards
}

// AllShards are the numbers of the shards that run, in ascending order.
func (r Run) AllShards() []int {
	shards := r.Shards
	if shards == nil {
		for n := range r.Job.Shards {
			shards = append(shards, n)
		}
	}
	return shards
}

// RunState is the state of a run.
type RunState string

const (
	RunWaiting   RunState = "waiting" // no task has started
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

// RunStatus is an engine's complete information about a run. A new leader knows nothing else about it.
type RunStatus struct {
	Name, JobName, AppName string

	Namespace string

	Owner  string
	Fire   time.Time
	Origin Origin
	// Shards is the job's total, Count the number of shards that run.
	Shards, Count int
	State         RunState
	// Message is why the run waits or how it ended, or "".
	Message string
	// Created is the time of the launch. Started is zero until the first task starts, Ended until the end.
	Created, Started, Ended time.Time
}

// StatusOf returns the status of a run just after its launch.
func StatusOf(r Run, created time.Time) RunStatus {
	return RunStatus{
		Name: r.Name, JobName: r.Job.Name, AppName: r.App.Name, Owner: r.Owner, Fire: r.Fire, Origin: r.Origin,
		Shards: r.Job.Shards, Count: r.TaskCount(), State: RunWaiting, Created: created, Namespace: r.Job.Namespace,
	}
}

// Ref is [RunRef] of the run.
func (r RunStatus) Ref() string { return RunRef(r.Namespace, r.Name) }

// RunRef returns the reference to a run for an engine: its name, with the namespace before it if
// several are served. Two namespaces may have runs of the same name after a job was deleted in one
// and created in the other.
func RunRef(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + "/" + name
}

const (
	// TaskReady is the first attempt at a shard.
	TaskReady = "READY"
	// TaskFailover is a later attempt.
	TaskFailover = "FAILOVER"
)

// TaskRef names one attempt at a shard of a run.
type TaskRef struct {
	Run   string
	Shard int
	// UID is the engine's name for it, never reused, such as the UID of a pod.
	UID string
	// Attempt counts from 1.
	Attempt int
}

// IgnoredSIGTERM ends the message of a task that had to be killed.
const IgnoredSIGTERM = "; it ignored SIGTERM for its grace period and was ended by SIGKILL"

// Task is one attempt at a shard: a process.
type Task struct {
	TaskRef
	State State
	// Message is the cause of the state: an exit code with the last lines, or why it waits.
	Message string
	// Node is the machine, empty until it's known. Host and IP are the process's.
	Node, Host, IP string
	// FirstUID and FirstNode are from the first attempt at the shard in this run, empty if this is the first.
	FirstUID, FirstNode string
	// Created, Started and Ended are the times of the task's creation and its process's start and
	// end; zero before.
	Created, Started, Ended time.Time
	// Stuck is since when the task can't start, for example because its image can't be pulled; zero if it can.
	Stuck time.Time
	// Changed is the time of the state, if it's none of those three.
	Changed time.Time
	// Retry reports that the task ended and another attempt at its shard follows.
	Retry bool
}

// NextAttempts returns the newest tasks of shards that wait for another attempt: a task that ended
// and will be retried, or another attempt that has not started. They're ordered by shard.
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

// OriginalID is the id of the first attempt at the shard, "" if this is the first.
func (t Task) OriginalID(job string) string {
	if t.FirstUID == "" || t.FirstUID == t.UID {
		return ""
	}
	return taskID(job, t.Shard, TaskReady, t.FirstNode, t.FirstUID)
}

// Event is the kind of a TaskEvent or a StoreEvent.
type Event string

// The events of a watch. A watch begins with EventReset, reports everything and then EventSynced;
// after that it reports each change. After a gap it starts over. Objects that weren't reported
// between a reset and the next synced no longer exist.
const (
	EventReset   Event = "reset"
	EventSynced  Event = "synced"
	EventChanged Event = "changed" // or new
	EventRemoved Event = "removed"
	// EventUnread means that a namespace can't be read, and why. It comes before EventSynced. The
	// reported objects of the namespace are then the last known ones, if any. When the namespace
	// becomes readable or unreadable, the watch ends and its caller starts over.
	EventUnread Event = "unread"
)

// TaskEvent is one report of an engine's watch. EventChanged and EventRemoved are about the run or,
// if Task.UID is set, about one of its tasks. The run is reported before its tasks. An event may be
// repeated, and outdated ones may be skipped: the last one counts.
type TaskEvent struct {
	Event Event
	Run   RunStatus
	Task  Task
	// Namespace and Err are for EventUnread.
	Namespace string
	Err       error
}

// ownPart returns a run's name without the job, "" for a foreign name.
func ownPart(run string) string {
	at := strings.LastIndexByte(run, '-')
	if at < 1 {
		return ""
	}
	return run[at+1:]
}

const (
	// HistoryAtLeast is how long a run is kept after its fire time and its launch. We keep the name that long,
	// because a scheduler that was frozen must still find it in use, long after its leadership ended.
	HistoryAtLeast = 15 * time.Minute
	// HistorySucceeded and HistoryFailed are how many ended runs of a job are kept.
	HistorySucceeded = 3
	HistoryFailed    = 10
)

// Trim returns the runs that an engine may forget: ended ones, except the newest of each kind, and none before
// [HistoryAtLeast]. A scheduler should first store their rows and the cursor, because we can't restore them
// afterwards. The run of a DAEMON job isn't included.
func Trim(runs []RunStatus, now time.Time) []string {
	ended := slices.DeleteFunc(slices.Clone(runs), func(r RunStatus) bool { return !r.State.Ended() || r.Origin == OriginDaemon })
	slices.SortFunc(ended, func(a, b RunStatus) int { return b.Ended.Compare(a.Ended) })
	left := map[bool]int{true: HistorySucceeded, false: HistoryFailed}
	var names []string
	for _, r := range ended {
		if well := r.State == RunSucceeded; left[well] > 0 {
			left[well]--
			continue
		}
		if now.Sub(r.Fire) > HistoryAtLeast && now.Sub(r.Created) > HistoryAtLeast {
			names = append(names, r.Name)
		}
	}
	return names
}
