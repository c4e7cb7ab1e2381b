package cloud

import (
	"context"
	"log/slog"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// patienceOfCounts bounds how long a count may take to be written.
const patienceOfCounts = 20 * time.Second

// KeepCloudCounts counts at each full minute what ElasticJob-Cloud has to do, until ctx
// ends, and hands the count to note. Only a process that schedules and can read all counts:
// what others do not know is a gap and no zero.
func KeepCounts(ctx context.Context, seen console.CloudSeen, note func(context.Context, rdb.CloudCount) error, log *slog.Logger) {
	failing := false
	for {
		now := time.Now()
		timer := time.NewTimer(now.Truncate(time.Minute).Add(time.Minute).Sub(now))
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-timer.C:
		}
		if !seen.Leads() || !seen.Synced() {
			continue
		}
		writing, cancel := context.WithTimeout(ctx, patienceOfCounts)
		err := note(writing, cloudCount(seen, time.Now()))
		cancel()
		switch {
		case err != nil && ctx.Err() == nil && !failing:
			log.WarnContext(ctx, "what ElasticJob-Cloud has to do cannot be noted; its statistics have a gap until it can", slog.Any("err", err))
		case err == nil && failing:
			log.InfoContext(ctx, "what ElasticJob-Cloud has to do is noted again")
		}
		failing = err != nil
	}
}

// cloudCount counts what there is.
func cloudCount(seen console.CloudSeen, now time.Time) rdb.CloudCount {
	c := rdb.CloudCount{Time: now, JobsRegistered: len(seen.Jobs())}
	jobs := make(map[string]bool)
	for _, r := range seen.Runs("") {
		if r.State != cloud.RunRunning {
			continue
		}
		_, tasks, _ := seen.FindRun(r.Ref())
		for _, t := range tasks {
			if t.State == tracing.StateRunning {
				c.TasksRunning++
				jobs[r.JobName] = true
			}
		}
	}
	c.JobsRunning = len(jobs)
	return c
}

// ReadCloudCounts reads what ElasticJob-Cloud had to do, bucket by bucket.
func readCounts(s *console.Console, c *gin.Context, interval rdb.Interval, from, to time.Time) ([]rdb.CloudCount, error) {
	return console.ReadHistory(s, c, func(ctx context.Context, h console.History) ([]rdb.CloudCount, error) {
		return h.CloudCounts(ctx, interval, from, to)
	})
}
