package demo

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/coreagent"
)

// Names of the demo's jobs of ElasticJob-Cloud.
const (
	// CloudJob fires each 20 seconds, with a shard per warehouse.
	CloudJob = "cloud-stocktake"
	// FailingCloudJob has a shard that fails now and then.
	FailingCloudJob = "cloud-price-check"
	// DaemonCloudJob has a process per shard that fires each 10 seconds by itself.
	DaemonCloudJob = "cloud-heartbeat"
)

// HeartbeatCommand is the command of the program by which a process of [DaemonCloudJob] is
// [Heartbeat].
const HeartbeatCommand = "demo-heartbeat"

// cloudPrograms are shell scripts, so that the demo needs nothing but a shell. They show
// what a program finds in its environment.
var cloudPrograms = map[string]string{
	"stocktake.sh": `#!/bin/sh
echo "stocktake of $ELASTICJOB_SHARDING_PARAMETER: shard $ELASTICJOB_ITEM of $ELASTICJOB_SHARDING_TOTAL_COUNT in run $ELASTICJOB_RUN"
for shelf in 1 2 3; do
	sleep 1
	echo "shelf $shelf of $ELASTICJOB_SHARDING_PARAMETER is counted"
done
echo "stocktake of $ELASTICJOB_SHARDING_PARAMETER is done"
`,
	"price-check.sh": `#!/bin/sh
echo "prices in $ELASTICJOB_SHARDING_PARAMETER, attempt $ELASTICJOB_ATTEMPT"
sleep 1
if [ "$ELASTICJOB_ITEM" = 1 ] && [ $(($(date +%s) / 30 % 3)) = 0 ]; then
	echo "the price list of $ELASTICJOB_SHARDING_PARAMETER is being changed" >&2
	exit 1
fi
echo "the prices in $ELASTICJOB_SHARDING_PARAMETER are right"
`,
}

// Heartbeat is what a process of [DaemonCloudJob] does at each fire time.
func Heartbeat() coreagent.Handler {
	return coreagent.HandlerFunc(func(ctx context.Context, s *coreagent.Shard) error {
		s.Log.InfoContext(ctx, "the warehouse answers", "warehouse", s.Parameter, "fired", s.ScheduledAt.Format(time.TimeOnly))
		select {
		case <-time.After(heartbeatTakes):
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	})
}

const heartbeatTakes = 200 * time.Millisecond

// WriteCloudPrograms writes the programs of the demo's applications into a folder, which it
// makes. self is the program that has [HeartbeatCommand].
func WriteCloudPrograms(folder, self string) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("the folder of the demo's programs: %w", err)
	}
	programs := maps.Clone(cloudPrograms)
	programs["heartbeat.sh"] = "#!/bin/sh\nexec '" + strings.ReplaceAll(self, "'", `'\''`) + "' " + HeartbeatCommand + "\n"
	for name, text := range programs {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil { //nolint:gosec // a program has to be executable, by its owner alone
			return fmt.Errorf("a program of the demo: %w", err)
		}
	}
	return nil
}

// CloudApps are the demo's applications.
func CloudApps() []cloud.App {
	var apps []cloud.App
	for name, script := range map[string]string{"stocktake": "stocktake.sh", "price-check": "price-check.sh", "heartbeat": "heartbeat.sh"} {
		app := cloud.NewApp(name)
		app.Command, app.CPU, app.MemoryMB = []string{script}, 0.05, 16
		apps = append(apps, app)
	}
	return apps
}

// CloudJobs are the demo's jobs of [CloudApps].
func CloudJobs() []cloud.Job {
	stocktake := cloud.NewJob(CloudJob, "stocktake", 3)
	stocktake.Cron, stocktake.ShardParameters = "0/20 * * * * ?", "0=Beijing,1=Shanghai,2=Turin"
	stocktake.Description = "Transient job of ElasticJob-Cloud: a process per warehouse counts its shelves."
	prices := cloud.NewJob(FailingCloudJob, "price-check", 2)
	prices.Cron, prices.ShardParameters = "10/30 * * * * ?", "0=Beijing,1=Shanghai"
	prices.Description = "Transient job of ElasticJob-Cloud: a shard fails now and then."
	heartbeat := cloud.NewJob(DaemonCloudJob, "heartbeat", 2)
	heartbeat.Type, heartbeat.Cron, heartbeat.ShardParameters = cloud.TypeDaemon, "0/10 * * * * ?", "0=Beijing,1=Shanghai"
	heartbeat.Description = "Daemon job of ElasticJob-Cloud: a process per warehouse fires by itself."
	jobs := []cloud.Job{stocktake, prices, heartbeat}
	for i := range jobs {
		jobs[i].CPU, jobs[i].MemoryMB = 0.05, 16
	}
	return jobs
}
