package cloud

import (
	"strconv"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cloud/task"
)

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
