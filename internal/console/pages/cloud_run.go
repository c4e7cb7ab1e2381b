package pages

import (
	"cmp"
	"errors"
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
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/web/templates/chart"
	"github.com/elasticjob-go/elasticjob/web/templates/cloudui"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/runs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// mostReasons is how many reasons a page lists that keep a run from going on.
const mostReasons = 20

// cloudShardRun is a shard of a run with its attempts, in their order.
type cloudShardRun struct {
	number   int
	attempts []cloud.Task
}

func (s cloudShardRun) last() cloud.Task { return s.attempts[len(s.attempts)-1] }

// cloudShards are the shards that have tasks, which come by shard and attempt.
func cloudShards(tasks []cloud.Task) (list []cloudShardRun) {
	tasks = slices.SortedFunc(slices.Values(tasks), func(a, b cloud.Task) int { return cmp.Or(a.Shard-b.Shard, a.Attempt-b.Attempt) })
	for _, t := range tasks {
		if len(list) == 0 || list[len(list)-1].number != t.Shard {
			list = append(list, cloudShardRun{number: t.Shard})
		}
		one := &list[len(list)-1]
		one.attempts = append(one.attempts, t)
	}
	return list
}

// cloudRunDrawing makes the page of a run.
type cloudRunDrawing struct {
	cloud.RunStatus
	shards []cloudShardRun // by number
	lang   i18n.Lang
	now    time.Time
	all    bool // every lane
}

// runPage is one run.
func (s cloudPages) runPage(c *gin.Context, at *console.Cloud) error {
	name, err := console.CloudName(c, "run")
	if err != nil {
		return err
	}
	run, tasks, err := at.FindRun(name)
	if err != nil {
		return err
	}
	l := i18n.From(c.Request.Context())
	d := cloudRunDrawing{RunStatus: run, shards: cloudShards(tasks), lang: l, now: s.Now()}
	h := s.oneHead(c, at, cloudRunTitle(l, run, d.now), "runs", l.FrameRuns(), layout.Crumb{Label: run.JobName, Href: cloudPath("jobs", run.JobName), Mono: true})
	switch lanes := c.Query("lanes"); lanes {
	case "", "all":
		d.all = lanes != ""
	default:
		h.Frame.Ignored = append(h.Frame.Ignored, l.RunNoLanes(strconv.Quote(view.Clip(lanes, 40))))
	}
	look := cloudRunLook(run.State)
	h.State = &ui.Chip{Tone: look.tone, Label: look.word(l), TestID: "run-state"}
	if !run.State.Ended() {
		h.Frame.LiveSeconds = cloudRunSeconds
	}
	if message := cloudText(c, run.Message); message != "" {
		tone := ui.ToneWarn
		if run.State == cloud.RunFailed {
			tone = ui.ToneBad
		}
		h.Notices = append(h.Notices, ui.Notice{Tone: tone, Heading: pageui.FirstLine(message), TestID: "run-message"})
	}
	if !console.LooksOnly(c) {
		h.Actions = d.actions(at)
	}
	p := cloudui.RunProps{Head: h, Facts: d.facts(), Ended: run.State.Ended(), Timeline: d.timeline()}
	p.Cells, p.CellsSub = d.cells()
	if len(d.shards) == 0 {
		p.NoTasks = l.CloudNoTasks()
	}
	if run.Origin == cloud.OriginDaemon {
		p.Processes = s.processes(c, run, d.shards)
		p.Processes.Shared = slices.ContainsFunc(at.Seen.Jobs(), func(d cloud.Definition) bool { return d.Job.Name == run.JobName && d.Job.Registry() })
	}
	if !run.State.Ended() {
		p.Reasons = s.reasons(c, at, run.Ref())
	}
	s.Render(c, http.StatusOK, cloudui.Run(p))
	return nil
}

// oneHead is the head of a page about one thing of a part of the area.
func (s cloudPages) oneHead(c *gin.Context, at *console.Cloud, heading, part, label string, more ...layout.Crumb) cloudui.Head {
	l := i18n.From(c.Request.Context())
	return cloudui.Head{Frame: s.frame(c, heading), Heading: heading, Crumbs: cloudCrumbs(l, part, label, more...), Notices: cloudNotices(l, at, s.Now())}
}

// reasons are what keeps a run from going on, in the engine's words; none while it does not
// answer, which the page says anyway.
func (s cloudPages) reasons(c *gin.Context, at *console.Cloud, run string) (list []cloudui.Reason) {
	ctx, cancel := s.Reading(c)
	defer cancel()
	found, err := at.Engine.Explain(ctx, run)
	if err != nil && !errors.Is(err, cloud.ErrNotFound) {
		s.LogFailure(c, cloudProblem(err))
		return nil
	}
	for _, r := range found[:min(len(found), mostReasons)] {
		one := cloudui.Reason{Count: view.Thousands(r.Count) + " ×", Text: view.Clip(mask.Text(cmp.Or(r.Text, r.Code)), 400)}
		if !r.Since.IsZero() {
			one.Since = view.ForTime(r.Since, s.Now())
		}
		list = append(list, one)
	}
	return list
}

// actions are what an operator can do with the run.
func (d *cloudRunDrawing) actions(at *console.Cloud) (list []ui.Button) {
	switch {
	case d.Origin == cloud.OriginDaemon:
		return nil
	case d.State.Ended():
		return d.again(at)
	}
	to := func(verb string) string { return cloudPath("runs", d.Name, verb) }
	suspend := ui.Button{Icon: "pause", Label: d.lang.CloudSuspend(), Post: to("suspend"), TestID: "suspend-run"}
	if !at.Engine.Capabilities().Suspend {
		suspend.Disabled = d.lang.CloudCannotSuspend()
	}
	if d.State == cloud.RunSuspended {
		list = append(list, ui.Button{Kind: ui.ButtonMain, Icon: "play", Label: d.lang.CloudResume(), Post: to("resume"), TestID: "resume-run"})
	} else {
		list = append(list, suspend)
	}
	return append(list, ui.Button{Kind: ui.ButtonDanger, Label: d.lang.CloudKill() + "…", Href: to("kill"), TestID: "kill-run"})
}

// again offers to run the shards again that did not succeed: the form of the job, with them.
func (d *cloudRunDrawing) again(at *console.Cloud) []ui.Button {
	_, shards, err := at.Unfinished(d.Name)
	if err != nil || len(shards) == 0 {
		return nil
	}
	href := query.WithQuery(cloudPath("jobs", d.JobName, "trigger"), url.Values{"shards": {jobtree.RunShards(shards).String()}})
	return []ui.Button{{Icon: "play", Label: d.lang.CloudAgain(len(shards)) + "…", Href: href, TestID: "rerun-run"}}
}

func (d *cloudRunDrawing) facts() (list []ui.Fact) {
	l := d.lang
	add := func(label, value string) { list = append(list, ui.Fact{Label: label, Value: value}) }
	if !d.Fire.IsZero() {
		add(l.RunScheduled(), view.DateTime(d.Fire).Text)
	}
	if !d.Started.IsZero() {
		add(l.RunStarted(), view.NearTime(l, d.Started, d.now).Text)
	}
	if !d.Ended.IsZero() {
		add(l.RunEnded(), view.NearTime(l, d.Ended, d.now).Text)
	}
	add(l.RunDuration(), cloudTookIn(l, d.Started, d.Ended, d.now))
	add(l.RunTrigger(), originWord(l, d.Origin))
	shards := l.RunSub(d.Count)
	if d.Count != d.Shards {
		shards = l.CloudShardsOf(d.Count, d.Shards)
	}
	list = append(list, ui.Fact{Label: l.RunsTableShards(), Value: shards, Note: d.shardWords()})
	attempts := 0
	for _, s := range d.shards {
		attempts += len(s.attempts)
	}
	add(l.RunAttempts(), strconv.Itoa(attempts))
	list = append(list, namespaceFact(l, d.Namespace)...)
	return append(list, ui.Fact{Label: l.CloudApp(), Value: d.AppName, Mono: true}, ui.Fact{Label: l.RunId(), Value: d.Name, Mono: true})
}

// byState are the numbers of the shards in each state of [cloudTaskLooks]. Those without a
// task wait.
func (d *cloudRunDrawing) byState() [][]int {
	list := make([][]int, len(cloudTaskLooks))
	for _, s := range d.shards {
		rank := cloudTaskRank(s.last().State)
		list[rank] = append(list[rank], s.number)
	}
	return list
}

// shardWords count the shards of each state.
func (d *cloudRunDrawing) shardWords() string {
	var parts []string
	for rank, numbers := range d.byState() {
		if len(numbers) > 0 {
			parts = append(parts, view.Thousands(len(numbers))+" "+strings.ToLower(cloudTaskLooks[rank].word(d.lang)))
		}
	}
	return strings.Join(parts, " · ")
}

// cells are all shards by state, of a run with more of them than lanes are read well.
func (d *cloudRunDrawing) cells() (p *chart.Cells, sub string) {
	if len(d.shards) <= gridShards {
		return nil, ""
	}
	p = &chart.Cells{Label: d.shardWords()}
	drawn := 0
	for rank, numbers := range d.byState() {
		room := max(mostCells-drawn, 0)
		if len(numbers) == 0 || room == 0 {
			continue
		}
		look := cloudTaskLooks[rank]
		row := chart.CellRow{Label: look.word(d.lang), Tone: look.tone, Note: pageui.ShardRanges(d.lang, numbers), Cells: slices.Repeat([]ui.Tone{look.tone}, min(len(numbers), room))}
		drawn += len(row.Cells)
		p.Rows = append(p.Rows, row)
	}
	return p, d.lang.RunSub(d.Count)
}

// begin and end are those of the axis: from the launch to the end, or now.
func (d *cloudRunDrawing) begin() time.Time {
	if d.Created.IsZero() {
		return cloudFire(d.RunStatus)
	}
	return d.Created
}

func (d *cloudRunDrawing) end() time.Time {
	end := d.Ended
	if end.IsZero() {
		end = d.now
	}
	if begin := d.begin(); end.Sub(begin) < time.Second {
		return begin.Add(time.Second)
	}
	return end
}

// axis places instants of the run.
func (d *cloudRunDrawing) axis() timeAxis { return timeAxis{d.begin(), d.end(), d.lang} }

// took is how long a shard has taken with all its attempts.
func (d *cloudRunDrawing) took(s cloudShardRun) time.Duration {
	took, _ := cloudTook(s.attempts[0].Created, s.last().Ended, d.now)
	return took
}

// timeline is the shards over time, the slowest first; of many those that did not succeed
// and the slowest.
func (d *cloudRunDrawing) timeline() runs.RunProps {
	l := d.lang
	p := runs.RunProps{Where: l.CloudNode(), Ticks: d.axis().ticks(), Label: l.RunTimelineLabel(len(d.shards), pageui.Took(l, d.end().Sub(d.begin())))}
	p.AllHref = query.WithQuery(cloudPath("runs", d.Name), url.Values{"lanes": {"all"}})
	sorted := slices.SortedStableFunc(slices.Values(d.shards), func(a, b cloudShardRun) int { return cmp.Compare(d.took(b), d.took(a)) })
	for i, s := range sorted {
		shown := len(sorted) <= mostLanes || i < slowestLanes || s.last().State != tracing.StateFinished || d.all
		if !shown || len(p.Lanes) >= allLanes {
			p.Others++
			continue
		}
		p.Lanes = append(p.Lanes, d.lane(s))
	}
	return p
}

func (d *cloudRunDrawing) lane(s cloudShardRun) runs.Lane {
	look, number := cloudTaskLook(s.last().State), strconv.Itoa(s.number)
	lane := runs.Lane{
		Item: number, Tone: look.tone, Label: d.lang.RunLane(number, look.word(d.lang)), Href: cloudShardPath(d.Name, s.number),
		Took: cloudTookIn(d.lang, s.attempts[0].Created, s.last().Ended, d.now), Instances: s.last().Node,
	}
	axis := d.axis()
	for _, t := range s.attempts {
		begin, end := t.Started, t.Ended
		if end.IsZero() {
			end = d.now
		}
		if begin.IsZero() {
			begin = end
		}
		if wait := axis.at(begin) - axis.at(t.Created); wait > 0 && !t.Created.IsZero() {
			lane.Bars = append(lane.Bars, runs.Bar{Kind: runs.BarWait, X: axis.at(t.Created), Width: wait, Title: d.lang.RunLegendWait()})
		}
		if t.Started.IsZero() && t.Ended.IsZero() {
			continue
		}
		bar := runs.Bar{Kind: cloudBar(t.State), X: axis.at(begin), Width: max(axis.at(end)-axis.at(begin), narrowest), Title: cloudTaskLook(t.State).word(d.lang)}
		if len(s.attempts) > 1 {
			bar.Text = strconv.Itoa(t.Attempt)
		}
		lane.Bars = append(lane.Bars, bar)
	}
	return lane
}

// cloudBar is how a task looks on a lane.
func cloudBar(state cloud.State) runs.BarKind {
	switch cloudTaskLook(state).tone {
	case ui.ToneOK:
		return runs.BarOK
	case ui.ToneRun, ui.ToneQuiet:
		return runs.BarRunning
	case ui.ToneBad:
		return runs.BarFailed
	}
	return runs.BarLost
}

// cloudShardPath is the page of a shard of a run.
func cloudShardPath(run string, shard int, more ...string) string {
	return cloudPath(append([]string{"runs", run, "items", strconv.Itoa(shard)}, more...)...)
}
