package jobs

import (
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// BackfillProps asks for the fire times of a backfill, and previews it.
type BackfillProps struct {
	Frame                      layout.Frame
	Job                        string
	From, To, Params, Parallel ui.Field
	Rows                       []BackfillRow        // the last backfills of the job
	Preview                    *jobrun.BackfillPlan // nil before a preview
	Curl                       string
}

// underWay reports whether the newest backfill has not ended.
func (p BackfillProps) underWay() bool { return len(p.Rows) > 0 && !p.Rows[0].State.Ended() }

// BackfillRow is a backfill of the list.
type BackfillRow struct {
	jobrun.BackfillProgress
	Job  string
	Look ui.State
}

// BackfillPath is the page of the backfills of a job, or below it.
func BackfillPath(job string, more ...string) string {
	return api.JobPath("/jobs", job, append([]string{"backfill"}, more...)...)
}

// mostPreviewed bounds the times of a preview that are listed.
const mostPreviewed = 30

// done counts the fire times whose runs have ended.
func (r BackfillRow) done() int { return r.Total - r.Runs[jobrun.Queued] - r.Runs[jobrun.Running] }

// counts are the numbers of runs by state.
func (r BackfillRow) counts(l i18n.Lang) string {
	var counts []string
	for _, one := range []struct {
		state jobrun.State
		count func(i18n.Lang, int) string
	}{
		{jobrun.Queued, i18n.Lang.BackfillWaiting}, {jobrun.Running, i18n.Lang.BackfillRunning}, {jobrun.Succeeded, i18n.Lang.BackfillSucceeded},
		{jobrun.Failed, i18n.Lang.BackfillFailed}, {jobrun.Cancelled, i18n.Lang.BackfillCancelled}, {jobrun.Skipped, i18n.Lang.BackfillSkipped},
		{jobrun.Expired, i18n.Lang.BackfillExpired}, {jobrun.Unknown, i18n.Lang.BackfillUnknown},
	} {
		if n := r.Runs[one.state]; n > 0 {
			counts = append(counts, one.count(l, n))
		}
	}
	return strings.Join(counts, l.AddressBetween())
}

// RefusedWhy is the property that leaves a time out, in words.
func RefusedWhy(l i18n.Lang, property string) string {
	switch property {
	case quartz.FromProp:
		return l.JobRefusedFrom()
	case quartz.UntilProp:
		return l.JobRefusedUntil()
	case quartz.ExcludeProp:
		return l.JobRefusedExclude()
	}
	return property
}
