package requested

import (
	"cmp"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/jobpage"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// pages answers the routes of the pages.
type pages struct{ service }

// How often the list and the page of a run that has not ended are read again.
const (
	listSeconds = 3
	runSeconds  = 1
)

// look is the look of a state of a requested run.
type look struct {
	tone ui.Tone
	word func(i18n.Lang) string
}

var looks = map[jobrun.State]look{
	jobrun.Scheduled: {ui.ToneQuiet, i18n.Lang.RequestStateScheduled}, jobrun.Queued: {ui.ToneQuiet, i18n.Lang.RequestStateQueued},
	jobrun.Running: {ui.ToneRun, i18n.Lang.RequestStateRunning}, jobrun.Succeeded: {ui.ToneOK, i18n.Lang.RequestStateSucceeded},
	jobrun.Failed: {ui.ToneBad, i18n.Lang.RequestStateFailed}, jobrun.Cancelled: {ui.ToneOff, i18n.Lang.RequestStateCancelled},
	jobrun.Skipped: {ui.ToneSkip, i18n.Lang.RequestStateSkipped}, jobrun.Expired: {ui.ToneLost, i18n.Lang.RequestStateExpired},
	jobrun.Unknown: {ui.ToneQuiet, i18n.Lang.RequestStateUnknown},
}

var retryingLook = look{ui.ToneWarn, i18n.Lang.RequestStateRetrying}

// isRetrying reports whether a run waits for an attempt after the first.
func isRetrying(r jobrun.Run) bool {
	return (r.State == jobrun.Scheduled || r.State == jobrun.Queued) && r.Attempt > 1
}

// lookOf is the look of a run. A cancelled run is neither running nor ended until its handlers return, and a
// run that waits for its next attempt is neither new nor running.
func lookOf(r jobrun.Run) look {
	if isRetrying(r) {
		return retryingLook
	}
	if r.State == jobrun.Running && r.Cancelled != nil {
		return look{ui.ToneWarn, i18n.Lang.RequestStateCancelling}
	}
	return looks[r.State]
}

// origins are where requests come from, in words.
var origins = map[string]struct {
	word func(i18n.Lang) string
	by   func(i18n.Lang, string) string
}{
	"code":     {i18n.Lang.RequestOriginCode, i18n.Lang.RequestFromCode},
	fromPage:   {i18n.Lang.RequestOriginPage, i18n.Lang.RequestFromPage},
	fromAPI:    {i18n.Lang.RequestOriginApi, i18n.Lang.RequestFromApi},
	"cli":      {i18n.Lang.RequestOriginCli, i18n.Lang.RequestFromCli},
	fromAgain:  {i18n.Lang.RequestOriginAgain, i18n.Lang.RequestFromAgain},
	"backfill": {i18n.Lang.RequestOriginBackfill, i18n.Lang.RequestFromBackfill},
	"retry":    {i18n.Lang.RequestOriginRetry, func(l i18n.Lang, _ string) string { return l.RequestFromRetry() }},
}

// byWords is who requested a run, and how.
func byWords(l i18n.Lang, by jobrun.By) string {
	if o, known := origins[by.Kind]; known {
		return o.by(l, cmp.Or(by.Name, "?"))
	}
	return cmp.Or(by.Name, by.Kind)
}

// spansOf are how long a run waited from its time on, and how long it took; empty if
// that has not begun.
func spansOf(l i18n.Lang, r jobrun.Run, now time.Time) (waited, took string) {
	end := r.Ended
	if end.IsZero() {
		end = now
	}
	until := r.Began
	if until.IsZero() {
		until = end
	}
	if r.State.Ended() && r.Ended.IsZero() {
		end = r.Began // The time of its end is lost.
	}
	if until.After(r.Due) {
		waited = pageui.Took(l, until.Sub(r.Due))
	}
	if end.After(r.Began) && !r.Began.IsZero() {
		took = pageui.Took(l, end.Sub(r.Began))
	}
	return waited, took
}

// listPage lists the requested runs of a job.
func (s pages) listPage(c *gin.Context) error {
	job, err := s.ReadJob(c)
	if err != nil {
		return err
	}
	l, asked := i18n.From(c.Request.Context()), c.Request.URL.Query()
	asked.Del("limit")
	f, problems := query.ParseRequested(asked)
	f.Limit = query.ScreenRows
	runs, err := s.list(c, job.Name, f)
	if err != nil {
		return err
	}
	p := jobs.RequestedProps{
		Job: jobpage.Head(s.Console, c, job, "requested", nil), MayRun: app.May(c, app.Operates), Views: requestedViews(l, job.Name, f), Filter: f,
		Origins: []ui.Choice{{Label: l.RequestFilterAny(), Selected: f.Origin == ""}},
	}
	p.Job.Frame.Ignored = append(p.Job.Frame.Ignored, problems.In(l)...)
	p.Job.Frame.Events, p.Job.Frame.LiveSeconds = "", listSeconds // no event reports changes of runs
	for _, name := range query.RequestedOrigins {
		p.Origins = append(p.Origins, ui.Choice{Value: name, Label: origins[name].word(l), Selected: name == f.Origin})
	}
	for _, r := range runs.Runs {
		look := lookOf(r.Run)
		row := jobs.RequestedRow{
			Run: r.Run, Job: job.Name, Look: ui.State{Tone: look.tone, Label: look.word(l), Title: reasonIn(l, r.Reason), TestID: "requested-state"},
			Requester: byWords(l, r.By), Time: view.NearTime(l, r.Due, s.Now()),
			Cancels: p.MayRun && !r.State.Ended() && r.Cancelled == nil, Starts: p.MayRun && r.State == jobrun.Scheduled,
		}
		if r.Total > 0 {
			row.Done = strconv.Itoa(r.Counts().OK) + "/" + strconv.Itoa(r.Total)
		}
		row.Waited, row.Took = spansOf(l, r.Run, s.Now())
		p.Rows = append(p.Rows, row)
	}
	p.Empty, p.Pager = requestedEmpty(l, f, len(p.Rows)), requestedPager(l, job.Name, f, runs)
	s.Render(c, http.StatusOK, jobs.Requested(p))
	return nil
}

// requestedEmpty is shown in the place of rows if there are none.
func requestedEmpty(l i18n.Lang, f query.Requested, rows int) *ui.Empty {
	empty := &ui.Empty{TestID: "requested-empty"}
	state := query.Requested{State: f.State}
	switch {
	case rows > 0:
		return nil
	case f.Cursor != "":
		empty.Heading = l.RequestNoneOlder()
	case len(f.Values()) > len(state.Values()):
		empty.Heading = l.RequestNoneFilter()
	case f.Narrow():
		empty.Heading = l.RequestNoneState()
	default:
		empty.Heading, empty.Text = l.RequestNone(), l.RequestNoneText()
	}
	return empty
}

func requestedPager(l i18n.Lang, job string, f query.Requested, runs page) ui.Pager {
	older := ""
	if n := runs.older(); n > 0 {
		older = l.RequestCountOlder(n)
	}
	p := ui.Pager{Summary: pageui.JoinNotes(l.RequestCountWaiting(runs.Waiting), l.RequestCountEnded(runs.Ended), older), PrevLabel: l.RequestNewer(), NextLabel: l.RequestMore()}
	to := func(cursor string) string {
		v := f.Values()
		if cursor != "" {
			v.Set("cursor", cursor)
		}
		return query.WithQuery(jobs.RequestedPath(job), v)
	}
	if f.Cursor != "" {
		p.Prev = to("")
	}
	if runs.Next != "" {
		p.Next = to(runs.Next)
	}
	return p
}

// requestedViews are the states. They keep the rest of the filter.
func requestedViews(l i18n.Lang, job string, f query.Requested) []ui.Tab {
	active := f.State
	tab := func(state, id, label string, tone ui.Tone) ui.Tab {
		f.State = state
		return ui.Tab{Label: label, Tone: tone, Href: query.WithQuery(jobs.RequestedPath(job), f.Values()), Active: state == active, TestID: "state-" + id}
	}
	tabs := []ui.Tab{tab("", "all", l.RequestAll(), "")}
	for _, name := range query.RequestedStates {
		look := looks[jobrun.State(name)]
		tabs = append(tabs, tab(name, name, look.word(l), look.tone))
	}
	return tabs
}
