package cloud

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// Errors of engines and stores; match with errors.Is. Every other error may be temporary.
var (
	ErrNotFound = errors.New("not found")
	ErrExists   = errors.New("the name is in use")
	// ErrConflict means that the object was changed at the same time.
	ErrConflict = errors.New("changed by another writer")
	// ErrRefused means that a retry is useless until something changes.
	ErrRefused = errors.New("refused")
	// ErrForbidden means that we lack a permission. It is an ErrRefused.
	ErrForbidden = fmt.Errorf("forbidden: %w", ErrRefused)
	// ErrForeign means that the run's name is used by another program, or by an earlier job of the same name.
	ErrForeign = errors.New("a run of another owner has this name")
	// ErrUnsupported means that the engine lacks the feature; see [Capabilities].
	ErrUnsupported = errors.New("the engine does not support this")
)

// RetryAfterError is a temporary error with the earliest time of a retry.
type RetryAfterError struct {
	After time.Duration
	Err   error
}

func (e *RetryAfterError) Error() string {
	return fmt.Sprintf("%v (try again after %s)", e.Err, e.After)
}

func (e *RetryAfterError) Unwrap() error { return e.Err }

// Engine runs tasks. Every method may be repeated after an error and is safe for concurrent use. None should block
// longer than its context allows. The argument run is a run's name or its [RunStatus.Ref].
type Engine interface {
	// Launch starts a run. If a run of that name, job and owner exists, ended or not, it succeeds
	// and created is false. Another run with the name is [ErrForeign].
	Launch(ctx context.Context, r Run) (created bool, err error)
	// End stops a run, or the task of one shard; shard < 0 is the run. Watch reports how it ended.
	// It succeeds for an ended run and returns ErrNotFound for an unknown one.
	End(ctx context.Context, run string, shard int, how Ending) error
	// Resume resumes a suspended run with all unfinished shards. It succeeds for a run that isn't suspended.
	Resume(ctx context.Context, run string) error
	// Watch reports the current state and then every change until ctx ends; see [Event]. It calls
	// report from one goroutine. The error is never nil; call Watch again after it.
	Watch(ctx context.Context, report func(TaskEvent)) error
	// Logs returns the output of a task's process. The caller must close it. ErrNotFound if the log
	// is no longer kept.
	Logs(ctx context.Context, task TaskRef, o LogOptions) (io.ReadCloser, error)
	// Daemon changes the processes of a DAEMON job to match d. They are one run, with the name
	// [DaemonRunName] and OriginDaemon, until Count is 0. End of a shard restarts its process; End of
	// the whole run is ErrRefused. Stopping the processes of another owner succeeds and does nothing.
	Daemon(ctx context.Context, d Daemon) error
	// Forget deletes an ended run and frees its name. ErrNotFound if there is nothing, ErrRefused
	// if the run has not ended.
	Forget(ctx context.Context, run string) error
	// Explain returns what keeps a run from continuing, the most important reason first.
	Explain(ctx context.Context, run string) ([]Reason, error)
	Capabilities() Capabilities
}

// AnyShard is the shard of a process that may work on all shards of its job.
const AnyShard = -1

// Reporters is an [Engine] for DAEMON jobs that report their runs. Each process has its own token.
type Reporters interface {
	// Reporter returns the job and the shard of the process with a token. The shard is [AnyShard] if
	// the processes share the shards. An unknown token is ErrRefused; other errors may be temporary.
	Reporter(ctx context.Context, token string) (job string, shard int, err error)
}

// Manifester is an [Engine] that runs tasks on another system, and can show its requests.
type Manifester interface {
	// Manifest returns, as YAML, the object that Launch would create for a run, or Daemon for a
	// DAEMON job. It sends nothing. It returns the same errors.
	Manifest(r Run) ([]byte, error)
}

// Way is how a run is stopped.
type Way string

