package cloud

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// patienceOfCounts bounds how long a count may take to be written.
const patienceOfCounts = 20 * time.Second

// KeepCounts counts the tasks and jobs of ElasticJob-Cloud at each full minute, until ctx ends, and
// passes the counts to note. Only a process that schedules and can read all of them counts, so that
// a gap isn't a zero.
func KeepCounts(ctx context.Context, seen app.CloudSeen, note func(context.Context, rdb.CloudCount) error, log *slog.Logger) {
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
func cloudCount(seen app.CloudSeen, now time.Time) rdb.CloudCount {
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

// readCounts reads the counts of a period, bucket by bucket.
func readCounts(s *app.Console, c *gin.Context, interval rdb.Interval, from, to time.Time) ([]rdb.CloudCount, error) {
	return app.ReadHistory(s, c, func(ctx context.Context, h app.History) ([]rdb.CloudCount, error) {
		return h.CloudCounts(ctx, interval, from, to)
	})
}

const week = 7 * 24 * time.Hour

var lastWeek = app.Period{Word: "lastWeek", Interval: rdb.Hour, From: func(now time.Time) time.Time { return now.Add(-week) }}

func runningTasks(c rdb.CloudCount) api.RunningCount {
	return api.RunningCount{Statistic: api.StatisticAt(c.Time), Count: c.TasksRunning}
}

func runningJobs(c rdb.CloudCount) api.RunningCount {
	return api.RunningCount{Statistic: api.StatisticAt(c.Time), Count: c.JobsRunning}
}

func registeredJobs(c rdb.CloudCount) api.RegisteredCount {
	return api.RegisteredCount{Statistic: api.StatisticAt(c.Time), Count: c.JobsRegistered}
}

// countsOf answers with the greatest count of each bucket. The default period is as long as back, in
// buckets of the interval.
func countsOf[T any](s *app.Console, row func(rdb.CloudCount) T, back time.Duration, interval rdb.Interval) func(*gin.Context) error {
	return func(c *gin.Context) error {
		from, to, asked, err := s.Buckets(c, back, interval, lastWeek)
		if err != nil {
			return err
		}
		counts, err := readCounts(s, c, asked, from, to)
		if err != nil {
			return err
		}
		rows := []T{}
		for _, one := range counts {
			if one.Known {
				rows = append(rows, row(one))
			}
		}
		app.WriteJSON(c, http.StatusOK, rows)
		return nil
	}
}
