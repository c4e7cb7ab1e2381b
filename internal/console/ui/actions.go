package ui

import (
	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// BulkRoute is the page of an action on several jobs.
const BulkRoute = "/jobs/bulk"

// NewJobRoute is the page that creates a job.
const NewJobRoute = "/jobs/new"

// RunsPath is the list of a job's runs.
func RunsPath(job string) string {
	return query.WithQuery("/runs", query.RunValues(rdb.RunFilter{JobName: job}))
}

// AskRunPath is the page that asks before a job runs. It's also the Run… dialog.
func AskRunPath(job string) string { return console.JobPath("/jobs", job, "run") }