const (
	EndKill    Way = "kill"
	EndSuspend Way = "suspend" // its processes end; Resume continues
	EndError   Way = "error"   // it did not start in time: its tasks end as TASK_ERROR
)

// wayResume in a job's status means that it was enabled and suspended runs should resume.
const wayResume Way = "resume"

// Ending has the way to stop a run or a task, the user and the reason.
type Ending struct {
	Way    Way
	By     string // a person's name, or "scheduler"
	Reason string
}

// Daemon is the desired state of a DAEMON job's processes.
type Daemon struct {
	Name  string // Slug of the job's name
	Job   Job
	App   App
	Owner string
	// Count is the number of processes: Job.Processes, or 0 to stop all.
	Count int
}

// LogOptions select a part of a log.
type LogOptions struct {
	// Follow continues until the process or ctx ends.
	Follow bool
	// Tail is the number of last lines; 0 is all.
	Tail int
	// MaxBytes limits the answer; 0 is [MaxLogBytes].
	MaxBytes int64
}

// Reason is one thing that holds up a run.
type Reason struct {
	Code string // a word, such as Unschedulable
	Text string // a sentence from the engine
	// Count is the number of tasks held up.
	Count int
	Since time.Time
}

type Capabilities struct {
	Engine  string // such as EngineLocal
	Version string
	// Missing features return ErrUnsupported.
	Suspend, Daemons, Logs bool

	MaxShards int
}

// StoreEvent is one report of a store's watch. EventChanged and EventRemoved have a Kind and a
// Name; EventChanged also has App or Definition.
type StoreEvent struct {
	Event      Event
	Kind       Kind
	Name       string
	App        App
	Definition Definition
	// Err is the reason why the document can't be read. App or Definition then only have the name
	// and the namespace.
	Err error
	// Namespace is for EventUnread; Err is the reason.
	Namespace string
}

// DeleteOptions are conditions for a deletion.
type DeleteOptions struct {
	// Version must be the current one unless it's empty, else ErrConflict.
	Version string
}

// Store keeps definitions, cursors, and pending fire times and requests. It's safe for concurrent use.
//
// Change is compare-and-set: f gets the current value, and may be called again with a newer one. If f returns
// an error or changes nothing, nothing is written. Fields in the store that this package doesn't know survive.
type Store interface {
	// Watch reports the current jobs and applications and then every change until ctx ends; see
	// [Event]. It calls report from one goroutine. The error is never nil.
	Watch(ctx context.Context, report func(StoreEvent)) error
	// Create creates a job and returns it with UID and times; ErrExists if it exists.
	Create(ctx context.Context, j Job) (Definition, error)
	// CreateApp creates an application; ErrExists if it exists.
	CreateApp(ctx context.Context, a App) (App, error)
	// Change changes a job; ErrNotFound if it doesn't exist, ErrRefused if f changes its name.
	Change(ctx context.Context, job string, f func(*Definition) error) (Definition, error)
	// ChangeApp changes an application; ErrNotFound if it doesn't exist.
	ChangeApp(ctx context.Context, app string, f func(*App) error) (App, error)
	// Delete returns ErrNotFound if it doesn't exist. The scheduler ends the runs of a deleted job.
	Delete(ctx context.Context, kind Kind, name string, o DeleteOptions) error
}

// Leadership elects one of several schedulers.
type Leadership interface {
	// Run takes part in elections until ctx ends, and calls lead while this process leads. The
	// context of lead ends before another process can lead. Run waits for lead to return, then
	// tries again. Err of that context reports the end as soon as a local deadline has passed, by a
	// clock that counts sleep, even if Done isn't closed yet, so lead should check it before each
	// launch, because the process may have been frozen.
	Run(ctx context.Context, lead func(context.Context)) error
}

// HealthReporter is a [Leadership] that reports why it can't take part in elections or keep the
// lead, for example because it can read but not write. The error is nil if there's no problem.
type HealthReporter interface {
	Health() (since time.Time, err error)
}
