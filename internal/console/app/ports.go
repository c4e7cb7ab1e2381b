package app

import (
	"context"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// Jobs reads what is in the registry. An error other than
// [statistics.ErrJobNotFound] counts as the registry being away: an empty
// answer is never made of one.
type Jobs interface {
	// Jobs returns every job of the namespace.
	Jobs(ctx context.Context) ([]statistics.Job, error)
	// Job returns one job, or [statistics.ErrJobNotFound].
	Job(ctx context.Context, name string) (statistics.JobDetail, error)
	// Explain says why a job does not run, or [statistics.ErrJobNotFound].
	Explain(ctx context.Context, name string) (*statistics.Explanation, error)
	// Fired reads what agents record of the fire times of a job's shards.
	Fired(ctx context.Context, name string) (statistics.Fired, error)
	// PlanReshard says which shards would move if something changed. Errors match
	// [statistics.ErrJobNotFound], ErrInvalidChange or ErrUnpredictable.
	PlanReshard(ctx context.Context, name string, change statistics.Change) (*statistics.ReshardPlan, error)
	// Servers returns every server any job knows.
	Servers(ctx context.Context) ([]statistics.Server, error)
	// ServerJobs returns the jobs of one server, or
	// [statistics.ErrServerNotFound].
	ServerJobs(ctx context.Context, ip string) ([]statistics.ServerJob, error)
}

// Operator carries out actions. Errors match the kinds of package lifecycle; anything
// else is taken for a fault of the console.
type Operator interface {
	Trigger(ctx context.Context, job string) (lifecycle.Outcome, error)
	Disable(ctx context.Context, job string) (lifecycle.Outcome, error)
	Enable(ctx context.Context, job string) (lifecycle.Outcome, error)
	Shutdown(ctx context.Context, job string) (lifecycle.Outcome, error)
	RemoveWith(ctx context.Context, job string, r lifecycle.Removal) (lifecycle.Outcome, error)
	DisableForGood(ctx context.Context, job string) (lifecycle.Outcome, error)
	EnableForGood(ctx context.Context, job string) (lifecycle.Outcome, error)

	// The actions on a server act on one job there, or on every job if
	// job is empty; a trigger is about one job.
	TriggerServer(ctx context.Context, job, ip string) (lifecycle.Outcome, error)
	TriggerInstances(ctx context.Context, job string, ids []string) (lifecycle.Outcome, error)
	DisableServer(ctx context.Context, job, ip string) (lifecycle.Outcome, error)
	EnableServer(ctx context.Context, job, ip string) (lifecycle.Outcome, error)
	ShutdownServer(ctx context.Context, job, ip string) (lifecycle.Outcome, error)
	RemoveServer(ctx context.Context, job, ip string) (lifecycle.Outcome, error)
	ForceRemoveServer(ctx context.Context, job, ip string) (lifecycle.Outcome, error)

	// Dump asks a process for what it sees of a job.
	Dump(ctx context.Context, job, ip string, port int) (string, error)

	DisableShard(ctx context.Context, job string, item int) error
	EnableShard(ctx context.Context, job string, item int) error
	ClearRunning(ctx context.Context, job string, item int, instance string) error

	// StoredConfig and EditConfig read and change a job's configuration, as
	// those of [lifecycle.Operator] do.
	StoredConfig(ctx context.Context, job string) (lifecycle.StoredConfig, error)
	EditConfig(ctx context.Context, job, revision string, edit func(*jobconfig.Config) error) (before, after lifecycle.StoredConfig, err error)
	// CreateJob stores the configuration of a job that nobody has registered yet.
	CreateJob(ctx context.Context, config *jobconfig.Config, class string) (lifecycle.StoredConfig, error)

	RunOperator
}

// RunOperator requests runs of jobs, reads them and acts on them, as
// [lifecycle.Operator] does.
type RunOperator interface {
	SubmitRun(ctx context.Context, job string, r jobrun.Request) (jobrun.Ticket, error)
	SubmitRuns(ctx context.Context, job string, list []jobrun.Request) ([]jobrun.Ticket, error)
	CancelWaitingRuns(ctx context.Context, job string, w jobrun.Waiting, by jobrun.By, reason string) (jobrun.CancelledRuns, error)
	CountWaitingRuns(ctx context.Context, job string, states []jobrun.State) (int, error)
	LiveRuns(ctx context.Context, job string, most int) (jobrun.List, error)
	CancelRun(ctx context.Context, job, id string, by jobrun.By, reason string) (jobrun.State, error)
	StartRun(ctx context.Context, job, id string) error
	Run(ctx context.Context, job, id string) (jobrun.Run, error)
	Runs(ctx context.Context, job string, most int) (jobrun.List, error)
	RunSchema(ctx context.Context, job string) (jobrun.Schema, error)
	Hold(ctx context.Context, job string, what jobrun.Held, by jobrun.By, reason string) error
	Release(ctx context.Context, job string) error
	PlanBackfill(ctx context.Context, job string, b jobrun.Backfill) (jobrun.BackfillPlan, error)
	Backfill(ctx context.Context, job string, b jobrun.Backfill) (jobrun.BackfillProgress, error)
	BackfillProgress(ctx context.Context, job, id string) (jobrun.BackfillProgress, error)
	Backfills(ctx context.Context, job string) ([]jobrun.BackfillProgress, error)
	CancelBackfill(ctx context.Context, job, id string, by jobrun.By, reason string) (jobrun.BackfillProgress, error)
}

// History reads the trace database, and stores how the runs of a removed job ended.
type History interface {
	tracing.Sink
	Executions(ctx context.Context, f rdb.ExecutionFilter) (rdb.ExecutionPage, error)
	Statuses(ctx context.Context, f rdb.StatusFilter) (rdb.StatusPage, error)
	// CountExecutions and CountStatuses count up to a number. Without exact there
	// may be more.
	CountExecutions(ctx context.Context, f rdb.ExecutionFilter, atMost int) (n int, exact bool, err error)
	CountStatuses(ctx context.Context, f rdb.StatusFilter, atMost int) (n int, exact bool, err error)
	// Suggest returns the first values of a column that begin with a prefix.
	Suggest(ctx context.Context, of rdb.Suggestion, prefix string) ([]string, error)
	// Statistics and Results return how many runs ended, in buckets and in a
	// period.
	Statistics(ctx context.Context, job string, interval rdb.Interval, from, to time.Time) ([]rdb.Point, error)
	CloudCounts(ctx context.Context, interval rdb.Interval, from, to time.Time) ([]rdb.CloudCount, error)
	Results(ctx context.Context, period string, now time.Time) (rdb.Results, error)
	// Runs, Run and Neighbours return what ran, all executions of a run together;
	// Summarize what the runs of a filter have in common, Histogram when they
	// began, Lacks what the database does not say of them.
	Runs(ctx context.Context, f rdb.RunFilter) (rdb.RunPage, error)
	Run(ctx context.Context, job, id string) (rdb.Run, error)
	Neighbours(ctx context.Context, r rdb.Run) (before, after string, err error)
	Summarize(ctx context.Context, f rdb.RunFilter, now time.Time) (rdb.Summary, error)
	Histogram(ctx context.Context, f rdb.RunFilter, from, to time.Time, buckets int) ([]rdb.Bucket, error)
	Lacks(ctx context.Context) ([]string, error)
	// Describe tells what the database has and lacks.
	Describe(ctx context.Context) (rdb.Description, error)
	// LastRuns returns the latest executions of several jobs at once, newest
	// first.
	LastRuns(ctx context.Context, jobs []string, perJob int) (map[string][]tracing.Execution, error)

	RunHistory
}

// RunHistory reads what the trace database has of requested runs. Where it lacks their
// tables, errors match [rdb.ErrNoRunTables].
type RunHistory interface {
	// RequestedRun returns a run, or [rdb.ErrNoRun]; RequestedRuns a page of those of a
	// filter, the last submitted first.
	RequestedRun(ctx context.Context, job, id string) (tracing.RunRecord, error)
	RequestedRuns(ctx context.Context, f rdb.RequestedFilter) (rdb.RequestedPage, error)
	// RunSteps returns what happened to a run, the first first; RunProgress how far its
	// executions are that said so.
	RunSteps(ctx context.Context, job, id string) ([]tracing.RunStep, error)
	RunProgress(ctx context.Context, job, id string) ([]tracing.Progress, error)
	// RunLogs returns which shards and attempts of a run have lines in its log, RunLog
	// lines of one of them.
	RunLogs(ctx context.Context, job, id string) ([]rdb.LogOf, error)
	RunLog(ctx context.Context, f rdb.LogFilter) ([]tracing.LogLine, error)
	// ExecutionLogs returns which of the executions have log lines.
	ExecutionLogs(ctx context.Context, executions []tracing.Execution) ([]rdb.LogOf, error)
}

// Settings is the console's own memory, which several consoles may share.
type Settings interface {
	// AddRecord writes a line of the audit and FinishRecord what came of it;
	// Records reads it, newest first.
	AddRecord(ctx context.Context, r settings.Record) (id int64, err error)
	FinishRecord(ctx context.Context, r settings.Record) error
	Records(ctx context.Context, f settings.AuditFilter) (settings.AuditPage, error)
	// RevokeToken remembers until it expires that a token was given up; Token
	// tells on every console whether one was.
	RevokeToken(ctx context.Context, id string, expires, now time.Time) error
	Token(ctx context.Context, id string) (settings.Token, error)
	// Registries and DataSources are the entries of the settings. Add stores all that it is given
	// or, with ErrExists, nothing.
	Registries() settings.Entries[settings.Registry]
	DataSources() settings.Entries[settings.DataSource]
	Add(ctx context.Context, registries []settings.Registry, sources []settings.DataSource) error
	// Choose remembers what a token has connected, Chosen tells.
	Choose(ctx context.Context, token string, expires, now time.Time, kind settings.Kind, name string) error
	Chosen(ctx context.Context, token string, kind settings.Kind) (string, error)
	// ChosenBy counts the tokens that have connected something.
	ChosenBy(ctx context.Context, kind settings.Kind, name string, now time.Time) (int, error)
	// What was done from pages: begun once, finished with its results, taken back
	// at most once; errors match [settings.ErrExists] or ErrNotFound.
	BeginChange(ctx context.Context, c settings.Change) error
	FinishChange(ctx context.Context, id string, results []settings.ChangeResult) error
	Change(ctx context.Context, id string) (settings.Change, error)
	UndoChange(ctx context.Context, id string, now time.Time) error
	// Who disabled a job and why, until it is enabled. ClaimDue returns those that
	// are to be enabled by now, to one console alone until the lease is over;
	// StayDisabled takes that back.
	PutSwitch(ctx context.Context, w settings.Switch) error
	Switches(ctx context.Context, registry string, jobs []string) (map[string]settings.Switch, error)
	DropSwitch(ctx context.Context, registry, job string) error
	StayDisabled(ctx context.Context, registry, job string) error
	ClaimDue(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]settings.Switch, error)
	// AddConfigVersion keeps a configuration that was saved; ConfigVersions are those
	// of a job, newest first, and ConfigVersionsAt those with the names. The empty
	// registry is that of the command line.
	AddConfigVersion(ctx context.Context, v settings.ConfigVersion) error
	ConfigVersions(ctx context.Context, registry, job string) ([]settings.ConfigVersion, error)
	ConfigVersionsAt(ctx context.Context, names []settings.VersionAt) ([]settings.ConfigVersion, error)
	// Views are the selections of a list that an account saved, and those that
	// everybody has; errors match [settings.ErrExists], ErrTooMany or ErrNotFound.
	Views(ctx context.Context, owner, area string) ([]settings.View, error)
	AddView(ctx context.Context, v settings.View) error
	RemoveView(ctx context.Context, owner, area, name string) error
	// The tokens for programs; errors match [settings.ErrExists], ErrTooMany or
	// ErrNotFound.
	AddProgramToken(ctx context.Context, t settings.ProgramToken) error
	ProgramTokens(ctx context.Context, owner string) ([]settings.ProgramToken, error)
	ProgramToken(ctx context.Context, id string) (settings.ProgramToken, error)
	UseProgramToken(ctx context.Context, t settings.ProgramToken, now time.Time) error
	RevokeProgramToken(ctx context.Context, id string, now time.Time) error
	// Ping checks that the database answers.
	Ping(ctx context.Context) error
}

