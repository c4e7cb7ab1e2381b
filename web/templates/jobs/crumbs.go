package jobs

import (
	"context"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
)

// jobsCrumbs lead to a page below the list of jobs.
func jobsCrumbs(ctx context.Context) []layout.Crumb {
	return []layout.Crumb{{Label: i18n.From(ctx).FrameJobs(), Href: "/jobs"}}
}

// jobCrumbs lead to a page below a job's.
func jobCrumbs(ctx context.Context, job, href string) []layout.Crumb {
	return append(jobsCrumbs(ctx), layout.Crumb{Label: job, Href: href, Mono: true})
}

// bulkCrumbs lead to an action on several jobs, or on one.
func bulkCrumbs(ctx context.Context, p BulkProps) []layout.Crumb {
	if p.Job == "" {
		return jobsCrumbs(ctx)
	}
	return jobCrumbs(ctx, p.Job, p.JobHref)
}
