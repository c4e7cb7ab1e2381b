package cloud

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// What engines and stores answer; match with errors.Is. Every other error may pass.
var (
	// ErrNotFound says that there is nothing of that name.
	ErrNotFound = errors.New("not found")
	// ErrExists says that the name is in use.
	ErrExists = errors.New("the name is in use")
	// ErrConflict says that somebody else has changed it meanwhile.
	ErrConflict = errors.New("changed by somebody else meanwhile")
	// ErrRefused says that asking again is useless until somebody changes something.
	ErrRefused = errors.New("refused")
	// ErrForbidden says that we lack the right. It is an ErrRefused.
	ErrForbidden = fmt.Errorf("forbidden: %w", ErrRefused)
	// ErrForeign says that a run of that name exists which is not ours, or of an earlier
	// job of the same name.
	ErrForeign = errors.New("the run's name belongs to somebody else")
	// ErrUnsupported says that the engine cannot do that; see [Capabilities].
	ErrUnsupported = errors.New("the engine cannot do that")
)

// RetryAfterError is an error that may pass, and not before a time has passed.
type RetryAfterError struct {
	After time.Duration
	Err   error
}

// Error names both.
func (e *RetryAfterError) Error() string {
	return fmt.Sprintf("%v (try again after %s)", e.Err, e.After)
}

// Unwrap returns the cause.
func (e *RetryAfterError) Unwrap() error { return e.Err }

// Engine runs tasks. Every method may be called again after an error, and by many at the
// same time. None blocks longer than its context allows. An argument run is the run's name or
// its [RunStatus.Ref].
type Engine interface {
	// Launch begins a run. A run of that name, job and owner that exists already, ended or
	// not, is success and created is false; another one is [ErrForeign].
	Launch(ctx context.Context, r Run) (created bool, err error)
	// End stops a run, or the task of one shard; shard < 0 is the run. How it ended
	// arrives by Watch. A run that has ended is success; one that never was is ErrNotFound.
	End(ctx context.Context, run string, shard int, how Ending) error
	// Resume goes on with a run that was suspended, with all shards that have not
	// finished. A run that is not suspended is success.
	Resume(ctx context.Context, run string) error
	// Watch reports the whole present and then every change, as [Event] says, until ctx
	// ends. It calls report from one goroutine. It returns what ended it, which is never
	// nil; a caller begins anew.
	Watch(ctx context.Context, report func(TaskEvent)) error
	// Logs is what the process of a task wrote. The caller closes it. ErrNotFound if it is
	// kept no more.
	Logs(ctx context.Context, task TaskRef, o LogOptions) (io.ReadCloser, error)
	// Daemon brings the processes of a DAEMON job to what d says. They are one run, of
	// [DaemonRunName] and OriginDaemon, which goes on until Count is 0. An end of one of its
	// shards by End has the process begin anew; that of the whole run is ErrRefused. To stop
	// those of another owner is success and does nothing.
	Daemon(ctx context.Context, d Daemon) error
	// Forget deletes what is left of a run that has ended, its name included; ErrNotFound
	// if there is nothing. A run that has not ended is ErrRefused.
	Forget(ctx context.Context, run string) error
	// Explain says what keeps a run from going on, the most important reason first.
	Explain(ctx context.Context, run string) ([]Reason, error)
	// Capabilities says what the engine can do.
	Capabilities() Capabilities
}

// AnyShard is the shard of a process that may work on each of its job.
const AnyShard = -1

// Reporters is an [Engine] whose processes of DAEMON jobs report their runs, each with a
// token of its own.
type Reporters interface {
	// Reporter says of which job and shard the process is that has a token, [AnyShard] if the
	// processes of the job share its shards; ErrRefused for a token that is none. Other errors
	// may pass.
	Reporter(ctx context.Context, token string) (job string, shard int, err error)
}

// Manifester is an [Engine] that has another system run the tasks, and can show what it would
// ask of it.
type Manifester interface {
	// Manifest is the object that Launch would make of a run, or Daemon of the processes of a
	// DAEMON job, as YAML. Nothing is asked or made. An error is that of Launch or Daemon.
	Manifest(r Run) ([]byte, error)
}

// Way is how a run is stopped.
type Way string

