package explain_test

import (
	"fmt"
	"time"

	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
)

// The job fires every hour, and its last run, at noon, failed. A program would get the job from a
// statistics.Reader and the runs from the trace database.
func Example() {
	noon := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	job := statistics.Job{Name: "invoices", Cron: "0 0 * * * ?", TimeZone: "GMT", Shards: 2, Status: statistics.StatusOK, Instances: 1}
	runs := explain.DigestOf([]explain.Run{{
		ScheduledAt: noon, Start: noon, End: noon.Add(time.Second), Cause: "disk is full", CauseItem: 1,
		Shards: []explain.ShardRun{{Item: 0, Outcome: explain.Succeeded, IP: "10.0.0.1"}, {Item: 1, Outcome: explain.Failed, IP: "10.0.0.2"}},
	}}, true)
	j := explain.Judge(explain.Evidence{Job: &job, Runs: &runs, Known: true, Now: noon.Add(time.Minute)})
	fmt.Println(j.State, j.Finding.Sentence)
	// Output: FAILING In the last run on record shard 1 failed on 10.0.0.2: disk is full.
}
