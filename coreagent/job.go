package coreagent

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// Job declares a job. Name and Shards are required, and so is Cron unless the job only runs when
// it's triggered.
//
// The first instance that starts writes the declaration into ZooKeeper. From then on the stored configuration
// applies to every instance, so that operators can change it, until an instance starts with Overwrite.
type Job struct {
	// Name identifies the job within the namespace. It must not contain "/" or "@-@".
	Name string

	// Cron is a Quartz expression: seconds, minutes, hours, day of month, month, day of week and
	// optionally year, such as "0 0/5 * * * ?". Empty declares a one-off job, which runs when
	// [Agent.Trigger] or an operator triggers it.
	Cron string

	// TimeZone is the zone of Cron as an offset in Java's form, such as "GMT+08:00"; [Job.Zone]
	// takes names such as "Asia/Shanghai". Defaults to the process's local zone.
	TimeZone string

	// Zone is the zone of Cron by its IANA name, such as "Europe/Berlin", instead of TimeZone,
	// which must then be empty. It's stored as the property schedule.zone. Java's agents don't know
	// it and fire by their own zone, so the console refuses to set it while one of them serves the
	// job. A program on a machine without a zone database should import time/tzdata.
	Zone string

	// ClockChange decides about fire times around a change of the clock in that zone. It's stored
	// as the property cron.clock.change. Defaults to [ClockChangeQuartz].
	ClockChange ClockChange

	// From and Until limit the schedule: the job fires at From or later, and before Until. Fire
	// times before From aren't made up for. This field and the next two are stored as the
	// properties schedule.from, schedule.until, schedule.exclude and schedule.jitter. Java's agents
	// don't know them and fire anyway. The zero values, the defaults, are no limits.
	From, Until time.Time

	// Exclude are days without fire times, in the job's zone: dates ("2026-12-25"), inclusive
	// ranges ("2026-12-24/2027-01-02") and weekdays ("SAT"). An excluded time is no fire time, so
	// it isn't missed. At most 4 KiB.
	Exclude []string

	// Jitter delays each fire time by a part of it, so that many jobs with the same schedule don't
	// start at the same moment. The delay is computed from the job's name and the time, so all
	// agents use the same one. It must be less than half the smallest gap between fire times, and
	// at most an hour, in whole milliseconds. Defaults to none.
	Jitter time.Duration

	// Shards is the number of shards: 1 to 100,000.
	Shards int

	// ShardParameters gives each shard a parameter: "0=Beijing,1=Shanghai".
	ShardParameters string

	// Parameter is passed to every shard.
	Parameter string

	// Title is the name that the console shows next to Name: one line of at most 100 characters.
	// It's stored as the property job.title, which Java doesn't know.
	Title string
	// Description is for operators.
	Description string

	// MonitorExecution marks running shards in ZooKeeper, so that no two instances run one at the
	// same time and operators see what is running. It costs two writes per run and instance.
	// Defaults to true; new(false) turns it off, for jobs that run every second and may overlap.
	MonitorExecution *bool

	// Failover lets another instance run the shards that were running when their instance died. It
	// needs MonitorExecution.
	Failover bool

	// EagerFailover takes such shards at once even while the job runs here, and runs them next to that run
	// instead of after it, up to as many at a time as a run executes side by side. It's local to this
	// process and needs Failover. Defaults to false, as in ElasticJob: only an idle instance takes shards.
	EagerFailover bool

	// Misfire makes up for fire times that passed during a run, or while no instance could run the
	// shard. Several missed fire times count as one. Defaults to true; new(false) turns it off.
	Misfire *bool

	// Type is for a job without its own handler: SCRIPT, HTTP, or a name in [Config.Types]. Its
	// settings are in Props; the handler passed to [Agent.Add] must be nil.
	Type string

	// Strategy names the assignment of shards: AVG_ALLOCATION (the default), ODEVITY, ROUND_ROBIN,
	// SINGLE_SHARDING_BALANCE, or a name in [Config.Strategies].
	//
	// With the default every job with one shard runs on the same instance. ROUND_ROBIN spreads such
	// jobs, and each stays where it is. With SINGLE_SHARDING_BALANCE, each run is another
	// instance's turn. Java agents before 3.0.5 don't know the latter and fail.
	Strategy string

	// Executor names how many shards run side by side on an instance: CPU (the default) is twice
	// the number of processors, SINGLE_THREAD is one, or a name in [Config.Executors].
	Executor string

	// ErrorHandler names the handling of failures: LOG (the default), THROW, IGNORE, EMAIL, WECHAT, DINGTALK,
	// or a name in [Config.ErrorHandlers]. Its settings are properties with ElasticJob's keys, such as
	// email.host or dingtalk.webhook. Note that ZooKeeper stores properties in clear text, including passwords.
	ErrorHandler string

	// Listeners are names in [Config.Listeners] and [Config.OnceListeners], in the order in which
	// they are called.
	Listeners []string

	// StaticSharding keeps shards where they are when instances come and go.
	StaticSharding bool

	// Disabled registers servers as disabled when they're seen for the first time; an operator enables them.
	// If the registry has the job, its stored value counts.
	Disabled bool

	// Overwrite overwrites the stored configuration with this declaration at each start.
	Overwrite bool

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

	// Class is the job's identity in the registry: the fully qualified class name if Java processes
	// serve the job, too. An instance with another class is refused. Empty accepts the stored
	// class, and writes the job's name if there is none.
	Class string

	// Assign decides which shards take part in a requested run; see [Agent.Submit]. This field and the
	// following ones are stored as the properties run.deal, run.overlap, run.retries, run.backoff,
	// run.backoff.max, run.lost, run.expiry, run.keep and run.pause.after. Defaults to [AssignEach].
	Assign Assign

	// Overlap decides about a requested run that is due while the job is busy. Defaults to [OverlapQueue].
	Overlap Overlap

	// Retry is how often failed shards are retried, for requested runs and, if the job assigns runs
	// to each shard, for fire times and triggers. A fire time isn't retried after the next fire
	// time has come. Defaults to never.
	Retry Retry

	// Lost decides about a shard of a requested run whose instance dies. Defaults to [LostAgain].
	Lost Lost

	// RunExpiry is how long after its time a requested run is given up if it hasn't started: a
	// second to 365 days, negative for never. Defaults to 7 days.
	RunExpiry time.Duration

	// RunKeep is how many ended runs stay in ZooKeeper: 0 to 1,000. Defaults to 100. The last 1,000
	// stay for at least a minute anyway.
	RunKeep *int

	// PauseAfter holds the job after this many failed runs in a row: 1 to 1,000. An operator
	// releases it. Zero, the default, is never.
	PauseAfter int

	// RunParameters is the schema of the parameters of requested runs, in the subset of JSON Schema
	// described in docs/runs.md, for handlers that aren't made by a [Trigger], such as [Script] and
	// [HTTP]. Defaults to the handler's own; without either any JSON object is accepted. A missing
	// parameter gets its default.
	RunParameters []byte

	// Props are the job's properties, as in ElasticJob: settings of its type and its error handler,
	// and any others. Handlers see them in [Shard].
	Props map[string]string
}

