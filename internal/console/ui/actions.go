package ui

import (
	"net/url"
	"strconv"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// BulkRoute is the page of an action on several jobs.
const BulkRoute = "/jobs/bulk"

// NewJobRoute is the page that creates a job.
const NewJobRoute = "/jobs/new"

// ChangePath is the page about the result of a form with this id.
func ChangePath(id string) string { return BulkRoute + "/" + id }

// ShardsPath is the table of a job's shards, or a page below it.
func ShardsPath(job string, more ...string) string {
	return app.JobPath("/jobs", job, append([]string{"shards"}, more...)...)
}

// SwitchedBy is who disabled a job and why, in a few words: "root: INC-4821".
func SwitchedBy(w settings.Switch) string {
	if w.Reason == "" {
		return w.User
	}
	return w.User + ": " + w.Reason
}

// RunsPath is the list of a job's runs.
func RunsPath(job string) string {
	return query.WithQuery("/runs", query.RunValues(rdb.RunFilter{JobName: job}))
}

// AskRunPath is the page that asks before a job runs. It's also the Run… dialog.
func AskRunPath(job string) string { return app.JobPath("/jobs", job, "run") }

// RerunPath is [AskRunPath] with the shards that failed in a run chosen.
func RerunPath(job string, shards []int, run string) string {
	v := url.Values{}
	for _, n := range shards[:min(len(shards), app.MostAtOnce)] {
		v.Add("item", strconv.Itoa(n))
	}
	if run != "" {
		v.Set("run", run)
	}
	return query.WithQuery(AskRunPath(job), v)
}

// RepeatedFlash is the message about a form that was sent before.
func RepeatedFlash(l i18n.Lang, id string) ui.Flash {
	return ui.Flash{Tone: ui.ToneOK, Title: l.BulkResultRepeated(), Links: []ui.FlashLink{{Label: l.BulkResult(), Href: ChangePath(id), TestID: "result"}}}
}

// OutcomeFlash describes the outcome of an action: the reached targets, and the skipped targets with
// the reasons.
func OutcomeFlash(l i18n.Lang, o app.Action, job string, out lifecycle.Outcome) ui.Flash {
	f := ui.Flash{Tone: ui.ToneOK}
	if n := len(out.Affected); n > 0 || o.Verb == app.Remove.Verb {
		f.Title = o.Did(l, job, n, FirstNames(l, out.Affected, 5))
		if o.Verb == app.Trigger.Verb {
			f.Links = append(f.Links, ui.FlashLink{Label: l.RunsOf(job), Href: RunsPath(job), TestID: "runs-of"})
		}
	} else {
		f.Tone, f.Title = ui.ToneWarn, l.ActionNothing(job, o.Label(l))
	}
	if out.CancelledRuns > 0 {
		f.Lines = append(f.Lines, l.ActionCancelledRuns(out.CancelledRuns))
	}
	for _, skip := range out.Skipped {
		f.Tone = ui.ToneWarn
		f.Lines = append(f.Lines, l.ActionSkipped(skip.Target, app.SkipReason(l, skip)))
	}
	return f
}
