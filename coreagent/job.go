package coreagent

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// Job declares a job. Name and Shards are required, and so is Schedule.Cron unless the job only runs
// when it's triggered.
//
// The first instance that starts writes the declaration into ZooKeeper. From then on the stored configuration
// applies to every instance, so that operators can change it, until an instance starts with Overwrite.
type Job struct {
	// Name identifies the job within the namespace. It must not contain "/" or "@-@".
	Name string

	// Title is the name that the console shows next to Name: one line of at most 100 characters.
	// It's stored as the property job.title, which Java doesn't know.
	Title string
	// Description is for operators.
	Description string

	// Class is the job's identity in the registry: the fully qualified class name if Java processes
	// serve the job, too. An instance with another class is refused. Empty accepts the stored
	// class, and writes the job's name if there is none.
	Class string

	// Schedule is when the job runs.
	Schedule Schedule

	// Shards is the number of shards: 1 to 100,000.
	Shards int

	// ShardParameters gives each shard a parameter: "0=Beijing,1=Shanghai".
	ShardParameters string

	// Parameter is passed to every shard.
	Parameter string

	// Props are the job's properties, as in ElasticJob: settings of its type and its error handler,
	// and any others. Handlers see them in [Shard].
	Props map[string]string

	// Type is for a job without its own handler: SCRIPT, HTTP, or a name in [Config.Types]. Its
	// settings are in Props; the handler passed to [Agent.Add] must be nil.
	Type string

	// Strategy assigns the shards to the instances. Defaults to [AverageAllocation].
	Strategy Strategy

	// Executor limits how many shards run side by side on an instance. Defaults to [CPU].
	Executor Executor

	// ErrorHandler handles failures. Defaults to [LogErrors].
	ErrorHandler ErrorHandler

	// Listeners are notified of runs, in this order.
	Listeners []Listener

	// Unmonitored doesn't mark running shards in ZooKeeper, which saves two writes per run and instance. Then
	// operators don't see which shards run, two instances may run one at the same time, and there is no
	// failover. It's for jobs that run every second and may overlap: monitorExecution=false in ElasticJob.
	Unmonitored bool

	// Failover lets another instance run the shards that were running when their instance died. It
	// can't be Unmonitored.
	Failover bool

	// EagerFailover takes such shards at once even while the job runs here, and runs them next to that run
	// instead of after it, up to as many at a time as a run executes side by side. It's local to this
	// process and needs Failover. By default, as in ElasticJob, only an idle instance takes shards.
	EagerFailover bool

	// StaticSharding keeps shards where they are when instances come and go.
	StaticSharding bool

	// ReconcileInterval is how often assignments are compared with the living instances, in whole
	// minutes. Defaults to 10 minutes, at most 365 days; negative turns it off.
	ReconcileInterval time.Duration

	// MaxTimeDiff reports an error at each run if the local clock and ZooKeeper's differ by more,
	// in whole seconds, at most 365 days. Zero turns it off.
	MaxTimeDiff time.Duration

	// Timeout ends the context of a run that takes longer, with the cause [ErrTimeout]. Each
	// attempt has all of it. It's stored as the property run.timeout; this value only applies if
	// none is stored. Zero means no limit; at most 2,147,483,647 ms, some 24 days.
	Timeout time.Duration

	// Retry is how often failed shards are retried, for requested runs and, if the job assigns runs
	// to each shard, for fire times and triggers. A fire time isn't retried after the next fire
	// time has come. It's stored as the properties run.retries, run.backoff and run.backoff.max.
	// Defaults to never.
	Retry Retry

	// PauseAfter holds the job after this many failed runs in a row: 1 to 1,000. An operator
	// releases it. It's stored as the property run.pause.after. Zero, the default, is never.
	PauseAfter int

	// Unlogged stores no log lines of the job's handlers in the history of runs; see [Config.RunLog].
	// They still go to the log of the process. It's stored as the property run.log, "off".
	Unlogged bool

	// Requests is how the job handles requested runs; see [Agent.Submit].
	Requests Requests

	// Disabled registers servers as disabled when they're seen for the first time; an operator enables them.
	// If the registry has the job, its stored value counts.
	Disabled bool

	// Overwrite overwrites the stored configuration with this declaration at each start.
	Overwrite bool
}

