package cloud

import (
	"strconv"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cloud/task"
)

// DaemonVariables are what the processes of a DAEMON job have in their environment beside
// what every task has: by what they fire, and which of their runs they report. zone is that
// of a job that names none; nil is UTC. Where runs are reported an engine adds.
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
