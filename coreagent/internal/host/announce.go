package host

import (
	"os"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/build"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// Announcement returns the data for a new node of this agent. From such nodes leaders learn which
// instances keep fire records, and stewards which instances take requested runs.
func (e *Host) Announcement() []byte {
	data := e.announced
	data.Clock = e.Time()
	return data.Encode()
}

func (e *Host) describe() runs.AgentData {
	return runs.AgentData{
		TakesRuns: true, Backfills: true, Debug: e.Debug.What, MaxParallel: e.MaxParallel,
		NoRecorder: e.Recorder == tracing.Discard, Zone: localZone(), Version: build.Library(), Started: e.Time(),
	}
}

// localZone returns the name of the process's time zone, or "" if only its rules are known.
func localZone() string {
	if name := time.Local.String(); name != "Local" {
		return name
	}
	path, err := os.Readlink("/etc/localtime")
	if err != nil {
		return ""
	}
	_, name, _ := strings.Cut(path, "zoneinfo/")
	return name
}
