package pages

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/templates/cloudui"
	"github.com/elasticjob-go/elasticjob/web/templates/runs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// mostListedCells is of how many shards a run of the list may be whose cells are drawn: the
// tasks of each are looked up.
const mostListedCells = 64

// runsPage lists the runs that the engine has.
func (s cloudPages) runsPage(c *gin.Context, at *console.Cloud) error {
	l := i18n.From(c.Request.Context())
	h := s.head(c, at, "runs")
	job, state := view.Clip(strings.TrimSpace(c.Query("job")), cloud.MaxName), cloud.RunState(c.Query("state"))
	if state != "" && !slices.Contains(cloudRunStates, state) {
		h.Frame.Ignored = append(h.Frame.Ignored, l.AddressUnknown("state", strconv.Quote(view.Clip(string(state), 40)), view.Join(cloudRunStates)))
		state = ""
	}
	page, hints := pageOf(c, l)
	h.Frame.Ignored = append(h.Frame.Ignored, hints...)
	all := at.Seen.Runs(job)
	p := cloudui.RunsProps{Head: h, Job: job, State: string(state), Views: cloudRunViews(l, all, job, state), ClearHref: cloudRunsHref("", state, 1)}
	list := slices.DeleteFunc(slices.Clone(all), func(r cloud.RunStatus) bool { return state != "" && r.State != state })
	first := min((page-1)*query.ScreenRows, len(list))
	shown := list[first:min(first+query.ScreenRows, len(list))]
	p.Rows = s.runRows(c, at, shown)
	switch {
	case len(shown) == 0 && len(all) == 0 && job == "":
		p.Empty = &ui.Empty{Heading: l.CloudRunsNone(), Text: l.CloudRunsNoneText(), TestID: "cloud-runs-empty"}
	case len(shown) == 0:
		p.Empty = &ui.Empty{Heading: l.CloudRunsNoneSuch(), Href: cloudRunsRoute, Label: l.CloudToRuns(), TestID: "cloud-runs-empty"}
	}
	p.Pager = ui.Pager{Summary: l.CloudRunsCount(first+1, first+len(shown), len(list)), PrevLabel: l.RequestNewer(), NextLabel: l.RequestMore()}
	if page > 1 {
		p.Pager.Prev = cloudRunsHref(job, state, page-1)
	}
	if first+len(shown) < len(list) {
		p.Pager.Next = cloudRunsHref(job, state, page+1)
	}
	s.Render(c, http.StatusOK, cloudui.Runs(p))
	return nil
}

// cloudRunsHref is the list of the runs of a job in a state, "" for any.
func cloudRunsHref(job string, state cloud.RunState, page int) string {
	v := url.Values{}
	if job != "" {
		v.Set("job", job)
	}
	if state != "" {
		v.Set("state", string(state))
	}
	if page > 1 {
		v.Set("page", strconv.Itoa(page))
	}
	return query.WithQuery(cloudRunsRoute, v)
}

// cloudRunViews are the states with how many runs each has.
func cloudRunViews(l i18n.Lang, all []cloud.RunStatus, job string, chosen cloud.RunState) []ui.Tab {
	count := make(map[cloud.RunState]int)
	for _, r := range all {
		count[r.State]++
	}
	tabs := []ui.Tab{{Label: l.RequestAll(), Href: cloudRunsHref(job, "", 1), Count: view.Thousands(len(all)), Active: chosen == "", TestID: "state-all"}}
	for _, state := range cloudRunStates {
		look := cloudRunLook(state)
		tabs = append(tabs, ui.Tab{Label: look.word(l), Tone: look.tone, Count: view.Thousands(count[state]), Href: cloudRunsHref(job, state, 1), Active: chosen == state, TestID: "state-" + string(state)})
	}
	return tabs
}

// runRows are runs as lines of a table.
func (s cloudPages) runRows(c *gin.Context, at *console.Cloud, list []cloud.RunStatus) []runs.Row {
	l, now := i18n.From(c.Request.Context()), s.Now()
	var longest time.Duration
	for _, r := range list {
		took, _ := cloudTook(r.Started, r.Ended, now)
		longest = max(longest, took)
	}
	rows := make([]runs.Row, 0, len(list))
	for _, r := range list {
		look := cloudRunLook(r.State)
		took, _ := cloudTook(r.Started, r.Ended, now)
		row := runs.Row{
			Href: cloudPath("runs", r.Name), Key: query.RowKey(r.Name), Start: pageui.ListTime(l, cloudFire(r), now), Job: cloud.RunRef(r.Namespace, r.JobName), JobHref: cloudPath("jobs", r.JobName),
			State: ui.State{Tone: look.tone, Label: look.word(l), TestID: "run-state"}, Tone: look.tone, Trigger: originWord(l, r.Origin),
			Shards: l.RunSub(r.Count), Words: l.RunSub(r.Count), Took: cloudTookIn(l, r.Started, r.Ended, now), Share: runs.Percent(100 * float64(took) / float64(max(longest, 1))),
		}
		message := cloudText(c, r.Message)
		if r.State == cloud.RunFailed || r.State == cloud.RunKilled {
			row.Error, row.Title = pageui.FirstLine(message), view.Clip(message, 160)
		} else {
			row.State.Title = view.Clip(message, 160)
		}
		if r.Count <= mostListedCells {
			row.Cells = cloudCells(at, r)
		}
		rows = append(rows, row)
	}
	return rows
}

// cloudCells are how the shards of a run are, one that has no task yet waits.
func cloudCells(at *console.Cloud, r cloud.RunStatus) (list []ui.Tone) {
	_, tasks, there := at.Seen.FindRun(r.Ref())
	if !there {
		return nil
	}
	for _, one := range cloudShards(tasks) {
		list = append(list, cloudTaskLook(one.last().State).tone)
	}
	for len(list) < r.Count {
		list = append(list, ui.ToneQuiet)
	}
	if len(list) > runs.MaxCells {
		slices.SortStableFunc(list, func(a, b ui.Tone) int { return quiet(a) - quiet(b) })
		list = list[:runs.MaxCells]
	}
	return list
}