// config returns the stored form of the declaration. The agent checks the names that it refers to.
func (job Job) config(h Handler) (*jobconfig.Config, error) {
	c := jobconfig.New(job.Name, job.Shards)
	c.Cron, c.TimeZone = strings.TrimSpace(job.Schedule.Cron), job.Schedule.offset()
	c.ItemParameters, c.Parameter, c.Description = job.ShardParameters, job.Parameter, job.Description
	c.Failover, c.StrategyType, c.StaticSharding = job.Failover, job.Strategy.Name, job.StaticSharding
	c.MonitorExecution, c.Misfire = !job.Unmonitored, !job.Schedule.SkipMisfires
	c.Disabled, c.Overwrite = job.Disabled, job.Overwrite
	if job.Executor.Name != CPU.Name { // Its key differs between dialects, so don't store the default.
		c.ExecutorType = job.Executor.Name
	}
	c.ErrorHandlerType = job.ErrorHandler.Name
	for _, l := range job.Listeners {
		c.ListenerTypes = append(c.ListenerTypes, l.Name)
	}
	switch {
	case job.ReconcileInterval < 0:
		c.ReconcileMinutes = -1
	case job.ReconcileInterval > 0:
		c.ReconcileMinutes = int(job.ReconcileInterval / time.Minute)
	}
	if job.MaxTimeDiff > 0 {
		c.MaxTimeDiffSeconds = int(job.MaxTimeDiff / time.Second)
	}
	props := make(map[string]string)
	maps.Copy(props, job.Props)
	maps.Copy(props, job.Schedule.props())
	maps.Copy(props, job.runProps())
	if k, ok := h.(kind); ok {
		maps.Copy(props, k.jobProps())
	}
	if len(props) > 0 {
		c.Props = props
	}
	if err := job.validate(c, h); err != nil {
		return nil, err
	}
	return c, nil
}

// validate returns all problems of the declaration before any of it is written.
func (job Job) validate(c *jobconfig.Config, h Handler) error {
	p := problems{goFields(c.Validate()), job.checkRuns(), goFields(job.checkSchedule())}
	p.field("Title", checkName(job.Title))
	_, err := job.location()
	p.add(err)
	for i, l := range job.Listeners {
		twice := slices.ContainsFunc(job.Listeners[:i], func(o Listener) bool { return o.Name == l.Name })
		p.when(twice, "Listeners: %q is there twice; each may be there once", l.Name)
	}
	interval, diff, most := job.ReconcileInterval, job.MaxTimeDiff, jobconfig.MaxTimeoutMillis*time.Millisecond
	p.when(interval > 0 && interval%time.Minute != 0, "ReconcileInterval: %v is not a whole number of minutes", interval)
	p.when(diff < 0 || diff%time.Second != 0, "MaxTimeDiff: %v is not a whole number of seconds, zero or more", diff)
	p.when(job.Timeout < 0 || job.Timeout > most, "Timeout: %v is outside 0 to %v", job.Timeout, most)
	p.when(job.Failover && job.Unmonitored, "Failover: the job is Unmonitored; want one of them")
	p.when(job.EagerFailover && !job.Failover, "EagerFailover: needs Failover, which is off")
	if k, ok := h.(kind); ok {
		p.add(k.check())
		p.when(job.Class != "" && k.jobType() != "" && job.Class != k.jobType(),
			"Class: %q, but a job of this kind is stored as %s", job.Class, k.jobType())
	}
	return errors.Join(p...)
}

func (job Job) class(h Handler) string {
	if k, ok := h.(kind); ok && k.jobType() != "" {
		return k.jobType()
	}
	return job.Class
}

// goNames replaces ElasticJob's keys by the fields of a Job.
var goNames = strings.NewReplacer(
	"jobName:", "Name:", "shardingTotalCount", "Shards", "shardingItemParameters", "ShardParameters",
	"jobParameter", "Parameter", "jobListenerTypes", "Listeners", "jobShardingStrategyType", "Strategy",
	"jobExecutorServiceHandlerType", "Executor", "jobExecutorThreadPoolSizeProviderType", "Executor",
	"jobErrorHandlerType", "ErrorHandler", "maxTimeDiffSeconds", "MaxTimeDiff in seconds",
	"reconcileIntervalMinutes", "ReconcileInterval in minutes", "description:", "Description:",
	"cron:", "Schedule.Cron:", "timeZone", "Schedule.Zone", "props.", "Props.",
	"property "+quartz.ClockChangeProp, "Schedule.ClockChange", quartz.FromProp, "Schedule.From",
	quartz.UntilProp, "Schedule.Until", quartz.ExcludeProp, "Schedule.Exclude",
	quartz.JitterProp, "Schedule.Jitter", quartz.ZoneProp, "Schedule.Zone",
)

// declaredError is an error about a stored configuration, in the words of a declaration in Go.
type declaredError struct{ error }

func (e declaredError) Error() string { return goNames.Replace(e.error.Error()) }
func (e declaredError) Unwrap() error { return e.error }

func goFields(err error) error {
	if err == nil {
		return nil
	}
	return declaredError{err}
}
