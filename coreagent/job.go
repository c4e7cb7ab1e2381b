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

// Job declares a job. Name and Shards are required, and Cron unless the job
// only runs when it is triggered.
//
// The first instance that starts writes the declaration into ZooKeeper; from
// then on the stored configuration counts for every instance, so that
// operators can change it, until an instance starts with Overwrite.
type Job struct {
	// Name identifies the job within the namespace. It may not contain "/" or
	// "@-@".
	Name string

	// Cron is a Quartz expression: seconds, minutes, hours, day of month,
	// month, day of week and optionally year, such as "0 0/5 * * * ?". Empty
	// declares a one-off job, which runs when [Agent.Trigger] or an operator
	// says so.
	Cron string

	// TimeZone is the zone of Cron as an offset in Java's form, such as
	// "GMT+08:00"; [Job.Zone] takes names such as "Asia/Shanghai". Defaults to the
	// process's local zone.
	TimeZone string

	// Zone is the zone of Cron by its IANA name, such as "Europe/Berlin". It takes the
	// place of TimeZone, which must be empty then. It is stored as the property
	// schedule.zone. Java's agents don't know it and fire by their own zone, so the
	// console refuses to set it while one of them serves the job. A program that runs
	// without a zone database imports time/tzdata.
	Zone string

	// ClockChange says what becomes of fire times around a change of the clock
	// in that zone. It is stored as the property cron.clock.change. Defaults to
	// [ClockChangeQuartz].
	ClockChange ClockChange

	// From and Until bound the schedule: the job fires at From or later, and before
	// Until. Nothing from before From is made up for. This field and the next two are
	// stored as the properties schedule.from, schedule.until, schedule.exclude and
	// schedule.jitter. Java's agents do not know them and fire all the same. The zero
	// values, the defaults, are no bounds.
	From, Until time.Time

	// Exclude are days on which the job does not fire, by the calendar of its zone: dates
	// ("2026-12-25"), ranges with both ends ("2026-12-24/2027-01-02") and weekdays
	// ("SAT"). What is excluded is no fire time: it is not missed. At most 4 KiB.
	Exclude []string

	// Jitter puts each fire time off by a part of it, so that many jobs of one schedule do
	// not begin at one moment. How much is computed of the job's name and the time, the
	// same by all agents. It is less than half the smallest gap between fire times, and at
	// most an hour; in whole milliseconds. Defaults to none.
	Jitter time.Duration

	// Shards is the number of shards the work is divided into: 1 to 100,000.
	Shards int

	// ShardParameters gives shards a parameter each: "0=Beijing,1=Shanghai".
	ShardParameters string

	// Parameter is handed to every shard.
	Parameter string

	// Title is the name that the console shows next to Name: one line of at most 100
	// characters. It is stored as the property job.title, which Java doesn't know.
	Title string
	// Description is for operators.
	Description string

	// MonitorExecution marks shards as running in ZooKeeper, so that no two
	// instances run one at the same time and operators see what runs. It costs
	// two writes per run and instance. Defaults to true; new(false) turns it
	// off, for jobs that run every second and do not mind an overlap.
	MonitorExecution *bool

	// Failover lets another instance run the shards that were running
	// when their instance died. It needs MonitorExecution.
	Failover bool

	// EagerFailover takes such shards at once also while the job runs here, and
	// runs them beside that run instead of after it: up to as many at a time as
	// a run executes side by side. It is local to this process and needs
	// Failover. Defaults to false, ElasticJob's way: only an instance that has
	// nothing to do takes shards.
	EagerFailover bool

	// Misfire makes up for fire times that passed during a run, or while no
	// instance could run the shard. Several missed fire times count as one.
	// Defaults to true; new(false) turns it off.
	Misfire *bool

	// Type makes the job one of a type instead of one with a handler of its
	// own: SCRIPT, HTTP, or a name in [Config.Types]. What the type needs to
	// know stands in Props; the handler given to [Agent.Add] is nil.
	Type string

	// Strategy names how shards are assigned: AVG_ALLOCATION (the default),
	// ODEVITY, ROUND_ROBIN, SINGLE_SHARDING_BALANCE, or a name in
	// [Config.Strategies].
	//
	// With the default every job of one shard runs on the same instance. Many
	// such jobs are spread by ROUND_ROBIN, each staying where it is, and by
	// SINGLE_SHARDING_BALANCE, where each run is another instance's turn. Java
	// agents before 3.0.5 do not know the latter and fail.
	Strategy string

	// Executor names how many shards run side by side on an instance: CPU (the
	// default), twice the number of processors, SINGLE_THREAD, one, or a name in
	// [Config.Executors].
	Executor string

	// ErrorHandler names what is done about failures: LOG (the default),
	// THROW, IGNORE, EMAIL, WECHAT, DINGTALK, or a name in
	// [Config.ErrorHandlers]. Its settings are properties, with ElasticJob's
	// keys, such as email.host or dingtalk.webhook. Note that properties are
	// stored in ZooKeeper in clear text, passwords too.
	ErrorHandler string

	// Listeners name the listeners of the job's runs, in the order in which they
	// are called: names in [Config.Listeners] and [Config.OnceListeners].
	Listeners []string

	// StaticSharding keeps shards where they are when instances come and go.
	StaticSharding bool

	// Disabled registers this server as disabled when it is seen for the first
	// time; an operator enables it.
	Disabled bool

	// Overwrite writes this declaration over the stored configuration at each
	// start.
	Overwrite bool

	// ReconcileInterval is how often assignments are compared with the living
	// instances, in whole minutes. Defaults to 10 minutes, at most 365 days;
	// negative turns it off.
	ReconcileInterval time.Duration

	// MaxTimeDiff reports an error at each run when the local clock and
	// ZooKeeper's differ by more, in whole seconds, at most 365 days. Zero turns
	// it off.
	MaxTimeDiff time.Duration

	// Timeout ends the context of a run that takes longer, with the cause
	// [ErrTimeout]: each attempt has the whole of it. It is stored as the property
	// run.timeout, and the stored one counts; where none is stored, this one. Zero means no limit; at most
	// 2,147,483,647 ms, some 24 days.
	Timeout time.Duration

	// Class is the job's identity in the tree: the fully qualified class name
	// when Java processes serve the job too. An instance with another class is
	// refused. Empty accepts whatever is stored and writes the job's name.
	Class string

	// Assign says who takes part in a requested run; see [Agent.Submit]. This field and
	// the following ones are stored as the properties run.deal, run.overlap, run.retries,
	// run.backoff, run.backoff.max, run.lost, run.expiry, run.keep and run.pause.after.
	// Defaults to [AssignEach].
	Assign Assign

	// Overlap says what becomes of a requested run whose time comes while the job is
	// busy. Defaults to [OverlapQueue].
	Overlap Overlap

	// Retry says how often shards that failed are tried again, of requested runs and, of
	// a job that assigns runs to each shard, of fire times and triggers. The next attempt
	// of a fire time is of no use when the next fire time has come. Defaults to never.
	Retry Retry

	// Lost says what becomes of a shard of a requested run whose instance dies. Defaults
	// to [LostAgain].
	Lost Lost

	// RunExpiry is how long after its time a requested run is given up if it has not
	// begun: a second to 365 days, negative for never. Defaults to 7 days.
	RunExpiry time.Duration

	// RunKeep is how many runs that have ended stay in ZooKeeper: 0 to 1,000. Defaults to
	// 100. The last 1,000 stay for at least a minute anyway.
	RunKeep *int

	// PauseAfter holds the job when so many runs in a row have failed: 1 to 1,000. An
	// operator releases it. Zero, the default, is never.
	PauseAfter int

	// RunParameters is the schema of the parameters of requested runs, in the subset of
	// JSON Schema that docs/runs.md describes, for handlers that are no [Trigger]'s, such
	// as [Script] and [HTTP]. Defaults to the handler's own; without either anything that
	// is a JSON object is taken. A parameter that is left out has its default.
	RunParameters []byte

	// Props are the job's properties, as in ElasticJob: settings of its type
	// and its error handler, and whatever else. Handlers see them in [Shard].
	Props map[string]string
}

// config returns the stored form of the declaration. What it refers to by name
// is the agent's to check.
func (job Job) config(h Handler) (*jobconfig.Config, error) {
	c := jobconfig.New(job.Name, job.Shards)
	c.Cron, c.TimeZone = strings.TrimSpace(job.Cron), job.TimeZone
	c.ItemParameters, c.Parameter, c.Description = job.ShardParameters, job.Parameter, job.Description
	c.Failover, c.StrategyType, c.StaticSharding = job.Failover, job.Strategy, job.StaticSharding
	c.Disabled, c.Overwrite = job.Disabled, job.Overwrite
	if job.Executor != "CPU" { // The default; its key is another one in each dialect, so none is best.
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

// validate returns everything that is wrong with the declaration, before
// anything of it is written.
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

// class returns the data of the job node.
func (job Job) class(h Handler) string {
	if k, ok := h.(kind); ok && k.jobType() != "" {
		return k.jobType()
	}
	return job.Class
}
