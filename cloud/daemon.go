package cloud

import (
	"maps"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cloud/task"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// DaemonRegistry is the value of [PropDaemon] for processes that are agents of ElasticJob-Lite. They share
// the shards by a ZooKeeper, so others take the shards of a lost process within its session timeout.
const DaemonRegistry = "registry"

// Registry reports whether the job's processes share the shards by a registry.
func (j Job) Registry() bool { return j.Type == TypeDaemon && j.Props[PropDaemon] == DaemonRegistry }

// Processes is the number of processes of a DAEMON job: one per shard, unless they share the shards
// and [PropProcesses] is set.
func (j Job) Processes() int {
	if n := j.number(PropProcesses); j.Registry() && n > 0 {
		return n
	}
	return j.Shards
}

// LiteConfiguration returns the configuration of ElasticJob-Lite that the processes of a job with a
// registry store there at each start. zone is for jobs without a time zone; nil is UTC. Settings
// that Lite doesn't know are a [jobconfig.FieldError].
func (j Job) LiteConfiguration(zone *time.Location) (*jobconfig.Config, error) {
	c := jobconfig.New(j.Name, j.Shards)
	var err error
	if c.TimeZone, err = j.liteZone(zone); err != nil {
		return nil, err
	}
	props, err := j.scheduleProps()
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(props, func(key, _ string) bool { return strings.HasPrefix(key, "cloud.") })
	c.Cron, c.ItemParameters, c.Parameter, c.Description = j.Cron, j.ShardParameters, j.Parameter, j.Description
	c.Failover, c.Misfire, c.MonitorExecution, c.Overwrite = j.Failover, j.Misfire, j.MonitorExecution, true
	c.MaxTimeDiffSeconds, c.ReconcileMinutes = j.MaxTimeDiff, j.ReconcileMinutes
	c.StrategyType, c.ExecutorType, c.ErrorHandlerType = j.StrategyType, j.ExecutorType, j.ErrorHandlerType
	c.Props = props
	if c.Failover && !c.MonitorExecution {
		return nil, &jobconfig.FieldError{Field: "failover", Value: "true", Want: "monitorExecution, because agents need it to know which shards were running"}
	}
	return c, c.Validate()
}

// liteZone returns the time zone for ElasticJob-Lite: an offset, or nothing with the property schedule.zone.
func (j Job) liteZone(zone *time.Location) (string, error) {
	if j.Props[quartz.ZoneProp] != "" {
		return j.TimeZone, nil // Schedule refuses both.
	}
	name := j.TimeZone
	if name == "" && zone != nil {
		name = zone.String()
	}
	switch {
	case name == "" || name == time.UTC.String():
		return "GMT+00:00", nil
	case quartz.IsTimeZone(name):
		return name, nil
	}
	return "", &jobconfig.FieldError{Field: "timeZone", Value: name, Want: "an offset such as GMT+08:00: with props." + PropDaemon + " = " + DaemonRegistry + " the agents of ElasticJob-Lite fire. Agents in Go alone take props." + quartz.ZoneProp + " instead"}
}

// validateRegistry refuses wrong settings for processes that share their shards.
func (j Job) validateRegistry(p *problems) {
	if n := j.Props[PropProcesses]; n != "" && !j.Registry() {
		p.refuse("props."+PropProcesses, n, "a DAEMON job with props."+PropDaemon+" = "+DaemonRegistry+"; any other one has a process per shard")
	}
	if d := j.Props[PropDaemon]; d != "" && j.Type != TypeDaemon {
		p.refuse("props."+PropDaemon, d, "a DAEMON job")
	}
	if !j.Registry() {
		return
	}
	if j.ErrorHandlerType == webhook {
		p.refuse("jobErrorHandlerType", webhook, "an error handler of ElasticJob-Lite, such as LOG or EMAIL: the processes handle their errors themselves")
	}
	// The scheduler's own zone isn't part of the document.
	if _, err := j.LiteConfiguration(nil); err != nil {
		p.all = append(p.all, err)
	}
	if n := j.Processes(); n > maxProcesses {
		p.refuse("props."+PropProcesses, j.Props[PropProcesses], "at most "+strconv.Itoa(maxProcesses)+" processes: each is a client of the registry. Without this property there is one per shard")
	}
}

// DaemonVariables returns the additional environment variables for processes of a DAEMON job: their
// schedule, and which runs to report. zone is for jobs without a time zone; nil is UTC. Engines add
// the address for reports.
func DaemonVariables(j Job, a App, zone *time.Location) map[string]string {
	name := j.TimeZone
	if name == "" && zone != nil {
		name = zone.String()
	}
	return map[string]string{
		task.Cron: j.Cron, task.TimeZone: name, task.StartTime: j.StartTime, task.EndTime: j.EndTime,
		task.ClockChange: j.ClockChange, task.Misfire: strconv.FormatBool(j.Misfire),
		task.EventSampling: strconv.Itoa(a.EventSampling),
	}
}