// config returns the stored form of the declaration. The agent checks the names that it refers to.
func (job Job) config(h Handler) (*jobconfig.Config, error) {
	c := jobconfig.New(job.Name, job.Shards)
	c.Cron, c.TimeZone = strings.TrimSpace(job.Cron), job.TimeZone
	c.ItemParameters, c.Parameter, c.Description = job.ShardParameters, job.Parameter, job.Description
	c.Failover, c.StrategyType, c.StaticSharding = job.Failover, job.Strategy, job.StaticSharding
	c.Disabled, c.Overwrite = job.Disabled, job.Overwrite
	if job.Executor != "CPU" { // Its key differs between dialects, so don't store the default.
		c.ExecutorType = job.Executor
	}
	c.ErrorHandlerType, c.ListenerTypes = job.ErrorHandler, slices.Clone(job.Listeners)
	if job.MonitorExecution != nil {
		c.MonitorExecution = *job.MonitorExecution
	}
	if job.Misfire != nil {
		c.Misfire = *job.Misfire
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
	c.Props = maps.Clone(job.Props)
	for _, props := range []map[string]string{job.scheduleProps(), job.runProps()} {
		if c.Props == nil && len(props) > 0 {
			c.Props = make(map[string]string)
		}
		maps.Copy(c.Props, props)
	}
	if k, ok := h.(kind); ok {
		for name, value := range k.jobProps() {
			if c.Props == nil {
				c.Props = make(map[string]string)
			}
			c.Props[name] = value
		}
	}
	if err := job.validate(c, h); err != nil {
		return nil, err
	}
	return c, nil
}

// validate returns all problems of the declaration before any of it is written.
func (job Job) validate(c *jobconfig.Config, h Handler) error {
	errs := []error{c.Validate(), job.checkRuns(c)}
	errs = append(errs, job.checkSchedule())
	if err := checkName(job.Title); err != nil {
		errs = append(errs, fmt.Errorf("Title: %w", err))
	}
	if _, err := job.location(); err != nil {
		errs = append(errs, err)
	}
	for i, name := range job.Listeners {
		if slices.Contains(job.Listeners[:i], name) {
			errs = append(errs, fmt.Errorf("Listeners: %q is named twice; each may be named once", name))
		}
	}
	if d := job.ReconcileInterval; d > 0 && d%time.Minute != 0 {
		errs = append(errs, fmt.Errorf("ReconcileInterval: %v is not a whole number of minutes", d))
	}
	if d := job.MaxTimeDiff; d < 0 || d%time.Second != 0 {
		errs = append(errs, fmt.Errorf("MaxTimeDiff: %v is not a whole number of seconds, zero or more", d))
	}
	if most := jobconfig.MaxTimeoutMillis * time.Millisecond; job.Timeout < 0 || job.Timeout > most {
		errs = append(errs, fmt.Errorf("Timeout: %v is outside 0 to %v", job.Timeout, most))
	}
	if job.Failover && job.MonitorExecution != nil && !*job.MonitorExecution {
		errs = append(errs, errors.New("Failover: needs MonitorExecution, which is off"))
	}
	if job.EagerFailover && !job.Failover {
		errs = append(errs, errors.New("EagerFailover: needs Failover, which is off"))
	}
	if k, ok := h.(kind); ok {
		errs = append(errs, k.check())
		if job.Class != "" && k.jobType() != "" && job.Class != k.jobType() {
			errs = append(errs, fmt.Errorf("Class: %q, but a job of this kind is stored as %s", job.Class, k.jobType()))
		}
	}
	return errors.Join(errs...)
}

func (job Job) class(h Handler) string {
	if k, ok := h.(kind); ok && k.jobType() != "" {
		return k.jobType()
	}
	return job.Class
}
