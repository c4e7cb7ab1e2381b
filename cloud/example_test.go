package cloud_test

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
)

// Reads a document of ElasticJob-Cloud into a job with upstream's defaults. The fire times name the runs.
func Example() {
	job := cloud.NewJob("", "", 0)
	document := `{"jobName": "settlement.daily", "appName": "shop", "jobExecutionType": "TRANSIENT",
		"cron": "0 30 2 * * ?", "timeZone": "Europe/Berlin", "shardingTotalCount": 3, "cpuCount": 0.1, "memoryMB": 64}`
	if err := json.Unmarshal([]byte(document), &job); err != nil {
		fmt.Println(err)
		return
	}
	schedule, err := job.Schedule(time.UTC)
	if err != nil {
		fmt.Println(err)
		return
	}
	fire, _ := schedule.Next(time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC))
	fmt.Println(fire, cloud.RunName(job.Name, fire))

	job.Shards, job.Props = 0, map[string]string{cloud.PropOverlap: "never"}
	fmt.Println(job.Validate())
	// Output:
	// 2026-11-23 02:30:00 +0100 CET settlement-daily-711987d9-1795397400
	// shardingTotalCount: "0" is not allowed; want a whole number from 1 to 100000
	// props.cloud.overlap: "never" is not allowed; want one of queue-one, queue-all, skip, allow
}