// The ways.
const (
	EndKill    Way = "kill"
	EndSuspend Way = "suspend" // its processes end, Resume goes on
	EndError   Way = "error"   // it could not start in time: its tasks end as TASK_ERROR
)

// endResume is what a job's status says when it was enabled: what was suspended goes on.
const endResume Way = "resume"

// Ending says how to stop a run or a task, who wants it and why.
type Ending struct {
	Way    Way
	By     string // a person's name, or "scheduler"
	Reason string
}

// Daemon is what the processes of a DAEMON job are to be.
type Daemon struct {
	Name  string // Slug of the job's name
	Job   Job
	App   App
	Owner string
	// Count is how many processes there are: Job.Processes, or 0 to stop all.
	Count int
}

// LogOptions say which part of a log is wanted.
type LogOptions struct {
	// Follow goes on with what comes, until the process ends or ctx does.
	Follow bool
	// Previous is the attempt before.
	Previous bool
	// Tail is how many last lines; 0 is all.
	Tail  int
	Since time.Time
	// MaxBytes bounds the answer; 0 is [MaxLogBytes].
	MaxBytes int64
}

// Reason is one thing that keeps a run from going on.
type Reason struct {
	Code string // a word, such as Unschedulable
	Text string // a sentence, in the engine's words
	// Count is how many tasks it holds up.
	Count int
	Since time.Time
}

// Capabilities are what an engine can do.
type Capabilities struct {
	Engine  string // such as EngineLocal
	Version string
	// What it cannot do is answered with ErrUnsupported.
	Suspend, Daemons, Logs bool
	// MaxShards is the greatest number of shards of a run.
	MaxShards int
}

// StoreEvent is one report of a store's watch. With EventChanged and EventRemoved it has
// a Kind and a Name; App or Definition are those of EventChanged.
type StoreEvent struct {
	Event      Event
	Kind       Kind
	Name       string
	App        App
	Definition Definition
	// Err says why the document cannot be read; App or Definition then has the name and the
	// namespace alone.
	Err error
	// Namespace is the one of EventUnread; Err says why it cannot be read.
	Namespace string
}

// DeleteOptions say under what conditions something is deleted.
type DeleteOptions struct {
	// Version must be the present one, if it is not empty; else ErrConflict.
	Version string
}

// Store keeps definitions, cursors and what is pending. Its methods may be called at the
// same time.
//
// Change is compare-and-set: f gets the present value and may be called again with a newer
// one. What f returns as an error is returned and nothing is written. Nothing is written
// either if f changes nothing. Fields that the store has and this package does not know
// survive.
type Store interface {
	// Watch reports the whole present and then every change of jobs and applications, as
	// [Event] says, until ctx ends. It calls report from one goroutine. It returns what
	// ended it, which is never nil.
	Watch(ctx context.Context, report func(StoreEvent)) error
	// Create makes a job; ErrExists if there is one. It returns it with UID and times.
	Create(ctx context.Context, j Job) (Definition, error)
	// CreateApp makes an application; ErrExists if there is one.
	CreateApp(ctx context.Context, a App) (App, error)
	// Change changes a job; ErrNotFound if there is none, ErrRefused if f changes its name.
	Change(ctx context.Context, job string, f func(*Definition) error) (Definition, error)
	// ChangeApp changes an application; ErrNotFound if there is none.
	ChangeApp(ctx context.Context, app string, f func(*App) error) (App, error)
	// Delete deletes; ErrNotFound if there is none. Runs of a deleted job are the
	// scheduler's to end.
	Delete(ctx context.Context, kind Kind, name string, o DeleteOptions) error
}

// Leadership elects one of several schedulers.
type Leadership interface {
	// Run stands for election until ctx ends, and calls lead while this process leads. The
	// context of lead ends before anybody else may lead; Run waits for lead to return and
	// stands again. Err of that context reports the end as soon as a local deadline has
	// passed, by a clock that counts sleep, even if Done is not closed yet: a process that
	// was frozen asks before each launch.
	Run(ctx context.Context, lead func(context.Context)) error
}

// Troubled is a [Leadership] that says what keeps it from standing for election, or from
// leading on, nil if nothing does: it cannot write, for example, where all can be read.
type Troubled interface {
	Trouble() (since time.Time, err error)
}