// Connections are the connections to entries E of the settings, which are opened as T. R is what a
// probe finds.
type Connections[E, T, R any] interface {
	// Allowed reports whether the console may connect to an entry. An error matches
	// [outbound.ErrForbidden], or names an address that is none.
	Allowed(entry E) error
	// Probe connects to an entry, describes it and ends the connection.
	Probe(ctx context.Context, entry E) (R, error)
	// Use opens an entry, or takes the open connection. Release returns the connection.
	Use(ctx context.Context, entry E) (opened T, release func(), err error)
	// Forget closes the connection to an entry that was changed or removed.
	Forget(name string)
}

// Registries are the connections to the registries of the settings. The error of a probe matches
// [statistics.ErrForbidden] if the console may not read the namespace, and [ErrNoSuchChroot] if
// there is no such chroot.
type Registries interface {
	Connections[settings.Registry, Registry, RegistryReport]
	// Servers splits a connect string as registries store it.
	Servers(text string) ([]string, error)
	// Check returns the first field that keeps a registry from being connected to and its right
	// values; empty if none does. It quotes nothing, because any field may be a secret.
	Check(r settings.Registry) (field, want string)
	// Opened takes the open connection to a registry, and opens none. Release returns it.
	Opened(r settings.Registry) (opened Registry, release func(), open bool)
}

// Sources are the connections to the data sources of the settings.
type Sources = Connections[settings.DataSource, History, rdb.Description]

// RegistryState is how the console's connection to ZooKeeper is.
type RegistryState string

// The states of the connection.
const (
	RegistryConnected RegistryState = "connected"
	// RegistrySuspended: the connection is lost, the session may be alive.
	RegistrySuspended RegistryState = "suspended"
	// RegistryLost: the session is over or must be taken for it.
	RegistryLost RegistryState = "lost"
)

// RegistryHealth is the state of the registry as the page's head shows it.
type RegistryHealth struct {
	State RegistryState
	// Since is when the state began.
	Since time.Time
	// LastError is why it is not connected; nil if unknown or connected.
	LastError error
	// Address and Namespace name the registry.
	Address, Namespace string
}

// Health tells how the things the console depends on are. Its methods may be
// called at any time from any goroutine.
type Health interface {
	// Registry answers at once, from memory.
	Registry() RegistryHealth
	// PingDatabase checks that the trace database answers; nil if there is
	// no database to ask.
	PingDatabase(ctx context.Context) error
}
