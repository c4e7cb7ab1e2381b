package cloud

import (
	"strconv"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cloudtask"
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
		cloudtask.Cron: j.Cron, cloudtask.TimeZone: name, cloudtask.StartTime: j.StartTime, cloudtask.EndTime: j.EndTime,
		cloudtask.ClockChange: j.ClockChange, cloudtask.Misfire: strconv.FormatBool(j.Misfire),
		cloudtask.EventSampling: strconv.Itoa(a.EventSampling),
	}
}
